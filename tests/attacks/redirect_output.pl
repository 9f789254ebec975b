% attack: point the standard streams elsewhere
% expect: ok error
:- open_null_stream(S), set_stream(S, alias(user_output)), writeln(gone).
:- open_null_stream(S), set_stream(S, alias(user_error)), foo.
:- open_null_stream(S), set_prolog_IO(user_input, S, S).
