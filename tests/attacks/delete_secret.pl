% attack: delete, rename and link files
% expect: error ok
:- catch(delete_file('@SECRET@'), _, true).
:- catch(rename_file('@SECRET@', '@SCRATCH@/made'), _, true).
:- catch(link_file('@SECRET@', '@SCRATCH@/made', symbolic), _, true).
:- catch(delete_directory('@SCRATCH@'), _, true).
:- catch(make_directory('@SCRATCH@/made'), _, true).
