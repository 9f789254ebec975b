"""The real ROSCOE suite (Golovneva et al. 2023): semantic alignment and semantic similarity from a sentence encoder,
logical inference and language coherence from models that the user supplies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holmes.scoring.trace.encoder import Vectors
from holmes.scoring.trace.vectors import Matrix, rounded

SEMANTIC_ALIGNMENT = (
    "faithfulness_step",
    "faithfulness_token",
    "informativeness_step",
    "repetition_token",
    "hallucination",
    "redundancy",
    "semantic_coverage_step",
    "reasoning_alignment",
    "commonsense",
    "missing_step",
)
SEMANTIC_SIMILARITY = ("informativeness_chain", "repetition_step", "semantic_coverage_chain")
LOGICAL_INFERENCE = ("self_consistency", "source_consistency")
LANGUAGE_COHERENCE = ("perplexity_chain", "perplexity_step", "grammar")

Contradiction = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
OfTexts = Callable[[Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Similarities:
    """Cosines that the suite needs: h = model's steps, s = sentences of the source, r = reference steps."""

    h_s: Matrix
    h_r: Matrix
    r_s: Matrix
    h_h: Matrix
    chain_hs: float
    chain_hr: float


def roscoe(
    cosines: Similarities, h_tokens: Sequence[Vectors] = (), s_tokens: Sequence[Vectors] = ()
) -> dict[str, float]:
    """Return the ten semantic-alignment and three semantic-similarity scores of one trace.

    cosines: see `Similarities`. h_tokens, s_tokens: token vectors of each step and source sentence; without them the
    two token scores are left out. Every score is in [0, 1] and higher is better; a trace without steps scores 0 in
    all. Parts that need a missing side (no source, no reference) are left out rather than invented.
    Source: Golovneva et al. 2023, tables of ROSCOE-SA and ROSCOE-SS.
    """
    steps = cosines.h_h.shape[0]
    has_source, has_reference = cosines.h_s.shape[1] > 0, cosines.h_r.shape[1] > 0
    if not steps:
        return dict.fromkeys(_names(has_source, has_reference, bool(s_tokens)), 0.0)
    scores: dict[str, float] = {}
    h_to_s, s_to_h = _align(cosines.h_s), _align(cosines.h_s.T)
    h_to_r, r_to_h, r_to_s = _align(cosines.h_r), _align(cosines.h_r.T), _align(cosines.r_s)
    if has_source:
        scores["faithfulness_step"] = float(h_to_s.mean())
        scores["informativeness_step"] = float((s_to_h.mean() + h_to_s.mean()) / 2)
        scores["informativeness_chain"] = (1 + cosines.chain_hs) / 2
        if s_tokens:
            tokens = _align(_tokens(h_tokens) @ _tokens(s_tokens).T)
            scores["faithfulness_token"] = float(np.concatenate([h_to_s, tokens]).mean())
    if s_tokens or h_tokens:
        scores["repetition_token"] = 1 - _token_repetition(h_tokens)
    scores["repetition_step"] = (1 - _before(cosines.h_h)) / 2 if steps > 1 else 1.0
    if has_reference:
        scores["redundancy"] = float(h_to_r.min())
        scores["reasoning_alignment"] = float(h_to_r.mean())
        scores["missing_step"] = float(r_to_h.min())
        scores["semantic_coverage_chain"] = (1 + cosines.chain_hr) / 2
    if has_reference and has_source:
        scores["hallucination"] = float(1 - ((1 - h_to_r) * (1 - h_to_s)).max())
        scores["commonsense"] = float(1 - ((1 - r_to_h) * (1 - r_to_s)).max())
        scores["semantic_coverage_step"] = float(1 - abs(r_to_s.mean() - h_to_s.mean()))
    return {name: scores[name] for name in SEMANTIC_ALIGNMENT + SEMANTIC_SIMILARITY if name in scores}


