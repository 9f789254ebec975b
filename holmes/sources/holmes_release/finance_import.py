"""The finance part of the authors' HOLMES release: three samples and golds that are aligned by position."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holmes.cases import Case, Difficulty, Step
from holmes.errors import InputError
from holmes.importing.rows import Row
from holmes.registry import operations_of
from holmes.util.files import read_json

FOLDER = "finance_data"
SAMPLES = ("sample1", "sample2", "sample3")
GOLD = f"{FOLDER}/gold.json"
RULES = f"{FOLDER}/fudan_reimbursement_rules.json"
QUESTIONS = {
    "approval": "Is the claim to be approved in full, approved in part, or rejected?",
    "material": "Are the reimbursement materials complete?",
    "invoice": "Are the invoices in order?",
    "loan": "May the applicant borrow?",
    "amount": "Which amount is reimbursed, in yuan?",
    "report": "Give the verdict on each claim, in the order of the text.",
}
LABELS = {
    "approval": ("Full_Approval", "Partial_Approval", "Rejection", "Unknown"),
    "material": ("Material_Complete", "Material_Incomplete"),
    "invoice": ("Invoice_Correct", "Invoice_Error"),
    "loan": ("Can_Borrow", "Cannot_Borrow"),
}
# kind of question -> the task that our own cases of the kind belong to
_TASKS = {"approval": "approval", "material": "materials", "invoice": "invoices", "loan": "loans", "amount": "amount"}
_SPANS = {"sample1": "compositional", "sample2": "parallel"}
_LABOUR = ("rule13",)  # the paper has templates of their own for approvals of labour fees (A.2)
_PREFIXES = ("Global_Reimbursement ", "Global_Loan ")
# rules of the components -> gold group; rule 7, 10 and 13 also have amounts, told by the category
_GROUPS = {
    ("rule3",): "material",
    ("rule4",): "invoice",
    ("rule4", "rule6"): "approval4_6",
    ("rule4", "rule17"): "approval17",
    ("rule7", "rule9", "rule19"): "approval19",
}
_PAIRS = ("top50", "_51_100", "_101_150", "_151_200"), ("_1_50", "_51_100", "_101_150", "_151_200")


def read_finance(root: Path) -> list[Case]:
    """Read the finance cases below `root` (the folder that holds ``finance_data``).

    Returns compositional, parallel and atomic cases in released order, ids ``finance/<sample>/<id>``; the components
    with their condition lines are in ``plan`` as JSON.
    Raises InputError naming file, row, field, found, expected, and when golds and cases do not align.
    """
    rules = _rules(root / RULES)
    golds = _Golds(root / GOLD)
    cases = []
    for sample in SAMPLES:
        for row in _records(root, sample):
            cases.append(_case(sample, row, rules, golds.take(sample, row)))
    golds.finish()
    return cases


def _records(root: Path, sample: str) -> Iterator[Row]:
    path = root / FOLDER / f"{sample}.json"
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path}: found {type(value).__name__}, expected a list of cases")
    last = 0
    for index, item in enumerate(value):
        row = Row.of(item, f"{path}: row {index}")
        row = Row(row.value, f"{row.place}: id {row.value.get('id', '?')!r}")
        if row.number("id") <= last:  # golds are found by position: rows in another order would get foreign ones
            raise row.bad("id", row.number("id"), f"one above {last}, in the order of the golds")
        last = row.number("id")
        yield row


def _rules(path: Path) -> str:
    document = Row.of(read_json(path), str(path))
    sections = [f"{row.filled('title')}\n{row.text('content')}" for row in document.rows("sections")]
    if not sections:
        raise document.bad("sections", sections, "the sections of the rules")
    return "\n\n".join(sections)


class _Golds:
    """The gold groups; each case takes the next value of its group."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.groups: dict[str, list[Any]] = {}
        self.next: dict[str, int] = {}
        for name, value in Row.of(read_json(path), str(path)).value.items():
            group = Row.of(value, f"{path}: group {name!r}")
            field = next(iter(group.value), "gold_labels")
            self.groups[name] = group.items(field)
            self.next[name] = 0

    def take(self, sample: str, row: Row) -> tuple[str, str | list[str]]:
        """Return (kind of question, gold) for a case."""
        name, kind = _group(sample, row)
        place = f"{self.path}: group {name!r}"
        if name not in self.groups:
            raise InputError(f"{place}: found no such group, expected one for {row.place}")
        index = self.next[name]
        if index >= len(self.groups[name]):
            raise InputError(f"{place}: found {index} golds, expected one more for {row.place}")
        self.next[name] = index + 1
        return kind, _gold(kind, self.groups[name][index], f"{place}: position {index}")

    def finish(self) -> None:
        """Raise InputError where a group has golds left over."""
        for name, values in self.groups.items():
            if len(values) != self.next[name]:
                raise InputError(
                    f"{self.path}: group {name!r}: found {len(values)} golds, expected {self.next[name]}, one a case"
                )


