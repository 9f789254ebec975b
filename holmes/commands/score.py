"""`holmes score`: logged outputs scored again, by the same function that scored the run."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from holmes.cases import Case
    from holmes.interfaces import Task
    from holmes.options import Options
    from holmes.results import Score
    from holmes.scoring.derivation.judge import Judge
    from holmes.services.samples import Sample
    from holmes.services.task_groups import Group
    from holmes.stats import Interval

    Pooled = tuple[Case, list[Score], str]  # a case, its scores, the compat they were made with

_BY_PAPER = "two-level bootstrap"  # of DeonticBench B.3: how pooled figures get their interval


@click.command()
@click.option(
    "--samples",
    required=True,
    multiple=True,
    type=click.Path(),
    help="A samples_*.jsonl, or {id, outputs}; for a group also a folder that lm_eval wrote.",
)
@click.option("--task", "tasks", required=True, multiple=True, help="The task, or group of tasks, they belong to.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option, e.g. timeout=5.")
@click.option("--trace-metrics", default="", metavar="NAMES", help="srmr,sa,rouge_l,bertscore,roscoe,rule_coverage")
@click.option("--encoder", default="minilm", show_default=True, help="Sentence encoder of the trace metrics.")
@click.option("--judge", default="", metavar="URL", help="Also judge the traces by a chat model behind this address.")
@click.option("--judge-model", default="", metavar="NAME", help="Its name there.")
@click.option("--judge-cache", default="", type=click.Path(), help="Where its answers are kept. [default: the cache]")
@click.option("--by", multiple=True, metavar="KEY", help="Break the figures down: type, height, conflicts, scopes, …")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def score(
    samples: tuple[str, ...],
    tasks: tuple[str, ...],
    options: tuple[str, ...],
    trace_metrics: str,
    encoder: str,
    judge: str,
    judge_model: str,
    judge_cache: str,
    by: tuple[str, ...],
    as_json: bool,
) -> None:
    """Score logged outputs without a model: value, outcome and reason of every generation.

    Several --samples, each with its --task in the same order, are also pooled: macro-F1 over the two-class cases,
    numeric accuracy over the amounts, bootstrap mean and interval (DeonticBench B.3; --option compat=deontic-2026).
    A --task may be a group (holmes_finance, deontic_sara, holmes): every leaf is scored, and the group over its cases.
    A group alone takes all --samples.
    """
    from holmes.services.task_groups import groups, read_task

    if len(tasks) == 1 and (len(samples) == 1 or tasks[0] in groups()):
        pairs = [(samples, tasks[0])]
    elif len(samples) == len(tasks):
        pairs = [((file,), task) for file, task in zip(samples, tasks, strict=True)]
    else:
        raise click.UsageError(f"found {len(samples)} --samples and {len(tasks)} --task, expected one --task each")
    if bool(judge) != bool(judge_model):
        raise click.UsageError("--judge and --judge-model: found one without the other, expected both or none")
    if trace_metrics:
        options = (*options, f"trace_metrics={trace_metrics}", f"encoder={encoder}")
    judging = _judge(judge, judge_model, judge_cache) if judge else None
    read = [(task, read_task(files, task)) for files, task in pairs]
    _check(read, options)
    documents: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    pool: list[Pooled] = []
    for task, leaves in read:
        of_task: list[Pooled] = []
        scored = [_document(spec, rows, options, by, judging, of_task) for spec, rows in leaves]
        documents += scored
        if task in groups():
            found.append(_group(groups()[task], scored, of_task))
        pool += of_task
    pooled = _pooled(pool) if len(documents) > 1 and not found else {}
    if as_json:
        several = {"tasks": documents, "pooled": {k: asdict(v) for k, v in pooled.items()}}
        shown = {"tasks": documents, "groups": found} if found else several if pooled else documents[0]
        click.echo(json.dumps(shown, allow_nan=False))
        return
    for document in documents:
        _print(document)
    for group in found:
        _print_group(group)
    for name, figure in pooled.items():
        told = f"{figure.mean:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
        click.echo(f"pooled {name}, {_BY_PAPER}: mean {told} over {figure.cases} cases")


def _check(read: list[tuple[str, list[tuple[Task, list[Sample]]]]], given: tuple[str, ...]) -> None:
    """Try what scoring needs before anything is scored."""
    from holmes.hosts.needs import check_task
    from holmes.options import override

    for spec, options in {
        (spec, override(s.options, given)) for _, leaves in read for spec, rows in leaves for s in rows
    }:
        check_task(spec, options)


def _group(group: Group, documents: list[dict[str, Any]], pool: list[Pooled]) -> dict[str, Any]:
    """The row of a group: its figures over the cases of its leaves, which leaves it lacks, intervals over all cases."""
    from holmes.scoring import run
    from holmes.services.task_groups import averaged

    leaves = {d["task"]: (len(d["cases"]), d["summary"]) for d in documents}
    means = averaged(group, leaves)
    rows = [run.drawn(scores, compat) for _, scores, compat in pool]
    ends = {"acc_ci_lo": run.interval_low(rows), "acc_ci_hi": run.interval_high(rows)}
    return {
        "group": group.name,
        "tasks": list(leaves),
        "missing": [leaf for leaf in group.leaves if leaf not in leaves],
        "cases": len(pool),
        "average": "over cases",
        "summary": {"acc": means.get("acc"), **_defined(ends), **means},
        "pooled_by": _BY_PAPER,
        "pooled": {name: asdict(figure) for name, figure in _pooled(pool).items()},
    }


def _print_group(group: dict[str, Any]) -> None:
    count = f"{group['cases']} cases of {len(group['tasks'])} tasks, averaged over cases"
    click.echo(f"{group['group']}: {count}  {_shown(group['summary'])}")
    if group["missing"]:
        click.echo(f"  without {', '.join(group['missing'])}: no outputs")
    for name, figure in group["pooled"].items():
        click.echo(f"  {name}, {_BY_PAPER}: {figure['value']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]")


def _document(
    spec: Task,
    samples: list[Sample],
    options: tuple[str, ...],
    by: tuple[str, ...],
    judging: Judge | None,
    pool: list[Pooled],
) -> dict[str, Any]:
    """Score the samples of one task; its cases, scores and compat are added to the pool."""
    from holmes.options import override
    from holmes.report.breakdown import breakdown
    from holmes.scoring import run

    read = [(s, override(s.options, options)) for s in samples]
    run.prepare([(s.case, spec, chosen, s.texts) for s, chosen in read])
    traces, made = _traces(read)
    if judging is not None:
        from holmes.scoring.derivation.judge import judge_run

        judged = judge_run(judging, [s.case for s, _ in read], [s.texts for s, _ in read])
        traces = [{**own, **more} for own, more in zip(traces, judged, strict=True)]
    cases: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for (sample, chosen), figures in zip(read, traces, strict=True):
        scores = run.score_outputs(sample.case, spec, chosen, sample.texts)
        pool.append((sample.case, scores, chosen.compat))
        rows.append(run.case_metrics(sample.case, spec, scores, chosen) | figures)
        scalars = {k: v for k, v in rows[-1].items() if not isinstance(v, list)}
        generations = [
            {
                "value": s.value,
                "outcome": s.outcome.value,
                "answer": s.answer,
                "read_as": s.read_as,
                "reason": s.reason,
                "parts": dict(s.parts),
            }
            for s in scores
        ]
        cases.append(
            {"id": sample.case.id, "gold": sample.case.answer, "metrics": _defined(scalars), "generations": generations}
        )
    signature = run.signature(spec, read[0][1]) if read else ""
    signature += f"|judge={judging.chat.model}" if judging is not None else ""
    if tables := _tables([(s.case, s.texts) for s, _ in read]):
        made = made | {"tables": tables}
    summary = _defined(run.summarise(rows))
    document = {"task": spec.name, "signature": signature, "cases": cases, "summary": summary} | made
    if by:
        groups = {key: breakdown([s.case for s, _ in read], rows, key) for key in by}
        document["breakdown"] = {key: {g: _defined(f) for g, f in found.items()} for key, found in groups.items()}
    return document


def _tables(rows: Sequence[tuple[Case, Sequence[str | None]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables that the domain of the cases has for a run; none where several are mixed."""
    from holmes.registry import domain_of

    if len({(case.source, case.domain) for case, _ in rows}) != 1:
        return {}
    return dict(domain_of(rows[0][0]).tables(rows))


