% attack: a clause of many megabytes made at run time
% expect: ok error timeout memory_limit
:- numlist(1, 300000, L), atomic_list_concat(L, ',', A), atomic_list_concat([f, '(', A, ')'], B), term_to_atom(T, B), functor(T, _, N), writeln(N).
