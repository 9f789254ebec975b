"""What the rules mean: dead conditions, idle rules, unreachable answers, decided by SAT over coherent records.

A check looks for a witness among random records first, then asks the solver. "No" is always a proof. Formulas over
too many values (comparisons of two money amounts, lists) are open to the solver, so that where only such a formula
stands in the way the check is reported as unchecked, a warning, and never passed over in silence.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, replace

from holmes.errors import EnvironmentFailure
from holmes.logic.language.model import (
    RuleBase,
)
from holmes.logic.language.problems import Problem
from holmes.logic.sat.condition_checks import check_equivalent, check_parts, check_values
from holmes.logic.sat.decision_checks import check_alone, check_attacks, check_decision, check_idle, check_total
from holmes.logic.sat.witness import Checker
from holmes.util.files import write_text
from holmes.util.paths import cache_dir

VERSION = 2  # of the checks: part of the key of the cache


def run_checks(rulebase: RuleBase) -> list[Problem]:
    """Run all checks, without the cache."""
    total = check_total(rulebase)
    if any(not p.warning for p in total):
        return total  # where two measures remain there is no answer to ask about
    c = Checker(rulebase)
    if not c.samples and c.clauses.solve([]) is None:
        line = c.base.decision.line
        return [
            Problem(
                c.base.path, line, "integrity", "", "conditions that no record obeys", "a coherent record", "semantics"
            )
        ]
    stages = (
        (check_values,),
        (check_parts, check_equivalent, check_attacks),
        (check_decision, check_idle, check_alone),
    )
    for stage in stages:  # a concept that is never true makes every rule built on it idle: say it once
        for check in stage:
            check(c)
        if any(not problem.warning for problem in c.problems):
            break
    return [*total, *c.problems]


def check_semantics(rulebase: RuleBase) -> list[Problem]:
    """Return the problems of meaning, those that could not be settled as warnings.

    The result is kept in the user's cache by fingerprint, so that a rule base is analysed once a machine.
    """
    file = cache_dir() / "semantics" / f"{rulebase.name}-{rulebase.fingerprint}-{VERSION}.json"
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return [replace(Problem(**row), file=rulebase.path) for row in rows]
    except (OSError, ValueError, TypeError):
        problems = run_checks(rulebase)
    with contextlib.suppress(OSError, EnvironmentFailure):  # a cache that cannot be written costs time, nothing else
        write_text(file, json.dumps([asdict(problem) for problem in problems]))
    return problems
