% attack: list folders of the machine
% expect: error ok
:- forall(member(D, ['/', '/root', '/home', '/tmp', '/etc', '/usr/bin', '@SCRATCH@']),
          catch((directory_files(D, L), ( member(N, ['secret.pl', passwd, env, home]), memberchk(N, L) -> format('LEAK ~w~n', [L]) ; true )), _, true)).
