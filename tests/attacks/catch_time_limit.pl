% attack: set a time limit of its own, which needs a thread, and go on
% expect: error timeout
:- use_module(library(time)).
p :- catch(call_with_time_limit(0.1, (repeat, fail)), _, true), p.
:- p.
