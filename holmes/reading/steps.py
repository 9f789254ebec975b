"""The steps of a reasoning trace, from any of the forms in which models write one.

Numbered lines, bullets, ``Step k: … Result: …``, law lines with ``[Rule n]``, several citations on a line, one
paragraph, JSON with ``reasoning_trace``. The same reader reads the gold trace, so that gold scores exactly 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from holmes.reading.polarity import polarity, states_something
from holmes.reading.step_citations import cited_rules, without_citations
from holmes.reading.step_lines import EXPLICIT, plain, sentences_of, step_lines, unmarked
from holmes.reading.step_objects import (
    DESCRIPTION_KEYS,
    FENCED,
    RESULT_KEYS,
    RULE_KEYS,
    embedded_json,
    first_text,
    step_items,
    trace_document,
)
from holmes.reading.step_results import NONE, Result, ResultKind, read_number, read_result


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step: its whole statement, the description without an explicit result, the rules cited, the typed result."""

    text: str
    description: str
    rules: tuple[str, ...] = ()
    result: Result = NONE


_ATTACHED = re.compile(r"^\(?(?:result|output|outcome|status|结果)\s*[:：=]", re.I)
_STAGE_LABEL = re.compile(r"^(?:conclusion|conclude|decide|decision|verdict|final decision)\s*[—–:：-]+\s*", re.I)
_STAGE_ONLY = re.compile(r"^(?:check|compute|identify|construct|evaluate|calculate|verify|determine)\b", re.I)
_ARROW = re.compile(r"\s*(?:→|⇒|⟶|->|=>|—|–|:)\s*\(?(PASS(?:ED)?|FAIL(?:ED)?|TRUE|FALSE|[✓✔✅✗✘❌])\)?\s*[.。]?$", re.I)
_SIGN = re.compile(r"^([✓✔✅✗✘❌])\s*|\s*\(?([✓✔✅✗✘❌]|PASS(?:ED)?|FAIL(?:ED)?)\)?\s*[.。]?$")
_EQUALS = re.compile(
    r"(?:=|≈|\bis\b|\bare\b|\bequals?\b|\bamounts? to\b|\bcomes? to\b|\bgives\b|\byields\b)\s*([^=≈\s][^=≈]{0,40})$",
    re.I,
)

_DECIDES = re.compile(r"\bthe (?:final )?(?:answer|verdict|decision|outcome|conclusion) is\b[\s:]*(?=\S)", re.I)
_FIGURE = re.compile(
    r"(?:(?P<named>\b(?:rules?|sections?|articles?|art\.|steps?|scenarios?|members?|paragraphs?|no\.|clauses?|items?)\s|§)\s?)?"
    r"(?<![\w.,/\-])(?P<figure>[$¥€£]?\s?\d[\d,]*(?:\.\d+)?(?:\s?%)?)(?![\w/\-]|[.,]\d)",
    re.I,
)
_CONCLUDES = re.compile(r"(?:therefore|hence|thus|so|consequently|accordingly|as a result|it follows)\b", re.I)


def read_steps(source: object) -> tuple[TraceStep, ...]:
    """Read the steps of a trace.

    source: the trace as text, as parsed JSON (an object with ``reasoning_trace`` or a list of steps), or None.
    Returns the steps in their order; headings ("Reasoning:", "Evaluating Rule 3 (…).") and answer lines are none.
    Never raises on any text or JSON structure; what holds no step gives an empty tuple.
    """
    if isinstance(source, str):
        parsed = trace_document(source)
        if parsed is None:
            return tuple(_from_lines(FENCED.sub("\n", source) if "```" in source else source))
        return tuple(_from_items(step_items(parsed)))
    if isinstance(source, Mapping) or (isinstance(source, Iterable) and not isinstance(source, bytes)):
        return tuple(_from_items(step_items(source)))
    return ()


def trace_items(source: object) -> tuple[Mapping[object, object], ...]:
    """Return the raw step objects of a trace in JSON, as they stand; () for a text of lines."""
    value = embedded_json(source) if isinstance(source, str) else source
    if not isinstance(value, Mapping | list | tuple):
        return ()
    return tuple(item for item in step_items(value) if isinstance(item, Mapping))


def _from_items(items: Iterable[object]) -> Iterator[TraceStep]:
    for item in items:
        if isinstance(item, str):
            yield from _from_lines(item)
        elif isinstance(item, Mapping):
            step = _from_object(item)
            if step is not None:
                yield step


