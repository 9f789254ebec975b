% attack: fork by library(unix)
% expect: violation error
:- use_module(library(unix)).
:- fork(P), print(P).
