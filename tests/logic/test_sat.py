"""The clauses mean what the engine computes, and the checks of meaning agree with brute force."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from holmes.logic.engine.evaluate import evaluate, program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.engine.sampling import coherent_states
from holmes.logic.language.expr import parse
from holmes.logic.language.model import BOOL, Compare, Const, Expr, Not, Policy, Ref, Relation, RuleBase, Type
from holmes.logic.sat.encoding import Encoding
from holmes.logic.sat.semantics import run_checks
from tests.logic.bases import base


def fix(encoding: Encoding, facts: dict[str, Any]) -> list[int]:
    """Return the literals that pin a record down."""
    known = encoding.base.facts
    return [encoding.clauses.equals(n, value) for n, value in facts.items() if known[n].type.kind != "list"]


@pytest.mark.parametrize("defeat", ["grounded", "one_pass"])
@pytest.mark.parametrize("name", ["lock_keepers", "mill_race", "guild_travel", "harbour_first", "harbour_gravest"])
def test_literals_agree_with_evaluation(name: str, defeat: str) -> None:
    """With a record pinned down, every literal whose formulas are all decided has the engine's value."""
    rulebase = base(name)
    program = program_for(rulebase, defeat)
    encoding = Encoding(rulebase, defeat=defeat)
    policies = {n: (encoding.triggered(n), encoding.applies(n)) for n in rulebase.policies}
    answers = {v: encoding.answer(v) for v in rulebase.decision.type.values}
    opened = list(encoding.clauses.open)
    for facts, _ in coherent_states(program, "sat", 60, 600):
        result = evaluate(rulebase, facts, defeat=defeat)
        pinned = fix(encoding, facts)
        state = program.run(facts)
        state += [None] * 50
        for expr, literal in opened:  # the formulas left open are told their value
            pinned.append(literal if program.compile(expr, {})(state + [None] * program.size) else -literal)
        assert encoding.clauses.solver.solve(assumptions=pinned)
        model = set(encoding.clauses.solver.get_model())
        for policy, (triggered, applies) in policies.items():
            assert ((triggered in model), (applies in model)) == (result.triggered[policy], result.applies[policy])
        for value, literal in answers.items():
            assert (literal in model) == (result.answer == value)


def test_only_comparisons_over_endless_values_stay_open() -> None:
    """Law needs no open formula; a formula linear in one amount becomes thresholds; lists stay open."""
    for name, count in (("lock_keepers", 0), ("mill_race", 0), ("guild_travel", 0), ("ferry_company", 3)):
        encoding = Encoding(base(name))
        for policy in base(name).policies:
            encoding.triggered(policy)
        assert len(encoding.clauses.open) == count


THRESHOLDS = ["x > 3", "x >= 3.5", "2 * x + 1 < 9", "x == 4", "x != 4", "x == 2.5", "-x <= -5"]
FORMULAS = ["7 - x >= y", "x - y > 2", "min(x, y) >= 3"]


@pytest.mark.parametrize("kind", ["int", "money"])
def test_thresholds_are_exact(kind: str) -> None:
    """Conditions on numbers and every pair of them are satisfiable exactly when some value satisfies them."""
    lock = base("lock_keepers")
    kinds = {"x": Type(kind, low=Fraction(0), high=Fraction(8)), "y": Type("int", low=Fraction(0), high=Fraction(8))}
    facts = {name: replace(lock.facts["rise_cm"], name=name, type=type_) for name, type_ in kinds.items()}
    policies = {"p": Policy("p", 1, "", when=Const(True, BOOL), consequence="fine")}
    small = replace(lock, facts=facts, integrity=(), concepts={}, policies=policies, relations=())
    program = program_for(small)

    def resolve(expr: Expr) -> Expr:
        from holmes.logic.language.walk import rebuild

        return Ref(expr.name, "fact") if isinstance(expr, Ref) else rebuild(expr, resolve)

    texts = THRESHOLDS + FORMULAS if kind == "int" else THRESHOLDS
    conditions = [resolve(parse(t)) for t in texts]
    conditions += [Not(c) for c in conditions]
    encoding = Encoding(small)
    step = Fraction(1, 4) if kind == "money" else Fraction(1)
    values = [step * i for i in range(int(8 / step) + 1)]
    runs = [program.compile(c, {}) for c in conditions]
    truths = {(x, y): [bool(r(program.run({"x": x, "y": y}))) for r in runs] for x in values for y in range(9)}
    for (i, one), (j, two) in itertools.combinations(enumerate(conditions), 2):
        expected = any(truth[i] and truth[j] for truth in truths.values())
        model = encoding.clauses.solve([encoding.literal(one), encoding.literal(two)])
        assert (model is not None) == expected, (one, two)
        if model is not None:
            state = program.run({"x": model["x"], "y": model["y"]})
            assert runs[i](state) and runs[j](state)


