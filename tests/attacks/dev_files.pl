% attack: open device files
% expect: error ok
:- forall(member(F, ['/dev/mem', '/dev/kmsg', '/dev/port', '/dev/sda', '/dev/null', '/dev/zero', '/dev/random', '/dev/ptmx', '/dev/stdin']),
          (   member(M, [read, write]), catch((open(F, M, _), format('LEAK ~w ~w~n', [F, M])), _, fail) -> true ; true )).
