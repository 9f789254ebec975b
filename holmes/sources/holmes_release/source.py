"""The authors' HOLMES release as a source: what its import provides, how its golds are derived, what is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.domains.finance.domain import SUBTYPES
from holmes.interfaces import Config, Document, tasks
from holmes.results import Solved
from holmes.sources.holmes_release.names import COUNTERFACTUAL, FINANCE, LAW, NAME, TYPES


def _by_type(split: str, seed: int) -> Sequence[Case]:
    from holmes.configs.by_type import by_type

    return by_type(split, seed, (LAW, FINANCE)).cases


def _families(split: str, seed: int) -> Sequence[Case]:
    from holmes.sources.holmes_release.pairs import families

    return families(split, seed)


class HolmesRelease:
    """Law and finance cases of HOLMES, with their released golds and traces."""

    name = NAME
    audited = "release"
    modes = ("closure", "release")
    configs = (
        Config(
            LAW,
            tasks=tasks(
                "holmes_law",
                LAW,
                {"": "answer", "direct": "direct"},
                metrics=("citations", "derivations"),
                release=True,
            ),
        ),
        Config(
            FINANCE,
            tasks=tuple(
                task
                for kind in SUBTYPES
                for task in tasks(
                    f"holmes_finance_{kind}",
                    FINANCE,
                    {"": "report"},
                    metrics=("report",),
                    only=f"finance_{kind}",
                    release=True,
                )
            ),
        ),
        Config(
            TYPES,
            tasks=tasks(
                "holmes_types",
                TYPES,
                {"": "domain"},
                mode="domain",
                metrics=("derivations",),
                mixed=True,
                release=True,
            ),
            draw=_by_type,
            members=(LAW, FINANCE),
            splits=("test", "half"),
        ),
        Config(
            COUNTERFACTUAL,
            tasks=tasks(
                "holmes_counterfactual",
                COUNTERFACTUAL,
                {"": "domain", "direct": "direct"},
                mode="domain",
                metrics=("families",),
                mixed=True,
                release=True,
            ),
            draw=_families,
            members=(LAW,),
            splits=("test", "every"),
        ),
    )

    def bring(
        self,
        origin: str,
        out: Path | None,
        *,
        statutes: Path | None = None,
        notify: Callable[[str], None],
        corrected: bool = False,
        strict: bool = False,
    ) -> tuple[Any, Any]:
        """Import it: read and check everything, then swap it in."""
        from holmes.importing.cache import store
        from holmes.importing.fetch import opened
        from holmes.sources.holmes_release.importing import FILES, read, wanted

        with opened(origin, FILES, "", wanted) as found:
            done = read(found.folder, found.version, notify, corrected=corrected, strict=strict)
            return done, store(done, out)

    def solve(self, config: str, mode: str) -> Iterator[Solved]:
        """Derive the golds of a config again."""
        from holmes.sources.holmes_release.solve import solve_finance, solve_law

        return solve_law(mode) if config == LAW else solve_finance()

    def defects(self) -> Document:
        """Return what is wrong in the release."""
        from holmes.sources.holmes_release.defects import audit

        return audit()

    def beside(self, config: str, document: Document) -> Document:
        """Return an audit of our law cases with the figures of the released ones beside ours."""
        if config != "law":
            return document
        from holmes.sources.holmes_release.law_gates import beside

        return beside(document)


SOURCE = HolmesRelease()
