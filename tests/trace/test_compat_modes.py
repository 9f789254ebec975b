"""The authors' mode where it is asked for by name: what is scored is what is signed, and undefined stays undefined."""

from __future__ import annotations

import json
import math

import evaluate
import pytest

from holmes.cases import Case, Step
from holmes.errors import InputError
from holmes.scoring.trace import compat, score_traces, summarise
from holmes.util.paths import metrics_dir
from tests.trace.fakes import Words

STEPPED = """[Scenario 1: ferry]
Evaluating Rule 2 (Ferry Fares).

Step 1: Check — The ticket was shown. Result: PASS.
Step 2: Compute — Fare due. Result: 40.
Step 3: Decide — Verdict on the fare. Result: Partial Approval (approved amount: 30).
Step 4: Identify rank — Rank of the passenger. Result: Rule 2 — Deck hand.
Step 5: Construct claim. Output: Claim made.
Step 6: Conclusion — Partial Approval."""
LINES = "The ferry was boarded.\nThe waiver does not apply.\nThe fine is not triggered.\nAnswer: fine"


def reply(*steps: tuple[str, str]) -> str:
    """A reply with these descriptions and results."""
    return json.dumps({"reasoning_trace": [{"description": d, "result": r} for d, r in steps]})


GOLD_REPLY = reply(
    ("Check — The ticket was shown", "PASS"),
    ("Compute — Fare due", "40"),
    ("Decide — Verdict on the fare", "Partial Approval (approved amount: 30)"),
    ("Identify rank — Rank of the passenger", "Rule 2 — Deck hand"),
)


def load(name: str):
    """The packaged module of a metric."""
    return evaluate.load(str(metrics_dir() / name / f"{name}.py"))


def test_every_line_with_a_result_is_a_gold_step() -> None:
    """Decide and Identify lines count as Check and Compute do; the verb is part of the description."""
    found = [(s.description, s.result.raw) for s in compat.finance_gold(STEPPED)]
    assert found == [tuple(item.values()) for item in json.loads(GOLD_REPLY)["reasoning_trace"]]


def test_a_scenario_and_the_line_below_it_are_one_string() -> None:
    """SA sees eight lines of text as seven strings."""
    reference = compat.sides(compat.Texts("", GOLD_REPLY, STEPPED))[3]
    assert reference[0] == "[Scenario 1: ferry] Evaluating Rule 2 (Ferry Fares)." and len(reference) == 7


@pytest.mark.parametrize(("prediction", "gold"), [(GOLD_REPLY, STEPPED), (LINES, LINES)])
def test_identity_is_one_through_the_module(prediction: str, gold: str) -> None:
    """A gold's own steps score 1 in the mode that the signature names."""
    result = load("srmr").compute(
        predictions=[prediction], references=[gold], encoder=Words(), compat=compat.NAME, per_sample=True
    )
    assert result["srmr"] == 1.0 and f"compat:{compat.NAME}" in result["signature"]
    assert "results:authors" in result["signature"]


def test_the_module_scores_as_the_authors_do() -> None:
    """A denial that is not one of their four phrases is FAIL for us and PASS for them."""
    prediction = "The ferry was boarded.\nThe waiver is not engaged."
    gold = "The ferry was boarded.\nThe waiver is engaged."
    ours, _ = score_traces([prediction], [[gold]], ("srmr",), encoder=Words())
    theirs, _ = score_traces([prediction], [[gold]], ("srmr",), encoder=Words(), compat=compat.NAME)
    assert (ours[0]["srmr"], theirs[0]["srmr"]) == (0.5, 1.0)


def test_baselines_are_read_as_the_scores_are() -> None:
    """Beside authors' scores stand baselines of the authors' gold steps: shuffled golds score 1, others are known."""
    case = Case(id="f", domain="x", task="x", source="own", bundle="b", rules="r", case="c", question="q", answer="a",
                answer_type="label", trace=tuple(Step(line) for line in STEPPED.splitlines() if line))  # fmt: skip
    _, summary = summarise([case], [GOLD_REPLY], ("srmr",), encoder=Words(), compat=compat.NAME)
    assert summary.means["srmr"] == summary.baselines["shuffled_gold"]["srmr"] == 1.0
    assert summary.baselines["all_pass"]["srmr"] == 0.25  # one of four gold results is PASS
    assert summary.baselines["all_pass"]["trace_steps"] == 4


@pytest.mark.parametrize(
    ("options", "named"),
    [({"matching": "optimal"}, "matching"), ({"tau": 0.6}, "tau"), ({"tokenizer": "unicode"}, "tokenizer")],
)
def test_what_the_authors_do_not_do_is_refused(options: dict[str, object], named: str) -> None:
    """A signature with an option that their mode ignores would say what was not done."""
    with pytest.raises(InputError, match=f"trace option {named}: found"):
        score_traces([LINES], [[LINES]], ("rouge_l",), compat=compat.NAME, **options)


def test_one_gold_is_their_mode() -> None:
    """Several references have no meaning there."""
    with pytest.raises(InputError, match="sample 0: found 2, expected one"):
        score_traces([LINES], [[LINES, LINES]], ("rouge_l",), compat=compat.NAME)


def test_undefined_is_none_in_the_module() -> None:
    """An empty reply leaves the mean, and its own figure is None, not NaN: the result is JSON."""
    result = load("srmr").compute(
        predictions=["", GOLD_REPLY], references=[STEPPED] * 2, encoder=Words(), compat=compat.NAME, per_sample=True
    )
    assert result["srmr"] == 1.0 and result["per_sample"][0]["srmr"] is None
    json.dumps(result, allow_nan=False)


def test_nan_is_no_cosine() -> None:
    """A similarity that is NaN is refused, not matched or dropped."""
    import numpy as np

    from holmes.scoring.trace.alignment import align
    from holmes.scoring.trace.srmr import srmr

    steps = compat.finance_gold(STEPPED)[:1]
    for call in (lambda t: srmr(steps, steps, t), align):
        with pytest.raises(InputError, match="found NaN or an infinity"):
            call(np.array([[math.nan]]))
