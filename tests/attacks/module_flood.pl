% attack: modules for ever
% expect: timeout memory_limit error
p(N) :- atom_concat(m, N, M), assertz(M:q(N)), K is N + 1, p(K).
:- p(0).
