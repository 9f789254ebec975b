"""The score of a reply that is a Prolog program: extracted, run contained, its output compared with the gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.answers.kind import Kind
from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Strictness
from holmes.prolog.extract import Extraction, extract_program
from holmes.prolog.output import ProgramContract, Reading, read_amount, read_output
from holmes.prolog.results import Run, RunOutcome
from holmes.prolog.runner import Runner, default_runner
from holmes.reading.thinking import Reply
from holmes.registry import program_contract
from holmes.results import Judged, Outcome, Score

VERSION = 1

_STOPPED = {
    RunOutcome.TIMEOUT: Outcome.TIMEOUT,
    RunOutcome.OUTPUT_LIMIT: Outcome.OUTPUT_LIMIT,
    RunOutcome.MEMORY_LIMIT: Outcome.MEMORY_LIMIT,
    RunOutcome.VIOLATION: Outcome.VIOLATION,
}


def signature(runner: Runner, tolerance: int = 1, accept_bare: bool = False) -> str:
    """Return the text that says how a program score was made."""
    bare = "yes" if accept_bare else "no"
    return f"program|v:{VERSION}|tol:{tolerance}|{runner.limits.signature()}|bare:{bare}|engine:{runner.version}"


def contract_of(case: Case) -> ProgramContract:
    """Return what a program for a case prints; raises InputError for a task without an answer line."""
    return program_contract(case.task)


@dataclass(frozen=True, slots=True)
class Printed:
    """What a prompt says of a program: the line that it prints, what stands for its variable part, its last lines."""

    line: str
    meaning: str
    ending: str


class Program(Kind):
    """A Prolog program that prints the answer (paper B.3; outcomes in design section 6)."""

    name = "program"

    def __init__(
        self,
        line: ProgramContract,
        printed: Printed | None = None,
        *,
        tolerance: int = 1,
        runner: Runner | None = None,
        accept_bare: bool = False,
    ) -> None:
        """line: what counts as its answer. printed: what a prompt says of it; None where no prompt asks for programs.
        tolerance: an amount y is right when round(y) is within this many units of the gold. runner: None for the
        process-wide one. accept_bare: see `extract_program`.
        """
        super().__init__(tolerance)
        self.line, self.printed, self.runner, self.accept_bare = line, printed, runner, accept_bare

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the lines of a prompt that ask for one fenced program and say what it prints.

        Raises InputError where no prompt of the domain asks for programs.
        """
        if self.printed is None:
            raise InputError(f"case {case.id!r}: field task: found {case.task!r}, expected one that asks for a program")
        return (
            "Give all of it in one fenced block:\n"
            "```prolog\n<program>\n```\n"
            f"It prints exactly one line, `{self.printed.line}`; {self.printed.meaning}. "
            "It reads no input and ends with halt, like this:\n"
            f"{self.printed.ending}\n"
            "No such block, or no such line printed, is an abstention and earns nothing."
        )

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness | None = None) -> Judged:
        """Extract the program of a reply, run it contained, and compare what it printed with the gold.

        Parts: load_errors (messages), clean (1 when the program ran without any message and printed its answer line
        and nothing else), repairs; none where no program was found. Raises InputError for a gold that is no amount,
        EnvironmentFailure when no program can be run here.
        """
        found = extract_program(reply.text, accept_bare=self.accept_bare, contract=self.line)
        if found.program is None:
            cut = cut or found.open
            reason = f"{found.note}, the generation was cut" if cut else found.note
            return Judged(Outcome.TRUNCATED if cut else Outcome.ABSTAINED, None, reason)
        run = (self.runner or default_runner()).run(found.program)
        reading = read_output(run.stdout, self.line)
        outcome, answer, reason = _judge(case, run, reading, self.tolerance)
        if cut and found.open and not outcome.answered:
            outcome, reason = Outcome.TRUNCATED, f"the generation was cut inside the program; {reason}"
        return _judged(outcome, answer, reason, found, run, reading)

    def gold_reply(self, case: Case) -> str:
        """Return the reference program in its fence."""
        return f"```prolog\n{case.program.strip()}\n```"

    def metrics(self, scores: Sequence[Score]) -> Mapping[str, float]:
        """Return the share of outputs whose program did not load or run without a message."""
        return {"load_errors": sum(s.parts.get("load_errors", 0.0) > 0 for s in scores) / len(scores)}


