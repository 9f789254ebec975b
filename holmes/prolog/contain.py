"""How a child is contained, which way this machine can, and what its end means. Runs inside the Prolog server."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from _signal import SIG_IGN, signal  # type: ignore[import-not-found]

from holmes.prolog import landlock, seccomp
from holmes.prolog import minimal_os as lean
from holmes.prolog.engine import PROGRAM, SHOWN, Engine, Installation, find

CANARY_MEMORY = 1 << 30
OVERRIDE = "HOLMES_UNSAFE_PROLOG"
REFUSAL = (
    "Prolog programs cannot be contained on this machine: {reasons}. Install bubblewrap (apt-get install bubblewrap) "
    f"or a kernel with Landlock (5.13 or later); {OVERRIDE}=1 runs them without containment at your own risk"
)
_GO = struct.Struct("=Q")  # stack
_SUBREAPER = 36
_DEATH_SIGNAL = 1  # prctl: be killed when the parent dies
_LOCALE = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


class Unavailable(Exception):
    """This way of containment does not work here; the message is one line."""


class Backend:
    """One way to run a program in a forked child; `name` says which."""

    name = ""

    def child(self, control: int, file: int, out: int, err: int) -> None:
        """In the forked child: shut everything off, wait for the word on `control`, run `file`; never returns."""
        raise NotImplementedError

    def __init__(self) -> None:
        self._server = os.getpid()
        self._libc = ctypes.CDLL(None, use_errno=True)

    def _enter(self, control: int, file: int, out: int, err: int) -> None:
        """Join an own process group, tie the life to the server's, keep descriptors 0 to 2, file (3), control (4)."""
        os.setpgid(0, 0)
        self._libc.prctl(_DEATH_SIGNAL, lean.SIGKILL, 0, 0, 0)
        if os.getppid() != self._server:
            os._exit(97)
        for number in (lean.SIGTERM, lean.SIGHUP, lean.SIGINT):
            signal(number, SIG_IGN)  # the server ends a child by SIGKILL; nobody else should stop it
        # The server keeps its own descriptors above 4, so none of these overwrites another.
        for handle, place in ((out, 1), (err, 2), (file, 3), (control, 4)):
            os.dup2(handle, place)
        os.closerange(5, 256)

    @staticmethod
    def _wait() -> int:
        """Wait for the word to start; returns the stack limit."""
        word = os.read(4, _GO.size)
        if len(word) < _GO.size:
            os._exit(97)  # the server closed it: no program will come
        os.close(4)
        stack: int = _GO.unpack(word)[0]
        return stack


def go(control: int, stack: int) -> None:
    """In the server: tell a waiting child to start."""
    os.write(control, _GO.pack(stack))


class Sealed(Backend):
    """SWI-Prolog forked from this very process, under rlimits, Landlock and a default-deny seccomp filter."""

    def __init__(self, where: Installation) -> None:
        super().__init__()
        machine = os.uname().machine
        if machine not in seccomp.ARCHITECTURES:
            raise Unavailable(f"no seccomp filter for {machine}")
        if (version := landlock.abi()) < 1:
            raise Unavailable("the kernel has no Landlock")
        if not os.path.exists("/proc/self/fd/0"):  # noqa: PTH110
            raise Unavailable("/proc is not mounted")
        self._filter = seccomp.Filter(machine)
        self._engine = Engine(where)
        zones = [p for p in ("/etc/localtime", "/usr/share/zoneinfo") if os.path.exists(p)]  # noqa: PTH110
        # The server needs no file from here on, and its children inherit what it gives up.
        homes = [where.home, os.path.realpath(f"{where.home}/library")]
        landlock.restrict([*homes, *zones])
        for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 64)):
            resource.setrlimit(limit, (value, value))
        untested = "" if machine == "x86_64" else ", filter untested on hardware"
        self.name = f"swipl-{where.version} seccomp+landlock{version} {machine}{untested}"

    def child(self, control: int, file: int, out: int, err: int) -> None:
        self._enter(control, file, out, err)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # here: the server still has to write programs
        self._filter.install(os.getpid())
        self._engine.run(self._wait())


class _Started(Backend):
    """An own `swipl --no-signals` a program."""

    def __init__(self, where: Installation) -> None:
        super().__init__()
        self._where = where
        self._libc.prctl(_SUBREAPER, 1, 0, 0, 0)  # what a killed child leaves comes to the server, which reaps it

    def _limits(self) -> None:
        for limit, value in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, os.fstat(3).st_size + 4096),  # the program itself is put into the private root
            (resource.RLIMIT_NOFILE, 64),
        ):
            resource.setrlimit(limit, (value, value))

    def _words(self, stack: int, file: str) -> list[str]:
        return [self._where.executable, "--no-signals", f"--stack-limit={stack}b", "-q", "-f", file]


