"""The last committed answer of a reply, as one of a case's labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from holmes.cases import Alias
from holmes.reading.clauses import REVISED, TEMPLATE, UNREAL, refused, retracts
from holmes.reading.labels import Table, key, lone, mentioned, table_of
from holmes.reading.marks import BOX, OBJECT, TAG, prepared
from holmes.reading.mentions import Answer, Cue, Mention, Status, decide, withdrawn
from holmes.reading.places import ANSWER_KEYS, Place, bare, places

__all__ = ["Answer", "label_mentions", "labels_in", "last_answer"]

_EXPLAINED = re.compile(r"\b(?:because|since|given that|due to)\b|因为|由于", re.IGNORECASE)
_HEAD = re.compile(r"\s*(.{1,200}?)(?:[.;,:]\s|\s[-—]\s|\s\(|\s(?:because|since)\s)", re.DOTALL)
_ALTERNATIVE = re.compile(r"(?<![a-z])or(?![a-z])|/|\||或者?|\bvs\b|\boder\b|\bou\b", re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:or|either|one of|exactly|vs|answer|final|result|verdict|decision|the|choose|options?|and)\b|或者?|[\W_]+",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\s*(?:therefore|thus|hence|so|in conclusion|to conclude|consequently|accordingly|in summary|overall|as a result|"
    r"for these reasons|it follows that|in sum|all in all)\b,?\s",
    re.IGNORECASE,
)
_ANYTHING_BUT = re.compile(r"\b(?:anything|everything|all) but\b", re.IGNORECASE)
_LAST = 3  # lines at the end in which a sentence without a cue may conclude


def last_answer(
    reply: str,
    choices: Sequence[str] = (),
    aliases: Iterable[Alias] = (),
    *,
    cut: bool = False,
    keys: Collection[str] = ANSWER_KEYS,
) -> Answer | None:
    """Read the last committed answer of a reply.

    reply: the text without its reasoning (`final_reply`). choices: the labels. aliases: further spellings. cut: the
    generation did not end by itself, so that only answer lines count. keys: of objects under which an answer stands.
    Commitments are answer lines, boxes, tags, objects, sentences like ``the answer is X``, a last line that is a
    label, and
    a last sentence that concludes with one. A label must account for its clause: one that is denied, supposed,
    struck out,
    asked, taken back or said in words that are not understood is none; ``not X`` of two labels is the other; a list of
    alternatives is an echo of the instruction. Without choices the words themselves are the label.
    Returns the Answer, malformed for a value outside the labels or two labels at once; None for no answer.
    """
    return decide(label_mentions(reply, choices, aliases, cut=cut, keys=keys))


def label_mentions(
    reply: str,
    choices: Sequence[str] = (),
    aliases: Iterable[Alias] = (),
    *,
    cut: bool = False,
    keys: Collection[str] = ANSWER_KEYS,
) -> list[Mention]:
    """Return what a reply mentions of its answer, in order; see `last_answer`."""
    table = table_of(choices, aliases)
    text = prepared(reply)
    found = [Mention(None, words, Status.STRUCK, Cue.BARE, why="struck out") for words in text.struck]
    kept = [p for p in places(text, keys=keys) if not cut or p.cue is not Cue.SENTENCE]
    if not table.labels:
        return found + [_free(place) for place in kept]
    found += [_judge(place, table) for place in kept]
    if not cut:
        found += _inferred(text.lines, table, found)
    return withdrawn(found, text.lines, retracts)


def labels_in(text: str, choices: Sequence[str], aliases: Iterable[Alias] = ()) -> list[str]:
    """Return the distinct labels that a text affirms, in order; negated ones count as the other of two labels."""
    found = mentioned(" ".join(prepared(text).lines), table_of(choices, aliases))
    return list(dict.fromkeys(label for label, status, _ in found if status in (Status.AFFIRMED, Status.UNCLEAR)))


def _free(place: Place) -> Mention:
    words = bare(place.value)
    echoed = not words or TEMPLATE.fullmatch(place.value.strip()) is not None
    status = place.status or (Status.ECHOED if echoed else Status.AFFIRMED)
    return Mention(words or None, place.value, status, place.cue, place.line, place.firm, "taken as it stands")


def _judge(place: Place, table: Table) -> Mention:
    value, status, why = _value(place.value, table, prose=place.cue is Cue.SENTENCE)
    if place.status is not None and status is Status.AFFIRMED:
        status, why = place.status, f"the words around it: {place.status}"
        if status is Status.NEGATED and value and (other := table.other(value)):
            value, status = other, Status.AFFIRMED
    several = status is Status.SEVERAL and place.cue is not Cue.SENTENCE
    return Mention(value, place.value, status, place.cue, place.line, place.firm or several, why)


def _value(value: str, table: Table, *, prose: bool) -> tuple[str | None, Status, str]:
    """The label of a commitment, what it says of it, and why."""
    if value.rstrip(" .\"'*)").endswith("?"):
        return None, Status.QUESTIONED, "a question"
    if label := lone(value, table):
        return label, Status.AFFIRMED, "it is a label"
    value = _ANYTHING_BUT.sub("not", value)
    if re.match(r"\W*(?:if|unless|provided|assuming|suppose|whether|were|had)\b", value, re.IGNORECASE):
        return None, Status.HYPOTHETICAL, f"supposed: {value:.60}"
    if not bare(value) or TEMPLATE.fullmatch(value.strip(" .\"'")):
        return None, Status.ECHOED, "a placeholder"
    found = list(mentioned(value, table))
    if len(found) > 1 and _ALTERNATIVE.search(value) and not _FILLER.sub("", table.pattern.sub("", value)):
        return None, Status.ECHOED, "a list of alternatives"
    if retracts(value):
        return None, Status.RETRACTED, "taken back"
    if explained := _explained(value, table):
        return explained, Status.AFFIRMED, "a label, and what follows explains it"
    if refused(table.pattern.sub(" X ", value)) or (found and refused(value)):
        return None, Status.REFUSED, f"no answer is given: {value:.60}"
    head = _EXPLAINED.split(value)[0]
    if any(match.start() < len(head) for _, _, match in found):
        found = [one for one in found if one[2].start() < len(head)]
    affirmed = list(dict.fromkeys(label for label, status, _ in found if status is Status.AFFIRMED))
    unclear = [
        label for label, status, _ in found if status in (Status.UNCLEAR, Status.HYPOTHETICAL) and label not in affirmed
    ]
    if len(affirmed) == 1 and not unclear:
        return affirmed[0], Status.AFFIRMED, "it names one label"
    if len(affirmed) > 1:
        return None, Status.SEVERAL, f"it names {len(affirmed)} labels: {', '.join(affirmed)}"
    if found and not affirmed:
        return found[-1][0], found[-1][1], f"{found[-1][1]}: {value:.60}"
    return None, Status.UNCLEAR, f"it names no label: {value:.60}" if not found else f"not understood: {value:.60}"


def _explained(value: str, table: Table) -> str | None:
    """The label that opens a value, where the rest is an explanation and no second answer."""
    head = _HEAD.match(value)
    if head is None or not (label := lone(head[1], table)):
        return None
    rest = value[head.end(1) :]
    if REVISED.search(rest) or re.search(
        r"\b(?:we|i|it|one) (?:cannot|can't|can not) (?:be )?(?:decide|say|tell|determine)", rest, re.I
    ):
        return None
    parts = re.split(r"[.;,()]|\s[-—]\s", rest)
    other = any((found := lone(part, table)) and found != label for part in parts)
    unreal = UNREAL.match(rest.lstrip(" .,;:(-—"))
    return None if other or unreal or (":" in rest[:2] and not rest[2:].strip()) else label


def _alone(line: str, table: Table) -> str | None:
    """The label that makes up a whole line; a heading that ends in a colon is none, nor a question."""
    if any(mark in line for mark in (BOX, TAG, OBJECT)):
        return None
    return None if line.rstrip(" *_").endswith((":", "?")) else lone(line, table)


def _inferred(lines: Sequence[str], table: Table, explicit: Sequence[Mention]) -> list[Mention]:
    """What a reply says without a cue: a line that is a label, its opening, its concluding sentence."""
    if not lines:
        return []
    last = len(lines) - 1
    if (label := _alone(lines[last], table)) and not (last and _alone(lines[last - 1], table)):
        above = last - 1 if last else 0
        if not any(m.line == above and m.raw == lines[last] for m in explicit):
            return [Mention(label, lines[last], Status.AFFIRMED, Cue.ALONE, last, why="the last line is a label")]
    if refused(" ".join(lines[-_LAST:])):
        return []
    alone = {label for line in lines if (label := _alone(line, table))}
    if len(alone) == 1:
        return [Mention(alone.pop(), lines[0], Status.AFFIRMED, Cue.BARE, why="one line of the reply is a label")]
    if alone:
        return []
    opening = lines[0].lstrip(" \"'([*")
    match = table.pattern.match(opening)
    if (
        match
        and len(match["spelling"]) > 1
        and not match["prefix"]
        and re.match(r"\s?(?:[.,;!—]|-\s)", opening[match.end() :])
    ):
        label = table.spellings[key(match["spelling"])]
        return [Mention(label, lines[0], Status.AFFIRMED, Cue.BARE, why="the reply opens with a label")]
    return _concluding(lines, table)


def _concluding(lines: Sequence[str], table: Table) -> list[Mention]:
    for number in range(len(lines) - 1, max(-1, len(lines) - 1 - _LAST), -1):
        for sentence in reversed(re.split(r"(?<=[.!?;])\s+", lines[number])):
            if not (opens := _CONCLUDES.match(sentence)) or sentence.rstrip().endswith("?"):
                continue
            value, status, why = _value(sentence[opens.end() :], table, prose=True)
            if value is not None:
                return [Mention(value, sentence, status, Cue.BARE, number, why=f"a concluding sentence; {why}")]
    return []
