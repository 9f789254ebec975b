% library(thread) in one thread: a sealed program has no other. Same predicates, same answers, one after the other;
% loaded in its name before the first program.
:- module(thread,
          [ concurrent/3, concurrent_maplist/2, concurrent_maplist/3, concurrent_maplist/4, concurrent_forall/2,
            concurrent_forall/3, concurrent_and/2, concurrent_and/3, first_solution/3, call_in_thread/2
          ]).
:- autoload(library(apply), [maplist/2, maplist/3, maplist/4]).
:- autoload(library(error), [must_be/2, existence_error/2]).
:- autoload(library(lists), [member/2]).
:- autoload(library(option), [option/3]).

:- meta_predicate
    concurrent(+, :, +),
    concurrent_maplist(1, +),
    concurrent_maplist(2, ?, ?),
    concurrent_maplist(3, ?, ?, ?),
    concurrent_forall(0, 0),
    concurrent_forall(0, 0, +),
    concurrent_and(0, 0),
    concurrent_and(0, 0, +),
    first_solution(-, :, +),
    call_in_thread(+, 0).

concurrent(N, M:Goals, _) :-
    must_be(positive_integer, N),
    must_be(list(callable), Goals),
    each(Goals, M).

each([], _).
each([Goal|Goals], M) :-
    call(M:Goal),
    !,
    each(Goals, M).

concurrent_maplist(G, L) :- maplist(G, L).
concurrent_maplist(G, L1, L2) :- maplist(G, L1, L2).
concurrent_maplist(G, L1, L2, L3) :- maplist(G, L1, L2, L3).

concurrent_forall(Generate, Test) :- forall(Generate, Test).
concurrent_forall(Generate, Test, _) :- forall(Generate, Test).

concurrent_and(Generate, Test) :- call(Generate), call(Test).
concurrent_and(Generate, Test, _) :- call(Generate), call(Test).

first_solution(X, M:Goals, Options) :-
    option(on_fail(OnFail), Options, stop),
    option(on_error(OnError), Options, stop),
    first(Goals, M, OnFail, OnError, X).

first([Goal|Goals], M, OnFail, OnError, X) :-
    (   catch(M:Goal, Error, true)
    ->  (   var(Error) ->  true
        ;   OnError == stop ->  throw(Error)
        ;   first(Goals, M, OnFail, OnError, X)
        )
    ;   OnFail == continue,
        first(Goals, M, OnFail, OnError, X)
    ).

call_in_thread(Thread, Goal) :-
    (   thread_self(Thread) ->  call(Goal), ! ; existence_error(thread, Thread) ).
