"""The family metrics on rows made by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from holmes.cases import Case
from holmes.interfaces import Task
from holmes.results import Outcome, Score
from holmes.scoring import counterfactual as metrics
from holmes.scoring.core import score
from holmes.store import load_cases
from holmes.tasks import own_spec, task_spec


def row(family: str, role: str, *outputs: tuple[float, str | None]) -> list[object]:
    """One case's row: (value, prediction) of each output."""
    return [family, role, [value for value, _ in outputs], [answer for _, answer in outputs]]


def rows(*families: tuple[tuple[float, str | None], ...]) -> list[list[object]]:
    """Families of one output a member: original, decisive, control."""
    roles = ("original", "decisive", "control")
    return [
        row(str(i), role, out) for i, members in enumerate(families) for role, out in zip(roles, members, strict=True)
    ]


def values(given: list[list[object]]) -> dict[str, float]:
    """The value of every metric."""
    return {name: metrics.interval(name, given).value for name in metrics.METRICS}


RIGHT = ((1.0, "a"), (1.0, "b"), (1.0, "a"))
RIGID = ((1.0, "a"), (0.0, "a"), (1.0, "a"))  # always the original's answer
WRONG = ((0.0, "b"), (1.0, "b"), (0.0, "b"))  # wrong, right by luck, and steady
SHAKEN = ((1.0, "a"), (1.0, "b"), (0.0, "b"))
SILENT = ((0.0, None), (0.0, None), (0.0, None))


def test_the_definitions() -> None:
    """Each metric counts what the paper says, over families."""
    assert values(rows(RIGHT)) == {"o_acc": 1, "cf_acc": 1, "crs": 1, "ctrl_fail": 0, "all_3": 1}
    assert values(rows(RIGID)) == {"o_acc": 1, "cf_acc": 0, "crs": 0, "ctrl_fail": 0, "all_3": 0}
    found = values(rows(RIGHT, RIGID, WRONG, SHAKEN))
    assert found == {"o_acc": 3 / 4, "cf_acc": 3 / 4, "crs": pytest.approx(2 / 3), "ctrl_fail": 1 / 4, "all_3": 1 / 4}


def test_a_steady_error_is_no_control_failure() -> None:
    """Ctrl-Fail compares predictions with each other, not with the gold; an abstention is a failure, even twice."""
    assert values(rows(WRONG))["ctrl_fail"] == 0
    assert values(rows(SILENT))["ctrl_fail"] == 1
    assert values(rows(((1.0, "a"), (1.0, "b"), (0.0, None))))["ctrl_fail"] == 1


def test_crs_is_undefined_where_no_original_is_right() -> None:
    """Never 0: nan with nan ends, and no family counts; one right original is enough to define it."""
    found = metrics.interval("crs", rows(WRONG, SILENT))
    assert math.isnan(found.value) and math.isnan(found.low) and math.isnan(found.high)
    assert math.isnan(metrics.crs(rows(WRONG))) and metrics.crs_families(rows(WRONG)) == 0
    few = rows(RIGHT, WRONG, WRONG)
    assert metrics.crs(few) == metrics.crs_ci_lo(few) == 1 and metrics.crs_families(few) == 1


def test_k_outputs_count_alike() -> None:
    """With K outputs a family counts every combination of its members' outputs."""
    given = [
        row("f", "original", (1.0, "a"), (0.0, "b")),
        row("f", "decisive", (1.0, "b"), (0.0, "a")),
        row("f", "control", (1.0, "a"), (1.0, "a")),
    ]
    assert values(given) == {"o_acc": 0.5, "cf_acc": 0.5, "crs": 0.5, "ctrl_fail": 0.5, "all_3": 0.25}
    assert metrics.crs_families(given) == 0.5


def test_an_unfinished_family_counts_where_it_can() -> None:
    """A run with a limit may cut a family: its original counts for O-Acc, and for nothing that needs the others."""
    given = [*rows(RIGHT), row("cut", "original", (0.0, "b"))]
    assert values(given) == {"o_acc": 0.5, "cf_acc": 1, "crs": 1, "ctrl_fail": 0, "all_3": 1}
    assert metrics.interval("all_3", given).cases == 1


def test_intervals_are_over_families() -> None:
    """The interval holds the value, and shrinks with the number of families; rows in another order change nothing."""
    few, many = rows(*[RIGHT, RIGID] * 4), rows(*[RIGHT, RIGID] * 50)
    wide, narrow = metrics.interval("crs", few), metrics.interval("crs", many)
    assert wide.low < 0.5 < wide.high and narrow.high - narrow.low < wide.high - wide.low
    assert metrics.interval("crs", few[::-1]) == wide


@pytest.mark.parametrize(
    ("kind", "domain", "one", "other", "same"),
    [
        ("amount", "deontic", "10557", "10557.2", True),
        ("amount", "deontic", "10557", "10558", False),
        ("amount", "finance", "12.5", "12.50", True),
        ("amount", "finance", "12.5", "12", False),
        ("report", "finance", '{"Item 1": "Full", "Item 2": "X"}', '{"Item 2": "X", "Item 1": "Full"}', True),
        ("label", "law", "fine", "warning", False),
    ],
)  # fmt: skip
def test_predictions_are_compared_as_answers(kind: str, domain: str, one: str, other: str, same: bool) -> None:
    """Two spellings of one answer are one prediction."""
    case = replace(load_cases("law", "smoke")[0], answer_type=kind, domain=domain)
    read = [metrics.prediction(case, Score(0.0, Outcome.WRONG, text, "")) for text in (one, other)]
    assert (read[0] == read[1]) == same
    assert metrics.prediction(case, Score(0.0, Outcome.MALFORMED, one, "")) is None


def test_every_case_is_prompted_and_scored_as_in_its_own_domain() -> None:
    """The task has no prompt and no scorer of its own."""
    spec = task_spec("holmes_counterfactual")
    chosen = {case.task: own_spec(case, spec) for case in load_cases("counterfactual", "test")}
    assert {name: (own.prompt, own.mode) for name, own in chosen.items() if "finance" not in name} == {
        "law": ("answer", "answer"),
        "deontic_sara_numeric": ("zeroshot", "prolog"),
        "deontic_sara_binary": ("zeroshot", "prolog"),
    }
    assert all(own.prompt == "report" for name, own in chosen.items() if "finance" in name)
    direct = task_spec("holmes_counterfactual_direct")
    assert {own_spec(case, direct).mode for case in load_cases("counterfactual", "smoke")} == {"answer"}
    assert own_spec(_law(), spec_of := task_spec("holmes_law")) is spec_of


def _law() -> Case:
    return load_cases("law", "smoke")[0]


def test_a_gold_reply_is_right_for_its_row_alone() -> None:
    """The gold of the original is wrong for the decisive row, and the other way round."""
    spec: Task = task_spec("holmes_counterfactual_direct")
    smoke = load_cases("counterfactual", "smoke")
    for original, decisive in zip(smoke[::3], smoke[1::3], strict=True):
        for case, other in ((original, decisive), (decisive, original)):
            text = (
                f"Answer: {_shown(case)}"
                if case.answer_type != "report"
                else json.dumps({"items": json.loads(case.answer)})
            )
            mode = own_spec(case, spec).mode
            assert score(case, text, mode).value == 1 and score(other, text, mode).value == 0, case.id


def _shown(case: Case) -> str:
    return next((alias.text[0] for alias in case.aliases if alias.label == case.answer and alias.text), case.answer)
