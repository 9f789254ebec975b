"""One run of trace metrics over items that are read already: strings embedded once, figures, means, baselines."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from holmes.errors import InputError
from holmes.reading.steps import TraceStep
from holmes.scoring.trace import compat as authors
from holmes.scoring.trace.alignment import align_family
from holmes.scoring.trace.baselines import BASELINES
from holmes.scoring.trace.bertscore import BertScorer
from holmes.scoring.trace.coverage import rule_coverage, rules_of
from holmes.scoring.trace.encoder import Encoder, Progress
from holmes.scoring.trace.encoders import load_encoder
from holmes.scoring.trace.roscoe import Similarities, best_reference, roscoe
from holmes.scoring.trace.rouge import Tokenizer, rouge_l
from holmes.scoring.trace.srmr import TAU, Matching, Results, Srmr, srmr
from holmes.scoring.trace.vectors import Embedded

VERSION = "1"
METRICS = ("srmr", "sa", "rouge_l", "bertscore", "roscoe", "rule_coverage")
ENCODED = frozenset({"srmr", "sa", "roscoe"})  # the metrics that need a sentence encoder
Trace = tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """How traces are scored; every field stands in the signature."""

    tau: float = TAU
    matching: Matching = "greedy"
    results: Results = "strict"
    tokenizer: Tokenizer = "rouge_score"
    tokens: bool = False  # ROSCOE's two token scores: one model call a step and source sentence
    compat: str = ""  # "" or "holmes-2026"
    bertscore: BertScorer = field(default_factory=BertScorer)


_AUTHORS = Options(results="authors")  # what their mode always does: other choices are refused, not ignored
_FIXED = ("tau", "matching", "tokenizer")


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over a run (nothing dropped), the baselines' means, how many outputs held no trace, the signatures."""

    cases: int
    no_trace: int
    means: Mapping[str, float]
    baselines: Mapping[str, Mapping[str, float]]
    signature: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Item:
    """One output and its gold family, read: steps, whole text, source sentences."""

    model: Trace
    golds: tuple[Trace, ...]
    rules: tuple[str, ...]
    source: tuple[str, ...] = ()
    texts: authors.Texts | None = None  # raw texts for compat

    @property
    def whole(self) -> str:
        return whole(self.model)


def metric_names(text: str) -> list[str]:
    """Split the names of metrics as options hold them: joined by ``+``, commas or spaces."""
    return [name for name in re.split(r"[+,\s]+", text) if name]


