% attack: trace itself
% expect: ok error output_limit
:- trace, foo(1), writeln(x).
:- spy(append/3), append(X, Y, [1]), writeln(X-Y).
:- break.
