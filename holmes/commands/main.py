"""The `holmes` command: a table of subcommands, each imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from holmes.errors import CheckFailed, EnvironmentFailure, InputError
from holmes.util.nearest import did_you_mean

BUNDLE = "HOLMES_BUNDLE"  # as `holmes.registry` reads it, which is not loaded for every command
# name -> (module:click command, one-line help)
COMMANDS: dict[str, tuple[str, str]] = {
    "build": ("holmes.commands.build:build", "Build fresh verified cases: item = f(rule base, seed, index)."),
    "import": ("holmes.commands.importing:import_", "Import an authors' release into the cache."),
    "show": ("holmes.commands.show:show", "Show one case: rules, text, trace, derivations, programs."),
    "solve": ("holmes.commands.solve:solve", "Re-derive answers and traces and compare them with the gold."),
    "verify": ("holmes.commands.verify:verify", "Verify embedded cases by independent paths."),
    "build-theories": ("holmes.commands.build_theories:build_theories", "Write Isabelle theories of cases, with ROOT."),
    "stats": ("holmes.commands.stats:stats", "Count answers, higher-order types and derivations of a config."),
    "audit": ("holmes.commands.audit:audit", "Check quality gates, or find the defects of a release."),
    "errata": ("holmes.commands.errata:errata", "Write what is wrong in the imported releases as a page."),
    "eval": ("holmes.commands.evaluate:eval_", "Run lm_eval with the holmes tasks only."),
    "run-prolog": ("holmes.commands.run_prolog:run_prolog", "Run Prolog programs, contained."),
    "doctor": ("holmes.commands.doctor:doctor", "Say what works on this machine, and what is missing."),
    "read": ("holmes.commands.read:read", "Print what the readers extract from a text, as JSON."),
    "score": ("holmes.commands.score:score", "Re-score logged samples without a model."),
    "report": ("holmes.commands.report:report", "Write a page of results, with Markdown and JSON beside it."),
    "compare": ("holmes.commands.compare:compare", "Compare two runs case by case: difference, interval, p."),
    "errors": ("holmes.commands.errors:errors", "Sort errors by kind; write and evaluate a review sheet."),
    "curate": ("holmes.commands.curate:curate", "Let a chat model write programs and keep those that verify."),
    "hard-set": ("holmes.commands.hard_set:hard_set", "Collect hard cases from model failures."),
    "export-training": ("holmes.commands.export_training:export_training", "Export SFT, DPO or RL training data."),
    "publish": ("holmes.commands.publish:publish", "Push all configs and the card to the Hub (dry run by default)."),
    "link": ("holmes.commands.link:link", "Make the bare lm_eval find the holmes tasks."),
    "unlink": ("holmes.commands.link:unlink", "Undo `holmes link`."),
    "tasks-path": ("holmes.commands.link:tasks_path", "Print the folder of the task YAMLs, for --include_path."),
}


class LazyGroup(click.Group):
    """A group that imports a subcommand's module only when that subcommand runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from holmes.version import __version__

        click.echo(f"holmes {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Print the version."
)
def app() -> None:
    """Rule reasoning for language models: build, run, score and verify."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 a check or the environment failed, 2 wrong use or bad input."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    bundle = os.environ.get(BUNDLE)
    try:
        return _run(words)
    finally:
        if os.environ.get(BUNDLE) != bundle:  # what --bundle brought leaves with the command
            _forget_bundle(bundle)


def _forget_bundle(before: str | None) -> None:
    from holmes import tasks

    os.environ.pop(BUNDLE, None)
    if before is not None:
        os.environ[BUNDLE] = before
    tasks.forget()


def _run(words: Sequence[str]) -> int:
    _notice_stale_link(words)
    try:
        result = app.main(args=words, prog_name="holmes", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        return 130
    except InputError as error:
        _complain(error)
        return 2
    except (EnvironmentFailure, CheckFailed) as error:
        _complain(error)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        import errno

        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            _complain(EnvironmentFailure(f"{error.filename or 'output'}: no space left on device"))
            return 1
        raise


def _notice_stale_link(words: Sequence[str]) -> None:
    if words[:1] in (["link"], ["unlink"]):
        return
    from holmes.hosts.link import stale

    if reason := stale():
        print(f"holmes: the link in lm_eval is stale ({reason}); renew it with: holmes link", file=sys.stderr)


def _complain(error: Exception) -> None:
    print(f"holmes: {' '.join(str(error).split())}", file=sys.stderr)


if __name__ == "__main__":
    main()
