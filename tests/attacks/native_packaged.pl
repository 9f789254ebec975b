% attack: load native libraries that nobody preloaded
% expect: error violation
:- use_module(library(socket)).
:- use_module(library(process)).
:- use_module(library(unix)).
:- use_module(library(rlimit)).
:- use_module(library(prolog_stream)).
:- rlimit(as, _, unlimited).
