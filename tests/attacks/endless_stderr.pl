% attack: print megabytes to stderr
% expect: output_limit
p :- format(user_error, 'all work and no play~n', []), p.
:- p.
