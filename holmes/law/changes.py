"""What single and double changes of a record do: which facts decide, which do not matter, which may be left unsaid."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np

from holmes.law.engine import decide
from holmes.law.space import Bools, Codes, Space, truth
from holmes.logic import model as m


@dataclass(frozen=True, slots=True)
class Changes:
    """The neighbours of some records, all decided at once.

    singles: fact -> columns of its changes; pairs: two false facts -> the column where both are true.
    coherent, answer, standing: (records, changes): the neighbour obeys integrity; its answer, the standing of all
    policies is the same.
    """

    singles: dict[str, tuple[int, ...]]
    pairs: dict[tuple[str, str], int]
    coherent: Bools
    answer: Bools
    standing: Bools

    def decisive(self, place: int) -> tuple[str, ...]:
        """Return the facts whose change alone, to a coherent record, changes the answer."""
        turned = self.coherent[place] & ~self.answer[place]
        return tuple(name for name, mine in self.singles.items() if turned[list(mine)].any())

    def irrelevant(self, place: int) -> tuple[str, ...]:
        """Return the facts whose change alone changes neither the answer nor the standing of any policy."""
        same = self.standing[place] & self.answer[place]
        return tuple(name for name, mine in self.singles.items() if same[list(mine)].all())

    def omissible(self, place: int, false: list[str], count: int) -> tuple[str, ...]:
        """Return up to `count` (0 to 2) of the false facts whose values, all together, cannot change the answer."""
        safe = self.answer[place] | ~self.coherent[place]
        quiet = [name for name in false if safe[list(self.singles[name])].all()]
        if count == 2:
            for one, other in itertools.combinations(quiet, 2):
                key = (one, other) if (one, other) in self.pairs else (other, one)
                if safe[self.pairs[key]]:
                    return one, other
        return tuple(quiet[: min(count, 1)])


def changes(rulebase: m.RuleBase, records: Space, rows: Codes) -> Changes:
    """Decide all neighbours of the records in `rows`: every other cell of one fact, and two Boolean facts made true."""
    singles: dict[str, tuple[int, ...]] = {}
    pairs: dict[tuple[str, str], int] = {}
    edits: list[dict[str, int]] = [{}]
    for name in records.facts:
        kinds = len(records.cells[name])
        singles[name] = tuple(range(len(edits), len(edits) + kinds - 1))
        edits += [{name: shift} for shift in range(1, kinds)]
    flags = [name for name in records.facts if rulebase.facts[name].type.kind == "bool"]
    for pair in itertools.combinations(flags, 2):
        pairs[pair] = len(edits)
        edits.append(dict.fromkeys(pair, 1))
    columns: dict[str, Codes] = {}
    for name in records.facts:
        shift = np.array([edit.get(name, 0) for edit in edits], dtype=np.int64)
        here = records.codes[name][rows][:, None]
        columns[name] = ((here + shift[None, :]) % len(records.cells[name])).reshape(-1)
    near = Space(records.facts, records.cells, columns)
    decided = decide(rulebase, near)
    shape = (len(rows), len(edits))
    coherent = np.ones(len(near), dtype=np.bool_)
    for rule in rulebase.integrity:
        coherent &= truth(rule, near, {})
    answer = decided.answer.reshape(shape)
    standing = np.ones(shape, dtype=np.bool_)
    for column in (*decided.triggered.values(), *decided.applies.values()):
        grid = column.reshape(shape)
        standing &= grid == grid[:, :1]
    return Changes(singles, pairs, coherent.reshape(shape), answer == answer[:, :1], standing)


def false_facts(rulebase: m.RuleBase, records: Space, row: int, rng: random.Random) -> list[str]:
    """Return the Boolean facts that are false in a record, shuffled."""
    names = [n for n in records.facts if rulebase.facts[n].type.kind == "bool" and not records.codes[n][row]]
    rng.shuffle(names)
    return names
