"""The score of a reply that is a Prolog program: extracted, run contained, its output compared with the gold."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from holmes.cases import Case
from holmes.errors import InputError
from holmes.prolog.extract import Extraction, extract_program
from holmes.prolog.output import ProgramContract, Reading, read_amount, read_output
from holmes.prolog.results import Run, RunOutcome
from holmes.prolog.runner import Runner, default_runner
from holmes.registry import program_contract
from holmes.results import Outcome, Score

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


def score_program(
    case: Case,
    text: str | None,
    *,
    runner: Runner | None = None,
    truncated: bool = False,
    accept_bare: bool = False,
    tolerance: int = 1,
) -> Score:
    """Score one reply by running its program (paper B.3; outcomes in design section 6).

    case: its task says which answer line counts. text: raw reply, thinking included; None when the host returned
    nothing. runner: None for the process-wide one. truncated: the host cut the generation. accept_bare: see
    `extract_program`. tolerance: an amount y is right when round(y) is within this many units of the gold.
    Returns a Score; parts: accuracy, abstained, load_errors (messages), clean (1 when the program ran without any
    message and printed its answer line and nothing else), repairs. Raises InputError for a task without answer line
    or a gold that is no amount, EnvironmentFailure when no program can be run here.
    """
    contract = contract_of(case)
    runner = runner or default_runner()
    made = signature(runner, tolerance, accept_bare)
    if text is None:
        return _score(Outcome.FAILED, None, "the host returned no output", made)
    found = extract_program(text, accept_bare=accept_bare, contract=contract)
    if found.program is None:
        cut = truncated or found.open
        reason = f"{found.note}, the generation was cut" if cut else found.note
        return _score(Outcome.TRUNCATED if cut else Outcome.ABSTAINED, None, reason, made)
    run = runner.run(found.program)
    reading = read_output(run.stdout, contract)
    outcome, answer, reason = _judge(case, run, reading, tolerance)
    if truncated and found.open and not outcome.answered:
        outcome, reason = Outcome.TRUNCATED, f"the generation was cut inside the program; {reason}"
    return _score(outcome, answer, reason, made, found, run, reading)


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


def _judge(case: Case, run: Run, reading: Reading, tolerance: int) -> tuple[Outcome, str | None, str]:
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


def _matches(case: Case, answer: str, value: Fraction | None, tolerance: int) -> bool:
    if case.answer_type != "amount":
        return answer.casefold() == case.answer.casefold()
    gold = read_amount(case.answer)
    if gold is None:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected an amount")
    if value is None:
        value = read_amount(answer)
    return value is not None and abs(round(value) - gold) <= tolerance


def _score(
    outcome: Outcome,
    answer: str | None,
    reason: str,
    made: str,
    found: Extraction | None = None,
    run: Run | None = None,
    reading: Reading | None = None,
) -> Score:
    value = 1.0 if outcome is Outcome.RIGHT else 0.0
    parts = {"accuracy": value, "abstained": 0.0 if outcome.answered else 1.0}
    notes = [reason]
    if run is not None and reading is not None and found is not None:
        parts["load_errors"] = float(len(run.load_errors))
        parts["clean"] = float(
            run.clean and reading.kind == "answer" and len(reading.lines) == 1 and not reading.extra_lines
        )
        parts["repairs"] = float(len(found.repairs))
        if outcome.answered and run.outcome is RunOutcome.ERROR:
            first = run.load_errors[0] if run.load_errors else f"exit code {run.exit_code}"
            notes.append(f"load or run error: {first[:200]}")
        notes += [f"repaired: {repair}" for repair in found.repairs]
        notes += [run.note] if run.note else []
    return Score(value, outcome, answer, "; ".join(notes), parts, made)
