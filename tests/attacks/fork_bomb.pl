% attack: a fork bomb out of shell commands
% expect: violation
bomb :- shell('sleep 100 &'), bomb.
:- bomb.
