"""Reasoning parted from the reply: tags of every vendor's spelling, and harmony channels."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

_WORDS = (
    "think|thinking|thought|thoughts|reasoning|reason|reflection|reflect|scratchpad|analysis|"
    "inner_monologue|internal_monologue|chain_of_thought|cot|antthinking|ant_thinking|thinking_process"
)
# Each alternative gives the family that opens or closes: only the same family closes, so pairs cannot cross.
_TAG = re.compile(
    rf"""
      <\s{{0,9}}(?P<angle_close>/?)\s{{0,9}}(?P<angle>(?:[A-Za-z]{{1,20}}:)?(?:{_WORDS}))\s{{0,9}}>
    | \[(?P<square_close>/?)(?P<square>{_WORDS})\]
    | <\|(?P<pipe_close>/?)(?P<pipe>{_WORDS})\|>
    | <\|(?P<span>begin|end|start)_of_(?P<of>{_WORDS})\|>
    | <\|(?P<cohere>start|end)_(?P<what>{_WORDS})\|>
    | ◁(?P<kimi_close>/?)(?P<kimi>{_WORDS})▷
    | (?P<gemma_open><\|channel>thought)
    | (?P<gemma_close><channel\|>)
    | (?P<med_open><unused94>(?:thought)?)
    | (?P<med_close><unused95>)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# In square brackets these are headings of a reply as well: they open reasoning only where they are closed too.
_HEADINGS = {f"square {word}" for word in _WORDS.split("|") if word not in ("think", "thinking")}
_MESSAGE = re.compile(
    r"<\|channel\|>\s{0,9}(?P<channel>[A-Za-z]+)[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,80})?<\|message\|>"
)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_BARE_START = re.compile(r"\s*(?:assistant)?(?:analysis|commentary)(?=[A-Z\"“])")
_BARE_FINAL = "assistantfinal"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, its reasoning apart.

    text: the reply without reasoning, stripped. thinking: the reasoning, pieces joined by a newline.
    closed: False when the generation ended inside its reasoning, so that the reply is missing or partial.
    """

    text: str
    thinking: str
    closed: bool


@functools.lru_cache(maxsize=16)  # the answer and the reasoning of one output are read one after the other
def final_reply(text: str) -> Reply:
    """Part a raw model output into reasoning and reply.

    text: the output as generated. Tags: ``<think>`` and its kin in angle, square, pipe and other brackets; a closing
    tag without an opening one ends reasoning that the prompt had opened; tags nest; a tag of one family never closes
    another's; a tag in backticks or quotes is a mention. Harmony transcripts: only the final channel is the reply,
    with markers (``<|channel|>final<|message|>``) or without (``analysis…assistantfinal…``).
    Returns the Reply. Linear in the length of the text.
    """
    spans, closed = _reply_spans(text)
    thinking, position = [], 0
    for start, end in [*spans, (len(text), len(text))]:
        thinking.append(text[position:start].strip())
        position = end
    reply = "\n".join(piece for piece in (text[s:e].strip() for s, e in spans) if piece)
    return Reply(reply, "\n".join(piece for piece in thinking if piece), closed)


def apply_stops(text: str, stops: Iterable[str]) -> str:
    """Cut a raw output at the first stop sequence that stands in its reply, never in its reasoning.

    text: the output as generated. stops: sequences; empty ones are ignored. White space between the reasoning
    and the first word of the reply is no place to stop.
    Returns the output up to that stop, reasoning kept; the whole text when there is none.
    """
    wanted = [stop for stop in stops if stop]
    started = False
    for start, end in _reply_spans(text)[0]:
        if not started:
            start += len(text[start:end]) - len(text[start:end].lstrip())
            started = start < end
        places = [at for stop in wanted if (at := text.find(stop, start, end)) >= 0]
        if places:
            return text[: min(places)]
    return text


def _reply_spans(text: str) -> tuple[list[tuple[int, int]], bool]:
    """The spans of the reply in the raw text, and whether reasoning was left."""
    harmony = _harmony(text)
    if harmony is None:
        return _untagged(text, 0, len(text))
    start, end, closed = harmony
    if not closed:
        return [], False
    return _untagged(text, start, end)


def _harmony(text: str) -> tuple[int, int, bool] | None:
    """The span of the last final channel, or (0, 0, False) if there is none; None for no harmony transcript."""
    messages = list(_MESSAGE.finditer(text))
    if messages:
        finals = [m for m in messages if m["channel"].lower() == "final"]
        if not finals:
            return 0, 0, False
        start = finals[-1].end()
        stop = _MESSAGE_END.search(text, start)
        return start, stop.start() if stop else len(text), True
    at = text.rfind(_BARE_FINAL)
    if at >= 0:
        return at + len(_BARE_FINAL), len(text), True
    if _BARE_START.match(text):
        return 0, 0, False
    if glued := re.match(r"\s*final(?=[A-Z][a-z]+:)", text):
        return glued.end(), len(text), True
    return None


def _untagged(text: str, start: int, end: int) -> tuple[list[tuple[int, int]], bool]:
    spans: list[tuple[int, int]] = []
    position, family, depth, last_open = start, "", 0, -1
    tags = [(m, *_family(m)) for m in _TAG.finditer(text, start, end) if not _mentioned(text, m, start, end)]
    last_close = {name: match.start() for match, name, closing in tags if closing}
    for match, name, closing in tags:
        if not closing and name in _HEADINGS and last_close.get(name, -1) < match.start():
            continue
        if not depth and closing:
            spans, position = [], match.end()  # the prompt had opened it: all before is reasoning
        elif not depth:
            spans.append((position, match.start()))
            family, depth, last_open = name, 1, match.end()
        elif name == family and closing:
            depth -= 1
            position = match.end()
        elif name == family:
            # some templates open the block themselves and the model opens it again
            depth += bool(text[last_open : match.start()].strip())
            last_open = match.end()
    if depth:
        return [s for s in spans if s[0] < s[1]], False
    spans.append((position, end))
    return [s for s in spans if s[0] < s[1]], True


def _mentioned(text: str, match: re.Match[str], start: int, end: int) -> bool:
    before = text[match.start() - 1] if match.start() > start else ""
    after = text[match.end()] if match.end() < end else ""
    return (before, after) in {("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’")}


def _family(match: re.Match[str]) -> tuple[str, bool]:
    """The family of a tag, and whether it closes."""
    groups = match.groupdict()
    for kind in ("angle", "square", "pipe", "kimi"):
        if groups[kind] is not None:
            return f"{kind} {groups[kind].lower()}", bool(groups[f"{kind}_close"])
    if groups["of"] is not None:
        return f"of {groups['of'].lower()}", groups["span"].lower() == "end"
    if groups["what"] is not None:
        return f"cohere {groups['what'].lower()}", groups["cohere"].lower() == "end"
    if groups["gemma_open"] or groups["gemma_close"]:
        return "gemma", groups["gemma_close"] is not None
    return "med", groups["med_close"] is not None
