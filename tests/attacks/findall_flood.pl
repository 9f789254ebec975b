% attack: collect for ever
% expect: timeout memory_limit error
:- findall(x(Y), (repeat, Y = "some text"), L), length(L, N), writeln(N).
