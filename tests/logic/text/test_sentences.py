"""Sentences made from random expressions read back as equivalent expressions."""

import random
from fractions import Fraction

import pytest

from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_line, read_rules
from holmes.logic.english.render import rules_text
from holmes.logic.english.rule_lines import Line, Reading
from holmes.logic.english.sentences import RELATION_FRAMES, Sentences
from holmes.logic.language.model import INT, And, Arith, Compare, Const, Implies, Not, Or, Ref, Type
from holmes.logic.sat.equivalence import equivalent, satisfiable
from tests.logic.text.lock import ORDER, fact, lock_keepers

BASE = lock_keepers()
LEXICON = lexicon(BASE)
ATOMS = [fact(n) for n, f in BASE.facts.items() if f.type.kind == "bool"]
ATOMS += [Ref(n, "concept") for n in BASE.concepts]


def expression(rng, depth):
    """Draw a condition of all connectives and comparisons."""
    draw = rng.random()
    if depth == 0 or draw < 0.25:
        if rng.random() < 0.2:
            op = rng.choice(["<", "<=", ">", ">=", "==", "!="])
            return Compare(op, fact("rise_cm"), Const(Fraction(rng.randrange(1, 90)), INT))
        return Not(rng.choice(ATOMS)) if rng.random() < 0.4 else rng.choice(ATOMS)
    parts = tuple(expression(rng, depth - 1) for _ in range(rng.randrange(2, 4)))
    if draw < 0.55:
        return And(parts)
    if draw < 0.9:
        return Or(parts)
    return Not(parts[0]) if draw < 0.95 else Implies(parts[0], parts[1])


def read(text):
    reading = Reading()
    read_line(LEXICON, Line(9, "", text), reading)
    return reading


@pytest.mark.parametrize("seed", range(4))
def test_random_conditions_read_back_as_equivalent(seed):
    """Whatever the connectives, depth and frame, the sentence means the expression it was made from."""
    for index in range(400):
        rng = random.Random(f"sentence/{seed}/{index}")
        expr = expression(rng, rng.randrange(4))
        sentences = Sentences(BASE, rng)
        if rng.random() < 0.5:
            text = sentences.concept("unwatched_release", expr)
            name, found = read(text).concepts[9]
            assert name == "unwatched_release"
        else:
            label = rng.choice(ORDER)
            text = sentences.policy(expr, label)
            policy = read(text).policies[9]
            assert policy.consequence == label
            found = policy.when
        assert equivalent(expr, found, LEXICON.types), text


def test_equivalence_tells_different_conditions_apart():
    """A changed number, polarity or connective is a difference; order, De Morgan, integer thresholds are none."""
    a, b, rise = ATOMS[0], ATOMS[1], fact("rise_cm")
    types = LEXICON.types

    def at(op, number):
        return Compare(op, rise, Const(Fraction(number), INT))

    assert equivalent(Not(And((a, b))), Or((Not(b), Not(a))), types)
    assert equivalent(at(">=", 40), at(">", 39), types)
    assert equivalent(at(">=", 0), Or((a, Not(a))), types)
    assert equivalent(Compare("<", Const(Fraction(5), INT), rise), at(">", 5), types)
    assert equivalent(Or((at("<", 10), at(">=", 5))), Or((b, Not(b))), types)
    assert equivalent(And((at(">=", 5), at("<=", 5))), at("==", 5), types)
    assert not equivalent(at(">=", 40), at(">", 40), types)
    assert not equivalent(And((a, b)), Or((a, b)), types)
    assert not equivalent(a, Not(a), types)
    assert not satisfiable(And((at("<", 5), at(">", 7))), types)
    double = Compare(">=", Arith("+", (rise, rise)), Const(Fraction(80), INT))
    assert equivalent(double, at(">=", 40), types)


def test_enum_values_exclude_each_other_and_exhaust_the_type():
    """One value holds at a time, and one of them holds."""
    colour = Type("enum", values=("red", "green", "blue"))
    types = {"colour": colour}
    red, green, blue = (Compare("==", fact("colour"), Const(v, colour)) for v in colour.values)
    assert not satisfiable(And((red, green)), types)
    assert equivalent(Not(red), Or((green, blue)), types)
    assert equivalent(Compare("!=", fact("colour"), Const("red", colour)), Or((green, blue)), types)


@pytest.mark.parametrize("kind", ["stronger", "exception"])
@pytest.mark.parametrize("losers", [(3,), (3, 4), (3, 4, 7)])
@pytest.mark.parametrize("winners", [(5,), (5, 6)])
def test_every_relation_sentence_reads_back(kind, winners, losers):
    """One or several rules on either side, each frame."""
    for index in range(4 * len(RELATION_FRAMES[kind])):
        text = Sentences(BASE, random.Random(index)).relation(kind, winners, losers)
        assert read(text).relations == [(kind, winner, losers, 9, False) for winner in winners], text


@pytest.mark.parametrize("order", [None, 1, 2, 3])
def test_the_printed_rules_read_back_in_any_order(order):
    """The reader needs the numbers, not the order; everything the rule base says is found."""
    text = rules_text(BASE, None if order is None else random.Random(order))
    found = read_rules(LEXICON, text)
    assert {c.rule: (c.name, c.body) for c in found.concepts.values()}.keys() == {1, 2}
    for concept in BASE.concepts.values():
        assert equivalent(concept.body, found.concepts[concept.name].body, LEXICON.types)
    for policy in BASE.policies.values():
        there = found.policies[f"rule_{policy.rule}"]
        assert there.consequence == policy.consequence
        assert equivalent(policy.when, there.when, LEXICON.types)
    numbers = {p.name: f"rule_{p.rule}" for p in BASE.policies.values()}
    assert sorted(
        (r.kind, numbers[r.winner], tuple(numbers[n] for n in r.losers), r.rule, r.stated_in) for r in BASE.relations
    ) == sorted((r.kind, r.winner, r.losers, r.rule, r.stated_in) for r in found.relations)
    assert (found.decision.pick, found.decision.order, found.decision.otherwise) == ("gravest", ORDER, "no_measure")
    assert [line.split(":")[0] for line in text.splitlines()] != [] and len(text.splitlines()) == 10
