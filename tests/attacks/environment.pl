% attack: read and change the environment
% expect: ok error
:- forall(member(N, ['HOME', 'PATH', 'USER', 'HOLMES_SECRET', 'PYTHONPATH']), (getenv(N, V) -> format('~w=~w~n', [N, V]) ; true)).
:- environ(L), print(L).
:- setenv('PATH', '@SCRATCH@'), unsetenv('LANG').
