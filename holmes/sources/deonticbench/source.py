"""The DeonticBench release as a source: what its import provides, and what is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from holmes.domains.statutes.domain import PROMPTS
from holmes.errors import InputError
from holmes.interfaces import Config, Document, tasks
from holmes.results import Solved
from holmes.sources.deonticbench.names import NAME

HUB = "gydou/DeonticBench"
_TASKS = {  # task -> whether it has two classes
    "deontic_sara_numeric": False,
    "deontic_sara_binary": True,
    "deontic_airline": False,
    "deontic_housing": True,
    "deontic_uscis": True,
}


def _config(task: str, two: bool) -> Config:
    name, metrics = f"{task}_release", ("macro_f1",) if two else ()
    return Config(name, tasks=tasks(task, name, PROMPTS, mode="prolog", metrics=metrics, release=True))


class DeonticBench:
    """Statute cases of DeonticBench, with their labels and reference programs."""

    name = NAME
    audited = NAME
    modes = ("closure",)
    configs = tuple(_config(task, two) for task, two in _TASKS.items())

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
        """Import it: read and check everything, then swap it in; raises InputError for golds to be corrected."""
        if corrected or strict:
            raise InputError("deonticbench: found --corrected or --strict, expected neither: no gold can be proved")
        from holmes.importing.cache import store
        from holmes.importing.fetch import opened
        from holmes.sources.deonticbench.importing import read
        from holmes.sources.deonticbench.reader import locate

        with opened(origin, (), HUB, lambda names: locate(names).files()) as found:
            done = read(found.folder, found.version, statutes, notify)
            return done, store(done, out)

    def solve(self, config: str, mode: str) -> Iterator[Solved]:
        """Raise InputError: no rule base of the release is at hand; its audit runs every reference program."""
        raise InputError(
            f"--config: found {config}, expected a config with rule bases; `holmes audit {NAME}` runs its programs"
        )

    def defects(self) -> Document:
        """Return what is wrong in the release."""
        from holmes.sources.deonticbench.defects import audit

        return audit()

    def beside(self, config: str, document: Document) -> Document:
        """Return an audit as it is."""
        return document


SOURCE = DeonticBench()
