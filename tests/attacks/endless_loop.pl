% attack: loop for ever
% expect: timeout
p :- p.
:- p.
