% attack: close the standard streams and loop
% expect: timeout
:- catch(close(user_output, [force(true)]), _, true).
:- catch(close(user_error, [force(true)]), _, true).
p :- p.
:- p.
