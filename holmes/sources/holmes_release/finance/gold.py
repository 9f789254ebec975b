"""Re-derive the released finance cases: verdict or amount, and the trace, byte for byte.

The engine computes every value; the words around them (step descriptions, titles, names of verdicts) are learned from
the imported traces by majority, so that no wording of the release stands in this package.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.configs.by_type import WRONG
from holmes.errors import InputError
from holmes.sources.holmes_release.finance import documents, events, fees, travel
from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.finding import FULL, REJECT, Finding, Value, Word
from holmes.sources.holmes_release.finance_import import FOLDER, SAMPLES, components, read_finance
from holmes.util.files import read_json

Rule = Callable[[Conditions, str], Finding]
RULES: dict[str, Rule] = {
    "3": lambda c, form: documents.materials(c),
    "4": lambda c, form: documents.invoices(c),
    "6": lambda c, form: documents.office(c),
    "7": travel.domestic,
    "8": travel.abroad,
    "9": events.conference,
    "10": fees.training,
    "11": lambda c, form: documents.family_visits(c),
    "13": fees.experts,
    "14": lambda c, form: documents.advance_payments(c),
    "15": lambda c, form: documents.warranties(c),
    "16": lambda c, form: documents.assets(c),
    "17": lambda c, form: documents.maintenance(c),
    "18": events.hospitality,
    "19": events.visitors,
    "20": lambda c, form: documents.loans(c),
}
_HEAD = re.compile(r"^Evaluating Rule (\w+) .*$", re.M)
_STEP = re.compile(r"^Step (?P<n>\d+): (?P<before>.*?(?:Result: |Output: |Conclusion — ))(?P<value>.*)\.$", re.M)
_SCENARIO = re.compile(r"^\[Scenario \d+: .*\]$", re.M)
# fields that tell which rule a record is for: (rule, a field that only its records have)
_MARKS = (
    ("19", "visit scope"), ("3", "appointment form printed"), ("4", "invoice lacks supervision seal"),
    ("6", "expense office stationery"), ("8", "has overseas expense statement"), ("9", "conf scope"),
    ("10", "training participant role"), ("11", "staff unmarried visiting parents"),
    ("13", "expense graduate thesis review defense"), ("14", "approval form original provided"),
    ("15", "rule15 case.claim type"), ("16", "not indispensable hardware component"),
    ("17", "is equipment maintenance fee"), ("18", "is domestic official hospitality"),
    ("20", "is special business for temp loan"), ("7", "has trip report form"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a case: its rule, what the engine finds, and its block of the released trace."""

    rule: str
    name: str
    finding: Finding
    block: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A finance case re-derived. gold, derived: answers as in `Case.answer`; told: the answer the released trace gives.

    trace: regenerated; released: as released.
    """

    case: Case
    parts: tuple[Part, ...]
    gold: str
    derived: str
    told: str
    trace: str
    released: str

    @property
    def odd(self) -> str:
        """Which of gold, trace and conditions stands alone, empty where all agree; two where no two of them agree.

        The engine follows the conditions, so where gold and trace say the same against it, these are the odd one.
        """
        if self.derived != self.gold:
            alone = "gold" if self.told == self.derived else "conditions" if self.told == self.gold else ""
            return alone or "gold and trace"
        return "trace" if self.trace != self.released else ""


def rule_of(c: Conditions) -> str:
    """Return the number of the rule whose record this is; raises InputError where no rule has such fields."""
    for rule, mark in _MARKS:
        if mark in c.values:
            return rule
    raise InputError(f"{c.place}: found fields {', '.join(list(c.values)[:3])}, expected a record of a known rule")


def check(root: Path) -> list[Checked]:
    """Re-derive every finance case below `root` (the folder that holds ``finance_data``).

    Returns the cases in released order. Raises InputError naming file and record where a record cannot be read.
    """
    cases = read_finance(root)
    narratives = _narratives(root)
    named = {part["name"]: part["conditions"] for case in cases for part in components(case)}
    derived = [_parts(case, narratives[case.id], named) for case in cases]
    wording = _Wording()
    for case, parts in zip(cases, derived, strict=True):
        for part in parts:
            wording.learn(part, _form(case))
    done = []
    for case, parts in zip(cases, derived, strict=True):
        kind = json.loads(case.plan)["kind"]
        answer = _answer(kind, [(p.rule, p.finding.verdict, p.finding.amount) for p in parts])
        told = _answer(kind, [(p.rule, *wording.told(p, _form(case))) for p in parts])
        trace = wording.trace(parts, _form(case), narratives[case.id])
        done.append(Checked(case, parts, case.answer, answer, told, trace, narratives[case.id]))
    return done


def marked(cases: Sequence[Case], root: Path) -> tuple[list[Case], tuple[str, ...]]:
    """Return the cases, those whose gold their conditions do not entail with the tag `WRONG`; a note where none can be.

    root: where they were read.
    """
    try:
        right = {one.case.id: one.derived for one in check(root)}
    except InputError as error:
        return list(cases), (f"finance: wrong golds are not marked: {error}",)
    return [case if right[case.id] == case.answer else replace(case, tags=(*case.tags, WRONG)) for case in cases], ()


def _narratives(root: Path) -> dict[str, str]:
    found = {}
    for sample in SAMPLES:
        for row in read_json(root / FOLDER / f"{sample}.json"):
            found[f"finance/{sample}/{row['id']}"] = str(row["natural_language_trace"])
    return found


def _form(case: Case) -> str:
    return "amount" if "amount" in case.tags else "claim" if "sample2" in case.tags else "plain"


def _parts(case: Case, narrative: str, named: Mapping[str, Sequence[str]]) -> tuple[Part, ...]:
    blocks = re.split(r"(?=^Evaluating Rule )", _SCENARIO.sub("", narrative), flags=re.M)[1:]
    parts = []
    for index, component in enumerate(components(case)):
        place = f"{case.id}: component {component['name']!r}"
        conditions = _linked(Conditions.read(component["conditions"], place), named)
        rule = rule_of(conditions)
        finding = RULES[rule](conditions, _form(case))
        parts.append(Part(rule, component["resolved"], finding, blocks[index].strip() if index < len(blocks) else ""))
    return tuple(parts)


def _linked(c: Conditions, named: Mapping[str, Sequence[str]]) -> Conditions:
    """Add the fields of the conference record that a visit names instead of holding it."""
    name = c.values.get("linked rule9 case")
    if name is None:
        return c
    if name not in named:
        raise InputError(f"{c.place}: field linked rule9 case: found {name!r:.40}, expected the name of a component")
    linked = Conditions.read(named[name], c.place)
    return Conditions({**linked.values, **c.values}, c.place)


def _answer(kind: str, found: Sequence[tuple[str, str, int | None]]) -> str:
    """Return the answer of a case from (rule, verdict, amount) of its components."""
    verdicts = [verdict for _, verdict, _ in found]
    if kind == "amount":
        return str(found[0][2])
    if kind == "report":
        return json.dumps(verdicts)
    if kind == "material":
        return "Material_Complete" if verdicts[0] == FULL else "Material_Incomplete"
    if len(found) > 1:  # an invoice check before another rule
        return REJECT if "Invoice_Error" in verdicts else verdicts[-1]
    return verdicts[0]


class _Wording:
    """The words of the released traces: descriptions of the steps by place, names of verdicts by key."""

    def __init__(self) -> None:
        self.shapes: dict[tuple[str, str], Counter[tuple[str, ...]]] = defaultdict(Counter)
        self.heads: dict[str, Counter[str]] = defaultdict(Counter)
        self.words: dict[tuple[str, str, int, str], Counter[str]] = defaultdict(Counter)

    def learn(self, part: Part, form: str) -> None:
        steps = list(_STEP.finditer(part.block))
        head = _HEAD.search(part.block)
        if head is None or len(steps) != len(part.finding.values):
            return
        self.heads[part.rule][head[0]] += 1
        self.shapes[part.rule, form][tuple(step["before"] for step in steps)] += 1
        for index, (step, value) in enumerate(zip(steps, part.finding.values, strict=True)):
            if isinstance(value, Word):
                self.words[part.rule, form, index, value.key][step["value"].split(" (approved")[0]] += 1

    def trace(self, parts: Sequence[Part], form: str, narrative: str) -> str:
        """Return the regenerated trace; headings of scenarios are taken over when there are any."""
        scenarios = _SCENARIO.findall(narrative)
        blocks = []
        for index, part in enumerate(parts):
            head = f"[Scenario {index + 1}: {part.name}]\n" if scenarios else ""
            blocks.append(head + self.block(part, form))
        return "\n\n".join(blocks)

    def block(self, part: Part, form: str) -> str:
        """Return one component's block."""
        if not self.shapes[part.rule, form]:
            return ""
        shape = _most(self.shapes[part.rule, form])
        lines = [
            f"Step {index + 1}: {before}{self.value(part, form, index, value)}."
            for index, (before, value) in enumerate(zip(shape, part.finding.values, strict=False))
        ]
        return f"{_most(self.heads[part.rule])}\n\n" + "\n".join(lines)

    def value(self, part: Part, form: str, index: int, value: Value) -> str:
        """Return a step's value as the release writes it."""
        if isinstance(value, bool):
            return "PASS" if value else "FAIL"
        if isinstance(value, int):
            return str(value)
        known = self.words[part.rule, form, index, value.key]
        word = _most(known) if known else value.key.replace("_", " ")
        return word if value.amount is None else f"{word} (approved amount: {value.amount})"

    def told(self, part: Part, form: str) -> tuple[str, int | None]:
        """Return verdict and amount as the released trace gives them."""
        steps = list(_STEP.finditer(part.block))
        if not steps:
            return "", None
        amount = re.search(r"\(approved amount: (-?\d+)\)", part.block)
        last = steps[-1]["value"]
        for (rule, shape, index, key), words in self.words.items():
            if (rule, shape, index) == (part.rule, form, len(steps) - 1) and _most(words) == last:
                return key, int(amount[1]) if amount else None
        return last, int(amount[1]) if amount else None


def _most(counter: Counter[Any]) -> Any:
    """The most frequent item, ties by their text."""
    return min(counter.items(), key=lambda item: (-item[1], str(item[0])))[0]


def steps_of(checked: Checked) -> Iterator[tuple[int, str, str]]:
    """Yield (number of the line from 1, regenerated, released) for the lines of a trace that differ."""
    ours, theirs = checked.trace.splitlines(), checked.released.splitlines()
    for index in range(max(len(ours), len(theirs))):
        one = ours[index] if index < len(ours) else ""
        other = theirs[index] if index < len(theirs) else ""
        if one != other:
            yield index + 1, one, other
