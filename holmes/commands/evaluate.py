"""`holmes eval`: lm_eval's own command line with the holmes tasks, and only these, in view."""

from __future__ import annotations

import click

from holmes.commands.bundle import bundle_option


class PassThrough(click.Command):
    """A command whose help is ours and whose other arguments go to lm_eval unread."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Tasks"):
            from holmes.tasks import task_names

            formatter.write_text(", ".join(task_names()))
        formatter.write_paragraph()
        formatter.write_text("Every other argument is lm_eval's: see `lm_eval run --help`.")


@click.command(cls=PassThrough, name="eval", context_settings={"ignore_unknown_options": True})
@click.option("--k", type=click.IntRange(min=1), help="Generations a case, averaged; each has a seed of its own.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A task option, for example split=hard.")
@click.option("--truncate", is_flag=True, help="Allow a local model to be shown only the end of a long prompt.")
@bundle_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[LM_EVAL_ARGUMENTS]...")
def eval_(k: int | None, options: tuple[str, ...], truncate: bool, arguments: tuple[str, ...], bundle: str) -> None:
    """Run lm_eval with the holmes tasks only; a run that was killed goes on where it stopped. For example

    \b
      holmes eval --model hf --model_args pretrained=MODEL --tasks holmes_law,deontic_sara --k 4
    """
    from holmes.hosts.run_lm_eval import run

    run(k, options, arguments, truncate, bundle)
