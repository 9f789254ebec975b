"""The shipped splits of a statute: test ⊃ hard ⊃ smoke, and dev and train apart from them and from each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from holmes.cases import Case
from holmes.generation.disjoint_splits import fresh, nameless
from holmes.interfaces import SPLITS, Generator

SEEDS = {"test": 20271, "dev": 20272, "train": 20273}
SHORT = 190
"""Most words of a smoke case, where there are enough of them."""


class Shipped:
    """The splits of one generator.

    sizes: split -> cases. load: how hard a case is. tagged: the prefix of the tags that are spread over `hard`.
    """

    def __init__(self, generator: Generator, sizes: Mapping[str, int], load: Callable[[Case], int]) -> None:
        self.generator, self.sizes, self.load = generator, sizes, load

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the splits: split name -> its cases, in order."""
        return {split: lambda split=split: iter(self.cases[split]) for split in SPLITS}  # type: ignore[misc]

    @cached_property
    def cases(self) -> Mapping[str, Sequence[Case]]:
        """Return all splits; no case is a clone of another in any of them."""
        seen: set[object] = set()
        made: dict[str, list[Case]] = {}
        for split, seed in SEEDS.items():
            item = partial(self.generator.item, seed)
            made[split] = list(fresh(item, self.sizes[split], seen, nameless))
        hard = spread(made["test"], self.sizes["hard"], self.load)
        short = sorted(hard, key=lambda case: (len(case.case.split()) > SHORT, hard.index(case)))
        smoke = {case.id for case in short[: self.sizes["smoke"]]}
        return {**made, "hard": hard, "smoke": [case for case in hard if case.id in smoke]}


def spread(cases: Sequence[Case], size: int, load: Callable[[Case], int]) -> list[Case]:
    """Return cases, in their order, of which each tag is borne by about as many: the rarest tag so far counts most.

    Among cases that add as much the one with the greater load is taken, then the earlier one.
    """
    borne: Counter[str] = Counter()
    left = list(cases)
    taken: set[str] = set()
    while left and len(taken) < size:
        best = max(left, key=lambda case: (sum(1 / (1 + borne[tag]) for tag in case.tags), load(case), -case.index))
        left.remove(best)
        taken.add(best.id)
        borne.update(best.tags)
    return [case for case in cases if case.id in taken]
