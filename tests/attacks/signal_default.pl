% attack: unset a handler and signal itself
% expect: error ok
:- on_signal(usr2, _, default), thread_self(M), thread_signal(M, true).
