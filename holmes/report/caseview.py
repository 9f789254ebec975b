"""A case and its replies as the page shows them: steps in words, the graph with places, replies with their claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.derivations.trace import step
from holmes.errors import InputError
from holmes.reading.thinking import final_reply
from holmes.report import graph, labels
from holmes.report.decisive import decisive_types
from holmes.report.faults import ClaimView, claims, class_of, reasoning, weak_reading
from holmes.report.runs import Entry, number
from holmes.results import Score
from holmes.scoring.derivation import has_derivations
from holmes.scoring.derivation.reference import reference_of
from holmes.tasks import own_spec, task_spec

_CITED = re.compile("⟨[^⟩]*⟩")  # how readers write a citation beside a statement
_SURE = 82  # least likeness of a claim's words with a place in the reply
_LONGEST = 20_000  # characters of a reply that the page keeps


def derivations(case: Case) -> Derivations | None:
    """Return the derivations that replies to a case are held against; None where there are none at hand."""
    try:
        return reference_of(case).derivations if has_derivations(case) else None
    except InputError:
        return None


def views(cases: Sequence[Case], members: Mapping[str, Sequence[Sequence[str]]]) -> list[dict[str, Any]]:
    """Return the view of each case; graphs are laid out together.

    members: case id -> derivations (labels) that replies are shown beside, besides the shortest one.
    """
    made = [_view(case, members.get(case.id, ())) for case in cases]
    drawings = [(place, drawn) for place, (_, drawn) in enumerate(made) if drawn is not None]
    for (place, drawn), layout in zip(drawings, graph.laid_out([drawn for _, drawn in drawings]), strict=True):
        view = made[place][0]
        if layout is None:
            view["nograph"] = "The graph is not drawn: graphviz (dot) was not installed when this page was made."
            continue
        numbers = {step["label"]: at for at, step in enumerate(view["steps"])}
        view["graph"] = {
            "size": list(layout.size),
            "boxes": [[numbers[label], *box, graph.lines(drawn.steps[label])] for label, box in layout.boxes.items()],
            "edges": [[numbers[a], numbers[b]] for a, b in layout.edges],
            "left_out": layout.left_out,
        }
    return [view for view, _ in made]


def _view(case: Case, members: Sequence[Sequence[str]]) -> tuple[dict[str, Any], graph.Drawing | None]:
    view: dict[str, Any] = {
        "id": case.id,
        "task": labels.task(case.task),
        "bundle": labels.plain(case.bundle) if case.bundle else "",
        "source": case.source,
        "case": case.case.strip(),
        "question": case.question.strip(),
        "answer": labels.answer(case, case.answer),
        "choices": [labels.answer(case, choice) for choice in case.choices],
        "types": [labels.TYPES.get(kind, kind) for kind in case.hol_types],
        "decisive": [labels.TYPES.get(kind, kind) for kind in decisive_types(case)],
        "difficulty": difficulty_in_words(case),
        "pair": _pair(case),
        "program": case.program.strip(),
        "count": case.derivations_count,
        "proved": _proved(case),
    }
    found = derivations(case)
    if found is None:
        view["steps"] = [{"label": "", "text": step.text, "rule": step.rule, "critical": False} for step in case.trace]
        return view, None
    shortest = next(found.family.members(1))
    words: dict[str, tuple[str, str]] = {}
    critical: set[str] = set()
    for member in (shortest, *members):
        critical |= set(found.critical(member))
        for label, told in found.written(member):
            words.setdefault(label, (told.text, told.rule))
    wanted = frozenset(label for member in (shortest, *members) for label in member)
    drawn = graph.drawing(found, _sentences(found, words), wanted)
    sentences = _sentences(found, words)
    order = list(dict.fromkeys([*(label for label in words if label in sentences), *drawn.steps]))
    view["steps"] = [
        {
            "label": label,
            "text": sentences[label],
            "rule": words[label][1] if label in words else "",
            "critical": label in critical,
            "layer": labels.layer(label),
        }
        for label in order
    ]
    view["shortest"] = [order.index(label) for label in words if label in set(shortest)]
    return view, drawn


def _proved(case: Case) -> str:
    """Return which checkers confirmed the gold, and how long the kernel's proof is; "" without a certificate."""
    from holmes.formal.certificates import KERNEL, certificate_of

    found = certificate_of(case, case.id.split("/")[0]) or certificate_of(case, case.task)
    if found is None:
        return ""
    proof = f"; {KERNEL}: {found.claims} claims in {found.steps} steps, {found.when}" if found.proved else ""
    return f"Gold confirmed by {', '.join(found.checkers) or 'no checker'}{proof}."


