"""The last committed answer: markers, markdown, negation, echoes, abstention."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.cases import Alias
from holmes.reading.answer import labels_in, last_answer
from tests.reading.growth import growth

GUILT = ("Guilty", "Not guilty")
ENTAIL = ("Entailment", "Contradiction")
PETITION = ("Accepted", "Dismissed")
YES = ("yes", "no")
LETTERS = ("A", "B", "C")


def label(text, choices, aliases=()):
    answer = last_answer(text, choices, aliases)
    return None if answer is None else "malformed" if answer.malformed else answer.label


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("Draft. Final answer: Guilty\nWait, Rule 9 defeats Rule 4.\nFinal answer: Not guilty", GUILT, "Not guilty"),
        ("- True answer: only step 2 remains.\n\nANSWER: Dismissed", PETITION, "Dismissed"),
        ("ANSWER: Dismissed\n- True answer: only step 2 remains.", PETITION, "Dismissed"),
        ("So the answer is Yes", YES, "yes"),
        ("Answer: Dismissed. Wait. Answer: Accepted", PETITION, "Accepted"),
        ("Result: Entailment\nThe rest of the result: all good", ENTAIL, "Entailment"),
        ("Final answer: Guilty\nSo the answer is not guilty.", GUILT, "Not guilty"),
        ("Accepted at first sight.\nAnswer: Dismissed\nThank you.", PETITION, "Dismissed"),
        ("Answer: Accepted\n\nDismissed", PETITION, "Dismissed"),
        ("1. Answer: Accepted\n2. Answer: Dismissed", PETITION, "Dismissed"),
    ],
)
def test_the_last_commitment_counts(text, choices, expected):
    """Drafts and earlier answers are superseded by the last commitment; prose around it changes nothing."""
    assert label(text, choices) == expected


@pytest.mark.parametrize(
    "text",
    [
        "**Answer:** Guilty",
        "**Final Answer**: **Guilty**.",
        "*Answer*: _Guilty_",
        "### Answer: `Guilty`",
        "> Answer: Guilty",
        "Answer： Guilty。",
        "Ａｎｓｗｅｒ：Ｇｕｉｌｔｙ",
        "The final answer is $\\boxed{\\text{Guilty}}$.",
        "\\[ \\boxed{\\mathbf{Guilty}} \\]",
        "<answer>Guilty</answer>",
        "<answer>\n Guilty\n</answer>",
        '{"answer": "Guilty"}',
        "## Final Answer\n\nGuilty",
        "Answer:\n\n- Guilty",
        "| Answer | Guilty |",
        "Answer - Guilty",
        "Answer — guilty!",
        "ANSWER = GUILTY",
        "答案：Guilty",
        "\u200bAnswer:\u00a0Guilty",
        "Therefore, the correct answer is: Guilty",
        "Verdict → Guilty",
        "Answer: the defendant is guilty of theft.",
        "Guilty",
        "\n**Guilty.**\n",
        "Answer: Guilty, not Not guilty",
    ],
)
def test_typography_is_no_content(text):
    """Markdown, LaTeX, full-width forms, tags, tables and case do not change the answer."""
    assert label(text, GUILT) == "Guilty"


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("Verdict: INCORRECT", ("correct", "incorrect"), "incorrect"),
        ("Result: not entailed", ENTAIL, "Contradiction"),
        ("unaccepted", PETITION, "Dismissed"),
        ("Verdict: unaccepted", PETITION, "Dismissed"),
        ("Answer: not Guilty", GUILT, "Not guilty"),
        ("Answer: isn't guilty", GUILT, "Not guilty"),
        ("Answer: no entailment", ENTAIL, "Contradiction"),
        ("Answer: non-guilty", GUILT, "Not guilty"),
        ("Result: Contradiction, not Entailment", ENTAIL, "Contradiction"),
        ("Answer: cannot be accepted", PETITION, "Dismissed"),
        ("Answer: B, not A", LETTERS, "B"),
        ("Answer: not A", LETTERS, "malformed"),
        ("答案：不予报销", ("报销", "不予报销"), "不予报销"),
        ("答案：无罪", ("有罪", "无罪"), "无罪"),
        ("Answer: Dismissed rather than accepted", PETITION, "Dismissed"),
    ],
)
def test_negative_forms_come_first(text, choices, expected):
    """A positive word inside a negative one is not the positive answer; of two labels, not one is the other."""
    assert label(text, choices) == expected


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("I do not know; the statutes say nothing on notice periods.", YES),
        ("", YES),
        ("As a judge …", LETTERS),
        ("Accepted petitions are rare.", PETITION),
        ("If the answer is Guilty, the sentence follows.", GUILT),
        ("Is the answer yes? That is the question.", YES),
        ("Therefore a dismissed petition would be possible.", PETITION),
        ("   \n\t", GUILT),
        ("Answering is hard. Resulting fees apply.", YES),
        ("Nobody noticed anything.", YES),
    ],
)
def test_prose_without_a_cue_is_abstention(text, choices):
    """Labels in passing, words that contain a label, conditions and questions commit to nothing."""
    assert label(text, choices) is None


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        (
            "Format: 'Result: Entailment' or 'Result: Contradiction'.\n...\nResult: Contradiction",
            ENTAIL,
            "Contradiction",
        ),
        ("Result: Entailment or Contradiction", ENTAIL, None),
        ("Result: Entailment or Contradiction\nResult: Entailment", ENTAIL, "Entailment"),
        ("Result: Entailment\nResult: Entailment or Contradiction", ENTAIL, "Entailment"),
        ("Answer: LETTER", LETTERS, None),
        ("Answer: A or B", LETTERS, None),
        ("Answer: <label>\nAnswer: B", LETTERS, "B"),
        ("Answer: [Accepted/Dismissed]", PETITION, None),
        ("Answer: Accepted|Dismissed", PETITION, None),
        ("Answer: ...", PETITION, None),
        ("Answer: (your answer)", PETITION, None),
        ("Options:\nAccepted\nDismissed", PETITION, None),
    ],
)
def test_echoes_of_the_template_commit_to_nothing(text, choices, expected):
    """A repeated instruction, a placeholder or a list of alternatives is no answer."""
    assert label(text, choices) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Answer: Guilty and Not guilty",
        "Answer: Banana",
        "Answer: Guilty → Not guilty",
        "\\boxed{Guilty} \\boxed{Not guilty}",
    ],
)
def test_two_answers_or_none_of_the_labels_are_malformed(text):
    """An answer line with two labels at once, or with something outside the contract, is malformed."""
    assert label(text, GUILT) == "malformed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: Guilty. The plea of not guilty fails.", "Guilty"),
        ("Answer: Not guilty (the guilty verdict of rule 4 is defeated)", "Not guilty"),
        ("Answer: Not guilty - the guilty verdict is defeated", "Not guilty"),
        ("Answer: Guilty. Wait, rule 9 holds. Not guilty", "malformed"),
        ("Answer: Guilty (or Not guilty)", None),
        ("Answer: Guilty - Not guilty", "malformed"),
        ("Answer: Guilty, Not guilty", "malformed"),
        ("Answer: Guilty, actually the plea of not guilty holds", "malformed"),
    ],
)
def test_an_explanation_is_no_second_answer(text, expected):
    """A label followed by prose that mentions another one stands; a revision or a second bare label does not."""
    assert label(text, GUILT) == expected


def test_a_cut_reply_commits_by_answer_lines_only():
    """Where the generation was cut, sentences and last lines may be unfinished; an answer line stands."""
    for text in ("Hence, in all, the answer is guilty", "Guilty", "Guilty, since"):
        assert last_answer(text, GUILT).label == "Guilty"
        assert last_answer(text, GUILT, cut=True) is None
    assert last_answer("Answer: Guilty\nNow [cut", GUILT, cut=True).label == "Guilty"


def test_headings_are_no_answers():
    """A heading that is a label and ends in a colon commits to nothing."""
    assert label("Guilty:\nsome thoughts on it", GUILT) is None


def test_numbers_can_be_labels():
    """A label of figures is not found inside a decimal or a longer number."""
    assert label("Answer: 1", ("0", "1")) == "1"
    assert label("Answer: 1.5", ("0", "1")) == "malformed" == label("Answer: 10", ("0", "1"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: (B)", "B"),
        ("Answer: b", "B"),
        ("The correct answer is A.", "A"),
        ("Answer: option C", "C"),
        ("Answer: B. Because A judge said so", "B"),
        ("The correct answer is a matter of taste", None),
        ("I choose C.", "C"),
        ("**B**", "B"),
        ("Answer: B) the second", "B"),
    ],
)
def test_letters_are_labels_only_where_they_stand_alone(text, expected):
    """The article is no label; a letter in brackets, after a cue or alone on the last line is."""
    assert label(text, LETTERS) == expected


def test_yes_and_no_are_read_at_the_opening():
    """A direct reply may open with its answer and go on to explain it; a determiner is no answer."""
    assert label("Yes, because notice is not required.", YES) == "yes"
    assert label("No. The statute says nothing.", YES) == "no"
    assert label("Answer: Yes, no notice is required", YES) == "yes"
    assert label("No notice is required", YES) is None


def test_aliases_are_spellings_of_labels():
    """The longest spelling wins, underscores and hyphens are spaces, and a shorter label inside is not seen."""
    aliases = (
        Alias("Fixed_Term", ("imprisonment for a term", "fixed-term imprisonment")),
        Alias("Life", ("life imprisonment",)),
    )
    assert label("Answer: Fixed-Term  Imprisonment", ("Fixed_Term", "Life"), aliases) == "Fixed_Term"
    assert label("Answer: life imprisonment", ("Fixed_Term", "Life"), aliases) == "Life"
    assert labels_in("either fixed term or life", ("Fixed_Term", "Life"), aliases) == ["Fixed_Term", "Life"]


def test_without_labels_the_words_are_the_answer():
    """Free answers keep every character that counts: no letter is lost to a missing period, digits stay."""
    assert label("So the answer is Yes", ()) == "Yes"
    assert label("Answer: Rule 12", ()) == "Rule 12" != label("Answer: Rule 7", ())


@given(
    st.lists(
        st.sampled_from(["Answer:", "Guilty", "not", "\n", "**", "or", "\\boxed{", "}", "<answer>", ".", "is", "if"])
    )
)
def test_any_text_is_read(pieces):
    """Nothing crashes, and what is read is one of the labels."""
    assert label(" ".join(pieces), GUILT) in (None, "malformed", *GUILT)


@given(st.text(max_size=60), st.sampled_from(GUILT))
def test_a_final_line_is_always_read(text, wanted):
    """Whatever stands before it, a well-formed final answer line is the answer."""
    assert label(f"{text}\n\nFinal answer: {wanted}", GUILT) == wanted or "\\" in text or "<" in text


@pytest.mark.parametrize(
    "unit", ["Answer: ", "a or ", "\\boxed{", "{", "not ", "<answer>", "*", "(", "answer is ", ". ", "\\text{"]
)
def test_reading_time_is_linear(unit):
    """Long hostile replies take time in proportion to their length."""
    assert growth(lambda t: last_answer(t, GUILT), unit, small=4_000) < 4
    assert growth(lambda t: last_answer(t, GUILT), unit, head="Answer: Guilty ", small=4_000) < 4
