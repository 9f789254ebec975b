% attack: read the environment of the process and of its parent
% expect: error ok
:- forall(member(F, ['/proc/self/environ', '/proc/@SERVER@/environ', '/proc/@CLIENT@/environ', '/proc/self/maps', '/proc/self/mem', '/proc/1/cmdline']),
          catch((open(F, read, S), read_string(S, _, T), format('LEAK ~w ~w~n', [F, T])), _, true)).
