% attack: record terms for ever
% expect: timeout memory_limit error
p(N) :- recordz(k, t(N, N, N, N)), M is N + 1, p(M).
:- p(0).
