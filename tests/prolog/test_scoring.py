"""Program scores: the outcome table, tolerance, flags, signature, warm-up."""

from __future__ import annotations

import pytest

from holmes.answers.program import score_program, warm
from holmes.cases import Alias, Case
from holmes.errors import InputError
from holmes.prolog import Limits, Runner
from holmes.results import Outcome, Score
from holmes.scoring.core import score


def case(task: str, answer: str, **more: object) -> Case:
    kind = "amount" if task in ("deontic_sara_numeric", "deontic_airline") else "label"
    return Case(
        id=f"{task}-1", domain="deontic", task=task, source="holmes", rules="", case="", question="", answer=answer,
        answer_type=kind, **more,
    )  # fmt: skip


TAX = case("deontic_sara_numeric", "1166")


def fenced(program: str) -> str:
    return f"```prolog\n{program}\n```"


@pytest.fixture(scope="module")
def runner():
    with Runner(Limits(timeout=5.0, output=10_000), workers=2, cache=True) as one:
        yield one


def prints(value: str) -> str:
    return fenced(f":- format('Tax result: ~w~n', [{value}]).\n:- halt.")


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("1166", Outcome.RIGHT),
        ("1166.0", Outcome.RIGHT),
        ("1167", Outcome.RIGHT),
        ("1165", Outcome.RIGHT),
        ("1167.4", Outcome.RIGHT),
        ("1167.6", Outcome.WRONG),
        ("1164", Outcome.WRONG),
        ("'$1,166.00'", Outcome.RIGHT),
        ("'2333r2'", Outcome.RIGHT),
        ("_", Outcome.MALFORMED),
        ("unknown", Outcome.MALFORMED),
    ],
)
def test_amounts_are_right_within_one_unit_of_the_rounded_value(runner: Runner, program: str, outcome: Outcome) -> None:
    """|round(y) - gold| <= 1 (paper B.3), gold 1166: 1167.4 rounds to 1167, 1167.6 to 1168."""
    assert score_program(TAX, prints(program), runner=runner).outcome is outcome


def test_abstention_never_counts_as_minus_one(runner: Runner) -> None:
    """With gold 0, no answer is not the amount -1: it scores 0; the printed amount -1 is within one unit."""
    zero = case("deontic_sara_numeric", "0")
    assert score_program(zero, "no idea", runner=runner).value == 0.0
    assert score_program(zero, prints("-1"), runner=runner).value == 1.0


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        (":- writeln(hello).", Outcome.ABSTAINED),
        (":- format('Tax: 1166~n').", Outcome.ABSTAINED),
        ("tax(1166).", Outcome.ABSTAINED),
        (":- foo(X), format('Tax result: ~w~n', [X]).", Outcome.ERROR),
        (":- halt(3).", Outcome.ERROR),
        (":- format('Tax result: 1166~n').\n:- format('Tax result: 5~n').", Outcome.MALFORMED),
        (":- format('Tax result: 1166~n').\n:- format('Tax result: 1166.0~n').", Outcome.RIGHT),
        (":- format('Tax result: 1166~n').\n:- repeat, fail.", Outcome.TIMEOUT),
        (":- format('Tax result: 1166~n'), repeat, writeln(x), fail.", Outcome.OUTPUT_LIMIT),
        (":- format('Tax result: 1166~n'), shell('true').", Outcome.VIOLATION),
    ],
)
def test_the_outcome_table(runner: Runner, program: str, outcome: Outcome) -> None:
    """Each row of the table of outcomes; what the runner stopped is not mined for an answer."""
    limits = Limits(timeout=1.0, output=10_000)
    with Runner(limits) as short:
        assert score_program(TAX, fenced(program), runner=short).outcome is outcome


def test_an_answer_beside_a_load_error_counts_and_is_flagged(runner: Runner) -> None:
    """A syntax error drops a clause; the printed answer is scored, the error stands in parts and reason."""
    got = score_program(TAX, fenced("fee(a b).\n:- format('Tax result: 1166~n').\n:- halt."), runner=runner)
    assert got.outcome is Outcome.RIGHT and got.parts["load_errors"] == 1.0 and got.parts["clean"] == 0.0
    assert "Syntax error" in got.reason


def test_clean_needs_no_message_and_no_extra_line(runner: Runner) -> None:
    """An extra line or a warning keeps the score and loses `clean`."""
    assert score_program(TAX, prints("1166"), runner=runner).parts["clean"] == 1.0
    extra = score_program(TAX, fenced(":- writeln(hi), writeln('Tax result: 1166').\n:- halt."), runner=runner)
    warned = score_program(TAX, fenced("p(X) :- q.\nq.\n:- writeln('Tax result: 1166').\n:- halt."), runner=runner)
    for got in (extra, warned):
        assert got.value == 1.0 and got.parts["clean"] == 0.0


