"""The law source for the builder: item i is item i // B of bundle i % B, B bundles in order of their names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping

from holmes.cases import Case
from holmes.domains.law.generate import OPERATORS, Generator
from holmes.domains.law.rulebases import bundle, bundles
from holmes.logic.language.fingerprint import joined_fingerprint

TEST, DEV, TRAIN = 20261129, 20261130, 20261201  # seeds of the shipped splits
PER_BUNDLE = 30
SIZES = {"dev": 50, "train": 1000}
SPARE = 20  # items that another split may have passed over
HARD = 3  # operators that decide a case of the split `hard`


def hard(case: Case) -> bool:
    """Tell whether a case belongs to the split `hard`: three operators or more decide it, each on its own."""
    return sum(tag in OPERATORS for tag in case.tags) >= HARD


class LawSource:
    """All law bundles, interleaved; a generator is set up when its first item is asked for."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._generator = functools.lru_cache(maxsize=None)(lambda name: Generator(bundle(name)))

    def generator(self, name: str) -> Generator:
        """Return the generator of one bundle."""
        return self._generator(name)

    @property
    def fingerprint(self) -> str:
        """Return one fingerprint for all bundles."""
        return joined_fingerprint({name: bundle(name).fingerprint for name in self.names})

    def _place(self, index: int) -> tuple[Generator, int]:
        return self.generator(self.names[index % len(self.names)]), index // len(self.names)

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`."""
        generator, inner = self._place(index)
        return generator.item(seed, inner)

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item without building it."""
        generator, inner = self._place(index)
        return generator.tier(seed, inner)

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits: test (30 a bundle), hard and smoke within it, dev and train apart from it."""
        return {
            "test": self.test,
            "hard": lambda: (case for case in self.test() if hard(case)),
            "smoke": self.smoke,
            "dev": lambda: self.fresh(DEV, SIZES["dev"], ()),
            "train": lambda: self.fresh(TRAIN, SIZES["train"], ((DEV, SIZES["dev"]),)),
        }

    def test(self) -> Iterator[Case]:
        """Yield the test split, bundle by bundle."""
        for name in self.names:
            for index in range(PER_BUNDLE):
                yield self.generator(name).item(TEST, index)

    def smoke(self) -> Iterator[Case]:
        """Yield the first two hard cases of each bundle."""
        taken = dict.fromkeys(self.names, 0)
        for case in self.test():
            if hard(case) and taken[case.bundle] < 2:
                taken[case.bundle] += 1
                yield case

    def fresh(self, seed: int, n: int, others: tuple[tuple[int, int], ...]) -> Iterator[Case]:
        """Yield n items of a seed, none with the facts of a test case, of a case of `others`, or of one before it."""
        taken = {self._facts(TEST, i) for i in range(PER_BUNDLE * len(self.names))}
        taken |= {self._facts(other, i) for other, count in others for i in range(count + SPARE)}
        seen: set[tuple[object, ...]] = set()
        index = made = 0
        while made < n:
            facts, variant = self._facts(seed, index), self._variant(seed, index)
            if facts not in taken and (variant, facts) not in seen:
                seen.add((variant, facts))
                made += 1
                yield self.item(seed, index)
            index += 1

    def _variant(self, seed: int, index: int) -> int:
        generator, inner = self._place(index)
        return generator.plan(seed, inner).variant.number

    def _facts(self, seed: int, index: int) -> tuple[object, ...]:
        generator, inner = self._place(index)
        return (generator.rulebase.name, *generator.plan(seed, inner).facts.values())


@functools.lru_cache(maxsize=1)
def source() -> LawSource:
    """Return the source of all packaged law bundles; one a process, since setting it up takes seconds a bundle."""
    return LawSource(bundles())
