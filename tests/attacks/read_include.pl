% attack: include another file
% expect: error ok
:- include('@SECRET@').
