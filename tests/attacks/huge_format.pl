% attack: a column of a thousand million
% expect: error timeout memory_limit output_limit
:- format('~t~1000000000|~w', [x]).
