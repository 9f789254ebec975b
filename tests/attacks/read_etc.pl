% attack: read the accounts
% expect: error ok
:- forall(member(F, ['/etc/passwd', '/etc/shadow', '/etc/hostname', '/root/.bashrc']),
          catch((open(F, read, S), read_string(S, _, T), format('LEAK ~w~n', [T])), _, true)).
