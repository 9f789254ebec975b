"""Prolog programs: extracted from text, run contained, their output read.

The names are loaded on first use: the interpreted server imports this package and must stay small.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing `typing` would cost the server
if TYPE_CHECKING:
    from typing import Any

    from holmes.prolog.asking import Term, Unbound, query
    from holmes.prolog.clause_reader import predicates
    from holmes.prolog.extract import Extraction, extract_program
    from holmes.prolog.output import Reading, read_output
    from holmes.prolog.results import BatchFailure, Limits, Run, RunOutcome
    from holmes.prolog.runner import Runner, default_runner

_HOMES = {
    "Extraction": "extract", "extract_program": "extract", "Reading": "output", "read_output": "output",
    "predicates": "clause_reader",
    "Limits": "results", "Run": "results", "RunOutcome": "results", "Runner": "runner",
    "default_runner": "runner", "BatchFailure": "results", "query": "asking", "Term": "asking", "Unbound": "asking",
}  # fmt: skip

__all__ = [
    "BatchFailure",
    "Extraction",
    "Limits",
    "Reading",
    "Run",
    "RunOutcome",
    "Runner",
    "Term",
    "Unbound",
    "default_runner",
    "extract_program",
    "predicates",
    "query",
    "read_output",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
