% attack: make atoms for ever
% expect: timeout memory_limit error
p(N) :- atom_concat(some_rather_long_atom_name_, N, A), assertz(q(A)), M is N + 1, p(M).
:- p(0).
