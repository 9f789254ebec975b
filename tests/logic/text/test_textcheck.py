"""Each fault of the texts of a rule base is found, and nothing else is."""

from pathlib import Path

import pytest

from holmes.errors import InputError
from holmes.logic.english.checks import check_text
from holmes.logic.loader import load_rulebase

FOLDER = Path(__file__).parents[1] / "rejects_text"
REJECTS = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "clean.yaml")
FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_a_clean_rule_base_has_no_fault():
    """The base from which the faulty ones were made is fit to be read."""
    assert check_text(load_rulebase(FOLDER / "clean.yaml")) == []


@pytest.mark.parametrize("path", REJECTS, ids=lambda p: p.stem)
def test_every_faulty_text_is_refused_at_its_place(path):
    """One fault each: file, line, rule, field and what was found are named."""
    head, content = path.read_text(encoding="utf-8").split("\n", 1)
    rule, field, found = head.removeprefix("# expect: ").split(" | ")
    problems = check_text(load_rulebase(path))
    assert problems, "no problem found"
    for problem in problems:
        assert problem.kind == "text"
        assert problem.file == str(path)
        assert problem.expected
    first = next(p for p in problems if found in p.found or found in p.expected)
    assert (first.rule, first.field) == (rule, field)
    assert {p.rule for p in problems} == {rule}
    lines = content.split("\n")
    assert f"rule: {rule}" in "\n".join(lines[first.line - 2 : first.line + 1]) or rule in lines[first.line - 2]


def test_the_loader_refuses_a_faulty_text_when_asked():
    """`load_rulebase(…, text=True)` raises; without it the file loads."""
    path = FOLDER / "numbers_differ.yaml"
    assert load_rulebase(path).name == "bee_garden"
    with pytest.raises(InputError, match="rule 2: text: found the numbers 12"):
        load_rulebase(path, text=True)


def test_the_law_fragment_of_the_sketch_is_clean():
    """The first fragment reads back rule by rule."""
    assert check_text(load_rulebase(FIXTURES / "lock_keepers.yaml")) == []


def test_faults_of_an_imported_rule_base_are_warnings():
    """The authors' texts are reported on, not refused."""
    problems = check_text(load_rulebase(FOLDER / "numbers_differ.yaml"), warning=True)
    assert problems and all(problem.warning for problem in problems)
