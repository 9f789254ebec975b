% library(time) with one alarm signal in place of a thread: a sealed program has one thread. Same predicates, same
% errors; loaded in its name before the first program. '$holmes_timer'/1 is the server's.
:- module(time,
          [ alarm/3, alarm/4, alarm_at/3, alarm_at/4, remove_alarm/1, install_alarm/1, install_alarm/2,
            uninstall_alarm/1, current_alarm/4, call_with_time_limit/2
          ]).
:- autoload(library(error), [must_be/2, existence_error/2]).
:- autoload(library(option), [option/3]).

:- meta_predicate
    call_with_time_limit(+, 0),
    alarm(+, 0, -),
    alarm(+, 0, -, +),
    alarm_at(+, 0, -),
    alarm_at(+, 0, -, +),
    current_alarm(?, :, ?, ?).
:- multifile prolog:message//1, sandbox:safe_meta_predicate/1.
:- dynamic pending/5.  % number, time, goal, removed when it rang, status

prolog:message(time_limit_exceeded) --> [ 'Time limit exceeded' ].
sandbox:safe_meta_predicate(time:call_with_time_limit/2).

call_with_time_limit(Time, Goal) :-
    Time > 0,
    !,
    setup_call_cleanup(alarm(Time, throw(time_limit_exceeded), Id, [install(false)]),
                       ( install_alarm(Id), call(Goal), ! ),
                       remove_alarm(Id)).
call_with_time_limit(_, _) :-
    throw(time_limit_exceeded).

alarm(Time, Goal, Id) :-
    alarm(Time, Goal, Id, []).
alarm(Time, Goal, Id, Options) :-
    must_be(number, Time),
    get_time(Now),
    At is Now + Time,
    alarm_at(At, Goal, Id, Options).

alarm_at(At, Goal, Id) :-
    alarm_at(At, Goal, Id, []).
alarm_at(At, Goal, '$alarm'(N), Options) :-
    must_be(number, At),
    option(remove(Remove), Options, false),
    option(install(Install), Options, true),
    flag('$holmes_alarm', N, N+1),
    Due is float(At),
    assertz(pending(N, Due, Goal, Remove, passive)),
    (   Install == true ->  install_alarm('$alarm'(N)) ; true ).

install_alarm(Id) :-
    known(Id, N),
    retract(pending(N, At, Goal, Remove, _)),
    !,
    assertz(pending(N, At, Goal, Remove, scheduled)),
    next.
install_alarm(Id, Time) :-
    known(Id, N),
    get_time(Now),
    At is Now + Time,
    retract(pending(N, _, Goal, Remove, Status)),
    !,
    assertz(pending(N, At, Goal, Remove, Status)),
    install_alarm(Id).

uninstall_alarm(Id) :-
    known(Id, N),
    retract(pending(N, At, Goal, Remove, _)),
    !,
    assertz(pending(N, At, Goal, Remove, passive)),
    next.

remove_alarm(Id) :-
    known(Id, N),
    retractall(pending(N, _, _, _, _)),
    next.

current_alarm(Time, M:Goal, Id, Status) :-
    pending(N, Time, M:Goal, _, Status),
    Id = '$alarm'(N).

known(Id, N) :-
    (   nonvar(Id), Id = '$alarm'(N) ->  true ; must_be(alarm, Id) ),
    (   pending(N, _, _, _, _) ->  true ; existence_error(alarm, Id) ).

next :-
    findall(At, pending(_, At, _, _, scheduled), Times),
    (   Times == []
    ->  '$holmes_timer'(0)
    ;   min_list(Times, First),
        get_time(Now),
        Left is max(0.000001, First-Now),
        '$holmes_timer'(Left)
    ).

rang(_) :-
    get_time(Now),
    findall(N, ( pending(N, At, _, _, scheduled), At =< Now ), Due),
    ring(Due).

ring([]) :- next.
ring([N|Rest]) :-
    (   retract(pending(N, At, Goal, Remove, scheduled))
    ->  (   Remove == true ->  true ; assertz(pending(N, At, Goal, Remove, done)) ),
        setup_call_cleanup(true, ignore(Goal), ring(Rest))
    ;   ring(Rest)
    ).
