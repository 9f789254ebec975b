"""What a reply copies from its prompt says nothing: the answer is in the rest."""

from __future__ import annotations

import re
from collections.abc import Callable

_LEAST = 4  # words; shorter lines, such as a verdict, may stand in a prompt and be an answer
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+")
_MARKS = " \t>#*-•|"


def without_echo(reply: str, prompt: str, keep: Callable[[str], bool] | None = None) -> str:
    """Return a reply without the lines and sentences that stand word for word in its prompt.

    reply: without its reasoning. prompt: as the model saw it, or what of it may be copied. White space and list marks
    do not matter; a copy that breaks off is a copy; of a line, fewer than four words are kept. keep: lines that are
    no copies,
    such as headings that name a subject of the case.
    """
    shown = _key(prompt)
    lines = {key for line in prompt.splitlines() if " " in (key := _key(line))}
    kept = []
    for line in reply.splitlines():
        if keep is not None and keep(line):
            kept.append(line)
            continue
        if _copied(line, shown) or _key(line) in lines:
            continue
        sentences = _SENTENCE.split(line)
        kept.append(" ".join(s for s in sentences if not _copied(s, shown)) if len(sentences) > 1 else line)
    return "\n".join(kept)


def _copied(text: str, shown: str) -> bool:
    words = _key(text)
    return words.count(" ") >= _LEAST - 1 and words in shown


def _key(text: str) -> str:
    return " ".join(word for word in text.strip(_MARKS).split() if word.strip(_MARKS))
