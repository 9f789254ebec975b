"""The config of a domain that says nothing of it: one data set and its two tasks, under the domain's name."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from holmes.interfaces import Config, Document, Generator, tasks

if TYPE_CHECKING:
    from holmes.generation.default_generator import Drawn


def default_config(domain: Drawn) -> Config:
    """Return the config of a domain: generator, gates and card follow from its rule bases."""
    name = domain.name

    @functools.cache
    def generator() -> Generator:
        from holmes.generation.default_generator import DefaultGenerator

        return DefaultGenerator(domain)

    def audit(**options: Any) -> Document:
        from holmes.audit.default_gates import audit as run

        return run(name, generator(), domain.rulebases(), **options)

    def card(splits: Any) -> str:
        from holmes.domains.default_card import section

        return section(name, splits["test"])

    return Config(
        name,
        tasks=tasks(f"holmes_{name}", name, {"": "answer", "direct": "direct"}, metrics=("derivations",)),
        generator=generator,
        audit=audit,
        card=card,
    )
