% attack: ensure_loaded and load_files of another file
% expect: error ok
:- catch(ensure_loaded('@SECRET@'), _, true).
:- catch(load_files('@SECRET@', [if(true)]), _, true).
