"""The style gate: one answer in sixty dresses is read alike, a wrong one is never right, refusals are nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from holmes.reading.amounts import committed_amount
from holmes.reading.answer import last_answer
from holmes.reading.thinking import final_reply
from tests.reading.dresses import DRESSES, REFUSALS

THREE = ("copying month", "silent week", "dusting season", "no sentence")
KINDS = {
    "labels": (THREE, ("copying month", "silent week", "dusting season")),
    "two": (("Guilty", "Acquitted"), ("Guilty", "Acquitted")),
    "yes or no": (("yes", "no"), ("yes", "no")),
    "entailment": (("Entailment", "Contradiction"), ("Entailment", "Contradiction")),
    "amounts": ((), ("$11,311", "$10,911")),
    "bare amounts": ((), ("11311", "10911")),
    "small amounts": ((), ("650", "700")),
    "cents": ((), ("$1,166.50", "$1,266.50")),
}
BOUNDS = (
    "less than {x}", "at most {x}", "at least {x}", "about {x}", "more than {x}", "up to {x}", "between {x} and {y}",
    "{x} to {y}", "{x} × 2", "2 × {x}", "{x} + 5", "{x} plus the fee", "{x} minus 400", "\\sqrt{{{x}}}", "not {x}",
    "under {x}",
    "{x} or more", "{x} or so", "roughly {x}", "twice {x}", "half of {x}", "the wages were {x}", "the credit is {x}",
    "{x} before the credit", "no more than {x}", "nearly {x}", "> {x}", "≤ {x}", "±{x}", "from {x}", "weniger als {x}",
    "moins de {x}", "menos de {x}", "不超过{x}", "about half of {x}", "over {x}", "{x}%",
)  # fmt: skip


def read(kind: str, text: str, *, cut: bool = False) -> object:
    choices = KINDS[kind][0]
    reply = final_reply(text).text
    if choices:
        answer = last_answer(reply, choices, cut=cut)
        return None if answer is None or answer.malformed else answer.label
    answer = committed_amount(reply, cut=cut)
    return None if answer is None or answer.malformed else answer.value


def value(kind: str, text: str) -> object:
    return text if KINDS[kind][0] else Fraction(text.replace("$", "").replace(",", ""))


@pytest.mark.parametrize("kind", KINDS)
def test_the_gold_is_read_alike_in_every_dress(kind):
    """At least sixty dresses, each with the answer and with another one: read is what is worn, never the other."""
    assert len(DRESSES) >= 60
    _, answers = KINDS[kind]
    wrong = []
    for gold, other in zip(answers, (*answers[1:], answers[0]), strict=True):
        for name, dress in DRESSES.items():
            for worn, draft in ((gold, other), (other, gold)):
                if (found := read(kind, dress(worn, draft))) != value(kind, worn):
                    wrong.append((name, worn, found))
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_read_of_refusals_and_hedges(kind):
    """At least sixty replies without a commitment: none is read."""
    assert len(REFUSALS) >= 60
    _, (x, y, *_) = KINDS[kind]
    found = [(text, got) for text in REFUSALS if (got := read(kind, text.format(x=x, y=y))) is not None]
    assert found == []


@pytest.mark.parametrize("said", BOUNDS)
def test_bounds_ranges_and_sums_left_undone_are_no_amounts(said):
    """On an answer line, in a box, in a tag and in an object alike."""
    for x, y in (("$11,311", "$11,711"), ("11311", "11711")):
        words = said.format(x=x, y=y)
        for text in (f"Answer: {words}", f"\\boxed{{{words}}}", f"<answer>{words}</answer>", f"The answer is {words}."):
            assert read("amounts", text) is None, text


@pytest.mark.parametrize(
    "text",
    [
        "Answer: {x} ($943/month)", "Answer: **{x}** ($943/month)",
        "Answer: Tilda owes {x} ($11,711 less the $400 credit)",
        "Final answer: The tax is {x} because wages were $57,200.", "Answer: {x}, not $11,711",
        "The total tax owed by Tilda is {x}, i.e. $11,711 minus $400.", "Answer: ~{x} (~$943 a month)",
        "Answer: $11,711 − $400 = {x}", "Answer: {x} = 11,711 - 400", "Answer: the tax on $57,200 is {x}",
        "Answer: a total of {x}", "Answer: {x} in total", "Tilda owes {x}.", "Tilda has to pay {x} in tax.",
        "Total tax: {x}", "Amount due: {x}", "Answer: approx. {x}", "Answer: exactly {x}", "Gesamtbetrag: {x}",
        "Answer: After the credit of $400, the tax is {x}.", "Answer: not $11,711 but {x}",
        "Thus the total tax is {x}.",
    ],
)  # fmt: skip
def test_an_amount_may_be_explained(text):
    """Other amounts beside it explain it; they are not it."""
    assert read("amounts", text.format(x="$11,311")) == 11311


IDIOMS = ("no verdict", "no order", "fine", "warning")


@pytest.mark.parametrize(
    "text",
    [
        "Answer: no verdict can be reached from the facts given.",
        "Answer: No order can be determined, since facts are missing.",
        "Conclusion: I can give no verdict on this.", "Final answer: That is fine, but I cannot decide.",
        "Answer: That is fine.",
        "Answer: No verdict could be given here.", "There is no order that I could name.", "Everything is fine.",
        "Answer: all is fine", "Answer: no verdict may be drawn from this",
    ],
)  # fmt: skip
def test_idioms_of_abstaining_are_no_labels(text):
    """A label that is an everyday phrase must account for its clause."""
    answer = last_answer(text, IDIOMS)
    assert answer is None or answer.malformed


def test_how_an_answer_was_read():
    """The form asked for, another cue, prose without one."""
    for text, how in (("Answer: Guilty", "contract"), ("**Final Answer:** Guilty", "contract"), ("\\boxed{Guilty}",
    "cue"),
                      ("Antwort: Guilty", "cue"), ("So the answer is Guilty.", "cue"), ("Guilty", "inferred"),
                      ("Guilty, because Rule 1 holds.", "inferred")):  # fmt: skip
        assert last_answer(text, ("Guilty", "Acquitted")).read_as == how, text
    assert committed_amount("She owes $5.").read_as == "inferred"


def test_mentions_say_why_they_were_taken_or_left():
    """Each with its status; one is taken."""
    answer = last_answer("Answer: silent week\nAnswer: ~~silent week~~ copying month", THREE)
    assert [(m.raw, str(m.status), m.taken) for m in answer.mentions] == [
        ("silent week", "struck out", False), ("silent week", "affirmed", False), ("copying month", "affirmed", True),
    ]  # fmt: skip
