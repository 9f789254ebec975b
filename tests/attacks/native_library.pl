% attack: load the C library and call system
% expect: error violation
:- open_shared_object('libc.so.6', H), call_shared_object_function(H, abort).
