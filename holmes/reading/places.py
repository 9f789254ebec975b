"""Where a reply commits itself: answer lines, boxes, tags, objects and calls, sentences that state the answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.reading.cues import (
    ANSWERS,
    ARROWS,
    BEFORE_STATED,
    BRACKETED,
    CALL,
    CJK_CUE,
    CUE,
    SEPARATOR,
    STATED,
)
from holmes.reading.marks import BOX, BOX_END, OBJECT, TAG, TAG_END, Prepared
from holmes.reading.mentions import Cue, Status
from holmes.reading.objects import depths

ANSWER_KEYS = ("answer", "final_answer", "verdict", "final_verdict", "decision", "final_decision", "conclusion",
"result",
               "ruling", "outcome", "judgment", "judgement", "label", "classification", "response",
               "output")  # fmt: skip
"""Keys of an object under which an answer stands, the one asked for first."""

_LEAD = re.compile(rf"[^\w{BOX}-{OBJECT}$\\~]+")
_TRAIL = " \t.,;:!?\"'()[]{}|*_"
_MARKED = re.compile(rf"(?P<open>[{BOX}{TAG}])(?P<value>[^{BOX}-{TAG_END}]*)[{BOX_END}{TAG_END}]")
_LIST_MARK = re.compile(r"(?:\d{1,3}[.)]|[a-zA-Z][.)])\s{1,3}")
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|(?<=[。！？])")
_BETWEEN_BOXES = re.compile(r"(?:[\s,;/|&.$)(]|\b(?:and|or|to|vs)\b|[-–—])*\Z", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s*(?:but |and |so )?(?:if|whether|unless|suppose|assuming|assume|when(?:ever)?|where(?:ver)?|were|had|"
    r"imagine)\b",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of|≠|!=)\W{0,9}\Z", re.IGNORECASE
)
_DENIED_AFTER = re.compile(
    r"\W{0,4}(?:is|are|was|would be)\s{1,2}(?:not\b|n't|wrong|incorrect|false|a mistake)|\W{0,4}(?:isn't|wasn't)\b",
    re.IGNORECASE,
)
_RULER = re.compile(r"[\s|:+=_-]+\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """One place where a reply commits itself.

    value: the plain text after the cue. cue: what marks it. line: from 0. firm: the cue names an answer, so that a
    value
    outside the contract is malformed. status: where the words around the value already tell what it is not.
    """

    value: str
    cue: Cue
    line: int
    firm: bool
    status: Status | None = None


def places(
    text: Prepared, topics: str = "", keys: Collection[str] = ANSWER_KEYS, wanted: re.Pattern[str] | None = None
) -> list[Place]:
    """Return the places of a reply in the order of the text.

    text: as `prepared` gives it. topics: a further regular expression for what may stand before the separator of a
    line (no groups, linear). keys, wanted: keys of objects under which the answer stands, by name or pattern.
    Returns answer lines (``Final answer: X``, the value on the next line if need be), boxes, answer tags, objects
    (``{"answer": X}``), calls (``name_answer(X)``), and sentences (``the answer is X``).
    """
    further = re.compile(rf"(?:{topics})\s{{0,9}}{SEPARATOR}", re.IGNORECASE) if topics else None
    found: list[Place] = []
    lines = text.lines
    for number, line in enumerate(lines):
        if line.startswith(OBJECT) and line[1:].isdecimal():
            found += _of_object(text.objects[int(line[1:])], number, keys, wanted)
        elif marked := list(_of_marks(line, number)):
            found += marked
        elif call := CALL.match(line):
            found.append(Place(call["value"].strip(" \"'"), Cue.TAG, number, True))
        elif column := _in_table(lines, number):
            found.append(column)
        else:
            found += _of_line(line, lines, number, further)
    return found


def bare(line: str) -> str:
    """Return a line without list marks, quotes, brackets, symbols and final punctuation around it."""
    line = re.sub(r"^[^\w$\\+-]+", "", line.strip(BOX + BOX_END + TAG + TAG_END + " "))
    end = len(line)
    while end and not (line[end - 1].isalnum() or line[end - 1] in "%)]$\\}.-_"):
        end -= 1
    return line[:end].strip(_TRAIL).strip()


def _of_object(
    value: Mapping[str, Any], line: int, keys: Collection[str], wanted: re.Pattern[str] | None
) -> Iterator[Place]:
    """What an object answers: all that stands under its answer keys at the first depth that has any."""
    for held in depths(value, tuple(keys), wanted):
        first = next(iter(held))
        chosen = [held[first], held.get(f"final_{first}", []), held.get(first.removeprefix("final_"), [])]
        if first not in keys:  # of other keys, all that there are must agree
            chosen = list(held.values())
        told = [one for values in chosen for one in values if isinstance(one, str | int | Fraction)]
        texts = list(dict.fromkeys(str(one).strip() for one in told if not isinstance(one, bool) or len(told) == 1))
        if texts:
            yield Place(" ; ".join(texts), Cue.TAG, line, True)
            return


def _of_marks(line: str, number: int) -> Iterator[Place]:
    """The boxes and tags of a line; those with nothing but a conjunction between them are one commitment."""
    groups: list[tuple[list[str], int, int, Cue]] = []
    for match in _MARKED.finditer(line):
        value = match["value"].strip()
        if not value:
            continue
        cue = Cue.BOX if match["open"] == BOX else Cue.TAG
        if groups and _BETWEEN_BOXES.match(line[groups[-1][2] : match.start()]):
            groups[-1] = ([*groups[-1][0], value], groups[-1][1], match.end(), cue)
        else:
            groups.append(([value], match.start(), match.end(), cue))
    for values, start, end, cue in groups:
        before = _SENTENCE.split(line[max(0, start - 200) : start])[-1]
        after = line[end : end + 60]
        status = None
        if _DENIED_BEFORE.search(before) or _DENIED_AFTER.match(after):
            status = Status.NEGATED
        elif _CONDITION.match(before):
            status = Status.HYPOTHETICAL
        elif re.match(r"[\s$.\])]*\?", after):
            status = Status.QUESTIONED
        yield Place(" ; ".join(dict.fromkeys(values)), cue, number, True, status)


def _in_table(lines: tuple[str, ...], number: int) -> Place | None:
    """The cell under a column headed Answer, where the table has one row."""
    if not lines[number].startswith("|") or number + 2 >= len(lines) or not _RULER.match(lines[number + 1]):
        return None
    heads = [cell.strip(" *_") for cell in lines[number].strip("| ").split("|")]
    places_ = [n for n, head in enumerate(heads) if CUE.fullmatch(head)]
    if len(heads) < 2 or len(places_) != 1:
        return None
    cells = [cell.strip() for cell in lines[number + 2].strip().strip("|").split("|")]
    if len(cells) != len(heads) or (number + 3 < len(lines) and lines[number + 3].startswith("|")):
        return None
    return Place(cells[places_[0]], Cue.LINE, number + 2, True)


def _cue(body: str) -> tuple[str, bool, bool, int] | None:
    """The cue that opens a sentence: its word, whether it is of the contract, names an answer, and its end."""
    if match := BRACKETED.match(body):
        word, sign = match["cue"], ""
    else:
        match = CUE.match(body) or CJK_CUE.match(body)
        if match is None:
            return None
        word, sign = match["cue"], match["sign"]
    names = re.search(ANSWERS, word, re.IGNORECASE) is not None and not re.match(r"(?:is|are)\s*\Z", sign, re.I)
    contract = sign.strip() == ":" and re.fullmatch(r"(?:final\s+)?answer", word, re.IGNORECASE) is not None
    return word, contract, names, match.end()


def _of_line(line: str, lines: tuple[str, ...], number: int, further: re.Pattern[str] | None) -> Iterator[Place]:
    row = line.startswith("|")
    sentences = _SENTENCE.split(line)
    starts: list[tuple[int, str, Cue, bool]] = []  # sentence, text after the cue, cue, firm
    said: list[tuple[int, Place]] = []
    for place, sentence in enumerate(sentences):
        body = _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence
        bracketed = BRACKETED.match(sentence.strip(" *_>#-•✅➜"))
        if mark := _LIST_MARK.match(body):
            body = body[mark.end() :]
            body = _LEAD.sub("", body, count=1) if _LEAD.match(body) else body
        if bracketed:
            rest = sentence.strip(" *_>#-•✅➜")[bracketed.end() :]
            starts.append((place, rest, Cue.LINE, re.search(ANSWERS, bracketed["cue"], re.I) is not None))
        elif cue := _cue(body):
            _, contract, names, end = cue
            starts.append((place, body[end:], Cue.CONTRACT if contract else Cue.LINE, names))
        elif further is not None and (own := further.match(body)):
            starts.append((place, body[own.end() :], Cue.TOPIC, False))
        elif (value := _said(sentence)) is not None:
            said.append((place, Place(value, Cue.SENTENCE, number, False)))
    yield from (one for place, one in said if not starts or place < starts[0][0])
    for index, (place, first, kind, firm) in enumerate(starts):
        until = starts[index + 1][0] if index + 1 < len(starts) else len(sentences)
        value = " ".join([first, *sentences[place + 1 : until]]).strip()
        value = re.sub(rf"\A[\s:=|{ARROWS}]+", "", value)
        if row:
            value = value.split("|")[0]
        if not bare(value) and until == len(sentences):
            value, kind = _below(lines, number), kind
            if not value:
                continue
        yield Place(value.strip(), kind, number, firm)


def _below(lines: tuple[str, ...], number: int) -> str:
    """The line under a cue that stands alone; a ruler between them is passed over."""
    for line in lines[number + 1 : number + 3]:
        if _RULER.match(line):
            continue
        body = _LEAD.sub("", line, count=1) if _LEAD.match(line) else line
        if _cue(body) or any(mark in line for mark in (BOX, TAG, OBJECT)):
            return ""
        return line.strip("| ") if line.startswith("|") else line
    return ""


def _said(sentence: str) -> str | None:
    """The rest of a sentence after its last cue, unless it is a condition, a question or a doubt."""
    if _CONDITION.match(sentence) or sentence.rstrip(" *_\"')").endswith("?"):
        return None
    value = None
    for match in STATED.finditer(sentence):
        if any(
            _CONDITION.match(part)
            for part in re.split(r"[,;:—(]", sentence[max(0, match.start() - 160) : match.start()])
        ):
            continue
        if "would" in match.group() and re.search(r"\b(?:if|unless|had|were|without|otherwise)\b", sentence[:400]):
            continue
        before = re.split(r"[,;:—]", sentence[max(0, match.start() - 160) : match.start()])[-1]
        if BEFORE_STATED.fullmatch(re.sub(r"^\W+", "", before)):
            value = sentence[match.end() :]
    return value
