% attack: open a server
% expect: error violation
:- use_module(library(socket)).
:- tcp_socket(S), tcp_bind(S, localhost:0), tcp_listen(S, 5).
