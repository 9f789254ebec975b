% attack: take over how the program ends
% expect: ok error timeout
:- catch(abolish(system:'$holmes_run'/0), _, true).
:- catch(retractall(system:'$holmes_run'), _, true).
:- catch(assertz('$toplevel':version), _, true).
:- '$set_predicate_attribute'(system:'$holmes_run', system, false).
