"""Scores of the rules that a reply cites: ours, and the authors' (``compat="holmes-2026"``)."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holmes.cases import Case
from holmes.reading.citations import citations

# The stages of legal reasoning, and the stage of a trace step by its kind.
STAGES = ("concept", "trigger", "conflict", "conclusion")
_STAGE_OF = {
    "concept": 0, "table": 0, "policy": 1, "triggered": 1, "gate": 1, "selection": 1, "conflict": 2,
    "applies": 3, "decision": 3, "amount": 3,
}  # fmt: skip
_AUTHORS_STAGE = ("trigger", "trigger", "conflict", "conclusion")  # the authors know three


@dataclass(frozen=True, slots=True)
class RuleScore:
    """How well the cited rules match the gold trace, every number in [0, 1].

    order: of the pairs of gold rules of which one needs the other, the share cited in that order.
    stages: recall of the gold rules, for each stage that the case has. broken: the first stage that lacks one, or "".
    """

    precision: float
    recall: float
    f1: float
    order: float
    stages: Mapping[str, float]
    broken: str

    @property
    def coverage(self) -> float:
        """The mean recall over the stages that the case has; 1 where it has none."""
        return sum(self.stages.values()) / len(self.stages) if self.stages else 1.0

    def parts(self) -> dict[str, float]:
        """Return the numbers under the names that results use; the same names for every case."""
        named = {"rule_precision": self.precision, "rule_recall": self.recall, "rule_f1": self.f1}
        named |= {"rule_order": self.order, "stage_coverage": self.coverage}
        return named | {f"broken_{name}": float(name == self.broken) for name in STAGES}


@dataclass(frozen=True, slots=True)
class AuthorsScore:
    """The numbers of the authors' law scoring (HOLMES, main evaluation), every one in [0, 1]."""

    precision: float
    recall: float
    f1: float
    order: float
    stage: float
    reasoning: float
    overall: float
    shortcut: float

    def parts(self) -> dict[str, float]:
        """Return the numbers under the names that results use."""
        return {
            "rule_precision": self.precision,
            "rule_recall": self.recall,
            "rule_f1": self.f1,
            "rule_order": self.order,
            "stage_coverage": self.stage,
            "reasoning": self.reasoning,
            "overall": self.overall,
            "shortcut": self.shortcut,
        }


def gold_rules(case: Case) -> list[tuple[int, int]]:
    """Return (rule number, index of its stage in `STAGES`) for each step of the gold trace that uses a rule.

    Steps that record what does not hold (an exception that is not triggered) are left out.
    """
    return [(int(s.rule), _STAGE_OF.get(s.kind, 0)) for s in case.trace if s.rule.isdecimal() and s.result != "false"]


_LABEL = re.compile(r"(?:\d+\.)?(?P<kind>[a-z]+):(?P<rule>\d+)(?::[^=>:]*(?::(?P<aspect>[a-z]+))?)?(?P<rest>.*)")


def family_rules(case: Case) -> list[list[tuple[int, int]]]:
    """Return (rule number, index of its stage) of the steps that hold, for each listed derivation of a case.

    The one list of the gold trace for a case without derivations.
    """
    return list(_family_rules(case.derivations)) or [gold_rules(case)]


@functools.lru_cache(maxsize=512)
def _family_rules(derivations: Sequence[Sequence[str]]) -> tuple[list[tuple[int, int]], ...]:
    found: dict[tuple[tuple[int, int], ...], None] = {}
    for member in derivations:
        steps = []
        for label in member:
            parsed = _LABEL.fullmatch(label)
            if parsed is None or parsed["rule"] == "0" or label.endswith("=false"):
                continue  # a step without a rule: a decision that the release gives no number
            kind = parsed["aspect"] if parsed["kind"] == "policy" else parsed["kind"]
            steps.append((int(parsed["rule"]), _STAGE_OF.get(kind or "policy", 0)))
        found.setdefault(tuple(sorted(steps, key=lambda step: (step[1], step[0]))))
    return tuple(list(steps) for steps in found)


def _fit(cited: set[int], gold: Sequence[tuple[int, int]], every: Collection[int]) -> tuple[float, int]:
    wanted = {number for number, _ in gold}
    return _overlap(cited, wanted, set(every) - wanted)[2], -len(wanted)


