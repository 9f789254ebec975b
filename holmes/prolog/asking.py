"""A goal asked of a program, contained: its solutions as Python values."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.cases import Case
from holmes.errors import CheckFailed, InputError
from holmes.prolog.results import Limits, RunOutcome
from holmes.prolog.runner import Runner, default_runner

_FLOATS: dict[str, str] = {"1.0Inf": "inf", "-1.0Inf": "-inf", "1.5NaN": "nan"}  # as Prolog prints them


@dataclass(frozen=True, slots=True)
class Term:
    """A compound term: ``name`` and its arguments."""

    name: str
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Unbound:
    """A variable that a solution leaves free; equal names within one solution are one variable."""

    name: str


# Consults the text as a file, but neither halts nor starts its main goal; prints each solution as one line of JSON.
_ASK = """
:- use_module(library(lists)).
'$ask_skip'((:- halt)).
'$ask_skip'((:- halt(_))).
'$ask_skip'((:- initialization(main))).
'$ask_skip'((:- initialization(_, main))).
:- at_halt(( flag('$ask_loading', 1, 1) -> cancel_halt('a query goes on') ; true )).
user:term_expansion(T, []) :- nonvar(T), prolog_load_context(source, '/case.pl'), \\+ \\+ '$ask_skip'(T).
'$ask_text'({program}).
'$ask_goal'({goal}).
'$ask' :-
    '$ask_text'(Text), '$ask_goal'(Source),
    flag('$ask_loading', _, 1),
    setup_call_cleanup(open_string(Text, S), load_files(user:'/case.pl', [stream(S)]), close(S)),
    flag('$ask_loading', _, 0),
    catch('$ask_read'(Source, Goal, Names), E, true),
    (   nonvar(E) ->  '$ask_line'(syntax), print_message(error, E), halt
    ;   ( Goal == end_of_file ; \\+ callable(Goal) ) ->  '$ask_line'(syntax), halt
    ;   true
    ),
    catch(( call_nth(user:Goal, N), N =< {limit}, '$ask_solution'(Names), N >= {limit} ), Error, true),
    !,
    (   nonvar(Error) ->  print_message(error, Error), '$ask_line'(error) ; '$ask_line'(more) ).
'$ask' :- '$ask_line'(end).
'$ask_read'(Source, Goal, Names) :-
    open_string(Source, S),
    read_term(S, Goal, [variable_names(Names), module(user)]),
    read_term(S, Rest, []),
    ( Rest == end_of_file -> true ; throw(error(syntax_error(end_of_clause_expected), _)) ).
'$ask_line'(What) :- format("~N{mark} ~w~n", [What]).
'$ask_solution'(Names) :-
    copy_term(Names, Copy, _), term_variables(Copy, Vs), '$ask_number'(Vs, 1),
    format("~N{mark} solution {{", []), '$ask_pairs'(Copy), format("}}~n", []), !.
'$ask_number'([], _).
'$ask_number'(['$ask_var'(N)|Vs], N) :- M is N+1, '$ask_number'(Vs, M).
'$ask_pairs'([]).
'$ask_pairs'([N=V]) :- !, '$ask_text_of'(N), write(':'), '$ask_value'(V).
'$ask_pairs'([N=V|T]) :- '$ask_text_of'(N), write(':'), '$ask_value'(V), write(','), '$ask_pairs'(T).
'$ask_value'(X) :- integer(X), !, format("~d", [X]).
'$ask_value'(X) :- rational(X, N, D), !, format("{{\\"r\\":[~d,~d]}}", [N, D]).
'$ask_value'(X) :- float(X), !, format("{{\\"f\\":\\"~w\\"}}", [X]).
'$ask_value'(X) :- X == [], !, write('[]').
'$ask_value'(X) :- ( atom(X) ; string(X) ), !, '$ask_text_of'(X).
'$ask_value'('$ask_var'(N)) :- !, format("{{\\"v\\":\\"_~d\\"}}", [N]).
'$ask_value'(X) :- is_list(X), !, write('['), '$ask_values'(X), write(']').
'$ask_value'(X) :- compound(X), !, compound_name_arguments(X, N, As),
    write('{{"t":['), '$ask_text_of'(N), write(',['), '$ask_values'(As), write(']]}}').
