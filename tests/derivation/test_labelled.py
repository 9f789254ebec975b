"""The labelled sample: its figures, which docs/scoring.md quotes, and what the scorer is known to miss."""

from __future__ import annotations

import re
from pathlib import Path

from holmes.scoring.derivation import score_against
from tests.derivation.labelled import agreement, read_traces

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs/scoring.md"


def test_the_sample_is_spread_over_the_domains_and_holds_faults():
    """Forty traces and more; law, finance and statutes; prose, errors, leaps."""
    traces = read_traces(HERE / "traces.txt")
    domains = [trace.case.domain for trace in traces]
    assert len(traces) >= 40 and min(domains.count(d) for d in ("law", "finance", "deontic")) >= 10
    kinds = [verdict for trace in traces for verdict in trace.claims.values()]
    assert kinds.count("wrong") >= 25 and kinds.count("leap") >= 15
    assert sum("prose" in trace.manner for trace in traces) >= 8


def test_the_documented_agreement_is_what_is_measured():
    """Every figure of the benchmark stands in docs/scoring.md."""
    fitted, _ = agreement(read_traces(HERE / "traces.txt"))
    unseen, _ = agreement(read_traces(HERE / "unseen.txt"))
    text = DOCS.read_text()
    for name, value in fitted.items():
        row = rf"^\| {re.escape(name)} \| {re.escape(str(value))} \| {re.escape(str(unseen[name]))} \|$"
        assert re.search(row, text, re.MULTILINE), (name, value, unseen[name])


def test_the_scorer_agrees_with_the_labels_of_every_trace_but_few():
    """A trace with a wrong claim is never scored sound, one without never unsound, two known idioms apart."""
    for trace in read_traces(HERE / "traces.txt"):
        score = score_against(trace.reference, trace.text)
        wrong = "wrong" in trace.claims.values()
        if "out of the question" not in trace.text:
            assert (score.soundness < 1) == wrong, (trace.case.id, trace.manner, score.first_error)
