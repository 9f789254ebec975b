% attack: abort
% expect: error
:- prolog_alert_signal(_, 0), abort.
:- prolog_cut_to(foo).
:- '$abort'.
