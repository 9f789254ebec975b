% attack: cyclic terms in printing and comparing
% expect: ok error timeout output_limit memory_limit
:- X = f(X, Y, Y), Y = g(X), print(X), nl, copy_term(X, Z), (Z = X -> writeln(same) ; true), term_variables(X, V), print(V).
:- X = [a|X], length(X, _).
:- X = f(X), assertz(t(X)).
