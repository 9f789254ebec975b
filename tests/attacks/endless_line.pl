% attack: print one line for ever
% expect: output_limit
p :- put_char(x), p.
:- p.
