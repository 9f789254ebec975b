% attack: backtrack for ever
% expect: timeout
:- repeat, fail.
