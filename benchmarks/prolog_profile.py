"""What the parts of a contained run cost; started by benchmarks/prolog.py in an interpreter as bare as the server's."""

from __future__ import annotations

import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

import _socket  # noqa: E402


def main(root: str, program: str) -> None:
    """Print what the parts of a run cost in CPU time; runs in a process of its own, because containment is for ever."""
    package = sys.modules["holmes"] = type(sys)("holmes")
    package.__path__ = [root + "/holmes"]  # type: ignore[attr-defined]
    from holmes.prolog import contain
    from holmes.prolog.server import Server

    backend = contain.choose("seccomp", False)
    ours, _theirs = _socket.socketpair()
    server = Server(ours, os.pidfd_open(os.getppid()), backend)

    def cost(name: str, work: Callable[[], object], count: int = 100) -> None:
        best = (1e9, 0.0, 0.0)
        for _ in range(5):
            me, kids = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
            for _ in range(count):
                work()
            me2, kids2 = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
            child = kids2.ru_utime + kids2.ru_stime - kids.ru_utime - kids.ru_stime
            own = me2.ru_utime + me2.ru_stime - me.ru_utime - me.ru_stime
            faults = kids2.ru_minflt - kids.ru_minflt
            best = min(best, (child / count * 1000, own / count * 1000, faults / count))
        print(f"{name:34} child {best[0]:5.2f} ms   server {best[1]:5.2f} ms   page faults {best[2]:5.0f}")

    def fork(work: Callable[[], object]) -> None:
        pid = os.fork()
        if pid == 0:
            work()
            os._exit(0)
        os.waitpid(pid, 0)

    cost("fork alone", lambda: fork(lambda: None))
    cost("fork and filter", lambda: fork(lambda: backend._filter.install(os.getpid())))  # type: ignore[attr-defined]
    cost("whole run, empty program", lambda: server.execute(b":- halt.\n", 20.0, 3 << 30, 10**6, 1 << 30))
    cost("whole run, benchmark program", lambda: server.execute(program.encode(), 20.0, 3 << 30, 10**6, 1 << 30))


if __name__ == "__main__":
    main(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), sys.argv[1])  # noqa: PTH100, PTH120
