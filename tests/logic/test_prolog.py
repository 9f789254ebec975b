"""Prolog programs: they load without a warning and print what evaluation gives, on random cases."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.unparse import number_text
from holmes.logic.prolog.program import program
from tests.logic.bases import ALL, base, random_facts
from tests.logic.test_evaluate import GUILD, LOCK

needs_swipl = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")
DRIVER = """\
:- initialization(main, main).
main :- forall(between(1, COUNT, Number), run(Number)).
run(Number) :- format(atom(Name), 'case_~d', [Number]), load_files(Name, []), Name:main.
"""


def run_all(folder: Path, programs: list[str]) -> list[str]:
    """Run many programs in one process, each a module of its own; returns their lines and asserts silence on stderr."""
    for number, text in enumerate(programs, 1):
        file = folder / f"case_{number}.pl"
        body = text.replace(":- initialization(main, main).", "")
        file.write_text(f":- module(case_{number}, []).\n{body}", "utf-8")
    (folder / "driver.pl").write_text(DRIVER.replace("COUNT", str(len(programs))), "utf-8")
    command = ["swipl", "driver.pl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=folder)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


@needs_swipl
@pytest.mark.parametrize("defeat", ["grounded", "one_pass"])
@pytest.mark.parametrize("name", ALL)
def test_programs_agree_with_evaluation(name: str, defeat: str, tmp_path: Path) -> None:
    """Answer and exact amount printed by SWI-Prolog are those of the engine, under both semantics of defeat."""
    rulebase = base(name)
    programs, expected = [], []
    for seed in range(40):
        facts = random_facts(rulebase, f"prolog/{seed}")
        result = evaluate(rulebase, facts, defeat=defeat)
        answer = result.answer if isinstance(result.answer, str) else ",".join(result.answer)
        amount = "" if result.amount is None else f", amount: {number_text(result.amount)}"
        programs.append(program(rulebase, facts, "both" if rulebase.amount else None, defeat=defeat))
        expected.append(f"answer: {answer}{amount}")
    assert run_all(tmp_path, programs) == expected


@needs_swipl
def test_a_program_stands_alone(tmp_path: Path) -> None:
    """One program run by plain swipl prints exactly one line, nothing on stderr, and ends with 0."""
    file = tmp_path / "case.pl"
    file.write_text(program(base("guild_travel"), GUILD, output="It's ~100%: {amount} crowns \\ {answer}"), "utf-8")
    done = subprocess.run(["swipl", str(file)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.stdout, done.stderr, done.returncode) == ("It's ~100%: 8328 crowns \\ Partial\n", "", 0)


def test_programs_cite_the_rules() -> None:
    """Each rule's number and sentence stand above its clauses."""
    text = program(base("lock_keepers"), LOCK)
    for rule in range(1, 11):
        assert f"% Rule {rule}: " in text


def test_an_amount_that_is_not_there_is_refused() -> None:
    """Asking a rule base without an amount for one is refused, as is an unknown question."""
    with pytest.raises(InputError, match="question for the amount"):
        program(base("lock_keepers"), LOCK, "amount")
    with pytest.raises(InputError, match="expected one of decision, amount, both"):
        program(base("lock_keepers"), LOCK, "verdict")
