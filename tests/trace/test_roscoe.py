"""The real ROSCOE suite by hand."""

import numpy as np
import pytest

from holmes.scoring.trace.roscoe import (
    LANGUAGE_COHERENCE,
    SEMANTIC_ALIGNMENT,
    SEMANTIC_SIMILARITY,
    Similarities,
    best_reference,
    language_coherence,
    logical_inference,
    roscoe,
)


def example(tokens=False):
    """Two steps, two source sentences, one reference step; r-align = (1 + cosine)/2."""
    cosines = Similarities(
        h_s=np.array([[0.8, 0.0], [0.2, 0.6]]),
        h_r=np.array([[0.4], [1.0]]),
        r_s=np.array([[0.0, 0.2]]),
        h_h=np.array([[1.0, 0.5], [0.5, 1.0]]),
        chain_hs=0.6,
        chain_hr=0.9,
    )
    if not tokens:
        return roscoe(cosines)
    e = np.eye(3, dtype=np.float32)
    return roscoe(cosines, [e[[0, 1]], e[[1]]], [e[[0]], e[[2]]])


def test_worked_example():
    """h→s = (.9, .8); s→h = (.9, .8); h→r = (.7, 1); r→h = (1); r→s = (.6).

    faithfulness = .85; informativeness = (.85 + .85)/2; hallucination = 1 - max(.3·.1, 0·.2) = .97;
    redundancy = .7; alignment = .85; missing step = 1; commonsense = 1 - 0·.4 = 1; coverage = 1 - |.6 - .85| = .75;
    chains (1 + .6)/2 and (1 + .9)/2; repetition = (1 - .5)/2.
    """
    expected = {
        "faithfulness_step": 0.85,
        "informativeness_step": 0.85,
        "hallucination": 0.97,
        "redundancy": 0.7,
        "reasoning_alignment": 0.85,
        "missing_step": 1.0,
        "commonsense": 1.0,
        "semantic_coverage_step": 0.75,
        "informativeness_chain": 0.8,
        "semantic_coverage_chain": 0.95,
        "repetition_step": 0.25,
    }
    assert example() == pytest.approx(expected)


def test_token_scores():
    """Tokens e0, e1 | e1 against source tokens e0 | e2: r-align 1, .5, .5; with h→s (.9, .8) the mean is 3.7/5.

    Step 1 repeats e1 of step 0 wholly: repetition = 1 - 1 = 0.
    """
    scores = example(tokens=True)
    assert scores["faithfulness_token"] == pytest.approx(3.7 / 5)
    assert scores["repetition_token"] == pytest.approx(0.0)
    assert set(scores) == set(SEMANTIC_ALIGNMENT + SEMANTIC_SIMILARITY)


def test_authors_column_is_the_raw_mean():
    """reasoning_alignment = (1 + SA-P)/2: what the papers call ROSCOE is the raw SA-P, .7 here."""
    assert example()["reasoning_alignment"] == pytest.approx((1 + 0.7) / 2)


def test_no_steps():
    """A trace without steps scores 0 in every score."""
    none = np.zeros
    scores = roscoe(Similarities(none((0, 2)), none((0, 1)), none((1, 2)), none((0, 0)), 0.0, 0.0))
    assert len(scores) == 11 and set(scores.values()) == {0.0}


def test_single_step_repeats_nothing():
    """One step alone gets the full repetition score."""
    one = np.ones((1, 1))
    assert roscoe(Similarities(one, one, one, one, 1.0, 1.0))["repetition_step"] == 1.0


def test_without_source():
    """Scores that need the source are left out where there is none."""
    scores = roscoe(Similarities(np.zeros((1, 0)), np.ones((1, 1)), np.zeros((1, 0)), np.ones((1, 1)), 0.0, 1.0))
    assert "faithfulness_step" not in scores and scores["missing_step"] == 1.0


def test_logical_inference():
    """1 less the greatest contradiction, of steps with earlier steps and of source sentences with steps."""
    table = {("a", "b"): 0.3, ("s", "a"): 0.1, ("s", "b"): 0.8}
    scores = logical_inference(["a", "b"], ["s"], lambda pairs: [table[p] for p in pairs])
    assert scores == {"self_consistency": pytest.approx(0.7), "source_consistency": pytest.approx(0.2)}
    assert logical_inference([], ["s"], lambda pairs: []) == {"self_consistency": 0.0, "source_consistency": 0.0}
    assert logical_inference(["a"], [], lambda pairs: []) == {"self_consistency": 1.0, "source_consistency": 1.0}


def test_language_coherence():
    """Perplexities 4 for the chain, 2 and 8 for the steps: 1/4 and 1/5; grammar is a mean."""
    scores = language_coherence(["a", "b"], lambda t: [4.0, 2.0, 8.0], lambda t: [1.0, 0.5])
    assert scores == {"perplexity_chain": 0.25, "perplexity_step": 0.2, "grammar": 0.75}
    assert set(language_coherence([], lambda t: [], lambda t: [])) == set(LANGUAGE_COHERENCE)


def test_order_of_references():
    """The best reference is the same in any order, also when two align equally."""
    each = [{"reasoning_alignment": 0.5, "redundancy": 0.1}, {"reasoning_alignment": 0.5, "redundancy": 0.3}]
    assert best_reference(each) == best_reference(each[::-1]) == each[1]
    assert best_reference([]) == {}
