% attack: double an atom for ever
% expect: error timeout memory_limit output_limit
d(S) :- atom_concat(S, S, T), d(T).
:- d(abc).
