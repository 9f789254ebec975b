"""Scoring takes time in proportion to the length of a reply, and not much more with its reasoning scored, too."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable

import pytest

from benchmarks.scoring import prose, timed
from holmes.cases import Case
from holmes.interfaces import Task
from holmes.options import Options
from holmes.prolog.extract import extract_program
from holmes.reading import thinking
from holmes.registry import domain_of
from holmes.scoring.derivation import claims, lines, stated
from holmes.scoring.run import score_outputs
from holmes.tasks import cases_of, task_spec

PATTERNS = {
    "open brackets": "[(",
    "open braces": '{"a":',
    "open lists": '{"trace":[',
    "JSON prefixes": '{"answer": "x", ',
    "objects": '{"rule": 3, "result": "no"} ',
    "emphasis": "**_",
    "single stars": "* *",
    "dollars": "$",
    "LaTeX": "\\text{$x$",
    "table rows": "| Rule 3 | no | a b c |\n",
    "one row": "| Rule 3 | no ",
    "table heads": "|---|---|\n| a | b |\n",
    "one word": "a",
    "hyphens": "a-b",
    "Chinese": "根据规则第三条，不成立。",
    "Chinese numerals": "第三百二十一",
    "numbers": "1,234.5 ",
    "digits": "7",
    "rules listed": "Rules 1-999, 2 and 4, ",
    "fences": "```\n",
    "backticks": "`",
    "strike-through": "~~a <s>b",
    "angles": "<b <",
    "thinking": "<think>a</think><think>",
    "list marks": "1. (2) - ",
    "answer lines": "Answer: no\n",
    "answers": "Answer: not yes, ",
    "citations": "[Rule 3, [Rule 4] ",
    "conditions": "if Rule 3 is not met then ",
    "subjects": "Item 1: Rule 3 passes. ",
    "quotes": "\"a' ",
    "blank": " \t\n",
}
PROGRAMS = {
    "clauses": "p(X) :- q(X), \\+ r(X).\n",
    "open lists": "[",
    "open calls": "p(",
    "quoted": "'a",
    "strings": '"',
    "comments": "/* ",
    "lines of comment": "%",
    "characters": "0'",
    "directives": ":- initialization(main).\n",
    "ends": ". ",
    "fences": "```prolog\n",
    "blocks": "```prolog\np.\n```\n",
}
TASKS = (
    "holmes_law",
    "deontic_sara_numeric_direct",
    "holmes_finance_approval",
    "holmes_finance_compositional_3",
    "holmes_policy",
)
MOST = 2.5
KEPT = (claims._plain, claims._row, claims._tokens, claims._inherits, lines._line, stated.stated_form)


def growth(read: Callable[[str], object], unit: str, seconds: float, most: int = 400_000) -> float:
    """Return time(2n) / time(n) in processor time, at a length that takes so long; the least of four tries."""

    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        best = float("inf")
        for _ in range(2):
            for kept in (*KEPT, thinking.final_reply):
                kept.cache_clear()
            start = time.process_time()
            read(text)
            best = min(best, time.process_time() - start)
        return best

    size, least = 2_000, float("inf")
    while (short := spent(size)) < seconds and size < most:
        size *= 2
    for _ in range(4):
        least = min(least, spent(2 * size) / max(short, 1e-4))
        if least <= MOST:
            break
        size, short = size * 3 // 2, spent(size * 3 // 2)
    return least


@functools.cache
def a_case(task: str) -> tuple[Case, Task]:
    """Return a case of a task, with its rule base read."""
    spec = task_spec(task)
    case = max(cases_of(spec)[:40], key=lambda c: len(domain_of(c).answer_kind(c).gold_reply(c)))  # has a witness
    score_outputs(case, spec, Options(), ["Answer: no"])
    return case, spec


def reader(task: str) -> Callable[[str], object]:
    """Return what scores a reply of a task, its reasoning included."""
    case, spec = a_case(task)
    return lambda text: score_outputs(case, spec, Options(), [text])


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("task", TASKS)
def test_a_reply_of_twice_the_length_takes_twice_the_time(task: str, name: str) -> None:
    """Answers, reports, fields and reasoning are read in linear time."""
    assert growth(reader(task), PATTERNS[name], 0.02) <= MOST


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_twice_the_length_takes_twice_the_time(name: str) -> None:
    """Programs are found in linear time, with and without a fence."""
    unit = PROGRAMS[name]
    assert growth(lambda text: extract_program(f"```prolog\n{text}\n```"), unit, 0.02) <= MOST
    assert growth(lambda text: extract_program(text, accept_bare=True), unit, 0.02) <= MOST


@pytest.mark.parametrize("task", ["holmes_law", "holmes_finance_approval"])
def test_reasoning_costs_at_most_three_times_the_answer(task: str) -> None:
    """Full traces in words of their own, each read once; the least of four tries in processor time."""
    spec = task_spec(task)
    cases = cases_of(spec)
    first = list({case.rulebase: case for case in cases[60:]}.values())
    timed(spec, [(case, prose(case, spec, random.Random(0))) for case in first])
    ratio = float("inf")
    for seed in range(4):
        if ratio > 3:
            some = cases[15 * seed : 15 * seed + 15]
            plain, whole = timed(spec, [(case, prose(case, spec, random.Random(seed))) for case in some])
            ratio = min(ratio, whole / plain)
    assert ratio <= 3


ODD = {
    "a tower of list marks": "1. " * 3000 + "pass",
    "a citation of thousands of digits": f"The result holds ⟨{'1' * 5900}⟩, Rule {'2' * 5000}.",
    "a name in another segment": "The lodging limit, which is clear (4 words ago), so Rule 12 applies, is 3.",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("task", TASKS)
def test_no_reply_is_an_error(task: str, text: str) -> None:
    """Replies that once raised are scored."""
    assert [0 <= score.value <= 1 for score in reader(task)(text)] == [True]  # type: ignore[attr-defined]
