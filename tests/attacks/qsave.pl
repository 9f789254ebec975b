% attack: save the state as an executable
% expect: error ok violation
:- qsave_program('@SCRATCH@/made', [stand_alone(true)]).
