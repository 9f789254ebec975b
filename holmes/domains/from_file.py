"""A domain made of one rule-base file, for a single run: `--bundle FILE`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from holmes.domains.base import RuleBaseDomain
from holmes.logic.language.model import RuleBase
from holmes.logic.loader import load_rulebases


class FileDomain(RuleBaseDomain):
    """Cases of the rule bases in one file; everything else is the default.

    path: the file, checked in full at once; the first rule base in it names the domain.
    Raises InputError naming file, place, found, expected.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._bases = {base.name: base for base in load_rulebases(path, semantics=True, text=True)}
        self.name = next(iter(self._bases))

    @property
    def folder(self) -> Path:
        """Return the folder of the file."""
        return self.path.parent

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the rule bases of the file, in order."""
        return self._bases


@functools.lru_cache(maxsize=8)
def domain_from(path: Path, _stamp: tuple[int, int]) -> FileDomain:
    """Return the domain of a file; _stamp: its size and time of change, so that a changed file is read again."""
    return FileDomain(path)
