"""The finite space of coherent records of a law rule base: facts cut into cells at the thresholds the rules name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from holmes.errors import InputError
from holmes.logic.language import model as m

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]

FULL = 1 << 19  # larger spaces are sampled, not listed
SAMPLE = 1 << 18
MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Cell:
    """A set of values of one fact that no rule tells apart: one value, or the integers low..high."""

    value: m.Value
    low: int | None = None
    high: int | None = None

    def holds(self, value: m.Value) -> bool:
        """Tell whether `value` lies in the cell."""
        if self.low is None or self.high is None:
            return value == self.value
        return isinstance(value, Fraction | int) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Space:
    """Records in rows: `codes[fact][i]` is the number of the cell of `fact` in record i."""

    facts: tuple[str, ...]
    cells: Mapping[str, tuple[Cell, ...]]
    codes: Mapping[str, Codes]

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    def keep(self, mask: Bools) -> Space:
        """Return the space of the records where `mask` is true."""
        return Space(self.facts, self.cells, {name: code[mask] for name, code in self.codes.items()})

    def cell(self, fact: str, row: int) -> Cell:
        """Return the cell of `fact` in record `row`."""
        return self.cells[fact][int(self.codes[fact][row])]


def walk(expr: m.Expr) -> Iterator[m.Expr]:
    """Yield the expression and all its parts, outermost first."""
    yield expr
    match expr:
        case m.Not(arg):
            yield from walk(arg)
        case m.And(args) | m.Or(args) | m.Arith(_, args):
            for part in args:
                yield from walk(part)
        case m.Implies(left, right) | m.Compare(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case m.If(test, then, otherwise):
            for part in (test, then, otherwise):
                yield from walk(part)
        case m.Quant(body=body):
            yield from walk(body)
        case _:
            return


def conditions(rulebase: m.RuleBase) -> Iterator[m.Expr]:
    """Yield every expression of the rule base: integrity, concepts, policies."""
    yield from rulebase.integrity
    for concept in rulebase.concepts.values():
        yield concept.body
    for policy in rulebase.policies.values():
        if policy.when is not None:
            yield policy.when
        if policy.unless is not None:
            yield policy.unless


def cells(rulebase: m.RuleBase) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of each fact; raises InputError for a fact that a law base may not have."""
    cuts: dict[str, set[int]] = {name: set() for name, fact in rulebase.facts.items() if fact.type.kind == "int"}
    for outer in conditions(rulebase):
        for expr in walk(outer):
            for name, cut in _cut(expr, rulebase):
                cuts[name].update(cut)
    result: dict[str, tuple[Cell, ...]] = {}
    for name, fact in rulebase.facts.items():
        kind = fact.type.kind
        if kind == "bool":
            result[name] = (Cell(False), Cell(True))
        elif kind == "enum":
            result[name] = tuple(Cell(value) for value in fact.type.values)
        elif kind == "int" and fact.type.low is not None and fact.type.high is not None:
            low, high = int(fact.type.low), int(fact.type.high)
            starts = sorted({low} | {cut for cut in cuts[name] if low < cut <= high})
            ends = [start - 1 for start in starts[1:]] + [high]
            result[name] = tuple(Cell(Fraction(a), a, b) for a, b in zip(starts, ends, strict=True))
        else:
            raise InputError(
                f"{rulebase.path}: fact {name}: found type {kind}, expected bool, enum or a ranged int in law"
            )
    return result


def _cut(expr: m.Expr, rulebase: m.RuleBase) -> Iterator[tuple[str, set[int]]]:
    """Yield where a comparison of an int fact with a number cuts that fact's range."""
    if not isinstance(expr, m.Compare):
        return
    for left, right in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(left, m.Ref) and left.name in rulebase.facts and rulebase.facts[left.name].type.kind == "int":
            if not isinstance(right, m.Const) or not isinstance(right.value, Fraction | int):
                raise InputError(f"{rulebase.path}: fact {left.name}: found a comparison with no number, expected one")
            floor, ceiling = math.floor(right.value), math.ceil(right.value)
            op = expr.op if left is expr.left else MIRROR.get(expr.op, expr.op)
            cuts = {">=": {ceiling}, "<": {ceiling}, ">": {floor + 1}, "<=": {floor + 1}}
            yield left.name, cuts.get(op, {ceiling, floor + 1})