def _group(sample: str, row: Row) -> tuple[str, str]:
    if sample != "sample3":
        span = row.number("span")
        if not 2 <= span <= 5:
            raise row.bad("span", span, "2 to 5")
        return sample + _PAIRS[sample == "sample2"][span - 2], "report"
    rules, category = row.strings("rules_used"), " ".join(row.filled("case_category").split())
    if category == "Reimbursable amount computation":
        return "amount", "amount"
    name = _GROUPS.get(rules) or (f"approval{rules[0].removeprefix('rule')}" if len(rules) == 1 else "")
    if not name:
        raise row.bad("rules_used", list(rules), "one rule, or a combination of the release")
    return name, {"material": "material", "invoice": "invoice", "approval20": "loan"}.get(name, "approval")


def _task(sample: str, row: Row, kind: str) -> str:
    """The question type of a case, named as our own finance tasks are."""
    if sample in _SPANS:
        return f"finance_{_SPANS[sample]}_{row.number('span')}"
    return "finance_" + ("labour" if kind == "approval" and row.strings("rules_used") == _LABOUR else _TASKS[kind])


def _gold(kind: str, value: Any, place: str) -> str | list[str]:
    if kind == "amount":
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{place}: found {value!r:.60}, expected a whole number")
        return str(value)
    if kind == "report":
        if not isinstance(value, list):
            raise InputError(f"{place}: found {value!r:.60}, expected a list of labels")
        return [label(item, "approval", place) for item in value]
    return label(value, kind, place)


def label(value: Any, kind: str, place: str) -> str:
    """Return a released label without its ``Global_…`` prefix; raises InputError for an unknown one."""
    short = value
    for prefix in _PREFIXES:
        short = short.removeprefix(prefix) if isinstance(short, str) else short
    if short not in LABELS[kind]:
        raise InputError(f"{place}: found {value!r:.60}, expected one of {', '.join(LABELS[kind])}")
    return str(short)


def _case(sample: str, row: Row, rules: str, gold: tuple[str, str | list[str]]) -> Case:
    kind, answer = gold
    spare = row.strings("rules_used") == ("rule10",)  # 70 such records declare one condition more than they list
    components = [_component(part, spare) for part in row.rows("isabelle_case_conditions_nl")]
    names = row.strings("isabelle_case_names")
    if not names or list(names) != [part["name"] for part in components]:
        raise row.bad("isabelle_case_names", list(names), f"the components {[part['name'] for part in components]}")
    if isinstance(answer, list) and len(answer) != len(components):
        raise InputError(f"{row.place}: found {len(components)} components and {len(answer)} golds, expected as many")
    plan = {
        "sample": sample,
        "kind": kind,
        "rules": list(row.strings("rules_used")),
        "case_rule": row.value.get("case_rule", ""),
        "category": " ".join(row.filled("case_category").split()),
        "names": list(names),
        "components": components,
    }
    case = Case(
        id=f"finance/{sample}/{row.number('id')}",
        domain="finance",
        task=_task(sample, row, kind),
        source="holmes-release",
        bundle="finance_release",
        rules=rules,
        case=row.filled("case_ch"),
        question=QUESTIONS[kind],
        answer=json.dumps(answer) if isinstance(answer, list) else answer,
        answer_type={"amount": "amount", "report": "report"}.get(kind, "label"),
        choices=LABELS.get(kind, LABELS["approval"] if kind == "report" else ()),
        trace=steps(row.filled("natural_language_trace")),
        difficulty=Difficulty(
            steps=row.number("reasoning_depth"),
            components=len(components),
            scopes=row.value["span"] if sample != "sample3" else 1,
        ),
        plan=json.dumps(plan, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        tags=(sample, kind),
    )
    return replace(case, **operations_of(case).fields())


def _component(row: Row, spare: bool) -> dict[str, Any]:
    lines = row.strings("conditions_nl")
    count = row.number("condition_count")
    if not 0 <= count - len(lines) <= spare:
        raise row.bad("condition_count", count, f"{len(lines)}, the conditions listed")
    for line in lines:
        if " must be " not in line:
            raise row.bad("conditions_nl", line, "<field> must be [set to] <value>")
    return {
        "name": row.filled("case_name"),
        "resolved": row.filled("resolved_case_name"),
        "declared": count,
        "conditions": list(lines),
    }


def steps(narrative: str) -> tuple[Step, ...]:
    """Return a released trace as steps: the rule of the heading above, kind = first word, result after ``Result:``."""
    found: list[Step] = []
    rule = ""
    for line in narrative.splitlines():
        text = line.strip()
        if text.startswith("Evaluating Rule "):
            rule = text.removeprefix("Evaluating Rule ").split()[0]
        if not text:
            continue
        body = text.partition(": ")[2] if text.startswith("Step ") else ""
        kind = body.split(" — ")[0].split(".")[0].lower() if body else "heading"
        result = text.rpartition("Result: ")[2].rstrip(".") if "Result: " in text else ""
        if kind == "conclusion":
            result = text.rpartition(" — ")[2].rstrip(".")
        found.append(Step(text, rule if body else "", kind, result))
    return tuple(found)


def components(case: Case) -> Sequence[dict[str, Any]]:
    """Return the components of a finance case: name, resolved, conditions."""
    parts: list[dict[str, Any]] = json.loads(case.plan)["components"]
    return parts
