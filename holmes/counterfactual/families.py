"""Families: an original, a decisive change and a control, found by evaluating changed records again."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from holmes.cases import Case, Pair
from holmes.derivations.operations import annotate
from holmes.errors import CheckFailed, InputError
from holmes.interventions.base import Interventions
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Effect, Intervention
from holmes.registry import derivations_of, domain_of

ROLES = ("original", "decisive", "control")
LISTED = 16  # most derivations that a row stores; more are counted
PAIRS = 4000  # two-fact changes that are tried where no single change decides
ROBUST = "robust"


@dataclass(frozen=True, slots=True)
class Option:
    """One change that a family may use.

    answer: of the whole case after it. turned: a scorer tells it from the original's. still: the answer is the
    original's, and of a number every rule and condition stands as before. used: a triggered rule rests on the fact.
    told: the text states it.
    """

    change: Intervention
    effect: Effect
    answer: str
    turned: bool
    still: bool
    used: bool
    told: bool

    @property
    def form(self) -> tuple[str, bool, object]:
        """What a reader sees of a change: kind of fact, told before or not, and in which direction it goes."""
        change = self.change
        up = change.after if change.kind == "bool" else change.kind == "number" and change.after > change.before  # type: ignore[operator]
        return change.kind, self.told, up


@dataclass(frozen=True, slots=True)
class Plan:
    """What a family changes: one change that decides (two in a robust case) and one that does not."""

    decisive: tuple[Option, ...]
    control: Option

    @property
    def robust(self) -> bool:
        """True where no single change decides."""
        return len(self.decisive) > 1


def interventions_of(case: Case) -> Interventions:
    """Return the intervention model of a case; raises InputError for a case that admits no change."""
    found = domain_of(case).interventions(case)
    if found is None:
        raise InputError(
            f"case {case.id!r}: field domain: found {case.source} {case.domain}, expected one whose cases may change"
        )
    return found


def options(here: Interventions, rng: random.Random) -> list[Option]:
    """Return every single change of a case that keeps it coherent and of its kind, facts in the order of the parts."""
    golds = [component.now.answer for component in here.components]
    used = here.used()
    found = []
    for number, component in enumerate(here.components):
        for fact in component.facts:
            for change, effect in component.changes(number, fact, rng):
                if not here.may(change):
                    continue
                now = component.now
                answer = here.whole([*golds[:number], effect.answer, *golds[number + 1 :]])
                # a number of a control stays on its side of every threshold
                still = effect.answer == now.answer and (change.kind != "number" or effect.standing == now.standing)
                place = number, change.label
                option = Option(
                    change, effect, answer, component.turned(effect), still, place in used, place in here.told
                )
                found.append(option)
    return found


def plan(here: Interventions, rng: random.Random) -> Plan | None:
    """Choose the changes of a family; None where no single or double change decides, or none can be a control.

    A fact is drawn first, then its value; facts that the text states come first, then changes after which nothing that
    the text leaves out matters, then amounts that the text does not hold. The control: in half of the families a fact
    that a triggered rule uses, of the kind of the decisive fact and told in the same direction where there is one.
    """
    every = options(here, rng)
    decisive = _decisive(here, every, rng)
    if decisive is None:
        return None
    taken = {(o.change.part, o.change.label) for o in decisive}
    used = rng.random() < 0.5
    wanted = decisive[0]

    def rank(option: Option) -> tuple[bool, ...]:
        change = option.change
        return (
            (change.part, change.label) in taken and change.kind != "number",
            not here.sound(change),
            option.used != used,
            option.told != wanted.told,
            change.kind != wanted.change.kind,
            option.form != wanted.form,
        )

    control = _drawn(here, [option for option in every if option.still], rank, rng)
    return Plan(decisive, control) if control else None


def _drawn(
    here: Interventions, options: Sequence[Option], rank: Callable[[Option], tuple[bool, ...]], rng: random.Random
) -> Option | None:
    """Draw one of the options of the least rank that the text can tell: first its fact, then its value.

    So a fact with many values is not drawn more often than others.
    """
    left = [(rank(option), option) for option in options]
    while left:
        best = min(found for found, _ in left)
        by_fact: dict[tuple[int, str], list[Option]] = {}
        for found, option in left:
            if found == best:
                by_fact.setdefault((option.change.part, option.change.label), []).append(option)
        option = rng.choice(by_fact[rng.choice(list(by_fact))])
        if here.tells(option.change):
            return option
        left.remove((best, option))
    return None


def _decisive(here: Interventions, every: Sequence[Option], rng: random.Random) -> tuple[Option, ...] | None:
    def rank(option: Option) -> tuple[bool, ...]:
        return not option.told, not here.sound(option.change), here.copied(option.answer)

    single = _drawn(here, [option for option in every if option.turned], rank, rng)
    if single is not None:
        return (single,)
    for one, other in itertools.islice(_pairs(every, rng), PAIRS):
        answer = _both(here, one, other)
        if answer is not None and here.tells(one.change) and here.tells(other.change):
            return replace(one, answer=answer, turned=True), replace(other, answer=answer, turned=True)
    return None


def _pairs(every: Sequence[Option], rng: random.Random) -> Iterator[tuple[Option, Option]]:
    """Yield pairs of changes of two facts of one part, told ones first, in random order."""
    pairs = [
        (one, other)
        for one, other in itertools.combinations(every, 2)
        if one.change.part == other.change.part and one.change.label != other.change.label
    ]
    rng.shuffle(pairs)
    return iter(sorted(pairs, key=lambda pair: not (pair[0].told and pair[1].told)))


def _both(here: Interventions, one: Option, other: Option) -> str | None:
    """Return the answer after both changes where it is another one and the record coherent."""
    number = one.change.part
    component = here.components[number]
    facts = other.change.applied(one.change.applied(component.facts))
    effect = component.effect(facts)
    if effect is None or not component.turned(effect):
        return None
    golds = [p.now.answer for p in here.components]
    return here.whole([*golds[:number], effect.answer, *golds[number + 1 :]])


def family(case: Case, seed: int = 0) -> tuple[Case, Case, Case] | None:
    """Return the family of a case: original, decisive, control.

    case: law, finance or deontic, of ours. seed: any integer; the family depends on both alone.
    Returns None where no change of one or two facts decides or no change of one fact is a control. A robust case (no
    single change decides) is tagged so in all three rows, and two facts change in its decisive member.
    Raises CheckFailed where a member's text, read back, does not give its facts, or its answer is not as planned.
    """
    rng = random.Random(f"{case.id}/{seed}/counterfactual")
    here = interventions_of(case)
    chosen = plan(here, rng)
    if chosen is None:
        return None
    tags = (*(tag for tag in case.tags if tag != ROBUST), *((ROBUST,) if chosen.robust else ()))
    name = f"counterfactual/{case.id}"
    original = _explained(replace(case, id=f"{name}/original", pair=Pair(name, "original"), tags=tags))
    members = []
    for role, changes in (("decisive", chosen.decisive), ("control", (chosen.control,))):
        members.append(_member(here, role, name, changes, chosen.robust, rng))
    return original, members[0], members[1]


def _member(
    here: Interventions, role: str, name: str, changes: Sequence[Option], robust: bool, rng: random.Random
) -> Case:
    facts: list[Facts] = [component.facts for component in here.components]
    text = here.case.case
    shown = []
    for option in changes:
        change = option.change
        text = here.edit_text(text, facts, change, rng)
        facts[change.part] = change.applied(facts[change.part])
        shown.append(f"{change.part + 1}.{change}" if len(here.parts) > 1 else str(change))
    made = here.rebuild(facts, text)
    if made.answer != changes[0].answer:
        raise CheckFailed(f"{name}/{role}: field answer: found {made.answer}, expected {changes[0].answer}")
    tags = (*(tag for tag in made.tags if tag != ROBUST), *((ROBUST,) if robust else ()))
    tier = replace(made.difficulty, tier=here.case.difficulty.tier)
    pair = Pair(name, role, "; ".join(shown))
    return _explained(replace(made, id=f"{name}/{role}", pair=pair, tags=tags, difficulty=tier))


def _explained(case: Case) -> Case:
    """Return a case with its derivations and its higher-order types."""
    found = derivations_of(case)
    return replace(case, **found.fields(LISTED), **annotate(found).fields())
