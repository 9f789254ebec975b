% attack: readline and history files
% expect: ok error violation
:- catch(use_module(library(readline)), _, true).
:- catch(rl_write_history('@SCRATCH@/made'), _, true).
:- catch(use_module(library(editline)), _, true).
:- prolog_history(enable).