def chosen_metrics(metrics: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics, each once; raises InputError for a name that is none."""
    chosen = tuple(dict.fromkeys([metrics] if isinstance(metrics, str) else metrics))
    for name in chosen:
        if name not in METRICS:
            raise InputError(f"metrics: found {name!r}, expected names from {', '.join(METRICS)}")
    return chosen


def made_options(options: Mapping[str, object]) -> Options:
    """Return the options as `Options`; raises InputError for an unknown one."""
    known = Options.__dataclass_fields__
    for name in options:
        if name not in known:
            raise InputError(f"trace option: found {name!r}, expected one of {', '.join(known)}")
    made = Options(**options)  # type: ignore[arg-type]
    if made.compat not in ("", authors.NAME):
        raise InputError(f"compat: found {made.compat!r}, expected {authors.NAME!r}")
    for name in _FIXED if made.compat else ():
        value, fixed = getattr(made, name), getattr(_AUTHORS, name)
        if value != fixed:
            raise InputError(f"trace option {name}: found {value!r}, expected {fixed!r} with compat={made.compat!r}")
    return replace(made, results=_AUTHORS.results) if made.compat else made


def summarise_items(
    ids: Sequence[str],
    items: Sequence[Item],
    metrics: Sequence[str],
    encoder: str | Encoder,
    options: Options,
    progress: Progress | None,
) -> tuple[list[dict[str, float]], Summary]:
    """Score items and, in the same pass over the encoder, the four baselines; return figures and summary."""
    model = encoder_for(encoder, metrics)
    golds = [item.golds[0] if item.golds else () for item in items]
    theirs = [authors.sides(item.texts)[1] if item.texts is not None else () for item in items]
    sets = [list(items)]
    for build in BASELINES.values():
        baseline = [Item(m, i.golds, i.rules, i.source) for m, i in zip(build(ids, golds), items, strict=True)]
        if options.compat:  # made of the gold's steps as the authors read them, and scored as they score
            made = zip(items, build(ids, theirs), strict=True)
            raw = [replace(i.texts, reply=reply) if i.texts else None for i, reply in made]
            baseline = [replace(item, texts=text) for item, text in zip(baseline, raw, strict=True)]
        sets.append(baseline)
    scored = score_items([item for group in sets for item in group], metrics, model, options, progress)
    count = len(items)
    means = [average(scored[n * count : (n + 1) * count]) for n in range(len(sets))]
    return scored[:count], Summary(
        cases=count,
        no_trace=sum(int(s["no_trace"]) for s in scored[:count]),
        means=means[0],
        baselines=dict(zip(BASELINES, means[1:], strict=True)),
        signature=signatures(metrics, model, options, max((len(i.golds) for i in items), default=1)),
    )


def average(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of every figure; an empty run gives no figures.

    Nothing is dropped: no trace is 0. Only ``compat`` knows NaN, which leaves the mean, as in the authors' tables.
    """
    names = dict.fromkeys(name for s in scores for name in s)
    kept = {name: [s[name] for s in scores if name in s and not math.isnan(s[name])] for name in names}
    return {name: statistics.fmean(values) if values else math.nan for name, values in kept.items()}


def signatures(metrics: Sequence[str], encoder: Encoder | None, options: Options, references: int) -> dict[str, str]:
    """Return for each metric the string that says how its figures were made: version, encoder and hash, options."""
    name = encoder.signature if encoder is not None else ""
    how = f"compat:{options.compat}|reading:{authors.READING}|" if options.compat else ""
    parts = {
        "srmr": f"{how}tau:{options.tau}|match:{options.matching}|results:{options.results}|enc:{name}",
        "sa": f"{how}refs:{1 if options.compat else references}|enc:{name}",
        "rouge_l": f"{how}tok:{options.tokenizer}|stem:no",
        "roscoe": f"tokens:{'yes' if options.tokens else 'no'}|enc:{name}",
        "rule_coverage": "sets",
    }
    if "bertscore" in metrics:
        parts["bertscore"] = f"enc:{options.bertscore.signature}"
    return {m: f"{m}|v:{VERSION}|{parts[m]}" for m in metrics}


def whole(steps: Trace) -> str:
    """Return a trace as one text, a statement a line: what ROUGE-L and BERTScore see."""
    return "\n".join(step.text for step in steps)


def encoder_for(encoder: str | Encoder, metrics: Sequence[str]) -> Encoder | None:
    """Return the encoder if one of the metrics needs it."""
    return load_encoder(encoder) if ENCODED & set(metrics) else None


def score_items(
    items: Sequence[Item], metrics: Sequence[str], encoder: Encoder | None, options: Options, progress: Progress | None
) -> list[dict[str, float]]:
    """Return the figures of each item; the only place where an encoder is called."""
    wanted = {text for item in items for text in _strings(item, metrics)}
    if encoder is not None:
        embedded = Embedded(encoder, wanted, progress)
    if "bertscore" in metrics:
        options.bertscore.encode((t for i in items for t in [i.whole, *(whole(g) for g in i.golds)]), progress)
    scores = []
    for item in items:
        figures: dict[str, float] = {
            "trace_steps": float(len(item.model)),
            "no_trace": float(not item.model),
        }
        if options.compat and item.texts is not None:
            figures |= authors.score(item.texts, metrics, embedded if encoder is not None else None)
        else:
            figures |= _ours(item, metrics, embedded if encoder is not None else None, options)
        if "bertscore" in metrics:
            b = options.bertscore.score(item.whole, [whole(g) for g in item.golds])
            figures |= {"bertscore_p": b.precision, "bertscore_r": b.recall, "bertscore_f1": b.f1}
            figures["bertscore_long"] = float(b.long)
        if "roscoe" in metrics and encoder is not None:
            figures |= _roscoe(item, embedded, encoder, options)
        if "rule_coverage" in metrics:
            c = rule_coverage(rules_of(item.model), item.rules)
            figures |= {"rule_precision": c.precision, "rule_recall": c.recall, "rule_f1": c.f1, "rule_order": c.order}
        scores.append(figures)
    return scores


def _ours(item: Item, metrics: Sequence[str], embedded: Embedded | None, options: Options) -> dict[str, float]:
    """Return the figures of the metrics that have an authors' mode, in ours."""
    figures: dict[str, float] = {}
    if "srmr" in metrics and embedded is not None:
        best = _best_srmr(item, embedded, options)
        figures |= {"srmr": best.f1, "srmr_precision": best.precision, "srmr_recall": best.recall}
    if "sa" in metrics and embedded is not None:
        figures |= _alignment(item, embedded)
    if "rouge_l" in metrics:
        figures["rouge_l"] = rouge_l(item.whole, [whole(g) for g in item.golds], tokenizer=options.tokenizer)
    return figures


def _strings(item: Item, metrics: Sequence[str]) -> list[str]:
    strings: list[str] = []
    ours = {"srmr", "sa"} & set(metrics) if item.texts is None else set()
    for trace in (item.model, *item.golds):
        strings += [s.description for s in trace] if "srmr" in ours else []
        strings += [statement(s) for s in trace] if "sa" in ours or "roscoe" in metrics else []
        strings += [whole(trace)] if "roscoe" in metrics else []
    if "roscoe" in metrics:
        strings += [*item.source, "\n".join(item.source)]
    if item.texts is not None and {"srmr", "sa"} & set(metrics):
        strings += authors.strings(item.texts)
    return strings


def _best_srmr(item: Item, embedded: Embedded, options: Options) -> Srmr:
    model = [s.description for s in item.model]
    each = [
        srmr(
            item.model,
            gold,
            embedded.similarity(model, [s.description for s in gold]),
            tau=options.tau,
            matching=options.matching,
            results=options.results,
        )
        for gold in item.golds
    ]
    return max(each, key=lambda s: s.order)


def statement(step: TraceStep) -> str:
    """Return what SA and ROSCOE embed of a step; without its full stop it is often the description: embedded once."""
    return step.text.rstrip(".。 ") or step.text


def _alignment(item: Item, embedded: Embedded) -> dict[str, float]:
    model = [statement(s) for s in item.model]
    a = align_family([embedded.similarity(model, [statement(s) for s in gold]) for gold in item.golds])
    return {
        "sa_p": a.precision,
        "sa_r": a.recall,
        "sa_f1": a.f1,
        "sa_coherent_p": a.coherent.precision,
        "sa_coherent_r": a.coherent.recall,
        "sa_coherent_f1": a.coherent.f1,
    }


def _roscoe(item: Item, embedded: Embedded, encoder: Encoder, options: Options) -> dict[str, float]:
    model, source = [statement(s) for s in item.model], list(item.source)
    h_tokens = encoder.tokens(model) if options.tokens else []
    s_tokens = encoder.tokens(source) if options.tokens else []
    each = []
    for gold in item.golds:
        steps = [statement(s) for s in gold]
        chain = [whole(item.model)]
        cosines = Similarities(
            h_s=embedded.similarity(model, source),
            h_r=embedded.similarity(model, steps),
            r_s=embedded.similarity(steps, source),
            h_h=embedded.similarity(model, model),
            chain_hs=float(embedded.similarity(chain, ["\n".join(source)])[0, 0]),
            chain_hr=float(embedded.similarity(chain, [whole(gold)])[0, 0]),
        )
        each.append(roscoe(cosines, h_tokens, s_tokens))
    return {f"roscoe_{name}": value for name, value in best_reference(each).items()}
