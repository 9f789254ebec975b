"""From the K outputs of a case to named numbers, the same for a live run and for logged samples."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from holmes import stats
from holmes.answers.audit_report.kind import OPTIONAL
from holmes.cases import Case
from holmes.interfaces import Task
from holmes.options import PROMPT_VERSION, Options
from holmes.registry import domain_of
from holmes.results import Outcome, Score
from holmes.scoring import counterfactual
from holmes.scoring.core import score
from holmes.stats import Estimate, Interval, bootstrap, macro_f1_interval, mean_interval
from holmes.stats.intervals import METHOD as INTERVAL
from holmes.tasks import own_spec
from holmes.version import __version__

if TYPE_CHECKING:
    from holmes.scoring.trace.samples import Summary

RULE_PARTS = ("rule_precision", "rule_recall", "rule_f1")
DERIVATION_PARTS = (
    *("deriv_soundness", "deriv_precision", "deriv_coverage", "deriv_f1", "deriv_critical", "deriv_supported"),
    *("deriv_error", "deriv_leap", "deriv_none", "deriv_undefined", "deriv_weak", "shortcut"),
    *("deriv_read", "deriv_contract"),
)
FAULTS = frozenset(DERIVATION_PARTS[6:12])  # the lower the better
TWO_LEVEL = "deontic-2026"  # the compat whose intervals are the paper's two-level bootstrap
READ_AS = ("contract", "cue", "inferred")
READ_SHARES = tuple(f"read_{how}" for how in READ_AS)
"""Shares of the outputs whose answer was read in the form asked for, by another cue, from prose without one."""


def score_outputs(case: Case, spec: Task, options: Options, texts: Sequence[str | None]) -> list[Score]:
    """Score the K outputs of one case; an empty list of outputs is one output that the host never returned."""
    own = own_spec(case, spec)
    chosen = _scoring_options(own, options)
    scores = [score(case, text, own.mode, **chosen) for text in (texts or [None])]
    if not (scores_derivations(spec, options) and scores_derivations(own, options)):
        return scores
    from holmes.scoring.derivation.parts import with_derivation

    given = options.given
    return [with_derivation(case, text, one, given) for text, one in zip(texts or [None], scores, strict=True)]


def scores_derivations(spec: Task, options: Options) -> bool:
    """Say whether the reasoning in outputs is held against derivations: it is asked for, and the cases are ours."""
    asked = options.derivations and options.trace != "none" and not options.compat
    return "derivations" in spec.metrics and asked


def _scoring_options(spec: Task, options: Options) -> dict[str, Any]:
    if spec.mode == "prolog":
        return {"accept_bare": options.accept_bare, "runner": _runner(options.timeout, options.workers)}
    return {"compat": options.compat} if options.compat else {}


@functools.lru_cache(maxsize=4)
def _runner(timeout: float, workers: int) -> Any:
    from holmes.prolog import Limits, Runner

    return Runner(Limits(timeout=timeout), workers=workers, cache=True)


def more_metrics(spec: Task, options: Options) -> tuple[str, ...]:
    """Return the metrics of a task that its file does not list: of derivations, and accuracy by higher-order type."""
    from holmes.derivations.operations import TYPES

    derivations = DERIVATION_PARTS if scores_derivations(spec, options) else ()
    reports = OPTIONAL if "report" in spec.metrics else ()
    reads = READ_SHARES if spec.mode == "answer" else ()
    return (*derivations, *(f"acc_{kind}" for kind in TYPES), *reports, *reads)


def prepare(items: Sequence[tuple[Case, Task, Options, Sequence[str | None]]]) -> None:
    """Run every program of a run at once, so that scoring finds the results; nothing to do for other tasks."""
    by_options: dict[tuple[float, int, bool], list[tuple[Case, str | None]]] = {}
    for case, spec, options, texts in items:
        if own_spec(case, spec).mode == "prolog":
            key = (options.timeout, options.workers, options.accept_bare)
            by_options.setdefault(key, []).extend((case, text) for text in texts)
    for (timeout, workers, bare), pairs in by_options.items():
        from holmes.answers.program import warm

        warm(pairs, runner=_runner(timeout, workers), accept_bare=bare)


def trace_figures(
    cases: Sequence[Case],
    outputs: Sequence[Sequence[str | None]],
    options: Options,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[dict[str, float]], Summary]:
    """Score the traces of a whole run at once: unique strings are embedded once, no model is called a sample.

    cases, outputs: aligned, K outputs a case. options: ``trace_metrics`` names the metrics, ``encoder`` the encoder.
    Returns the figures of each case (means over its K outputs) and the run's summary, baselines beside every score.
    A figure that the authors' mode leaves undefined is NaN: it leaves the mean over outputs, as it does over cases.
    """
    from holmes.scoring.trace.run import metric_names
    from holmes.scoring.trace.samples import summarise as summarise_traces

    flat = [(case, text) for case, texts in zip(cases, outputs, strict=True) for text in (texts or [None])]
    figures, summary = summarise_traces(
        [case for case, _ in flat],
        [text for _, text in flat],
        metric_names(options.trace_metrics),
        encoder=options.encoder,
        progress=progress,
        compat=options.compat if options.compat == "holmes-2026" else "",
    )
    rows, place = [], 0
    for texts in outputs:
        own = figures[place : place + max(1, len(texts))]
        place += len(own)
        rows.append({name: _defined_mean([figure[name] for figure in own]) for name in own[0]})
    return rows, summary


def case_metrics(case: Case, spec: Task, scores: Sequence[Score], options: Options | None = None) -> dict[str, Any]:
    """Return the metrics of one case: means over its K scores, and the K values that interval metrics need.

    scores: at least one. options: of the run; its compat decides what an absent class is worth in macro-F1.
    A metric that is undefined for a case (deriv_critical without critical steps, acc_PR of a case without that type,
    check_acc of an imported case, item_acc under the authors' scoring) is left out, and its mean is over the others.
    """
    compat = options.compat if options is not None else ""
    by_paper = compat == TWO_LEVEL
    ends = drawn(scores, compat)
    named: dict[str, Any] = {
        "acc": _mean([s.value for s in scores]),
        "acc_ci_lo": ends,
        "acc_ci_hi": ends,
        "abstained": _mean([not s.outcome.answered for s in scores]),
        "failed": _mean([s.outcome is Outcome.FAILED for s in scores]),
    }
    if spec.mode == "answer":
        named |= {f"read_{how}": _mean([s.read_as == how for s in scores]) for how in READ_AS}
    own = own_spec(case, spec) if "derivations" in spec.metrics else spec
    if "families" in spec.metrics:
        named |= dict.fromkeys(counterfactual.AGGREGATIONS, counterfactual.family_row(case, scores))
    if "citations" in own.metrics and (options is None or options.trace != "none"):
        named |= {part: _mean([s.parts.get(part, 0.0) for s in scores]) for part in RULE_PARTS}
    if not spec.mixed:
        named |= domain_of(case).answer_kind(case, spec.mode).metrics(scores)
    if scores_derivations(spec, options or Options()) and scores_derivations(own, options or Options()):
        for name in DERIVATION_PARTS:
            if defined := [s.parts[name] for s in scores if name in s.parts]:
                named[name] = _mean(defined)
    types = (counterfactual.type_of(case),) if "families" in spec.metrics else case.hol_types
    named |= {f"acc_{kind}": named["acc"] for kind in types if kind}
    if "macro_f1" in spec.metrics:
        pairs: list[Any] = [case.answer, [s.answer if s.outcome.answered else None for s in scores], list(case.choices)]
        if by_paper:
            pairs.append("zero")
        named |= dict.fromkeys(("macro_f1", "macro_f1_ci_lo", "macro_f1_ci_hi"), pairs)
    return named


def drawn(scores: Sequence[Score], compat: str) -> list[Any]:
    """Return what the interval of accuracy is worked out from for one case: its K values, marked where the paper's
    bootstrap is to be used."""
    return [*(s.value for s in scores), *([TWO_LEVEL] if compat == TWO_LEVEL else [])]


def _mean(values: Sequence[float | bool]) -> float:
    return sum(map(float, values)) / len(values)


def _defined_mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are defined; NaN where none is."""
    defined = [value for value in values if not math.isnan(value)]
    return _mean(defined) if defined else math.nan


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Aggregate the per-case metrics of a run, each over the cases that have it, as the hosts do.

    A figure that is NaN in a row is undefined there and leaves the mean; one that no row defines is NaN.
    """
    found: dict[str, float] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        defined = [value for value in values if not (isinstance(value, float) and math.isnan(value))]
        found[name] = aggregation(name)(defined) if defined else math.nan
    return found


def averages(rows: Sequence[dict[str, float]], names: Sequence[str]) -> dict[str, float]:
    """Return the mean of each named figure over the rows that have it; nan, undefined, for a figure of no row."""
    found = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: _mean(values) if values else math.nan for name, values in found.items()}


def aggregation(name: str) -> Any:
    """Return how a metric is aggregated over cases: a mean, or an end of an interval."""
    from holmes.scoring import run

    special = {"acc_ci_lo": "interval_low", "acc_ci_hi": "interval_high", "macro_f1": "macro_f1"}
    if name in counterfactual.AGGREGATIONS:
        return counterfactual.AGGREGATIONS[name]
    special |= {"macro_f1_ci_lo": "macro_f1_low", "macro_f1_ci_hi": "macro_f1_high"}
    return getattr(run, special[name]) if name in special else _mean


def interval_low(values: Sequence[Sequence[Any]]) -> float:
    """Return the lower end of the 95 % interval of accuracy; nan where there is none. values: cases × K."""
    return _end(_accuracy(tuple(map(tuple, values))).low)


def interval_high(values: Sequence[Sequence[Any]]) -> float:
    """Return the upper end of the 95 % interval of accuracy; nan where there is none. values: cases × K."""
    return _end(_accuracy(tuple(map(tuple, values))).high)


def macro_f1(rows: Sequence[Any]) -> float:
    """Return macro-F1, an abstention counting as the opposite class.

    rows: [gold, K answers or None, classes], and "zero" after them where an absent class counts 0.
    """
    return _end(_macro_f1(json.dumps(rows)).value)


def macro_f1_low(rows: Sequence[Any]) -> float:
    """Return the lower end of the 95 % interval of macro-F1."""
    return _end(_macro_f1(json.dumps(rows)).low)


def macro_f1_high(rows: Sequence[Any]) -> float:
    """Return the upper end of the 95 % interval of macro-F1."""
    return _end(_macro_f1(json.dumps(rows)).high)


def _end(value: float | None) -> float:
    return math.nan if value is None else value


@functools.lru_cache(maxsize=8)
def _accuracy(values: tuple[tuple[Any, ...], ...]) -> Interval | Estimate:
    """The headline interval, or the paper's two-level bootstrap for a run that is scored as the paper does."""
    if any(TWO_LEVEL in row for row in values):
        return bootstrap([row[:-1] for row in values])
    return mean_interval(values)


@functools.lru_cache(maxsize=8)
def _macro_f1(rows: str) -> Interval | Estimate:
    read = json.loads(rows)
    # Classes by position, so that an aggregation over a task sees the same two classes in every case.
    golds = [classes.index(gold) for gold, _, classes, *_ in read]
    outputs = [[classes.index(o) if o in classes else None for o in found] for _, found, classes, *_ in read]
    if any("zero" in row[3:] for row in read):
        named = [[None if o is None else str(o) for o in row] for row in outputs]
        return stats.macro_f1([str(gold) for gold in golds], named, ("0", "1"), absent="zero")
    tables = [confusion_shares(gold, row) for gold, row in zip(golds, outputs, strict=True)]
    return macro_f1_interval(tables, sum(map(len, outputs)))


def confusion_shares(gold: int, read: Sequence[int | None]) -> list[float]:
    """Return the shares of a case's outputs that are true negatives, false positives, false negatives, true positives.

    gold: class 0 or 1. read: the class of each output; None, an abstention, is the class that the gold is not.
    """
    shares = [0.0] * 4
    for found in read:
        shares[2 * gold + (1 - gold if found is None else found)] += 1 / len(read)
    return shares


def signature(spec: Task, options: Options) -> str:
    """Return how the numbers of a run were made: task, scoring mode, options that are not the default, versions."""
    changed = {k: v for k, v in asdict(options).items() if v != getattr(Options(), k)}
    parts = [
        f"holmes={__version__}",
        f"task={spec.name}",
        f"prompt={spec.prompt}.{PROMPT_VERSION}",
        f"mode={spec.mode}",
    ]
    parts += [f"{k}={v}" for k, v in sorted(changed.items())]
    if spec.mode == "answer":
        from holmes.scoring.answers import VERSION as ANSWERS

        parts.append(f"answers={ANSWERS}")
    if more_metrics(spec, options)[0].startswith("deriv"):
        from holmes.scoring.derivation.parts import VERSION

        parts.append(f"derivations={VERSION}")
    return "|".join([*parts, f"interval={'bootstrap2x1000' if options.compat == TWO_LEVEL else INTERVAL}"])
