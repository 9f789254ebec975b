% attack: compile to a file
% expect: error ok
:- catch(qcompile('@SECRET@'), _, true).
:- catch(qcompile(library(lists)), _, true).
:- catch(make_library_index('@SCRATCH@'), _, true).
