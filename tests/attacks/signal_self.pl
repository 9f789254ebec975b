% attack: send a signal to the own thread
% expect: error ok timeout
:- on_signal(usr1, _, throw).
:- thread_self(M), thread_signal(M, throw(oops)).
:- sleep(0).
