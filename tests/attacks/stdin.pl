% attack: read from the terminal
% expect: ok error
:- read(X), print(X), nl, read_term(user_input, T, []), print(T), nl.
:- current_input(S), set_stream(S, tty(true)), get_single_char(C), print(C).
