"""Families through the rule-base language: the worked examples in full, and what rewriting a rule does not change."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

from holmes.derivations.derive import derive, verbatim
from holmes.derivations.parts import Part
from holmes.logic.explain.explain import explain
from holmes.logic.families.minimal import minimal
from holmes.logic.language.expr import parse
from holmes.logic.language.model import And, Expr, Implies, Not, Or
from holmes.logic.language.unparse import unparse
from holmes.logic.language.walk import rebuild, walk
from holmes.logic.loader import load_rulebase
from tests.logic.bases import ALL, FIXTURES, NAMES, ODDMENTS, base, random_facts
from tests.logic.test_evaluate import GUILD, LOCK


def members(rulebase, facts, defeat: str | None = None) -> set[frozenset[str]]:
    found = minimal(explain(rulebase, facts, defeat=defeat))
    assert found.complete
    return {frozenset(member) for member in found.members()}


def test_micro_example_5_in_full():
    """Partial approval of the trip to Moss: two members, one a failed gate, and the amount."""
    common = {
        "decision:11=Partial", "selection:10:review->grant_review", "fact:fund=grant", "gate:7:documented_w=PASS",
        "fact:waiver=true", "gate:6:sponsor_open=PASS", "fact:grant_open=true", "fact:nights=24",
    }  # fmt: skip
    meals = {"gate:5:meals_ok=FAIL", "fact:meals=2500"}
    lodging = {
        "gate:4:lodging_ok=FAIL", "fact:lodging=6000", "concept:2:lodging_limit=5928", "fact:grade=master",
        "fact:city=Moss", "table:1:cap_per_night[master,Moss]=260",
    }  # fmt: skip
    assert members(base("guild_travel"), GUILD) == {frozenset(common | meals), frozenset(common | lodging)}
    amount = derive([Part(base("guild_travel"), GUILD, {})], "amount", verbatim)
    assert amount.family.count() == 2
    assert amount.family.necessary() >= {"amount:12=8328", "decision:11=Partial", *lodging} - {"gate:4:lodging_ok=FAIL"}
    facts = derive([Part(base("guild_travel"), GUILD, {})], "decision", verbatim).facts()
    assert {frozenset(m) for m in facts.members()} == {
        frozenset(x for x in common | own if x.startswith("fact:")) for own in (meals, lodging)
    }


def test_micro_example_6_in_full():
    """The disarmed alarm: one member under grounded defeat; the same base under one pass comes to no measure."""
    (member,) = members(base("lock_keepers"), LOCK)
    assert member == {
        "decision:10=warning", "policy:5:learner:applies=true", "policy:5:learner:triggered=true",
        "concept:1:unwatched_release=true", "fact:opened_sluice=true", "fact:warden_present=false",
        "fact:apprentice=true", "policy:6:alarm:applies=false", "conflict:7:false_alarm>alarm",
        "policy:6:alarm:triggered=true", "fact:flood_bell=true", "policy:7:false_alarm:triggered=true",
        "fact:rang_it_self=true", "fact:saw_rising=false", "policy:3:release:applies=false",
        "conflict:8:learner>release", "policy:3:release:triggered=true", "policy:4:surge:applies=false",
        "policy:4:surge:triggered=false", "concept:2:dangerous_surge=false", "fact:rise_cm=12",
        "fact:boat_adrift=false",
    }  # fmt: skip
    one_pass = members(base("lock_keepers"), LOCK, "one_pass")
    assert all("decision:10=no_measure" in found for found in one_pass)


# ---------------------------------------------------------------- rewriting the rules
def rewritten(expr: Expr, rng: random.Random) -> Expr:
    """Rewrite the connectives of a condition at random: order, De Morgan, distribution, absorption, repetition."""
    expr = rebuild(expr, lambda child: rewritten(child, rng))
    if isinstance(expr, And | Or):
        args = list(expr.args)
        rng.shuffle(args)
        own, other = (And, Or) if isinstance(expr, And) else (Or, And)
        expr = own(tuple(args))
        match rng.randrange(6):
            case 0:  # De Morgan
                return Not(other(tuple(Not(arg) for arg in args)))
            case 1:  # distribution over the first argument of the other kind
                inner = next((arg for arg in args if isinstance(arg, other)), None)
                if inner is not None:
                    rest = tuple(arg for arg in args if arg is not inner)
                    return other(tuple(own((*rest, part)) for part in inner.args))
            case 2:  # absorption: a = a and (a or b)
                return own((*args, other((args[0], args[-1]))))
            case 3:  # idempotence
                return own((*args, args[0]))
            case 4 if len(args) > 2:  # association
                return own((own((args[0], args[1])), *args[2:]))
    if isinstance(expr, Implies) and rng.random() < 0.5:
        return Or((Not(expr.left), expr.right))
    if isinstance(expr, Not) and rng.random() < 0.3:
        return Not(Not(expr))
    return expr


CONDITIONS = re.compile(r"\b(?:and|or|not|implies)\b")


class _Plain(yaml.SafeLoader):
    """Reads yes and no as the words that they are in a rule base."""


_Plain.yaml_implicit_resolvers = {
    first: [r for r in found if first in "tTfF" or r[0] != "tag:yaml.org,2002:bool"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def variant(name: str, rng: random.Random, folder: Path, rename: bool = False):
    """Write a fixture with every condition rewritten, everything in another order, on wish with other names; load it.

    Returns the rule base and old name -> new name.
    """
    document = yaml.load(file_of(name).read_text("utf-8"), _Plain)
    for section in ("concepts", "policies"):
        for record in document[section].values():
            for key in ("when", "unless", "value"):
                if isinstance(record.get(key), str) and CONDITIONS.search(record[key]):
                    record[key] = unparse(rewritten(parse(record[key]), rng))
    for section in ("facts", "concepts", "policies"):
        document[section] = shuffled(document[section].items(), rng)
    for record in document["policies"].values():
        if "compose" in record:
            rng.shuffle(record["compose"])
    rng.shuffle(document.get("relations", []))
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    names = {}
    if rename:
        taken = re.findall(r"[a-z_]+", " ".join(str(fact) for fact in document["facts"].values())) + KEYS.split()
        own = [n for part in ("facts", "concepts", "policies") for n in document[part] if n not in taken]
        names = {old: f"q_{old[::-1]}" for old in own}
        text = renamed(text, names)
    file = folder / f"{name}_{rng.randrange(10**9)}.yaml"
    file.write_text(text, "utf-8")
    return load_rulebase(file), names


KEYS = "facts concepts policies relations decision amount review rule when value text phrase type"


def file_of(name: str) -> Path:
    return (FIXTURES if name in NAMES else ODDMENTS) / f"{name}.yaml"


def shuffled(items, rng: random.Random) -> dict:
    listed = list(items)
    rng.shuffle(listed)
    return dict(listed)


def renamed(text: str, names: dict[str, str]) -> str:
    """Put new names for old wherever they stand as words."""
    pattern = r"\b(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")\b"
    return re.sub(pattern, lambda found: names[found[0]], text) if names else text


@pytest.mark.parametrize("name", ALL)
def test_rewriting_conditions_changes_no_family(name, tmp_path):
    """Order, De Morgan, distribution, absorption, repetition, association: the same sets of labels, case by case."""
    original = base(name)
    changed = 0
    for turn in range(8):
        rng = random.Random(f"{name}/{turn}")
        other, _ = variant(name, rng, tmp_path)
        changed += any(other.concepts[n].body != c.body for n, c in original.concepts.items())
        changed += any(other.policies[n].when != p.when for n, p in original.policies.items())
        for seed in range(25):
            facts = random_facts(original, f"families/{seed}")
            assert members(other, facts) == members(original, facts), (turn, seed)
    conditions = [c.body for c in original.concepts.values()] + [p.when for p in original.policies.values() if p.when]
    assert changed or not any(isinstance(e, And | Or | Not | Implies) for body in conditions for e in walk(body))


@pytest.mark.parametrize("name", ALL)
def test_renaming_renames_the_family(name, tmp_path):
    """Other names for facts, concepts and policies give the same family under these names."""
    original = base(name)
    other, names = variant(name, random.Random(name), tmp_path, rename=True)
    assert len(names) > 3
    for seed in range(25):
        facts = random_facts(original, f"names/{seed}")
        expected = {frozenset(renamed(label, names) for label in m) for m in members(original, facts)}
        assert members(other, {names.get(fact, fact): v for fact, v in facts.items()}) == expected, seed


def test_excluded_middle_is_no_invariance(tmp_path):
    """`(c or b) and (not c or a)` has more derivations than `if c then a else b`: a named limit, not an accident."""
    text = """
