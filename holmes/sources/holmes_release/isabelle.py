"""Read the released Isabelle theories: the truth assignment, and which premises each lemma uses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holmes.errors import InputError

_AXIOM = re.compile(r'^\s*(?:and\s+)?(\w+):\s*"(\\<not>\s*)?(\w+)\s+\w+"\s*$', re.M)
_LEMMA = re.compile(r'^(?:lemma|theorem)\s+(\w+):\s*"([^"\n]*)"\s*\n(.*?)(?=^(?:lemma|theorem|end)\b)', re.M | re.S)
_USING = re.compile(r"^\s*using\s+(.*)$", re.M)


@dataclass(frozen=True, slots=True)
class Lemma:
    """One lemma: its name, its statement, the premises its first ``using`` names, and its whole proof."""

    name: str
    statement: str
    premises: tuple[str, ...]
    proof: str


@dataclass(frozen=True, slots=True)
class Theory:
    """A theory: axioms (label -> atom and value, a complete assignment) and lemmas in order."""

    axioms: tuple[tuple[str, str, bool], ...]
    lemmas: tuple[Lemma, ...]

    def assignment(self) -> dict[str, bool]:
        """Return atom -> value in the order of the axioms."""
        return {atom: value for _, atom, value in self.axioms}

    def literal(self, premise: str) -> tuple[str, bool] | None:
        """Return the literal (atom or concept, value) that a premise label stands for, None for other lemmas."""
        for label, atom, value in self.axioms:
            if label == premise:
                return atom, value
        if premise.startswith("derive_"):
            return premise.removeprefix("derive_"), True
        if premise.startswith("not_derive_"):
            return premise.removeprefix("not_derive_"), False
        return None


def read_theory(code: str, place: str) -> Theory:
    """Read a theory.

    code: the theory as released. place: file and record for messages.
    Returns the Theory. Raises InputError when there are no axioms or one atom has two values.
    """
    start = code.find("axiomatization")
    first = _LEMMA.search(code)
    if start < 0 or first is None:
        raise InputError(f"{place}: field isabelle.theory_code: found no axioms or no lemmas, expected a whole theory")
    axioms = tuple((m[1], m[3], m[2] is None) for m in _AXIOM.finditer(code, start, first.start()))
    values: dict[str, bool] = {}
    for _, atom, value in axioms:
        if values.setdefault(atom, value) != value:
            raise InputError(f"{place}: field isabelle.theory_code: found both values of {atom}, expected one")
    lemmas = []
    for match in _LEMMA.finditer(code, first.start()):
        used = _USING.search(match[3])
        lemmas.append(Lemma(match[1], match[2], tuple(used[1].split()) if used else (), match[3]))
    return Theory(axioms, tuple(lemmas))
