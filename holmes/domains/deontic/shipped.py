"""The deontic source for the builder: even items are numeric, odd ones binary; the shipped splits are unions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from holmes.cases import Case
from holmes.domains.deontic.generate import TASKS, Generator, rulebase
from holmes.domains.deontic.splits import SIZES, splits


class DeonticSource:
    """Both tasks, interleaved, so that a build of any length holds as many of each."""

    def __init__(self, tasks: tuple[str, ...] = TASKS) -> None:
        self.generators = tuple(Generator(task) for task in tasks)

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the rule base."""
        return rulebase().fingerprint

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`."""
        return self.generators[index % len(self.generators)].item(seed, index // len(self.generators))

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item."""
        return self.item(seed, index).difficulty.tier

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits: numeric cases first, then binary ones."""
        return {split: partial(self._split, split) for split in SIZES}

    def _split(self, split: str) -> Iterator[Case]:
        for generator in self.generators:
            yield from splits(generator.task)[split]


def source() -> DeonticSource:
    """Return the source of both deontic tasks."""
    return DeonticSource()
