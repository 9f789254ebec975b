"""The seccomp filters of both machines, run by a small BPF interpreter."""

from __future__ import annotations

import struct

import pytest

from holmes.prolog import seccomp
from holmes.prolog.seccomp import (
    ALLOW,
    ARCHITECTURES,
    DEADLY,
    FATAL,
    KILL,
    MISSING,
    PLAIN,
    REFUSE,
    SERVER,
    SERVER_FATAL,
    STARTING,
    TRAP,
)  # fmt: skip

PID = 4321
ADDRESS = 0x12_3456_7000
# The kernel takes the strictest answer of all filters; here the first of these.
_STRICTEST = (KILL, TRAP, REFUSE, MISSING, ALLOW)


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


class Filters:
    """What the filters in force answer, by call name; None for a call that this machine has not."""

    def __init__(self, machine: str, codes: list[bytes]) -> None:
        self.machine, self.codes = machine, codes
        self.audit, self.numbers = ARCHITECTURES[machine]

    def number(self, number: int, *arguments: int, audit: int | None = None) -> int:
        found = {decide(code, number, *arguments, audit=audit or self.audit) for code in self.codes}
        return next(answer for answer in _STRICTEST if answer in found)

    def __call__(self, name: str, *arguments: int) -> int | None:
        return self.number(self.numbers[name], *arguments) if name in self.numbers else None


def _child(machine: str, fatal: int) -> Filters:
    """A child of an embedded engine: both parts."""
    found = Filters(machine, [seccomp.server_filter(machine, fatal), seccomp.child_filter(machine, PID, fatal)])
    found.fatal = fatal
    return found


def _started(machine: str, _: int = KILL) -> Filters:
    """An own `swipl`: one filter."""
    found = Filters(machine, [seccomp.exec_filter(machine, PID, ADDRESS)])
    found.fatal = KILL
    return found


_CHILDREN = [(_child, machine, fatal) for machine in sorted(ARCHITECTURES) for fatal in (KILL, TRAP)]
_STARTED = [(_started, machine, KILL) for machine in sorted(ARCHITECTURES)]


def _id(param: tuple) -> str:
    return f"{param[0].__name__}-{param[1]}-{param[2]:#x}"


def _made(request: pytest.FixtureRequest) -> Filters:
    make, machine, fatal = request.param
    return make(machine, fatal)


child = pytest.fixture(params=_CHILDREN, ids=_id, name="child")(_made)
started = pytest.fixture(params=_STARTED, ids=_id, name="started")(_made)
program = pytest.fixture(params=[*_CHILDREN, *_STARTED], ids=_id, name="program")(_made)  # whatever it can be under


@pytest.fixture(params=sorted(ARCHITECTURES))
def server(request: pytest.FixtureRequest) -> Filters:
    """The server: its part alone."""
    return Filters(request.param, [seccomp.server_filter(request.param)])


def test_plain_calls_are_allowed_and_fatal_ones_end_it(child: Filters) -> None:
    """Each name of the lists gets its own answer in a child; what the server alone may do is refused."""
    assert {child(name) for name in PLAIN} - {None} == {ALLOW}
    assert {child(name) for name in (*FATAL, *SERVER_FATAL)} - {None} == {child.fatal}
    assert {child(name) for name in SERVER} - {None} == {REFUSE}
    assert child(DEADLY) == KILL


def test_the_server_can_do_what_it_has_to(server: Filters) -> None:
    """It forks, limits and ends children, and makes filters; it starts no program and opens no socket."""
    for name in (*PLAIN, *SERVER, *SERVER_FATAL, "prlimit64", "kill", "clone"):
        assert server(name) in (ALLOW, None), name
    for name in ("execve", "execveat", "socket", "connect", "ptrace", "mount", "bpf"):
        assert server(name) in (KILL, None), name


