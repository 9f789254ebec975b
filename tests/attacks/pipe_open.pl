% attack: read a command through a pipe stream
% expect: error violation
:- open(pipe('cat @SECRET@'), read, S), read_string(S, _, T), write(T).
