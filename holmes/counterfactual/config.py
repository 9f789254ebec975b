"""The config counterfactual: its members, its task, and where its cases, gates and card come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holmes.cases import Case
from holmes.interfaces import SPLITS, Config, Document, Generator, tasks

MEMBERS: Mapping[str, tuple[str, ...]] = {  # domain -> the configs that hold its shipped cases
    "law": ("law",),
    "finance": ("finance",),
    "deontic": ("deontic_sara_numeric", "deontic_sara_binary"),
}
WHOLE = ("law",)
"""Domains whose cases are also held to a gate all together, not answer by answer alone."""
SHOWN = "law"
"""The domain of the family that the card prints."""


def _generator() -> Generator:
    from holmes.counterfactual.generator import source

    return source()


def _audit(**options: Any) -> Document:
    from holmes.counterfactual.gates import audit

    return audit(**options)


def _card(splits: Mapping[str, Sequence[Case]]) -> str:
    from holmes.counterfactual.card import section

    return section(splits["test"], splits.get("every", ()))


CONFIG = Config(
    "counterfactual",
    tasks=tasks(
        "holmes_counterfactual",
        "counterfactual",
        {"": "domain", "direct": "direct"},
        mode="domain",
        metrics=("families",),
        mixed=True,
    ),
    generator=_generator,
    members=tuple(config for configs in MEMBERS.values() for config in configs),
    splits=(*SPLITS, "every"),
    audit=_audit,
    card=_card,
)
