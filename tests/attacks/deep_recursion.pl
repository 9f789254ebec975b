% attack: recurse without end
% expect: error timeout memory_limit output_limit
p(X) :- p(f(X)), q(X).
:- p(a).