def test_no_text_no_block_and_cut_text_are_told_apart(runner: Runner) -> None:
    """None is failed, prose is abstained, a cut reply or open thinking is truncated."""

    def of(text: str | None, **more: bool) -> Outcome:
        return score_program(TAX, text, runner=runner, **more).outcome

    assert of(None) is Outcome.FAILED
    assert of("") is Outcome.ABSTAINED
    assert of("I think it is 1166.") is Outcome.ABSTAINED
    assert of("", truncated=True) is Outcome.TRUNCATED
    assert of("<think>hm " + prints("1166")) is Outcome.TRUNCATED
    assert of("```prolog\ntax(X) :- foo(", truncated=True) is Outcome.TRUNCATED
    assert of("```prolog\n:- writeln('Tax result: 1166').\n:- ", truncated=True) is Outcome.RIGHT
    assert of(prints("1166") + "\nThis prog", truncated=True) is Outcome.RIGHT
    assert of(fenced(":- halt.") + "\nThis prog", truncated=True) is Outcome.ABSTAINED


def test_abstained_covers_every_unanswered_outcome(runner: Runner) -> None:
    """The part `abstained` is 1 whenever no usable answer was read."""
    for text, value in ((prints("1166"), 0.0), (prints("5"), 0.0), (prints("_"), 1.0), ("?", 1.0), (None, 1.0)):
        assert score_program(TAX, text, runner=runner).parts["abstained"] == value


@pytest.mark.parametrize(
    ("task", "gold", "line", "outcome"),
    [
        ("deontic_sara_binary", "Entailment", "Result: Entailment", Outcome.RIGHT),
        ("deontic_sara_binary", "Entailment", "Result: Contradiction", Outcome.WRONG),
        ("deontic_sara_binary", "Entailment", "Result: Maybe", Outcome.MALFORMED),
        ("deontic_uscis", "Accepted", "Accepted", Outcome.RIGHT),
        ("deontic_uscis", "Accepted", "Dismissed", Outcome.WRONG),
        ("deontic_housing", "no", "housing_answer(no).", Outcome.RIGHT),
        ("deontic_housing", "no", "housing_answer(yes).", Outcome.WRONG),
        ("deontic_airline", "80", "Total cost: 80", Outcome.RIGHT),
        ("deontic_airline", "80", "Tax result: 80", Outcome.ABSTAINED),
    ],
)
def test_every_domain(runner: Runner, task: str, gold: str, line: str, outcome: Outcome) -> None:
    """Each deontic domain reads its own line and compares with its gold."""
    got = score_program(case(task, gold), fenced(f':- writeln("{line}").\n:- halt.'), runner=runner)
    assert got.outcome is outcome


def test_labels_are_read_through_aliases(runner: Runner) -> None:
    """In the law domain the answer line may carry any alias of a label."""
    law = case("law", "denied", choices=("approved", "denied"), aliases=(Alias("denied", ("benefit denied",)),))
    assert score_program(law, fenced(":- writeln('Answer: Benefit denied').\n:- halt."), runner=runner).value == 1.0
    wrong = score_program(law, fenced(":- writeln('Answer: nonsense').\n:- halt."), runner=runner)
    assert wrong.outcome is Outcome.MALFORMED


def test_a_repair_is_named(runner: Runner) -> None:
    """An added main stands in the reason and in parts."""
    got = score_program(case("deontic_uscis", "Accepted"), fenced("decision('Accepted')."), runner=runner)
    assert got.value == 1.0 and "main added" in got.reason and got.parts["repairs"] == 1.0


def test_the_signature_names_what_matters(runner: Runner) -> None:
    """Version, tolerance, limits, bare option and engine stand in the signature; the core entry point agrees."""
    got: Score = score(TAX, prints("1170"), "prolog", runner=runner, tolerance=5)
    assert got.outcome is Outcome.RIGHT
    for word in ("v:", "tol:5", "timeout:5", "output:10000", "bare:no", "engine:swipl-"):
        assert word in got.signature


def test_a_gold_that_is_no_amount_is_named(runner: Runner) -> None:
    """A broken case gives one clear error and no score."""
    with pytest.raises(InputError, match="field answer: found 'many'"):
        score_program(case("deontic_sara_numeric", "many"), prints("1"), runner=runner)
    with pytest.raises(InputError, match="answer line"):
        score_program(case("medicine", "1"), prints("1"), runner=runner)


def test_warm_runs_ahead_also_what_times_out() -> None:
    """After warm, scoring starts no program: it works with every server gone."""
    with Runner(Limits(timeout=0.3), workers=2, cache=True) as one:
        texts = [prints("1166"), prints("5"), prints("5"), fenced(":- repeat, fail."), "prose", None]
        assert warm([(TAX, text) for text in texts], runner=one) == 3
        one.close()
        got = [score_program(TAX, text, runner=one).outcome for text in texts]
    assert got == [
        Outcome.RIGHT, Outcome.WRONG, Outcome.WRONG, Outcome.TIMEOUT, Outcome.ABSTAINED, Outcome.FAILED,
    ]  # fmt: skip
    with Runner() as none, pytest.raises(InputError, match="cache"):
        warm([], runner=none)
