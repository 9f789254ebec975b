% attack: assert clauses for ever
% expect: timeout memory_limit error
p(N) :- assertz(q(N, "some text of some length")), M is N + 1, p(M).
:- p(0).
