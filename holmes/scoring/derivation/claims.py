"""Statements held against a case: which step each is about, and the value it gives (step 2 and 3 of the scoring)."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from holmes.logic.language.model import Value
from holmes.scoring.derivation.lines import Line, lines_of, predicate_of, row_groups
from holmes.scoring.derivation.reference import Reference
from holmes.scoring.derivation.resolve import resolved
from holmes.scoring.derivation.segments import AXES, Group, groups_of
from holmes.scoring.derivation.stated import Same, stated_form
from holmes.scoring.derivation.statement import State, Statement
from holmes.scoring.derivation.statements import line_statements
from holmes.scoring.derivation.targets import Target
from holmes.scoring.derivation.tokens import Token, tokens
from holmes.scoring.derivation.vocabulary import Vocabulary, key_of


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a trace about one target. order: its place among the claims of the trace, from 0."""

    target: Target
    value: Value
    weight: int
    order: int
    text: str

    @property
    def right(self) -> bool:
        """True where the claimed value is the evaluated one."""
        return self.value == self.target.value


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a trace: its claims; how many lines are steps, were understood, are in the stated form."""

    claims: tuple[Claim, ...]
    steps: int
    understood: int
    contract: int


def read_lines(reference: Reference, blocks: Sequence[tuple[str | None, str]]) -> Reading:
    """Read the claims of blocks of text, each about one subject (None: unknown)."""
    found: list[Claim] = []
    steps = understood = contract = 0
    for subject, text in blocks:
        parts = [p for p in reference.parts if subject in (None, p.graph.part.subject)]
        sames = list(dict.fromkeys(Same(p.vocabulary) for p in parts))
        state = State()
        for line in lines_of(text, reference.sections):
            key = key_of(line.text)
            quoted = reference.quoted.get(key, 0) or reference.quoted.get(line.text.strip(), 0)
            if key in reference.restated or (quoted and not line.text.rstrip(" .").endswith("⟩")):
                continue
            names = formal = False
            earlier = len(found)
            for same in sames:
                own = parts if len(sames) == 1 else [p for p in parts if p.vocabulary is same.it]
                statements: Sequence[Statement] = stated_form(line.text, same)
                if statements:
                    names = formal = True
                    state.last = statements[0].rules
                else:
                    mentions, statements = _free(line, same, state, quoted)
                    names = names or mentions
                for statement in statements:
                    for target, value in resolved(statement, own):
                        found.append(Claim(target, value, 1, len(found), line.text))
            told = len(found) > earlier
            steps += names or told
            understood += told
            contract += formal
            if told and _CORRECTS.search(line.text):
                found = _retracted(found, earlier)
    return Reading(tuple(found), steps, understood, contract)


def _free(line: Line, same: Same, state: State, quoted: int) -> tuple[bool, Sequence[Statement]]:
    """Return whether a line of free text names a step, and its statements; state is brought up to date."""
    alone = not (line.cells or line.heading or state.heading or (state.last and line.depth))
    if alone and not (state.last and _inherits(line.text, same)):
        mentions, statements, state.last = _plain(line.text, same)
    else:
        mentions, statements = _statements(line, same, state)
    if quoted and not any(s.kind == "conflict" for s in statements):
        statements = _repeated(line, quoted)
    return mentions, statements


_CORRECTS = re.compile(
    r"\b(?:wait|hold on|correction|corrected|scratch that|on second thought|let me (?:correct|redo|recheck|fix)|"
    r"i (?:misread|made a mistake|was wrong|overlooked)|strike that|rather|no,? actually|actually|更正|不对|等等)\b",
    re.I,
)


def _retracted(found: list[Claim], earlier: int) -> list[Claim]:
    """Drop what a line takes back: claims before it of another value for a step that it speaks of."""
    values = {claim.target: claim.value for claim in found[earlier:]}
    kept = [c for c in found[:earlier] if c.target not in values or values[c.target] == c.value]
    return kept + found[earlier:]


def _repeated(line: Line, rule: int) -> list[Statement]:
    """Read a sentence that repeats a rule and cites it: its conclusion is claimed."""
    cited = re.findall(r"⟨(\d+)⟩[ .]*$", line.text)
    if cited != [str(rule)]:
        return []
    return [Statement("rule", (rule,), (), None, frozenset({"V+"}), True, (), (rule,))]


def _statements(line: Line, same: Same, state: State) -> tuple[bool, Sequence[Statement]]:
    vocabulary = same.it
    if line.cells:
        mentions, statements, state.last = _row(line, same, state.heading, state.nested)
        return mentions, statements
    found = _tokens(line.text, same)
    if line.heading and not any(t.kind in "RC" for t in found):
        state.heading = predicate_of(found)
        state.last = ()
        if state.heading or not any(_concept(t, vocabulary) for t in found):
            return False, []
    state.nested = bool(line.depth)
    if not found or not (line.depth or "B" in found[0].codes or _resumes(found)):
        state.last = ()
    if not state.last and not any(
        t.kind in "RC#" or _concept(t, vocabulary) or t.text in vocabulary.parts for t in found
    ):
        return False, []
    groups = groups_of(found)
    return _mentions(groups, vocabulary) or any(g.cited for g in groups), line_statements(groups, vocabulary, state)


def _mentions(groups: Sequence[Group], vocabulary: Vocabulary) -> bool:
    """Say whether a rule or a concept is named; most lines name one in their first words."""
    for group in groups:
        for segment in group.segments:
            for token in segment.tokens:
                if token.kind in "RC" or (token.kind == "A" and token.meaning.name in vocabulary.concepts):
                    return True
    return False


def _resumes(found: Sequence[Token]) -> bool:
    """Say whether a line begins with "this" or "it" and goes on to what only a rule can be."""
    told = next((t for t in found if t.codes and t.codes & AXES), None)
    first = next((t for t in found if not t.codes & {"Q", "B", "&"}), found[0])
    return "I" in first.codes and told is not None and bool(told.codes & {"U+", "A-", "A+", "T+", "T-"})


@functools.lru_cache(maxsize=16384)
def _inherits(text: str, same: Same) -> bool:
    """Say whether a line may speak of the rule that the line before it spoke of."""
    found = _tokens(text, same)
    return bool(found) and ("B" in found[0].codes or _resumes(found))


@functools.lru_cache(maxsize=16384)
def _plain(text: str, same: Same) -> tuple[bool, Sequence[Statement], tuple[int, ...]]:
    """Read a line that inherits nothing, once a rule base: (it names a step, its statements, the rule it ends with)."""
    state = State()
    mentions, statements = _statements(Line(text, 0, False), same, state)
    return mentions, tuple(statements), state.last


@functools.lru_cache(maxsize=4096)
def _row(
    line: Line, same: Same, heading: tuple[frozenset[str], bool] | None, nested: bool
) -> tuple[bool, Sequence[Statement], tuple[int, ...]]:
    """Read a table row under a heading, as `_plain` reads a line; it inherits nothing else of the lines before it."""
    state = State(heading=heading, nested=nested)
    groups = row_groups(line, same.it)
    return _mentions(groups, same.it), tuple(line_statements(groups, same.it, state)), state.last


@functools.lru_cache(maxsize=8192)
def _tokens(text: str, same: Same) -> tuple[Token, ...]:
    return tuple(tokens(text, same.it))


def _concept(token: Token, vocabulary: Vocabulary) -> bool:
    return token.kind == "A" and token.meaning.name in vocabulary.concepts
