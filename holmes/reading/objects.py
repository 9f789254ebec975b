"""Values within the objects of a report: keys in one spelling, what stands under them, depth by depth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from holmes.reading.repair import strict_json

DRAFT = re.compile(
    r"draft|initial|preliminary|tentative|first|previous|old|example|schema|format|template|alternative|criteria", re.I
)
"""Keys of what is none of a report's own."""


def opened(value: object) -> object:
    """Return a value of a report; a string that holds JSON is opened."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        held = strict_json(value)
        if isinstance(held, dict | list):
            return held
    return value


def key_of(text: object) -> str:
    """Return a key of a report in one spelling: ``finalVerdict``, ``Final Verdict`` and ``final-verdict`` are one."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(text).strip(" *`\"'"))
    return re.sub(r"[\s_\-]+", "_", spaced.casefold())


def depths(value: object, keys: Sequence[str], wanted: re.Pattern[str] | None = None) -> Iterator[dict[str, list[Any]]]:
    """Yield what stands under the keys, by key in the order of the keys, depth by depth where there is any.

    value: of a report. wanted: further keys, as `key_of` spells them. Objects within objects are gone through, and
    lists
    of one object; lists of several are steps or rows, and what is called a draft or an alternative is none of the
    report's own.
    """
    level = [value]
    while level:
        objects = [{key_of(key): inner for key, inner in one.items()} for one in level if isinstance(one, dict)]
        more = [k for one in objects for k in one if wanted and wanted.fullmatch(k)] if wanted else []
        names = dict.fromkeys((*keys, *more))
        if found := {key: held for key in names if (held := [one[key] for one in objects if key in one])}:
            yield found
        inner = [opened(v) for one in objects for key, v in one.items() if not DRAFT.search(key)]
        level = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in inner]


def under(value: object, keys: Sequence[str]) -> list[Any]:
    """Return what stands under the first of the keys that there is, at the first depth that has any; see `depths`."""
    return next((next(iter(found.values())) for found in depths(value, keys)), [])