'$ask_value'(X) :- format(string(S), "~w", [X]), '$ask_text_of'(S).
'$ask_values'([]).
'$ask_values'([X]) :- !, '$ask_value'(X).
'$ask_values'([X|T]) :- '$ask_value'(X), write(','), '$ask_values'(T).
'$ask_text_of'(X) :- write('"'), format(string(S), "~w", [X]), string_codes(S, Cs), '$ask_codes'(Cs), write('"').
'$ask_codes'([]).
'$ask_codes'([C|Cs]) :-
    (   ( C =:= 0'" ; C =:= 0'\\\\ ) ->  format("\\\\~c", [C])
    ;   C < 32 ->  format("\\\\u~|~`0t~16r~4+", [C])
    ;   put_char(user_output, C) -> true
    ;   true
    ),
    '$ask_codes'(Cs).
:- initialization('$ask', main).
"""


def query(
    case: Case | str, goal: str, *, limit: int = 1000, limits: Limits | None = None, runner: Runner | None = None
) -> list[dict[str, Any]]:
    """Ask a goal of a case's program and return its solutions, each as variable name -> value.

    case: a case with a program, or Prolog text; its directives run as in a consult, but it neither halts nor starts
    its main goal. goal: Prolog text, without or with the final dot. limit: the most solutions, at least 1. limits,
    runner: None for the runner's own, and for the process-wide one.
    Values: int, float, Fraction, str (atoms and strings), list, `Term` for other compounds, `Unbound` for a variable
    left free. No solution gives an empty list, a goal without variables that holds gives ``[{}]``.
    Raises InputError for a case without program or a goal that is no Prolog, CheckFailed when the goal throws or the
    program is stopped by a limit; EnvironmentFailure when nothing can run here.
    """
    name, program = ("the text", case) if isinstance(case, str) else (f"case {case.id!r}", case.program)
    if not program and not isinstance(case, str):
        raise InputError(f"{name}: field program: found none, expected Prolog text")
    if limit < 1:
        raise InputError(f"limit: found {limit!r}, expected a whole number, at least 1")
    mark = secrets.token_hex(12)
    asked = goal.strip().removesuffix(".")
    text = _ASK.format(program=_quoted(program), goal=_quoted(f"{asked} ."), limit=limit, mark=mark)
    run = (runner or default_runner()).run(text, limits)
    lines = [line.removeprefix(f"{mark} ") for line in run.stdout.split("\n") if line.startswith(f"{mark} ")]
    last = lines[-1] if lines else ""
    if last == "syntax":
        said = " ".join(run.load_errors).strip(" .") or "its syntax, or what it is, does not allow a call"
        raise InputError(f"goal: found {goal!r:.80}, expected one Prolog goal: {said:.200}")
    if run.outcome not in (RunOutcome.OK, RunOutcome.ERROR) or last not in ("end", "more"):
        said = run.load_errors[-1] if run.load_errors else run.note or f"exit code {run.exit_code}"
        raise CheckFailed(f"{name}: goal {goal!r:.80}: {run.outcome}: {said:.300}")
    return [_solution(line.removeprefix("solution ")) for line in lines if line.startswith("solution ")]


def _solution(line: str) -> dict[str, Any]:
    pairs: Mapping[str, Any] = json.loads(line)
    return {name: _value(value) for name, value in pairs.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]
    if not isinstance(value, dict):
        return value
    content: Any
    kind, content = next(iter(value.items()))
    if kind == "r":
        return Fraction(content[0], content[1])
    if kind == "f":
        return float(_FLOATS.get(str(content), str(content)))
    if kind == "v":
        return Unbound(content)
    return Term(content[0], tuple(_value(one) for one in content[1]))


def _quoted(text: str) -> str:
    body = "".join(
        char if char.isascii() and (char.isalnum() or char in " _(),.:;+*/<>=[]|!@#$%^&?-") else f"\\x{ord(char):x}\\"
        for char in text.encode("utf-8", "replace").decode()
    )
    return f'"{body}"'
