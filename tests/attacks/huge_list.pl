% attack: a list of a thousand million
% expect: error timeout memory_limit
:- numlist(1, 1000000000, L), length(L, N), writeln(N).
