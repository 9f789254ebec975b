% attack: concurrent work
% expect: error timeout
:- concurrent_maplist([X, Y]>>(Y is X * 2), [1, 2, 3], L), writeln(L).
:- first_solution(X, [X = 1, X = 2], []), writeln(X).
:- thread_get_message(_).
