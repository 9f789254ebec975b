"""Engines that overlook one thing: each shows that what it overlooks matters."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from holmes.domains.statutes.slots import expand, variants
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.loader import load_rulebase

RULES = Path(__file__).parent / "rules"
SHARED = ("no_exceptions", "no_exceptions_to_exceptions")


@lru_cache(maxsize=1)
def rulebase() -> RuleBase:
    """Return the conditions, loaded once."""
    return load_rulebase(RULES / "baggage.yaml")


@lru_cache(maxsize=1)
def engines() -> Mapping[str, RuleBase]:
    """Return the rule base of each engine that overlooks something, by its name: what the source marks with ``@``."""
    source = (RULES / "baggage.source").read_text("utf-8")
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in variants(source):
            file = Path(folder) / f"{name}.yaml"
            file.write_text(expand(source, name), "utf-8")
            made[name] = load_rulebase(file)
    return made


def names() -> tuple[str, ...]:
    """Return the names of the engines, in a fixed order."""
    return (*SHARED, *engines())


def misled(record: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the engines that get another amount than the conditions give."""
    base = rulebase()
    right = evaluate(base, record).amount
    found = [name for name in SHARED if evaluate(base, record, ablate=frozenset({name})).amount != right]
    return (*found, *(name for name, other in engines().items() if evaluate(other, record).amount != right))