def logical_inference(steps: Sequence[str], source: Sequence[str], contradiction: Contradiction) -> dict[str, float]:
    """Return self-consistency and source-consistency: 1 less the greatest probability of a contradiction.

    contradiction: the user's NLI model, from (premise, hypothesis) pairs to probabilities in [0, 1]; it is called
    twice at most, with all pairs of the trace. No step scores 0; a single step cannot contradict itself and scores 1.
    Source: Golovneva et al. 2023, ROSCOE-LI.
    """
    if not steps:
        return dict.fromkeys(LOGICAL_INFERENCE, 0.0)
    earlier = [(steps[j], steps[i]) for i in range(1, len(steps)) for j in range(i)]
    against = [(sentence, step) for step in steps for sentence in source]
    return {
        "self_consistency": 1 - max(contradiction(earlier)) if earlier else 1.0,
        "source_consistency": 1 - max(contradiction(against)) if against else 1.0,
    }


def language_coherence(
    steps: Sequence[str], perplexity: OfTexts | None = None, grammar: OfTexts | None = None
) -> dict[str, float]:
    """Return inverse perplexity of chain and steps, and mean grammaticality, for the models that are given.

    perplexity: texts to perplexities, at least 1. grammar: texts to probabilities of being grammatical.
    No step scores 0. Source: Golovneva et al. 2023, ROSCOE-LC.
    """
    scores: dict[str, float] = {}
    if perplexity is not None:
        values = list(perplexity([" ".join(steps), *steps])) if steps else []
        scores["perplexity_chain"] = 1 / values[0] if values else 0.0
        scores["perplexity_step"] = 1 / (sum(values[1:]) / len(steps)) if values else 0.0
    if grammar is not None:
        scores["grammar"] = sum(grammar(list(steps))) / len(steps) if steps else 0.0
    return scores


def best_reference(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the scores against the reference with the best alignment; the order of the references is irrelevant."""
    if not each:
        return {}
    names = ("reasoning_alignment", "missing_step", *SEMANTIC_ALIGNMENT, *SEMANTIC_SIMILARITY)
    ranked = sorted(each, key=lambda scores: [scores.get(n, 0.0) for n in names])
    return dict(ranked[-1])


def _names(source: bool, reference: bool, tokens: bool) -> list[str]:
    wanted = ["repetition_step"]
    if source:
        wanted += ["faithfulness_step", "informativeness_step", "informativeness_chain"]
    if tokens:
        wanted += ["faithfulness_token", "repetition_token"]
    if reference:
        wanted += ["redundancy", "reasoning_alignment", "missing_step", "semantic_coverage_chain"]
    if source and reference:
        wanted += ["hallucination", "commonsense", "semantic_coverage_step"]
    return [n for n in SEMANTIC_ALIGNMENT + SEMANTIC_SIMILARITY if n in wanted]


def _align(cosines: Matrix) -> Matrix:
    """Return r-align of each row: (1 + greatest cosine) / 2."""
    if not cosines.size:
        return np.zeros(cosines.shape[0], dtype=np.float64)
    aligned: Matrix = (1 + rounded(cosines).max(axis=1)) / 2
    return aligned


def _tokens(each: Sequence[Vectors]) -> Matrix:
    filled = [v for v in each if v.size]
    return np.concatenate(filled).astype(np.float64) if filled else np.zeros((0, 1), dtype=np.float64)


def _before(h_h: Matrix) -> float:
    """Return the greatest cosine of a step with an earlier one."""
    below = np.tril_indices(h_h.shape[0], k=-1)
    return float(h_h[below].max())


def _token_repetition(h_tokens: Sequence[Vectors]) -> float:
    """Return the greatest mean token alignment of a step with an earlier one; 0 for a single step."""
    worst = 0.0
    for i, later in enumerate(h_tokens):
        for earlier in h_tokens[:i]:
            if later.size and earlier.size:
                worst = max(worst, float(_align(later.astype(np.float64) @ earlier.astype(np.float64).T).mean()))
    return worst