def _small(seed: int) -> RuleBase:
    """Return a random law base over four Booleans."""
    rng = random.Random(f"small/{seed}")
    lock = base("lock_keepers")
    names = ["opened_sluice", "boat_adrift", "flood_bell", "apprentice"]
    answers = ("loss_of_post", "fine", "warning", "no_measure")

    def condition() -> Expr:
        text = f" {rng.choice(['and', 'or'])} ".join(
            rng.choice(["", "not "]) + name for name in rng.sample(names, rng.randint(1, 3))
        )
        return unroll(_facts(parse(text)), lock)

    policies = {
        f"p{i}": Policy(f"p{i}", i + 1, "t", when=condition(), consequence=rng.choice((*answers[:3], "")), line=i + 1)
        for i in range(5)
    }
    relations = []
    for number in range(3):
        low, high = sorted(rng.sample(range(5), 2))
        kind = rng.choice(["stronger", "exception"])
        relations.append(Relation(kind, f"p{high}", (f"p{low}",), 10 + number, line=20 + number))
    return replace(
        lock,
        facts={n: lock.facts[n] for n in names},
        integrity=(unroll(_facts(parse("boat_adrift implies opened_sluice")), lock),),
        concepts={},
        policies=policies,
        relations=tuple(relations),
        fingerprint=f"small{seed}",
    )


def _facts(expr: Expr) -> Expr:
    from holmes.logic.language.walk import rebuild

    return Ref(expr.name, "fact") if isinstance(expr, Ref) else rebuild(expr, _facts)


@pytest.mark.parametrize("seed", range(40))
def test_checks_agree_with_brute_force(seed: int) -> None:
    """On random small bases the problems of the last stage are those that enumeration of all records finds."""
    from holmes.logic.sat.decision_checks import without

    rulebase = _small(seed)
    problems = run_checks(rulebase)
    assert not any(p.warning for p in problems)
    records = [dict(zip(rulebase.facts, values, strict=True)) for values in itertools.product([False, True], repeat=4)]
    records = [r for r in records if not r["boat_adrift"] or r["opened_sluice"]]
    results = [evaluate(rulebase, r) for r in records]
    never = {p for p in rulebase.policies if len({r.triggered[p] for r in results}) == 1}
    found = {rulebase_policy(rulebase, p.rule) for p in problems if "never true" in p.found or "always true" in p.found}
    assert found == never
    if never or any(p.kind == "defeat" or "dead" in p.found for p in problems):
        return
    for rule in (*rulebase.policies.values(), *rulebase.relations):
        other = without(rulebase, rule)
        idle = all(evaluate(other, r).answer == result.answer for r, result in zip(records, results, strict=True))
        said = any(p.line == rule.line and "whose deletion" in p.found for p in problems)
        assert said == idle, rule
    for name, policy in rulebase.policies.items():
        alone = len({r.answer for r in results if r.triggered[name]}) == 1
        assert any(p.line == policy.line and "on every record" in p.found for p in problems) == alone


def rulebase_policy(rulebase: RuleBase, rule: str) -> str:
    return next(p.name for p in rulebase.policies.values() if str(p.rule) == rule)


def test_a_comparison_of_constants_is_decided() -> None:
    """A condition without facts has a fixed truth value."""
    encoding = Encoding(base("lock_keepers"))
    truth = encoding.clauses.truth
    assert encoding.literal(Compare("<", Const(Fraction(1), BOOL), Const(Fraction(2), BOOL))) == truth
    assert encoding.literal(Compare(">", Const(Fraction(1), BOOL), Const(Fraction(2), BOOL))) == -truth
