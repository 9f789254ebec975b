"""Fresh verified cases in memory, for training loops and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Generator
from holmes.options import Options
from holmes.results import Score
from holmes.scoring.core import score
from holmes.services.build import generator
from holmes.tasks import build_prompt, task_spec


@dataclass(frozen=True, slots=True)
class Dataset:
    """Cases made when asked for: item i depends on rule base, seed and i alone.

    name: the config. seed: any integer. size: number of items, 1 or more. origin: what makes them.
    """

    name: str
    seed: int
    size: int
    origin: Generator

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Case:
        """Return item `index`, negative ones from the end; raises IndexError beyond the last."""
        if not -self.size <= index < self.size:
            raise IndexError(f"index: found {index}, expected below {self.size}")
        return self.origin.item(self.seed, index % self.size)

    def __iter__(self) -> Iterator[Case]:
        return (self[index] for index in range(self.size))

    def prompt(self, case: Case, task: str = "", **options: object) -> str:
        """Return the prompt of a case.

        task: by default that of the case. options: fields of `holmes.options.Options`.
        """
        return build_prompt(case, task_spec(task or self._task(case)), Options(**options))  # type: ignore[arg-type]

    def score(self, case: Case, text: str | None, task: str = "") -> Score:
        """Score one output; see `holmes.score`. task: by default that of the case, which says how answers are read."""
        return score(case, text, task_spec(task or self._task(case)).mode)

    def _task(self, case: Case) -> str:
        from holmes.registry import domain_of

        return domain_of(case).task(case)


def create_dataset(name: str, n: int, seed: int = 0) -> Dataset:
    """Return a data set of n fresh cases of a config.

    name: as `holmes build` takes it, for example ``"law"``. n: 1 or more. seed: of the items.
    Raises InputError for an unknown config or a size below 1.
    """
    if n < 1:
        raise InputError(f"create_dataset: n: found {n}, expected 1 or more")
    return Dataset(name, seed, n, generator(name))
