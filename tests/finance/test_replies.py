"""Hostile replies: what a fair reader would take as the answer is read, and nothing else."""

from __future__ import annotations

import json

import pytest

from holmes.answers.audit_report.judge import read_answers
from holmes.answers.audit_report.strict import strict_answers
from holmes.cases import Case
from holmes.domains.finance.prompts import prompt
from holmes.reading.thinking import final_reply
from holmes.results import Outcome
from holmes.scoring.core import score
from tests.finance.conftest import report, shown

FULL, REJECTED = '{"failing_rules": [], "verdict": "Full Approval"}', '{"failing_rules": [12], "verdict": "Rejection"}'


@pytest.fixture(scope="session")
def by_task(shipped) -> dict[str, Case]:
    """One case a task; for approval one without Unknown."""
    return {case.task.removeprefix("finance_"): case for case in reversed(shipped)}


def read(case: Case, text: str) -> object:
    answers = read_answers(case, final_reply(text))[1]
    return answers.get("") if case.answer_type != "report" else dict(answers)


def verdict(text: object) -> str:
    return json.dumps({"failing_rules": [12], "verdict": text, "reason": "x"}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("task", "said", "label"),
    [
        *(("approval", said, "Full") for said in (
            "FULL_APPROVAL", "FullApproval", "**Full Approval**", "approved fully", "fully_approved",
            "1. Full Approval", "Full Approval ✅", "Verdict: Full Approval", ["Full Approval"],
            {"label": "Full Approval", "score": 0.9})),
        *(("approval", said, "Partial") for said in (
            "partially approve", "Approved in part", "PartialApproval", "Partial Approval (not Full Approval)",
            "The claim is not rejected but partially approved")),
        *(("approval", said, "Rejection") for said in (
            "rejected", "Rejection, because full approval needs a form", "Full Approval is not possible: Rejection")),
        *(("approval", said, None) for said in (
            "Approved", "Not rejected", "not Full Approval", "Full approval denied", "Full Approval is not possible",
            "cannot be fully approved", "Full Approval?", "Full Approval or Rejection", "",
            "neither full nor partial approval", "Full Approval | Partial Approval | Rejection", "Ablehnung",
            None, True, 1, ["Full", "Rejection"], "Unknown")),
        *(("materials", said, "Incomplete") for said in (
            "not complete", "in complete", "almost complete", "aren't complete")),
        *(("materials", said, "Complete") for said in (
            "not Incomplete", "Materials complete", "The papers are complete")),
        *(("invoices", said, "Correct") for said in ("no errors", "Error-free", "without error")),
        *(("invoices", said, "Error") for said in ("INCORRECT", "not correct", "Errors", "Error: rule 24 fails")),
        *(("loans", said, "Cannot_Borrow") for said in (
            "can’t borrow", "CannotBorrow", "ineligible", "not eligible", "unable to borrow",
            "She cannot borrow the money")),
        *(("loans", said, "Can_Borrow") for said in ("CanBorrow", "eligible", "She can borrow the money")),
        *(("labour", said, "Unknown") for said in ("UNKNOWN (Rule 3)", "undetermined")),
    ],
)  # fmt: skip
def test_verdicts_in_every_spelling_and_no_other(by_task, task, said, label) -> None:
    """Spellings, negations and explanations; a hedge, a question or a verdict taken back is none."""
    assert read(by_task[task], verdict(said)) == label


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        *((said, "1760") for said in (
            1760, 1760.0, "1,760", "1.760,00", "1 760", "1'760", "1760 marks", "M 1760", "1760,-", "１７６０", "1.76e3",
            "one thousand seven hundred and sixty marks", "seventeen hundred sixty", "600 + 1160 = 1760 marks", [1760],
            "1760 marks (600 for food, 1160 for bed)", "1760 marks for 3 nights",
            {"value": 1760, "currency": "marks"})),
        (0, "0"), ("zero", "0"), (-1760, "-1760"), (1760.5, "3521/2"), ("17,60", "88/5"), ("1.760", "44/25"),
        *((said, None) for said in (
            "1760%", "1760 or 1800", "1760–1800", "1000 + 760", "<number of marks>", "unknown", None, True, "",
            [1, 2])),
    ],
)  # fmt: skip
def test_amounts_in_every_spelling_and_no_other(by_task, said, amount) -> None:
    """Separators, words, a calculation with its result; a range, two amounts or a sum left undone is none."""
    text = json.dumps({"failing_rules": [], "amount": said, "reason": "x"}, ensure_ascii=False)
    assert read(by_task["amount"], text) == amount


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"```json\n{REJECTED}\n```\nFinal:\n```json\n{FULL}\n```", "Full"),
        (f"<think>{REJECTED}</think>{FULL}", "Full"),
        (f"{REJECTED}\nCorrection. Final answer: Full Approval", "Full"),
        (f"{REJECTED}\nWait, Rule 12 is waived. The verdict is Full Approval.", "Full"),
        (f"{REJECTED}\nThe verdict would be Full Approval if the form were there.", "Rejection"),
        (f"The verdict is Full Approval at first sight.\n{REJECTED}", "Rejection"),
        (f'{REJECTED}\n{{"failing_rules": [1], "verd', "Rejection"),
        (f"The set {{12, 13}} fails, and so does {{14.\n{REJECTED}", "Rejection"),
        ('{"audit": {"report": {"result": {"verdict": "Rejection"}}}}', "Rejection"),
        ('{"items": [{"subject": "N. N.", "verdict": "Rejection"}]}', "Rejection"),
        ('{"draft": {"verdict": "Full Approval"}, "final": {"verdict": "Rejection"}}', "Rejection"),
        ('{"status": "final", "report": {"verdict": "Rejection"}}', "Rejection"),
        ('{"steps": [{"rule": 3, "result": "Full"}], "decision": "Rejection"}', "Rejection"),
        (json.dumps({"output": REJECTED}), "Rejection"),
        (json.dumps(REJECTED), "Rejection"),
        (REJECTED.replace('"', "&quot;"), "Rejection"),
        ("{failing_rules: [12], verdict: Rejection, reason: no form}", "Rejection"),
        ("failing_rules: [12]\nverdict: Rejection\nreason: no form", "Rejection"),
        ("<verdict>Rejection</verdict>", "Rejection"),
        ('{"failing_rules": [12], "verdict": "Rejection", "reason": "The cla', "Rejection"),
        ('{"failing_rules": [12], "verdict": "Rejection', "Rejection"),
        ('{"failing_rules": [12], "verdict": "Rej', None),
        ('{"failing_rules": [12], "verdict": "Full App', None),
        ('{"failing_rules": [12], "verd', None),
        (f'{REJECTED}\nFinal report:\n{{"failing_rules": [12], "verdict": "Maybe"}}', None),
        (f'{REJECTED}\nFinal report:\n{{"failing_rules": [], "verdict": null}}', None),
        ('{"verdict": "Rejection", "final_verdict": "Full Approval"}', None),
        ('{"items": [{"verdict": "Rejection"}, {"verdict": "Full Approval"}]}', None),
        ('{"reason": "The verdict is Rejection."}', None),
        ('{"failing_rules": [12]}', None),
        ("It could be Full Approval or Rejection.", None),
        ("Where a form is missing, the answer is Rejection.", None),
        ("I'm sorry, but I can't help with that.", None),
        ("<think>The verdict is Rejection.</think>", None),
    ],
)
def test_the_last_word_of_a_reply_counts(by_task, text, label) -> None:
    """Drafts, nesting, broken ends and refusals: the last commitment, if it can be read."""
    assert read(by_task["approval"], text) == label


