% attack: a functor of enormous arity
% expect: error timeout memory_limit
:- functor(T, f, 2000000000), arg(1, T, a), writeln(ok).
