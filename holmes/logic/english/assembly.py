"""From what single rules say to a rule base: references between rules are followed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from holmes.errors import InputError
from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.rule_lines import ReadError, Reading
from holmes.logic.language.model import BOOL, Concept, Expr, Lookup, Relation, RuleBase
from holmes.logic.language.walk import rebuild


def resolve(reading: Reading) -> None:
    """Fill in what other rules say: the keys of tables that are looked up, the rules of named reviews."""
    keys = {table.name: table.keys for table in reading.tables.values()}

    def filled(expr: Expr) -> Expr:
        if isinstance(expr, Lookup) and not expr.keys and expr.table in keys:
            return Lookup(expr.table, keys[expr.table])
        return rebuild(expr, filled)

    def named(part: str) -> str:
        return f"rule_{reading.heads[part]}" if part in reading.heads else part

    for number, (name, body) in reading.concepts.items():
        reading.concepts[number] = (name, filled(body))
    if reading.amount is not None:
        reading.amount = replace(reading.amount, value=filled(reading.amount.value))
    for number, policy in reading.policies.items():
        parts = tuple(map(named, policy.parts))
        branches = tuple((value, named(part)) for value, part in policy.branches)
        when = None if policy.when is None else filled(policy.when)
        reading.policies[number] = replace(policy, parts=parts, branches=branches, when=when)


def assemble(lexicon: Lexicon, reading: Reading) -> RuleBase:
    """Make a rule base of what was read; raises ReadError for references that lead nowhere."""
    resolve(reading)
    by_name = {name: (number, body) for number, (name, body) in reading.concepts.items()}
    defined = {name: number for number, (name, _) in reading.concepts.items()}
    defined |= {table.name: number for number, table in reading.tables.items()}
    for rule, concept, target in reading.references:
        if defined.get(concept, 0) != target:
            raise ReadError(
                rule, f"a reference to Rule {target} beside {concept!r}", f"Rule {defined.get(concept, '?')}"
            )
    for kind, winner, losers, rule, _ in reading.relations:
        for number in (winner, *losers):
            if number not in reading.policies:
                raise ReadError(rule, f"Rule {number} in a relation ({kind})", "the number of a rule with a condition")
    for rule, named, label in reading.glosses:
        if reading.policies[named].consequence != label:
            raise ReadError(rule, f"{label} as the consequence of Rule {named}", reading.policies[named].consequence)
    source = lexicon.source
    concepts: Mapping[str, Concept] = {
        name: Concept(name, number, (), lexicon.types.get(name, BOOL), body, "")
        for name, (number, body) in by_name.items()
    }
    decision = reading.decision
    if decision is None:
        raise InputError("rule text: found no rule of decision, expected one")
    if decision.pick == "gates":
        inner = {part for p in reading.policies.values() for part in (*p.parts, *(t for _, t in p.branches))}
        tops = [p for p in reading.policies.values() if p.operator in ("compose", "select") and p.name not in inner]
        if len(tops) != 1:
            raise ReadError(decision.rule, f"{len(tops)} reviews that no other review asks for", "one")
        decision = replace(decision, gates=tops[0].name)
    return RuleBase(
        name=source.name if source else "",
        path=source.path if source else "",
        defeat=source.defeat if source else "grounded",
        closed_world=source.closed_world if source else True,
        entities=source.entities if source else {},
        facts=lexicon.facts,
        integrity=(),
        concepts=concepts,
        tables={table.name: table for table in reading.tables.values()},
        policies={policy.name: policy for policy in reading.policies.values()},
        families={name: tuple(f"rule_{n}" for n in numbers) for name, numbers in reading.families.items()},
        relations=tuple(
            Relation(kind, f"rule_{winner}", tuple(f"rule_{n}" for n in losers), rule, inside)
            for kind, winner, losers, rule, inside in reading.relations
        ),
        decision=decision,
        amount=reading.amount,
        fingerprint="",
        names=source.names if source else {},
    )
