"""The search for pairs of questions that differ by one edit and in their answer; none of them trivial."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from holmes.domains.policy.planner.candidates import LEAST, equal, forbidding, keeping
from holmes.domains.policy.planner.draws import Stock, implication, question, repeated, stock
from holmes.domains.policy.planner.edits import KINDS, edits
from holmes.domains.policy.planner.name_baseline import name_baseline
from holmes.domains.policy.planner.records import record_pair
from holmes.domains.policy.planner.sampled_records import SIZE
from holmes.domains.policy.planner.variants import Mutant, mutants, names
from holmes.domains.policy.questions.english import given_text, question_text
from holmes.domains.policy.questions.terms import Question, Term, expression, member_violation, universal, violations
from holmes.domains.policy.questions.witness import baseline
from holmes.domains.policy.reasoning.decide import decide, violators
from holmes.domains.policy.reasoning.solver import closed_terms
from holmes.errors import InputError
from holmes.logic.language.model import Expr

MOST = 0.22  # of the sample; the gate on the whole space is a quarter
TRIES = 240  # draws before another rule base, edit and sense are tried
ROUNDS = 400


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its rule base and answer."""

    question: Question
    mutant: Mutant
    answer: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions one edit apart. kind: of the edit. needy: the universal answer fails without integrity."""

    first: Asked
    second: Asked
    kind: str
    needy: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn before the search, so that no answer can depend on it.

    coin: whether the member whose text comes first in the alphabet gives the universal answer (or yes). target: number
    of violators, or which two branches the members take. hits: most members of the pair that `by_names` may guess
    right.
    """

    type: str
    form: str
    needy: bool
    coin: bool
    target: int
    hits: int


def find(rng: random.Random, plan: Plan) -> Pair:
    """Return a pair for a plan; the result depends on the state of `rng` and the rule bases alone."""
    for _ in range(ROUNDS):
        known = mutants(rng.choice(names()))
        mutant = known[0] if rng.random() < 0.5 else rng.choice(known)
        sense = rng.choice(("triggered", "applies", "applies"))
        kind = rng.choice(KINDS[plan.form])
        if kind == "member" and plan.target != 1:
            continue  # it changes one member, and so makes one violator
        for _ in range(TRIES):
            if plan.form in ("accepts", "governs"):
                pair = _record(rng, plan, known, mutant, sense, kind)
            elif plan.form == "which":
                pair = _which(rng, plan, known, mutant, sense, kind)
            else:
                pair = _claim(rng, plan, known, mutant, sense, kind)
            if pair is not None:
                return pair
    raise InputError(f"policy questions of type {plan.type}, form {plan.form}: found none in {ROUNDS} rounds")


def key(asked: Question, mutant: Mutant) -> str:
    """Return the text of a question with its rules in one fixed wording: it orders the members of a pair."""
    base = mutant.base
    return "\n".join((mutant.rules, *given_text(asked.given, base, 0), question_text(asked, base, random.Random(0))))


def others(
    kind: str, asked: Question, mutant: Mutant, known: tuple[Mutant, ...], rng: random.Random
) -> Iterator[tuple[Question, Mutant]]:
    """Yield the questions one edit away, each with its rule base."""
    if kind != "rules":
        made = edits(kind, asked, stock(mutant.base).rules, rng)
        yield from ((other, mutant) for other in made if not repeated(other.given))
    elif mutant is known[0]:
        yield from ((asked, other) for other in rng.sample(known[1:], len(known) - 1))
    else:
        yield asked, known[0]


# ---------------------------------------------------------------- claims about all cases
def _claim(
    rng: random.Random, plan: Plan, known: tuple[Mutant, ...], mutant: Mutant, sense: str, kind: str
) -> Pair | None:
    pool = stock(mutant.base)
    drawn = _drawn(rng, pool, mutant, question(rng, pool, plan.type, plan.form, sense), plan.needy)
    if drawn is None:
        return None
    asked = drawn
    if kind in ("not", "word", "order") and not list(edits(kind, asked, pool.rules, random.Random(0))):
        return None
    counts = _counts(asked, mutant)
    if not counts or all(counts) or (plan.form == "comparable" and not any(counts)):
        return None
    if not _universal(asked, mutant, plan.needy):
        return None
    for other, place in others(kind, asked, mutant, known, rng):
        found = _counts(other, place)
        if not found or not all(count >= 4 for count in found):
            continue
        size = sample_size(other, place)
        if any(count > MOST * size for count in found):
            continue
        if (key(asked, mutant) < key(other, place)) is not plan.coin:
            continue
        if plan.form == "every" and len(violators(other, place.solver)) != plan.target:
            continue
        first, second = Asked(asked, mutant, universal(plan.form)), Asked(other, place, "")
        verdict = decide(other, place.solver)
        start = baseline(place.base.facts)
        guesses = (name_baseline(asked, mutant.base), first.answer), (name_baseline(other, place.base), verdict.answer)
        if sum(guess == answer for guess, answer in guesses) > plan.hits:
            continue
        if verdict.answer != first.answer and start not in verdict.witnesses:
            return Pair(first, replace(second, answer=verdict.answer), kind, plan.needy)
    return None


