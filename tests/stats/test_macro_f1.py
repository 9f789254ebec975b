"""The rules of DeonticBench B.3 on fixed outputs, each value derived in the docstring."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from holmes.cases import Case
from holmes.commands.score import score as command
from holmes.errors import InputError
from holmes.options import Options
from holmes.scoring import run, score
from holmes.scoring.summary import summarise
from holmes.stats import bootstrap, macro_f1
from holmes.tasks import cases_of, task_spec

YES_NO = ("no", "yes")


def f1(golds, predictions, **options):
    return macro_f1(golds, [[p] for p in predictions], YES_NO, **options).value


def test_abstention_is_the_opposite_class():
    """Gold 1,1,0,0, read 1,-,0,0: the abstention becomes 0. Class 1: TP 1, FN 1: 2/3. Class 0: TP 2, FP 1: 4/5.
    Mean 11/15 = 0.733.
    """
    assert f1(["yes", "yes", "no", "no"], ["yes", None, "no", "no"]) == pytest.approx(11 / 15)


def test_abstention_on_the_other_class():
    """Gold 1,1,0,0, read 1,1,-,0: class 1: TP 2, FP 1: 4/5; class 0: TP 1, FN 1: 2/3; again 11/15."""
    assert f1(["yes", "yes", "no", "no"], ["yes", "yes", None, "no"]) == pytest.approx(11 / 15)


def test_all_abstain_gives_zero():
    """Every output abstains: every prediction is the opposite class, no true positive anywhere: 0."""
    for absent in ("omit", "zero"):
        assert f1(["yes", "no", "yes"], [None] * 3, absent=absent) == 0
        assert f1(["yes", "yes"], [None] * 2, absent=absent) == 0
    interval = macro_f1(["yes", "no"], [[None] * 4] * 2, YES_NO)
    assert (interval.low, interval.high, interval.mean) == (0, 0, 0)


def test_a_wrong_answer_equals_an_abstention():
    """For two classes a wrong answer is the opposite class, so macro-F1 treats it as an abstention."""
    golds = ["yes", "yes", "no"]
    assert f1(golds, ["yes", "no", "no"]) == f1(golds, ["yes", None, "no"]) == f1(golds, ["yes", "maybe", "no"])


def test_a_class_that_is_nowhere():
    """Gold and read all 1: class 0 is in neither; ours leaves it out: 1; the paper's formula with 0/0 = 0: 1/2."""
    assert f1(["yes", "yes"], ["yes", "yes"]) == 1
    assert f1(["yes", "yes"], ["yes", "yes"], absent="zero") == 0.5


def test_a_class_only_predicted():
    """Gold 1,1, read 1,0: class 1: 2/3; class 0 predicted once, never right: 0; mean 1/3 either way."""
    assert f1(["yes", "yes"], ["yes", "no"]) == pytest.approx(1 / 3)
    assert f1(["yes", "yes"], ["yes", "no"], absent="zero") == pytest.approx(1 / 3)


def test_a_flawless_sample_scores_one_in_every_replicate():
    """A replicate that happens to draw one class only does not punish a flawless system."""
    interval = macro_f1(["yes", "no", "no"], [["yes"], ["no"], ["no"]], YES_NO)
    assert (interval.low, interval.high) == (1, 1)


@given(st.lists(st.tuples(st.sampled_from(YES_NO), st.sampled_from(YES_NO)), min_size=1, max_size=30))
def test_without_abstention_it_is_the_usual_macro_f1(pairs):
    """Macro-F1 over the classes present is scikit-learn's own default."""
    golds, predictions = map(list, zip(*pairs, strict=True))
    assert f1(golds, predictions) == pytest.approx(f1_score(golds, predictions, average="macro"))


def test_k_outputs_share_one_case():
    """Two cases, K = 2, outputs of case one right and wrong: its halves weigh 1/2 each. Gold 1: TP 1/2, FN 1/2; gold 0:
    TP 1, FP 1/2 (of class 0). Class 1: 1/(1+1/2) = 2/3; class 0: 2/(2+1/2) = 4/5.
    """
    interval = macro_f1(["yes", "no"], [["yes", None], ["no", "no"]], YES_NO)
    assert interval.value == pytest.approx((2 / 3 + 4 / 5) / 2)


@pytest.mark.parametrize(
    ("golds", "outputs", "options", "message"),
    [
        (["maybe"], [["yes"]], {}, "field gold: found 'maybe', expected no or yes"),
        (["yes"], [], {}, "found 0 rows of outputs for 1 golds"),
        (["yes"], [["yes"]], {"absent": "nan"}, "option absent: found 'nan'"),
    ],
)
def test_bad_input_is_named(golds, outputs, options, message):
    """A gold outside the classes, rows that do not match, or an unknown option raises."""
    with pytest.raises(InputError, match=message):
        macro_f1(golds, outputs, YES_NO, **options)


def numeric(answer, index):
    return Case(f"d/{index}", "deontic", "deontic_sara_numeric", "holmes", "", "", "", answer, "amount")


def binary(answer, index):
    return Case(
        f"b/{index}", "deontic", "deontic_sara_binary", "holmes", "", "", "", answer, "label", choices=("no", "yes")
    )


