% attack: connect to a listener
% expect: error violation
:- use_module(library(socket)).
:- tcp_socket(S), tcp_connect(S, localhost:@PORT@), tcp_open_socket(S, I, O), write(O, hello), flush_output(O), read_string(I, _, T), write(T).