def _from_object(item: Mapping[object, object]) -> TraceStep | None:
    described = first_text(item, DESCRIPTION_KEYS)
    if described is None:
        return None
    line = plain(unmarked(" ".join(described.split())))
    if not re.search(r"\w", line):
        return None
    cited = [c for name in RULE_KEYS for c in _as_rules(item.get(name))] or list(cited_rules(line))
    key = next((name for name in RESULT_KEYS if name in item), None)
    if key is None:
        step = _from_line(line, statement=states_something(line))
        return TraceStep(step.text, step.description, tuple(dict.fromkeys(cited)), step.result)
    result = read_result(item[key])
    description = without_citations(line).rstrip(".。 ")
    shown = result.raw.rstrip(".。 ")
    text = f"{description}. Result: {shown}." if shown else f"{description}."
    return TraceStep(text, description, tuple(dict.fromkeys(cited)), result)


def _as_rules(value: object) -> list[str]:
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int):
        return [str(value)] if 0 <= value < 10_000 else []
    if isinstance(value, str):
        return [str(int(n)) for n in re.findall(r"(?<!\d)\d{1,4}(?!\d)", unicodedata.normalize("NFKC", value))]
    if isinstance(value, list | tuple):
        return [n for inner in value if not isinstance(inner, list | tuple) for n in _as_rules(inner)]
    return []


# ---- lines


def _from_lines(text: str) -> Iterator[TraceStep]:
    waiting: TraceStep | None = None
    for line in step_lines(text):
        if waiting is not None and _ATTACHED.match(line) and waiting.result.raw == "":
            waiting = _from_line(f"{waiting.text.rstrip('.')}. {line}", cited=waiting.rules)
            continue
        if waiting is not None and not without_citations(line).strip(" .") and cited_rules(line):
            rules = tuple(dict.fromkeys(waiting.rules + cited_rules(line)))
            waiting = TraceStep(waiting.text, waiting.description, rules, waiting.result)
            continue
        if waiting is not None:
            yield waiting
        waiting = _from_line(line)
        if not re.search(r"\w", waiting.text):  # a citation with nothing before it
            waiting = None
    if waiting is not None:
        yield waiting


# ---- one line


def _from_line(line: str, statement: bool = True, cited: tuple[str, ...] = ()) -> TraceStep:
    rules = tuple(dict.fromkeys(cited + cited_rules(line)))
    text = without_citations(plain(line))
    description, result = _split_result(text, statement)
    return TraceStep(text, description.rstrip(".。 ") or text, rules, result)


def _split_result(text: str, statement: bool) -> tuple[str, Result]:
    """Return the description without an explicit result, and the result: explicit, a computed number, a truth value."""
    explicit = list(EXPLICIT.finditer(text))
    if explicit:
        last = explicit[-1]
        result = read_result(text[last.end() :].strip(" ()"))
        if last.start() > 0:
            return text[: last.start()].rstrip(" (.;,—–-"), result
        return text, result
    arrow = _ARROW.search(text)
    if arrow and arrow.start() > 0:
        return text[: arrow.start()], read_result(arrow[1])
    sign = _SIGN.search(text)
    if sign and len(text) > len(sign[0]) and (sign[1] or sign[2].isupper() or not sign[2].isalpha()):
        return (text[: sign.start()] + text[sign.end() :]).strip(" :—–-"), read_result(sign[1] or sign[2])
    label = _STAGE_LABEL.match(text)
    if label and label.end() < len(text):
        return text, _decided(text[label.end() :])
    equals = _EQUALS.search(text.rstrip(".。 "))
    if equals:
        number = read_number(equals[1].strip())
        if number is not None:
            return text, number
    decided = _DECIDES.search(text)
    if decided:
        return text, _decided(text[decided.end() :])
    if not statement or (_STAGE_ONLY.match(text) and not states_something(text)):
        return text, NONE
    telling = _telling(text)
    if not polarity(telling):
        return text, Result(ResultKind.BOOLEAN, "false")
    return text, _only_figure(telling) or Result(ResultKind.BOOLEAN, "true")


def _only_figure(sentence: str) -> Result | None:
    """Return the number of a sentence that states exactly one ("earned $57,200 in wages"); rule numbers are none."""
    figures = [m["figure"] for m in _FIGURE.finditer(sentence) if not m["named"]]
    return read_number(figures[0].strip(" ,")) if len(figures) == 1 else None


def _telling(text: str) -> str:
    """Return the sentence that carries the value: one that concludes ("So …"), else the first that states something."""
    sentences = sentences_of(text)
    if len(sentences) < 2:
        return text
    concluding = [s for s in sentences[1:] if _CONCLUDES.match(s)]
    if concluding:
        return concluding[-1]
    return next((s for s in sentences if states_something(s)), sentences[0])


def _decided(text: str) -> Result:
    """Read what a "Conclusion —" line decides: a label or number as such, a whole sentence by its polarity."""
    result = read_result(text)
    if result.kind is ResultKind.LABEL and len(text.split()) > 6:
        return Result(ResultKind.BOOLEAN, "true" if polarity(text) else "false")
    return result
