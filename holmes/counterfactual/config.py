"""The config counterfactual: its members, its task, and where its cases, gates and card come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holmes.cases import Case
from holmes.counterfactual.members import MEMBERS, NAME
from holmes.interfaces import SPLITS, Config, Document, Generator, tasks


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
    NAME,
    tasks=tasks(
        "holmes_counterfactual",
        NAME,
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
