"""Questions: written in every wording and read back, as JSON and back, edited by one edit without another word."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from holmes.domains.law.rulebases import bundle
from holmes.domains.policy.planner.draws import implication, question, stock
from holmes.domains.policy.planner.edits import KINDS, edits
from holmes.domains.policy.planner.variants import mutants, names
from holmes.domains.policy.questions import conditions
from holmes.domains.policy.questions.english import given_text, question_text, term_text
from holmes.domains.policy.questions.reader import read_given, read_question, read_term
from holmes.domains.policy.questions.terms import FORMS, Term, expression, from_json, to_json, universal, violations
from holmes.errors import InputError
from holmes.logic.language.model import And, Compare, Const, Implies, Not, Or, PolicyTest, Ref

BASE = bundle("masked_city")


def drawn(seed: int, count: int = 6):
    """Questions of every type and form over every rule base."""
    rng = random.Random(seed)
    for name in names():
        pool = stock(bundle(name))
        for kind, forms in FORMS.items():
            for form in forms:
                for _ in range(count):
                    asked = question(rng, pool, kind, form, rng.choice(("triggered", "applies")))
                    given = tuple(i for _ in range(3) if (i := implication(rng, pool, ())))
                    yield pool, replace(asked, sense="applies" if form == "governs" else asked.sense, given=given)


@pytest.mark.parametrize("name", names())
def test_every_literal_of_every_rule_base_is_read_back(name) -> None:
    """A fact, a concept, a threshold and its denial: written in quotation marks, read by the parser of rule texts."""
    base = bundle(name)
    found = [*conditions.literals(base, False), *conditions.literals(base, True)]
    assert len(found) >= len(base.facts) + len(base.concepts) - 1
    for literal in found:
        for one in (literal, conditions.negated(literal)):
            assert conditions.read(conditions.write(one, base), base) == one
        assert conditions.negated(conditions.negated(literal)) == literal


def test_questions_are_read_back_in_every_wording() -> None:
    """Whatever wording is drawn, text and JSON give the very question, whatever it takes as given."""
    for place, (pool, asked) in enumerate(drawn(1)):
        text = question_text(asked, pool.base, random.Random(place))
        assert read_question(text, asked.type, pool.base, asked.given) == asked, text
        assert read_given(given_text(asked.given, pool.base, place % 3), pool.base) == asked.given
        assert from_json(to_json(asked), pool.base) == asked


def test_the_wording_does_not_depend_on_what_is_asked() -> None:
    """The same draws choose the same wording for a question and its edits: nothing but the edit differs."""
    first = question_text(replace(next(drawn(2))[1]), stock(bundle(names()[0])).base, random.Random(5))
    assert first == question_text(next(drawn(2))[1], stock(bundle(names()[0])).base, random.Random(5))
    for pool, asked in drawn(3, 2):
        for kind in KINDS[asked.form]:
            if kind == "rules":
                continue
            for other in edits(kind, asked, pool.rules, random.Random(0)):
                told = [
                    " ".join([question_text(q, pool.base, random.Random(1)), *given_text(q.given, pool.base, 0)])
                    for q in (asked, other)
                ]
                one, two = (Counter(text.replace(",", "").replace(".", "").split()) for text in told)
                assert other != asked and one.total() == two.total(), (kind, told)
                assert sum((one - two).values()) <= (3 if kind == "rule" and asked.form == "changes" else 1), told


def test_terms_mean_what_they_say() -> None:
    """Each kind of term, in English and as an expression over the policies of the rule base."""
    condition = And((Ref("scandal", "concept"), Not(Ref("curtain", "fact"))))
    p12, p14 = PolicyTest("applies", "insulting"), PolicyTest("applies", "borrowing")
    told = {
        "Rule 12": (Term("rule", (12,)), p12),
        "all of Rules 12 and 14": (Term("all", (12, 14)), And((p12, p14))),
        "any of Rules 12 and 14": (Term("any", (12, 14)), Or((p12, p14))),
        "Rule 12, except where Rule 14 covers the case": (Term("unless", (12, 14)), And((p12, Not(p14)))),
        "Rule 12, except where “public scandal” holds and “behind a curtain” does not hold": (
            Term("amended", (12,), condition),
            And((p12, Not(condition))),
        ),
        "the cases where the outcome is “lantern walk”": (
            Term("outcome", label="walk"),
            Compare("==", Ref("decision", "decision"), Const("walk", BASE.decision.type)),
        ),
    }
    for text, (term, meaning) in told.items():
        assert term_text(term, BASE, 0) == text and read_term(text, BASE) == term
        assert expression(term, "applies", BASE) == meaning


def test_what_is_no_question_is_refused() -> None:
    """Unknown sentences, names and rules are named in the error."""
    with pytest.raises(InputError, match="expected one of our questions"):
        read_question("Let P be Rule 12.\nIs P nice?", "PR", BASE)
    with pytest.raises(InputError, match="a rule, a composition"):
        read_term("Rule twelve", BASE)
    with pytest.raises(InputError, match="Rule 99"):
        expression(Term("rule", (99,)), "applies", BASE)
    with pytest.raises(InputError, match="expected a question as JSON"):
        from_json("{}", BASE)
    with pytest.raises(InputError, match="implications"):
        given_text([Ref("curtain", "fact")], BASE, 0)


def test_the_universal_answer_is_that_no_record_violates() -> None:
    """`changes` and `disagree` ask for a case, the others for all; forms about one case claim nothing."""
    assert [universal(form) for form in ("subsumes", "changes", "disagree", "every")] == ["yes", "no", "no", "yes"]
    for pool, asked in drawn(4, 1):
        count = len(violations(asked, pool.base))
        assert count == {"comparable": 2, "accepts": 0, "governs": 0, "which": 0}.get(asked.form, 1)


def test_an_edit_of_the_rules_changes_one_word_and_is_read_as_meant() -> None:
    """Each edit differs from the packaged rules in one word of one line; both print and read alike otherwise."""
    for name in names():
        first, *rest = mutants(name)
        assert len(rest) >= 3 and not first.edit.number
        for mutant in rest:
            old, new = first.rules.splitlines(), mutant.rules.splitlines()
            changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
            assert len(changed) == 1 and changed[0][0].startswith(f"Rule {mutant.edit.rule}:")
            words = [(a, b) for a, b in zip(changed[0][0].split(), changed[0][1].split(), strict=True) if a != b]
            assert words == [(mutant.edit.before, mutant.edit.after)]
            assert mutant.base.fingerprint != first.base.fingerprint


def test_given_is_an_implication_between_facts() -> None:
    """What a question takes as given never names a concept, so that it restricts records and defines nothing."""
    for pool, asked in drawn(5, 1):
        for part in asked.given:
            assert isinstance(part, Implies)
            assert conditions.facts_in(part, pool.base) <= set(pool.base.facts)
