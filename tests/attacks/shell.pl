% attack: run a shell command
% expect: violation
:- shell('cat @SECRET@; touch @SCRATCH@/made').
