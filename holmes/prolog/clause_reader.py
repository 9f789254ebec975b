"""The predicates a program defines, found by SWI-Prolog's own reader in the contained process; nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from holmes.prolog.results import Limits, RunOutcome
from holmes.prolog.runner import Runner, default_runner

_BEGIN, _END = "holmes begin", "holmes end"

# Reads each clause, goes on after a syntax error, follows operator declarations, runs nothing of the text.
_READER = f"""
indicator(S, PI) :-
    repeat,
    catch(read_term(S, T, [module(holmes_text), syntax_errors(error), dotlists(false)]), E, true),
    (   nonvar(E) ->  E \\= error(syntax_error(_), _), !, fail
    ;   T == end_of_file ->  !, fail
    ;   note(T), head(T, H), callable(H), functor(H, N, A), \\+ memberchk(N, [',', ;, ->, '|']), PI = N/A
    ).
note((:- op(P, T, N))) :- ground(op(P, T, N)), !, catch(op(P, T, holmes_text:N), _, true).
note((:- module(_, L))) :- is_list(L), !, forall(member(op(P, T, N), L), note((:- op(P, T, N)))).
note((:- use_module(library(clpfd)))) :- !, clp.
note((:- use_module(library(clpfd), _))) :- !, clp.
note(_).
clp :-
    forall(member(op(P, T, N), [
        op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\\/), op(730, yfx, #\\),
        op(720, yfx, #/\\), op(710, fy, #\\), op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=),
        op(700, xfx, #=<), op(700, xfx, #=), op(700, xfx, #\\=), op(700, xfx, in), op(700, xfx, ins),
        op(450, xfx, ..)]), op(P, T, holmes_text:N)).
head((:- _), _) :- !, fail.
head((?- _), _) :- !, fail.
head((H --> _), I) :- !, nonvar(H), (H = (G, _) -> true ; G = H), callable(G), G =.. L, append(L, [_, _], M), I =.. M.
head((H :- _), I) :- !, plain(H, I).
head((H => _), I) :- !, nonvar(H), (H = (G, _) -> true ; G = H), plain(G, I).
head(H, I) :- plain(H, I).
plain(H, _) :- var(H), !, fail.
plain(_:H, I) :- !, plain(H, I).
plain(H, H).
:- text(T), open_string(T, S), findall(PI, indicator(S, PI), L0), sort(L0, L),
   writeln('{_BEGIN}'), forall(member(PI, L), (PI = N/A, format("~q/~w~n", [N, A]))), writeln('{_END}'), halt.
"""
_LIMITS = Limits(timeout=20.0, output=10_000_000)


def predicates(programs: Iterable[str], runner: Runner | None = None) -> list[frozenset[str] | None]:
    """Return for each program the set of ``name/arity`` it defines.

    programs: Prolog texts, possibly broken: clauses after a syntax error still count. runner: None for the
    process-wide one. Returns None for a text that the reader could not finish (time, memory).
    """
    runs = (runner or default_runner()).run_many([_reading(program) for program in programs], _LIMITS)
    return [_indicators(run.stdout) if run.outcome is RunOutcome.OK else None for run in runs]


def _reading(program: str) -> str:
    quoted = "".join(
        char if char.isalnum() or char in " _(),.:;+*/<>=[]{}|!@#$%^&?-" else f"\\x{ord(char):x}\\" for char in program
    )
    return f'text("{quoted}").\n' + _READER


def _indicators(stdout: str) -> frozenset[str] | None:
    lines = stdout.split("\n")
    if _BEGIN not in lines or _END not in lines:
        return None
    return frozenset(re.sub(r"^'(\w+)'/", r"\1/", line) for line in lines[lines.index(_BEGIN) + 1 : lines.index(_END)])
