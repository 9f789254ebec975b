% attack: play with the terminal
% expect: error ok violation
:- catch(tty_size(R, C), _, true), print(R-C).
:- catch(tty_goto(1, 1), _, true).
:- catch(open('/dev/tty', read, S), _, true), print(S).
:- set_prolog_flag(tty_control, true), prolog.
