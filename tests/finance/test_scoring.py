"""Reports: golds score 1 in any dress, each wrong subject costs its share, strict and tolerant stand side by side."""

import json
import re

import pytest

from holmes.domains.finance.generate import components
from holmes.domains.finance.tables import tables
from holmes.results import Outcome
from holmes.scoring.core import score
from holmes.tasks import task_names
from tests.finance.conftest import report, shown

SMALL = '{"verdict": "Draft", "note": "this was a first try"}'


def reordered(data):
    if "items" in data:
        return json.dumps({"items": list(reversed(data["items"]))})
    return json.dumps(dict(reversed(data.items())))


def extra_item(data):
    if "items" in data:
        return json.dumps({"items": [*data["items"], {"subject": "Item 99", "verdict": "Rejection"}]})
    return json.dumps(data | {"remarks": ["nothing more"], "auditor": "N. N."})


def by_subject(data):
    if "items" in data:
        return json.dumps({"verdicts": {row["subject"]: row["verdict"] for row in data["items"]}})
    return json.dumps({"report": data})


def objects_in_a_row(data):
    if "items" in data:
        return "\n".join(json.dumps(row) for row in data["items"])
    return SMALL + "\n" + json.dumps(data)


def bare_list(data):
    return json.dumps(data["items"]) if "items" in data else json.dumps(data)


def relabelled(data, change):
    if "items" in data:
        return json.dumps({"items": [row | {"verdict": change(row["verdict"])} for row in data["items"]]})
    if "verdict" in data:
        return json.dumps(data | {"verdict": change(data["verdict"])})
    return json.dumps(data | {"amount": f"{data['amount']:,} marks"})


def renamed_subjects(data):
    if "items" in data:
        rows = [row | {"subject": row["subject"].upper() + " (part of the claim)"} for row in data["items"]]
        return json.dumps({"items": rows})
    return json.dumps({key.upper(): value for key, value in data.items()})


def camel(data):
    text = json.dumps(data).replace('"subject"', '"Subject"')
    return text.replace('"verdict"', '"finalVerdict"').replace('"amount"', '"totalAmount"')


UGLY = {
    "fence": lambda d: f"```json\n{json.dumps(d, indent=2)}\n```",
    "fence without a language": lambda d: f"```\n{json.dumps(d)}\n```",
    "fence that is never closed": lambda d: f"```json\n{json.dumps(d)}",
    "thinking before": lambda d: f"<think>Perhaps {SMALL}? No.</think>\n{json.dumps(d)}",
    "prose around": lambda d: f"Here is my audit.\n\n{json.dumps(d)}\n\nI hope this helps.",
    "trailing commas": lambda d: re.sub(r"\n( *[}\]])", r",\n\1", json.dumps(d, indent=1)),
    "a draft before": lambda d: f"First try: {SMALL}\nOn reflection:\n{json.dumps(d)}",
    "reordered": reordered,
    "extra items": extra_item,
    "labels in capitals": lambda d: relabelled(d, str.upper),
    "labels with underscores": lambda d: relabelled(d, lambda text: text.replace(" ", "_")),
    "labels with a full stop": lambda d: relabelled(d, lambda text: f" {text}. "),
    "by subject": by_subject,
    "objects in a row": objects_in_a_row,
    "bare list": bare_list,
    "curly quotes": lambda d: re.sub(r'"([^"]*)"', r"“\1”", json.dumps(d)),
    "single quotes": lambda d: str(d),
    "comment lines": lambda d: json.dumps(d, indent=1).replace("{\n", "{ // the report\n", 1),
    "missing end": lambda d: json.dumps(d)[:-1],
    "subjects and keys respelt": renamed_subjects,
    "keys in camel case": camel,
    "one line with tabs": lambda d: json.dumps(d).replace(", ", ",\t"),
}


