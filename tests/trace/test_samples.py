"""Whole runs: every perturbation moves the score as its definition says; no order and no batch size matters."""

import random

import pytest

from holmes.cases import Case, Step
from holmes.errors import InputError
from holmes.scoring.trace import METRICS, score_samples, summarise
from holmes.scoring.trace.samples import gold_traces
from tests.trace.fakes import Words

GOLD = (
    Step("The form is signed. Result: PASS.", "1", "gate", "true"),
    Step("The invoice is attached. Result: FAIL.", "2", "gate", "false"),
    Step("Lodging limit for Moss. Result: 1000.", "3", "table", "1000"),
    Step("The waiver does not apply [Rule 4].", "4", "policy", "false"),
    Step("Conclusion — Partial Approval.", "5", "decision", "partial"),
)


def case(name="a", steps=GOLD, **fields):
    return Case(
        id=name, domain="finance", task="finance", source="holmes", rules="A form is needed. An invoice is needed.",
        case="The form was signed. No invoice came.", question="?", answer="Partial", answer_type="label", trace=steps,
        **fields,
    )  # fmt: skip


LINES = [s.text for s in GOLD]


def one(text, metrics=("srmr",), **options):
    return score_samples([case()], [text], metrics, encoder=Words(), **options)[0]


def test_gold_scores_exactly_one():
    """The gold trace, in any form, scores exactly 1 in SRMR, SA, ROUGE-L and the reference-based ROSCOE."""
    for text in ("\n".join(LINES), "- " + "\n- ".join(LINES), "<think>hm</think>Reasoning:\n" + "\n".join(LINES)):
        s = one(text, ("srmr", "sa", "rouge_l", "roscoe"))
        assert [s["srmr"], s["sa_p"], s["sa_f1"], s["rouge_l"]] == [1.0] * 4
        assert s["roscoe_reasoning_alignment"] == s["roscoe_missing_step"] == 1.0
        assert s["no_trace"] == 0.0 and s["trace_steps"] == 5.0


@pytest.mark.parametrize("text", [None, "", "Answer: Partial", "<think>The form is signed. Result: PASS.", "[]"])
def test_no_trace_scores_zero_and_is_counted(text):
    """Without a trace every figure is 0 and the sample is counted, never dropped."""
    s = one(text, ("srmr", "sa", "rouge_l", "roscoe", "rule_coverage"))
    assert s.pop("no_trace") == 1.0
    assert set(s.values()) == {0.0}


def test_dropped_steps():
    """Four of five steps: P = 1, R = 4/5, F1 = 8/9."""
    s = one("\n".join(LINES[:4]))
    assert (s["srmr_precision"], s["srmr_recall"], s["srmr"]) == (1.0, 0.8, pytest.approx(8 / 9))


def test_flipped_results():
    """Both stated truth values turned and the rest kept: 3 of 5 right."""
    flipped = [LINES[0].replace("PASS", "FAIL"), LINES[1].replace("FAIL", "PASS"), *LINES[2:]]
    assert one("\n".join(flipped))["srmr"] == pytest.approx(3 / 5)


def test_flipped_polarity():
    """ "does not apply" against "applies" is a wrong result of the same step."""
    assert one("\n".join(LINES).replace("does not apply", "applies"))["srmr"] == pytest.approx(4 / 5)


def test_shuffled():
    """Distinct steps in another order still match one to one; ROUGE-L falls."""
    shuffled = list(LINES)
    random.Random(3).shuffle(shuffled)
    s = one("\n".join(shuffled), ("srmr", "rouge_l"))
    assert s["srmr"] == 1.0 and s["rouge_l"] < 1.0


def test_duplicated():
    """Every step twice at the end: P = 1/2, R = 1, F1 = 2/3; SA-P does not see it."""
    s = one("\n".join(LINES + LINES), ("srmr", "sa"))
    assert (s["srmr_precision"], s["srmr_recall"]) == (0.5, 1.0) and s["sa_p"] == 1.0


@pytest.mark.parametrize(("value", "right"), [("1005", True), ("1010", True), ("1020", False), ("980", False)])
def test_numbers_off(value, right):
    """0.5 % and exactly 1 % off count as right, 2 % off as wrong."""
    assert one("\n".join(LINES).replace("1000", value))["srmr"] == pytest.approx(1.0 if right else 0.8)


def test_paraphrase():
    """Other words with the same results lose nothing as long as the cosine stays at or above tau."""
    assert one("\n".join(LINES).replace("The form is signed", "The form is indeed signed"))["srmr"] == 1.0


def test_one_paragraph():
    """A trace on one line is read step by step, except where a sentence states no result of its own."""
    assert one(" ".join(LINES[:3]))["srmr_recall"] == pytest.approx(3 / 5)