def _sentences(found: Derivations, words: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The sentence of every step that can be drawn: of the members shown, else worded one by one."""
    sentences = {label: text for label, (text, _) in words.items()}
    for part in found.parts:
        for node in part.graph.reachable(part.root):
            label = part.label(node)
            if label is not None and label not in sentences:
                said = found.say(part.part, step(part.part.base, part.graph, node, part.part.names))
                sentences[label] = said.text
    return sentences


def step_in_words(case: Case, label: str) -> str:
    """Return the sentence of a step of a case; words for its label where the case has no such step."""
    found = derivations(case)
    for part in found.parts if found is not None else ():
        for node, _ in part.graph.labelled():
            if part.label(node) == label and found is not None:
                return found.say(part.part, step(part.part.base, part.graph, node, part.part.names)).text
    return labels.label_of_step(label)


def difficulty_in_words(case: Case) -> dict[str, str]:
    """Return what makes a case hard, by name, as the page shows it; what is zero is left out."""
    told = case.difficulty
    named = {
        "steps": told.steps, "height": told.height, "defined terms": told.concepts, "rules used": told.policies,
        "conflicts": told.conflicts, "scopes": told.scopes, "parts": told.components,
    }  # fmt: skip
    return {name: str(value) for name, value in named.items() if value} | ({"tier": told.tier} if told.tier else {})


def _pair(case: Case) -> str:
    if not case.pair.family:
        return ""
    changed = f": {case.pair.changed}" if case.pair.changed else ""
    return f"{case.pair.role} of the counterfactual family {case.pair.family}{changed}"


# ---------------------------------------------------------------- replies
def replies(entry: Entry, steps: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the generations of an entry as the page shows them. steps: label -> place among the case's steps."""
    return [_reply(entry, text, score, steps) for text, score in zip(entry.texts, entry.scores, strict=True)]


def _reply(entry: Entry, text: str | None, score: Score, steps: Mapping[str, int]) -> dict[str, Any]:
    final = final_reply(text or "").text
    told = claims(entry.case, text) if class_of(score) != "unmeasured" else ()
    shown: dict[str, Any] = {
        "outcome": score.outcome.value,
        "class": class_of(score),
        "answer": labels.answer(entry.case, score.answer),
        "value": score.value,
        "reason": labels.reason(entry.case, score.reason),
        "text": final[:_LONGEST],
    }
    if text and final.strip() != text.strip():
        shown["raw"] = text[:_LONGEST]
    if told:
        shown["claims"] = [[*span, claim.verdict, steps.get(claim.label, -1), _said(claim, steps)]
                           for claim, span in zip(told, locate(final[:_LONGEST], told), strict=True)]  # fmt: skip
        found = reasoning(entry.case, text)
        if found is not None:
            shown["member"] = [steps[label] for label in _ordered(entry.case, found.member) if label in steps]
    shown["parts"] = parts_in_words(score)
    if cue := weak_reading(score):
        shown["cue"] = cue
    if program := _program(entry, text):
        shown["program"] = program
    return shown


def parts_in_words(score: Score) -> dict[str, float]:
    """Return the named parts of a score that are numbers, as the page shows them."""
    parts = {name: value for name, raw in score.parts.items() if (value := number(raw)) is not None}
    return {labels.plain(name.replace("deriv", "derivation")): round(value, 3) for name, value in parts.items()}


def _ordered(case: Case, member: tuple[str, ...]) -> Sequence[str]:
    """The labels of a derivation, premises first."""
    found = derivations(case)
    if found is None:
        return member
    nodes = zip(found.parts, found.nodes(member), strict=True)
    return [str(part.label(node)) for part, places in nodes for node in places]


def _said(claim: ClaimView, steps: Mapping[str, int]) -> str:
    """What a claim is about where the case has no such step (a conflict that is not there)."""
    return "" if claim.label in steps else labels.label_of_step(claim.label)


def locate(text: str, told: Sequence[ClaimView]) -> list[tuple[int, int]]:
    """Return where each claim stands in a reply, as (start, end); (-1, -1) where it cannot be found.

    A claim's words are cleaned of marks and citations, so they are sought word by word, then by likeness.
    """
    found: list[tuple[int, int]] = []
    start = 0
    for claim in told:
        span = _exact(text, claim.text, start) or _exact(text, claim.text, 0) or _like(text, claim.text)
        found.append(span)
        if span[1] > start:
            start = span[0]
    return found


def _exact(text: str, words: str, start: int) -> tuple[int, int] | None:
    tokens = re.findall(r"@?\w+", _CITED.sub("", words))
    if not tokens:
        return None
    # "@12" is how readers write "Rule 12", "Section 12" and the like
    pattern = r"[^\w\n]{1,12}".join(
        rf"(?:[^\W\d]+\.?[ \xa0])?{re.escape(token[1:])}" if token.startswith("@") else re.escape(token)
        for token in tokens[:60]
    )
    match = re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE).search(text, start)
    return match.span() if match else None


def _like(text: str, words: str) -> tuple[int, int]:
    words = _CITED.sub("", words).replace("@", "Rule ")
    best = fuzz.partial_ratio_alignment(words, text, score_cutoff=_SURE) if words and text else None
    return (best.dest_start, best.dest_end) if best is not None else (-1, -1)


def _program(entry: Entry, text: str | None) -> dict[str, str] | None:
    """The program of a reply and what it printed, for tasks whose answer a program gives."""
    if text is None or own_spec(entry.case, task_spec(entry.task)).mode != "prolog":
        return None
    from holmes.prolog.extract import extract_program
    from holmes.prolog.runner import default_runner
    from holmes.registry import program_contract

    found = extract_program(text, contract=program_contract(entry.case.task))
    if found.program is None:
        return {"text": "", "note": found.note}
    run = default_runner().run(found.program)
    return {"text": found.program, "out": run.stdout[:4000], "err": run.stderr[:2000], "note": str(run.outcome)}
