"""Released finance records that contradict themselves, their text, or each other."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from holmes.cases import Case
from holmes.results import Defect
from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance_import import components

SOURCE = "finance_release"
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_NAMED = re.compile(rf"\b({'|'.join(_MONTHS)})\b")
_JOURNEY = re.compile(r"\b(?:trip|travel\w*|journey)\b", re.I)
# when papers were handed in tells nothing of when one travelled
_FILED = re.compile(r"submitt|reimburs|filed|assembl|compil|process|handl|settl|prepared|batch", re.I)
_ITEMS = ("accommodation", "meals", "venue materials transport", "other")
_TRAINING = tuple(f"training {item} expense" for item in _ITEMS)
_INSTRUCTOR = (
    "instructor lecture fees",
    *(f"instructor {item} expense" for item in ("accommodation", "meals", "transportation")),
)
# (flag, number, threshold): the flag says whether the number is above it
_ABOVE = (
    ("training exceeds 30 days", "training duration days", 30),
    ("daily meal standard exceeds 100", "daily meal standard per person", 100),
    ("formal meal standard exceeds 150", "formal meal standard per person", 150),
    ("accompanying staff simple meal exceeds 50", "accompanying staff simple meal standard", 50),
)
# at most one of these can hold
_EXCLUSIVE = (
    ("is same city settlement", "is nonlocal settlement"),
    ("consultation type in person", "consultation type communication"),
    ("expense doctoral dissertation", "expense master thesis"),
    ("is research project fund", "is non research project fund"),
    ("staff unmarried visiting parents", "staff married visiting spouse", "staff married visiting parents"),
    ("intercity and lodging both paid by external unit", "only one of intercity or lodging paid by external unit"),
    ("borrower is fudan staff", "borrower is student", "borrower is external personnel"),
)
# (flag that says there is none, number that says there is)
_ABSENT = (
    ("has meal arranged", "actual meal ppd"),
    ("has lodging arranged", "actual lodging ppd"),
    ("use city transport lump sum", "city transport lump sum claimed total"),
    ("uses self drive or rental", "rental fuel toll total"),
    ("has city transport expense", "city transport actual claimed total"),
)


def inconsistencies(cases: Sequence[Case]) -> Iterator[Defect]:
    """Yield contradictory_conditions, wrong_month, asked_twice and id_gap of the finance cases, in their order."""
    for case in cases:
        for part in components(case):
            record = Conditions.read(part["conditions"], case.id).values
            for evidence in contradictions(record):
                named = f"{part['name']}: {evidence}"
                yield Defect("contradictory_conditions", SOURCE, case.id, "conditions_nl", named)
        yield from _months(case)
    yield from _asked_twice(cases)
    yield from _gaps(cases)


def contradictions(record: Mapping[str, str]) -> Iterator[str]:
    """Yield in words what cannot hold together in a record."""
    for flag, number, limit in _ABOVE:
        if flag in record and number in record and (record[flag] == "true") != (int(record[number]) > limit):
            yield f"{flag} = {record[flag]}, {number} = {record[number]}"
    for group in _EXCLUSIVE:
        if len(held := [field for field in group if record.get(field) == "true"]) > 1:
            yield " and ".join(f"{field} = true" for field in held)
    for flag, number in _ABSENT:
        if record.get(flag) == "false" and int(record.get(number, "0")) > 0:
            yield f"{flag} = false, {number} = {record[number]}"
    if record.get("payment amount gt 50000") == "true" and record.get("payment amount ge 30000") == "false":
        yield "payment amount gt 50000 = true, payment amount ge 30000 = false"
    if "training days beyond 30" in record:
        beyond = max(0, int(record["training duration days"]) - 30)
        if int(record["training days beyond 30"]) != beyond:
            days = record["training duration days"]
            yield f"training duration days = {days}, training days beyond 30 = {record['training days beyond 30']}"
        if record["training instructor fees"] != record["instructor lecture fees"]:
            fees, lecture = record["training instructor fees"], record["instructor lecture fees"]
            yield f"training instructor fees = {fees}, instructor lecture fees = {lecture}"
        total = sum(int(record[field]) for field in _TRAINING)
        if int(record["training total expense"]) - total not in _sums([int(record[field]) for field in _INSTRUCTOR]):
            yield f"training total expense = {record['training total expense']}, its items sum to {total}"


def _sums(numbers: Sequence[int]) -> set[int]:
    """The sums of some of the numbers: a total may hold any of the instructor's expenses."""
    sums = {0}
    for number in numbers:
        sums |= {number + known for known in sums}
    return sums


def _months(case: Case) -> Iterator[Defect]:
    """A journey's month in the text against the record's; only sentences about the journey itself tell it."""
    wanted = {
        int(record["travel month"])
        for part in components(case)
        if "travel month" in (record := Conditions.read(part["conditions"], case.id).values)
    }
    sentences = [s for s in re.split(r"(?<=\.)\s|\n", case.case) if _JOURNEY.search(s) and not _FILED.search(s)]
    told = [month for sentence in sentences for month in _NAMED.findall(sentence)]
    if told and wanted and not wanted & {_MONTHS.index(month) + 1 for month in told}:
        months = ", ".join(_MONTHS[month - 1] for month in sorted(wanted))
        evidence = f"the text says {', '.join(dict.fromkeys(told))}, the conditions {months}"
        yield Defect("wrong_month", SOURCE, case.id, "case_ch", evidence, months)


def _asked_twice(cases: Sequence[Case]) -> Iterator[Defect]:
    first: dict[tuple[object, ...], dict[str, str]] = defaultdict(dict)
    for case in cases:
        kind = str(json.loads(case.plan)["kind"])
        known = first[tuple(tuple(sorted(part["conditions"])) for part in components(case))]
        if known and kind not in known:
            other = next(iter(known))
            evidence = f"the record of {known[other]}, asked there for the {other}, here for the {kind}"
            yield Defect("asked_twice", SOURCE, case.id, "conditions_nl", evidence, known[other])
        known.setdefault(kind, case.id)


def _gaps(cases: Sequence[Case]) -> Iterator[Defect]:
    last: dict[str, int] = {}
    for case in cases:
        sample, number = case.id.rsplit("/", 1)
        before = last.get(sample, 0)
        if int(number) != before + 1:
            evidence = f"the ids {before + 1} to {int(number) - 1} are left out before it"
            yield Defect("id_gap", SOURCE, case.id, "id", evidence)
        last[sample] = int(number)
