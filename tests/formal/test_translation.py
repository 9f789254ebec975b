"""The intermediate form means what the evaluator says: every concept, status, result and amount of random records."""

from __future__ import annotations

import random

import pytest

from holmes.derivations.parts import Part
from holmes.errors import InputError
from holmes.formal.asked import Told, posed
from holmes.formal.claims import proposition, propositions
from holmes.formal.ir import Name, Number, Op, at_most
from holmes.formal.questions import Existential, Universal, theorems
from holmes.formal.refutation import Leaf, Split, refute, size
from holmes.formal.script import Rules, check, jobs, script_of
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.engine.sampling import Sampler
from holmes.store import load_cases
from tests.formal.meaning import Meaning
from tests.logic.bases import ALL, base


def records(name: str, count: int) -> list[dict[str, object]]:
    """Random records of a fixture's facts."""
    from tests.logic.bases import value

    rng = random.Random(name)
    return [{fact: value(decl.type, rng) for fact, decl in base(name).facts.items()} for _ in range(count)]


@pytest.mark.parametrize("name", ALL)
def test_every_claim_of_random_records_has_the_value_that_the_evaluator_finds(name: str) -> None:
    """Numbers, dates, lists, tables, families, operators, both semantics of defeat: nothing is lost on the way."""
    rules = base(name)
    if rules.decision.pick == "all":
        with pytest.raises(InputError, match="pick all"):
            Rules()(rules)
        return
    made = Rules()
    looked = 0
    for facts in records(name, 15):
        try:
            solved = evaluate(rules, facts)
        except InputError:
            continue  # outside the ranges of a table: no value to compare with
        try:
            part = proposition("x", "x", made(rules), Told(Part(rules, solved.facts, {})))
        except InputError as error:
            assert "expected a value that rules can speak of" in str(error) or "hundredths" in str(error)
            continue
        meaning = Meaning(made.theory)
        case = meaning.of(made(rules).words.record(solved.facts), {})
        for _, told in part.facts:
            assert meaning.of(told, {"c": case}) is True
        for claim in part.claims:
            if claim.label != "coherent":
                assert meaning.of(claim.term, {"c": case}) is claim.holds, claim.label
                looked += 1
    assert looked > 50


@pytest.mark.parametrize("config", ["law", "finance", "deontic", "counterfactual"])
def test_claims_about_shipped_cases_mean_what_their_golds_say(config: str) -> None:
    """Every claim of a dozen cases, the gold among them, evaluated by a second reading of the form."""
    made = Rules()
    gold = 0
    for case in load_cases(config)[::20][:12]:
        for part in propositions(case, rules=made):
            meaning = Meaning(made.theory)
            record = meaning.of(part.rules.words.record(part.values), {})
            for claim in part.claims:
                assert meaning.of(claim.term, {"c": record}) is claim.holds, (case.id, claim.label)
                gold += claim.gold
    assert gold >= 8


def test_a_wrong_gold_becomes_a_claim_that_does_not_hold() -> None:
    """The gold is stated, never replaced by what the evaluator finds."""
    from dataclasses import replace

    case = load_cases("law")[0]
    other = next(choice for choice in case.choices if choice != case.answer)
    made = Rules()
    (part,) = propositions(replace(case, answer=other), rules=made)
    meaning = Meaning(made.theory)
    record = meaning.of(part.rules.words.record(part.values), {})
    wrong = [c.label for c in part.claims if meaning.of(c.term, {"c": record}) is not c.holds]
    assert sorted(wrong) == sorted([f"result:{case.answer}", f"result:{other}"])


def test_witnesses_refute_and_trees_close_on_every_record() -> None:
    """A record of a lemma breaks its relation; a tree has no way through it that a record could take."""
    made = Rules()
    universal = 0
    for case in load_cases("policy")[::12]:
        asked = posed(case)
        assert asked is not None
        found = theorems(case, asked, made)
        meaning = Meaning(made.theory)
        if found.told is not None:
            record = meaning.of(found.rules.words.record(found.told.values), {})
            assert all(meaning.of(c.term, {"c": record}) is c.holds for c in found.told.claims)
            continue
        for lemma in found.lemmas:
            if isinstance(lemma, Existential):
                assert lemma.facts
            else:
                assert isinstance(lemma, Universal) and size(lemma.tree) >= 1
                universal += 1
                _closes(lemma, meaning, found.rules, asked.base)
    assert universal > 3


