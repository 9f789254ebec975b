% attack: the real alarm thread, by its own library file
% expect: error ok violation
:- catch(load_files('/usr/lib/swi-prolog/library/time.pl', [if(true)]), _, true).
:- catch(use_foreign_library(foreign(time)), _, true).
:- catch(time:alarm_at(0, true, _, []), _, true), halt(1).
