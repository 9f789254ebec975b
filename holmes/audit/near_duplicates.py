"""Near-duplicates by content: shared runs of three words, with numbers kept."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from holmes.cases import Case
from holmes.registry import domain_of

LIKE = 0.5  # released narratives that tell the same story share at least half of their runs; unrelated ones a third
_WORD = re.compile(r"\w+")


def shingles(text: str, run: int = 3) -> frozenset[Hashable]:
    """Return the set of runs of `run` lower-case words of a text (the whole text where it is shorter)."""
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[i : i + run]) for i in range(max(1, len(words) - run + 1)))


def similarity(one: frozenset[Hashable], other: frozenset[Hashable]) -> float:
    """Return the Jaccard similarity of two sets, 1.0 for two empty ones."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def near_duplicates(kept: Sequence[Case], others: Sequence[Case], like: float = LIKE) -> dict[str, str]:
    """Find the cases of `others` that are near-duplicates of one of `kept`.

    like: the least Jaccard similarity, in (0, 1]. Returns id in others -> id of the most similar kept case.
    """
    known = [(case.id, shingles(domain_of(case).content(case))) for case in kept]
    where: dict[Hashable, list[int]] = defaultdict(list)
    for index, (_, runs) in enumerate(known):
        for item in runs:
            where[item].append(index)
    found: dict[str, str] = {}
    for case in others:
        runs = shingles(domain_of(case).content(case))
        shared: Counter[int] = Counter(index for item in runs for index in where.get(item, ()))
        best = max(
            ((count / (len(runs) + len(known[index][1]) - count), -index) for index, count in shared.items()),
            default=(0.0, 0),
        )
        if best[0] >= like:
            found[case.id] = known[-best[1]][0]
    return found
