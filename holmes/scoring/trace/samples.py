"""Trace metrics of a whole run: every string embedded once, every case scored, baselines beside the means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holmes.cases import Case, Step
from holmes.errors import InputError
from holmes.reading.steps import read_steps
from holmes.reading.thinking import final_reply
from holmes.registry import domain_of
from holmes.scoring.trace import compat as authors
from holmes.scoring.trace.coverage import rules_of
from holmes.scoring.trace.encoder import Encoder, Progress
from holmes.scoring.trace.run import (
    METRICS,
    Item,
    Options,
    Summary,
    Trace,
    chosen_metrics,
    encoder_for,
    made_options,
    score_items,
    summarise_items,
)

__all__ = ["METRICS", "Options", "Summary", "gold_traces", "model_trace", "score_samples", "score_traces", "summarise"]
Family = Callable[[Case], Sequence[Sequence[Step]]]


def score_samples(
    cases: Sequence[Case],
    texts: Sequence[str | None],
    metrics: Sequence[str] = ("srmr", "sa", "rouge_l"),
    *,
    encoder: str | Encoder = "minilm",
    progress: Progress | None = None,
    family: Family | None = None,
    **options: object,
) -> list[dict[str, float]]:
    """Score the traces of a run, once for the whole run.

    cases, texts: one output a case, aligned (repeat a case for its K generations); None or no trace scores 0.
    metrics: names from `METRICS`. encoder: see `load_encoder`. progress: called with (done, total) while embedding.
    family: the references of a case as step lists (default: its one gold trace). options: fields of `Options`.
    Returns a mapping of figures a sample, in order; the same for any batch size and any order of cases.
    Raises InputError for lists of different lengths, an unknown metric or option, or a case without a gold trace.
    """
    items, chosen, made = _prepare(cases, texts, metrics, family, options)
    return score_items(items, chosen, encoder_for(encoder, chosen), made, progress)


def summarise(
    cases: Sequence[Case],
    texts: Sequence[str | None],
    metrics: Sequence[str] = ("srmr", "sa", "rouge_l"),
    *,
    encoder: str | Encoder = "minilm",
    progress: Progress | None = None,
    family: Family | None = None,
    **options: object,
) -> tuple[list[dict[str, float]], Summary]:
    """Score a run as `score_samples` does and return the figures with a `Summary` that holds the baselines."""
    items, chosen, made = _prepare(cases, texts, metrics, family, options)
    return summarise_items([case.id for case in cases], items, chosen, encoder, made, progress)


def gold_traces(case: Case, family: Family | None = None) -> tuple[Trace, ...]:
    """Return the gold traces of a case, read by the same reader as a model's, so that gold scores exactly 1."""
    found = [case.trace] if family is None else list(family(case))
    traces = tuple(read_steps("\n".join(" ".join(s.text.split()) for s in steps)) for steps in found)
    if not any(traces):
        raise InputError(f"case {case.id!r}: field trace: found no step, expected a gold trace")
    return traces


def model_trace(text: str | None) -> Trace:
    """Return the steps of a raw output, its thinking stripped; () for nothing."""
    return read_steps(final_reply(text).text) if text else ()


def _prepare(
    cases: Sequence[Case],
    texts: Sequence[str | None],
    metrics: Sequence[str],
    family: Family | None,
    options: Mapping[str, object],
) -> tuple[list[Item], tuple[str, ...], Options]:
    if len(cases) != len(texts):
        raise InputError(f"score_samples: found {len(texts)} texts for {len(cases)} cases, expected one text a case")
    chosen, made = chosen_metrics(metrics), made_options(options)
    golds: dict[int, tuple[Trace, ...]] = {}
    items = []
    for case, text in zip(cases, texts, strict=True):
        if id(case) not in golds:
            golds[id(case)] = gold_traces(case, family)
        trace = golds[id(case)]
        rules = tuple(s.rule for s in case.trace if s.rule) or rules_of(trace[0])
        source = tuple(s.text for s in read_steps(f"{case.rules}\n{case.case}")) if "roscoe" in chosen else ()
        raw = None
        if made.compat:
            reply = final_reply(text).text if text else ""
            raw = authors.Texts(domain_of(case).answer_kind(case).layout, reply, "\n".join(s.text for s in case.trace))
        items.append(Item(model_trace(text), trace, rules, source, raw))
    return items, chosen, made


def score_traces(
    predictions: Sequence[object],
    references: Sequence[Sequence[object]],
    metrics: Sequence[str] = ("srmr",),
    *,
    rules: Sequence[Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    encoder: str | Encoder = "minilm",
    progress: Progress | None = None,
    **options: object,
) -> tuple[list[dict[str, float]], Summary]:
    """Score traces without cases: what the `evaluate` modules call.

    predictions: traces as text, lists of steps, or JSON. references: for each prediction its reference traces.
    rules: the gold's rule numbers (default: those that the first reference cites). sources: rules and case text, for
    ROSCOE. Returns figures and summary as `summarise`. Raises InputError naming the place of a bad prediction.
    """
    chosen, made = chosen_metrics(metrics), made_options(options)
    if len(references) != len(predictions):
        raise InputError(f"references: found {len(references)}, expected {len(predictions)}, one list a prediction")
    items = []
    for place, (prediction, family) in enumerate(zip(predictions, references, strict=True)):
        golds = tuple(read_steps(r) for r in family) or ((),)
        cited = tuple(rules[place]) if rules is not None else rules_of(golds[0] if golds else ())
        source = tuple(s.text for s in read_steps(sources[place])) if sources is not None else ()
        model = model_trace(prediction) if isinstance(prediction, str) else read_steps(prediction)
        items.append(Item(model, golds, cited, source))
    return summarise_items([str(n) for n in range(len(items))], items, chosen, encoder, made, progress)
