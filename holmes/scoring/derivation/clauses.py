"""A trace cut into clauses: steps, sentences, then what each states, gives as a ground, or only supposes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holmes.reading.citations import citations
from holmes.reading.polarity import states_something
from holmes.reading.step_lines import sentences_of
from holmes.reading.step_results import NONE, Result, ResultKind, read_result
from holmes.reading.steps import read_steps
from holmes.scoring.derivation import wording

LONGEST = 600  # characters of a clause: no step is longer, and hostile text must not cost more


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a trace.

    text: without citations in brackets. sentence: that it is part of. step: the step it belongs to, from 0. subject:
    of the part it is about, None for unknown. cited: the rules that the step cites, for its main clause only. result:
    an explicit result of the step. ground: it gives a reason; its own conclusion is another clause.
    """

    text: str
    sentence: str
    step: int
    subject: str | None
    cited: tuple[int, ...] = ()
    result: Result = NONE
    ground: bool = False


_CUT = re.compile(
    r"\s*;\s*"
    r"|,?\s+(?=(?:because|since|given that|as a consequence of|owing to|due to)\b)"
    r"|,\s+(?=(?:so|hence|thus|therefore|which means|meaning|whereas|while|as)\b)"
    r"|\s+(?=(?:so that|and so|and therefore|and thus|and hence|which means that)\b)"
    r"|,?\s+(?=(?:and|but|yet)\b)|\s+[—–]\s+|,\s+(?=(?:it|this|that|there|rules?|sections?)\b)",
    re.I,
)
_GROUND = re.compile(
    r"(?:because|since|given that|as|although|though|while|whereas|owing to|due to)\b(?! a result)", re.I
)
_TURNS = re.compile(rf"(?:{_GROUND.pattern}|(?:and |but )?(?:so|hence|thus|therefore|consequently)\b)", re.I)
_RULE_FIRST = re.compile(rf"(?:and |but )?(?:neither |both |so )?{wording.RULE}", re.I)
_RULE_LAST = re.compile(rf"(?:^|\b(?:by|under|per|in|with)\s+|\b(?:of|to|over|than)\s+)?{wording.RULE}[\s,]*$", re.I)
_COMMA = re.compile(
    r",\s+(?=(?:the|no|there|it|rules?|sections?|we|this|that|an?|he|she|none|so|neither|both|by|under)\b)", re.I
)
_LEAD = re.compile(
    r"(?:and|but|yet|so that|so|hence|thus|therefore|consequently|accordingly|as a result|it follows that|"
    r"which means that|which means|meaning that|meaning|in the end|"
    r"in sum|in total|in conclusion|in effect|ultimately|overall|nevertheless|"
    r"nonetheless|still|"
    r"for (?:her|him|them)|finally|then|moreover|also|here|however|first|second|next|now|"
    r"in this case|this means that|this means|that means|we find that|we see that|clearly|indeed)\b[,:]?\s*",
    re.I,
)
_ELIDED = re.compile(
    r"(?:and|but|yet|so|hence|therefore)?\s*(?:it\s+|that\s+|this\s+)?(?:(?:is|are|was|does|do|has|applies|apply|passes|"
    r"fails|holds|stands|falls|cannot)\b|(?:is|are|was|were|do|does|did)n['’]t\b|not\b|"
    r"therefore\s+(?:is|does|applies|passes|fails)\b)",
    re.I,
)
_PRONOUN = re.compile(
    r"(?:it|they|(?:this|that|these|those) (?:rules?|exceptions?|exemptions?|measures?))\s+"
    r"(?=(?:also |too |therefore |thus |hence |so |still |then )?"
    r"(?:is|are|does|do|can|cannot|applies|apply|passes|fails|holds|stands|prevails|remains|falls|gets|never)\b)",
    re.I,
)
# "… a data leak [Rule 8]; the disks were plain, so an open leak [Rule 9]": each citation ends a step of its own.
_LISTED = re.compile(r"([\[(](?:rules?|articles?)\s[^\[\]()\n]{1,80}[\])])\s*[;,]\s+(?=\S)", re.I)
_NAMED = re.compile(r"\brules?\s+\d+(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|to|or|nor)\s+)(?:rules?\s+)?\d+)*", re.I)


