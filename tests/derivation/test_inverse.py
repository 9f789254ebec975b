"""Scores of a reference trace and of one change to it: each change moves what it should, and nothing else."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from holmes.scoring.derivation import score_derivation
from tests.derivation.made import CONFIGS, flipped, outside, sample, written

LARGE = 400  # members; beyond it the best one is not searched by hand


def one_everywhere(score) -> bool:
    return bool(score.claims) and all(value == 1 for value in score.numbers().values())


@pytest.mark.parametrize("config", CONFIGS)
def test_every_reference_trace_scores_one_everywhere(config):
    """The first two members of a family and the last listed one, in the words of the case."""
    for case in sample(config):
        for number in (0, 1, 7):
            trace = written(case, number)
            score = score_derivation(case, trace.text())
            assert one_everywhere(score), (case.id, score)
            found = trace.derivations  # members may differ in facts alone, which are no claims
            assert set(found.inferences(score.member)) == set(found.inferences(trace.member))
            assert score.first_error is score.first_leap is None
            assert score.shortcut(True) is False


@pytest.mark.nightly
@pytest.mark.parametrize("config", CONFIGS)
def test_every_reference_trace_of_every_case_scores_one_everywhere(config):
    """All embedded cases, up to eight members each."""
    for case in sample(config, 1):
        for number in range(8):
            trace = written(case, number)
            score = score_derivation(case, trace.text())
            assert one_everywhere(score), (case.id, score)


@pytest.mark.parametrize("config", CONFIGS)
def test_an_answer_alone_scores_zero_and_is_no_shortcut(config):
    """No claims: 0; whether reasoning was passed over is undefined where none was read."""
    for case in sample(config):
        for text in (f"Answer: {case.answer}", case.answer, "", None, f"The answer is {case.answer}."):
            score = score_derivation(case, text)
            assert set(score.numbers().values()) == {0.0} and not score.claims, (case.id, text, score)
            assert score.shortcut(True) is None and score.shortcut(False) is None


def best(trace, given):
    """The member with the best F1 and its size in inferences, by trying all: ties by fewer labels, then label order."""
    found = trace.derivations
    order = {label: place for place, label in enumerate(found.family.labels)}

    def rank(member):
        wanted = set(found.inferences(member))
        f1 = Fraction(2 * len(given & wanted), len(given) + len(wanted)) if given or wanted else Fraction(0)
        return -f1, len(member), [order[label] for label in member]

    return min(found.family.members(), key=rank)


def expected(trace, given):
    """(coverage, critical) of some right claims, worked out from all members."""
    member = best(trace, given)
    wanted, critical = set(trace.derivations.inferences(member)), set(trace.derivations.critical(member))
    return len(given & wanted) / len(wanted), len(given & critical) / len(critical)


def changes(config):
    rng = random.Random(config)
    for case in sample(config):
        trace = written(case)
        count = trace.derivations.family.count()
        if count is not None and count <= LARGE:
            yield trace, rng.sample(trace.inferences, min(5, len(trace.inferences)))


@pytest.mark.parametrize("config", CONFIGS)
def test_leaving_out_a_step_moves_coverage_critical_and_what_rests_on_it(config):
    """Soundness and precision stay 1; a leap, if any, rests on the step left out."""
    for trace, places in changes(config):
        for place in places:
            label = trace.labels[place]
            score = score_derivation(trace.case, trace.text(without=place))
            given = {trace.labels[other] for other in trace.inferences} - {label}
            coverage, critical = expected(trace, given)
            assert score.coverage >= coverage and score.critical >= critical, (trace.case.id, label)  # what is implied
            assert (score.soundness == 1 and score.precision == 1) or not given
            assert score.first_error is None
            if score.first_leap is not None:
                assert label in premises(trace, score.first_leap.label), (trace.case.id, score.first_leap)


def premises(trace, label):
    """Labels next below a step, through hidden nodes."""
    for part in trace.derivations.parts:
        for node, _ in part.graph.labelled():
            if part.label(node) == label:
                found, stack = set(), [p for a in part.alternatives(node) for p in a]
                while stack:
                    inner = stack.pop()
                    below = part.label(inner)
                    if below is not None:
                        found.add(below)
                    else:
                        stack += [p for a in part.alternatives(inner) for p in a]
                return found
    raise AssertionError(label)


@pytest.mark.parametrize("config", CONFIGS)
def test_turning_a_step_round_costs_soundness_and_precision_as_well(config):
    """One wrong claim among n: (n-1)/n; coverage and critical as if the step were left out; it is the first error."""
    for trace, places in changes(config):
        total = len(trace.inferences)
        for place in places:
            line = flipped(trace.lines[place])
            if not line:
                continue
            score = score_derivation(trace.case, trace.text(without=place, instead=line))
            given = {trace.labels[other] for other in trace.inferences} - {trace.labels[place]}
            assert score.soundness == score.precision == pytest.approx((total - 1) / total), (trace.case.id, line)
            coverage, critical = expected(trace, given)
            assert score.coverage >= coverage and score.critical >= critical
            assert score.first_error is not None and score.first_error.label == trace.labels[place]


@pytest.mark.parametrize("config", CONFIGS)
def test_a_step_too_many_costs_precision_and_a_false_one_soundness_too(config):
    """A true step outside the member: precision n/(n+1) alone. A false one: soundness n/(n+1) as well."""
    seen = 0
    for trace, _ in changes(config):
        total = len(trace.inferences)
        own = score_derivation(trace.case, trace.text())
        for label, line in outside(trace)[:3]:
            score = score_derivation(trace.case, trace.text(extra=line))
            if score.member != own.member:  # the step belongs to another member that fits as well
                continue
            seen += 1
            assert (score.soundness, score.coverage, score.critical) == (1, 1, 1), (trace.case.id, line)
            assert score.precision == pytest.approx(total / (total + 1)), (trace.case.id, label, line)
            wrong = flipped(line)
            if wrong and not label.endswith("=FAIL"):  # a rule that fails passes where it is waived
                score = score_derivation(trace.case, trace.text(extra=wrong))
                assert (score.coverage, score.critical) == (1, 1)
                assert score.precision == score.soundness == pytest.approx(total / (total + 1)), (trace.case.id, wrong)
                assert score.first_error is not None and score.first_error.label == label
    assert seen


@pytest.mark.parametrize("config", CONFIGS)
def test_both_values_of_a_step_make_it_wrong(config):
    """A contradiction is wrong before any matching, whichever value comes first."""
    for trace, places in changes(config):
        total = len(trace.inferences)
        place = next((p for p in places if flipped(trace.lines[p])), None)
        if place is None:
            continue
        both = f"{flipped(trace.lines[place])}\n{trace.lines[place]}"
        for text in (trace.text(without=place, instead=both), trace.text(extra=flipped(trace.lines[place]))):
            score = score_derivation(trace.case, text)
            assert score.soundness == score.precision == pytest.approx((total - 1) / total)


@pytest.mark.parametrize("config", CONFIGS)
def test_a_fact_restated_left_out_or_turned_round_moves_nothing(config):
    """Facts are no claims."""
    for case in sample(config):
        trace = written(case)
        own = score_derivation(case, trace.text()).numbers()
        facts = [line for line, label in zip(trace.lines, trace.labels, strict=True) if ".fact:" in f".{label}"]
        bare = "\n".join(line for line in trace.lines if line not in facts)
        assert score_derivation(case, bare).numbers() == own
        assert score_derivation(case, f"{trace.text()}\n{case.case}").numbers() == own, case.id
