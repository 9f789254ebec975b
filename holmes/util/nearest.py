"""The known name that a mistyped one is nearest to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(found: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'law'?``, or nothing where no known name is near.

    found: what was given. known: the names that would have been right.
    """
    near = difflib.get_close_matches(found, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
