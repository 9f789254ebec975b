"""Samples by higher-order type: as many of each as asked, none twice, the same from the same seed, shortfalls told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from holmes.configs.by_type import by_type, sample, types_of
from holmes.derivations.operations import TYPES
from holmes.errors import InputError
from holmes.options import Options
from holmes.scoring import run
from holmes.store import load_cases, provenance, splits
from holmes.tasks import build_prompt, cases_of, task_spec
from tests.derivation.made import written


@pytest.mark.parametrize(("split", "each"), [("test", 100), ("half", 50)])
def test_so_many_of_each_type_and_no_case_twice(split, each):
    """The paper's 500 and 250, over our law and finance."""
    found = by_type(split)
    assert Counter(found.drawn.values()) == dict.fromkeys(TYPES, each) and not found.short
    assert len({case.id for case in found.cases}) == len(found.cases) == 5 * each
    assert all(found.drawn[case.id] in types_of(case) for case in found.cases)
    assert {case.domain for case in found.cases} == {"law", "finance"}


def test_the_seed_alone_decides():
    """Another seed, other cases; the order of the pool does not matter; the option reaches the task."""
    pool = [replace(case, hol_types=types_of(case), hol_evidence="{}") for case in load_cases("law")]
    one = sample(pool, 5, seed=3)
    assert sample(reversed(pool), 5, seed=3) == one != sample(pool, 5, seed=4)
    spec = task_spec("holmes_types")
    assert cases_of(spec, "half", 1) == list(by_type("half", 1).cases) != cases_of(spec, "half")
    found = provenance("types", "half", 1)
    assert found["cases"] == 250 and found["fingerprint"] != provenance("types", "half")["fingerprint"]
    assert splits("types") == ("half", "test")


def test_a_type_with_too_few_cases_takes_all_and_says_how_many_are_missing():
    """Rare types draw first, so that a common one does not take their cases."""
    law = load_cases("law")[:6]
    pool = [replace(c, hol_types=("PR", "PQ") if n < 2 else ("PQ",), hol_evidence="{}") for n, c in enumerate(law)]
    found = sample(pool, 3)
    assert Counter(found.drawn.values()) == {"PR": 2, "PQ": 3}
    assert found.short == {"PR": 1, "PT": 3, "PC": 3, "PS": 3}
    with pytest.raises(InputError, match="found no split 'hard', expected one of test, half"):
        by_type("hard")


def test_the_task_prompts_and_scores_each_case_as_its_own_domain_does():
    """Accuracy by type and derivation scores in one task; law cites rules, finance reports."""
    spec, options = task_spec("holmes_types"), Options(split="half")
    cases = cases_of(spec, "half")
    chosen = [next(c for c in cases if c.domain == domain) for domain in ("law", "finance")]
    assert "[Rule 5]: triggered" in build_prompt(chosen[0], spec, options)
    assert "JSON" in build_prompt(chosen[1], spec, options)
    rows = [
        run.case_metrics(c, spec, run.score_outputs(c, spec, options, [written(c).text()]), options) for c in chosen
    ]
    assert all(row["deriv_f1"] == row["deriv_soundness"] == 1 for row in rows)
    assert set(run.DERIVATION_PARTS) <= set(run.more_metrics(spec, options))
    assert "rule_f1" in rows[0]
