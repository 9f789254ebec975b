% attack: loop in at_halt
% expect: timeout
:- at_halt((repeat, fail)).
:- halt.
