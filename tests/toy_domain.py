"""A domain whose items cost nothing, to test the builder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from holmes.cases import Case, Difficulty, read_cases

TIERS = ("basic", "medium", "hard")


class Toy:
    """Items that hold nothing but their number."""

    fingerprint = "toy"

    def item(self, seed: int, index: int) -> Case:
        """Return a case with seed and index."""
        return Case(
            id=f"toy/{seed}-{index}",
            domain="law",
            task="toy",
            source="holmes",
            rules="",
            case="",
            question="",
            answer="",
            answer_type="label",
            difficulty=Difficulty(tier=self.tier(seed, index)),
            seed=seed,
            index=index,
        )

    def tier(self, seed: int, index: int) -> str:
        """Return one of three tiers in turn."""
        return TIERS[(seed + index) % 3]

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return one small split."""
        return {"test": lambda: (self.item(0, i) for i in range(3))}


def source() -> Toy:
    """Return the toy source."""
    return Toy()


def read_build(out: Path) -> Iterator[Case]:
    """Yield the cases of a build in order."""
    for path in sorted(out.glob("part-*.parquet")):
        yield from read_cases(path)
