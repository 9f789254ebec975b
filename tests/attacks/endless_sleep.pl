% attack: sleep for ever
% expect: timeout
:- sleep(1000000).
