"""Why no case is such: a tree of case distinctions over atoms, each end of which one formula decides by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from holmes.errors import InputError
from holmes.formal.ir import Apply, Name, Number, Op, Term

Used = frozenset[Term]
MOST = 20000  # ends of one tree


@dataclass(frozen=True, slots=True)
class Leaf:
    """An end: what is given fails, the goal holds, an atom's definition says otherwise, or two thresholds contradict.

    kind: given | goal | defined | order. atoms: the atom defined, or the higher threshold met and the lower one missed.
    """

    kind: str
    atoms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A distinction: either the atom holds or it does not."""

    atom: Term
    yes: Tree
    no: Tree


Tree: TypeAlias = "Leaf | Split"


def size(tree: Tree) -> int:
    """Return the number of ends of a tree."""
    return 1 if isinstance(tree, Leaf) else size(tree.yes) + size(tree.no)


def atoms_of(formula: Term) -> Iterator[Term]:
    """Yield the atoms of a formula: whatever is no connective."""
    if isinstance(formula, Op) and formula.op in ("and", "or", "not", "imp", "iff", "if"):
        for arg in formula.args:
            yield from atoms_of(arg)
    elif not (isinstance(formula, Op) and formula.op in ("true", "false")):
        yield formula


def threshold(atom: Term) -> tuple[Term, int] | None:
    """Return (number, k) of an atom `k <= number`; None for another atom."""
    if isinstance(atom, Op) and atom.op == "le" and isinstance(atom.args[0], Number):
        return atom.args[1], atom.args[0].value
    return None


