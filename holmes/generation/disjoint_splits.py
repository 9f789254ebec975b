"""Splits that share no case: what one of them holds is passed over by those that come after it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from holmes.cases import Case

Content = Callable[[Case], Hashable]


def fresh(item: Callable[[int], Case], size: int, seen: set[Hashable], content: Content) -> Iterator[Case]:
    """Yield the first `size` items that are clones of none before them.

    item: index -> case. seen: contents that may not occur again; those yielded are added. content: what makes a case a
    clone of another.
    """
    index = made = 0
    while made < size:
        case = item(index)
        index += 1
        key = content(case)
        if key not in seen:
            seen.add(key)
            made += 1
            yield case


def nameless(case: Case) -> Hashable:
    """Return what makes a case a clone of another, names aside: rule base, question type and facts."""
    return (case.task, case.bundle, case.rulebase, case.answer_type, *((f.name, f.value) for f in case.facts))
