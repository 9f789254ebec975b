% attack: ignore and raise signals
% expect: timeout error
:- forall(member(S, [int, term, hup, xcpu, segv, usr1, usr2, chld, alrm, pipe, abrt, bus]), catch(on_signal(S, _, ignore), _, true)).
p :- p.
:- p.
