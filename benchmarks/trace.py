"""Prints how many times faster trace metrics are than the per-case way, and ROUGE-L than rouge_score.

``python benchmarks/trace.py`` takes 100 law and 100 finance (or, without them, deontic) gold traces of the embedded
data, perturbs each as a model's output, and scores them twice: the usual way (per case, every string of both sides
embedded by sentence-transformers in float32) and ours (unique strings once, float64, empty cache).
"""

from __future__ import annotations

import os
import random
import sys
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from rouge_score import rouge_scorer

from holmes.cases import Case
from holmes.errors import InputError
from holmes.scoring.trace import score_samples
from holmes.scoring.trace.encoders import SentenceEncoder, load_encoder
from holmes.scoring.trace.rouge import rouge_l
from holmes.scoring.trace.samples import gold_traces, model_trace
from holmes.scoring.trace.srmr import srmr
from holmes.store import load_cases


def sample(config: str, count: int) -> list[Case]:
    """Return cases of a config, repeated where it has fewer."""
    cases = [case for case in load_cases(config) if case.trace]
    return [cases[i % len(cases)] for i in range(count)]


def perturbed(case: Case) -> str:
    """Drop a fifth of the gold lines and reword some, as a model would."""
    draw = random.Random(f"benchmark/{case.id}")
    lines = [step.text for step in case.trace if draw.random() > 0.2]
    return "\n".join(line.replace("Therefore, ", "Hence ") if draw.random() < 0.3 else line for line in lines)


def per_case(cases: list[Case], texts: list[str]) -> list[float]:
    """Score case by case: descriptions and whole steps of both sides embedded each time."""
    from sentence_transformers import SentenceTransformer

    encoder = load_encoder("minilm", cache=False)
    assert isinstance(encoder, SentenceEncoder)
    model = SentenceTransformer(encoder.source, device="cpu")
    scores = []
    for case, text in zip(cases, texts, strict=True):
        steps, gold = model_trace(text), gold_traces(case)[0]
        sides = [
            [s.description for s in steps],
            [s.description for s in gold],
            [s.text for s in steps],
            [s.text for s in gold],
        ]
        a, b, _, _ = (model.encode(side, normalize_embeddings=True, show_progress_bar=False) for side in sides)
        scores.append(srmr(steps, gold, a.astype("float64") @ b.astype("float64").T).f1)
    return scores


def rouge_times(pairs: list[tuple[str, str]]) -> tuple[float, float, int]:
    """Return seconds of rouge_score, seconds of ours, and the pairs whose bits differ."""
    theirs = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
    start = time.perf_counter()
    slow = [theirs.score(gold, text)["rougeL"].fmeasure for text, gold in pairs]
    middle = time.perf_counter()
    fast = [rouge_l(text, gold) for text, gold in pairs]
    return middle - start, time.perf_counter() - middle, sum(a != b for a, b in zip(slow, fast, strict=True))


def main() -> None:
    """Print both ratios; the first argument is the number of traces a domain (default 100)."""
    import torch

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    torch.set_num_threads(1)
    try:
        finance = sample("finance", count)
    except InputError:
        finance = sample("deontic_sara_numeric", count)
    cases = sample("law", count) + finance
    texts = [perturbed(case) for case in cases]
    load_encoder("minilm", cache=False).encode(["warm up"])
    start = time.process_time()
    slow = per_case(cases, texts)
    middle = time.process_time()
    fast = score_samples(cases, texts, ("srmr", "sa"), encoder=load_encoder("minilm", cache=False))
    once = time.process_time() - middle
    far = max(abs(a - b["srmr"]) for a, b in zip(slow, fast, strict=True))
    domains = ", ".join(sorted({case.domain for case in cases}))
    print(
        f"{len(cases)} traces ({domains}): per case {middle - start:.1f} s, once {once:.1f} s CPU: "
        f"{(middle - start) / once:.1f} times faster; greatest difference of SRMR {far:.4f}"
    )
    golds = ["\n".join(step.text for step in case.trace) for case in cases]
    draw = random.Random("rouge pairs")
    pairs = [(draw.choice(texts), draw.choice(golds)) for _ in range(1000)]
    theirs, ours, differing = rouge_times(pairs)
    print(f"ROUGE-L, {len(pairs)} pairs: {theirs / ours:.0f} times faster than rouge_score, {differing} of them differ")


if __name__ == "__main__":
    main()
