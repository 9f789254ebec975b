"""The shipped finance cases: make-up, truth by independent paths, splits, rebuilding byte for byte."""

import dataclasses
import json
import random
import re
import subprocess
from collections import Counter

import pytest

from holmes.cases import Case, write_parquet
from holmes.domains.finance.fit_weights import fit
from holmes.domains.finance.gates import shortcuts
from holmes.domains.finance.gates.run import gates
from holmes.domains.finance.generate import item
from holmes.domains.finance.handbook import NAMES, clause, clause_text, handbook
from holmes.domains.finance.parts import parts_of, read_back
from holmes.domains.finance.planner.composition import ATOMIC, slot_of, slots
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.prompts import prompt
from holmes.domains.finance.splits import SEEDS, content, source
from holmes.domains.finance.text import split
from holmes.domains.finance.weights import weights_of
from holmes.errors import CheckFailed, InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_rules
from holmes.logic.loader import load_rulebase
from holmes.registry import domain_of
from holmes.services.build import build
from holmes.services.solve import solve
from holmes.store import load_cases
from holmes.util.paths import PACKAGE


def test_the_make_up_is_that_of_the_paper(shipped) -> None:
    """1,079 cases: 679 atomic ones, 200 parallel and 200 compositional ones, 50 a span."""
    assert len(shipped) == 1079
    families = Counter(case.task.split("_")[1] if case.difficulty.components > 1 else "atomic" for case in shipped)
    assert families == {"atomic": 679, "parallel": 200, "compositional": 200}
    spans = Counter(case.task for case in shipped if case.difficulty.components > 1)
    assert set(spans.values()) == {50}
    assert all(case.task.endswith(f"_{case.difficulty.components}") for case in shipped if case.task in spans)


def test_solving_again_gives_every_gold() -> None:
    """Answers and traces of all 1,079 cases follow from the typed facts."""
    report = solve("finance")
    assert (report.cases, report.agree) == (1079, 1079)


def test_the_gold_of_a_composite_is_the_union_of_its_parts(shipped) -> None:
    """Each part of a composite, evaluated alone by its own clause, has the verdict that stands in the gold."""
    for case in shipped:
        if case.answer_type == "report":
            alone = [
                {"subject": part.subject, "verdict": str(evaluate(part.stated.base, part.facts).answer)}
                for part in parts_of(case).parts
            ]
            assert json.loads(case.answer) == alone, case.id


