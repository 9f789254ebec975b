"""What single and double changes of a record do: which facts decide, which do not matter, which may be left unsaid."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np

from holmes.domains.law.planner.blocks import Block
from holmes.logic.engine.record_space import Bools, Codes, Space, truth
from holmes.logic.engine.vectorized import decide
from holmes.logic.language import model as m

SAID = 0.24  # share of a block in which each fact is denied in so many words
LEFT = 2  # irrelevant facts that stay in each text


class Changes:
    """The neighbours of some records, all decided at once.

    singles: fact -> its first column, in order; pairs: two false facts -> the column where both are true.
    coherent, answer, standing: (records, changes), column 0 the record itself: the neighbour obeys integrity; its
    answer is the same; the standing of all policies is.
    """

    def __init__(
        self,
        singles: dict[str, int],
        pairs: dict[tuple[str, str], int],
        coherent: Bools,
        answer: Bools,
        standing: Bools,
    ) -> None:
        self.pairs, self.coherent, self.answer = pairs, coherent, answer
        self.names = tuple(singles)
        stop = min(pairs.values(), default=coherent.shape[1])
        starts = list(singles.values())
        self._turned = np.logical_or.reduceat((coherent & ~answer)[:, :stop], starts, axis=1)
        self._still = np.logical_and.reduceat((standing & answer)[:, :stop], starts, axis=1)

    def _names(self, chosen: Bools) -> tuple[str, ...]:
        return tuple(name for name, there in zip(self.names, chosen.tolist(), strict=True) if there)

    def decisive(self, place: int) -> tuple[str, ...]:
        """Return the facts whose change alone, to a coherent record, changes the answer."""
        return self._names(self._turned[place])

    def irrelevant(self, place: int) -> tuple[str, ...]:
        """Return the facts whose change alone changes neither the answer nor the standing of any policy."""
        return self._names(self._still[place])

    def omissible(self, place: int, false: Sequence[str], count: int, left: int) -> tuple[str, ...]:
        """Return up to `count` (0 to 2) of the false facts whose values, all together, cannot change the answer.

        left: irrelevant facts that must stay in the text.
        """
        turned, idle = set(self.decisive(place)), set(self.irrelevant(place))
        spare = len(idle) - left
        quiet = [name for name in false if name not in turned and (name not in idle or spare > 0)]
        safe = self.answer[place] | ~self.coherent[place]
        if count == 2:
            for one, other in itertools.combinations(quiet, 2):
                key = (one, other) if (one, other) in self.pairs else (other, one)
                if len(idle & {one, other}) > spare:
                    continue
                if safe[self.pairs[key]]:
                    return one, other
        return tuple(quiet[: min(count, 1)])


def changes(rulebase: m.RuleBase, records: Space, rows: Codes) -> Changes:
    """Decide all neighbours of the records in `rows`: every other cell of one fact, and two Boolean facts made true."""
    singles: dict[str, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    edits: list[dict[str, int]] = [{}]
    for name in records.facts:
        kinds = len(records.cells[name])
        singles[name] = len(edits)
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


def omissions(
    rulebase: m.RuleBase, records: Space, block: Block, near: Changes, rng: random.Random
) -> tuple[tuple[str, ...], ...]:
    """Choose the facts that each text of a block leaves out, so that each denial is still said often enough.

    Returns a tuple a place. A fact that is false in less than SAID of the block, those left out not counted, stays.
    """
    said = {
        name: sum(not records.codes[name][draw.row] for draw in block.draws)
        for name in records.facts
        if rulebase.facts[name].type.kind == "bool"
    }
    least = SAID * len(block.draws)
    result: list[tuple[str, ...]] = []
    for place, draw in enumerate(block.draws):
        first = block.contrast_pairs.get(place, place)
        if first < place:
            chosen = result[first]
        else:
            names = [n for n in false_facts(rulebase, records, draw.row, rng) if said[n] - 1 >= least]
            chosen = near.omissible(place, names, draw.omit, LEFT)
        for name in chosen:
            said[name] -= 1
        result.append(chosen)
    return tuple(result)


def false_facts(rulebase: m.RuleBase, records: Space, row: int, rng: random.Random) -> list[str]:
    """Return the Boolean facts that are false in a record, shuffled."""
    names = [n for n in records.facts if rulebase.facts[n].type.kind == "bool" and not records.codes[n][row]]
    rng.shuffle(names)
    return names
