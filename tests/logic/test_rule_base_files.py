"""The page on rule-base files: its example loads, decides and computes as the page says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.expr import FUNCTIONS, KEYWORDS
from holmes.logic.loader import load_rulebases

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rule-base-files.md"


@pytest.fixture(scope="module")
def ferry(tmp_path_factory):
    """The rule base of the page."""
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.S)
    path = tmp_path_factory.mktemp("rules") / "ferry.yaml"
    path.write_text(block)
    (base,) = load_rulebases(path, semantics=True)
    return base


@pytest.mark.parametrize(
    ("age", "islander", "weights", "answer", "amount"),
    [
        (40, False, (), "pays", 60),
        (40, True, (12,), "pays", 30),
        (40, False, (31, 40), "porter", 70),
        (9, False, (31,), "free", 5),
    ],
)
def test_the_example_is_worked_out(ferry, age, islander, weights, answer, amount) -> None:
    """Outcome and amount of four passengers on three nights in an inner berth."""
    trunks = tuple({"weight": Fraction(w), "fragile": False} for w in weights)
    facts = {"age": Fraction(age), "berth": "inner", "nights": Fraction(3), "islander": islander, "trunks": trunks}
    found = evaluate(ferry, facts)
    assert (found.answer, found.amount) == (answer, amount)


def test_every_word_of_the_notation_is_on_the_page() -> None:
    """A keyword or function that is added is written down, too."""
    text = PAGE.read_text()
    missing = {word for word in KEYWORDS | FUNCTIONS if not re.search(rf"`[^`\n]*\b{word}\b", text)}
    assert missing <= {"overrides", "true", "false"}
