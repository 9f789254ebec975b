% attack: create a file
% expect: error ok
:- open('@SCRATCH@/made', write, S), write(S, x), close(S).