rulebase: middle
defeat: grounded
closed_world: true
entities: {X: person}
facts:
  a: {type: bool, phrase: a, says: ["{X} one"], denies: [none]}
  b: {type: bool, phrase: b, says: [two], denies: [nought]}
  c: {type: bool, phrase: c, says: [three], denies: [nil]}
concepts:
  k: {rule: 1, phrase: k, when: "BODY", text: k}
policies:
  p: {rule: 2, when: k, then: yes_, text: p}
decision: {type: {enum: [yes_, no_]}, rule: 3, of: applying, pick: only, otherwise: no_, text: d}
"""
    counts = []
    for number, body in enumerate(("(c or b) and (not c or a)", "if c then a else b")):
        file = tmp_path / f"middle{number}.yaml"
        file.write_text(text.replace("BODY", body), "utf-8")
        counts.append(len(members(load_rulebase(file), {"a": True, "b": True, "c": True})))
    assert counts == [2, 1]


def test_a_static_guard_leaves_no_spurious_derivations(tmp_path):
    """`every h that overrides p` ranges over the attackers alone: with six policies one derivation, not thirty-two."""
    others = [f"o{i}" for i in range(5)]
    lines = ["rulebase: guarded", "defeat: grounded", "closed_world: true", "entities: {X: person}", "facts:"]
    lines += [
        f'  f_{n}: {{type: bool, phrase: {n}, says: ["{{X}} {n}"], denies: [{n} not]}}'
        for n in ("main", "top", *others)
    ]
    lines += ["policies:"]
    lines += ["  top: {rule: 1, when: f_top, then: mild, text: t}"]
    guard = "f_main and every h in policies that override main: not triggered(h)"
    lines += ["  main: {rule: 2, when: f_main, then: grave, text: m}"]
    lines += [f"  {n}: {{rule: {3 + i}, when: f_{n}, then: mild, text: {n}}}" for i, n in enumerate(others)]
    lines += [f'  guarded: {{rule: 8, when: "{guard}", then: guarded_, text: g}}']
    lines += ["relations:", "  - {rule: 9, exception: top, to: [main], text: r}"]
    lines += ["decision: {type: {enum: [guarded_, grave, mild, none_]}, rule: 10, of: applying,"]
    lines += ["  pick: {gravest: [guarded_, grave, mild]}, otherwise: none_, text: d}"]
    file = tmp_path / "guarded.yaml"
    file.write_text("\n".join(lines), "utf-8")
    rulebase = load_rulebase(file)
    found = members(rulebase, {"f_main": True})
    (member,) = found
    assert {label for label in member if label.startswith("fact:")} == {"fact:f_main=true", "fact:f_top=false"}