def test_composites_hold_different_parts(shipped) -> None:
    """A compositional case has as many clauses as items; a parallel one as many categories as persons, one scenario."""
    for case in shipped:
        parts = parts_of(case).parts
        if "compositional" in case.task:
            assert len({part.clause for part in parts}) == len(parts)
        elif "parallel" in case.task:
            category = {"travel": "title", "overseas": "title", "training": "role", "labour": "standing"}[
                parts[0].clause
            ]
            assert len({part.facts[category] for part in parts}) == len(parts)
            shared = split(parts[0].clause).shared.facts
            assert len({tuple(part.facts[name] for name in shared) for part in parts}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_is_sound_and_says_what_it_means(name) -> None:
    """Each clause loads with all checks of meaning and text, and its printed rules are read back the same."""
    base = load_rulebase(PACKAGE / "domains" / "finance" / "rules" / f"{name}.yaml", semantics=True, text=True)
    read = read_rules(lexicon(base), clause_text(handbook(), name))
    assert read.decision.type == base.decision.type


def test_rules_read_back_from_the_handbook_give_the_same_verdicts(smoke) -> None:
    """Gate 1 without the printer's tree: facts read from the case text, rules from the handbook, the same gold."""
    for case in smoke:
        if case.answer_type != "label":
            continue
        part = parts_of(case).parts[0]
        base = part.stated.base
        read = read_rules(lexicon(base), clause_text(case.rules, part.clause))
        assert str(evaluate(read, read_back(case)[0]).answer) == case.answer, case.id


def test_texts_tell_the_facts_and_no_code(smoke) -> None:
    """Every record is read back from its text exactly; no symbol name and no label stands in a case."""
    for case in smoke:
        assert read_back(case) == [dict(part.facts) for part in parts_of(case).parts], case.id
        assert not re.search(r"\w_\w", case.case + case.question), case.id


@pytest.mark.parametrize("kind", ["label", "amount"])
def test_programs_run_clean_and_agree(smoke, kind, tmp_path) -> None:
    """Plain swipl prints one line, the gold, and not a word on stderr."""
    for case in [c for c in smoke if c.answer_type == kind][:12]:
        file = tmp_path / "case.pl"
        file.write_text(case.program)
        run = subprocess.run(
            ["swipl", str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
        head = "Answer" if kind == "label" else "Amount"
        assert (run.stdout, run.stderr, run.returncode) == (f"{head}: {case.answer}\n", "", 0), case.id


def test_the_splits_nest_and_keep_apart() -> None:
    """Smoke lies in hard, hard in test; dev and train share no facts with test or with each other."""
    ids = {name: [case.id for case in load_cases("finance", name)] for name in ("test", "hard", "smoke")}
    assert set(ids["smoke"]) < set(ids["hard"]) < set(ids["test"])
    held = {name: {content(case) for case in load_cases("finance", name)} for name in ("test", "dev", "train")}
    assert not held["test"] & held["dev"] and not held["test"] & held["train"] and not held["dev"] & held["train"]


def test_rebuilding_gives_the_shipped_bytes(shipped, tmp_path) -> None:
    """Items built again equal the shipped ones field by field, and the file of all of them byte for byte."""
    for case in random.Random("rebuild").sample(shipped, 25):
        assert item(SEEDS["test"], case.index) == case
    write_parquet(tmp_path / "test.parquet", shipped)
    assert (tmp_path / "test.parquet").read_bytes() == (PACKAGE / "data" / "finance" / "test.parquet").read_bytes()


@pytest.mark.nightly
def test_the_whole_embedded_build_is_the_same() -> None:
    """The shipped test split is what the builder makes now."""
    assert list(source().test()) == load_cases("finance")


def test_an_item_depends_on_seed_and_index_alone() -> None:
    """Another order of asking gives the same items; another seed gives others; the tier is known without building."""
    first, second = item(5, 3), item(5, 1085)
    assert (item(5, 1085), item(5, 3)) == (second, first)
    assert item(6, 3).case != first.case
    assert source().tier(5, 3) == first.difficulty.tier
    assert slot_of(3) == slot_of(3 + len(slots()))


def test_files_do_not_depend_on_workers(tmp_path) -> None:
    """One and two workers write identical files."""
    for workers in (1, 2):
        build("finance", 520, 11, workers=workers, out=tmp_path / str(workers), progress=False)
    one, two = ({path.name: path.read_bytes() for path in sorted((tmp_path / w).iterdir())} for w in ("1", "2"))
    assert one == two and len(one) == 3


def test_a_record_does_not_depend_on_the_one_before() -> None:
    """The same generator gives the same record, whatever was drawn before it."""
    plan = planner("invoices")
    first = plan.draw(random.Random("a"), "Error")
    plan.draw(random.Random("b"), "Correct")
    assert plan.draw(random.Random("a"), "Error") == first


def test_weights_are_those_of_the_clauses_as_they_are() -> None:
    """Every clause has weights, fitted to its very meaning; another meaning is refused."""
    for name in NAMES:
        assert weights_of(clause(name).base).keys() == set(clause(name).base.decision.type.values)
    changed = dataclasses.replace(clause("office").base, integrity=clause("visits").base.integrity)
    with pytest.raises(CheckFailed, match=r"run python -m holmes\.domains\.finance\.fit_weights"):
        weights_of(changed)


@pytest.mark.nightly
def test_weights_are_fitted_again_the_same() -> None:
    """Fitting is a function of the clause alone."""
    for name in ("files", "loans"):
        assert fit(clause(name).base) == weights_of(clause(name).base)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_fresh_builds_hold_every_gate(seed) -> None:
    """Gates 2 to 6 and 9 on 300 cases of a seed."""
    found = gates([item(seed, i) for i in range(300)], seed=seed)
    assert [(g.gate, g.scope, g.value) for g in found if not g.ok] == []


def test_an_invoice_that_is_an_error_rejects_the_purchase(shipped) -> None:
    """Linked clauses: an error by the invoice clause is a rejection, a correct one leaves it to the purchase clause."""
    seen = Counter()
    for case in shipped:
        if case.bundle != "sheets":
            continue
        part = parts_of(case).parts[0]
        facts, bases = part.facts, {name: clause(name, part.edition).base for name in ("invoices", "office")}
        alone = {name: str(evaluate(base, {f: facts[f] for f in base.facts}).answer) for name, base in bases.items()}
        verdict = alone["office"]
        if verdict == "Full" and facts["price"] > facts["total"]:
            verdict = "Partial"
        assert case.answer == ("Rejection" if alone["invoices"] == "Error" else verdict), case.id
        seen[alone["invoices"], alone["office"]] += 1
    assert sum(seen.values()) == 40
    assert sum(n for (sheet, own), n in seen.items() if sheet == "Error" and own != "Rejection") >= 3
    cited = {int(step.rule) for case in shipped if case.bundle == "sheets" for step in case.trace if step.rule}
    for name in ("invoices", "office"):
        low = clause(name).offset
        assert cited & set(range(low + 1, low + clause(name).base.decision.rule))


def test_every_gate_but_words_holds(shipped) -> None:
    """Gates 3 to 6 hold; `holmes audit finance` also fits shortcuts (2, 9) on fresh records."""
    assert [gate.gate for gate in gates(shipped, learn=0) if not gate.ok] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_planner_gives_what_it_is_asked_for(name) -> None:
    """Each verdict of each clause is drawn, coherent, by the rules that fail."""
    plan = planner(name)
    for label in plan.base.decision.type.values:
        facts = plan.draw(random.Random(f"test/{name}/{label}"), label)
        assert plan.found(facts)[0] == label


def test_labels_are_balanced_in_every_kind(shipped) -> None:
    """No verdict of an atomic kind is more frequent than its share and ten points."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for case in shipped:
        if case.answer_type == "label":
            kinds.setdefault((case.task, case.bundle), []).append(case.answer)
    for answers in kinds.values():
        counts = Counter(answers)
        assert max(counts.values()) / len(answers) <= 1 / len(counts) + 0.10


def test_prompts_have_their_five_parts_and_no_secret(smoke) -> None:
    """Source restriction, steps, schema, criteria and format check are there; id, plan and gold are not."""
    for case in smoke:
        text = prompt(case)
        places = [
            text.find(mark)
            for mark in ("and nothing else", "in these steps", "one JSON object", "Criteria:", "Check before")
        ]
        assert -1 not in places and places == sorted(places), case.id
        assert case.id not in text and case.canary not in text
        changed = dataclasses.replace(case, answer="0" if case.answer_type == "amount" else case.choices[0], plan="{}")
        assert prompt(changed) == text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"plan": "{}"}, "field plan"),
        ({"plan": '{"parts": [{"clause": "no", "subject": "", "name": "", "silent": []}]}'}, "field plan"),
        ({"facts": ()}, "field facts"),
        ({"rulebase": "0" * 16}, "another version"),
    ],
)
def test_a_spoilt_case_is_refused_in_one_line(smoke, change, words) -> None:
    """A case that cannot be solved is named, with field, found and expected."""
    case: Case = dataclasses.replace(smoke[0], **change)
    with pytest.raises(InputError, match=words) as caught:
        domain_of(case).solve(case)
    assert case.id in str(caught.value) and "\n" not in str(caught.value)


def test_a_question_or_a_policy_that_tells_the_verdict_is_found(shipped, monkeypatch) -> None:
    """Gate 9 holds for the words of questions and rules, and fails where one is planted that goes with the verdict."""
    busy = [case for case in shipped if case.bundle in ("travel", "training", "labour") and case.answer_type == "label"]

    def told(case):
        word = f"({case.answer.lower()}ish)"
        return dataclasses.replace(case, question=f"{case.question} {word}", rules=case.rules.replace(":", f" {word}:"))

    monkeypatch.setattr(shortcuts, "CASES", 500)
    names = ["9 rules only", "9 question only"]
    assert [(gate.gate, gate.ok) for gate in shortcuts.elsewhere(busy, 3)] == [(name, True) for name in names]
    monkeypatch.setattr(shortcuts, "item", lambda seed, index: told(item(seed, index)))
    planted = list(shortcuts.elsewhere(list(map(told, busy)), 4))
    assert [(gate.gate, gate.ok) for gate in planted] == [(name, False) for name in names]


def test_clauses_of_a_claim_that_tell_its_verdicts_are_found(shipped) -> None:
    """The gate holds for what other cases teach, and fails where the same plan comes again in another build."""
    (fair,) = shortcuts.companion_baseline(shipped, load_cases("finance", "train"))
    (again,) = shortcuts.companion_baseline(shipped, shipped)
    assert (fair.ok, again.ok) == (True, False)


# ---------------------------------------------------------------- twins
def contrast_pairs(cases) -> list[tuple[Case, Case]]:
    pairs: dict[str, list[Case]] = {}
    for case in cases:
        if "twin" in case.tags:
            pairs.setdefault(case.pair.family, []).append(case)
    assert all([case.pair.role for case in pair] == ["original", "decisive"] for pair in pairs.values())
    return [(first, second) for first, second in pairs.values()]


def test_twins_exchange_two_consequences_and_with_them_the_answers(shipped) -> None:
    """Gate 9: two pairs a graded clause; same text and facts; in the policy the grades of two rules are exchanged."""
    found = contrast_pairs(shipped)
    assert Counter(first.bundle for first, _ in found) == dict.fromkeys(
        {clause for task, clause, _ in ATOMIC if task in ("finance_approval", "finance_labour")}, 2
    )
    swap = {"mandatory": "standard", "standard": "mandatory", "strict": "plain", "plain": "strict"}
    for first, second in found:
        assert (first.case, first.question, first.facts) == (second.case, second.question, second.facts)
        assert (first.answer, second.answer) == ("Partial", "Rejection")
        lines = zip(first.rules.split("\n"), second.rules.split("\n"), strict=True)
        changed = [(one, other) for one, other in lines if one != other]
        grades = Counter(re.search(r"\((\w+)", line)[1] for line, _ in changed if " is waived " not in line)
        assert grades == {"mandatory": 1, "standard": 1}
        for one, other in changed:
            assert re.sub("|".join(swap), lambda word: swap[word[0]], one) == other
    written = Counter(first.rules == handbook() for first, _ in found)
    assert written == {True: len(found) / 2, False: len(found) / 2}


def test_twins_are_decided_from_the_printed_policy_alone(shipped) -> None:
    """The rules of both twins are read back from what the case prints; they alone give both answers."""
    for case in (case for pair in contrast_pairs(shipped) for case in pair):
        part = parts_of(case).parts[0]
        read = read_rules(lexicon(part.stated.base), clause_text(case.rules, part.clause))
        assert str(evaluate(read, read_back(case)[0]).answer) == case.answer, case.id


def test_twins_stand_side_by_side_in_every_round() -> None:
    """The second item is that behind the first, whichever is asked for first; both depend on seed and index alone."""
    for index in (i for i in range(len(slots()), 2 * len(slots())) if slot_of(i).twin == 1):
        second, first = item(3, index + 1), item(3, index)
        assert second.pair.family == first.pair.family == first.id
        assert (first.case, first.answer, second.answer) == (second.case, "Partial", "Rejection")


@pytest.mark.parametrize("exchanged", [["office", "billed"], ["no", "a", "b"], ["office", "billed", "cost_limit"], 3])
def test_an_edition_that_is_none_is_refused(shipped, exchanged) -> None:
    """A plan that names no two graded rules of a clause is refused in one line that names the case."""
    case = next(case for case in shipped if case.bundle == "office")
    spoilt = dataclasses.replace(case, plan=json.dumps(json.loads(case.plan) | {"exchanged": exchanged}))
    with pytest.raises(InputError) as caught:
        domain_of(spoilt).solve(spoilt)
    assert case.id in str(caught.value) and "\n" not in str(caught.value)
