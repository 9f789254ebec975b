"""The types that the facts of a rule base give rise to: facts, quantities, enumerations, records, cases as values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from holmes.errors import InputError
from holmes.formal.ir import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    Apply,
    Binder,
    Datatype,
    FormalType,
    ListOf,
    Name,
    Named,
    Number,
    Op,
    Recursion,
    Term,
    Theory,
    arrows,
    call,
    disjoin,
    equal,
)
from holmes.logic.language.model import RuleBase, Type, Value

CENTS = 100
"""Amounts are whole numbers of hundredths; other numbers of facts are whole numbers."""
CASE = Name("c")


def identifier(text: str) -> str:
    """Return a text as part of an identifier of both provers."""
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "x"


def unit_of(type_: Type) -> int:
    """Return by what a number of a fact is multiplied to be whole."""
    return CENTS if type_.kind == "money" else 1


@dataclass(frozen=True, slots=True)
class RecordType:
    """The data type of the records of a list: its constructor, a selector for each field, and the fields in order."""

    name: str
    constructor: str
    selectors: Mapping[str, str]
    fields: tuple[str, ...]


class Vocabulary:
    """The data types of one rule base, declared in a theory."""

    def __init__(self, base: RuleBase, theory: Theory) -> None:
        self.base, self.theory = base, theory
        self.tag = identifier(base.name)
        if not self.tag[0].isalpha() or self.tag.startswith(("h_", "q_", "k_")):  # prefixes with a meaning of their own
            self.tag = f"b{self.tag}"
        self.enums: dict[tuple[str, ...], tuple[str, dict[str, str]]] = {}
        self.fact: dict[str, str] = {}  # Boolean fact -> constructor
        self.quantity: dict[str, str] = {}  # number or date -> constructor
        self.component: dict[str, str] = {}  # enum or list fact -> selector
        self.records: dict[str, RecordType] = {}
        self._declare()

    def name(self, kind: str, name: str) -> str:
        """Return the name of a thing of this rule base."""
        return f"{self.tag}_{kind}_{identifier(name)}" if name else f"{self.tag}_{kind}"

    def datatype(self, name: str, constructors: list[tuple[str, tuple[FormalType, ...]]]) -> tuple[str, list[str]]:
        """Declare a data type; returns its name and those of its constructors, which get its number if it has one."""

        def make(wanted: str) -> Datatype:
            more = wanted.removeprefix(name)
            return Datatype(wanted, tuple((f"{c}{more}", types) for c, types in constructors))

        found = self.theory.free(name, make)
        declared = self.theory.declarations[found]
        assert isinstance(declared, Datatype)
        names = [c for c, _ in declared.constructors]
        if len(set(names)) != len(names):
            raise InputError(f"{self.base.name}: {name}: found two values with one spelling, expected different ones")
        return found, names

    def enum(self, values: tuple[str, ...], owner: str) -> tuple[str, dict[str, str]]:
        """Return the data type of a set of values and the constructor of each."""
        if values not in self.enums:
            made: list[tuple[str, tuple[FormalType, ...]]] = [
                (self.name(f"V_{identifier(owner)}", value), ()) for value in values
            ]
            found, names = self.datatype(self.name("enum", owner), made)
            self.enums[values] = found, dict(zip(values, names, strict=True))
        return self.enums[values]

    # ------------------------------------------------------------ declarations
    def _declare(self) -> None:
        facts = self.base.facts
        booleans = [n for n, f in facts.items() if f.type.kind == "bool"]
        numbers = [n for n, f in facts.items() if f.type.kind in ("int", "money", "date")]
        self.types: list[tuple[str, FormalType, str]] = []  # (selector, type, variable)
        self.fact_type = self.quantity_type = ""
        if booleans:
            made: list[tuple[str, tuple[FormalType, ...]]] = [(self.name("F", n), ()) for n in booleans]
            self.fact_type, names = self.datatype(self.name("fact", ""), made)
            self.fact = dict(zip(booleans, names, strict=True))
            self.types.append(("holds", arrows(Named(self.fact_type), BOOL), "b"))
        if numbers:
            made = [(self.name("N", n), ()) for n in numbers]
            self.quantity_type, names = self.datatype(self.name("quantity", ""), made)
            self.quantity = dict(zip(numbers, names, strict=True))
            self.types.append(("number", arrows(Named(self.quantity_type), INT), "n"))
        owners: list[tuple[str, FormalType]] = []
        for name, fact in facts.items():
            if fact.type.kind == "enum":
                owners.append((name, Named(self.enum(fact.type.values, name)[0])))
            elif fact.type.kind == "list":
                owners.append((name, ListOf(Named(self._record(name, fact.type)))))
        self.types += [(f"of_{identifier(name)}", type_, f"x{place}") for place, (name, type_) in enumerate(owners, 1)]
        if not self.types:
            raise InputError(f"{self.base.name}: facts: found none, expected one or more that a theory can speak of")
        self.case_type, (self.case_constructor,) = self.datatype(
            self.name("case", ""), [(self.name("Case", ""), tuple(type_ for _, type_, _ in self.types))]
        )
        self.case = Named(self.case_type)
        whole = call(self.case_constructor, *(Name(v) for _, _, v in self.types))
        selectors = []
        for kind, type_, variable in self.types:
            selectors.append(self._selector(self.name(kind, ""), self.case, type_, whole, variable, self.case_type))
        self.selectors = tuple(selectors)
        places = dict(zip([kind for kind, _, _ in self.types], selectors, strict=True))
        self.holds, self.number = places.get("holds", ""), places.get("number", "")
        self.component = {name: places[f"of_{identifier(name)}"] for name, _ in owners}

    def _selector(
        self, name: str, source: FormalType, target: FormalType, whole: Term, variable: str, over: str
    ) -> str:
        return self.theory.free(
            name, lambda n: Recursion(n, arrows(source, target), over, ((call(n, whole), Name(variable)),))
        )

    def field_type(self, owner: str, name: str, type_: Type) -> FormalType:
        """Return the formal type of a field of a record."""
        if type_.kind == "enum":
            return Named(self.enum(type_.values, f"{owner}_{name}")[0])
        return BOOL if type_.kind == "bool" else INT

    def _record(self, owner: str, type_: Type) -> str:
        fields = tuple((n, t) for n, t in type_.fields if t.kind != "name")  # rules speak of no names
        types = tuple(self.field_type(owner, n, t) for n, t in fields)
        found, (constructor,) = self.datatype(self.name("record", owner), [(self.name("Record", owner), types)])
        whole = call(constructor, *(Name(f"x{place}") for place in range(1, len(fields) + 1)))
        selectors = {}
        for place, ((name, _), target) in enumerate(zip(fields, types, strict=True), 1):
            wanted = self.name(f"{identifier(owner)}_of", name)
            selectors[name] = self._selector(wanted, Named(found), target, whole, f"x{place}", found)
        self.records[owner] = RecordType(found, constructor, selectors, tuple(n for n, _ in fields))
        return found

    # ------------------------------------------------------------ values
    def fact_term(self, name: str) -> Term:
        """Return what a fact is in a case: an application to the case variable."""
        if name in self.fact:
            return call(self.holds, CASE, Name(self.fact[name]))
        if name in self.quantity:
            return call(self.number, CASE, Name(self.quantity[name]))
        if name in self.component:
            return call(self.component[name], CASE)
        raise InputError(f"{self.base.name}: fact {name}: found a name, expected a value that rules can speak of")

    def value_term(self, type_: Type, value: Value, owner: str) -> Term:
        """Return a value of a type as a term; raises InputError for a number of more places than two."""
        if type_.kind == "bool":
            return TRUE if value else FALSE
        if type_.kind == "date":
            assert isinstance(value, date)
            return Number(value.toordinal())
        if type_.kind in ("int", "money"):
            assert isinstance(value, Fraction | int)
            scaled = Fraction(value) * unit_of(type_)
            if scaled.denominator != 1:
                places = "hundredths" if type_.kind == "money" else "whole numbers"
                raise InputError(f"{self.base.name}: fact {owner}: found {value}, expected {places}")
            return Number(int(scaled))
        if type_.kind == "enum":
            known = self.enum(type_.values, owner)[1]
            if value not in known:
                raise InputError(f"{self.base.name}: fact {owner}: found {value!r}, expected one of {', '.join(known)}")
            return Name(known[str(value)])
        assert isinstance(value, tuple)
        made = self.records[owner]
        kinds = dict(type_.fields)
        return Op(
            "list",
            tuple(
                call(made.constructor, *(self.value_term(kinds[n], record[n], f"{owner}_{n}") for n in made.fields))
                for record in value
            ),
        )

    def told(self, facts: Mapping[str, Value]) -> list[tuple[str, Term]]:
        """Return (fact, what is assumed of the case) for the facts of a record that rules can speak of."""
        found: list[tuple[str, Term]] = []
        for name, value in facts.items():
            type_ = self.base.facts[name].type
            if type_.kind == "name":
                continue
            left = self.fact_term(name)
            if type_.kind == "bool":
                found.append((name, left if value else Op("not", (left,))))
            else:
                found.append((name, equal(left, self.value_term(type_, value, name))))
        return found

    def record(self, facts: Mapping[str, Value]) -> Term:
        """Return a record as a value: the case of which exactly these facts are told."""
        args: list[Term] = []
        if self.fact:
            true = [Name(self.fact[n]) for n in self.fact if facts[n] is True]
            test = disjoin(equal(Name("f"), constructor) for constructor in true)
            args.append(Binder("fun", "f", Named(self.fact_type), test))
        if self.quantity:
            found: Term = Number(0)
            for name in reversed(self.quantity):
                value = self.value_term(self.base.facts[name].type, facts[name], name)
                found = Op("if", (equal(Name("f"), Name(self.quantity[name])), value, found))
            args.append(Binder("fun", "f", Named(self.quantity_type), found))
        args += [self.value_term(self.base.facts[n].type, facts[n], n) for n in self.component]
        return Apply(Name(self.case_constructor), tuple(args))
