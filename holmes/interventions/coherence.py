"""What a rule base asks of a whole record: that it is coherent, and which of its numbers are to be equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import Arith, Compare, Const, Expr, Field, Quant, Record, Ref, RuleBase, Type, Value
from holmes.logic.language.walk import walk

Facts = Mapping[str, Value]
Side = Callable[[list[Any]], Fraction]
_EQUALITIES: dict[tuple[str, str], tuple[Side, ...]] = {}


def equalities(base: RuleBase) -> tuple[Side, ...]:
    """Return for each equality of two numbers in the rules of a base its left side less its right, given a state.

    Equalities under a quantifier, which compare records, are left out.
    """
    key = base.name, base.fingerprint
    if key not in _EQUALITIES:
        program = program_for(base)
        bodies: list[Expr | None] = [concept.body for concept in base.concepts.values()]
        bodies += [expr for policy in base.policies.values() for expr in (policy.when, policy.unless)]
        pairs = dict.fromkeys(
            (part.left, part.right)
            for body in bodies
            if body is not None
            for part in walk(body)
            if isinstance(part, Compare)
            and part.op in ("==", "!=")
            and all(_numeric(base, side) for side in (part.left, part.right))
        )
        _EQUALITIES[key] = tuple(program.compile(unroll(Arith("-", pair), program.rulebase), {}) for pair in pairs)
    return _EQUALITIES[key]


def _numeric(base: RuleBase, expr: Expr) -> bool:
    """Tell whether an expression is a number that no record of a list has a part in."""
    match expr:
        case Ref(name, "fact"):
            return base.facts[name].type.kind in ("int", "money")
        case Ref(name, "concept"):
            return base.concepts[name].type.kind in ("int", "money")
        case Arith():
            return not any(isinstance(part, Field | Quant) for part in walk(expr))
        case Const(value=value):
            return isinstance(value, Fraction)
    return False


_INTEGRITY: dict[tuple[str, str], Callable[[Facts], bool]] = {}


def coherent(base: RuleBase, facts: Facts) -> bool:
    """Tell whether a record obeys the integrity of its rule base and the ranges of its facts."""
    key = base.name, base.fingerprint
    if key not in _INTEGRITY:
        _INTEGRITY[key] = _conditions(base)
    return _in_range(base, facts) and _INTEGRITY[key](facts)


def _conditions(base: RuleBase) -> Callable[[Facts], bool]:
    program = program_for(base)
    tests = [program.compile(unroll(expr, program.rulebase), {}) for expr in base.integrity]

    def holds(facts: Facts) -> bool:
        state = program.run(facts)
        state += [None] * (program.size - len(state))
        return all(test(state) for test in tests)

    return holds


def _in_range(base: RuleBase, facts: Facts) -> bool:
    return all(_fits(facts[name], decl.type) for name, decl in base.facts.items())


def _fits(value: Value, type_: Type) -> bool:
    if isinstance(value, tuple):
        kinds: Mapping[str, Type] = dict(type_.fields)
        return all(_record(record, kinds) for record in value)
    if not isinstance(value, Fraction):
        return True
    return (type_.low is None or value >= type_.low) and (type_.high is None or value <= type_.high)


def _record(record: Record, kinds: Mapping[str, Type]) -> bool:
    return all(_fits(value, kinds[name]) for name, value in record.items())
