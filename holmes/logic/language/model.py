"""The frozen, typed trees of a rule base: expressions, facts, concepts, policies, relations, decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TypeAlias

Record: TypeAlias = "Mapping[str, Value]"
Value: TypeAlias = "bool | Fraction | str | date | tuple[Record, ...] | Record"
"""A value of a case: bool; an exact number (int and money alike); an enum value or name; a date; a list of records."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type: kind is bool, enum (values), int, money, date, name, list or record (fields)."""

    kind: str
    values: tuple[str, ...] = ()
    low: Fraction | None = None
    high: Fraction | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    max: int = 0  # longest list


BOOL = Type("bool")
INT = Type("int")
MONEY = Type("money")


# ---------------------------------------------------------------- expressions
@dataclass(frozen=True, slots=True)
class Const:
    """A literal: true, 40, 7/10, an enum value, a date."""

    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Ref:
    """A name. kind: fact | concept | variable | decision | amount (policies are named by PolicyTest only)."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Field:
    """record.field, where record is a variable bound by a quantifier."""

    record: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Not:
    arg: Expr


@dataclass(frozen=True, slots=True)
class And:
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """op: == != < <= > >=; both sides numbers, dates, enums (== and != only) or Booleans (== and != only)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """op: + - * min max days_between neg; all operands are premises (strict)."""

    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Quant:
    """every | some | count | sum over the records of a list fact, or over the policies of a family.

    over: list | family. body is Boolean for every, some, count, and a number for sum.
    """

    kind: str
    variable: str
    domain: str
    over: str
    body: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """TABLE[key, …]."""

    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PolicyTest:
    """triggered(p) | applies(p) | passes(g) | consequence(p); policy is a name, or a variable over a family."""

    kind: str
    policy: str
    variable: bool = False


Expr: TypeAlias = "Const | Ref | Field | Not | And | Or | Implies | Compare | Arith | If | Quant | Lookup | PolicyTest"


# ---------------------------------------------------------------- declarations
@dataclass(frozen=True, slots=True)
class FactDecl:
    """A fact: its type, the phrases by which rule texts refer to it, sentences that state and that deny it.

    phrases: affirmative wordings ("a lock warden stands by"), the first is the main one; negated: explicit
    wordings of the denial ("no lock warden stands by"), for English in which a bare "not" does not fit.
    """

    name: str
    type: Type
    phrases: tuple[str, ...]
    negated: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()
    field_says: tuple[tuple[str, tuple[str, ...]], ...] = ()  # for lists: per field
    complete: bool = False  # for lists: the text says that all members are named
    line: int = 0


@dataclass(frozen=True, slots=True)
class Concept:
    """A named definition; type is BOOL for `when`, else the type of `value`."""

    name: str
    rule: int
    phrases: tuple[str, ...]
    type: Type
    body: Expr
    text: str
    negated: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: keys are enum values or (low, high) half-open ranges with high None for the last; value is a formula."""

    keys: tuple[str | tuple[Fraction, Fraction | None], ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    rule: int
    keys: tuple[Expr, ...]
    rows: tuple[TableRow, ...]
    type: Type
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy: a condition, or a typed operator over policies.

    operator: condition (`when`) | transform (`transform`, `unless`) | compose (`compose`, `mode` all|any) |
    select (`select`, `of`). consequence: what follows, or "". gate: mandatory | standard | "".
    """

    name: str
    rule: int
    text: str
    operator: str = "condition"
    when: Expr | None = None
    consequence: str = ""
    gate: str = ""
    base: str = ""  # transform: the policy
    unless: Expr | None = None  # transform: the exemption
    parts: tuple[str, ...] = ()  # compose
    mode: str = "all"  # compose: all | any
    selector: Expr | None = None  # select
    branches: tuple[tuple[str, str], ...] = ()  # select: (enum value, policy)
    line: int = 0


@dataclass(frozen=True, slots=True)
class Relation:
    """winner overrides loser. kind: stronger | exception. rule: its number; stated_in: the rule that says it."""

    kind: str
    winner: str
    losers: tuple[str, ...]
    rule: int
    stated_in: bool = False
    text: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A total function from what applies to one answer.

    pick: gravest | first | first_of | only | all | gates; order: the list for gravest and first_of.
    """

    type: Type
    rule: int
    text: str
    pick: str
    order: tuple[str, ...] = ()
    then: str = ""  # first_of: what follows ("first")
    otherwise: str = ""
    gates: str = ""  # the composed policy that is flattened
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()  # answer -> spellings shown and read
    line: int = 0


@dataclass(frozen=True, slots=True)
class Amount:
    rule: int
    type: Type
    value: Expr
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class RuleBase:
    """One rule base, checked: every name resolves, every type fits, the decision is total."""

    name: str
    path: str
    defeat: str  # grounded | one_pass
    closed_world: bool
    entities: Mapping[str, str]
    facts: Mapping[str, FactDecl]
    integrity: tuple[Expr, ...]
    concepts: Mapping[str, Concept]
    tables: Mapping[str, Table]
    policies: Mapping[str, Policy]
    families: Mapping[str, tuple[str, ...]]
    relations: tuple[Relation, ...]
    decision: Decision
    amount: Amount | None
    fingerprint: str
    title: str = ""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # entity -> names the case writer may use
    uses: tuple[str, ...] = ()  # the rule bases whose rules are among these
    former: tuple[str, ...] = ()  # fingerprints of earlier versions with the same logic

    def known_as(self, fingerprint: str) -> bool:
        """Tell whether a fingerprint that a case stores is that of this logic; a case without one is taken as it is."""
        return not fingerprint or fingerprint == self.fingerprint or fingerprint in self.former
