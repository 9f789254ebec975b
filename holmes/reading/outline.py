"""Verdicts on several subjects in prose: lines, tables, lists, sections headed by a subject or a verdict."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.reading.clauses import NEGATIVE, UNREAL, refused
from holmes.reading.marks import OBJECT, TAG, TAG_END, prepared
from holmes.reading.subjects import Subjects

_LEAF = re.compile(r"<(?P<name>[A-Za-z_][\w.-]{0,30})(?:\s[^<>]{0,200})?>(?P<text>[^<>]{0,300})</(?P=name)\s?>")
_ATTRIBUTES = re.compile(
    r"<[A-Za-z_][\w.-]{0,30}(?P<all>(?:\s{1,3}[\w-]{1,30}\s?=\s?(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}')){1,12})\s?/?>"
)
_ATTRIBUTE = re.compile(r"[\w-]{1,30}\s?=\s?[\"']([^\"']*)[\"']")
_PIECES = re.compile(
    r"\s*(?:[|:：—–→⇒➜=;\t]|->|=>|,(?=\s?\S)|\s-\s|\s(?:is|gets?|receives?|should (?:get|receive)|is given)\s)+\s*"
)
_NUMBERED = re.compile(r"\W{0,3}(?P<number>\d{1,2})[.):]\s*(?P<rest>\S.*)")
_HEAD = 6  # words of a piece that can be a name


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How a case tells verdicts in text.

    label: the verdict that a text is, "" for none. judge: the verdict that the words after a name state. cued: that
    of a line with a cue (``Verdict: X``). held: the verdict of a JSON object that names nobody.
    """

    label: Callable[[str], str]
    judge: Callable[[str], str]
    cued: Callable[[str], str]
    held: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class _Event:
    """One line: the subjects that it names, the verdict that it states; both for a line that pairs them."""

    subjects: tuple[str, ...]
    verdict: str


def read_outline(text: str, subjects: Subjects, order: Sequence[str], verdicts: Verdicts) -> dict[str, str]:
    """Return the verdicts of prose by subject.

    text: without its reasoning and without what it copies from the prompt. order: the subjects in the order of the
    case.
    Lines and rows that pair a subject with a verdict; sections headed by a subject that hold a verdict, or headed by
    a verdict
    that list subjects, whichever the whole follows, never both; numbered verdicts, one for each subject. The last
    one on a
    subject counts. Where the order of headings cannot be told, nothing is read.
    """
    ready = prepared(_untagged(re.sub(r"(?<=\S)\t+(?=\S)", " | ", text)))
    lines = [" ".join(line.replace(TAG, " ").replace(TAG_END, " ").split()) for line in ready.lines]
    if numbered := _numbered(lines, order, verdicts):
        return numbered
    events: list[_Event] = []
    for line in lines:
        if line.startswith(OBJECT) and line[1:].isdecimal():
            events.append(_Event((), verdicts.held(ready.objects[int(line[1:])])))
        else:
            events.append(_event(line, subjects, verdicts))
    return _assigned([event for event in events if event.subjects or event.verdict])


def names_subject(line: str, subjects: Subjects, verdicts: Verdicts) -> bool:
    """Tell whether a line is a heading that names a subject, or pairs one with a verdict: then it is no copy."""
    if len(line.split()) <= 2 * _HEAD and subjects.find(line):
        return True
    pieces = _cells(line.strip(" |>*_#-•·"))[:20]
    return any(verdicts.label(piece) for piece in pieces) and any(subjects.find(piece) for piece in pieces)


def _untagged(text: str) -> str:
    """XML as lines: each leaf ``<verdict>X</verdict>`` a line of its own, each element with attributes one row."""
    if "<" not in text:
        return text
    text = re.sub(r"<t[dh]\b[^<>]{0,80}>", "<td>", text)
    text = (
        _ATTRIBUTES.sub(lambda m: "\n" + " | ".join(_ATTRIBUTE.findall(m["all"])) + "\n", text)
        if "<table" not in text
        else text
    )
    return _LEAF.sub(lambda m: m.group() if m["name"].lower() in _HTML else f"\n{m['text'].strip()}\n", text)


_HTML = {"td", "th", "b", "i", "strong", "em", "code", "span", "s", "del", "strike", "u", "mark", "p", "li", "h1",
"h2", "h3",
         "h4", "sub", "sup", "a", "tr", "ins", "div"}  # fmt: skip


def _numbered(lines: Sequence[str], order: Sequence[str], verdicts: Verdicts) -> dict[str, str]:
    """Numbered verdicts without names, one for each subject of the case in its order."""
    found = [
        (int(match["number"]), verdicts.label(match["rest"])) for line in lines if (match := _NUMBERED.fullmatch(line))
    ]
    if [number for number, _ in found] != list(range(1, len(order) + 1)) or not all(label for _, label in found):
        return {}
    return dict(zip(order, (label for _, label in found), strict=True))


