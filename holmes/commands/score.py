"""`holmes score`: logged outputs scored again, by the same function that scored the run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from holmes.samples import Sample
    from holmes.tasks import Options


@click.command()
@click.option("--samples", required=True, type=click.Path(), help="A samples_*.jsonl, or lines {id, outputs}.")
@click.option("--task", required=True, help="The task the outputs belong to.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option, e.g. timeout=5.")
@click.option("--trace-metrics", default="", metavar="NAMES", help="srmr,sa,rouge_l,bertscore,roscoe,rule_coverage")
@click.option("--encoder", default="minilm", show_default=True, help="Sentence encoder of the trace metrics.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def score(samples: str, task: str, options: tuple[str, ...], trace_metrics: str, encoder: str, as_json: bool) -> None:
    """Score logged outputs without a model: value, outcome and reason of every generation."""
    from holmes.samples import read_samples
    from holmes.scoring import run
    from holmes.tasks import override, task_spec

    spec = task_spec(task)
    if trace_metrics:
        options = (*options, f"trace_metrics={trace_metrics}", f"encoder={encoder}")
    read = [(s, override(s.options, options)) for s in read_samples(samples, spec)]
    run.prepare([(s.case, spec, chosen, s.texts) for s, chosen in read])
    traces, made = _traces(read)
    cases: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for (sample, chosen), figures in zip(read, traces, strict=True):
        scores = run.score_outputs(sample.case, spec, chosen, sample.texts)
        rows.append(run.case_metrics(sample.case, spec, scores) | figures)
        scalars = {k: v for k, v in rows[-1].items() if not isinstance(v, list)}
        generations = [
            {
                "value": s.value,
                "outcome": s.outcome.value,
                "answer": s.answer,
                "reason": s.reason,
                "parts": dict(s.parts),
            }
            for s in scores
        ]
        cases.append({"id": sample.case.id, "gold": sample.case.answer, "metrics": scalars, "generations": generations})
    summary = run.summarise(rows)
    if as_json:
        signature = run.signature(spec, read[0][1]) if read else ""
        click.echo(json.dumps({"task": task, "signature": signature, "cases": cases, "summary": summary} | made))
        return
    for case in cases:
        for j, one in enumerate(case["generations"], 1):
            answer = "—" if one["answer"] is None else one["answer"]
            click.echo(f"{case['id']} #{j}: {one['outcome']} (gold {case['gold']}, read {answer}): {one['reason']}")
    click.echo(f"{task}: {len(cases)} cases  " + "  ".join(f"{k} {v:.3f}" for k, v in summary.items()))
    for name, figures in made.get("trace_baselines", {}).items():
        click.echo(f"  baseline {name}: " + "  ".join(f"{k} {v:.3f}" for k, v in figures.items()))


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
    baselines = {name: dict(figures) for name, figures in summary.baselines.items()}
    return rows, {"trace_signature": dict(summary.signature), "trace_baselines": baselines}
