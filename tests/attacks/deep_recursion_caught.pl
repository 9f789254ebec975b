% attack: recurse without end again and again
% expect: timeout memory_limit
p(X) :- p(f(X)), q(X).
r :- catch(p(a), _, true), r.
:- r.
