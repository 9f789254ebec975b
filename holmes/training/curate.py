"""Curation with one retry (DeonticBench 2.4, B.1): a model writes the program, and only what verifies is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from holmes.answers.program import contract_of, score_program
from holmes.cases import Case
from holmes.prolog.extract import extract_program
from holmes.prolog.output import read_output
from holmes.prolog.results import Run, RunOutcome
from holmes.prolog.runner import Runner
from holmes.results import Outcome
from holmes.util.chat import Chat, ChatReply

ATTEMPTS = 2  # the paper's
CATEGORIES = (
    "passed", "missing_code", "import_error", "error", "warning", "timeout", "limit",
    "missing_output", "extra_output", "wrong_answer", "no_reply",
)  # fmt: skip
_IMPORT = re.compile(
    r"library\(.*(?:does not exist|No such file)|source_sink|No permission to load|import|unknown module", re.IGNORECASE
)
_SHOWN = 4_000  # characters of SWI-Prolog's output that go back to the model


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one program. category: one of `CATEGORIES`. message: why, for the record and for the retry."""

    category: str
    program: str
    message: str

    @property
    def passed(self) -> bool:
        """True when the program is kept."""
        return self.category == "passed"


@dataclass(frozen=True, slots=True)
class Artifact:
    """The attempts at one case, at most two; the last one decides."""

    id: str
    verdicts: tuple[Verdict, ...]
    replies: tuple[str | None, ...]

    @property
    def program(self) -> str:
        """The program that passed, or ""."""
        return self.verdicts[-1].program if self.verdicts and self.verdicts[-1].passed else ""


def judge(case: Case, text: str | None, runner: Runner) -> Verdict:
    """Tell whether a reply holds a program worth keeping, and if not, the first reason why.

    It passes only if it loads and runs without any message, prints exactly its answer line and nothing else, and that
    answer is the gold (amounts: the nearest whole one), within the runner's deadline. Source: DeonticBench B.1.
    """
    if not text:
        return Verdict("no_reply", "", "The reply was empty.")
    found = extract_program(text, contract=contract_of(case))
    if found.program is None:
        return Verdict("missing_code", "", f"No Prolog program was found: {found.note}.")
    run = runner.run(found.program)
    return Verdict(*_category(case, text, found.program, run, runner))


def _category(case: Case, text: str, program: str, run: Run, runner: Runner) -> tuple[str, str, str]:
    said = _said(run)
    if run.outcome is RunOutcome.TIMEOUT:
        return "timeout", program, f"The program ran longer than {runner.limits.timeout:g} seconds."
    if run.outcome not in (RunOutcome.OK, RunOutcome.ERROR):
        return "limit", program, f"The program was stopped: {run.outcome}."
    if run.outcome is RunOutcome.ERROR:
        return ("import_error" if _IMPORT.search(run.stderr) else "error"), program, said
    if run.warnings:
        return "warning", program, said
    reading = read_output(run.stdout, contract_of(case))
    if reading.kind in ("none", "unreadable"):
        return "missing_output", program, f"The program printed no readable answer line. {said}"
    if reading.kind == "conflict" or reading.extra_lines or len(reading.lines) != 1:
        return "extra_output", program, f"The program printed more than its answer line. {said}"
    if score_program(case, text, runner=runner, tolerance=0).outcome is not Outcome.RIGHT:
        return "wrong_answer", program, f"The program runs, but the answer it prints is wrong. {said}"
    return "passed", program, ""


def _said(run: Run) -> str:
    parts = [f"SWI-Prolog reported:\n{run.stderr.strip()}" if run.stderr.strip() else ""]
    parts.append(f"It printed:\n{run.stdout.strip()}" if run.stdout.strip() else "It printed nothing.")
    return "\n".join(part for part in parts if part)[:_SHOWN]


def curate(
    case: Case,
    ask: Callable[[list[Mapping[str, str]]], ChatReply],
    prompt: str,
    runner: Runner,
    attempts: int = ATTEMPTS,
) -> Artifact:
    """Let a model write the program of one case, with one second attempt after a failure.

    case: its gold and task. ask: from messages to a reply. prompt: of the first attempt. attempts: at least 1; each
    further one shows the model its last program and what SWI-Prolog said, never the gold answer.
    Returns the Artifact. Raises what `ask` raises. Source: DeonticBench 2.4, B.1.
    """
    messages: list[Mapping[str, str]] = [{"role": "user", "content": prompt}]
    verdicts: list[Verdict] = []
    replies: list[str | None] = []
    for _ in range(attempts):
        reply = ask(messages)
        verdict = judge(case, reply.text, runner)
        if verdict.category == "missing_code" and reply.truncated:
            verdict = Verdict("missing_code", "", "The reply was cut before its program ended.")
        verdicts.append(verdict)
        replies.append(reply.text)
        if verdict.passed:
            break
        again = f"```prolog\n{verdict.program.strip()}\n```" if verdict.program else (reply.text or "(nothing)")
        messages = [
            {"role": "user", "content": prompt},
            {"role": "assistant", "content": again},
            {"role": "user", "content": f"{verdict.message}\n\nWrite the whole program again, corrected."},
        ]
    return Artifact(case.id, tuple(verdicts), tuple(replies))


def asker(chat: Chat, seed: int) -> Callable[[list[Mapping[str, str]]], ChatReply]:
    """Return the function that asks a chat model, with a seed of its own for each attempt."""

    def ask(messages: list[Mapping[str, str]]) -> ChatReply:
        return chat.reply(messages, seed=seed + len(messages) // 2)

    return ask
