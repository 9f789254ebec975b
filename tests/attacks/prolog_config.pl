% attack: the web server and the language server
% expect: error violation ok
:- catch(use_module(library(http/thread_httpd)), _, true).
:- catch(http_server([], [port(0)]), _, true).
:- catch(use_module(library(mqi)), _, true).
:- catch(mqi_start, _, true).
