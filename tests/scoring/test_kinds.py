"""A kind of answer is one object: what its contract asks for is what the prompt prints, and its gold reply is right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holmes.errors import InputError
from holmes.interfaces import Task
from holmes.options import Options
from holmes.registry import domain_of
from holmes.scoring import score
from holmes.scoring.run import case_metrics, score_outputs
from holmes.tasks import build_prompt, cases_of, task_names, task_spec

LEAVES = [spec for spec in map(task_spec, task_names()) if not spec.mixed and not spec.name.endswith("_release")]


@pytest.mark.parametrize("spec", LEAVES, ids=lambda spec: spec.name)
def test_the_contract_of_a_kind_is_what_its_prompt_prints_and_its_gold_reply_is_right(spec: Task) -> None:
    case = cases_of(spec, "smoke")[0]
    kind = domain_of(case).answer_kind(case, spec.mode)
    for trace in ("lines", "free", "none"):
        assert kind.contract(case, trace=trace) in build_prompt(case, spec, replace(Options(), trace=trace))
    right = score(case, kind.gold_reply(case), spec.mode)
    assert right.value == 1
    assert all(right.parts.get(part, 1) == 1 for part in ("checks", "items_strict", "accuracy_strict", "both", "clean"))
    scores = score_outputs(case, spec, Options(), [kind.gold_reply(case), "I cannot say."])
    own, shown = kind.metrics(scores), case_metrics(case, spec, scores)
    assert own.items() <= shown.items()
    assert all(0 <= value <= 1 for value in own.values())


def test_what_a_kind_does_not_know_is_undefined_or_refused() -> None:
    law = cases_of(task_spec("holmes_law"), "smoke")[0]
    with pytest.raises(InputError, match=r"expected one that asks for a program"):
        domain_of(law).answer_kind(law, "prolog").contract(law)
    claims = cases_of(task_spec("holmes_finance_approval"))
    kind = domain_of(claims[0]).answer_kind(claims[0])
    replies = [(case, kind.gold_reply(case)) for case in claims[:40]]
    defined = {'"failing_rules": []' not in text: kind.metrics([score(case, text)]) for case, text in replies}
    assert defined[True]["fail_recall"] == 1
    assert not {"fail_recall", "fail_precision"} & set(defined[False])


@pytest.mark.parametrize("name", ["holmes_law", "deontic_sara_numeric", "holmes_policy", "holmes_finance_amount"])
def test_a_reply_that_never_came_is_scored_by_every_kind(name: str) -> None:
    spec = task_spec(name)
    case = cases_of(spec, "smoke")[0]
    empty = domain_of(case).answer_kind(case, spec.mode).empty(case)
    found = score(case, None, spec.mode)
    assert found.value == 0 and empty.items() <= found.parts.items()
