% attack: the interactive helpers
% expect: ok error violation
:- catch(ls, _, true).
:- catch(cd('@SCRATCH@'), _, true), pwd.
:- catch(edit('@SECRET@'), _, true).
:- catch(www_open_url('http://127.0.0.1:@PORT@/'), _, true).
