% attack: a number beyond all memory
% expect: error timeout memory_limit
:- X is 7 ** 7 ** 7 ** 7, writeln(X).
