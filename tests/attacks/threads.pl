% attack: start threads
% expect: error
:- forall(between(1, 1000, _), thread_create((repeat, fail), _, [detached(true)])).