def test_a_number_that_the_end_cut_off_is_no_amount(by_task) -> None:
    """Of 1760 the reply may have had 17605 in mind; the generation that was cut counts as such."""
    case = by_task["amount"]
    assert read(case, '{"failing_rules": [], "amount": 1760') is None
    assert read(case, '{"failing_rules": [], "amount": 1760, "reason": "x') == "1760"
    found = score(case, f'{{"failing_rules": [], "amount": {case.answer}', truncated=True)
    assert (found.value, found.outcome) == (0.0, Outcome.TRUNCATED)


def test_a_reply_that_copies_its_prompt_answers_nothing(shipped) -> None:
    """The whole prompt, its parts, beginnings and two copies of it: no answer, no check, on every kind of case."""
    kinds = {(case.task, case.choices): case for case in shipped}
    for case in kinds.values():
        text = prompt(case)
        at = [text.index(mark) for mark in ("You audit", "Write your", "Criteria:", "Check before", "Case:")]
        copies = [text, *(text[a:] for a in at), *(text[:a] for a in at), text[: len(text) // 2], f"{text}\n\n{text}",
                  " ".join(text.split()), "\n".join(f"> {line}" for line in text.splitlines())]  # fmt: skip
        for copied in copies:
            found = score(case, copied)
            assert (found.answer, found.parts["items"], found.parts["checks"]) == (None, 0.0, 0.0), copied[:80]
        golden = json.dumps(report(case))
        assert score(case, f"{text}\n\n{golden}").value == 1.0
        assert score(case, f"{golden}\n\n{text}").value == 1.0


@pytest.mark.parametrize(
    "dress",
    [
        lambda rows: "\n".join(f"{s}: {v}" for s, v in rows),
        lambda rows: "\n".join(f"- **{s}** — **{v}** (Rule 12)" for s, v in rows),
        lambda rows: "| Who | Rules | Verdict |\n|---|---|---|\n" + "\n".join(f"| {s} | 12 | {v} |" for s, v in rows),
        lambda rows: "\n".join(f"### {s}\nThe form is missing.\nVerdict: {v}" for s, v in rows),
        lambda rows: "\n".join(f'{s}\n```json\n{{"failing_rules": [], "verdict": "{v}"}}\n```' for s, v in rows),
        lambda rows: "items:\n" + "\n".join(f"- subject: {s}\n  failing_rules: []\n  verdict: {v}" for s, v in rows),
        lambda rows: json.dumps({"verdict": "Rejection", "items": [{"subject": s, "verdict": v} for s, v in rows]}),
        lambda rows: json.dumps({"items": [{"subject": s, "verdict": {"label": v}} for s, v in rows]}),
    ],
)
def test_reports_of_several_in_prose_and_in_odd_shapes(smoke, dress) -> None:
    """Lines, tables, headings and lists that give each subject a verdict are read."""
    for case in smoke:
        if case.answer_type == "report":
            rows = [(row["subject"], shown(row["verdict"])) for row in json.loads(case.answer)]
            assert score(case, dress(rows)).value == 1.0, (case.id, dress(rows))


def test_reports_of_several_give_no_credit_by_chance(by_task) -> None:
    """One verdict for all, other numbers, contradicting placeholders and names of nobody are verdicts on none."""
    case = by_task["compositional_3"]
    golds = [shown(row["verdict"]) for row in json.loads(case.answer)]
    for name in ("Clause {}", "Rule {}", "{} nights"):
        rows = [{"subject": name.format(n), "verdict": v} for n, v in enumerate(golds, 1)]
        assert read(case, json.dumps({"items": rows})) == {}
    for text in (json.dumps({"verdict": golds[0]}), json.dumps({"items": [{"subject": "all", "verdict": golds[0]}]})):
        assert read(case, text) == {}
    cut = json.dumps({"items": [{"subject": f"Item {n}", "verdict": v} for n, v in enumerate(golds, 1)]})
    end = cut.rindex(golds[-1]) + 3
    assert sorted(read(case, cut[:end])) == ["Item 1", "Item 2"]


def test_strict_takes_the_schema_and_nothing_else(by_task) -> None:
    """Every key, none twice, lists and numbers as such; the tolerant score stands beside it."""
    case = by_task["approval"]
    data = report(case)
    text = json.dumps(data)
    broken = [
        f"{text}\n.", f"```json\n{text}\n```\nDone.", text.replace('"failing_rules": [12]', '"failing_rules": "12"'),
        text[:-1] + f', "verdict": "{data["verdict"]}"}}', json.dumps({"verdict": data["verdict"]}), text.lower(),
    ]  # fmt: skip
    for reply in broken:
        found = score(case, reply)
        assert (found.value, found.parts["accuracy_strict"]) == (1.0, 0.0), reply
    for kept in (text, f"```json\n{text}\n```", f"```\n{json.dumps(data, indent=1)}\n```"):
        assert score(case, kept).parts["accuracy_strict"] == 1.0, kept
    assert strict_answers(case, json.dumps(data | {"remark": "x"}), {"": case.answer}) == {"": case.answer}


def test_a_score_depends_on_its_own_reply_alone(smoke) -> None:
    """Whatever was scored before, in whatever order, a reply has the same score."""
    pairs = [(case, text) for case in smoke[:12] for text in (json.dumps(report(case)), prompt(case), "", "{", FULL)]
    first = [score(case, text) for case, text in pairs]
    assert [score(case, text) for case, text in reversed(pairs)] == first[::-1]
