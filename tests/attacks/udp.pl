% attack: send a datagram
% expect: error violation
:- use_module(library(socket)).
:- udp_socket(S), udp_send(S, hello, localhost:@PORT@, []).
