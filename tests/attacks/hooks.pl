% attack: take over messages, expansion and the toplevel
% expect: ok error timeout
user:message_hook(_, _, _) :- true.
user:term_expansion(_, []).
user:goal_expansion(_, fail).
:- set_prolog_flag(toplevel_goal, true).
:- writeln(x).
