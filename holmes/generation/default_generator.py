"""Cases of a domain that brings no generator: answers in turn, an operator that must decide, numbers at thresholds."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from holmes.cases import Case
from holmes.derivations.parts import Part
from holmes.errors import CheckFailed
from holmes.generation.case_builder import Asking, blank, told_case
from holmes.generation.disjoint_splits import fresh, nameless
from holmes.interfaces import SPLITS, Question
from holmes.interventions.coherence import coherent
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.engine.sampling import Sampler
from holmes.logic.english.render import rules_text
from holmes.logic.language.fingerprint import joined_fingerprint
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.narrative.render import case_text

OPERATORS = {  # tag -> the ablated engine that fails on the case
    "priority": "no_priorities",
    "exception": "no_exceptions",
    "exception_to_exception": "no_exceptions_to_exceptions",
    "grounded": "one_pass",
    "negation": "no_negation",
}
SEEDS = {"test": 20261201, "dev": 20261202, "train": 20261203}
SIZES = {"test": 30, "dev": 10, "train": 100}  # a rule base
PROBES = 1500  # records that show which answers and operators go together
SEEN_OFTEN = 3  # of the probes, for a pair of answer and operator to be planned
TRIES = 3000  # draws for one case
CANDIDATES = 20  # records of the plan with too few irrelevant facts, after which the first of them is taken
PLAIN = 5  # one case in so many is decided by no operator
IRRELEVANT = 2  # stated facts that bear on nothing, at least
OMITTED = 3  # facts left out, at most

Facts = Mapping[str, Value]
_PRINTED: dict[tuple[str, str], str] = {}


class Drawn(Asking, Protocol):
    """A domain whose cases are drawn here."""

    question: str

    def rulebases(self) -> Mapping[str, RuleBase]: ...
    def asked(self, case: Case) -> Question: ...


class DefaultGenerator:
    """Item i is item i // B of rule base i % B."""

    def __init__(self, domain: Drawn) -> None:
        self.domain = domain
        self.bases = tuple(domain.rulebases().values())

    @property
    def fingerprint(self) -> str:
        """Return one fingerprint for all rule bases."""
        return joined_fingerprint({base.name: base.fingerprint for base in self.bases})

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`; raises CheckFailed where no record of its plan is found."""
        base, inner = self.bases[index % len(self.bases)], index // len(self.bases)
        drawn = _Planner.of(base).record(f"{self.domain.name}/{base.name}/{seed}/{inner}", inner)
        return self._told(base, seed, index, drawn)

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item."""
        return self.item(seed, index).difficulty.tier

    def _told(self, base: RuleBase, seed: int, index: int, drawn: _Drawn) -> Case:
        rng = random.Random(f"{self.domain.name}/{base.name}/{seed}/{index}/text")
        names = {entity: rng.choice(base.names[entity]) for entity in base.entities if base.names.get(entity)}
        text = case_text(base, drawn.facts, rng, names=names, silent=drawn.omitted)
        case = blank(self.domain, base, f"{self.domain.name}/{base.name}/{seed}-{index}", "", _rules(base))
        name = next(iter(names.values()), "the case")
        case = replace(case, question=self.domain.asked(case).put(case, self.domain.question, name))
        plan = {"omitted": list(drawn.omitted), "irrelevant": list(drawn.irrelevant)}
        made = told_case(self.domain, case, Part(base, drawn.facts, names), text, plan, drawn.tags)
        return replace(made, seed=seed, index=index)

    # ------------------------------------------------------------ shipped splits
    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the splits: test, hard and smoke within it, dev and train apart from it and from each other."""
        made: dict[str, Callable[[], Iterator[Case]]] = {
            "test": lambda: iter(self._split("test")),
            "hard": lambda: (case for case in self._split("test") if hard(case)),
            "smoke": self._smoke,
            "dev": lambda: iter(self._split("dev")),
            "train": lambda: iter(self._split("train")),
        }
        return {split: made[split] for split in SPLITS}

    @functools.lru_cache(maxsize=3)  # noqa: B019 - one generator a domain
    def _split(self, split: str) -> tuple[Case, ...]:
        before = tuple(itertools.takewhile(lambda name: name != split, SIZES))
        seen = {nameless(case) for name in before for case in self._split(name)}
        size = SIZES[split] * len(self.bases)
        return tuple(fresh(lambda index: self.item(SEEDS[split], index), size, seen, nameless))

    def _smoke(self) -> Iterator[Case]:
        """Yield the first two hard cases of each rule base."""
        taken: Counter[str] = Counter()
        for case in self._split("test"):
            if hard(case) and taken[case.bundle] < 2:
                taken[case.bundle] += 1
                yield case


def hard(case: Case) -> bool:
    """Tell whether a case belongs to the split `hard`: two operators or more decide it, each on its own."""
    return sum(tag in OPERATORS for tag in case.tags) >= 2


def _rules(base: RuleBase) -> str:
    key = base.name, base.fingerprint
    return _PRINTED.get(key) or _PRINTED.setdefault(key, rules_text(base))


# ---------------------------------------------------------------- records
class _Drawn:
    """A record with what the text leaves out, what bears on nothing, and the operators that decide it."""

    def __init__(self, base: RuleBase, facts: Facts, result: Evaluation, rng: random.Random) -> None:
        self.facts, self.result = facts, result
        self.tags = deciding(base, facts, result)
        flips = [name for name, decl in base.facts.items() if decl.type.kind == "bool"]
        same = [name for name in flips if _same(base, facts, result, {name: not facts[name]})]
        loose = [name for name in same if facts[name] is False]
        rng.shuffle(loose)
        spare = max(0, len(same) - IRRELEVANT)
        self.omitted = _jointly(base, facts, result, loose[: min(OMITTED, spare)])
        self.irrelevant = tuple(name for name in same if name not in self.omitted)


def deciding(base: RuleBase, facts: Facts, result: Evaluation) -> tuple[str, ...]:
    """Return the operators without which the answer would be another one, as tags."""
    return tuple(tag for tag in OPERATORS if decides(tag, base, facts, result))


def decides(tag: str, base: RuleBase, facts: Facts, result: Evaluation) -> bool:
    """Tell whether the answer would be another one without an operator."""
    return bool(_answer(evaluate(base, facts, ablate=frozenset({OPERATORS[tag]}))) != _answer(result))


def _answer(result: Evaluation) -> Any:
    return result.answer if result.rulebase.amount is None else (result.answer, result.amount)


def _same(base: RuleBase, facts: Facts, result: Evaluation, change: Facts) -> bool:
    """Tell whether a change leaves the answer and the standing of every policy."""
    other = evaluate(base, {**facts, **change})
    return _answer(other) == _answer(result) and other.triggered == result.triggered


def _jointly(base: RuleBase, facts: Facts, result: Evaluation, names: Sequence[str]) -> tuple[str, ...]:
    """Return as many of some false facts as may be left out: no values of theirs, together, change the answer."""
    for size in range(len(names), 0, -1):
        chosen = tuple(names[:size])
        subsets = (part for n in range(1, size + 1) for part in itertools.combinations(chosen, n))
        if all(_same(base, facts, result, dict.fromkeys(part, True)) for part in subsets):
            return chosen
    return ()


class _Planner:
    """Which answers, and which operators with them, the records of a rule base can have; and records of a plan."""

    def __init__(self, base: RuleBase) -> None:
        self.base = base
        sampler, seen, self.answers = Sampler(base, "probes"), Counter[tuple[Any, str]](), Counter[Any]()
        for facts in (sampler.record() for _ in range(PROBES)):
            if not coherent(base, facts):
                continue
            result = evaluate(base, facts)
            self.answers[self._class(result)] += 1
            seen.update((self._class(result), tag) for tag in deciding(base, facts, result))
        if not self.answers:
            raise CheckFailed(f"{base.name}: integrity: found no coherent record in {PROBES} draws, expected some")
        self.operators = {
            answer: tuple(tag for tag in OPERATORS if seen[answer, tag] >= SEEN_OFTEN) for answer in self.answers
        }

    @classmethod
    def of(cls, base: RuleBase) -> _Planner:
        """Return the planner of a rule base, made once a process."""
        key = base.name, base.fingerprint
        return _PLANNERS.get(key) or _PLANNERS.setdefault(key, cls(base))

    def _class(self, result: Evaluation) -> Any:
        """Return the answer under which cases take turns: amounts are zero or not."""
        return result.answer if result.amount is None else result.amount != 0

    def record(self, key: str, turn: int) -> _Drawn:
        """Return the record of a turn: answers in turn, in four of five cases an operator that must decide."""
        rng = random.Random(key)
        wanted = sorted(self.answers, key=str)
        answer = wanted[turn % len(wanted)]
        known = self.operators[answer]
        operator = rng.choice(known) if known and rng.randrange(PLAIN) else ""
        sampler, spare, candidates = Sampler(self.base, key), None, 0
        for _ in range(TRIES):
            facts = sampler.record()
            if not coherent(self.base, facts):
                continue
            result = evaluate(self.base, facts)
            if self._class(result) != answer or (operator and not decides(operator, self.base, facts, result)):
                continue
            drawn = _Drawn(self.base, facts, result, rng)
            if len(drawn.irrelevant) >= IRRELEVANT:
                return drawn
            spare, candidates = spare or drawn, candidates + 1
            if candidates == CANDIDATES:
                return spare
        if spare is None:
            raise CheckFailed(f"{key}: found no record with answer {answer} in {TRIES} draws, expected one")
        return spare


_PLANNERS: dict[tuple[str, str], _Planner] = {}
