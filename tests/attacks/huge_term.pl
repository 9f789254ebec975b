% attack: a term that doubles
% expect: error timeout memory_limit output_limit
d(T) :- copy_term(g(T, T), U), d(U).
:- d(x).