def _defined(figures: dict[str, float]) -> dict[str, float | None]:
    """None for a figure that is undefined (crs where no original is right): JSON knows no nan."""
    return {name: None if math.isnan(value) else value for name, value in figures.items()}


def _shown(figures: dict[str, float | None]) -> str:
    return "  ".join(f"{name} {'undefined' if v is None else f'{v:.3f}'}" for name, v in figures.items())


def _judge(url: str, model: str, cache: str) -> Judge:
    from pathlib import Path

    from holmes.hosts.needs import check_folder, check_judge
    from holmes.scoring.derivation.judge import Judge
    from holmes.util.chat import Chat

    check_judge(url)
    if cache:
        check_folder(Path(cache), "--judge-cache")
    return Judge(Chat(url, model, options={"temperature": 0}), Path(cache) if cache else None)


def _pooled(pool: list[Pooled]) -> dict[str, Interval]:
    """Figures over the cases of all files; what a class absent from a sample is worth must be agreed on."""
    from holmes.errors import InputError
    from holmes.scoring.summary import summarise

    if len(compats := sorted({compat for _, _, compat in pool})) > 1:
        raise InputError(
            f"option compat: found {' and '.join(map(repr, compats))}, expected one: give --option compat="
        )
    return summarise([case for case, _, _ in pool], [scores for _, scores, _ in pool], compat=compats[0])


