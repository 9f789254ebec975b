"""Small programs, each one habit of loading, printing, warning or ending that a runner might break."""

# ruff: noqa: E501

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "agg": (
        ":- aggregate_all(count,member(_,[a,b]),C), writeln(C).\n"
        ":- aggregate_all(max(X-Y),member(X-Y,[1-a,2-b]),M), writeln(M).\n"
        ":- foldl([X,A0,A]>>(A is A0+X),[1,2,3],0,S), writeln(S)."
    ),
    "apply_macros": (":- use_module(library(apply_macros)).\nf(L) :- maplist(writeln,L).\n:- f([a,b])."),
    "assertz": (
        ":- dynamic a/1.\n"
        ":- assertz(a(1)), retract(a(1)), \\+ a(_), writeln(ok).\n"
        ":- listing(a/1).\n"
        "b(X,Y) :- X > Y, ( X = 1 -> true ; Y = 2 ).\n"
        ":- listing(b)."
    ),
    "athalt": (":- at_halt(writeln(bye)).\n:- writeln(x).\n:- halt."),
    "bagof": (
        "p(1,a). p(2,b).\n"
        ":- (bagof(X,p(X,Y),L), print(Y-L), nl, fail ; true).\n"
        ":- print(_X), nl. \n"
        ":- print(f(A,B,A)), nl."
    ),
    "bom": ("\ufeffa(1).\n:- a(X), print(X), nl."),
    "cleanup_msgs": (
        ":- style_check(-singleton).\n"
        "p(X).\n"
        ":- style_check(+singleton).\n"
        "q(X).\n"
        ":- set_prolog_flag(double_quotes, codes).\n"
        ':- X = "ab", print(X), nl.'
    ),
    "clpfd": (":- use_module(library(clpfd)).\n:- X #> 3, X #< 5, print(X), nl."),
    "clpq": (":- use_module(library(clpq)).\n:- {X = 2*3}, print(X), nl."),
    "comment": "% only",
    "consult_user": (":- [user].\n:- writeln(after)."),
    "cr": ("a(1).\r:- a(X), print(X).\r"),
    "crlf": ("a('x\r\ny').\r\n:- a(X), atom_codes(X,L), print(L), nl.\r\n"),
    "ctl": (
        ":- call_with_depth_limit(true,10,R), writeln(R).\n"
        ":- call_with_inference_limit(true,1000,R), writeln(R).\n"
        ":- setup_call_cleanup(true,fail,writeln(c))."
    ),
    "date": (
        ":- parse_time('2017-02-03',iso_8601,T), format_time(atom(A),'%Y-%m-%d %a',T), writeln(A).\n"
        ":- date_time_stamp(date(2017,3,1,0,0,0,0,-,-),S), stamp_date_time(S,D,local), print(D), nl.\n"
        ":- date_time_stamp(date(2017,2,30),X), stamp_date_time(X,D,'UTC'),print(D),nl."
    ),
    "dcg": ('g --> [a], g.\ng --> [].\n:- phrase(g,[a,a]), writeln(yes).\n:- atom_codes(A,"xyz"), writeln(A).'),
    "debugd": (":- debug.\np :- q.\nq :- throw(oops).\n:- p."),
    "dialect": (":- expects_dialect(sicstus).\n:- writeln(x)."),
    "dict": ":- X = _{a:1}, get_dict(a,X,V), writeln(V).",
    "discont": ("a(1).\nb(1).\na(2).\n:- discontiguous c/1.\nc(1).\n:- findall(X,a(X),L), writeln(L)."),
    "empty": "",
    "encdir": (":- encoding(utf8).\na('é').\n:- a(X), writeln(X)."),
    "encl1": (":- encoding(iso_latin_1).\na('é').\n:- a(X), atom_length(X,L), writeln(L)."),
    "ensure_loaded": (":- ensure_loaded(library(lists)).\n:- ensure_loaded(library(clpfd)).\n:- writeln(x)."),
    "eof": ("a(1).\n:- a(X), writeln(X).\nend_of_file.\n:- writeln(never)."),
    "excdir": (":- X is foo+1, writeln(X).\n:- atom_length(X,_).\n:- fail.\n:- X = 1, X == 2."),
    "gc": ":- garbage_collect, garbage_collect_atoms, trim_stacks, writeln(ok).",
    "goalexp": (
        "goal_expansion(A=<B, A<B).\n"
        "ok(X) :- X =< 5.\n"
        ":- ( ok(5) -> format('Result: yes~n') ; format('Result: no~n') ).\n"
        ":- halt."
    ),
    "halt3": ":- halt(3).",
    "halt_in_main": (":- initialization(main).\nmain :- writeln(a), halt(0).\nmain :- writeln(b)."),
    "include": (":- include(nofile).\n:- consult(nofile2).\n:- [nofile3].\n:- use_module(library(nolib))."),
    "inf": (
        ":- X is inf, writeln(X).\n"
        ":- X is 1/0, writeln(X).\n"
        ":- X is 1/0.0, writeln(X).\n"
        ":- X is 2**0.5, writeln(X).\n"
        ":- X is 2** -1, writeln(X).\n"
        ":- X is 7/2, writeln(X).\n"
        ":- X is 10^16*1.0, writeln(X)."
    ),
    "init_main": (
        ":- initialization(main).\n:- format('first~n').\nmain :- format('second~n'), halt.\n:- format('third~n')."
    ),
    "initprog": (":- initialization(writeln(prog), program).\n:- initialization(writeln(mm), main)."),
    "json": (
        ":- use_module(library(http/json)).\n"
        ":- atom_json_term('{\"a\":1}',T,[]), print(T), nl.\n"
        ":- json_write(current_output,json([a=1])), nl."
    ),
    "length": ("length(_, 99).\n:- length([a],N), format('Total: ~w~n',[N]).\n:- halt."),
    "listing_expanded": (
        "f(L0,L) :- maplist([X,Y]>>(Y is X+1),L0,L).\n"
        "g(X) :- forall(member(Y,X),writeln(Y)).\n"
        "h(S) :- aggregate_all(sum(X),member(X,[1,2]),S).\n"
        ":- listing([f/2,g/1,h/1])."
    ),
    "main_argv": (":- use_module(library(main)).\n:- initialization(main, main).\nmain(A) :- print(A), nl."),
    "main_fail": (":- initialization(main, main).\nmain :- format('m~n'), fail."),
    "main_main": (":- initialization(main, main).\nmain :- format('m~n')."),
    "main_throw": (":- initialization(main, main).\nmain :- throw(foo)."),
    "module": (":- module(m,[p/0]).\np :- writeln(p).\n:- p.\n:- initialization(p)."),
    "nohalt": ":- write(hello).",
    "nohalt_col": ("a.\n:- format('x~n')."),
    "noperm": (":- assertz(append(a,b,c)).\n:- assertz(atom_length(a,b)).\n:- writeln(done)."),
    "nul": (":- put_char('\\x0\\'), put_byte(user_output, 255).\n:- writeln(done)."),
    "op": (":- op(700,xfx,===>).\na ===> b.\n:- X ===> Y, print(X ===> Y), nl."),
    "portray": (
        ":- print_message(error, format('hi ~w',[x])).\n"
        ":- print_message(informational, format('hi ~w',[x])).\n"
        ":- print_message_lines(user_output,'> ',['a~w'-[1],nl])."
    ),
    "prompt": ":- prompt(_, 'x> '), read(X), writeln(X).",
    "quasi": (":- format(\"~s~n\",[[104,105]]).\n:- format('~p ~i~w~*c~n',[a,b,c,3,0'x]).\n:- format('~w',[a,b])."),
    "quoteopen": ("a('abc\n:- writeln(x).\n"),
    "random": (":- set_random(seed(42)), random_between(1,1000,X), writeln(X).\n:- random(X), X < 1, writeln(ok)."),
    "rat": (":- X is 2333 rdiv 2, format('Tax result: ~w~n',[X]).\n:- halt."),
    "read": (":- read(X), print(X), nl.\n:- read_term(user_input,T,[]), print(T)."),
    "reconsult": (
        "p(1).\n"
        ":- dynamic z/1.\n"
        "z(1).\n"
        ":- prolog_load_context(source,F), (z(2)->true;assertz(z(2)),load_files(F,[])).\n"
        ":- p(X), writeln(X)."
    ),
    "redefafter": (
        ":- append([1],[2],X), print(X), nl.\nappend([],L,L).\nmember(X,[X|_]).\n:- member(X,[3]), print(X), nl."
    ),
    "redeflib": (
        "append([],L,L).\n"
        "append([H|T],L,[H|R]) :- append(T,L,R).\n"
        "sum_list(_,0).\n"
        ":- append([1],[2],X), sum_list(X,S), print(X-S), nl."
    ),
    "setof_error": ":- setof(X, foo(X), L), writeln(L).",
    "shebang": ("#!/usr/bin/swipl\n:- writeln(ok)."),
    "singleton": ("p(X) :- q.\nq.\np(1,2).\nq(1).\np(3).\n:- p(_)."),
    "sortl": ':- msort([b,a,1,"s",f(x)],L), print(L), nl, sort(0,@>=,[1,3,2,3],M), print(M), nl, predsort([O,A,B]>>compare(O,A,B),[c,b],P), print(P), nl, nb_setval(k,1), nb_getval(k,V), print(V), nl, succ_or_zero(1).',
    "spy": ("p.\n:- spy(p).\n:- p."),
    "stats": ":- statistics(runtime,[T|_]), integer(T), statistics(cputime,C), number(C), statistics(walltime,[W|_]), integer(W), statistics(process_cputime,P), number(P), get_time(X), number(X), writeln(ok).",
    "streams": ":- forall((member(S,[user_input,user_output,user_error]),stream_property(S,P)),(print(S-P),nl)).",
    "string": ":- X = \"abc\", string_concat(X,def,Y), writeln(Y), format('~a ~q ~2f ~D ~t~w~30|~e~n',[abc,'A b',3.14159,1234567,x,2.5]).",
    "strings": ":- split_string(\"a,b\",\",\",\"\",P), print(P), nl, sub_atom(hello,B,2,0,S), print(B-S), nl, atomic_list_concat(X,',','a,b'), print(X), nl, term_to_atom(f(X1,Y1,X1),A), print(A), nl, sformat(S2,'x',[]), print(S2).",
    "syntax": (
        "fee(1,40).\n"
        "fee(2,60) fee(3,150).\n"
        "total(T) :- findall(F,fee(_,F),L), sum_list(L,T).\n"
        ":- total(T), format('Total cost: ~w~n',[T]).\n"
        ":- halt."
    ),
    "tab": ":- tab(3), write(x), nl, write_canonical('A'(X,Y,\"s\")), nl, print_message(help, format(x,[])), write_term([1,2],[max_depth(2)]), nl.",
    "table": (
        ":- table fib/2.\n"
        "fib(0,0).\n"
        "fib(1,1).\n"
        "fib(N,F):-N>1,A is N-1,B is N-2,fib(A,X),fib(B,Y),F is X+Y.\n"
        ":- fib(100,F), writeln(F)."
    ),
    "throw": (":- throw(x).\n:- write(a)."),
    "toplevel": (":- set_prolog_flag(toplevel_goal, foo).\nfoo :- writeln(top)."),
    "undef": (":- foo(1).\n:- catch(bar(2),E,(print(E),nl))."),
    "unterminated": ("a(1).\n:- a(X), writeln(X).\nb("),
    "useless": (":- initialization main.\nmain :- between(1,3,X), write(X), nl, fail.\nmain."),
    "utf": ("nm('张三').\n:- nm(X), format('Result: ~w ¥650~n',[X]).\n:- halt."),
    "warnfile": (":- initialization(foo).\n:- initialization(fail).\n:- initialization(throw(a))."),
    "yall": (
        ":- maplist([X,Y]>>(Y is X*2),[1,2],L), writeln(L).\n"
        "f(L0,L) :- maplist([X,Y]>>(Y is X+1),L0,L).\n"
        ":- f([1,2],L), writeln(L)."
    ),
    "hooks_untouched": (
        ":- forall(( member(M, [system, user]), member(N/A, [goal_expansion/2, goal_expansion/4, term_expansion/2, term_expansion/4, portray/1, exception/3]), functor(H, N, A) ),\n"
        "      ( ( catch(predicate_property(M:H, number_of_clauses(C)), _, C = none) -> true ; C = none ), writeln(M:N/A=C) )).\n"
        ":- findall(op(P, T, N), current_op(P, T, N), L0), sort(L0, L), print(L), nl.\n"
        ":- forall((member(M, [yall, apply_macros, arithmetic, clpfd, prolog_stack, ansi_term]), current_module(M)), writeln(M)).\n"
        ":- findall(N/A, (predicate_property(user:H, defined), \\+ predicate_property(user:H, imported_from(_)), functor(H, N, A)), L0), sort(L0, L), print(L), nl.\n"
    ),
}
