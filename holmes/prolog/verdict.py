"""What the end of a program means: judged by the client from what the server measured, never by an exit number.

A program chooses its exit code and what it prints, and may die by a few signals of its own making. It cannot end by a
signal that the filter keeps from it, use processor time it did not use, or write into the server's frames.
"""

from __future__ import annotations

import os
import re
import signal

from holmes.prolog import seccomp, wire
from holmes.prolog.engine import PROGRAM, SHOWN
from holmes.prolog.results import Limits, Run, RunOutcome, messages
from holmes.prolog.worker import Reply

# What a program can bring upon itself; any other signal came from outside.
_OWN = frozenset(
    getattr(signal, f"SIG{name}")
    for name in ("ABRT", "SEGV", "BUS", "ILL", "FPE", "TRAP", "USR2", "ALRM", "PIPE", "XFSZ")
)  # fmt: skip
_MEMORY_SIGNS = (
    b"not enough memory",
    b"No enough memory",
    b"ould not allocate",
    b"resource error: `memory'",
    b"malloc",
)
# Of the limit; a program that only says so has not used it. Stacks grow by doubling, so the last step may be large.
_MEMORY_SHARE = 4

_MEANINGS = {
    "clone": "a new process", "fork": "a new process", "vfork": "a new process", "execve": "another program",
    "execveat": "another program", "kill": "a signal to another process", "tkill": "a signal to another process",
    "tgkill": "a signal to another process", "socket": "a network socket", "socketpair": "a network socket",
    "connect": "a network connection",
}  # fmt: skip
_NATIVE = re.compile(r"(\S+\.so): failed to map segment")  # what the filter's refusal looks like to SWI-Prolog
_DENIED = re.compile(r"No permission to (\S+) \S+ [`'](.{1,100}?)' \((?:Operation not permitted|Permission denied)\)")


def judge(reply: Reply, limits: Limits, filtered: bool) -> tuple[RunOutcome | None, int]:
    """Return the outcome and the exit code, negative for a signal; None: ended from outside, run it again.

    filtered: a seccomp filter was in force, so that its signal means a violation.
    """
    code = os.waitstatus_to_exitcode(reply.status)
    if reply.why == wire.TIMEOUT:
        return RunOutcome.TIMEOUT, code
    if reply.why == wire.OUTPUT_LIMIT:
        return RunOutcome.OUTPUT_LIMIT, code
    if reply.why != wire.EXITED:
        return None, code
    if code < 0:
        number = -code
        if number == signal.SIGSYS and filtered:
            return RunOutcome.VIOLATION, code
        if number in (signal.SIGXCPU, signal.SIGKILL) and reply.cpu >= limits.timeout:
            return RunOutcome.TIMEOUT, code
        if number == signal.SIGKILL and reply.resident << 10 > limits.memory // 2:
            return RunOutcome.MEMORY_LIMIT, code  # the machine itself ran out of memory
        if number not in _OWN:
            return None, code
    used = reply.resident << 10 >= limits.memory // _MEMORY_SHARE
    if code and used and any(sign in reply.stderr for sign in _MEMORY_SIGNS):
        return RunOutcome.MEMORY_LIMIT, code
    return (RunOutcome.ERROR if code else RunOutcome.OK), code


def finished(reply: Reply, outcome: RunOutcome, code: int, contained: bool) -> Run:
    """Return the run of a program that came to an end."""
    stderr = reply.stderr.decode("utf-8", "replace").replace(PROGRAM, SHOWN)
    errors, warnings = messages(stderr)
    if outcome is RunOutcome.OK and errors:
        outcome = RunOutcome.ERROR
    notes = _refusals(reply, outcome, stderr)
    if not contained:
        notes.append("not contained: HOLMES_UNSAFE_PROLOG=1")
    stdout = reply.stdout.decode("utf-8", "replace")
    return Run(outcome, stdout, stderr, round(reply.seconds, 4), code, "; ".join(notes), errors, warnings)


def _refusals(reply: Reply, outcome: RunOutcome, stderr: str) -> list[str]:
    """Name what was refused to a program."""
    notes = []
    if outcome is RunOutcome.VIOLATION:
        name = seccomp.names(os.uname().machine).get(reply.refused) if reply.refused >= 0 else None
        what = _MEANINGS.get(name or "")
        shown = f"{what} (system call {name})" if what else f"system call {name or reply.refused}"
        notes.append(f"refused: {shown}" if reply.refused >= 0 else "refused: a new process, a socket or the like")
    notes += [
        f"refused: native library {name}" for name in dict.fromkeys(_stem(file) for file in _NATIVE.findall(stderr))
    ]
    if "thread_create/3: error in system call" in stderr or "thread_create/3: No permission" in stderr:
        notes.append("refused: threads")
    denied = dict.fromkeys(f"{act} {name}" for act, name in _DENIED.findall(stderr))
    notes += [f"refused: {what}" for what in list(denied)[:3]]
    return notes


def _stem(file: str) -> str:
    return file.rsplit("/", 1)[-1].removesuffix(".so")
