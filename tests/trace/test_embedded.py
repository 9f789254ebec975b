"""The shipped gold traces: each is read whole, and scores exactly 1 against itself."""

import pytest

from holmes.reading.step_results import ResultKind
from holmes.scoring.trace import score_samples
from holmes.scoring.trace.samples import gold_traces
from holmes.store import configs, load_cases
from tests.trace.fakes import Words

CONFIGS = ("law", "deontic_sara_numeric")


@pytest.mark.parametrize("config", CONFIGS)
def test_gold_is_one(config):
    """Every shipped gold trace, as a reply, scores exactly 1 in SRMR, SA and ROUGE-L, and is read step by step."""
    if config not in configs():
        pytest.skip(f"{config} is not shipped")
    cases = load_cases(config)[:40]
    texts = ["Reasoning:\n" + "\n".join(s.text for s in c.trace) + f"\nAnswer: {c.answer}" for c in cases]
    for case, s in zip(cases, score_samples(cases, texts, encoder=Words()), strict=True):
        assert (case.id, s["srmr"], s["sa_f1"], s["rouge_l"]) == (case.id, 1.0, 1.0, 1.0)
        assert s["trace_steps"] == len(case.trace)


@pytest.mark.parametrize("config", CONFIGS)
def test_typed_results_agree(config):
    """What is read from a policy's or a concept's line is the typed result that the evaluation recorded."""
    if config not in configs():
        pytest.skip(f"{config} is not shipped")
    read = wrong = 0
    for case in load_cases(config):
        for step, found in zip(case.trace, gold_traces(case)[0], strict=True):
            if step.kind in ("triggered", "applies", "amount") and step.result:
                read += 1
                wrong += found.result.value != step.result and found.result.kind is not ResultKind.LABEL
    assert read > 100 and wrong == 0
