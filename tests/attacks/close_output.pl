% attack: close the standard streams
% expect: ok error
:- close(user_output, [force(true)]).
:- close(user_error, [force(true)]).
:- close(user_input, [force(true)]).
:- write(x).
