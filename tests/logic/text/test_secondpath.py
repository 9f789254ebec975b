"""The second path of gate 1: printed rules and printed case, read back, give the same answer as the rule base."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import holmes
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.english.checks import check_text
from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_rules
from holmes.logic.english.render import rules_text
from holmes.logic.english.roundtrip import differences
from holmes.logic.loader import load_rulebases
from holmes.logic.narrative.render import case_text, read_case
from tests.logic.bases import NAMES, base, random_facts

LAW = sorted(Path(holmes.__file__).parent.glob("domains/law/rules/*.yaml"))
BASES = [base(name) for name in NAMES]
BASES += [b for path in LAW if not path.name.endswith(".text.yaml") for b in load_rulebases(path)]


def named(records):
    """Give the records of a list names that a text can hold."""
    people = ("Anna", "Bert Oak", "Cleo", "D'Arcy", "Jean-Luc")
    return tuple({**record, "name": name} for record, name in zip(records, people, strict=False))


@pytest.mark.parametrize("rulebase", BASES, ids=lambda b: b.name)
def test_the_read_rules_decide_the_read_case_as_the_rule_base_does(rulebase):
    """Answer, amount, triggered and applying rules agree on a hundred and fifty random records."""
    words = lexicon(rulebase)
    read = read_rules(words, rules_text(rulebase, random.Random(rulebase.name)))
    number = {p.name: f"rule_{p.rule}" for p in rulebase.policies.values()}
    for index in range(150):
        facts = random_facts(rulebase, index)
        facts = {name: named(value) if isinstance(value, tuple) else value for name, value in facts.items()}
        rng = random.Random(f"{rulebase.name}/{index}")
        names = {entity: rng.choice(pool) for entity, pool in rulebase.names.items()}
        there = read_case(rulebase, case_text(rulebase, facts, rng, names=names))
        assert there == facts
        expected, found = evaluate(rulebase, facts), evaluate(read, there)
        assert found.answer == expected.answer
        assert found.amount == expected.amount
        assert found.triggered == {number[name]: value for name, value in expected.triggered.items()}
        assert found.applies == {number[name]: value for name, value in expected.applies.items()}
        assert found.concepts == expected.concepts


@pytest.mark.parametrize("rulebase", BASES, ids=lambda b: b.name)
def test_the_texts_are_fit_to_be_read(rulebase):
    """No fault of wording, of a rule sentence or of a case sentence."""
    assert [str(problem) for problem in check_text(rulebase)] == []


@pytest.mark.parametrize("rulebase", BASES, ids=lambda b: b.name)
def test_the_order_of_the_printed_rules_does_not_matter(rulebase):
    """Shuffled print gives the same rule base as ordered print."""
    words = lexicon(rulebase)
    first = read_rules(words, rules_text(rulebase))
    assert first == read_rules(words, rules_text(rulebase, random.Random(f"{rulebase.name}/order")))
    assert len(first.policies) == len(rulebase.policies)


def mutants(text):
    """Yield texts that say something else: a connective, a denial, or a number changed."""
    for old, new in (
        (r"\band\b", "or"),
        (r"\bor\b", "and"),
        (r"\bnot\b", ""),
        (r"\bwithout\b", "with"),
        (r"\bno\b", "a"),
    ):
        for match in re.finditer(old, text, re.IGNORECASE):
            yield text[: match.start()] + new + text[match.end() :]
    for match in re.finditer(r"\d+", text):
        yield text[: match.start()] + str(int(match[0]) + 1) + text[match.end() :]


@pytest.mark.parametrize("rulebase", BASES, ids=lambda b: b.name)
def test_no_changed_word_passes_for_the_formula(rulebase):
    """A single change of a connective, denial, threshold or rule number is reported (twenty drawn a rule base)."""
    changes = [
        (text, {kind: {**there, name: replace(rule, text=text)}})
        for kind, there in (("concepts", rulebase.concepts), ("policies", rulebase.policies))
        for name, rule in there.items()
        for text in mutants(rule.text)
    ]
    for place, relation in enumerate(rulebase.relations):
        before, after = rulebase.relations[:place], rulebase.relations[place + 1 :]
        changes += [
            (text, {"relations": (*before, replace(relation, text=text), *after)}) for text in mutants(relation.text)
        ]
    changes += [(text, {"decision": replace(rulebase.decision, text=text)}) for text in mutants(rulebase.decision.text)]
    chosen = random.Random(rulebase.name).sample(changes, min(20, len(changes)))
    assert [text for text, change in chosen if not differences(replace(rulebase, **change))] == []
