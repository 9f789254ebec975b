% attack: change file modes and times
% expect: error ok violation
:- catch(chmod('@SECRET@', 0o777), _, true).
:- catch(set_time_file('@SECRET@', _, [modified(0)]), _, true).
