"""A case that can be changed: its parts, their answers, what may change, and how the change is told and rebuilt."""

from __future__ import annotations

import abc
import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.derivations.parts import Part
from holmes.errors import InputError
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Component, Intervention
from holmes.logic.engine.evaluate import Evaluation

_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?")


class _Derives(Protocol):
    def derivations(self, case: Case) -> Derivations | None: ...


def derivations_in(domain: _Derives, case: Case) -> Derivations:
    """Return the derivations of a case that admits interventions; raises InputError where it has none."""
    found = domain.derivations(case)
    if found is None:
        raise InputError(f"case {case.id!r}: field question: found no derivation, expected a case that is told")
    return found


class Interventions(abc.ABC):
    """The intervention model of one case: do(fact := value), told in its text.

    case: the original. parts: what it was built from. derive: gives its derivations.
    components: the same parts, under intervention on one fact.
    """

    def __init__(self, case: Case, parts: Sequence[Part], derive: Callable[[], Derivations]) -> None:
        self.case = case
        self.parts: tuple[Part, ...] = tuple(parts)
        self.derive = derive
        self.components = tuple(
            Component(part.base, part.facts, self.gold, self.apart, self.gap) for part in self.parts
        )
        self.told = self.stated()

    @abc.abstractmethod
    def gold(self, result: Evaluation) -> str:
        """Return the answer of a part."""

    @abc.abstractmethod
    def stated(self) -> frozenset[tuple[int, str]]:
        """Return (part, label of a fact) for every fact that the case text states, in so many words or by a list."""

    @abc.abstractmethod
    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        """Return a case text that tells one change; raises InputError where the words do not fit.

        told: the record of each part as `text` tells it.
        """

    @abc.abstractmethod
    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        """Return the case anew with other facts and its text: answer, trace, program, plan and what else follows."""

    def whole(self, golds: Sequence[str]) -> str:
        """Return the answer of the case from those of its parts."""
        return golds[0]

    def apart(self, one: str, other: str) -> bool:
        """Tell whether a scorer tells two answers of a part apart."""
        return one != other

    def gap(self, result: Evaluation) -> Fraction | None:
        """Return by how much the value that a claim is about exceeds the one it names; None without such a claim."""
        return None

    def tells(self, change: Intervention) -> bool:
        """Tell whether the case text can tell a change in its place."""
        try:
            self.edit_text(self.case.case, [component.facts for component in self.components], change, random.Random(0))
        except InputError:
            return False
        return True

    def may(self, change: Intervention) -> bool:
        """Tell whether a change leaves the case of its kind."""
        return True

    def sound(self, change: Intervention) -> bool:
        """Tell whether the answer after a change needs nothing of what the text leaves out on purpose."""
        return True

    def copied(self, answer: str) -> bool:
        """Tell whether an amount could be copied from the text."""
        if self.case.answer_type != "amount" or answer == "0":
            return False
        return Fraction(answer) in {Fraction(n.replace(",", "")) for n in _AMOUNT.findall(self.case.case)}

    def used(self) -> frozenset[tuple[int, str]]:
        """Return (part, label of a fact) for every fact on which a triggered rule rests.

        A rule is a policy that is triggered or passes; where an amount or a claim is asked about, that rule too.
        """
        found: set[tuple[int, str]] = set()
        for number, part in enumerate(self.derive().parts):
            starts = [part.root] if part.answer is None or self.case.answer_type == "amount" else []
            for node, label in part.graph.labelled():
                holds = label.value == ("PASS" if label.kind == "gate" else "true")
                if holds and (label.kind == "gate" or (label.kind == "policy" and label.aspect == "triggered")):
                    starts.append(node)
            for node in part.graph.reachable(*starts) if starts else ():
                inner = part.graph.info(node)
                if inner is not None and inner.kind == "fact":
                    found.add((number, inner.name))
        return frozenset(found)
