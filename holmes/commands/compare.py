"""`holmes compare`: the paired difference of two runs, its interval and p."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from holmes.report.runs import Run


@click.command("compare", short_help="Compare two runs case by case: difference, interval, p.")
@click.argument("a", metavar="[NAME=]A")
@click.argument("b", metavar="[NAME=]B")
@click.option("--metric", default="acc", show_default=True, help="acc, or a part of scores, for example deriv_f1.")
@click.option("--cluster", type=click.Choice(["bundle", "family"]), help="Also an interval over whole clusters.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option.")
@click.option("--seed", default=0, show_default=True, help="Of the sign patterns.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def compare(
    a: str, b: str, metric: str, cluster: str | None, options: tuple[str, ...], seed: int, as_json: bool
) -> None:
    """Compare the runs A and B (folders or samples files) on the cases that both have, task by task."""
    from holmes.errors import InputError
    from holmes.report.comparisons import asked_otherwise, shared, single_p, told_otherwise
    from holmes.report.labels import task as named
    from holmes.report.runs import load
    from holmes.report.tables import percent
    from holmes.report.turned import turned
    from holmes.stats import cluster_bootstrap, detectable, holm
    from holmes.stats import compare as paired

    one, two = (_only(load([text], options=options, workers=os.cpu_count() or 1), text) for text in (a, b))
    rows = []
    for task in (task for task in one.tasks if task in two.tasks):
        first, second = shared(one, two, task, metric)
        if not first:
            continue
        found = paired(first, second, seed=seed)
        row = {"task": task, **asdict(found), "mcnemar_p": single_p(first, second),
               "detectable": detectable(found.cases, found.spread),
               "prompts_differ": asked_otherwise(one, two, task)}  # fmt: skip
        if cluster:
            of = {f"{e.task}\t{e.case.id}": e.case.bundle if cluster == "bundle" else e.case.pair.family
                  for e in one.entries}  # fmt: skip
            ids = sorted(first)
            gaps = [sum(first[i]) / len(first[i]) - sum(second[i]) / len(second[i]) for i in ids]
            row["cluster"] = asdict(cluster_bootstrap(gaps, [of[i] for i in ids], seed=seed))
        rows.append(row)
    if not rows:
        raise InputError(f"compare: found no case with {metric} in both {a} and {b}, expected one or more")
    for row, adjusted in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = adjusted
    twins = turned([replace(one, labels={}), replace(two, labels={})]) if metric == "acc" else None
    if as_json:
        told = {"a": one.name, "b": two.name, "metric": metric, "method": "sign-flip", "tasks": rows}
        click.echo(json.dumps(told | ({"turned": twins.to_dict()} if twins else {})))
        return
    for row in rows:
        click.echo(
            f"{named(row['task'])}: {one.name} {percent(row['a'])}, {two.name} {percent(row['b'])} over {row['cases']} "
            f"cases: difference {percent(row['difference'], sign=True)} points "
            f"[{percent(row['low'], sign=True)}, {percent(row['high'], sign=True)}], p {row['p']:.4f} "
            f"(after Holm {row['p_holm']:.4f}){'; ' + row['note'] if row['note'] else ''}"
        )
        if row["prompts_differ"]:
            click.echo(f"  NOTE: {told_otherwise(one, two, row['task'])}")
        if row["mcnemar_p"] is not None:
            click.echo(
                f"  McNemar's p {row['mcnemar_p']:.4f}; better on {row['better']} cases, worse on {row['worse']}"
            )
        if row["detectable"] is not None:
            click.echo(f"  so many cases show a true difference of {percent(row['detectable'])} points in 4 of 5 tries")
        if cluster and row["cluster"]["low"] is not None:
            told = row["cluster"]
            ends = f"{percent(told['low'], sign=True)}, {percent(told['high'], sign=True)}"
            click.echo(f"  over whole clusters: [{ends}] ({told['note']})")
    for row in twins.to_dict()["rows"] if twins else ():
        _, twin, added, task, _, lost, won, *_ = row
        click.echo(
            f"{task['text']}, {twin['text']} with {added['text']}: of the right answers {lost['text']} % turned wrong "
            f"[{lost.get('range', '')}], of the wrong ones {won['text']} % turned right [{won.get('range', '')}]"
        )


def _only(runs: list[Run], text: str) -> Run:
    from holmes.errors import InputError

    if len(runs) != 1:
        raise InputError(f"{text}: found {len(runs)} runs ({', '.join(run.name for run in runs)}), expected one")
    return runs[0]
