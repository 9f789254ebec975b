"""The task on the imported finance release: prompts of five parts a subtype, golds right under both scorings."""

from __future__ import annotations

import json

import pytest

from holmes.cases import Case
from holmes.errors import InputError
from holmes.importing.releases import bring
from holmes.release.prompts import CRITERIA, STEPS
from holmes.scoring import score
from holmes.tasks import Options, build_prompt, cases_of, task_spec

NAME = "holmes_finance_release"
COMPAT = "holmes-2026"


def made(kind: str, answer_type: str, answer: str, choices: tuple[str, ...] = ()) -> Case:
    """An imported case in our words."""
    return Case(
        id="finance/sample/77001", domain="finance", task="finance", source="holmes-release", rules="1. Keep receipts.",
        case="Two claims were filed.", question="And now?", answer=answer, answer_type=answer_type, choices=choices,
        tags=("sample", kind),
    )  # fmt: skip


PAIR = made("report", "report", '["Full_Approval", "Rejection"]', ("Full_Approval", "Rejection"))
LOAN = made("loan", "label", "Cannot_Borrow", ("Can_Borrow", "Cannot_Borrow"))
SUM = made("amount", "amount", "2890")


def gold(case: Case) -> str:
    """The report that a flawless model writes in the schema of the prompt."""
    answer: object = {"report": lambda: json.loads(case.answer), "amount": lambda: int(case.answer)}.get(
        case.answer_type, lambda: case.answer
    )()
    return json.dumps({"steps": ["Every condition was looked at."], "answer": answer})


@pytest.mark.parametrize(
    ("case", "text", "value", "items", "strict", "authors"),
    [
        (PAIR, gold(PAIR), 1, 1, 1, 1),
        (PAIR, f"```json\n{gold(PAIR)}\n```", 1, 1, 0, 0),
        (PAIR, '{"answer": ["full approval", "Rejection",]}', 1, 1, 0, 0),
        (PAIR, '{"answer": ["FULL_APPROVAL", "rejection"]}', 1, 1, 0, 1),
        (PAIR, '{"items": [{"subject": "Item 2", "verdict": "Rejection"}, {"subject": "Item 1", "verdict": '
               '"Full Approval"}]}', 1, 1, 0, 0),
        (PAIR, '{"answer": {"Prof. Ox": "Full_Approval", "Dr. Elk": "Rejection"}}', 1, 1, 0, 0),
        (PAIR, '{"answer": ["Rejection", "Full_Approval"]}', 0, 0, 0, 0),
        (PAIR, '{"answer": ["Full_Approval", "Full_Approval"]}', 0, 0.5, 0, 0),
        (PAIR, '{"answer": ["Full_Approval"]}', 0, 0, 0, 0),
        (LOAN, gold(LOAN), 1, 1, 1, 1),
        (LOAN, '{"answer": "cannot borrow"}', 1, 1, 0, 0),
        (LOAN, '{"answer": "Can_Borrow"}', 0, 0, 0, 0),
        (SUM, gold(SUM), 1, 1, 1, 1),
        (SUM, '{"answer": "2,890 yuan"}', 1, 1, 0, 1),
        (SUM, '{"answer": 2891}', 0, 0, 0, 0),
    ],
)  # fmt: skip
def test_scores_tolerant_strict_and_as_the_authors_do(case, text, value, items, strict, authors) -> None:
    """Whole, share of the claims, strict, and `holmes-2026`, which wants plain JSON and compares by position."""
    found = score(case, text)
    assert (found.value, found.parts["items"], found.parts["accuracy_strict"]) == (value, items, strict)
    assert "checks" not in found.parts
    assert score(case, text, compat=COMPAT).value == authors


def test_prompts_have_five_parts_and_no_id() -> None:
    """Source, steps, schema, criteria and format check stand in order; id and gold of the case do not."""
    for case in (PAIR, LOAN, SUM):
        prompt = build_prompt(case, task_spec(NAME), Options())
        parts = ["by nothing else", "Proceed in these steps", "as one JSON object", "Criteria:", "Check before"]
        places = [prompt.index(part) for part in parts]
        assert places == sorted(places)
        assert "77001" not in prompt and "2890" not in prompt
        assert prompt.index(case.rules) < places[0] < prompt.index(case.case)
        assert all(f"{label}: {CRITERIA[label]}." in prompt for label in case.choices)
    with pytest.raises(InputError, match=r"field tags: found .*expected one of approval"):
        build_prompt(made("poem", "label", "Full_Approval"), task_spec(NAME), Options())


def test_a_release_that_is_not_imported_is_one_line(tmp_path, monkeypatch) -> None:
    """The one line names the command."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"finance_release: found no import in .*holmes import holmes-release --from"):
        cases_of(task_spec(NAME))


@pytest.mark.release
def test_golds_of_the_release_score_one_under_every_scoring(releases_dir, tmp_path, monkeypatch) -> None:
    """All 1,079 golds score 1.0 tolerant, strict and under the authors' scoring; every subtype has its own prompt."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    bring("holmes-release", str(releases_dir / "holmes"))
    spec = task_spec(NAME)
    cases = cases_of(spec)
    assert len(cases) == 1079
    for case in cases:
        found = score(case, gold(case))
        parts = ("items", "items_strict", "accuracy_strict")
        assert [found.value, *(found.parts[part] for part in parts)] == [1.0] * 4, (case.id, found.reason)
        assert score(case, gold(case), compat=COMPAT).value == 1.0, case.id
        fenced = f"```json\n{gold(case)}\n```"
        assert (score(case, fenced).value, score(case, fenced, compat=COMPAT).value) == (1.0, 0.0), case.id
    prompts = [build_prompt(case, spec, Options()) for case in cases]
    assert len(set(prompts)) == len({case.rules + case.case + case.question for case in cases})
    assert {kind for kind, steps in STEPS.items() if any(f"1. {steps[0]}" in prompt for prompt in prompts)} == set(
        STEPS
    )
