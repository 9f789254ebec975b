% attack: a hundred and fifty processes that hold memory, under the limit of one
% expect: violation error
:- forall(between(1, 150, _), catch(shell('swipl -g "numlist(1,1000000,L),sleep(100)" &'), _, true)).
:- use_module(library(unix)).
:- forall(between(1, 150, _), catch(( fork(P), ( P == child -> numlist(1, 1000000, _), sleep(100) ; true ) ), _, true)).
:- halt(1).
