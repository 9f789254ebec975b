"""What random draws rarely meet: a policy equal to another, a family that keeps Φ, a fact that makes a claim true."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from holmes.domains.policy.planner.draws import Stock, atom
from holmes.domains.policy.planner.sampled_records import SIZE
from holmes.domains.policy.planner.variants import Mutant
from holmes.domains.policy.questions.conditions import negated
from holmes.domains.policy.questions.terms import Question, Term, expression, member_violation
from holmes.logic.language.model import And, Expr, Implies, Or

LEAST = 12  # records of the sample that a policy must cover, and as many that it must not


def forbidding(rng: random.Random, pool: Stock, mutant: Mutant, records: int) -> Implies | None:
    """Return an implication between facts that no record of a set obeys; None where no two facts tell the set."""
    if not 4 <= records.bit_count() <= SIZE // 3:
        return None
    forced: list[Expr] = []
    for literal in pool.facts:
        bits = mutant.signatures.bits(literal)
        if not records & ~bits:
            forced.append(literal)
        elif not records & bits:
            forced.append(negated(literal))
    if len({atom(literal) for literal in forced}) < 2:
        return None
    one, two = rng.sample(forced, 2)
    return None if atom(one) == atom(two) else Implies(one, negated(two))


def equal(rng: random.Random, pool: Stock, mutant: Mutant, asked: Question) -> Question | None:
    """Replace one of the two policies of a question by another that covers the same records; None where none does."""
    mask = mutant.signatures.where(asked.given)
    places = (0, 1) if asked.form == "equivalent" else asked.picked
    kept, new = places if asked.form == "equivalent" or rng.random() < 0.5 else places[::-1]
    term = asked.terms[kept]
    target = mutant.signatures.bits(expression(term, asked.sense, mutant.base)) & mask
    if not LEAST <= target.bit_count() <= mask.bit_count() - LEAST:
        return None
    found = [other for other in _equals(pool, mutant, asked, target, mask) if other != term]
    if not found:
        return None
    terms = list(asked.terms)
    terms[new] = rng.choice(found)
    return replace(asked, terms=tuple(terms))


def _equals(pool: Stock, mutant: Mutant, asked: Question, target: int, mask: int) -> Iterator[Term]:
    """Yield the terms of the kinds that the question may compare with that cover exactly `target` within `mask`."""
    signatures, base, sense = mutant.signatures, mutant.base, asked.sense
    terms = {rule: signatures.bits(expression(Term("rule", (rule,)), sense, base)) & mask for rule in pool.rules}
    if asked.type != "PR":
        yield from (Term("rule", (rule,)) for rule, bits in terms.items() if bits == target)
        for one, two in itertools.permutations(pool.rules, 2):
            if terms[one] & ~terms[two] == target:
                yield Term("unless", (one, two))
            if one < two and terms[one] & terms[two] == target:
                yield Term("all", (one, two))
            if one < two and terms[one] | terms[two] == target:
                yield Term("any", (one, two))
    literals = [x for y in (*pool.concepts, *pool.facts) for x in (y, negated(y))]
    bits = {x: signatures.bits(x) & mask for x in literals}
    above = [x for x in literals if not target & ~bits[x]]
    below = [x for x in literals if not bits[x] & ~target]
    if asked.type != "PS":
        yield from (Term("condition", condition=x) for x in above if bits[x] == target)
        for left, right in _pairs(above, pool):
            if bits[left] & bits[right] == target:
                yield Term("condition", condition=And((left, right)))
        for left, right in _pairs(below, pool):
            if bits[left] | bits[right] == target:
                yield Term("condition", condition=Or((left, right)))
    for rule, own in terms.items() if asked.type != "PR" else ():
        if not target & ~own:
            for x in literals:
                if own & ~bits[x] == target:
                    yield Term("amended", (rule,), x)


def _pairs(literals: Sequence[Expr], pool: Stock) -> Iterator[tuple[Expr, Expr]]:
    """Yield the pairs of literals about two things, one of them a concept."""
    concepts = {atom(x) for x in pool.concepts}
    for one, two in itertools.combinations(literals, 2):
        if atom(one) != atom(two) and (atom(one) in concepts or atom(two) in concepts):
            yield one, two


def keeping(rng: random.Random, pool: Stock, mutant: Mutant, asked: Question) -> Question | None:
    """Give a question a family all of whose members keep Φ; None where fewer than four rules do."""
    signatures, base = mutant.signatures, mutant.base
    mask = signatures.where(asked.given)
    size = mask.bit_count()
    kept = []
    for rule in pool.rules:
        if rule in asked.terms[0].rules:
            continue
        own = (signatures.bits(expression(Term("rule", (rule,)), asked.sense, base)) & mask).bit_count()
        if LEAST <= own <= size - LEAST and not signatures.bits(member_violation(asked, rule, base)) & mask:
            kept.append(rule)
    count = len(asked.family)
    return replace(asked, family=tuple(sorted(rng.sample(kept, count)))) if len(kept) >= count else None
