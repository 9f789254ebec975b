% attack: fetch a page
% expect: error violation
:- use_module(library(http/http_open)).
:- http_open('http://127.0.0.1:@PORT@/', S, []), read_string(S, _, T), write(T).
