% attack: double a string for ever
% expect: error timeout memory_limit output_limit
d(S) :- string_concat(S, S, T), d(T).
:- d("abc").