def test_numeric_rules_on_fixed_outputs():
    """Golds 1166, 0, 500. Outputs: 1166.4 rounds to 1166, right; an unreadable one at gold 0 is an abstention, not -1
    within the tolerance, hence wrong; 502 is off by two, wrong. Accuracy 1/3, abstained 1/3, wrong 1/3; no macro-F1.
    """
    cases = [numeric(a, i) for i, a in enumerate(("1166", "0", "500"))]
    texts = ("Answer: 1166.4", "no idea", "Answer: 502")
    table = summarise(cases, [[score(c, t)] for c, t in zip(cases, texts, strict=True)])
    assert {k: round(v.value, 6) for k, v in table.items()} == {
        "accuracy": 0.333333, "abstained": 0.333333, "wrong": 0.333333, "failed": 0, "numeric_accuracy": 0.333333,
    }  # fmt: skip


def test_macro_f1_pools_binary_cases_only():
    """Two binary cases, one right and one abstained (gold yes, no): accuracy over all three is 2/3; macro-F1 over the
    binary two: class yes: TP 1, FP 1 (the abstention on no): 2/3; class no: 0; mean 1/3.
    """
    cases = [numeric("5", 0), binary("yes", 1), binary("no", 2)]
    texts = ("Answer: 5", "Answer: yes", None)
    table = summarise(cases, [[score(c, t)] for c, t in zip(cases, texts, strict=True)])
    assert table["accuracy"].value == pytest.approx(2 / 3)
    assert table["macro_f1"].value == pytest.approx(1 / 3)
    assert table["failed"].value == pytest.approx(1 / 3) and table["abstained"].value == pytest.approx(1 / 3)
    assert table["macro_f1"].cases == 2
    assert (table["numeric_accuracy"].value, table["numeric_accuracy"].cases) == (1, 1)


def test_the_mean_is_within_its_interval():
    """An interval holds its statistic on a mixed sample."""
    interval = bootstrap([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    assert interval.low <= interval.value <= interval.high


def test_classes_pool_by_polarity():
    """Golds Entailment, yes, yes, all read as affirmed but the last, which is denied; the first task lists its denying
    label first, the second last. Affirmed: TP 2, FN 1: 4/5; denied: FP 1: 0; macro-F1 2/5.
    """
    orders = [("Contradiction", "Entailment"), ("yes", "no"), ("yes", "no")]
    cases = [Case(str(i), "deontic", "deontic_sara_binary", "holmes", "", "", "", "Entailment" if i == 0 else "yes",
                  "label", choices=order) for i, order in enumerate(orders)]  # fmt: skip
    texts = ("Answer: Entailment", "Answer: yes", "Answer: no")
    table = summarise(cases, [[score(c, t)] for c, t in zip(cases, texts, strict=True)])
    assert table["macro_f1"].value == pytest.approx(2 / 5)


def test_compat_reaches_the_tasks():
    """One case, gold and read yes: class no is absent: macro-F1 is 1, and with compat=deontic-2026 (1 + 0) / 2."""
    spec, case = task_spec("deontic_sara_binary_direct"), binary("yes", 0)
    found = {}
    for compat in ("", "deontic-2026"):
        options = Options(compat=compat)
        row = run.case_metrics(case, spec, run.score_outputs(case, spec, options, ["Answer: yes"]), options)
        found[compat] = run.summarise([row])["macro_f1"]
    assert found == {"": 1.0, "deontic-2026": 0.5}


def test_score_pools_several_files(tmp_path):
    """Two numeric cases, one right; two binary cases (gold one each), all right: pooled accuracy 3/4, but numeric
    accuracy 1/2 over two cases and macro-F1 1 over the other two. One --task a file, or a usage error.
    """
    wanted = {"deontic_sara_numeric_direct": [], "deontic_sara_binary_direct": []}
    numbers = cases_of(task_spec("deontic_sara_numeric_direct"))[:2]
    wanted["deontic_sara_numeric_direct"] = [
        (numbers[0].id, numbers[0].answer), (numbers[1].id, str(int(numbers[1].answer) + 5)),
    ]  # fmt: skip
    golds = {case.answer: case for case in cases_of(task_spec("deontic_sara_binary_direct"))}
    wanted["deontic_sara_binary_direct"] = [(case.id, label) for label, case in golds.items()]
    words = ["score", "--json", "--option", "compat=deontic-2026"]
    for task, rows in wanted.items():
        file = tmp_path / f"{task}.jsonl"
        file.write_text("".join(json.dumps({"id": i, "outputs": [f"Answer: {a}"]}) + "\n" for i, a in rows))
        words += ["--samples", str(file), "--task", task]
    done = CliRunner().invoke(command, words[1:])
    assert done.exit_code == 0, done.output
    pooled = json.loads(done.stdout)["pooled"]
    assert [pooled[k]["value"] for k in ("accuracy", "numeric_accuracy", "macro_f1")] == [0.75, 0.5, 1.0]
    assert [pooled[k]["cases"] for k in ("accuracy", "numeric_accuracy", "macro_f1")] == [4, 2, 2]
    assert CliRunner().invoke(command, words[1:-2]).exit_code == 2
