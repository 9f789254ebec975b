% attack: list folders
% expect: error ok
:- forall(member(D, ['/', '/root', '/home', '/tmp', '@SCRATCH@']),
          catch((directory_files(D, L), format('LEAK ~w~n', [L])), _, true)).