@pytest.mark.parametrize("dress", UGLY)
def test_gold_reports_score_one_however_ugly_they_are_written(smoke, dress) -> None:
    """A gold report scores 1.0 tolerant in each of these dresses, on every kind of case."""
    assert len(UGLY) >= 20
    for case in smoke:
        text = UGLY[dress](report(case))
        found = score(case, text)
        assert (found.value, found.parts["items"]) == (1.0, 1.0), (case.id, found.reason, text)


def test_gold_reports_score_one_strictly_as_asked_for(shipped) -> None:
    """The report in the very schema of the prompt scores 1.0, strict and tolerant, on all 1,079 cases."""
    for case in shipped:
        found = score(case, json.dumps(report(case)))
        assert found.value == found.parts["accuracy_strict"] == found.parts["items_strict"] == 1.0, case.id


def test_one_wrong_item_costs_its_share_and_the_whole(smoke) -> None:
    """One wrong verdict among n: items 1 - 1/n, all-correct 0; the answer counts as wrong, not as missing."""
    for case in smoke:
        if case.answer_type != "report":
            continue
        for row in json.loads(case.answer):
            other = next(label for label in case.choices if label != row["verdict"])
            found = score(case, json.dumps(report(case, {row["subject"]: other})))
            assert found.parts["items"] == pytest.approx(1 - 1 / case.difficulty.components)
            assert (found.value, found.outcome) == (0.0, Outcome.WRONG)


def test_every_other_verdict_of_an_atomic_case_is_wrong(smoke) -> None:
    """Each verdict but the gold scores 0, strict and tolerant."""
    for case in smoke:
        for label in case.choices if case.answer_type == "label" else ():
            found = score(case, json.dumps(report(case, {"": label})))
            assert found.value == found.parts["accuracy_strict"] == float(label == case.answer)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("", Outcome.ABSTAINED),
        (None, Outcome.FAILED),
        ("<think>still at it", Outcome.TRUNCATED),
        ("{}", Outcome.ABSTAINED),
        ('{"reason": "I would rather not say"}', Outcome.MALFORMED),
        ('{"items": []}', Outcome.MALFORMED),
        ("I cannot decide this.", Outcome.ABSTAINED),
    ],
)
def test_replies_without_an_answer_score_nothing(smoke, text, outcome) -> None:
    """No answer scores 0 in every part and says why."""
    case = next(c for c in smoke if c.answer_type == "report")
    found = score(case, text)
    assert (found.value, found.parts["items"], found.outcome) == (0.0, 0.0, outcome)


def test_a_missing_item_is_wrong_and_the_others_count(smoke) -> None:
    """A subject that is left out costs its share; the rest is read."""
    case = next(c for c in smoke if c.difficulty.components == 4)
    data = report(case)
    found = score(case, json.dumps({"items": data["items"][1:]}))
    assert found.parts["items"] == pytest.approx(0.75)
    assert found.value == 0.0


def test_the_last_verdict_on_a_subject_counts(smoke) -> None:
    """Where a report names a subject twice, the later row is the one the model commits to."""
    case = next(c for c in smoke if c.difficulty.components == 2)
    row = json.loads(case.answer)[0]
    other = next(label for label in case.choices if label != row["verdict"])
    data = report(case)
    draft = {"subject": row["subject"], "verdict": shown(other)}
    assert score(case, json.dumps({"items": [draft, *data["items"]]})).value == 1.0
    assert score(case, json.dumps({"items": [*data["items"], draft]})).value == 0.0


def test_amounts_are_compared_exactly(smoke) -> None:
    """A penny off is wrong; thousands separators and the currency are no part of the number."""
    case = next(c for c in smoke if c.answer_type == "amount" and len(c.answer) > 3)
    gold = float(case.answer)
    assert score(case, json.dumps({"amount": f"{gold:,.2f} marks"})).value == 1.0
    assert score(case, json.dumps({"amount": gold + 0.01})).value == 0.0


