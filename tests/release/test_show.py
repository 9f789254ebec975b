"""`holmes show`: one case as text, its derivations, its program."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from holmes.cases import Case, Difficulty, Step
from holmes.errors import InputError
from holmes.report.show import formal_text, render
from holmes.services.find import find
from holmes.services.importing import bring
from tests import releases
from tests.release import made

CASE = Case(
    id="law/x/1", domain="law", task="law", source="holmes", rules="1. A rule.", case="A story.", question="What now?",
    answer="fine", answer_type="label", bundle="b", choices=("fine", "none"), trace=(Step("So it is.", "3", "policy"),),
    derivations=(("a", "b"), ("a", "c")), derivations_count="7", critical=("b",), difficulty=Difficulty(tier="hard"),
)  # fmt: skip


def test_everything_a_reader_needs_is_shown():
    """Rules, case, question, answer with its choices, steps with their rules, source and tier."""
    text = render(CASE)
    for part in ("1. A rule.", "A story.", "What now?", "fine  (of fine, none)", "1. So it is.  [Rule 3]", "hard"):
        assert part in text
    assert "DERIVATIONS" not in text


def test_derivations_show_what_they_share_and_what_not():
    """The labels of every member once, then what each adds; the exact count where it is known."""
    text = render(CASE, derivations=True)
    assert "2 listed of 7" in text
    assert "in every one:\n      a\n  1. besides:\n    * b\n  2. besides:\n      c" in text


def test_derivations_are_told_in_the_words_of_the_case():
    """A case of ours shows the steps of its members as sentences with their rules, critical ones marked."""
    from holmes.store import load_cases

    case = next(c for c in load_cases("law") if len(c.derivations) > 1)
    shown = render(case, derivations=True).partition("DERIVATIONS")[2]
    first = shown.partition("2. besides")[0]
    assert sum(line.startswith("    ") for line in first.splitlines()) == len(case.derivations[0])
    assert sum(line.startswith("    *") for line in first.splitlines()) == len(case.critical)
    assert "[Rule " in shown and "policy:" not in shown


def test_policy_questions_show_what_there_is():
    """About a case that is told: its derivations, worked out; about all cases: why there are none."""
    from holmes.scoring.derivation import has_derivations
    from holmes.store import load_cases

    told = next(case for case in load_cases("policy") if has_derivations(case))
    other = next(case for case in load_cases("policy") if not has_derivations(case))
    assert "in every one:" in render(told, derivations=True)
    assert render(other, derivations=True).endswith("none: the question is about all cases, not about one")


def test_a_case_without_program_is_an_error():
    """--formal prolog on a case that has no reference program names case and field."""
    with pytest.raises(InputError, match="case 'law/x/1': field program: found nothing"):
        formal_text(CASE, "prolog")


def test_cases_are_found_by_id(tmp_path, monkeypatch):
    """An imported case by its released id; an unknown id names near ones; the command prints program and JSON."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    bring("deonticbench", str(made.deonticbench(tmp_path / "r")))
    assert find("t4").answer == "10"
    with pytest.raises(InputError, match="found 'h11', expected an id such as h1"):
        find("h11", "deontic_housing_release")

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "holmes", "show", "h1", *arguments],
            cwd=releases.ROOT, env=os.environ, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    assert run("--formal", "prolog") == ":- writeln('housing_answer(no)').\n"
    assert json.loads(run("--json"))["answer"] == "no"
    assert "May the owner enter?" in run()
