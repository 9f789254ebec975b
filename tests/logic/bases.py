"""The rule bases of the fixtures, loaded once, and random coherent-in-type cases of them."""

from __future__ import annotations

import random
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from holmes.logic.language.model import RuleBase, Type
from holmes.logic.loader import load_rulebase

FIXTURES = Path(__file__).parent / "fixtures"
NAMES = tuple(sorted(path.stem for path in FIXTURES.glob("*.yaml") if not path.name.endswith(".text.yaml")))
ODDMENTS = Path(__file__).parent / "oddments"
ALL = (*NAMES, *sorted(path.stem for path in ODDMENTS.glob("*.yaml")))


@cache
def base(name: str) -> RuleBase:
    """Load a fixture or an oddment by name."""
    folder = FIXTURES if name in NAMES else ODDMENTS
    return load_rulebase(folder / f"{name}.yaml")


def value(type_: Type, rng: random.Random) -> Any:
    """Draw a value of a type."""
    match type_.kind:
        case "bool":
            return rng.random() < 0.5
        case "enum":
            return rng.choice(type_.values)
        case "int" | "money":
            low, high = type_.low if type_.low is not None else 0, type_.high if type_.high is not None else 20000
            number = Fraction(rng.randint(int(low), int(high)))
            if type_.kind == "money" and rng.random() < 0.3 and number < high:
                number += Fraction(rng.randint(0, 99), 100)
            return number
        case "date":
            return date(2020, 1, 1) + timedelta(days=rng.randint(0, 120))
        case "name":
            return f"N{rng.randint(1, 10**9)}"
        case "list":
            size = rng.randint(0, type_.max)
            return tuple({name: value(part, rng) for name, part in type_.fields} for _ in range(size))
    raise AssertionError(type_)


def random_facts(rulebase: RuleBase, seed: object) -> dict[str, Any]:
    """Draw a case: every fact of its type, integrity not looked at."""
    rng = random.Random(f"{rulebase.name}/{seed}")
    return {name: value(fact.type, rng) for name, fact in rulebase.facts.items()}