def _event(line: str, subjects: Subjects, verdicts: Verdicts, marks: int = 3) -> _Event:
    """Return what a line says; marks: how many numbers of lists in front of it are taken off."""
    bare = line.strip(" |>*_#-•·")
    if marks and (listed := re.match(r"\(?\d{1,2}[.)]\s+(?=\S)", bare)):
        found = _event(bare[listed.end() :], subjects, verdicts, marks - 1)
        if found.subjects or not verdicts.label(bare[listed.end() :]):
            return found if found.subjects or not (paired := _paired(bare, subjects, verdicts)).verdict else paired
    return _paired(bare, subjects, verdicts)


def _paired(bare: str, subjects: Subjects, verdicts: Verdicts) -> _Event:
    line = bare
    if not bare or re.fullmatch(r"[\s|:+=_-]+", line):
        return _Event((), "")
    if label := verdicts.label(re.sub(r"(?:\s?\(\d{1,2}\))?\s*:?\s*\Z", "", bare)):
        return _Event((), label)
    pieces = _cells(bare)
    named = [_names(piece, subjects) if not verdicts.label(piece) else () for piece in pieces]
    whole = subjects.find(bare) if len(bare.split()) <= _HEAD + 4 and len(pieces) > 1 else ()
    labels = [verdicts.label(piece) for piece in pieces]
    distinct = {label for label in labels if label}
    meant = tuple(dict.fromkeys(name for names in named for name in names)) or whole
    if not meant:
        return _Event((), verdicts.cued(line))
    if labels and labels[0] and len(distinct) == 1:  # "Rejection: Ann Lee, Bo Ray"
        others = [piece for piece, names, label in zip(pieces, named, labels, strict=True) if not names and not label]
        return _Event(meant, labels[0]) if _harmless(others) else _Event((), "")
    first = next((place for place, names in enumerate(named) if names), 0)
    together = _list_of(pieces, named)
    if len(meant) > 1 and not together:
        return _Event((), "")
    rest = [piece for piece, names in zip(pieces[first + 1 :], named[first + 1 :], strict=True) if not names]
    told = [label for label in labels[first + 1 :] if label]
    if len(distinct) == 1 and told and _harmless([piece for piece in rest if not verdicts.label(piece)]):
        return _Event(meant, told[-1])
    if len(distinct) > 1:
        return _Event((), "")
    if rest and (label := verdicts.judge(", ".join(rest))):
        return _Event(meant, label)
    return _Event(meant, "")


def _names(piece: str, subjects: Subjects) -> tuple[str, ...]:
    """The subjects that a piece of a line names: a short one names one, a longer one lists several."""
    words = len(piece.split())
    found = subjects.find(piece) if words <= 6 * _HEAD else ()
    return found if words <= _HEAD or len(found) > 1 else ()


def _list_of(pieces: Sequence[str], named: Sequence[tuple[str, ...]]) -> bool:
    """Whether the names stand side by side: “Ann Lee, Bo Ray: …” lists them, “Ann Lee: … see Bo Ray” does not."""
    places = [place for place, names in enumerate(named) if names]
    return bool(places) and places == list(range(places[0], places[-1] + 1))


def _harmless(pieces: Sequence[str]) -> bool:
    """Whether the other words of a line leave its verdict alone."""
    text = " ; ".join(pieces)
    doubtful = (
        UNREAL.search(text)
        or refused(text)
        or re.search(r"\b(?:draft|initial\w*|instead|rather|wrong|previous\w*)\b", text, re.I)
    )
    return not doubtful and not any(NEGATIVE.fullmatch(piece.strip()) for piece in pieces)


def _cells(line: str) -> list[str]:
    """The pieces of a line: cells of a row, what stands around a colon, an arrow or a dash; quoted cells are whole."""
    if '"' in line and "," in line:
        try:
            cells = next(csv.reader([line], skipinitialspace=True))
        except (csv.Error, StopIteration):
            cells = []
        if len(cells) > 1:
            return [cell.strip(" *_|") for cell in cells if cell.strip(" *_|")]
    return [piece.strip(' *_|"') for piece in _PIECES.split(line) if piece.strip(' *_|"')]


def _assigned(events: Sequence[_Event]) -> dict[str, str]:
    """The verdicts of pairs and of sections; sections follow one order throughout, or are not read."""
    loose = [event for event in events if not (event.subjects and event.verdict)]
    by_subject = bool(loose) and bool(loose[0].subjects) and bool(loose[-1].verdict)
    by_verdict = bool(loose) and bool(loose[0].verdict) and bool(loose[-1].subjects)
    answers: dict[str, str] = {}
    subject: tuple[str, ...] = ()
    verdict = ""
    for event in events:
        if event.subjects and event.verdict:
            answers |= dict.fromkeys(event.subjects, event.verdict)
        elif event.subjects:
            subject = event.subjects
            if by_verdict and verdict:
                answers |= dict.fromkeys(subject, verdict)
        else:
            verdict = event.verdict
            if by_subject and subject:
                answers |= dict.fromkeys(subject, verdict)
    return answers
