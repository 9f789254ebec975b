"""The lines of a trace that are steps: markdown cleaned, headings and answers left out, paragraphs split."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holmes.reading.polarity import states_something
from holmes.reading.step_citations import BRACKET, CITED, cited_rules, without_citations

_MARK = re.compile(
    r"^(?:[-*•·‣◦●○–—+]+\s+|>+\s*|#{1,6}\s+|\(?\d{1,3}[.)、:]\s*(?!\d)|\(?[a-hivx]{1,4}\)\s+|[①-⑳]\s*"
    r"|(?:step|步骤)\s*\d{1,3}\s*[:.)、：—–-]+\s*)",
    re.I,
)
_HEADING = re.compile(
    r"^(?:reasoning(?: trace| steps)?|trace|steps|analysis|explanation|evaluating rules? [\w.]+.*|\[scenario\b.*"
    r"|scenario \d+\b.*|let'?s think.*|推理(?:过程)?)\s*[:：.]*$",
    re.I,
)
_ITALIC = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]{1,400}?)(?<=\S)\*(?![\w*])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_PREFIX = re.compile(r"^(?:reasoning(?: trace| steps)?|trace|analysis)\s*[:：]\s*", re.I)
_ANSWER = re.compile(r"^(?:the )?(?:final )?(?:answer|答案)\s*(?:is\b|[:：=])", re.I)
EXPLICIT = re.compile(r"(?<!\w)(?:result|output|outcome|status|verdict|结果)\s{0,3}(?:is\s{0,3})?[:：=]\s*", re.I)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|no|art|cf|vs|mr|mrs|ms|dr|approx|resp|etc|sec|para|fig|st)|\b[A-Z])\.$", re.I
)
_STOP = re.compile(r"[.!?](?=[\s\[(]|$)|[。！？]")
_CITES_HERE = re.compile(r"\s*[\[(【（][*\s]*" + CITED, re.I)
_INLINE_STEP = re.compile(r"(?<=\s)(?=\*{0,2}step\s+\d{1,3}\s*[:.)—–-])", re.I)
# "… is 1. The …" ends a sentence with a number; it does not begin item 1.
_INLINE_NUMBER = re.compile(r"(?:^|(?<=\s))(?<!\bis )(?<!\bare )(?<!gives )(?<!= )(?<!\bof )\(?(\d{1,3})[.)]\s+(?=\S)")
_COLUMNS = {"check", "result", "step", "rule", "description", "status", "outcome", "no", "reason", "#", "rules"}


def step_lines(text: str) -> Iterator[str]:
    rows = [row for row in (_row(r) for r in re.split(r"[\n\r\v\f\x85\u2028\u2029]+", text)) if row]
    for row in rows:
        for piece in _pieces(row, alone=len(rows) == 1):
            piece = unmarked(piece)
            if piece and re.search(r"\w|[✓✔✅✗✘❌]", piece) and not _ANSWER.match(piece) and not _HEADING.match(piece):
                yield piece


def _row(raw: str) -> str:
    """Clean one line of markdown; headings, answers, fences, rules and lead-ins ("Facts:") give an empty string."""
    row = " ".join(_CONTROL.sub(" ", raw).split())
    if row.startswith("```") or row in ("null", "None") or not re.search(r"\w|[✓✔✅✗✘❌]", row):
        return ""
    bare = _PREFIX.sub("", unmarked(row))
    if _HEADING.match(bare) or _ANSWER.match(bare):
        return ""
    if bare.endswith((":", "：")) and len(bare.split()) <= 8 and not cited_rules(bare):
        return ""
    if row.startswith("#") and not EXPLICIT.search(bare) and not cited_rules(bare) and not states_something(bare):
        return ""
    return _PREFIX.sub("", plain(row))


def plain(line: str) -> str:
    """Drop markdown emphasis, code marks, LaTeX-escaped brackets and table bars."""
    line = re.sub(r"\\([\[\]()$%&_#])", r"\1", line)
    line = re.sub(r"\*\*|__|`", "", line).replace("：", ": ")
    line = _ITALIC.sub(r"\1", line)
    if line.startswith("|") and line.endswith("|"):
        cells = [cell.strip() for cell in line.strip("|").split("|") if cell.strip(" -:")]
        line = "" if all(cell.lower().rstrip(".") in _COLUMNS for cell in cells) else ". ".join(cells)
    return line.strip()


def unmarked(line: str) -> str:
    """Drop bullets, numbers and "Step k:" at the start, repeatedly ("- 1. Step 2: …")."""
    line = plain(line)
    for _ in range(4):
        shorter = _MARK.sub("", line, count=1).lstrip("*_ ")
        if shorter == line or not re.search(r"\w", shorter):
            break
        line = shorter
    return line.strip()


def _pieces(row: str, alone: bool) -> Iterator[str]:
    """Split a line that holds several steps; a line with one citation stays whole, however many sentences it has."""
    parts = [p.strip() for p in _INLINE_STEP.split(row) if p.strip()]
    if len(parts) > 1:
        yield from parts
        return
    parts = _inline_numbers(row)
    if len(parts) > 1:
        yield from parts
        return
    sentences = sentences_of(row)
    explicit = len(EXPLICIT.findall(row))
    citing = sum(bool(BRACKET.search(s)) for s in sentences)
    if explicit > 1 and len(sentences) >= 2 * explicit:
        yield from _joined_results(sentences)
    elif explicit <= 1 and (citing > 1 or (alone and len(sentences) > 2 and not explicit)):
        yield from sentences
    else:
        yield row


def _joined_results(sentences: list[str]) -> Iterator[str]:
    held: list[str] = []
    for sentence in sentences:
        held.append(sentence)
        if EXPLICIT.search(sentence):
            yield " ".join(held)
            held = []
    if held:
        yield " ".join(held)


def _inline_numbers(row: str) -> list[str]:
    """Split "1. … 2. … 3. …" written on one line; the numbers must run from 1 without a gap."""
    places, expected = [], 1
    for match in _INLINE_NUMBER.finditer(row):
        if int(match[1]) == expected:
            places.append(match.start())
            expected += 1
    if len(places) < 2:
        return [row]
    ends = [*places[1:], len(row)]
    head = row[: places[0]].strip()
    return ([head] if head else []) + [row[a:b].strip() for a, b in zip(places, ends, strict=True)]


def sentences_of(row: str) -> list[str]:
    """Split into sentences; a citation in brackets right after the full stop belongs to the sentence before it."""
    sentences, start = [], 0
    for match in _STOP.finditer(row):
        end = match.end()
        if end <= start or (match[0] == "." and _ABBREVIATION.search(row[max(start, end - 8) : end])):
            continue
        while _CITES_HERE.match(row, end):
            close = min((c for c in (row.find(b, end) for b in "])】）") if c >= 0), default=-1)
            if close < 0:
                break
            end = close + 1
        sentence = row[start:end].strip()
        if re.search(r"\w", without_citations(sentence)):
            sentences.append(sentence)
            start = end
    rest = row[start:].strip()
    if rest and re.search(r"\w", rest):
        sentences.append(rest)
    return sentences