def _print(document: dict[str, Any]) -> None:
    for case in document["cases"]:
        for j, one in enumerate(case["generations"], 1):
            answer = "—" if one["answer"] is None else one["answer"]
            click.echo(f"{case['id']} #{j}: {one['outcome']} (gold {case['gold']}, read {answer}): {one['reason']}")
    click.echo(f"{document['task']}: {len(document['cases'])} cases  {_shown(document['summary'])}")
    for key, groups in document.get("breakdown", {}).items():
        for group, shown in groups.items():
            values = _shown({k: v for k, v in shown.items() if k != "cases"})
            click.echo(f"  {key} {group}: {shown['cases']} cases  {values}")
    _print_tables(document.get("tables", {}))
    for name, baseline in document.get("trace_baselines", {}).items():
        click.echo(f"  baseline {name}: {_shown(baseline)}")


def _print_tables(tables: dict[str, list[dict[str, Any]]]) -> None:
    for name, rows in tables.items():
        for row in rows:
            click.echo("  " + name + "  " + "  ".join(f"{key} {value}" for key, value in row.items()))


def _traces(read: list[tuple[Sample, Options]]) -> tuple[list[dict[str, float]], dict[str, Any]]:
    """Trace figures a case, and their signatures and baselines; empty where none are asked for."""
    from holmes.scoring import run

    if not read or not read[0][1].trace_metrics:
        return [{} for _ in read], {}
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        job = bar.add_task("embedding")
        rows, summary = run.trace_figures(
            [s.case for s, _ in read],
            [s.texts for s, _ in read],
            read[0][1],
            lambda done, total: bar.update(job, completed=done, total=total),
        )
    baselines = {name: _defined(dict(figures)) for name, figures in summary.baselines.items()}
    return rows, {"trace_signature": dict(summary.signature), "trace_baselines": baselines}
