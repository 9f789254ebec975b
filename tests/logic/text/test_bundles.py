"""Every rule base that ships: its texts are fit to be read, its rules read back, its cases read back."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

import holmes
from holmes.logic.casetext import case_text, read_case
from holmes.logic.lexicon import lexicon
from holmes.logic.loader import load_rulebases
from holmes.logic.reader import read_rules
from holmes.logic.render import rules_text
from holmes.logic.textcheck import check_text

FILES = sorted(Path(holmes.__file__).parent.glob("law/rules/*.yaml"))
BASES = [base for path in FILES if not path.name.endswith(".text.yaml") for base in load_rulebases(path)]


def draw(base, rng):
    """Draw a value for every fact."""
    facts = {}
    for name, fact in base.facts.items():
        kind = fact.type
        if kind.kind == "bool":
            facts[name] = rng.random() < 0.5
        elif kind.kind == "enum":
            facts[name] = rng.choice(kind.values)
        else:
            facts[name] = Fraction(rng.randint(int(kind.low or 0), int(kind.high or 999)))
    return facts


@pytest.mark.parametrize("base", BASES, ids=lambda b: b.name)
def test_the_texts_of_a_bundle_are_fit_to_be_read(base):
    """No fault of wording, of a rule sentence or of a case sentence."""
    assert [str(problem) for problem in check_text(base)] == []


@pytest.mark.parametrize("base", BASES, ids=lambda b: b.name)
def test_the_rules_of_a_bundle_read_back_in_any_order(base):
    """Shuffled print gives the same rule base as ordered print."""
    words = lexicon(base)
    first = read_rules(words, rules_text(base))
    second = read_rules(words, rules_text(base, random.Random(f"{base.name}/order")))
    assert first == second
    assert len(first.policies) == len(base.policies)


@pytest.mark.parametrize("base", BASES, ids=lambda b: b.name)
def test_the_cases_of_a_bundle_read_back(base):
    """Two hundred random records, a third of the false facts unsaid."""
    for index in range(200):
        rng = random.Random(f"{base.name}/{index}")
        facts = draw(base, rng)
        silent = {n for n, v in facts.items() if v is False and rng.random() < 0.3}
        names = {entity: rng.choice(pool) for entity, pool in base.names.items()}
        assert read_case(base, case_text(base, facts, rng, names=names, silent=silent)) == facts
