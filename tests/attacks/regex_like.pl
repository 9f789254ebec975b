% attack: exponential matching
% expect: timeout
a([]).
a([x|T]) :- a(T).
a([x, x|T]) :- a(T).
:- length(L, 200), maplist(=(x), L), findall(1, a(L), R), length(R, N), writeln(N).
