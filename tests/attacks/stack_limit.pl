% attack: lift the stack limit and recurse
% expect: error timeout memory_limit
:- set_prolog_flag(stack_limit, 1000000000000).
p(X) :- p(f(X)), q(X).
:- p(a).
