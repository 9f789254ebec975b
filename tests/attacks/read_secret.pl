% attack: read a file
% expect: error ok
:- catch((open('@SECRET@', read, S), read_string(S, _, T), write(T)), E, (print_message(error, E), fail)).
