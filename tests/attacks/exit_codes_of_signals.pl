% attack: pose as killed, timed out or sealed off by the exit code
% expect: error
:- halt(137).