def _mixed_radix(sizes: list[int], index: Codes) -> list[Codes]:
    columns: list[Codes] = []
    for size in reversed(sizes):
        columns.append(index % size)
        index = index // size
    return columns[::-1]


def scatter(count: int, total: int) -> Codes:
    """Return `count` different numbers below `total`, spread by a fixed mixing function (splitmix64)."""
    with np.errstate(over="ignore"):
        z = np.arange(2 * count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x5DEECE66D)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    numbers = (z % np.uint64(total)).astype(np.int64)
    _, first = np.unique(numbers, return_index=True)
    kept: Codes = numbers[np.sort(first)[:count]]
    return kept


def space(rulebase: m.RuleBase) -> Space:
    """Return the coherent records of a law rule base, one for each combination of cells (a fixed sample if too many).

    rulebase: facts are bool, enum, or int with a range that is compared with numbers only.
    Raises InputError for other facts, or when `integrity` allows no record.
    """
    found = cells(rulebase)
    names = tuple(found)
    sizes = [len(found[name]) for name in names]
    total = 1
    for size in sizes:
        total *= size
    index = np.arange(total, dtype=np.int64) if total <= FULL else scatter(SAMPLE, total)
    result = Space(names, found, dict(zip(names, _mixed_radix(sizes, index), strict=True)))
    mask = np.ones(len(result), dtype=np.bool_)
    for rule in rulebase.integrity:
        mask &= truth(rule, result, {})
    if not mask.any():
        raise InputError(f"{rulebase.path}: integrity: found no coherent record, expected one or more")
    return result.keep(mask)


def truth(expr: m.Expr, records: Space, known: Mapping[str, Bools], *, negation: bool = True) -> Bools:
    """Evaluate a Boolean expression on all records at once.

    known: concepts (by name) and policies (by `kind:name`, such as ``triggered:release``) already evaluated.
    negation: False takes every negated condition as fulfilled (an ablation).
    """
    size = len(records)

    def of(part: m.Expr) -> Bools:
        match part:
            case m.Const(bool() as value, _):
                return np.full(size, value, dtype=np.bool_)
            case m.Ref(name, "concept"):
                return known[name]
            case m.Ref(name, "fact"):
                column: Bools = records.codes[name] == 1
                return column
            case m.Not(arg):
                return ~of(arg) if negation else np.ones(size, dtype=np.bool_)
            case m.And(args):
                return fold(np.logical_and, args)
            case m.Or(args):
                return fold(np.logical_or, args)
            case m.Implies(left, right):
                return np.logical_or(np.logical_not(of(left)), of(right))
            case m.If(test, then, otherwise):
                return np.where(of(test), of(then), of(otherwise))
            case m.Compare(op, left, right):
                return _compare(op, left, right)
            case m.PolicyTest(kind, policy, False):
                return known[f"{kind}:{policy}"]
            case _:
                raise InputError(f"found {type(part).__name__}, expected an expression that a law base may use")

    def fold(join: np.ufunc, args: tuple[m.Expr, ...]) -> Bools:
        result = of(args[0])
        for arg in args[1:]:
            result = join(result, of(arg))
        return result

    def _compare(op: str, left: m.Expr, right: m.Expr) -> Bools:
        if isinstance(right, m.Ref) and isinstance(left, m.Const):
            left, right, op = right, left, MIRROR.get(op, op)
        if isinstance(left, m.Ref) and left.kind == "fact" and isinstance(right, m.Const):
            wanted = np.array([_test(op, cell.value, right.value) for cell in records.cells[left.name]], dtype=np.bool_)
            return wanted[records.codes[left.name]]
        return np.equal(of(left), of(right)) if op == "==" else np.not_equal(of(left), of(right))

    return of(expr)


def _test(op: str, left: Any, right: Any) -> bool:
    match op:
        case "==":
            return bool(left == right)
        case "!=":
            return bool(left != right)
        case "<":
            return bool(left < right)
        case "<=":
            return bool(left <= right)
        case ">":
            return bool(left > right)
        case _:
            return bool(left >= right)
