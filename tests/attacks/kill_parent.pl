% attack: kill the server and the client
% expect: error violation
:- use_module(library(process)).
:- process_kill(@SERVER@, kill).
:- process_kill(@CLIENT@, kill).
:- shell('kill -9 @SERVER@ @CLIENT@').
