"""`holmes build-theories`: whole Isabelle sessions of cases."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("build-theories", short_help="Write Isabelle theories of cases, with ROOT.")
@click.argument("configs", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder: new, or one of theories.")
@click.option("--splits", default="test", show_default=True, help="Splits, joined by commas.")
@click.option("--id", "ids", multiple=True, help="Cases by id, instead of configs; may be repeated.")
@click.option("--bundle", default="", help="Cases of this rule base only.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many cases a config.")
def build_theories(
    configs: tuple[str, ...], out: Path, splits: str, ids: tuple[str, ...], bundle: str, limit: int | None
) -> None:
    """Write a theory for each case of CONFIGS (default: every embedded one), one a rule base, and ROOT.

    `isabelle build -D OUT` compiles them; the session in OUT/false is wrong on purpose and must be refused.
    """
    from holmes.formal.export import Export, write
    from holmes.report.card import layout
    from holmes.services.find import cases_given
    from holmes.store import load_cases

    made = Export()
    if ids:
        chosen = cases_given(ids)
    else:
        chosen = []
        for config in configs or tuple(layout()):
            listed = [case for split in splits.split(",") for case in load_cases(config, split)]
            chosen += [case for case in listed if not bundle or case.bundle == bundle][:limit]
    count = len({made.add(case) for case in {case.id: case for case in chosen}.values()})
    total = write(made.exported(), out)
    click.echo(f"{out}: {total} theories, {count} of them of cases; isabelle build -D {out}")