def _drawn(rng: random.Random, pool: Stock, mutant: Mutant, asked: Question, needy: bool) -> Question | None:
    """Give a drawn question its `given`, and what is rare by chance: an equal policy, a family that keeps Φ."""
    first = implication(rng, pool, _near(asked, mutant))
    second = implication(rng, pool, _near(asked, mutant))
    if first is None or second is None or repeated((first, second)):
        return None
    if asked.form in ("equivalent", "disagree"):
        return equal(rng, pool, mutant, replace(asked, given=(first, second)))
    if asked.form == "every":
        return keeping(rng, pool, mutant, replace(asked, given=(first, second)))
    bare = [mutant.signatures.bits(v) & mutant.signatures.where(()) for v in violations(asked, mutant.base)]
    if needy == (not all(bare)):
        return None
    if needy:
        chosen = forbidding(rng, pool, mutant, rng.choice(bare))
        if chosen is None or repeated((chosen, second)):
            return None
        first = chosen
    return replace(asked, given=(first, second) if rng.random() < 0.5 else (second, first))


def sample_size(asked: Question, mutant: Mutant) -> int:
    """Return how many records of the sample a question admits."""
    return mutant.signatures.where(asked.given).bit_count()


def _counts(asked: Question, mutant: Mutant) -> list[int]:
    """Return how many records of the sample break each claim; nothing where a policy is empty, full or too small."""
    signatures, base = mutant.signatures, mutant.base
    mask = signatures.where(asked.given)
    size = mask.bit_count()
    if size < SIZE // 10:
        return []
    parts = [expression(term, asked.sense, base) for term in asked.terms]
    parts += [expression(Term("rule", (rule,)), asked.sense, base) for rule in asked.family]
    if asked.form == "changes":
        parts += [expression(Term("rule", asked.terms[0].rules), asked.sense, base)]
    if any(not LEAST <= (signatures.bits(part) & mask).bit_count() <= size - LEAST for part in parts):
        return []
    return [(signatures.bits(v) & mask).bit_count() for v in violations(asked, base)]


def _universal(asked: Question, mutant: Mutant, needy: bool) -> bool:
    """Tell whether the claim holds of all coherent records, as `needy` has it, and not without unfolding a concept."""
    found = violations(asked, mutant.base)
    ways = [v for v in found if not mutant.solver.possible(v, asked.given)]
    if not ways:
        return False
    if all(mutant.solver.possible(v, integrity=False) for v in found) is not needy:
        return False
    shallow = [closed_terms(v) for v in found]
    given = [closed_terms(condition) for condition in asked.given]
    return all(mutant.shallow.possible(v, given) for v in shallow)


def _near(asked: Question, mutant: Mutant) -> list[Expr]:
    return [expression(term, asked.sense, mutant.base) for term in asked.terms]


# ---------------------------------------------------------------- other forms
def _which(
    rng: random.Random, plan: Plan, known: tuple[Mutant, ...], mutant: Mutant, sense: str, kind: str
) -> Pair | None:
    pool = stock(mutant.base)
    asked = question(rng, pool, plan.type, plan.form, sense)
    given = tuple(implication(rng, pool, _near(asked, mutant)) for _ in range(2))
    asked = replace(asked, given=tuple(part for part in given if part is not None))
    if len(asked.given) < 2 or repeated(asked.given) or not _listed(asked, mutant):
        return None
    found = violators(asked, mutant.solver)
    if len(found) != plan.target or not _deep(asked, mutant, found):
        return None
    for other, place in others(kind, asked, mutant, known, rng):
        if not _listed(other, place) or (key(asked, mutant) < key(other, place)) is not plan.coin:
            continue
        second = violators(other, place.solver)
        if second != found and len(second) > 0:
            return Pair(
                Asked(asked, mutant, decide(asked, mutant.solver).answer),
                Asked(other, place, decide(other, place.solver).answer),
                kind,
            )
    return None


def _listed(asked: Question, mutant: Mutant) -> bool:
    """Tell whether every policy has members and non-members, and each violator a share that is not overwhelming."""
    signatures, base = mutant.signatures, mutant.base
    mask = signatures.where(asked.given)
    if mask.bit_count() < SIZE // 10:
        return False
    parts = [expression(Term("rule", (rule,)), asked.sense, base) for rule in asked.family]
    parts.append(expression(asked.terms[0], asked.sense, base))
    if any(not LEAST <= (signatures.bits(p) & mask).bit_count() <= mask.bit_count() - LEAST for p in parts):
        return False
    shares = [(signatures.bits(member_violation(asked, rule, base)) & mask).bit_count() for rule in asked.family]
    return all(count <= MOST * mask.bit_count() for count in shares) and not any(0 < count < 4 for count in shares)


def _deep(asked: Question, mutant: Mutant, found: tuple[int, ...]) -> bool:
    """Tell whether some member that keeps Φ keeps it only because of what its concepts mean."""
    given = [closed_terms(condition) for condition in asked.given]
    kept = [rule for rule in asked.family if rule not in found]
    claims = [closed_terms(member_violation(asked, rule, mutant.base)) for rule in kept]
    return any(mutant.shallow.possible(claim, given) for claim in claims)


def _record(
    rng: random.Random, plan: Plan, known: tuple[Mutant, ...], mutant: Mutant, sense: str, kind: str
) -> Pair | None:
    asked = question(rng, stock(mutant.base), plan.type, plan.form, sense)
    for other, place in others(kind, asked, mutant, known, rng):
        if (key(asked, mutant) < key(other, place)) is not plan.coin:
            continue
        record = record_pair(rng, asked, mutant, other, place, plan.target, plan.hits)
        if record is not None:
            made = [(replace(q, record=record), w) for q, w in ((asked, mutant), (other, place))]
            first, second = (Asked(q, w, decide(q, w.solver).answer) for q, w in made)
            return Pair(first, second, kind)
    return None