def test_an_own_swipl_may_be_started_once_and_nothing_else(started: Filters) -> None:
    """The exec is allowed from one secret address, which is gone after it; all other ways are fatal."""
    assert started("execve", ADDRESS) == ALLOW
    for wrong in (0, ADDRESS + 1, ADDRESS | 1 << 40, ADDRESS & 0xFFFFFFFF, ADDRESS >> 32):
        assert started("execve", wrong) == KILL
    assert started("mmap", 0, 4096, 5) == ALLOW
    assert {started(name) for name in STARTING} - {None} == {ALLOW}
    assert {started(name) for name in FATAL if name not in ("execve", "kill")} - {None} == {KILL}


def test_what_is_on_no_list_is_refused(program: Filters) -> None:
    """Default deny: all other numbers give EPERM, unknown ones of the future too."""
    known = set(program.numbers.values())
    assert {program.number(n) for n in range(700) if n not in known} == {REFUSE}


def test_another_architecture_kills(program: Filters) -> None:
    """A call made through another machine's table, or x32, ends the process."""
    assert program.number(0, audit=0x40000003) == KILL
    if program.machine == "x86_64":
        assert program.number(0x40000000) == KILL
        assert program.number(0x40000000 | 59) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("open", (0, 0), ALLOW),
        ("open", (0, 0o2000000), ALLOW),
        *[("open", (0, flag), REFUSE) for flag in (1, 2, 0o100, 0o1000, 0o2000, 0o20000000 | 2)],
        ("openat", (0, 0, 0), ALLOW),
        *[("openat", (0, 0, flag), REFUSE) for flag in (1, 2, 0o100, 0o1000, 0o2000, 0o20000000 | 2)],
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
        ("tgkill", (1, 1, 6), "fatal"),
        ("kill", (PID, 11), ALLOW),
        ("kill", (PID, 9), REFUSE),
        ("kill", (0, 9), "fatal"),
        ("kill", (2**32 - 1, 9), "fatal"),
        ("clone", (17,), "fatal"),
        ("clone", (0x3D0F00,), REFUSE),
        ("clone3", (), MISSING),
        ("rt_sigaction", (14,), ALLOW),
        ("rt_sigaction", (31,), REFUSE),
        ("setitimer", (0,), ALLOW),
        ("setitimer", (1,), REFUSE),
    ],
)
def test_arguments_decide(program: Filters, name: str, arguments: tuple[int, ...], answer: int | str) -> None:
    """Reading is allowed and writing refused; limits are read only; signals go to oneself; threads are refused."""
    assert program(name, *arguments) in (program.fatal if answer == "fatal" else answer, None)


@pytest.mark.parametrize(("name", "code"), [("mmap", 5), ("mprotect", 7)])
def test_an_embedded_engine_maps_no_code(child: Filters, name: str, code: int) -> None:
    """Memory is readable and writable, never executable."""
    assert child(name, 0, 4096, 3) == ALLOW and child(name, 0, 4096, code) == REFUSE


def test_the_part_of_a_child_is_short() -> None:
    """Each instruction costs time at every fork: the child's part is less than half of the whole."""
    for machine in ARCHITECTURES:
        assert len(seccomp.child_filter(machine)) * 2 < len(seccomp.server_filter(machine))


def test_the_process_id_has_one_kind_of_place() -> None:
    """The marker stands where each check of the own process is, and nowhere else."""
    for machine in ARCHITECTURES:
        one, other = seccomp.child_filter(machine), seccomp.child_filter(machine, PID)
        marker, own = struct.pack("=I", seccomp.MARKER), struct.pack("=I", PID)
        assert one.count(marker) == 2 and one.replace(marker, own) == other


def test_the_tables_are_consistent() -> None:
    """No number stands twice, and every name on a list has a number on at least one machine."""
    for _, numbers in ARCHITECTURES.values():
        assert len(set(numbers.values())) == len(numbers)
    known = set().union(*(numbers for _, numbers in ARCHITECTURES.values()))
    assert {*PLAIN, *FATAL, *SERVER, *SERVER_FATAL, *STARTING, *seccomp.CHECKED, DEADLY} <= known
