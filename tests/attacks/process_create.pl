% attack: start a program by library(process)
% expect: violation error
:- use_module(library(process)).
:- process_create(path(cat), ['@SECRET@'], []).
