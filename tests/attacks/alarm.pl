% attack: an alarm clock that rings for ever
% expect: timeout
:- use_module(library(time)).
again :- alarm(0.001, again, _, [remove(true)]).
:- initialization(( again, sleep(1000) ), main).
