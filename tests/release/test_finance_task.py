"""The task on the imported finance release: prompts of five parts a subtype, golds right under both scorings."""

from __future__ import annotations

import json

import pytest
import yaml

from holmes.cases import Case
from holmes.errors import InputError
from holmes.options import Options
from holmes.scoring import score
from holmes.services.importing import bring
from holmes.sources.holmes_release.finance.prompts import CRITERIA, STEPS
from holmes.store import load_cases
from holmes.tasks import build_prompt, cases_of, task_names, task_spec
from holmes.util.paths import tasks_dir
from tests.release import made as releases

LEAVES = [name for name in task_names() if name.startswith("holmes_finance_") and name.endswith("_release")]
SIZES = {"approval": 429, "materials": 40, "invoices": 20, "labour": 30, "loans": 40, "amount": 120}
COMPAT = "holmes-2026"


def made(task: str, answer_type: str, answer: str, choices: tuple[str, ...] = ()) -> Case:
    """An imported case in our words."""
    return Case(
        id="finance/sample/77001", domain="finance", task=f"finance_{task}", source="holmes-release",
        rules="1. Keep receipts.", case="Two claims were filed.", question="And now?", answer=answer,
        answer_type=answer_type, choices=choices,
    )  # fmt: skip


PAIR = made("parallel_2", "report", '["Full_Approval", "Rejection"]', ("Full_Approval", "Rejection"))
LOAN = made("loans", "label", "Cannot_Borrow", ("Can_Borrow", "Cannot_Borrow"))
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
        (PAIR, f"```json\n{gold(PAIR)}\n```", 1, 1, 1, 0),
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
    for name, case in (("parallel_2", PAIR), ("loans", LOAN), ("amount", SUM)):
        prompt = build_prompt(case, task_spec(f"holmes_finance_{name}_release"), Options())
        parts = ["by nothing else", "Proceed in these steps", "as one JSON object", "Criteria:", "Check before"]
        places = [prompt.index(part) for part in parts]
        assert places == sorted(places)
        assert "77001" not in prompt and "2890" not in prompt
        assert prompt.index(case.rules) < places[0] < prompt.index(case.case)
        assert all(f"{label}: {CRITERIA[label]}." in prompt for label in case.choices)
    with pytest.raises(InputError, match=r"field task: found .*expected finance_ and a subtype"):
        build_prompt(made("poem", "label", "Full_Approval"), task_spec(LEAVES[0]), Options())


def test_the_release_has_a_group_of_the_tasks_of_ours() -> None:
    """`holmes_finance_release` lists a leaf for each of ours, `holmes_release` adds law; both average over cases."""
    group = yaml.safe_load((tasks_dir() / "finance" / "holmes_finance_release.yaml").read_text())
    ours = yaml.safe_load((tasks_dir() / "finance" / "holmes_finance.yaml").read_text())
    assert group["task"] == [f"{name}_release" for name in ours["task"]]
    assert sorted(group["task"]) == sorted(LEAVES)
    whole = yaml.safe_load((tasks_dir() / "holmes_release.yaml").read_text())
    assert whole["task"] == ["holmes_law_release", "holmes_finance_release"]
    assert all(row["weight_by_size"] for row in (*group["aggregate_metric_list"], *whole["aggregate_metric_list"]))
    for name in LEAVES:
        leaf = yaml.safe_load((tasks_dir() / "finance" / f"{name}.yaml").read_text())
        assert (leaf["task"], leaf["dataset_kwargs"]) == (name, {"holmes_task": name})


def test_a_release_that_is_not_imported_is_one_line(tmp_path, monkeypatch) -> None:
    """The one line names the command."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"finance_release: found no import in .*holmes import holmes-release --from"):
        cases_of(task_spec(LEAVES[0]))


def test_an_import_without_cases_of_a_task_says_to_import_again(tmp_path, monkeypatch) -> None:
    """Such is an import by a version that knew one task for all; the leaves that have cases hold only theirs."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    bring("holmes-release", str(releases.finance_release(tmp_path / "r")))
    assert [case.id for case in cases_of(task_spec("holmes_finance_labour_release"))] == [
        "finance/sample3/5", "finance/sample3/6",
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"_parallel_5_release: found no case of .*again: holmes import holmes-rel"):
        cases_of(task_spec("holmes_finance_parallel_5_release"))


@pytest.mark.release
def test_golds_of_the_release_score_one_under_every_scoring(releases_dir, tmp_path, monkeypatch) -> None:
    """In each task all golds (1,079) score 1.0 tolerant, strict and as the authors score; each subtype has a prompt."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    bring("holmes-release", str(releases_dir / "holmes"))
    by_task = {name: cases_of(task_spec(name)) for name in LEAVES}
    sizes = {name: SIZES.get(name.removeprefix("holmes_finance_").removesuffix("_release"), 50) for name in LEAVES}
    assert {name: len(cases) for name, cases in by_task.items()} == sizes
    cases = [case for name in LEAVES for case in by_task[name]]
    assert sorted(case.id for case in cases) == sorted(case.id for case in load_cases("finance_release"))
    for name, own in by_task.items():
        if name.split("_")[2] in ("parallel", "compositional"):
            assert {case.difficulty.components for case in own} == {int(name.split("_")[3])}
    for case in cases:
        found = score(case, gold(case))
        parts = ("items", "items_strict", "accuracy_strict")
        assert [found.value, *(found.parts[part] for part in parts)] == [1.0] * 4, (case.id, found.reason)
        assert score(case, gold(case), compat=COMPAT).value == 1.0, case.id
        fenced = f"```json\n{gold(case)}\n```"
        assert (score(case, fenced).value, score(case, fenced, compat=COMPAT).value) == (1.0, 0.0), case.id
    prompts = [build_prompt(case, task_spec(name), Options()) for name in LEAVES for case in by_task[name]]
    assert len(set(prompts)) == len({case.rules + case.case + case.question for case in cases})
    assert {kind for kind, steps in STEPS.items() if any(f"1. {steps[0]}" in prompt for prompt in prompts)} == set(
        STEPS
    )