def clauses_of(text: str, subjects: Sequence[str] = (), sections: bool = False) -> list[Clause]:
    """Cut a trace into clauses.

    text: the reply without reasoning or reports. subjects: of the parts of a case of several. sections: the rules of
    the case are printed as numbered sections, so that "Section 4" and "§ 4" are what "Rule 4" is elsewhere.
    Returns the clauses in order, those that only suppose something left out.
    """
    if sections:
        text = re.sub(r"(?:\b(?:sections?|secs?\.|paragraphs?)|§+)(?=\s{0,2}\d)", " Rule ", text, flags=re.I)
    text = _LISTED.sub(r"\1.\n", text)
    found: list[Clause] = []
    number, named = 0, ""
    for subject, block in _blocks(text, subjects):
        for step in read_steps(block):
            own = _subject(step.text, subjects)
            body, result = step.text, NONE
            explicit = step.result.raw and step.result.kind is not ResultKind.LABEL  # "status: head" is read as a whole
            if explicit and step.description.rstrip(".") != body.rstrip("."):  # "… Result: PASS", "… → FAIL"
                body, result = step.description, step.result
            cited = tuple(int(rule) for rule in step.rules)
            mentioned = set(citations(step.text, bare=True))
            if set(cited) <= mentioned and (len(mentioned) > 1 or _says(body)):
                cited = ()  # no brackets: what a clause names counts for that clause
            made, named = _clauses(_without(body, own), number, own or subject, cited, result, named)
            found += made
            number += 1
    return found


def _says(text: str) -> bool:
    """Say whether a text has a rule as the subject of a statement, as "Rule 3 applies" and not "Rule 3: …"."""
    return re.search(rf"\b{wording.RULE}(?!\s*[\d:.])\s*(?:,\s*\w+,\s*)?(?:\w+\s+)?{_VERB}", text, re.I) is not None


def _clauses(
    text: str, step: int, subject: str | None, cited: tuple[int, ...], result: Result, named: str
) -> tuple[list[Clause], str]:
    """Return the clauses of a step, and the rules that "it" means in the next one."""
    found: list[Clause] = []
    for sentence in (part for whole in sentences_of(text) or [text] for part in _arrowed(whole)):
        if sentence.rstrip().endswith("?") and not result.raw:
            continue
        first = True
        for piece in _pieces(wording.THERE.sub(r"\g<0>,", sentence[: 4 * LONGEST])):
            ground = bool(_GROUND.match(piece))
            plain = lead_off(piece[piece.index(" ") :].strip() if ground and " " in piece else piece)
            supposed = not result.raw and (wording.SUPPOSED.search(plain) or wording.REPORTS.search(plain))
            if supposed or not re.search(r"\w", plain) or _LEAD.fullmatch(plain):
                if would := re.match(rf"({wording.RULE}) would\b", plain, re.I):  # "Rule 3 would apply, but it is …"
                    named, first = would[1], False
                continue
            if (object_ := wording.OBJECT.match(plain)) and named:
                plain = f"{object_['winner']} defeats {named}{plain[object_.end() :]}"
            if named and not wording.UNDER.search(plain) and (_PRONOUN.match(plain) if first else _ELIDED.match(plain)):
                plain = f"{named} {_PRONOUN.sub('', plain, count=1)}"
            elif (match := _NAMED.search(plain)) and not object_ and not plain.lower().startswith(("by ", "under ")):
                named = match[0]
            first = False
            found.append(Clause(plain[:LONGEST], sentence[: 4 * LONGEST], step, subject, ground=ground))
    main = [place for place, clause in enumerate(found) if not clause.ground]
    if main:  # the citation and the explicit result of a step belong to what it concludes
        found[main[-1]] = replace(found[main[-1]], cited=cited, result=result)
    return found, named


def _arrowed(sentence: str) -> list[str]:
    """Cut "Rule 5 (bad air): no solvent was used → no bad air" at its arrows: what stands before one is a ground.

    A ground is left out unless it is a statement about a rule; the last part keeps the rule at the start of the line.
    """
    *grounds, last = [part for part in wording.ARROW.split(sentence) if re.search(r"\w", part)] or [sentence]
    lead = re.match(rf"\W*({wording.RULE})(?!\w)", sentence, re.I)
    if grounds and lead and not _NAMED.search(last):
        result = read_result(last)
        verdict = result.kind is ResultKind.BOOLEAN and not wording.stage(last)  # "yes", "OK"
        last = f"{lead[1]} is {'met' if result.value == 'true' else 'not met'}" if verdict else f"{lead[1]}: {last}"
    return [*(part for part in grounds if _says(part)), last]