class Bubblewrap(_Started):
    """One `swipl` a program below bubblewrap: private namespaces, a read-only root, no network."""

    def __init__(self, where: Installation) -> None:
        super().__init__(where)
        tool = lean.which("bwrap")
        if tool is None:
            raise Unavailable("bubblewrap is not installed")
        self._tool = tool
        code, said = lean.ask([*self._wrap(), "true"])
        if code:
            raise Unavailable(f"bubblewrap does not run here ({' '.join(said.split())[:120]})")
        self.name = f"swipl-{where.version} bubblewrap {os.uname().machine}"

    def _wrap(self) -> list[str]:
        words = [self._tool, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
        for name, value in _LOCALE.items():
            words += ["--setenv", name, value]
        words += ["--ro-bind", "/usr", "/usr"]
        for folder in ("bin", "lib", "lib32", "lib64", "sbin"):
            if os.path.islink(f"/{folder}"):  # noqa: PTH114
                words += ["--symlink", os.readlink(f"/{folder}"), f"/{folder}"]  # noqa: PTH115
            elif os.path.isdir(f"/{folder}"):  # noqa: PTH112
                words += ["--ro-bind", f"/{folder}", f"/{folder}"]
        words += ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"]
        if not self._where.home.startswith("/usr/"):
            words += ["--ro-bind", self._where.home, self._where.home]
        return [*words, "--dev", "/dev"]

    def child(self, control: int, file: int, out: int, err: int) -> None:
        self._enter(control, file, out, err)
        stack = self._wait()
        self._limits()
        place = ["--ro-bind-data", "3", SHOWN, "--remount-ro", "/dev", "--remount-ro", "/", "--"]
        os.execv(self._tool, [*self._wrap(), *place, *self._words(stack, SHOWN)])


class Uncontained(_Started):
    """One plain `swipl` a program with resource limits only; chosen by nobody but the user."""

    def __init__(self, where: Installation) -> None:
        super().__init__(where)
        self.name = f"swipl-{where.version} NOT CONTAINED ({OVERRIDE}=1)"

    def child(self, control: int, file: int, out: int, err: int) -> None:
        self._enter(control, file, out, err)
        stack = self._wait()
        self._limits()
        os.execve(self._where.executable, self._words(stack, PROGRAM), {**_LOCALE, "PATH": "/bin"})


def choose(mode: str, override: bool) -> Backend:
    """Return the best containment that works here.

    mode: ``auto``, or one of ``seccomp``, ``bwrap``, ``unsafe`` to insist on it. override: the user allows ``unsafe``.
    Raises Unavailable naming why each one was refused, and PrologMissing.
    """
    where = find()
    reasons = []
    if mode in ("auto", "seccomp"):
        try:
            return Sealed(where)
        except (Unavailable, OSError) as error:
            reasons.append(str(error))
    if mode in ("auto", "bwrap"):
        try:
            return Bubblewrap(where)
        except (Unavailable, OSError) as error:
            reasons.append(str(error))
    if override and mode in ("auto", "unsafe"):
        return Uncontained(where)
    raise Unavailable(REFUSAL.format(reasons="; ".join(reasons) or f"{mode} needs {OVERRIDE}=1"))


_MEMORY_SIGNS = (
    b"not enough memory",
    b"No enough memory",
    b"ould not allocate",
    b"resource error: `memory'",
    b"malloc",
)

_CRASHES = (lean.SIGABRT, lean.SIGSEGV, lean.SIGBUS, lean.SIGILL, lean.SIGFPE)


def judge(
    reason: str, status: int, usage: resource.struct_rusage, err: bytes, timeout: float, memory: int
) -> tuple[str, int]:
    """Say what an ended child means.

    reason: ``exit``, ``timeout``, ``output_limit`` or ``killed`` as the server saw it; status, usage: from wait4.
    Returns the outcome (``killed``: ended from outside, run it again) and the exit code, negative for a signal.
    """
    code = os.waitstatus_to_exitcode(status)
    if reason in ("timeout", "output_limit"):
        return reason, code
    died = -code if code < 0 else code - 128 if code > 128 else 0  # bubblewrap passes a signal on as 128 + n
    if died == lean.SIGSYS:
        return "violation", code
    if died == lean.SIGXCPU:
        return "timeout", code
    if died == lean.SIGKILL:
        if usage.ru_utime + usage.ru_stime >= timeout:
            return "timeout", code
        if usage.ru_maxrss * 1024 > memory // 2:  # the machine itself ran out of memory
            return "memory_limit", code
        return "killed", code
    if code < 0 and died not in _CRASHES:
        return "killed", code
    if code and any(sign in err for sign in _MEMORY_SIGNS):
        return "memory_limit", code
    return ("error" if code else "ok"), code
