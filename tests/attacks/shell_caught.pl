% attack: run a shell command and catch the error
% expect: violation
:- catch(shell('touch @SCRATCH@/made', S), _, true), print(S).
