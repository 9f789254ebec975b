"""Defects of the released finance cases: golds, traces and texts held against the engine and each other."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from holmes.cases import Case
from holmes.results import Defect
from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.gold import Checked, check, steps_of
from holmes.sources.holmes_release.finance_import import FOLDER, GOLD, SAMPLES, components
from holmes.sources.holmes_release.law_import import find_root
from holmes.sources.holmes_release.law_lexicon import symbols
from holmes.store import original

SOURCE = "finance_release"
STATED = 0.85  # a number that this share of the texts states is one that a text has to state
_TENS = {"ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50"}
_STEP = re.compile(r"^Step \d+: ", re.M)


def finance_defects() -> Iterator[Defect]:
    """Yield the defects of the imported finance cases.

    Kinds: wrong_gold, shifted_trace (the trace of another case), truncated_trace, wrong_trace, duplicate (the same
    conditions), copied_text (one text, two sets of conditions), omitted_fact (a number that the texts usually state),
    symbol_leak, wrong_count (more conditions declared than listed).
    """
    root = find_root(original("holmes-release"))
    if not (root / GOLD).is_file() or not all((root / FOLDER / f"{sample}.json").is_file() for sample in SAMPLES):
        return
    checked = check(root)
    yield from _golds(checked)
    yield from _traces(checked)
    cases = [one.case for one in checked]
    yield from _same_conditions(cases)
    yield from _same_texts(cases)
    yield from _numbers(cases)
    for case in cases:
        if leaks := symbols(case.case):
            evidence = f"symbols in the text: {', '.join(dict.fromkeys(leaks))}"
            yield Defect("symbol_leak", SOURCE, case.id, "case_ch", evidence)
        for part in components(case):
            if part["declared"] != len(part["conditions"]):
                evidence = f"{part['name']}: declares {part['declared']} conditions, lists {len(part['conditions'])}"
                yield Defect("wrong_count", SOURCE, case.id, "condition_count", evidence, str(len(part["conditions"])))


def _golds(checked: Sequence[Checked]) -> Iterator[Defect]:
    same: dict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
    for one in checked:
        for _, record, gold, _ in _claims(one):
            same[record][gold] += 1
    for one in checked:
        if one.gold == one.derived:
            continue
        agree = (
            " and so does the released trace" if one.told == one.derived else ", the released trace says " + one.told
        )
        evidence = f"gold {one.gold}, the conditions give {one.derived}{agree}"
        for number, record, gold, derived in _claims(one):
            if gold != derived:
                golds = same[record]
                evidence += f"; claim {number}: {golds[derived]} of {golds.total()} golds on this record say {derived}"
                part = components(one.case)[number - 1]
                if part["name"] != part["resolved"]:
                    evidence += f", it is named {part['name']} and holds {part['resolved']}"
        yield Defect("wrong_gold", SOURCE, one.case.id, "gold", evidence, one.derived)


def _claims(one: Checked) -> Iterator[tuple[int, tuple[object, ...], str, str]]:
    """(number, record, gold, derived) of each claim that has a gold of its own."""
    joint = one.case.answer_type == "report"
    golds, derived = (json.loads(text) if joint else [text] for text in (one.gold, one.derived))
    parts = components(one.case)
    if len(parts) == len(golds):
        for number, (part, gold, ours) in enumerate(zip(parts, golds, derived, strict=True), 1):
            yield number, ("amount" in one.case.tags, *sorted(part["conditions"])), gold, ours


def _traces(checked: Sequence[Checked]) -> Iterator[Defect]:
    by_trace: dict[str, str] = {}
    for one in checked:
        by_trace.setdefault(_bare(one.trace), one.case.id)
    previous = {two.case.id: _bare(one.trace) for one, two in pairwise(checked)}
    for one in checked:
        if one.trace == one.released:
            continue
        field, bare = "natural_language_trace", _bare(one.released)
        lines = list(steps_of(one))
        line, ours, theirs = lines[0]
        difference = f"line {line}: {theirs or 'nothing'} | right: {ours or 'nothing'}"
        if len(_STEP.findall(one.released)) < len(_STEP.findall(one.trace)) and _starts(one):
            yield Defect("truncated_trace", SOURCE, one.case.id, field, difference, one.trace)
        elif bare == previous.get(one.case.id):
            yield Defect(
                "shifted_trace", SOURCE, one.case.id, field, f"the case before has it; {difference}", one.trace
            )
        elif bare in by_trace:
            yield Defect("shifted_trace", SOURCE, one.case.id, field, f"fits {by_trace[bare]}; {difference}", one.trace)
        else:
            yield Defect("wrong_trace", SOURCE, one.case.id, field, difference, one.trace)


def _starts(one: Checked) -> bool:
    """True when the released trace is the beginning of the right one, up to its last line."""
    released = one.released.rstrip().splitlines()
    return one.trace.splitlines()[: max(0, len(released) - 1)] == released[:-1]


def _bare(trace: str) -> str:
    return re.sub(r"^\[Scenario .*\]$", "", trace, flags=re.M).strip()


def _key(case: Case) -> tuple[object, ...]:
    parts = tuple(tuple(sorted(part["conditions"])) for part in components(case))
    return ("amount" in case.tags, *parts)


def _same_conditions(cases: Sequence[Case]) -> Iterator[Defect]:
    first: dict[tuple[object, ...], str] = {}
    for case in cases:
        twin = first.setdefault(_key(case), case.id)
        if twin != case.id:
            yield Defect("duplicate", SOURCE, case.id, "conditions_nl", f"the same conditions as {twin}", twin)


def _same_texts(cases: Sequence[Case]) -> Iterator[Defect]:
    """One text on cases with other conditions: the defect is the case whose numbers it states less often."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[" ".join(re.findall(r"\w+", case.case.lower()))].append(case)
    for group in groups.values():
        if len({_key(case) for case in group}) < 2:
            continue
        ranked = sorted(group, key=lambda case: (len(_missing(case)), case.id))
        best = ranked[0]
        for case in ranked[1:]:
            if _key(case) != _key(best):
                evidence = f"the text of {best.id}, whose conditions differ"
                yield Defect("copied_text", SOURCE, case.id, "case_ch", evidence, best.id)


def _figures(case: Case) -> Iterator[tuple[str, str]]:
    """(field, number) of the conditions; numbers below 10 are too often words or implied."""
    for part in components(case):
        for field, value in Conditions.read(part["conditions"], case.id).values.items():
            if re.fullmatch(r"\d{2,}", value):
                yield field, value


def _told(text: str) -> set[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    words = {_TENS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _TENS}
    return set(re.findall(r"\d+", plain)) | words


def _missing(case: Case) -> list[tuple[str, str]]:
    told = _told(case.case)
    return [(field, value) for field, value in _figures(case) if value not in told]


def _numbers(cases: Sequence[Case]) -> Iterator[Defect]:
    """Numbers of the conditions that a text leaves out, for fields that texts state."""
    seen: dict[str, int] = defaultdict(int)
    left: dict[str, int] = defaultdict(int)
    missing: Mapping[str, list[tuple[str, str]]] = {case.id: _missing(case) for case in cases}
    for case in cases:
        for field, _ in _figures(case):
            seen[field] += 1
        for field, _ in missing[case.id]:
            left[field] += 1
    for case in cases:
        silent = [(f, v) for f, v in dict.fromkeys(missing[case.id]) if left[f] <= (1 - STATED) * seen[f]]
        if silent:
            listed = "; ".join(f"{field} = {value}" for field, value in silent)
            yield Defect("omitted_fact", SOURCE, case.id, "case_ch", "the text does not state all numbers", listed)
