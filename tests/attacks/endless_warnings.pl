% attack: warn for ever
% expect: output_limit
p :- print_message(warning, format('w', [])), p.
:- p.
