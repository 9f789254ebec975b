% attack: change what other programs find, by files whose being there may be asked
% expect: error ok
:- forall(member(F, ['@SECRET@', '/etc/passwd', '/etc/shadow']), ( exists_file(F) -> catch(( read_file_to_string(F, S, []), format('LEAK ~w~n', [S]) ), _, true) ; true )).
