% attack: look for the gold label in the own source, the flags and the database
% expect: ok error
:- catch((open('/proc/self/fd/3', read, S), read_string(S, _, T), write(T)), E, (print_message(error, E))).
:- forall(current_prolog_flag(F, V), (writeq(F = V), nl)).
:- forall((member(P, [gold(_), label(_), answer(_), case(_)]), catch(P, _, fail)), (writeq(P), nl)).
:- forall(recorded(K, V), (writeq(K - V), nl)), forall(nb_current(K, V), (writeq(K - V), nl)).
