% attack: make temporary files
% expect: error ok
:- catch((tmp_file_stream(text, F, S), write(S, x), close(S), format('LEAK ~w~n', [F])), _, true).
:- catch((tmp_file(x, F), open(F, write, S), close(S), format('LEAK ~w~n', [F])), _, true).
