"""A rule base, as packaged or with one word of one rule changed, with all that the search for questions needs of it."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from holmes.domains.policy.members import NAMES, member
from holmes.domains.policy.planner.sampled_records import Signatures
from holmes.domains.policy.reasoning.solver import Solver, opaque
from holmes.errors import InputError
from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_rules
from holmes.logic.english.render import rules_text
from holmes.logic.language.fingerprint import edited
from holmes.logic.language.model import And, Compare, Concept, Const, Expr, Or, Policy, Ref, RuleBase
from holmes.logic.language.walk import rebuild, walk
from holmes.logic.sat.equivalence import equivalent

# wordings in which `and` may also be read as a list of alternatives
_LOOSE = re.compile(r"\b(?:covers?|is meant|consists? in|counts? as)\b|\band (?:an?|the) \w+ who\b|\bas well\b")


@dataclass(frozen=True, slots=True)
class Edit:
    """One word of one rule changed; number 0 is no edit."""

    number: int
    rule: int
    before: str
    after: str


class Mutant:
    """One rule base with its sampled records and its solvers, each set up when first asked for."""

    def __init__(self, base: RuleBase, edit: Edit) -> None:
        self.base, self.edit = base, edit

    @functools.cached_property
    def signatures(self) -> Signatures:
        """A sample of its records."""
        return Signatures(self.base)

    @functools.cached_property
    def solver(self) -> Solver:
        """The rule base as clauses."""
        return Solver(self.base)

    @functools.cached_property
    def shallow(self) -> Solver:
        """The rule base as clauses, no concept unfolded."""
        return Solver(opaque(self.base))

    @functools.cached_property
    def rules(self) -> str:
        """The printed rules."""
        return rules_text(self.base)


def names() -> tuple[str, ...]:
    """Return the rule bases that questions are asked about."""
    return NAMES


@functools.lru_cache(maxsize=16)
def mutants(name: str) -> tuple[Mutant, ...]:
    """Return a packaged rule base and all its edits, the base itself first; raises InputError for an unknown name."""
    base = member(name)
    made = [Mutant(base, Edit(0, 0, "", ""))]
    for rule, before, after, changed in _edits(base):
        number = len(made)
        renamed = edited(changed, lambda text, number=number: f"{text}/edit/{number}")  # type: ignore[misc]
        made.append(Mutant(renamed, Edit(number, rule, before, after)))
    return tuple(made)


def mutant_of(name: str, number: int) -> Mutant:
    """Return one of `mutants`; raises InputError where it does not exist."""
    known = mutants(name)
    if not 0 <= number < len(known):
        raise InputError(f"{name}: edit: found {number}, expected 0 to {len(known) - 1}")
    return known[number]


def _edits(base: RuleBase) -> Iterator[tuple[int, str, str, RuleBase]]:
    """Yield (rule, word before, word after, changed base) for every edit whose text is read as it is meant."""
    declared: list[Concept | Policy] = [*base.concepts.values(), *base.policies.values()]
    for item in sorted(declared, key=lambda item: item.rule):
        body = item.body if isinstance(item, Concept) else item.when
        if body is None:
            continue
        for before, after, changed in _bodies(body, item.text, base):
            text = re.sub(rf"\b{before}\b", after, item.text)
            made = None if _LOOSE.search(text) else _with(base, item, changed, text)
            if made is not None and _reads(made, item, changed):
                yield item.rule, before, after, made


def _bodies(body: Expr, text: str, base: RuleBase) -> Iterator[tuple[str, str, Expr]]:
    joins = [part for part in walk(body) if isinstance(part, And | Or)]
    for before, after, kind in (("and", "or", And), ("or", "and", Or)):
        if len(joins) == 1 and isinstance(joins[0], kind) and len(re.findall(rf"\b{before}\b", text)) == 1:
            other = Or if kind is And else And
            yield before, after, _replaced(body, joins[0], other(joins[0].args))
    for part in walk(body):
        if not (isinstance(part, Compare) and isinstance(part.left, Ref) and isinstance(part.right, Const)):
            continue
        fact, value = base.facts.get(part.left.name), part.right.value
        if fact is None or not isinstance(value, Fraction) or len(re.findall(rf"\b{value}\b", text)) != 1:
            continue
        low, high = int(fact.type.low or 0), int(fact.type.high or 0)
        for number in (value + (high - low) // 4, value - (high - low) // 4):
            if low < number <= high and len(str(number)) == len(str(value)) and _keeps(body, part, number):
                new = Compare(part.op, part.left, Const(Fraction(number), part.right.type))
                yield str(value), str(number), _replaced(body, part, new)


def _keeps(body: Expr, part: Compare, number: Fraction) -> bool:
    """Tell whether a new threshold stays on the same side of every other threshold that the rule sets for the fact."""
    others = [
        p.right.value
        for p in walk(body)
        if isinstance(p, Compare) and p is not part and p.left == part.left and isinstance(p.right, Const)
    ]
    assert isinstance(part.right, Const)
    old = part.right.value
    return all(number != value and (number < value) == (old < value) for value in others)  # type: ignore[operator]


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    return new if expr is old else rebuild(expr, lambda child: _replaced(child, old, new))


def _with(base: RuleBase, item: Concept | Policy, body: Expr, text: str) -> RuleBase | None:
    if isinstance(item, Concept):
        concepts = {**base.concepts, item.name: dataclasses.replace(item, body=body, text=text)}
        return dataclasses.replace(base, concepts=concepts)
    return dataclasses.replace(
        base, policies={**base.policies, item.name: dataclasses.replace(item, when=body, text=text)}
    )


def _reads(base: RuleBase, item: Concept | Policy, body: Expr) -> bool:
    try:
        read = read_rules(lexicon(base), rules_text(base))
    except InputError:
        return False
    if isinstance(item, Concept):
        found: Expr | None = read.concepts[item.name].body if item.name in read.concepts else None
    else:
        found = next((p.when for p in read.policies.values() if p.rule == item.rule), None)
    types = {name: fact.type for name, fact in base.facts.items()}
    types |= {name: concept.type for name, concept in base.concepts.items()}
    return found is not None and equivalent(found, body, types)
