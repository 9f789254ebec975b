"""`holmes show`: one case in full."""

from __future__ import annotations

import json

import click

from holmes.commands.bundle import bundle_option


@click.command("show", short_help="Show one case: rules, text, trace, derivations, programs.")
@click.argument("case_id")
@click.option("--config", default="", help="Look in this config only.")
@click.option("--derivations", is_flag=True, help="Every listed minimal sufficient derivation, one step a line.")
@click.option(
    "--formal", type=click.Choice(["prolog", "isabelle", "hol-light"]), help="Print the program or theory only."
)
@click.option("--json", "as_json", is_flag=True, help="Print the case as one JSON document.")
@bundle_option
@click.option("--prompt", is_flag=True, help="Print the prompt only, as a model gets it.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A task option of the prompt.")
@click.option("--html", "as_html", is_flag=True, help="Print a page of the case: derivation, graph, program.")
def show(
    case_id: str,
    config: str,
    derivations: bool,
    formal: str | None,
    as_json: bool,
    bundle: str,
    prompt: bool,
    options: tuple[str, ...],
    as_html: bool,
) -> None:
    """Show the case CASE_ID of any embedded or imported config, or of the rule-base file of one's own."""
    from holmes.report.show import formal_text, render
    from holmes.services.find import find

    case = find(case_id, config or bundle)
    if prompt or options:
        from holmes.options import Options, override
        from holmes.tasks import build_prompt, task_of

        click.echo(build_prompt(case, task_of(case), override(Options(), options)))
    elif formal:
        click.echo(formal_text(case, formal).rstrip("\n"))
    elif as_html:
        from holmes.report.page import render_case

        click.echo(render_case(case))
    elif as_json:
        click.echo(json.dumps(case.to_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo(render(case, derivations))
