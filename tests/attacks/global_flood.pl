% attack: global variables for ever
% expect: timeout memory_limit error
p(N) :- atom_concat(k, N, K), nb_setval(K, f(N, N, N)), M is N + 1, p(M).
:- p(0).
