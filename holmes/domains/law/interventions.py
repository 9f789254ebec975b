"""Law cases changed: the answer and all that follows from the facts are worked out anew under the same rules."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from holmes.cases import Case
from holmes.derivations.parts import canonical
from holmes.derivations.trace import trace
from holmes.domains.law.generate import OPERATORS
from holmes.domains.law.planner.neighbours import changes
from holmes.domains.law.rulebases import bundle
from holmes.generation.case_builder import concepts_of, difficulty
from holmes.interfaces import Domain
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.engine.record_space import Space, cells
from holmes.logic.engine.vectorized import ABLATIONS, decide
from holmes.logic.language.model import RuleBase
from holmes.logic.narrative.edit import edit_text
from holmes.logic.narrative.render import statements
from holmes.logic.prolog.program import program


class LawInterventions(Interventions):
    """A law case: one part; omitted facts are false ones that no reader needs."""

    def __init__(self, domain: Domain, case: Case) -> None:
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        return str(result.answer)

    def stated(self) -> frozenset[tuple[int, str]]:
        return frozenset((0, name) for name in statements(self._words, self.case.case, names=self.parts[0].names))

    @property
    def _words(self) -> RuleBase:
        return bundle(self.case.bundle)  # variants share its sentences, compiled once

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        return edit_text(self._words, text, change.fact, change.after, names=self.parts[0].names, rng=rng)

    def sound(self, change: Intervention) -> bool:
        """Tell whether no values of the omitted facts, all together, would change the answer after a change."""
        (component,) = self.components
        facts = change.applied(component.facts)
        left_out = [name for name in json.loads(self.case.plan)["omitted"] if name != change.fact]
        now = component.effect(facts)
        subsets = (names for size in range(1, len(left_out) + 1) for names in itertools.combinations(left_out, size))
        effects = (component.effect({**facts, **dict.fromkeys(names, True)}) for names in subsets)
        return now is not None and all(effect is None or effect.answer == now.answer for effect in effects)

    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        (part,), (own,) = self.parts, facts
        base, result = part.base, evaluate(part.base, own)
        records = _record(base, own)
        near = changes(base, records, np.zeros(1, dtype=np.int64))
        plan = json.loads(self.case.plan)
        omitted = [name for name in plan["omitted"] if own[name] is False]
        decisive = near.decisive(0)
        plan |= {
            "answer": result.answer,
            "target_articles": [name for name, there in result.triggered.items() if there],
            "applicable_articles": list(result.applying),
            "conflicts": [[c.winner, c.loser, "defeats" if c.active else "idle"] for c in result.conflicts],
            "decisive": list(decisive),
            "irrelevant": [name for name in near.irrelevant(0) if name not in omitted],
            "omitted": omitted,
        }
        return replace(
            self.case,
            case=text,
            answer=str(result.answer),
            trace=trace(base, own, names=part.names),
            difficulty=difficulty(result, self.case.difficulty.tier, concepts_of(base)),
            facts=tuple(replace(fact, value=canonical(own[fact.name])) for fact in self.case.facts),
            program=program(base, own),
            tags=_tags(base, records, decisive),
            plan=json.dumps(plan, separators=(",", ":")),
        )


def _record(base: RuleBase, facts: Facts) -> Space:
    """Return one record as a space of its own."""
    known = cells(base)
    codes = {
        name: np.array([next(i for i, cell in enumerate(known[name]) if cell.holds(facts[name]))], dtype=np.int64)
        for name in known
    }
    return Space(tuple(known), known, codes)


def _tags(base: RuleBase, record: Space, decisive: Sequence[str]) -> tuple[str, ...]:
    answer = decide(base, record).answer
    tags = [tag for tag, engine in OPERATORS.items() if decide(base, record, ABLATIONS[engine]).answer[0] != answer[0]]
    if any(base.facts[name].type.kind == "int" for name in decisive):
        tags.append("numeric")
    return (*tags, *(() if decisive else ("robust",)))
