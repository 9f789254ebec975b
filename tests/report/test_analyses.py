"""Analyses on their own: agreement, cases that all miss, conflicts, decisive operations, error kinds."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from holmes.configs.by_type import types_of
from holmes.derivations.derive import derive, verbatim
from holmes.derivations.parts import Part
from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.report import analyses, comparisons, conflicts, labels, taxonomy
from holmes.report.decisive import _types, decisive_types
from holmes.report.faults import class_of, weak_reading
from holmes.report.glance import glance
from holmes.report.made import CONSTANT, FAULTY, GOLD, made_runs
from holmes.report.page import _fitting
from holmes.report.runs import Entry, Run
from holmes.report.tables import cell_dict, percent
from holmes.results import Outcome, Score
from holmes.stats import Estimate
from holmes.store import load_cases
from tests.logic.bases import base
from tests.logic.test_evaluate import FERRY
from tests.report import planted


def run(name: str, outcomes: str, cases, answer="x", parts=None, **more) -> Run:
    """A run of single generations: r right, w wrong, a abstained, f failed."""
    kinds = {"r": Outcome.RIGHT, "w": Outcome.WRONG, "a": Outcome.ABSTAINED, "f": Outcome.FAILED}
    entries = []
    for letter, case in zip(outcomes, cases, strict=True):
        kind = kinds[letter]
        told = answer if kind is Outcome.WRONG else case.answer if kind is Outcome.RIGHT else None
        entries.append(Entry(planted.TASK, case, ("…",), (Score(float(letter == "r"), kind, told, "", parts or {}),)))
    return Run(name, {}, tuple(entries), **more)


@pytest.fixture(scope="module")
def cases():
    """Twelve law cases."""
    return planted.law_cases()


def test_cases_that_nearly_all_miss_are_listed_with_a_cause(cases):
    """Three models give the same wrong answer: look at the gold; made runs do not count."""
    other = next(c for c in cases[0].choices if c != cases[0].answer)
    three = [run(name, "w" + "r" * 11, cases, other) for name in "abc"]
    made = run("made", "r" * 12, cases, made="made")
    table = comparisons.missed([*three, made])
    assert [row[1] for row in table.rows] == [cases[0].id] and "look at the gold" in table.rows[0][4]
    assert comparisons.missed([three[0], three[1], made]) is None


def test_agreement_counts_and_kappa(cases):
    """Two of three pairs of verdicts agree: share 2/3, κ by hand."""
    table = comparisons.agreement([run("a", "rrrrrrwwwwww", cases), run("b", "rrrrwwwwwwrr", cases)])
    assert table.rows[0][3].value == pytest.approx(8 / 12)
    assert table.rows[0][4] == pytest.approx((8 / 12 - 0.5) / 0.5)


def test_comparison_table_agrees_with_itself(cases):
    """p is at most 0.05 exactly where the interval leaves out 0; Holm never lowers p; McNemar stands beside."""
    runs = [run("a", "r" * 12, cases), run("b", "w" * 10 + "rr", cases), run("c", "w" * 12, cases)]
    for row in comparisons.pairwise(runs).rows:
        gap, p, adjusted, single = row[4], row[5], row[6], row[7]
        assert isinstance(gap, Estimate) and (p <= 0.05) == (not gap.low <= 0 <= gap.high)
        assert adjusted >= p and single is not None


def test_differences_are_read_as_they_are():
    """A bare zero has no sign, and a range of differences has no dash before a minus."""
    assert [percent(value, sign=True) for value in (-0.0, -0.0004, 0.2, -0.2)] == ["0.0", "0.0", "+20.0", "-20.0"]
    assert cell_dict(Estimate(0.1, -0.1, 0.3, 5, 5, "x"), points=True)["range"] == "-10.0 to +30.0"


def test_conflict_rules_are_counted_from_citations(cases):
    """A reply that cites every gold rule has recall 1; one that cites none has recall 0 and no precision."""
    case = next(c for c in cases if conflicts.gold_rules(c))
    gold = "\n".join(f"It holds. [Rule {n}]" for n in sorted(conflicts.gold_rules(case)))
    score = Score(1.0, Outcome.RIGHT, case.answer, "")
    recall, precision = conflicts.coverage([Entry(planted.TASK, case, (gold,), (score,))])
    assert recall.value == precision.value == 1 and recall.low < 1
    recall, precision = conflicts.coverage([Entry(planted.TASK, case, ("nothing",), (score,))])
    assert recall.value == 0 and not precision.defined


def test_decisive_operations_are_among_those_present():
    """What decides is there, and less often than it is there; over all law cases of a split."""
    found = [(set(types_of(case)), set(decisive_types(case))) for case in load_cases("law", "smoke")]
    assert len(found) == 20 and all(inner <= outer for outer, inner in found)
    assert 0 < sum("PQ" in inner for _, inner in found) < sum("PQ" in outer for outer, _ in found)


def test_a_reduced_rate_and_a_quantifier_decide_where_the_answer_hangs_on_them():
    """5,400 for 21 nights is within 21 full rates of 260, not within 20 and 0.7; at 5,000 the rate decides nothing."""
    facts = {
        "grade": "master", "city": "Moss", "fund": "core", "nights": Fraction(21), "lodging": Fraction(5400),
        "meals": Fraction(100), "invoice": True, "waiver": False, "grant_open": True,
    }  # fmt: skip
    for lodging, decides in ((5400, True), (5000, False)):
        told = {**facts, "lodging": Fraction(lodging)}
        (part,) = derive([Part(base("guild_travel"), told, {})], "decision", verbatim).parts
        assert ("PT" in _types(part)) == decides
    (part,) = derive([Part(base("ferry_company"), FERRY, {})], "decision", verbatim).parts
    assert evaluate(base("ferry_company"), FERRY).answer == "fined"  # some check fails, and another passes
    assert "PQ" in _types(part)


def test_a_case_without_its_rule_base_is_unknown(cases):
    """A fingerprint of another version: unknown, not "no operation"."""
    assert decisive_types(dataclasses.replace(cases[0], rulebase="another")) == ("unknown",)


@pytest.mark.parametrize(
    ("outcome", "parts", "expected"),
    [
        (Outcome.RIGHT, {}, "unmeasured"),
        (Outcome.RIGHT, {"deriv_none": 1.0}, "unread"),
        (Outcome.RIGHT, {"deriv_error": 0.0, "shortcut": 1.0}, "unsound"),
        (Outcome.RIGHT, {"deriv_error": 0.0, "deriv_f1": 0.5}, "sound"),
        (Outcome.WRONG, {"deriv_error": 0.0}, "wrong"),
        (Outcome.TIMEOUT, {}, "unanswered"),
        (Outcome.FAILED, {}, "failed"),
    ],
)
def test_classes(outcome, parts, expected):
    """Not read, not measured and no reply are classes of their own."""
    assert class_of(Score(0.0, outcome, None, "", parts)) == expected


def test_weak_cues_are_those_that_are_told():
    """What a score does not tell is no weak cue."""
    assert weak_reading(Score(1.0, Outcome.RIGHT, "x", "")) == ""
    assert weak_reading(Score(1.0, Outcome.RIGHT, "x", "", read_as="inferred")) == "inferred"


def test_made_runs_show_what_scores_tell(cases):
    """Gold replies are right and sound; planted faults are found; the constant answer has no reasoning to read."""
    made = {r.name: r for r in made_runs([run("a", "r" * 12, cases)], 12)}
    classes = {name: [class_of(e.scores[0]) for e in r.entries] for name, r in made.items()}
    assert not {"unanswered"} & {name for own in classes.values() for name in own}
    assert set(classes[GOLD]) == {"sound"} and "unsound" in classes[FAULTY] and "wrong" in classes[FAULTY]
    assert set(classes[CONSTANT]) <= {"unread", "wrong"} and all(r.made for r in made.values())


def test_error_kinds_follow_the_first_false_step(cases):
    """A turned term is a question of applicability; a wrong answer without a false step is not told."""
    score = Score(1.0, Outcome.RIGHT, cases[0].answer, "")
    kind, evidence = taxonomy.mechanism(cases[0], planted.false_term(cases[0]), score)
    assert kind == "applicability or branch" and "what holds" in evidence
    wrong = dataclasses.replace(score, outcome=Outcome.WRONG)
    assert taxonomy.mechanism(cases[0], planted.wrong_answer(cases[0]), wrong)[0] == taxonomy.UNTOLD
    for label, wanted in (
        ("conflict:8:learner>release", "priority or exception"),
        ("policy:3:release:applies=false", "priority or exception"),
        ("2.table:81:band[lower]=5", "transformation"), ("concept:4:limit=380", "transformation"),
        ("1.gate:94:in_time=PASS", "applicability or branch"), ("fact:late=false", "entity or fact"),
    ):  # fmt: skip
        assert taxonomy._mechanism(label) == wanted, label


def test_program_errors_are_told_by_what_is_missing():
    """Missing case numbers, missing rule figures, wrong arithmetic, and programs that do not run are told apart."""
    case = next(iter(load_cases("deontic_sara_numeric", "smoke")))
    wrong = Score(0.0, Outcome.WRONG, "1", "read 1")
    told = sorted(taxonomy._numbers(case.case) & taxonomy._numbers(case.program), key=len)[-1]
    assert taxonomy.program_error(case, case.program.replace(told, "1"), wrong)[0] == "entity or fact"
    assert taxonomy.program_error(case, case.program, wrong)[0] == "numerical"
    bare = " ".join(sorted(taxonomy._numbers(case.case)))
    assert taxonomy.program_error(case, bare, wrong)[0] == "wrong rule"
    assert taxonomy.program_error(case, "x", dataclasses.replace(wrong, outcome=Outcome.ERROR))[0] == "implementation"


def test_review_sheet_and_its_agreement(cases):
    """At most so many a run and operation; κ of two reviewers by hand; empty columns are undefined."""
    items = taxonomy.sample([run("a", "wwwwwwrrrrrr", cases)], wrong=2, right=1)
    assert 0 < len(items) <= 15 and sum(i.score.outcome is Outcome.RIGHT for i in items) <= 5
    text = taxonomy.sheet(items)
    assert text.splitlines()[0].startswith("id,run,task")
    found = {(row["a"], row["b"]): row for row in taxonomy.agreement(text)}
    assert found["reviewer_1", "reviewer_2"]["kappa"] is None
    filled = "reviewer_1,reviewer_2,judge,suggested\nx,x,,x\ny,y,,y\nx,y,,x\ny,y,,y\n"
    row = taxonomy.agreement(filled)[0]
    assert row["agree"] == 0.75 and row["kappa"] == pytest.approx(0.5)
    with pytest.raises(InputError):
        taxonomy.agreement("a,b\n1,2\n")


def test_names_for_people():
    """Tasks, steps and layers read as words."""
    assert labels.task("holmes_finance_parallel_2_direct_release") == "Finance parallel 2, answer only, authors' cases"
    assert labels.layer("2.policy:12:rioting:triggered=false") == "trigger"
    assert labels.layer("table:81:band[x]=y") == "concept" and labels.layer("selection:3:a->b") == "conflict"


def test_rows_over_all_cases_stand_for_their_tasks(cases):
    """Three runs on two tasks: sentences speak of all cases, the best run first; too many rows are pooled, none is cut.

    The floor over both tasks is that of one constant answer a task.
    """
    runs = []
    for name, outcomes in (("a", "w" * 12), ("b", "r" * 12), ("c", "r" * 6 + "w" * 6)):
        one = run(name, outcomes, cases)
        more = tuple(dataclasses.replace(entry, task="holmes_law_direct") for entry in one.entries)
        runs.append(dataclasses.replace(one, entries=one.entries + more))
    tables = {"headline": analyses.headline(runs), "soundness": analyses.soundness(runs),
              "compare": comparisons.pairwise(runs), "by_type": analyses.grouped(runs, "type"),
              "localisation": analyses.localisation(runs)}  # fmt: skip
    told = {name: table.to_dict() for name, table in tables.items()}
    assert [row[1]["text"] for row in told["soundness"]["rows"]][2::3] == [labels.ALL] * 3
    said = [sentence for sentence in glance(told) if "points (" in sentence]
    assert len(said) == 3 and all(sentence.startswith("All cases: b is better than ") for sentence in said[:2])
    assert "100.0 points (95 % interval +" in said[0] and "6 more comparisons" in " ".join(glance(told))
    rows = told["headline"]["rows"]
    assert _fitting(rows, 1, 9) == rows and _fitting(rows, 1, 8) == rows[2::3] and _fitting(rows[:2], 1, 1) == rows[:2]
    assert rows[2][4]["value"] == pytest.approx(rows[0][4]["value"]) and rows[2][4]["value"] < 1


def test_made_runs_and_tasks_cost_the_models_no_power(cases):
    """Holm counts one pair of models as one test, whatever made runs stand beside; a lifted p is unsure."""
    models = [run("a", "r" * 9 + "www", cases), run("b", "r" * 3 + "w" * 6 + "www", cases)]
    made = [run(f"m{n}", "r" * 12, cases, made="gold") for n in range(3)]
    for runs in (models, [*models, *made]):
        row = comparisons.pairwise(runs).rows[0]
        assert row[:2] == ("a", "b") and row[5] == row[6] < 0.05
    told = {name: table.to_dict() for name, table in (
        ("headline", analyses.headline([*models, *made])), ("soundness", analyses.soundness([*models, *made])),
        ("compare", comparisons.pairwise([*models, *made])), ("by_type", analyses.grouped(models, "type")),
        ("localisation", analyses.localisation(models)))}  # fmt: skip
    said = glance(told, frozenset({"m0", "m1", "m2"}))
    assert ": a is right in 75.0 %" in said[0] and ": a is better than b by 50.0 points" in said[1]
    assert not any(sentence.startswith("m") or "than m" in sentence for sentence in said)
    told["compare"]["rows"][0][6] = {"value": 0.3, "text": "0.300"}
    assert any("a may be better than b" in sentence for sentence in glance(told, frozenset({"m0", "m1", "m2"})))


def test_groups_over_nothing_are_undefined():
    """No entries: no accuracy, no floor, no part."""
    assert not analyses.accuracy([]).defined and not analyses.part([], "deriv_f1").defined
    assert not analyses.floors([])["constant"].defined
