% attack: open streams for ever
% expect: timeout memory_limit error ok
p :- open_null_stream(S), assertz(keep(S)), p.
:- p.
