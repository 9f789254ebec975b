% attack: an alarm clock
% expect: error violation
:- use_module(library(time)).
:- alarm(0.1, writeln(late), _, [remove(true)]), sleep(1).
