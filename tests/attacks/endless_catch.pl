% attack: loop and catch whatever is thrown at it
% expect: timeout
p :- catch(q, _, p), p.
q :- repeat, fail.
:- p.
