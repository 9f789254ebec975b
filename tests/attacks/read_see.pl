% attack: read a file the Edinburgh way
% expect: error ok
:- see('@SECRET@'), get_char(C), put_char(C), seen.
