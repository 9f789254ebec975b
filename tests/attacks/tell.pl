% attack: write the Edinburgh way
% expect: error ok
:- tell('@SCRATCH@/made'), write(x), told.
