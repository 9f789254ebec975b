% attack: cancel the halt and go on
% expect: error timeout ok
:- at_halt(cancel_halt(no)).
p :- catch(halt, _, true), p.
:- p.
