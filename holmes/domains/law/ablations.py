"""How often an engine that lacks one operator still finds the gold answer: what each operator is worth (gate 3)."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.cases import Case
from holmes.derivations.parts import facts_of
from holmes.domains.law.rulebases import rulebase_of
from holmes.logic.engine.evaluate import evaluate

LIMITS = {  # design section 8, gate 3: the most that an ablated engine may reach over all cases
    "no_priorities": 0.75,
    "no_exceptions": 0.75,
    "no_exceptions_to_exceptions": 0.85,
    "one_pass": 0.85,
    "no_negation": 0.85,
    "first_triggered": 0.75,
    "gravest_triggered": 0.75,
}


def ablated(cases: Sequence[Case]) -> dict[str, float]:
    """Return for each ablation the share of cases whose answer it still gives.

    cases: law cases of ours, at least one. Returns ablation -> share in [0, 1].
    """
    right = dict.fromkeys(LIMITS, 0)
    for case in cases:
        base = rulebase_of(case)
        facts = facts_of(case, base)
        for name in LIMITS:
            right[name] += evaluate(base, facts, ablate=frozenset({name})).answer == case.answer
    return {name: count / len(cases) for name, count in right.items()}


def table(cases: Sequence[Case]) -> str:
    """Return the ablations as a Markdown section of the card."""
    rows = [
        f"| {name.replace('_', ' ')} | {share:.3f} | {LIMITS[name]:.2f} |" for name, share in ablated(cases).items()
    ]
    head = (
        "\n## Ablated engines\n\nThe share of `law`, `test` that an engine without one operator still answers right:\n"
    )
    return "\n".join([head, "| engine | share | at most |", "|---|---:|---:|", *rows, "\n## Gallery\n"])