def _closes(lemma: Universal, meaning: Meaning, rules: object, told: object) -> None:
    from holmes.formal.rules import RuleTheory
    from holmes.formal.theories import _relation

    assert isinstance(rules, RuleTheory)
    given, body = _relation(lemma.goal, rules)
    for facts in Sampler(rules.base, random.Random(5)).cases(30) if hasattr(Sampler, "cases") else ():
        record = meaning.of(rules.words.record(facts), {})
        assert not meaning.of(given, {"c": record}) or meaning.of(body, {"c": record})


def test_refutations_of_random_formulas_agree_with_truth_tables() -> None:
    """A tree is found exactly where no assignment breaks the goal, and each of its ends decides by itself."""
    rng = random.Random(7)
    atoms = [Name(f"a_{n}") for n in range(5)]

    def formula(depth: int) -> Op | Name:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(atoms)
        op = rng.choice(["and", "or", "not", "imp", "iff", "if"])
        return Op(op, tuple(formula(depth - 1) for _ in range({"not": 1, "if": 3}.get(op, 2))))

    def value(term: object, env: dict[Name, bool]) -> bool:
        if isinstance(term, Name):
            return env[term]
        assert isinstance(term, Op)
        return bool(Meaning.operator(_Plain(env), term, {}))  # type: ignore[arg-type]

    class _Plain:
        def __init__(self, env: dict[Name, bool]) -> None:
            self.env = env

        def of(self, term: object, _: object) -> bool:
            return value(term, self.env)

    proved = 0
    for _ in range(400):
        given, goal = formula(2), formula(3)
        worlds = [{a: bool(bits >> n & 1) for n, a in enumerate(atoms)} for bits in range(32)]
        valid = all(not value(given, w) or value(goal, w) for w in worlds)
        if not valid:
            with pytest.raises(InputError):
                refute(given, goal, lambda atom: None)
            continue
        tree = refute(given, goal, lambda atom: None)
        proved += 1
        for world in worlds:
            place = tree
            while isinstance(place, Split):
                place = place.yes if world[place.atom] else place.no
            assert isinstance(place, Leaf)
            assert value(goal, world) if place.kind == "goal" else not value(given, world)
    assert proved > 30


def test_thresholds_of_one_number_are_ordered() -> None:
    """18 <= n and not 14 <= n is a contradiction of its own kind."""
    number = Name("n_x")
    tree = refute(at_most(Number(18), number), at_most(Number(14), number), lambda atom: None)
    assert size(tree) == 3 and "order" in repr(tree)


@pytest.mark.parametrize(
    "script",
    [
        "new_axiom `F`;;",
        'Printf.printf "HOLCHK";;',
        "let x = 1;;",
        'h_def `x <=> T`;; Sys.command "true";;',
        'h_case "a" [`:bool`] [];;',
        '(* " *) h_def `x <=> T`;;',
        "h_def `x <=> T`",
        'h_claim "a" (exit 0) `T`;;',
        '#use "x.ml";;',
    ],
)
def test_the_lint_refuses_all_but_the_checkers_phrases(script: str) -> None:
    """No script can print, define an axiom, or run anything."""
    with pytest.raises(InputError, match=r"found .*, expected "):
        check(script)


def test_scripts_of_every_domain_pass_the_lint_and_shown_scripts_are_whole() -> None:
    """What is exported is what the lint allows."""
    cases = [case for config in ("law", "finance", "deontic", "policy") for case in load_cases(config)[:3]]
    made, refused = jobs(cases)
    assert not refused and made
    for job in made:
        check(job.script, job.name)
        assert job.expected
    assert "h_case" in script_of(cases[0])
