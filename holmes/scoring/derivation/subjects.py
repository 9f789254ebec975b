"""The lines of a reply about a case of several parts, by the part that each is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holmes.reading.step_lines import sentences_of
from holmes.scoring.derivation.segments import unmarked


def subjects_of(text: str, subjects: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """Cut a text into blocks of lines about one subject; a line that names none belongs to the one before."""
    if not subjects:
        yield None, text
        return
    named = _Subjects(subjects)
    current: str | None = None
    lines: list[str] = []
    for line in named.apart(text.splitlines()):
        own = named.of(line)
        if own and own != current:
            if lines:
                yield current, "\n".join(lines)
            current, lines = own, []
        lines.append(_without(line, own))
    if lines:
        yield current, "\n".join(lines)


class _Subjects:
    """The subjects of the parts of a case, and the words that name only one of them."""

    def __init__(self, subjects: Sequence[str]) -> None:
        words = {s: {w for w in s.split() if not w.isdigit()} for s in subjects}
        own = {s: [w for w in s.split() if sum(w in other for other in words.values()) == 1] for s in subjects}
        self.whole = {s: re.compile(rf"(?<!\w){re.escape(s)}(?!\w)", re.I) for s in subjects}
        self.some = {s: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ws))})(?!\w)") for s, ws in own.items() if ws}

    def apart(self, rows: Sequence[str]) -> Iterator[str]:
        """Yield lines; one that names several subjects is cut into its sentences."""
        for row in rows:
            several = sum(pattern.search(row) is not None for pattern in self.whole.values()) > 1
            yield from sentences_of(row) if several else [row]

    def of(self, text: str) -> str | None:
        """Return the one subject that a text names, whole or by a word that is no other's; None for none or two."""
        found = [s for s, pattern in self.whole.items() if pattern.search(text)]
        if not found:
            found = [s for s, pattern in self.some.items() if pattern.search(text)]
        return found[0] if len(found) == 1 else None


def _without(text: str, subject: str | None) -> str:
    """Drop "Item 2:" from the start of a step."""
    bare = unmarked(text).lstrip("*")
    if subject and bare.lower().startswith(subject.lower()):
        rest = bare[len(subject) :]
        if rest.lstrip("* ")[:1] in (":", "—", "–", "-"):
            return rest.lstrip("* :—–-")
    return text
