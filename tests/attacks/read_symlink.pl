% attack: read through a link that the caller planted
% expect: error ok
:- read_file_to_string('@LINK@', T, []), write(T).
