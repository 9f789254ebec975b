"""Decisions by SAT against lists of all records, smallest witnesses against brute force, proofs against both."""

from __future__ import annotations

import random

import numpy as np
import pytest

from holmes.domains.law.rulebases import bundle
from holmes.domains.policy.generate import asked_in, stated
from holmes.domains.policy.planner.draws import condition, implication, stock, term
from holmes.domains.policy.planner.sampled_records import Signatures
from holmes.domains.policy.planner.variants import mutants, names
from holmes.domains.policy.questions.terms import expression, violations
from holmes.domains.policy.questions.witness import baseline
from holmes.domains.policy.reasoning.decide import coherent, decide, holds, told_as
from holmes.domains.policy.reasoning.refutation import Refutation
from holmes.domains.policy.reasoning.solver import Solver, closed_terms, opaque
from holmes.domains.policy.verify import Listing, reread
from holmes.errors import InputError
from holmes.logic.language.model import And, Not, PolicyTest, Ref


def test_the_stored_witness_is_the_smallest_and_the_first(shipped) -> None:
    """Among all coherent records that show it, none differs from the baseline in fewer facts."""
    checked = 0
    for case in shipped["test"]:
        _, base = stated(case)
        read = reread(case)
        claims = violations(read.question, read.base)
        if not case.facts or not claims:
            continue
        listing = Listing.of(read)
        assert listing is not None
        rows = listing.truth_of(claims[0])
        far = sum((codes != 0).astype(int) for codes in listing.records.codes.values())
        start = baseline(base.facts)
        values = {fact.name: fact.value for fact in case.facts}
        own = sum(values[n] != ("false" if v is False else str(v)) for n, v in start.items())
        assert own == int(np.min(far[rows])), case.id
        assert own > 0
        checked += 1
    assert checked > 80


def test_solver_and_sketch_agree_with_evaluation() -> None:
    """A condition that holds of a sampled record is possible with that record, and is what evaluation says."""
    rng = random.Random(7)
    for name in names():
        mutant = rng.choice(mutants(name))
        pool, signatures = stock(mutant.base), Signatures(mutant.base)
        for _ in range(12):
            kind = rng.choice(("amended", "condition", "all", "any", "unless", "outcome"))
            wanted = expression(term(rng, pool, kind, rng.choice(("triggered", "applies"))), "applies", mutant.base)
            row = rng.randrange(len(signatures.records))
            record = {n: signatures.records.cell(n, row).value for n in mutant.base.facts}
            said = bool(signatures.bits(wanted) >> row & 1)
            assert holds(wanted, record, mutant.base) is said
            told = And((told_as(record, mutant.base), wanted))
            assert mutant.solver.possible(told, integrity=False) is said


def test_a_proof_exists_exactly_where_no_record_does() -> None:
    """Random assumptions: the case distinction ends in contradictions if and only if SAT finds no record."""
    rng = random.Random(11)
    found = {True: 0, False: 0}
    for _ in range(300):
        mutant = rng.choice(mutants(rng.choice(names())))
        pool = stock(mutant.base)
        sense = rng.choice(("triggered", "applies"))
        kinds = ("rule", "amended", "unless", "condition", "outcome")
        parts = [expression(term(rng, pool, rng.choice(kinds), sense), sense, mutant.base) for _ in range(3)]
        parts = [part if rng.random() < 0.6 else Not(part) for part in parts]
        given = [i for _ in range(2) if (i := implication(rng, pool, parts))]
        possible = mutant.solver.possible(And(tuple(parts)), given)
        found[possible] += 1
        refutation = Refutation(mutant.base, parts, (*mutant.base.integrity, *given))
        if possible:
            with pytest.raises(InputError, match="expected a contradiction"):
                refutation.steps()
        else:
            steps = refutation.steps()
            assert steps[-1].kind == "contradiction"
    assert min(found.values()) > 40


def test_opaque_concepts_are_facts_of_their_own() -> None:
    """Without unfolding, a scandal no longer entails an insult; what a rule itself says still follows."""
    base = bundle("masked_city")
    claim = And((PolicyTest("triggered", "scandalous"), Not(PolicyTest("triggered", "insulting"))))
    assert not Solver(base).possible(claim)
    shallow = Solver(opaque(base))
    assert shallow.possible(closed_terms(claim))
    assert not shallow.possible(
        closed_terms(And((PolicyTest("triggered", "scandalous"), Not(Ref("scandal", "concept")))))
    )


def test_integrity_and_given_are_obeyed() -> None:
    """A record that integrity forbids is no witness, and a case told against it is refused."""
    base = bundle("dragon_hatchery")
    solver = Solver(base)
    forged = And((Ref("forged", "fact"), Not(Ref("charter", "fact"))))
    assert solver.smallest(forged) is None and solver.possible(forged, integrity=False)
    record = solver.smallest(Ref("forged", "fact"))
    assert record is not None and {n for n, v in record.items() if v} == {"forged", "charter"}


def test_the_smallest_record_does_not_depend_on_what_was_asked_before() -> None:
    """A fresh solver and one that has answered many questions give the same record."""
    rng = random.Random(3)
    base = bundle("tenancy")
    pool, used = stock(base), Solver(base)
    for _ in range(40):
        wanted, given = condition(rng, pool, ()), [i for _ in range(2) if (i := implication(rng, pool, ()))]
        assert used.smallest(wanted, given) == Solver(base).smallest(wanted, given)


def test_witnesses_are_coherent_and_verdicts_repeat(shipped) -> None:
    """Deciding a shipped question again gives its answer, and witnesses that occur and show it."""
    for case in shipped["smoke"]:
        question, mutant = asked_in(case)
        verdict = decide(question, mutant.solver)
        assert verdict.answer == case.answer
        for record, claim in zip(verdict.witnesses, violations(question, mutant.base), strict=False):
            assert coherent(record, question, mutant.base) and holds(claim, record, mutant.base)