def lead_off(text: str) -> str:
    """Drop "So", "Therefore," and their like from the start of a clause."""
    for _ in range(3):
        shorter = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
        if shorter == text or not shorter.strip():
            break
        text = shorter
    return text.strip(" ,")


def _pieces(sentence: str) -> Iterator[str]:
    """Cut a sentence where a new statement begins; what has no predicate of its own stays with what went before."""
    start = end = 0
    if _GROUND.match(sentence) and (comma := _conclusion(sentence)):  # "Since …, …": a ground before its conclusion
        yield sentence[: comma.start()]
        start = end = comma.end()
    cuts = [match.span() for match in _CUT.finditer(sentence)]
    for low, high in [*cuts, (len(sentence), len(sentence))]:
        piece = sentence[end:low].strip()
        if not piece:
            continue
        held = sentence[start:end].strip(" ,;—–")
        turns = _TURNS.match(piece) or (_RULE_FIRST.match(piece) and not _RULE_LAST.search(held))
        if held and (turns or predicates(held)) and (turns is not None or predicates(piece)):
            yield held
            start = end
        end = high
    yield sentence[start:].strip(" ,;—–")


def _conclusion(sentence: str) -> re.Match[str] | None:
    """Return the comma that ends a ground at the start of a sentence; the ground may hold commas of its own."""
    if comma := _COMMA.search(sentence):
        return comma
    found = [m for m in re.finditer(r",\s+(?!(?:and|or|nor|but)\b)", sentence) if predicates(sentence[m.end() :])]
    return found[-1] if found else None


_VERB = r"(?:is|are|was|does|do|applies|apply|passes|pass|fails|fail|holds|stands|prevails|remains|falls|cannot)\b"
_PREDICATE = re.compile(
    r"\b(?:gives?|exceeds?|equals?|defeats?|overrides?|displaces?|prevails?|yields?|needs?|makes?|counts?|becomes?|"
    r"amounts?|means|constitutes?|qualifies|comes? to|came|follows?|took place|takes place|occurred|occurs|happened|"
    r"exist(?:s|ed)|arose|arises|made|gave|leaves?|left|found|finds?|makes up|adds? up|"
    r"supersedes?|trumps?|beats?|outranks?|blocks?|cancels?|sets?|takes?|removes?)\b|=",
    re.I,
)


def predicates(text: str) -> bool:
    """Say whether a text has a verb that states something."""
    return states_something(text) or bool(_PREDICATE.search(text))


# ---------------------------------------------------------------- subjects
def _blocks(text: str, subjects: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """Cut a text into blocks of lines about one subject; a line that names none belongs to the one before."""
    if not subjects:
        yield None, text
        return
    current: str | None = None
    lines: list[str] = []
    for line in text.splitlines():
        own = _subject(line, subjects)
        if own and own != current:
            if lines:
                yield current, "\n".join(lines)
            current, lines = own, []
        lines.append(line)
    if lines:
        yield current, "\n".join(lines)


def _subject(text: str, subjects: Sequence[str]) -> str | None:
    """Return the one subject that a text names, whole or by a word that is no other's; None for none or two."""
    if not subjects:
        return None
    found = [s for s in subjects if re.search(rf"(?<!\w){re.escape(s)}(?!\w)", text, re.I)]
    if not found:
        words = {s: {w for w in s.split() if not w.isdigit()} for s in subjects}
        own = {s: {w for w in ws if sum(w in other for other in words.values()) == 1} for s, ws in words.items()}
        found = [s for s in subjects if any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text) for w in own[s])]
    return found[0] if len(found) == 1 else None


def _without(text: str, subject: str | None) -> str:
    """Drop "Item 2:" from the start of a step."""
    if subject and text.lower().startswith(subject.lower()):
        rest = text[len(subject) :]
        if rest.lstrip()[:1] in (":", "—", "–", "-"):
            return rest.lstrip(" :—–-")
    return text
