% attack: replace the process
% expect: violation error
:- use_module(library(unix)).
:- exec(cat('@SECRET@')).