def test_rule_coverage():
    """Cited rules against the gold's rule numbers: 1 and 4 of 1 to 5, and 9 which is none."""
    s = one("The form is signed [Rule 1].\nIt applies [Rule 9].\nNo waiver [Rule 4].", ("rule_coverage",))
    assert (s["rule_precision"], s["rule_recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 5))


def test_order_of_cases_is_irrelevant():
    """Cases in any order, repeated or alone, score the same bits."""
    cases = [case(f"c{n}", GOLD[n:] + GOLD[:n]) for n in range(5)]
    texts = ["\n".join(LINES), "\n".join(LINES[1:]), None, "x", "\n".join(LINES[:2] * 3)]
    metrics = ("srmr", "sa", "rouge_l", "roscoe", "rule_coverage")
    scores = score_samples(cases, texts, metrics, encoder=Words())
    turned = score_samples(cases[::-1], texts[::-1], metrics, encoder=Words())
    assert scores == turned[::-1]
    assert scores == [score_samples([c], [t], metrics, encoder=Words())[0] for c, t in zip(cases, texts, strict=True)]


def test_each_string_is_embedded_once():
    """A run calls the encoder once, with unique strings only."""
    encoder = Words()
    score_samples([case()] * 20, ["\n".join(LINES)] * 20, ("srmr", "sa"), encoder=encoder)
    assert len(encoder.calls) == 1 and len(set(encoder.calls[0])) == len(encoder.calls[0])


def test_family_of_references():
    """With several references the best counts, in any order."""
    family = [GOLD, GOLD[:2]]
    text = "\n".join(LINES[:2])
    one_way = one(text, ("srmr", "sa", "rouge_l"), family=lambda c: family)
    other = one(text, ("srmr", "sa", "rouge_l"), family=lambda c: family[::-1])
    assert one_way == other and one_way["srmr"] == one_way["sa_f1"] == one_way["rouge_l"] == 1.0
    assert one(text)["srmr"] < 1.0


def test_baselines_stand_beside_the_means():
    """The summary names four baselines, the share without a trace, and signatures with the encoder's hash."""
    cases = [case("a"), case("b", GOLD[::-1][:3])]
    scores, summary = summarise(cases, ["\n".join(LINES), None], ("srmr", "rouge_l"), encoder=Words())
    assert set(summary.baselines) == {"constant", "all_pass", "shuffled_gold", "other_gold"}
    assert summary.means["srmr"] == pytest.approx(sum(s["srmr"] for s in scores) / 2) == 0.5
    assert (summary.cases, summary.no_trace) == (2, 1)
    assert "words:000000000000" in summary.signature["srmr"] and "tau:0.45" in summary.signature["srmr"]
    assert summary.baselines["shuffled_gold"]["srmr"] == 1.0
    assert 0.0 < summary.baselines["all_pass"]["srmr"] < 1.0
    assert summary.baselines["other_gold"]["srmr"] < 1.0


def test_empty_run():
    """No cases give no scores and an empty summary."""
    assert score_samples([], [], encoder=Words()) == []
    scores, summary = summarise([], [], encoder=Words())
    assert scores == [] and summary.cases == 0 and summary.means == {}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"metrics": ("bleu",)}, "bleu"),
        ({"speed": 3}, "speed"),
        ({"compat": "holmes-1999"}, "holmes-1999"),
        ({"matching": "best"}, "best"),
    ],
)
def test_bad_options(arguments, named):
    """An unknown metric, option or mode is refused by name."""
    with pytest.raises(InputError, match=named):
        score_samples([case()], ["x holds"], **{"metrics": ("srmr",), "encoder": Words(), **arguments})


def test_bad_lengths_and_golds():
    """Lists of different lengths, and a case without a gold trace, are refused by name."""
    with pytest.raises(InputError, match="2 texts for 1 cases"):
        score_samples([case()], ["", ""], encoder=Words())
    with pytest.raises(InputError, match="case 'empty': field trace"):
        score_samples([case("empty", ())], [""], encoder=Words())


def test_compat_differs_where_documented():
    """The authors' mode gives NaN without a trace, misses 1 on the gold, and reads "does not apply" as PASS."""
    law = case("law", (Step("The duty applies."), Step("The waiver does not apply.")))
    law = Case.from_dict({**law.to_dict(), "domain": "law"})
    texts = [None, "The duty applies.\nThe waiver applies."]
    ours = score_samples([law, law], texts, ("srmr",), encoder=Words())
    theirs = score_samples([law, law], texts, ("srmr",), encoder=Words(), compat="holmes-2026")
    assert ours[0]["srmr"] == 0.0 and theirs[0]["srmr"] != theirs[0]["srmr"]
    assert ours[1]["srmr"] == 0.5 and theirs[1]["srmr"] == 1.0
    _, summary = summarise([law, law], texts, ("srmr",), encoder=Words(), compat="holmes-2026")
    assert summary.means["srmr"] == 1.0 and "compat:holmes-2026" in summary.signature["srmr"]


def test_metric_names():
    """Every metric of the list can be asked for; BERTScore and the encoders have tests of their own."""
    assert METRICS == ("srmr", "sa", "rouge_l", "bertscore", "roscoe", "rule_coverage")
    assert len(gold_traces(case())[0]) == len(GOLD)
