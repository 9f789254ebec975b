% attack: open a file for update
% expect: error ok
:- open('@SECRET@', update, S), write(S, x), close(S).
