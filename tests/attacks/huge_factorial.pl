% attack: multiply for ever
% expect: timeout memory_limit error
f(N, A) :- M is A * N, K is N + 1, f(K, M).
:- f(1, 1).
