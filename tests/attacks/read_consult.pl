% attack: load another file as a program
% expect: error ok
:- consult('@SECRET@').
:- listing.
