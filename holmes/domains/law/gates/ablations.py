"""Gate 3: engines with one operator taken away, rules that decide, policies and exemptions that give nothing away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from holmes.domains.law.gates.sample import Sample
from holmes.domains.law.planner.plans import numbers
from holmes.logic.engine.vectorized import ABLATIONS, Engine, decide, exemptions
from holmes.results import Gate, at_least, at_most

LIMITS = {"no_priorities": 0.75, "no_exceptions": 0.75, "first_triggered": 0.75, "gravest_triggered": 0.75}
OTHER = 0.85
FREQUENT = 10


def accuracy(sample: Sample, name: str) -> float:
    """Return the accuracy of an ablated engine on a sample."""
    return float(np.mean(decide(sample.rulebase, sample.records, ABLATIONS[name]).answer == sample.answers))


def ablated(samples: Sequence[Sample], scope: str) -> Iterator[Gate]:
    """Yield one gate an ablated engine over all samples together."""
    total = sum(len(s) for s in samples)
    for name in ABLATIONS:
        right = sum(accuracy(s, name) * len(s) for s in samples)
        yield at_most(f"3 {name}", scope, right / total, LIMITS.get(name, OTHER))


def rules(shipped: Sample, fresh: Sample) -> Iterator[Gate]:
    """Yield the gates of one bundle about single rules.

    Every rule is decisive in a shipped or fresh case; a policy with ten or more occurrences does not fix the answer;
    each exemption is defeated in a quarter of its triggers.
    """
    base, scope = shipped.rulebase, shipped.rulebase.name
    idle = []
    for rule in numbers(base):
        without = Engine(drop=frozenset({rule}))
        if not any((decide(base, s.records, without).answer != s.answers).any() for s in (shipped, fresh)):
            idle.append(rule)
    yield at_most(f"3 rules never decisive{' ' + str(idle) if idle else ''}", scope, len(idle), 0)
    for source, sample in (("", shipped), (" fresh", fresh)):
        for answers, kind in ((sample.answers, ""), (sample.final, " final")):
            worst, who = 0.0, ""
            for name, mask in sample.decided.triggered.items():
                seen = answers[mask]
                if len(seen) >= FREQUENT and (share := float(np.bincount(seen).max() / len(seen))) > worst:
                    worst, who = share, name
            yield at_most(f"3 answer given a policy{kind}{source} ({who})", scope, worst, 0.80)
        least, who = 1.0, ""
        for name in exemptions(base):
            there = sample.decided.triggered[name]
            share = float((~sample.decided.applies[name])[there].mean()) if there.any() else 0.0
            if share <= least:
                least, who = share, name
        yield at_least(f"3 exemption defeated{source} ({who})", scope, least, 0.25)