def score_program(
    case: Case,
    text: str | None,
    *,
    runner: Runner | None = None,
    truncated: bool = False,
    accept_bare: bool = False,
    tolerance: int = 1,
) -> Score:
    """Score one reply by running its program; see `Program`.

    case: its task says which answer line counts. text: raw reply, thinking included; None when the host returned
    nothing. runner: None for the process-wide one. truncated: the host cut the generation. accept_bare, tolerance: see
    `Program`. Returns a Score; parts: accuracy, abstained, and those of the program. Raises InputError for a task
    without answer line or a gold that is no amount, EnvironmentFailure when no program can be run here.
    """
    runner = runner or default_runner()
    kind = Program(contract_of(case), tolerance=tolerance, runner=runner, accept_bare=accept_bare)
    if text is None:
        judged = Judged(Outcome.FAILED, None, "the host returned no output")
    else:
        judged = kind.judge(case, Reply(text, "", closed=True), cut=truncated)
    value = 1.0 if judged.outcome is Outcome.RIGHT else 0.0
    parts = {"accuracy": value, "abstained": 0.0 if judged.outcome.answered else 1.0, **judged.parts}
    made = signature(runner, tolerance, accept_bare)
    return Score(value, judged.outcome, judged.answer, judged.reason, parts, made)


def warm(pairs: Iterable[tuple[Case, str | None]], *, runner: Runner | None = None, accept_bare: bool = False) -> int:
    """Run the programs of many replies in parallel, so that scoring them afterwards only looks their runs up.

    pairs: (case, raw reply). The runner needs a cache (`default_runner` has one); runs of any outcome are held until
    the next call. Returns how many different programs were run or looked up. Raises InputError without a cache.
    """
    runner = runner or default_runner()
    if not runner.cache.active:
        raise InputError("warm: found a runner without cache, expected Runner(cache=True) or a path")
    found = (extract_program(text, accept_bare=accept_bare, contract=contract_of(case)) for case, text in pairs if text)
    programs = list(dict.fromkeys(one.program for one in found if one.program is not None))
    runs = runner.run_many(programs)
    runner.cache.hold({runner.key(program): run for program, run in zip(programs, runs, strict=True)})
    return len(programs)


def _judge(case: Case, run: Run, reading: Reading, tolerance: Fraction) -> tuple[Outcome, str | None, str]:
    """Return outcome, answer and reason of a program that was run, leaving truncation aside."""
    if run.outcome in _STOPPED:
        return _STOPPED[run.outcome], None, f"stopped: {run.outcome}"
    if reading.kind == "conflict":
        return Outcome.MALFORMED, None, "two different answers: " + "; ".join(reading.lines)[:200]
    if reading.kind == "unreadable":
        return Outcome.MALFORMED, None, f"unreadable answer: {reading.lines[0][:200]}"
    if reading.answer is None:
        if run.outcome is RunOutcome.ERROR:
            cause = run.load_errors[0] if run.load_errors else f"exit code {run.exit_code}"
            return Outcome.ERROR, None, f"no answer line: {cause[:200]}"
        return Outcome.ABSTAINED, None, "the program printed no answer line"
    answer = _canonical(case, reading.answer)
    if answer is None:
        return Outcome.MALFORMED, None, f"unreadable answer: {reading.lines[0][:200]}"
    right = _matches(case, answer, reading.value, tolerance)
    return Outcome.RIGHT if right else Outcome.WRONG, answer, f"answer {answer[:80]}, gold {case.answer}"


def _canonical(case: Case, answer: str) -> str | None:
    """Return the label of the case that an answer names; amounts as they are; None for a label it has not."""
    if case.answer_type == "amount":
        return answer
    if not case.choices:
        return answer
    spellings = {choice.casefold(): choice for choice in case.choices}
    spellings |= {text.casefold(): alias.label for alias in case.aliases for text in alias.text}
    return spellings.get(answer.casefold())


def _matches(case: Case, answer: str, value: Fraction | None, tolerance: Fraction) -> bool:
    if case.answer_type != "amount":
        return answer.casefold() == case.answer.casefold()
    gold = read_amount(case.answer)
    if gold is None:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected an amount")
    if value is None:
        value = read_amount(answer)
    return value is not None and abs(round(value) - gold) <= tolerance


def _judged(outcome: Outcome, answer: str | None, reason: str, found: Extraction, run: Run, reading: Reading) -> Judged:
    """Return the judgement with what is to be said of extraction and run."""
    clean = run.clean and reading.kind == "answer" and len(reading.lines) == 1 and not reading.extra_lines
    parts = {
        "load_errors": float(len(run.load_errors)),
        "clean": float(clean),
        "repairs": float(len(found.repairs)),
    }
    notes = [reason]
    if outcome.answered and run.outcome is RunOutcome.ERROR:
        first = run.load_errors[0] if run.load_errors else f"exit code {run.exit_code}"
        notes.append(f"load or run error: {first[:200]}")
    notes += [f"repaired: {repair}" for repair in found.repairs]
    notes += [run.note] if run.note else []
    return Judged(outcome, answer, "; ".join(notes), parts)
