"""The formal intermediate form: types, terms and declarations that HOL Light and Isabelle/HOL share, one for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias


# ---------------------------------------------------------------- types
@dataclass(frozen=True, slots=True)
class Named:
    """A type by its name: bool, int, a declared data type, or a type variable (``'p``)."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """Lists over a type."""

    of: FormalType


@dataclass(frozen=True, slots=True)
class Function:
    """Curried functions."""

    source: FormalType
    target: FormalType


FormalType: TypeAlias = "Named | ListOf | Function"
BOOL, INT = Named("bool"), Named("int")


def arrows(*types: FormalType) -> FormalType:
    """Return the type of curried functions from all but the last type to the last."""
    *sources, found = types
    for source in reversed(sources):
        found = Function(source, found)
    return found


# ---------------------------------------------------------------- terms
@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a constructor or a declared constant; the last two are unique in a theory by their prefix."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """An integer literal."""

    value: int


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to arguments."""

    function: Term
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Op:
    """A built-in operator: true false not and or imp iff eq le add sub mul neg if list cons."""

    op: str
    args: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Binder:
    """kind: fun | all | some; one typed variable."""

    kind: str
    variable: str
    type: FormalType
    body: Term


Term: TypeAlias = "Name | Number | Apply | Op | Binder"
TRUE, FALSE = Op("true"), Op("false")


def call(name: str, *args: Term) -> Term:
    """Return a constant applied to arguments; the constant itself without any."""
    return Apply(Name(name), args) if args else Name(name)


def negate(term: Term) -> Term:
    """Return the negation, without a double one."""
    return term.args[0] if isinstance(term, Op) and term.op == "not" else Op("not", (term,))


def conjoin(terms: Iterable[Term]) -> Term:
    """Return the conjunction; true for none, the term itself for one."""
    found = tuple(terms)
    return TRUE if not found else found[0] if len(found) == 1 else Op("and", found)


def disjoin(terms: Iterable[Term]) -> Term:
    """Return the disjunction; false for none, the term itself for one."""
    found = tuple(terms)
    return FALSE if not found else found[0] if len(found) == 1 else Op("or", found)


def equal(left: Term, right: Term) -> Term:
    """Return the equality of two terms that are no truth values."""
    return Op("eq", (left, right))


def at_most(left: Term, right: Term) -> Term:
    """Return left <= right, over integers."""
    return Op("le", (left, right))


def cases(branches: Iterable[tuple[Term, Term]], otherwise: Term) -> Term:
    """Return `if … then … else …` over branches in their order."""
    found = otherwise
    for test, value in reversed(tuple(branches)):
        found = Op("if", (test, value, found))
    return found


def parts(term: Term) -> Iterator[Term]:
    """Yield a term and all its sub-terms, parents first."""
    yield term
    match term:
        case Apply(function=function, args=args):
            yield from parts(function)
            for arg in args:
                yield from parts(arg)
        case Op(args=args):
            for arg in args:
                yield from parts(arg)
        case Binder(body=body):
            yield from parts(body)


def names(term: Term) -> set[str]:
    """Return all names in a term, variables included."""
    return {part.name for part in parts(term) if isinstance(part, Name)}


# ---------------------------------------------------------------- declarations
@dataclass(frozen=True, slots=True)
class Datatype:
    """A free data type with its constructors and the types of their arguments."""

    name: str
    constructors: tuple[tuple[str, tuple[FormalType, ...]], ...]

    @property
    def type(self) -> FormalType:
        """The type itself."""
        return Named(self.name)


@dataclass(frozen=True, slots=True)
class Definition:
    """A constant with its parameters and what it is equal to. note: what it formalises, for readers."""

    name: str
    parameters: tuple[tuple[str, FormalType], ...]
    type: FormalType
    body: Term
    note: str = ""

    @property
    def left(self) -> Term:
        """The constant applied to its parameters."""
        return call(self.name, *(Name(variable) for variable, _ in self.parameters))

    @property
    def whole(self) -> FormalType:
        """The type of the constant."""
        return arrows(*(type_ for _, type_ in self.parameters), self.type)


@dataclass(frozen=True, slots=True)
class Recursion:
    """A function by primitive recursion over a data type (or lists): one equation a constructor.

    type: of the function. over: the data type's name, ``list`` for lists. clauses: (left, right).
    """

    name: str
    type: FormalType
    over: str
    clauses: tuple[tuple[Term, Term], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The theorem that `applies` is what a semantics of defeat says, for every family of triggers.

    name: of the theorem. semantics: the operator of the base theory. overrides, applies: constants.
    losers: policy -> (the constant of its own standing, the policies that override it, those policies' constants).
    """

    name: str
    semantics: str
    overrides: str
    applies: str
    policies: str
    context: str
    losers: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    relations: tuple[str, ...]


Declaration: TypeAlias = "Datatype | Definition | Recursion | Grounded"


class Theory:
    """Declarations in order, each name once; equal content is declared once, other content gets another name."""

    def __init__(self) -> None:
        self.declarations: dict[str, Declaration] = {}
        self.constructors: set[str] = set()

    def free(self, name: str, make: object) -> str:
        """Return the name under which `make(name)` is declared: `name`, or `name` with a number.

        make: a function from the name to the declaration.
        """
        assert callable(make)
        number = 1
        while True:
            wanted = name if number == 1 else f"{name}_{number}"
            declaration: Declaration = make(wanted)
            known = self.declarations.get(wanted)
            if known is None:
                self.declarations[wanted] = declaration
                return wanted
            if known == declaration:
                return wanted
            number += 1
