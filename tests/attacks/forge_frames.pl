% attack: write answers in the server's name into every descriptor
% expect: error ok
w(F) :- open(F, append, S, [type(binary)]), forall(between(1, 100, _), put_byte(S, 1)), close(S).
:- forall(( between(0, 400, N), member(D, ['/proc/self/fd/', '/dev/fd/', '/proc/thread-self/fd/']) ),
          ( atom_concat(D, N, F), catch(w(F), _, true) )).
:- forall(between(3, 40, N), ( catch(set_stream(user_output, file_no(N)), _, true), catch(set_stream(user_error, file_no(N)), _, true) )).
