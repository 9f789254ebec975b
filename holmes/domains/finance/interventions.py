"""Finance cases changed: one claim, several items of one person, or several people with lists of papers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from holmes.cases import Case
from holmes.domains.finance.generate import case_of, gold, union
from holmes.domains.finance.parts import parts_of
from holmes.domains.finance.planner.composition import JOINT, Slot
from holmes.domains.finance.planner.records import PERSONAL
from holmes.domains.finance.text import Span, item_spans, joint_spans, list_sentence, read_lists, split
from holmes.errors import InputError
from holmes.interfaces import Domain
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.model import RuleBase
from holmes.logic.narrative.edit import edit_text, sentences
from holmes.logic.narrative.render import statements


class FinanceInterventions(Interventions):
    """A finance case: its gold is the list of its parts' golds; what several parts share stays as it is."""

    def __init__(self, domain: Domain, case: Case) -> None:
        found = parts_of(case)
        self.claims, self.many = found.parts, found.many
        self.joint = self.many and "parallel" in case.task
        counts = Counter(fact for part in self.claims for fact in part.facts)
        self._shared = frozenset(fact for fact in PERSONAL if counts[fact] > 1) if not self.joint else frozenset(
            split(self.claims[0].clause).shared.facts
        )  # fmt: skip
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        return gold(self.case.task, result)

    def whole(self, golds: Sequence[str]) -> str:
        if not self.many:
            return golds[0]
        return union([(part.subject, own) for part, own in zip(self.claims, golds, strict=True)])

    def may(self, change: Intervention) -> bool:
        if change.fact in self._shared:
            return False
        if self.joint and change.fact == JOINT[self.claims[0].clause]:  # people of a joint claim differ in category
            return change.after not in {part.facts[change.fact] for part in self.claims}
        return True

    def _papers(self) -> tuple[str, ...]:
        return split(self.claims[0].clause).papers if self.joint else ()

    def _span(self, text: str, number: int) -> Span:
        """Return where the text tells of one part alone."""
        if not self.many:
            return Span(0, len(text))
        if self.joint:
            return joint_spans(text, [part.name for part in self.claims])[f"{self.claims[number].name}:"]
        return item_spans(text)[number]

    def _words(self, number: int) -> RuleBase:
        return split(self.claims[number].clause).own if self.joint else self.parts[number].base

    def stated(self) -> frozenset[tuple[int, str]]:
        found = {(number, paper) for number in range(len(self.parts)) for paper in self._papers()}
        for number, part in enumerate(self.parts):
            own = self._span(self.case.case, number).of(self.case.case)
            found |= {(number, fact) for fact in statements(self._words(number), own, names=part.names)}
        return frozenset(found)

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        if change.fact in self._papers():
            return self._relist(text, told, change)
        names = self.parts[change.part].names
        span = self._span(text, change.part)
        own = edit_text(self._words(change.part), span.of(text), change.fact, change.after, names=names, rng=rng)
        return span.put(text, own)

    def _relist(self, text: str, told: Sequence[Facts], change: Intervention) -> str:
        """Put one name on the list of a paper, or take it off; the names keep the order of the case."""
        kind, names = self.claims[0].clause, [part.name for part in self.claims]
        having = [
            name
            for number, (name, facts) in enumerate(zip(names, told, strict=True))
            if (change.after if number == change.part else facts[change.fact])
        ]
        span = joint_spans(text, names)[""]
        lists = span.of(text)
        for start, sentence in sentences(lists):
            form = read_lists(kind, sentence).get(change.fact)
            if form is not None:
                new = list_sentence(kind, change.fact, having, form.number)
                return span.put(text, lists[:start] + new + lists[start + len(sentence) :])
        raise InputError(f"case text: papers: found no list of {change.fact}, expected one")

    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        case = self.case
        parts = [
            replace(part, facts=dict(own), silent=tuple(name for name in part.silent if own[name] is False))
            for part, own in zip(self.claims, facts, strict=True)
        ]
        slot = Slot(case.task, self.claims[0].clause if not self.many or self.joint else "", len(parts), 0)
        return case_of(case.seed, case.index, slot, parts, text)
