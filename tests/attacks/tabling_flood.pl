% attack: tables for ever
% expect: timeout memory_limit error
:- table p/1.
p(N) :- M is N + 1, p(M).
:- p(0).