class Search:
    """Looks for the tree: propagation first, then the first open atom of an open formula."""

    def __init__(self, given: Term, goal: Term, definition: Callable[[Term], Term | None]) -> None:
        self.given, self.goal = given, goal
        self.known: dict[Term, bool] = {}
        self.definitions: dict[Term, Term] = {}
        self.ends = 0
        waiting = [*atoms_of(goal), *atoms_of(given)]
        self.thresholds: dict[Term, list[tuple[int, Term]]] = {}
        seen: set[Term] = set()
        while waiting:
            atom = waiting.pop(0)
            if atom in seen:
                continue
            seen.add(atom)
            if (found := threshold(atom)) is not None:
                self.thresholds.setdefault(found[0], []).append((found[1], atom))
            elif (body := definition(atom)) is not None:
                self.definitions[atom] = body
                waiting += atoms_of(body)
        for listed in self.thresholds.values():
            listed.sort(key=lambda pair: pair[0])

    # ------------------------------------------------------------ three values
    def value(self, formula: Term) -> tuple[bool | None, Used]:
        """Return the value of a formula under what is known, and the atoms that settle it."""
        if not isinstance(formula, Op) or formula.op in ("le", "eq"):
            known = self.known.get(formula)
            return known, frozenset() if known is None else frozenset({formula})
        args = formula.args
        match formula.op:
            case "true" | "false":
                return formula.op == "true", frozenset()
            case "not":
                inner, used = self.value(args[0])
                return (None if inner is None else not inner), used
            case "imp":
                return self.value(Op("or", (Op("not", (args[0],)), args[1])))
            case "and" | "or":
                stop = formula.op == "or"
                found = [self.value(arg) for arg in args]
                if ending := [used for value, used in found if value is stop]:
                    return stop, min(ending, key=len)
                if any(value is None for value, _ in found):
                    return None, frozenset()
                return not stop, frozenset[Term]().union(*(used for _, used in found))
            case "iff":
                (left, one), (right, two) = self.value(args[0]), self.value(args[1])
                return (None, frozenset()) if left is None or right is None else (left is right, one | two)
            case "if":
                test, used = self.value(args[0])
                if test is not None:
                    value, more = self.value(args[1] if test else args[2])
                    return (value, used | more) if value is not None else (None, frozenset())
                (left, one), (right, two) = self.value(args[1]), self.value(args[2])
                return (left, one | two) if left is not None and left is right else (None, frozenset())
        raise InputError(f"refutation: found {formula.op}, expected a condition")

    def implied(self, formula: Term, value: bool) -> Iterator[tuple[Term, bool]]:
        """Yield literals that a formula must have to get a value, as far as one look tells."""
        if not isinstance(formula, Op) or formula.op in ("le", "eq"):
            if formula not in self.known:
                yield formula, value
            return
        args = formula.args
        match formula.op:
            case "not":
                yield from self.implied(args[0], not value)
            case "imp":
                yield from self.implied(Op("or", (Op("not", (args[0],)), args[1])), value)
            case "and" | "or":
                if value is (formula.op == "and"):
                    for arg in args:
                        yield from self.implied(arg, value)
                    return
                found = [(arg, self.value(arg)[0]) for arg in args]
                if any(known is value for _, known in found):
                    return
                left = [arg for arg, known in found if known is None]
                if len(left) == 1:
                    yield from self.implied(left[0], value)
            case "iff":
                for one, other in ((args[0], args[1]), (args[1], args[0])):
                    known = self.value(other)[0]
                    if known is not None and self.value(one)[0] is None:
                        yield from self.implied(one, known is value)
            case "if":
                test = self.value(args[0])[0]
                if test is not None:
                    yield from self.implied(args[1] if test else args[2], value)

    # ------------------------------------------------------------ search
    def _forced(self) -> Iterator[tuple[Term, bool, Leaf]]:
        yield self.goal, False, Leaf("goal")
        yield self.given, True, Leaf("given")
        for atom, body in self.definitions.items():
            if atom in self.known:
                yield body, self.known[atom], Leaf("defined", (atom,))

    def _look(self) -> tuple[Leaf, Used] | tuple[Term, bool, Leaf] | None:
        """Return a contradiction with the atoms it rests on, a literal that is implied, or None."""
        for formula, wanted, leaf in self._forced():
            value, used = self.value(formula)
            if value is not None and value is not wanted:
                return leaf, used | frozenset(leaf.atoms)
        for listed in self.thresholds.values():
            met = [(k, atom) for k, atom in listed if self.known.get(atom) is True]
            missed = [(k, atom) for k, atom in listed if self.known.get(atom) is False]
            if met and missed and met[-1][0] >= missed[0][0]:
                order = Leaf("order", (met[-1][1], missed[0][1]))
                return order, frozenset(order.atoms)
            for k, atom in listed:
                if atom in self.known:
                    continue
                if met and k <= met[-1][0]:
                    return atom, True, Leaf("order", (met[-1][1], atom))
                if missed and k >= missed[0][0]:
                    return atom, False, Leaf("order", (atom, missed[0][1]))
        for formula, wanted, leaf in self._forced():
            for atom, value in self.implied(formula, wanted):
                return atom, value, leaf
        for atom, body in self.definitions.items():
            if atom not in self.known and (found := self.value(body)[0]) is not None:
                return atom, found, Leaf("defined", (atom,))
        return None

    def _open(self) -> Term:
        for formula, _, _ in self._forced():
            if self.value(formula)[0] is None:
                for atom in atoms_of(formula):
                    if atom not in self.known:
                        return atom
        raise InputError("refutation: found a case, expected a contradiction")

    def tree(self) -> tuple[Tree, Used]:
        """Return the tree and the atoms known outside that it rests on; raises InputError where there is a case."""
        found = self._look()
        if found is not None and len(found) == 2:
            self.ends += 1
            if self.ends > MOST:
                raise InputError(f"refutation: found more than {MOST} ends, expected a shorter proof")
            return found
        if found is None:
            atom = self._open()
            sides: dict[bool, tuple[Tree, Used]] = {}
            for value in (True, False):
                self.known[atom] = value
                sides[value] = self.tree()
                del self.known[atom]
                if atom not in sides[value][1]:
                    return sides[value]
            used = (sides[True][1] | sides[False][1]) - {atom}
            return Split(atom, sides[True][0], sides[False][0]), used
        atom, value, leaf = found
        self.known[atom] = not value
        against = self._leaf_use(leaf)
        self.known[atom] = value
        inner, used = self.tree()
        del self.known[atom]
        if atom not in used:
            return inner, used
        self.ends += 1
        yes, no = (inner, leaf) if value else (leaf, inner)
        return Split(atom, yes, no), (used | against) - {atom}

    def _leaf_use(self, leaf: Leaf) -> Used:
        """Return what the end rests on that closes the side of a literal which is not the implied one."""
        if leaf.kind == "order":
            return frozenset(leaf.atoms)
        formula, wanted = {
            "goal": (self.goal, False),
            "given": (self.given, True),
        }.get(leaf.kind) or (self.definitions[leaf.atoms[0]], self.known[leaf.atoms[0]])
        value, used = self.value(formula)
        if value is None or value is wanted:
            raise InputError("refutation: found an end that decides nothing, expected a contradiction")
        return used | frozenset(leaf.atoms)


def refute(given: Term, goal: Term, definition: Callable[[Term], Term | None]) -> Tree:
    """Return a tree that shows: what is given implies the goal.

    given, goal: conditions on the case. definition: atom -> what it stands for, None for facts and thresholds.
    Raises InputError where a case contradicts it.
    """
    return Search(given, goal, definition).tree()[0]


Unfold: TypeAlias = "Callable[[Term], Term]"
Substitution: TypeAlias = "Mapping[str, Term]"


def substitute(term: Term, values: Substitution) -> Term:
    """Return a term with variables replaced by closed terms or by variables of other names."""
    from holmes.formal.ir import Binder

    match term:
        case Name(name=name):
            return values.get(name, term)
        case Apply(function=function, args=args):
            head = substitute(function, values)
            rest = tuple(substitute(arg, values) for arg in args)
            return Apply(head.function, (*head.args, *rest)) if isinstance(head, Apply) else Apply(head, rest)
        case Op(op=op, args=args):
            return Op(op, tuple(substitute(arg, values) for arg in args))
        case Binder(kind=kind, variable=variable, type=type_, body=body):
            inner = {name: value for name, value in values.items() if name != variable}
            return Binder(kind, variable, type_, substitute(body, inner))
        case _:
            return term