def test_every_finance_task_is_one_the_command_line_knows() -> None:
    """Six question types and two families of four spans are tasks, on our cases and on those of the authors."""
    names = [name for name in task_names() if name.startswith("holmes_finance_")]
    assert len(names) == 28 and sum(name.endswith("_release") for name in names) == 14


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "{" * 20_000,
        '{"items":' * 400 + "1" + "}" * 400,
        '{"a":' * 900 + "{}" + "}" * 900,
        "\ud800",
        '{"amount": 1e99999999}',
    ],
)
def test_monstrous_replies_score_nothing_and_break_nothing(smoke, text) -> None:
    """Deep, endless and unwritable replies are no answers."""
    for case in smoke[::6]:
        found = score(case, text)
        assert (found.value, found.parts["items"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    "rows",
    [
        lambda golds: {"items": [{"item": n, "verdict": shown(v)} for n, (_, v) in enumerate(golds, 1)]},
        lambda golds: {"items": [{"id": f"item_{n}", "decision": shown(v)} for n, (_, v) in enumerate(golds, 1)]},
        lambda golds: {"items": [shown(v) for _, v in golds]},
        lambda golds: {"audit": {"results": [{"subject": s, "verdict": shown(v)} for s, v in golds]}},
        lambda golds: {s: {"verdict": shown(v), "reason": "see above"} for s, v in golds},
        lambda golds: {"items": [f"{s}: {shown(v)}" for s, v in golds]},
    ],
)
def test_items_are_found_by_number_place_and_nesting(smoke, rows) -> None:
    """Numbers, other keys, bare verdicts in order and a report around the report are understood."""
    for case in smoke:
        if "compositional" in case.task:
            golds = [(row["subject"], row["verdict"]) for row in json.loads(case.answer)]
            assert score(case, json.dumps(rows(golds))).value == 1.0


def checked(case, fails=None):
    """Return the report that names just the rules that fail (fails: other numbers, by subject)."""
    data = report(case)
    rows = data.get("items", [data])
    for part, row in zip(components(case), rows, strict=True):
        wrong = [rule for rule, _, passes in part["checks"] if not passes]
        row["failing_rules"] = (fails or {}).get(row.get("subject", ""), wrong)
    return data


def test_checks_are_right_where_the_report_names_the_rules_that_fail(smoke) -> None:
    """All checks right; a rule too many or too few costs its share; the waived number stands for the waiver."""
    for case in smoke:
        parts = components(case)
        total = sum(len(part["checks"]) for part in parts)
        assert score(case, json.dumps(checked(case))).parts["checks"] == 1.0
        first = parts[0]
        subject = first["subject"] if case.answer_type == "report" else ""
        wrong = [rule for rule, _, passes in first["checks"] if not passes]
        more = next((rule for rule, _, passes in first["checks"] if passes), None)
        if more is not None:
            found = score(case, json.dumps(checked(case, {subject: [f"Rule {n}" for n in (*wrong, more)]})))
            assert found.parts["checks"] == pytest.approx(1 - 1 / total), case.id
        by_base = [waives or rule for rule, waives, passes in first["checks"] if not passes]
        assert score(case, json.dumps(checked(case, {subject: by_base}))).parts["checks"] == 1.0
        assert score(case, "no report").parts["checks"] == 0.0


def test_tables_by_rule_and_by_subject(smoke) -> None:
    """A rule missed in every report has accuracy below 1 and all its failures missed; subjects count their verdicts."""
    cases = [case for case in smoke if case.answer_type == "report"]
    clean = tables([(case, [json.dumps(checked(case))]) for case in cases])
    assert all(row["accuracy"] == 1.0 for row in (*clean["checks"], *clean["subjects"]))
    rule = next(r for case in cases for part in components(case) for r, _, passes in part["checks"] if not passes)
    blind = [
        (case, [json.dumps(checked(case, {
            part["subject"]: [r for r, _, passes in part["checks"] if not passes and r != rule]
            for part in components(case)
        }))])
        for case in cases
    ]  # fmt: skip
    row = next(row for row in tables(blind)["checks"] if row["rule"] == rule)
    assert row["missed"] == pytest.approx(1 - row["accuracy"], abs=1e-3) and row["missed"] > 0
    assert {row["by"] for row in clean["subjects"]} >= {"clause", "title"}
