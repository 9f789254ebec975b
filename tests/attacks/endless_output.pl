% attack: print for ever
% expect: output_limit
p :- writeln('all work and no play'), p.
:- p.
