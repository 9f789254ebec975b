"""Where a reply commits itself: answer lines, boxes, tags, sentences that state the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holmes.reading.plain import plain

_OPEN, _CLOSE = "\x01", "\x02"  # around the content of a box or an answer tag
_LEAD = " \t>#*_-•·|\"'({["
_NOUN = (
    r"answer|result|verdict|decision|conclusion|outcome|ruling|judge?ment|holding|label|classification|determination"
)
_CHINESE = r"(?:最终|最后|正确)?(?:答案|结论|结果|判决|裁定|判定|答复)"
_SEPARATOR = r"(?:[:=|]|->|=>|→|⇒|—|-(?=\s)|\b(?:is|are)\b(?:\s{0,3}[:=])?|是|为)"
_CUE = re.compile(
    rf"(?:(?:so|thus|therefore|hence|and|my|the|our|ok|okay|finally),?\s{{1,3}}){{0,4}}"
    rf"(?P<cue>(?:final|correct|overall|short)\s{{1,3}}(?:{_NOUN})|(?:{_NOUN})|final|{_CHINESE})"
    rf"(?:\s{{0,3}}\([^()]{{0,40}}\))?[\"'_*]{{0,3}}\s{{0,9}}(?:{_SEPARATOR}|\Z)",
    re.IGNORECASE,
)
_IS = re.compile(r"(?:is|are)\s*\Z", re.IGNORECASE)
_LIST_MARK = re.compile(r"(?:\d{1,3}[.)]|[a-zA-Z][.)])\s{1,3}")
_SAID = re.compile(
    rf"\b(?:(?:final|correct)\s)?(?:{_NOUN})\s(?:is|was|would be|must be|should be|will be|remains)\b"
    r"|\bI\s(?:would\s|will\s|must\s|therefore\s)?(?:answer|choose|conclude|select|decide|pick)\b(?:\sthat\b)?"
    r"|(?:答案|结论|结果)(?:应该|应当|应)?(?:是|为)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_CONDITIONAL = re.compile(
    r"\s*(?:but |and |so )?(?:if|whether|unless|suppose|assuming|assume|when(?:ever)?|where(?:ver)?|were|had)\b",
    re.IGNORECASE,
)
_CALL = re.compile(r"\s*[a-z]\w{0,30}_answer\(([^()\n]{0,80})\)", re.IGNORECASE)
_TAG = r"(?:final_?)?(?:answer|verdict|decision|amount)"
_ANSWER_TAG = re.compile(rf"<{_TAG}>([^<]*)(?:</{_TAG}>|\Z)", re.IGNORECASE)
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s?\{")


@dataclass(frozen=True, slots=True)
class Commitment:
    """One place where a reply commits itself.

    value: the plain text after the cue. kind: "line" (an answer line or box) or "said" (a sentence).
    answer: True where the cue names an answer, so that a value outside the contract is malformed.
    """

    value: str
    kind: str
    answer: bool


def commitments(lines: list[str], cues: str = "") -> list[Commitment]:
    """Return the commitments of a reply in the order of the text.

    lines: of the text without its reasoning, as `plain_lines` gives them. cues: a further regular expression for what
    may stand before the separator of an answer line (no groups, linear).
    Returns answer lines (``Final answer: X``, the value on the next line if need be), boxes, answer tags,
    ``{"answer": X}``, ``name_answer(X)``, and sentences (``the answer is X``). Conditions and questions are none.
    """
    further = re.compile(rf"(?:{cues})\s{{0,9}}{_SEPARATOR}", re.IGNORECASE) if cues else None
    found: list[Commitment] = []
    for number, line in enumerate(lines):
        if _OPEN in line:
            boxes = [piece.split(_CLOSE)[0].strip() for piece in line.split(_OPEN)[1:]]
            if any(boxes):
                found.append(Commitment(" ; ".join(dict.fromkeys(b for b in boxes if b)), "line", True))
                continue
        if call := _CALL.match(line):
            found.append(Commitment(call[1], "line", True))
            continue
        found += _of_line(line, lines, number, further)
    return found


def plain_lines(reply: str) -> list[str]:
    """Return the lines of a reply in plain characters that are not blank, boxes and answer tags marked."""
    text = _ANSWER_TAG.sub(lambda m: f"{_OPEN}{' '.join(m[1].split())}{_CLOSE}", _boxes(reply))
    return [line for line in map(str.strip, re.split(r"[\r\n\v\f\u2028\u2029]+", plain(text))) if line]


def bare(line: str) -> str:
    """Return a line without list marks, quotes, brackets and final punctuation around it."""
    line = line.strip(_LEAD + _OPEN + _CLOSE)
    return line.strip(" \t.,;:!?\"'()[]{}|*_").strip()


def _boxes(text: str) -> str:
    if "\\" not in text or not _BOX.search(text):
        return text
    closing: dict[int, int] = {}
    stack: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match.group() == "{":
            stack.append(match.start())
        elif match.group() == "}" and stack:
            closing[stack.pop()] = match.start()
    pieces, position = [], 0
    for match in _BOX.finditer(text):
        end = closing.get(match.end() - 1)
        if end is None or match.start() < position:
            continue
        inner = " ".join(text[match.end() : end].split())
        pieces += [text[position : match.start()], _OPEN, inner, _CLOSE]
        position = end + 1
    return "".join([*pieces, text[position:]])


def _of_line(line: str, lines: list[str], number: int, further: re.Pattern[str] | None) -> Iterator[Commitment]:
    sentences = _SENTENCE.split(line)
    starts: list[tuple[int, str, bool]] = []  # sentence, text after the cue, names an answer
    for place, sentence in enumerate(sentences):
        body = sentence.lstrip(_LEAD)
        if mark := _LIST_MARK.match(body):
            body = body[mark.end() :].lstrip(_LEAD)
        cue = _CUE.match(body)
        if cue:
            word = cue["cue"].lower()
            starts.append(
                (place, body[cue.end() :], bool(re.search("answer|答案", word)) and not _IS.search(cue.group()))
            )
        elif further is not None and (own := further.match(body)):
            starts.append((place, body[own.end() :], False))
        elif said := _said(sentence):
            yield Commitment(said, "said", False)
    for index, (place, first, answer) in enumerate(starts):
        until = starts[index + 1][0] if index + 1 < len(starts) else len(sentences)
        value = " ".join([first, *sentences[place + 1 : until]])
        if not bare(value) and until == len(sentences) and number + 1 < len(lines):
            value = lines[number + 1]
            if _CUE.match(value.lstrip(_LEAD)) or _OPEN in value:
                continue
        yield Commitment(value.strip(), "line", answer)


def _said(sentence: str) -> str | None:
    """The rest of a sentence after its last cue, unless it is a condition or a question."""
    if _CONDITIONAL.match(sentence) or sentence.rstrip().endswith("?"):
        return None
    ends = [match.end() for match in _SAID.finditer(sentence)]
    return sentence[ends[-1] :] if ends else None