def score_rules(
    case: Case, reply: str, needs: Mapping[int, Collection[int]] | None = None, *, bare: bool = False
) -> RuleScore:
    """Score the rules that a reply cites against the minimal sufficient derivation that fits them best.

    case: its derivations give the gold; its trace, where it has none. reply: the text without its reasoning. needs: for
    a rule, the rules whose results it uses directly (`rule_order`); without it a rule needs the gold rules of every
    earlier stage, since the order of independent rules is arbitrary. bare: count mentions outside brackets as well.
    Precision and recall are over sets of rules. A rule that is only recorded as not holding may be cited and need not
    be. No citation where there is gold scores 0; no gold and no citation 1.
    Returns a RuleScore. Design section 6; docs/scoring.md, Rules that are cited.
    """
    cited = citations(reply, bare=bare)
    optional = {int(s.rule) for s in case.trace if s.rule.isdecimal()}
    gold = max(family_rules(case), key=lambda one: _fit(set(cited), one, optional))
    stages: dict[str, float] = {}
    broken = ""
    for index, name in enumerate(STAGES):
        wanted = {number for number, stage in gold if stage == index}
        if wanted:
            stages[name] = len(wanted & set(cited)) / len(wanted)
            broken = broken or (name if stages[name] < 1 else "")
    wanted = {number for number, _ in gold}
    optional -= wanted
    precision, recall, f1 = _overlap(set(cited), wanted, optional)
    return RuleScore(precision, recall, f1, _order(cited, gold, needs), stages, broken)


def _order(cited: Sequence[int], gold: Sequence[tuple[int, int]], needs: Mapping[int, Collection[int]] | None) -> float:
    """The fraction of dependent pairs cited in order; a pair with a rule missing is not; 1 where nothing depends."""
    stage_of: dict[int, int] = {}
    for number, stage in gold:
        stage_of.setdefault(number, stage)  # a rule cited again for the conclusion keeps its first place
    pairs = [
        (earlier, later)
        for earlier in stage_of
        for later in stage_of
        if (stage_of[earlier] < stage_of[later] if needs is None else earlier in needs.get(later, ()))
    ]
    if not pairs:
        return 1.0 if not stage_of or set(cited) & set(stage_of) else 0.0
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for place, number in enumerate(cited):
        first.setdefault(number, place)
        last[number] = place
    kept = sum(1 for a, b in pairs if a in first and b in last and first[a] < last[b])
    return kept / len(pairs)


def authors_rules(case: Case, text: str, answer_right: bool) -> AuthorsScore:
    """Score the cited rules as the authors' release does, its arbitrary gold order included.

    case: its trace gives gold_rule_trace and the stages. text: the whole output. answer_right: by the authors' reading.
    A step is a numbered line, or, where there is none, a line with a citation; it counts only if it cites exactly one
    rule that exists. F1 over sets; order = longest common subsequence / gold length; stage = mean recall over the
    trigger, conflict and conclusion stages that the case has; reasoning = .4 F1 + .3 order + .3 stage;
    overall = .7 answer + .3 reasoning; shortcut = right answer with reasoning below .35.
    Returns an AuthorsScore. HOLMES release, law scoring.
    """
    gold = gold_rules(case)
    order = [number for number, _ in gold]
    cited = _authors_steps(text, allowed_rules(case))
    precision, recall, f1 = _overlap(set(cited), set(order))
    in_order = _common(cited, order) / len(order) if order else 0.0
    stages: dict[str, set[int]] = {}
    for number, index in gold:
        stages.setdefault(_AUTHORS_STAGE[index], set()).add(number)
    coverage = [len(wanted & set(cited)) / len(wanted) for wanted in stages.values()]
    stage = sum(coverage) / len(coverage) if coverage else 0.0
    reasoning = 0.4 * f1 + 0.3 * in_order + 0.3 * stage
    overall = 0.7 * answer_right + 0.3 * reasoning
    shortcut = float(answer_right and reasoning < 0.35)
    return AuthorsScore(precision, recall, f1, in_order, stage, reasoning, overall, shortcut)


def allowed_rules(case: Case) -> set[int]:
    """Return the numbers of the rules that the case's rule text prints, one a line."""
    numbered = re.finditer(r"^\s{0,8}(?:Rule\s{1,3}|\[Rule\s)?(\d{1,4})[\].:)]", case.rules, re.MULTILINE)
    return {int(match[1]) for match in numbered}


def _authors_steps(text: str, allowed: Collection[int]) -> list[int]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    steps = [line for line in lines if re.match(r"\d{1,6}[.)]\s", line)]
    if not steps:
        steps = [line for line in lines if re.search(r"\[Rule \d", line, re.IGNORECASE)]
    found = []
    for step in steps:
        numbers = [int(n) for n in re.findall(r"\[Rule\s{1,4}(\d{1,6})\]", step, re.IGNORECASE)]
        numbers = [n for n in dict.fromkeys(numbers) if not allowed or n in allowed]
        if len(numbers) == 1:
            found.append(numbers[0])
    return found


def _overlap(cited: set[int], gold: set[int], optional: Collection[int] = ()) -> tuple[float, float, float]:
    """Precision, recall, F1; optional rules are no mistake, and no hit for recall."""
    if not gold and not cited.difference(optional):
        return 1.0, 1.0, 1.0
    precision = len(cited & (gold | set(optional))) / len(cited) if cited else 0.0
    recall = len(cited & gold) / len(gold) if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """The length of the longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(a, b))
