"""What a rule base declares against what its printed rules say: one difference a rule, named by its kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.english.assembly import assemble, resolve
from holmes.logic.english.lexicon import Lexicon, lexicon, spellings
from holmes.logic.english.reader import read_line
from holmes.logic.english.render import rules_text
from holmes.logic.english.rule_lines import ReadError, Reading, lines
from holmes.logic.language.model import BOOL, Compare, Const, Expr, Lookup, Not, Policy, Ref, RuleBase
from holmes.logic.language.unparse import number_text, unparse
from holmes.logic.language.walk import children, walk
from holmes.logic.sat.equivalence import canonical, equivalent, same_number


@dataclass(frozen=True, slots=True)
class Difference:
    """Rule number (0: the whole), what the text says, what the rule base declares."""

    rule: int
    found: str
    expected: str


def differences(rulebase: RuleBase) -> list[Difference]:
    """Read the printed rules back and compare them with the declarations, rule by rule.

    rulebase: loaded. Returns every difference, in the order of the rules; empty if the texts say exactly what the
    formulas say (conditions by logical equivalence, numbers by canonical form).
    """
    words = lexicon(rulebase)
    reading = Reading()
    found: list[Difference] = []
    broken: set[int] = set()
    for line in lines(rules_text(rulebase)):
        try:
            read_line(words, line, reading)
        except ReadError as error:
            found.append(Difference(error.rule, error.found, error.expected))
            broken.add(error.rule)
    for table in rulebase.tables.values():
        if table.rule in broken:  # reported already; what looks it up is still compared
            reading.tables[table.rule] = table
    resolve(reading)
    found += [d for d in _compare(rulebase, words, reading, broken) if d.rule not in broken]
    if not found:
        try:
            assemble(words, reading)
        except ReadError as error:
            found.append(Difference(error.rule, error.found, error.expected))
        except InputError as error:
            found.append(Difference(0, str(error), "a complete rule text"))
    return sorted(found, key=lambda d: d.rule)


def _compare(rulebase: RuleBase, words: Lexicon, reading: Reading, broken: set[int]) -> Iterator[Difference]:
    for concept in rulebase.concepts.values():
        if concept.rule not in reading.concepts:
            yield Difference(concept.rule, _kind(reading, concept.rule), f"a definition of {concept.name}")
            continue
        name, body = reading.concepts[concept.rule]
        if name != concept.name:
            yield Difference(concept.rule, f"a definition of {name}", f"a definition of {concept.name}")
        else:
            yield from _bodies(concept.rule, body, concept.body, words, concept.type == BOOL)
    for policy in rulebase.policies.values():
        there = reading.policies.get(policy.rule)
        if there is None:
            yield Difference(policy.rule, _kind(reading, policy.rule), "a rule with a condition")
        else:
            yield from _policies(rulebase, policy, there, words)
    number = {p.name: p.rule for p in rulebase.policies.values()}
    for family, inside in rulebase.families.items():
        if set(reading.families.get(family, ())) != {number[name] for name in inside}:
            yield Difference(0, f"other members of {family} in print", ", ".join(inside))
    yield from _relations(rulebase, reading, broken)
    yield from _decision(rulebase, words, reading)
    for table in rulebase.tables.values():
        read = reading.tables.get(table.rule)
        if read is None:
            yield Difference(table.rule, _kind(reading, table.rule), f"the table {table.name}")
        elif {(r.keys, canonical(r.value)) for r in read.rows} != {(r.keys, canonical(r.value)) for r in table.rows}:
            yield Difference(table.rule, "other rows in print", "the rows declared")
    if rulebase.amount is not None:
        if reading.amount is None:
            yield Difference(rulebase.amount.rule, _kind(reading, rulebase.amount.rule), "the amount")
        else:
            yield from _bodies(rulebase.amount.rule, reading.amount.value, rulebase.amount.value, words, False)


def _kind(reading: Reading, rule: int) -> str:
    if rule in reading.concepts:
        return f"a definition of {reading.concepts[rule][0]}"
    if rule in reading.policies:
        return "a rule with a condition" if reading.policies[rule].when is not None else "a rule about rules"
    if rule in reading.tables:
        return "a table"
    if any(rule == said[3] for said in reading.relations):
        return "a relation between rules"
    if reading.decision is not None and reading.decision.rule == rule:
        return "a rule of decision"
    return "a sentence of another kind"


# ---------------------------------------------------------------- conditions and formulas
def _bodies(rule: int, found: Expr, declared: Expr, words: Lexicon, boolean: bool) -> Iterator[Difference]:
    """Say how a text and a formula differ: names, numbers, polarity, or the connectives."""
    if equivalent(found, declared, words.types) if boolean else same_number(found, declared):
        return
    read, meant = _names(found), _names(declared)
    for name in sorted(meant - read):
        yield Difference(rule, f"no phrase of {name}", f"one of {_wordings(name, words)}")
    for name in sorted(read - meant):
        yield Difference(rule, f"a phrase of {name}", f"phrases of {', '.join(sorted(meant))} only")
    if read != meant:
        return
    numbers, wanted = _numbers(found), _numbers(declared)
    if numbers != wanted:
        yield Difference(rule, f"the numbers {_list(numbers - wanted)}", _list(wanted - numbers))
        return
    polarities, needed = _polarities(found), _polarities(declared)
    for name in sorted(n for n in meant if polarities.get(n) != needed.get(n)):
        yield Difference(rule, f"{name} {_sign(polarities.get(name))}", f"{name} {_sign(needed.get(name))}")
    if polarities == needed:
        yield Difference(
            rule, f"`{unparse(found)}`", f"`{unparse(declared)}`: and/or, a comparison, or the scope differs"
        )


def _names(expr: Expr) -> set[str]:
    found: set[str] = set()
    for node in walk(expr):
        if isinstance(node, Ref) and node.kind != "variable":
            found.add(node.name)
        elif isinstance(node, Const) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, Lookup):
            found.add(node.table)
    return found


def _wordings(name: str, words: Lexicon) -> str:
    known = [" ".join(phrase) for phrase, meaning in words.phrases.items() if meaning.name == name]
    return ", ".join(repr(k) for k in known[-3:]) or f"the phrases of {name}, which has none"


def _numbers(expr: Expr) -> set[Fraction]:
    return {n.value for n in walk(expr) if isinstance(n, Const) and type(n.value) is Fraction}


def _list(numbers: set[Fraction]) -> str:
    return ", ".join(map(number_text, sorted(numbers))) or "none"


def _polarities(expr: Expr, sign: bool = True) -> dict[str, set[bool]]:
    """Return the signs under which each Boolean name occurs."""
    if isinstance(expr, Not):
        return _polarities(expr.arg, not sign)
    if isinstance(expr, Compare):
        return {}
    if isinstance(expr, Ref):
        return {expr.name: {sign}}
    total: dict[str, set[bool]] = {}
    for child in children(expr):
        for name, signs in _polarities(child, sign).items():
            total.setdefault(name, set()).update(signs)
    return total


def _sign(signs: set[bool] | None) -> str:
    return {frozenset({True}): "affirmed", frozenset({False}): "denied"}.get(
        frozenset(signs or ()), "affirmed and denied"
    )


# ---------------------------------------------------------------- policies, relations, decision
def _policies(rulebase: RuleBase, policy: Policy, there: Policy, words: Lexicon) -> Iterator[Difference]:
    rule = policy.rule
    if there.operator != policy.operator:
        yield Difference(rule, f"a rule of the kind {there.operator}", f"a rule of the kind {policy.operator}")
        return
    if there.consequence != policy.consequence:
        wanted = spellings(rulebase.decision, policy.consequence)[0] if policy.consequence else "none"
        yield Difference(
            rule, f"the consequence {there.consequence or 'none'!r}", f"{policy.consequence or 'none'} ({wanted})"
        )
    if policy.operator == "condition" and policy.when is not None and there.when is not None:
        yield from _bodies(rule, there.when, policy.when, words, True)
    number = {p.name: p.rule for p in rulebase.policies.values()}
    if policy.operator == "transform":
        if there.base != f"rule_{number[policy.base]}":
            yield Difference(rule, f"a reference to {_rule(there.base)}", f"Rule {number[policy.base]}")
        if policy.unless is not None and there.unless is not None:
            yield from _bodies(rule, there.unless, policy.unless, words, True)
    parts = {f"rule_{number[name]}" for name in policy.parts}
    if policy.operator == "compose" and (set(there.parts) != parts or there.mode != policy.mode):
        found = f"{there.mode} of {', '.join(sorted(map(_rule, there.parts)))}"
        yield Difference(rule, found, f"{policy.mode} of {', '.join(sorted(map(_rule, parts)))}")
    branches = {value: f"rule_{number[name]}" for value, name in policy.branches}
    if policy.operator == "select" and (dict(there.branches) != branches or there.selector != policy.selector):
        found = ", ".join(f"{v}: {_rule(p)}" for v, p in there.branches)
        yield Difference(rule, found, ", ".join(f"{v}: {_rule(p)}" for v, p in branches.items()))


def _rule(name: str) -> str:
    return f"Rule {name.removeprefix('rule_')}"


def _relations(rulebase: RuleBase, reading: Reading, broken: set[int]) -> Iterator[Difference]:
    number = {p.name: p.rule for p in rulebase.policies.values()}
    declared: dict[int, set[tuple[str, int, int]]] = {}
    for relation in rulebase.relations:
        pairs = {(relation.kind, number[relation.winner], number[loser]) for loser in relation.losers}
        declared.setdefault(relation.rule, set()).update(pairs)
    stated: dict[int, set[tuple[str, int, int]]] = {}
    for kind, winner, losers, rule, _ in reading.relations:
        stated.setdefault(rule, set()).update((kind, winner, loser) for loser in losers)
    for rule in sorted(set(declared) | set(stated)):
        if declared.get(rule, set()) != stated.get(rule, set()) and rule not in broken:
            found, expected = _pairs(stated.get(rule, set())), _pairs(declared.get(rule, set()))
            yield Difference(rule, found or _kind(reading, rule), expected or "no relation between rules")


def _pairs(pairs: set[tuple[str, int, int]]) -> str:
    words = {"stronger": "stronger than", "exception": "an exception to"}
    grouped: dict[tuple[str, int], list[int]] = {}
    for kind, winner, loser in sorted(pairs):
        grouped.setdefault((kind, winner), []).append(loser)
    return "; ".join(f"Rule {w} {words[k]} Rule {', '.join(map(str, losers))}" for (k, w), losers in grouped.items())


def _decision(rulebase: RuleBase, words: Lexicon, reading: Reading) -> Iterator[Difference]:
    declared, read = rulebase.decision, reading.decision
    if read is None or read.rule != declared.rule:
        yield Difference(declared.rule, _kind(reading, declared.rule), "a rule of decision")
        return
    if read.pick != declared.pick:
        yield Difference(declared.rule, f"the choice {read.pick!r}", f"{declared.pick!r}")
    if declared.pick in ("gravest", "first_of") and read.order != declared.order:
        yield Difference(declared.rule, f"the order {', '.join(read.order) or 'none'}", ", ".join(declared.order))
    if declared.pick == "first_of" and read.then != declared.then:
        yield Difference(declared.rule, f"then {read.then!r}", f"{declared.then!r}")
    if declared.pick != "gates" and read.otherwise != declared.otherwise:
        yield Difference(
            declared.rule, f"{read.otherwise or 'nothing'!r} where none remains", f"{declared.otherwise!r}"
        )
