"""ROUGE-L: bit-equal to rouge_score, any script by option."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from holmes.errors import InputError
from holmes.scoring.trace.rouge import rouge_l, unicode_tokens

THEIRS = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
WORDS = ["the", "gate", "rule", "applies", "12", "is", "not", "met", "a", "ü", "No.", "watch-keeper", "5,928", "\n"]


def theirs(prediction, reference):
    return THEIRS.score(reference, prediction)["rougeL"].fmeasure


def test_worked_example():
    """LCS of "a b c d" and "a x c" is "a c": P = 2/4, R = 2/3, F = 2·(1/2)(2/3)/(7/6) = 4/7."""
    assert rouge_l("a b c d", "a x c") == pytest.approx(4 / 7)


def test_bit_equal_on_a_thousand_pairs():
    """A thousand pairs of 0 to 200 words score the same bits as rouge_score."""
    draw = random.Random("rouge")
    for _ in range(1000):
        a = " ".join(draw.choices(WORDS, k=draw.randrange(200)))
        b = " ".join(draw.choices(WORDS, k=draw.randrange(200)))
        assert rouge_l(a, b) == theirs(a, b)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_bit_equal_on_any_text(a, b):
    """Any two texts score the same bits as rouge_score."""
    assert rouge_l(a, b) == theirs(a, b)


def test_references():
    """The maximum over the references, in any order; none scores 0."""
    family = ["a x c", "a b c d", "z"]
    assert rouge_l("a b c d", family) == rouge_l("a b c d", family[::-1]) == 1.0
    assert rouge_l("a b", []) == 0.0


def test_order_of_lines():
    """Swapped halves score one half: this is ROUGE-L, not ROUGE-Lsum (hard input L03)."""
    assert rouge_l("a b c\nd e f", "d e f\na b c") == 0.5


def test_chinese():
    """Chinese text scores 0 with rouge_score's tokenizer and 1 with the Unicode one (hard input L01)."""
    assert rouge_l("不予报销", "不予报销") == 0.0
    assert rouge_l("不予报销", "不予报销", tokenizer="unicode") == 1.0
    assert rouge_l("准予报销", "不予报销", tokenizer="unicode") == 0.75


def test_unicode_tokens():
    """Words of any script, case folded, CJK character by character, digits kept."""
    assert unicode_tokens("Straße Nr. 12: 第３条 rule_7") == ["strasse", "nr", "12", "第", "3", "条", "rule", "7"]


def test_unicode_equals_rouge_score_on_english():
    """On plain English both tokenizers give the same score."""
    a, b = "The gate was left open. Rule 12 applies.", "Rule 12 applies; the gate was open"
    assert rouge_l(a, b) == rouge_l(a, b, tokenizer="unicode")


def test_unknown_tokenizer():
    """An unknown tokenizer is refused by name."""
    with pytest.raises(InputError, match="tokenizer"):
        rouge_l("a", "a", tokenizer="moses")
