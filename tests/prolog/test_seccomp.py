"""The seccomp filters of both machines, run by a small BPF interpreter."""

from __future__ import annotations

import struct

import pytest

from holmes.prolog import seccomp
from holmes.prolog.seccomp import ALLOW, ARCHITECTURES, FATAL, KILL, MISSING, PLAIN, REFUSE, build

PID = 4321


def decide(code: bytes, number: int, *arguments: int, audit: int) -> int:
    """Run a filter on one system call: number, up to six 64-bit arguments, architecture."""
    data = struct.pack("=iIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    position = accumulator = 0
    while True:
        kind, yes, no, value = steps[position]
        position += 1
        if kind == 0x06:
            return value
        if kind == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
            continue
        holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[kind]
        position += yes if holds else no


@pytest.fixture(params=sorted(ARCHITECTURES))
def ask(request: pytest.FixtureRequest):
    """Ask the filter of one machine by call name."""
    audit, numbers = ARCHITECTURES[request.param]
    code = build(request.param, PID)

    def question(name: str, *arguments: int) -> int | None:
        return decide(code, numbers[name], *arguments, audit=audit) if name in numbers else None

    question.machine, question.code, question.audit, question.numbers = request.param, code, audit, numbers
    return question


def test_plain_calls_are_allowed_and_fatal_ones_kill(ask) -> None:
    """Each name of the two lists gets its own answer."""
    assert {ask(name) for name in PLAIN} - {None} == {ALLOW}
    assert {ask(name) for name in FATAL} - {None} == {KILL}


def test_what_is_on_no_list_is_refused(ask) -> None:
    """Default deny: all other numbers give EPERM, unknown ones of the future too."""
    known = set(ask.numbers.values())
    others = [n for n in range(700) if n not in known]
    assert {decide(ask.code, n, audit=ask.audit) for n in others} == {REFUSE}


def test_another_architecture_kills(ask) -> None:
    """A call made through another machine's table, or x32, ends the process."""
    assert decide(ask.code, 0, audit=0x40000003) == KILL
    if ask.machine == "x86_64":
        assert decide(ask.code, 0x40000000, audit=ask.audit) == KILL
        assert decide(ask.code, 0x40000000 | 59, audit=ask.audit) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("open", (0, 0), ALLOW),
        ("open", (0, 0o2000000), ALLOW),
        *[("open", (0, flag), REFUSE) for flag in (1, 2, 0o100, 0o1000, 0o2000, 0o20000000 | 2)],
        ("openat", (0, 0, 0), ALLOW),
        *[("openat", (0, 0, flag), REFUSE) for flag in (1, 2, 0o100, 0o1000, 0o2000, 0o20000000 | 2)],
        ("mmap", (0, 4096, 3), ALLOW),
        ("mmap", (0, 4096, 5), REFUSE),
        ("mprotect", (0, 4096, 1), ALLOW),
        ("mprotect", (0, 4096, 7), REFUSE),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), REFUSE),
        ("fcntl", (0, 3), ALLOW),
        ("fcntl", (0, 8), REFUSE),
        ("fcntl", (0, 0), REFUSE),
        ("prlimit64", (0, 7, 0, 1), ALLOW),
        ("prlimit64", (0, 7, 1, 0), REFUSE),
        ("prlimit64", (0, 7, 1 << 32, 0), REFUSE),
        ("tgkill", (PID, 1, 6), ALLOW),
        ("tgkill", (PID, 1, 9), REFUSE),
        ("tgkill", (1, 1, 6), KILL),
        ("clone", (17,), KILL),
        ("clone", (0x3D0F00,), REFUSE),
        ("clone3", (), MISSING),
    ],
)
def test_arguments_decide(ask, name: str, arguments: tuple[int, ...], answer: int) -> None:
    """Reading is allowed and writing refused; limits are read only; signals go to oneself; threads are refused."""
    assert ask(name, *arguments) in (answer, None)


def test_the_process_id_is_patched_where_it_stands(ask) -> None:
    """The filter that is installed after a fork equals the one built for that process."""
    made = seccomp.Filter(ask.machine)
    made._patch(PID)
    assert made._buffer.raw == ask.code


def test_the_tables_are_consistent() -> None:
    """No number stands twice, and every name on a list has a number on at least one machine."""
    for _, numbers in ARCHITECTURES.values():
        assert len(set(numbers.values())) == len(numbers)
    known = set().union(*(numbers for _, numbers in ARCHITECTURES.values()))
    assert {*PLAIN, *FATAL, *seccomp.CHECKED} <= known
