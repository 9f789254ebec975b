% attack: halt with odd codes, within halt
% expect: ok error
:- at_halt(halt(7)).
:- at_halt(writeln(bye)).
:- halt(1000000).
