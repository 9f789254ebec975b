% attack: read every open descriptor
% expect: error ok timeout
:- forall(between(0, 64, N), ( N =\= 3, atom_concat('/proc/self/fd/', N, F),
          catch((open(F, read, S), set_stream(S, timeout(0)), read_string(S, 100, T), format('~w ~w~n', [F, T])), _, true))).
