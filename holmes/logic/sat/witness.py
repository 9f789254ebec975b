"""The search for a witness: a coherent record on which something holds, or the proof that there is none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from holmes.errors import InputError
from holmes.logic.engine.closures import Run, State
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.engine.sampling import Sampler, coherent_states
from holmes.logic.language.model import Expr, RuleBase
from holmes.logic.language.problems import Problem
from holmes.logic.sat.clauses import Clauses, default
from holmes.logic.sat.encoding import Encoding

SAMPLES, TRIES, MODELS, LISTS = 800, 6000, 12, 6
Test = Callable[[State], Any]


class Checker:
    """Witness search for one rule base."""

    def __init__(self, rulebase: RuleBase) -> None:
        self.base = rulebase
        self.program = program_for(rulebase)
        self.encoding = Encoding(rulebase)
        self.clauses: Clauses = self.encoding.clauses
        self.integrity = [self.run(e) for e in rulebase.integrity]
        self.samples = list(coherent_states(self.program, "semantics", SAMPLES, TRIES))
        self.sampler = Sampler(rulebase, "lists")
        self.solved()
        self.problems: list[Problem] = []

    def solved(self) -> None:
        """Where few random records are coherent, let the solver draw more."""
        rng = random.Random(f"{self.base.name}/solved")
        for _ in range(SAMPLES // 2 if len(self.samples) < SAMPLES // 2 else 0):
            record = self.clauses.solve([], rng)
            if record is None:
                return
            for whole in self.completions(record):
                state = self.state(whole)
                if state is not None:
                    self.samples.append((whole, state))

    def completions(self, record: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record with the facts that the solver does not know, lists and names, filled in."""
        missing = [fact for name, fact in self.base.facts.items() if name not in record]
        yield {**record, **{fact.name: default(fact) for fact in missing}}
        for _ in range(LISTS if missing else 0):
            yield {**record, **{fact.name: self.sampler.value(fact.type, 0.5) for fact in missing}}

    def run(self, expr: Expr) -> Run:
        """Compile a condition to a test of states."""
        return self.program.compile(unroll(expr, self.base), {})

    def state(self, record: dict[str, Any]) -> State | None:
        """Evaluate a record; None where it is incoherent."""
        try:
            state = self.program.run(record)
        except InputError:  # a list or a number outside what the tables cover
            return None
        state += [None] * (self.program.size - len(state))
        return state if all(condition(state) for condition in self.integrity) else None

    def witness(self, test: Callable[[State], Any], *assumptions: int, record_test: Any = None) -> str:
        """Say whether a coherent record passes: yes | no | unknown. record_test: a test that also sees the record."""

        def holds(record: dict[str, Any], state: State) -> bool:
            return bool(test(state)) and (record_test is None or bool(record_test(record)))

        for record, state in self.samples:
            if len(state) < self.program.size:
                state += [None] * (self.program.size - len(state))
            if holds(record, state):
                return "yes"
        switch = self.clauses.fresh()
        for attempt in range(MODELS):
            model = self.clauses.solve([switch, *assumptions])
            if model is None:
                return "no" if attempt == 0 else "unknown"
            for whole in self.completions(model):
                found = self.state(whole)
                if found is not None and holds(whole, found):
                    self.samples.append((whole, found))
                    return "yes"
            opened = self.clauses.open_literals()
            if not opened:
                return "unknown"
            signs = {abs(lit): lit for lit in self.clauses.solver.get_model()}
            self.clauses.add(-switch, *(-signs[lit] for lit in opened))
        return "unknown"

    def report(
        self, line: int, rule: int | str, field: str, found: str, expected: str, kind: str = "semantics"
    ) -> None:
        self.problems.append(Problem(self.base.path, line, str(rule), field, found, expected, kind))

    def demand(
        self, answer: str, line: int, rule: int | str, field: str, found: str, expected: str, kind: str = "semantics"
    ) -> None:
        """Report a fault where there is no witness, a warning where none was found and none excluded."""
        if answer == "no":
            self.report(line, rule, field, found, expected, kind)
        elif answer == "unknown":
            text = f"unchecked: {found}, which neither a sample nor the solver settles"
            self.problems.append(Problem(self.base.path, line, str(rule), field, text, expected, kind, warning=True))
