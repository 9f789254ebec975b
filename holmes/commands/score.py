"""`holmes score`: logged outputs scored again, by the same function that scored the run."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command()
@click.option("--samples", required=True, type=click.Path(), help="A samples_*.jsonl, or lines {id, outputs}.")
@click.option("--task", required=True, help="The task the outputs belong to.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option, e.g. timeout=5.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def score(samples: str, task: str, options: tuple[str, ...], as_json: bool) -> None:
    """Score logged outputs without a model: value, outcome and reason of every generation."""
    from holmes.samples import read_samples
    from holmes.scoring import run
    from holmes.tasks import override, task_spec

    spec = task_spec(task)
    read = [(s, override(s.options, options)) for s in read_samples(samples, spec)]
    run.prepare([(s.case, spec, chosen, s.texts) for s, chosen in read])
    cases: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for sample, chosen in read:
        scores = run.score_outputs(sample.case, spec, chosen, sample.texts)
        rows.append(run.case_metrics(sample.case, spec, scores))
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
        click.echo(json.dumps({"task": task, "signature": signature, "cases": cases, "summary": summary}))
        return
    for case in cases:
        for j, made in enumerate(case["generations"], 1):
            answer = "—" if made["answer"] is None else made["answer"]
            click.echo(f"{case['id']} #{j}: {made['outcome']} (gold {case['gold']}, read {answer}): {made['reason']}")
    click.echo(f"{task}: {len(cases)} cases  " + "  ".join(f"{k} {v:.3f}" for k, v in summary.items()))
