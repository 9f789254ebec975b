% attack: append to a file
% expect: error ok
:- open('@SECRET@', append, S), write(S, x), close(S).
