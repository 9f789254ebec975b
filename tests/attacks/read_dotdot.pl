% attack: read by a path with dots
% expect: error ok
:- read_file_to_string('/usr/lib/swi-prolog/../../..@SECRET@', T, []), write(T).
