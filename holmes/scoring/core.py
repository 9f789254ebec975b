"""What a score is (design section 6), and the one function that every host calls."""

from __future__ import annotations

from collections.abc import Callable

from holmes.cases import Case
from holmes.errors import InputError
from holmes.results import Score

MODES: dict[str, str] = {
    "answer": "holmes.scoring.answers:score_answer",  # the answer is read from the text
    "prolog": "holmes.answers.program:score_program",  # a program is read from the text, run, and its output read
}


def score(case: Case, text: str | None, mode: str = "answer", **options: object) -> Score:
    """Score one model output for one case.

    case: the case with its gold. text: the raw output, thinking included; None when the host returned nothing.
    mode: ``"answer"`` or ``"prolog"``. options: see the function the mode names; ``truncated=True`` says that
    the host cut the generation.
    Returns a Score. Raises InputError for an unknown mode or option.
    """
    import importlib

    if mode not in MODES:
        raise InputError(f"mode: found {mode!r}, expected one of {', '.join(MODES)}")
    module, name = MODES[mode].split(":")
    function: Callable[..., Score] = getattr(importlib.import_module(module), name)
    return function(case, text, **options)
