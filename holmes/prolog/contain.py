"""The ways to contain a program here, best first: which server runs it, behind which walls, and why another does not.

Two things are chosen apart. The server: ``compiled`` (`server.c`), ``interpreted`` (`server.py` over pyswip) or
``plain`` (an own `swipl` a program, started by `server.py`). The walls: ``seccomp`` (with Landlock), ``bwrap``
(bubblewrap, with the same filter) or ``unsafe`` (limits only; chosen by nobody but the user).
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from holmes.prolog import compiled, engine, landlock, seccomp
from holmes.prolog.compiled import Unavailable
from holmes.prolog.engine import PROGRAM, SHOWN, Installation
from holmes.prolog.wire import listed

MODES = ("auto", "seccomp", "bwrap", "unsafe")
SERVERS = ("auto", "compiled", "interpreted", "plain")
OVERRIDE = "HOLMES_UNSAFE_PROLOG"
REFUSAL = (
    "Prolog programs cannot be contained on this machine: {reasons}. Install bubblewrap (apt-get install bubblewrap) "
    f"or a kernel with Landlock (5.13 or later); {OVERRIDE}=1 runs them without containment at your own risk"
)
LOCALE = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
_ROOT = Path(__file__).resolve().parents[2]
_ZONES = ("/etc/localtime", "/usr/share/zoneinfo")
_INSIDE = "/holmes"  # where the server's files lie below bubblewrap
# The packages stand there as bare names: their own __init__ would import more than a server needs.
_START = """
import sys
for name, place in (("holmes", sys.argv[3] + "/holmes"), ("pyswip", sys.argv[4])):
    sys.modules[name] = package = type(sys)(name)
    package.__path__ = [place]
from holmes.prolog.server import main
main(int(sys.argv[1]), int(sys.argv[2]))
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to run programs: the command of its server, the set-up it is sent, and its name in results.

    command, after: words; the numbers of two inherited descriptors come between them.
    """

    server: str
    walls: str
    name: str
    command: tuple[str, ...]
    after: tuple[str, ...]
    environment: dict[str, str]
    setup: dict[str, bytes] = field(repr=False)

    @property
    def filtered(self) -> bool:
        """Whether a seccomp filter is in force."""
        return self.walls != "unsafe"


def with_rare(plan: Plan) -> Plan:
    """Return the plan of a server that has the rare native libraries too."""
    if not plan.setup["NATIVE"]:
        return plan
    return replace(plan, setup={**plan.setup, "NATIVE": listed(engine.native(engine.find(), True))})


def plans(mode: str, server: str, override: bool) -> Iterator[Plan | str]:
    """Yield the ways that may work here, best first, and in their place one line for each that does not.

    mode: of MODES. server: of SERVERS. override: the user allows ``unsafe``. Raises EnvironmentFailure without `swipl`.
    """
    where = engine.find()
    walls = {"auto": ("seccomp", "bwrap"), "seccomp": ("seccomp",), "bwrap": ("bwrap",), "unsafe": ()}[mode]
    for wall in walls:
        try:
            _possible(wall)
        except Unavailable as error:
            yield str(error)
            continue
        for name in SERVERS[1:] if server == "auto" else (server,):
            try:
                yield _plan(where, name, wall)
            except Unavailable as error:
                yield f"{name} server: {error}"
    if override and mode in ("auto", "unsafe"):
        yield _plan(where, "plain", "unsafe")
    elif mode == "unsafe":
        yield f"unsafe needs {OVERRIDE}=1"


def _possible(walls: str) -> None:
    """Raise Unavailable when these walls cannot be put up at all."""
    machine = os.uname().machine
    if machine not in seccomp.ARCHITECTURES:
        raise Unavailable(f"no seccomp filter for {machine}")
    if walls == "seccomp":
        if landlock.abi() < 1:
            raise Unavailable("the kernel has no Landlock")
        if not Path("/proc/self/fd/0").exists():
            raise Unavailable("/proc is not mounted")
        return
    tool = shutil.which("bwrap")
    if tool is None:
        raise Unavailable("bubblewrap is not installed")
    done = engine.asked([tool, "--unshare-all", "--ro-bind", "/", "/", "true"])
    if done.returncode:
        raise Unavailable(f"bubblewrap does not run here ({' '.join(done.stderr.split())[:120]})")


def _plan(where: Installation, server: str, walls: str) -> Plan:
    machine = os.uname().machine
    inside = walls == "bwrap"
    program = SHOWN if inside else PROGRAM
    environment = {**LOCALE, "PATH": os.environ.get("PATH", os.defpath)}
    setup = dict.fromkeys(("OUTER", "INNER", "RULES", "PATHS", "GOALS", "NATIVE", "WORDS"), b"")
    setup |= {"PROGRAM": program.encode(), "HOME": where.home.encode(), "DEADLY": b""}
    if walls == "seccomp":
        kept = [
            where.home,
            os.path.realpath(f"{where.home}/library"),
            *(zone for zone in _ZONES if Path(zone).exists()),
        ]
        setup["RULES"] = landlock.attributes(landlock.abi())
        setup["PATHS"] = listed([landlock.readable(path) for path in kept])
    if server == "plain":
        setup |= _plain(where, walls)
    else:
        fatal = seccomp.TRAP if server == "compiled" else seccomp.KILL
        setup["OUTER"] = seccomp.server_filter(machine, fatal)
        setup["INNER"] = seccomp.child_filter(machine, seccomp.MARKER, fatal)
        setup["DEADLY"] = str(seccomp.ARCHITECTURES[machine][1][seccomp.DEADLY]).encode()
        setup["GOALS"], setup["NATIVE"] = listed(engine.goals(program)), listed(engine.native(where, False))
    if server == "compiled":
        file = compiled.build(where)
        environment["LD_BIND_NOW"] = "1"  # else each child would resolve the same names anew
        shown = {str(file): f"{_INSIDE}/server"} if inside else {}
        command, after, needed = [shown.get(str(file), str(file))], [], [where.library]
    else:
        pyswip = _pyswip() if server == "interpreted" else ""
        environment |= {"LIBSWIPL_PATH": where.library or "libswipl.so", "SWI_HOME_DIR": where.home}
        python = _python()
        shown = {str(_ROOT / "holmes" / "prolog"): f"{_INSIDE}/holmes/prolog", pyswip: f"{_INSIDE}/pyswip"}
        shown = {place: as_ for place, as_ in shown.items() if place} if inside else {}
        # -I -S: no site packages, no user settings; fewer pages make each fork cheaper.
        command = [python, "-I", "-S", "-c", _START]
        after = [_INSIDE if inside else str(_ROOT), shown.get(pyswip, pyswip)]
        needed = [where.library or where.executable, python]
        if inside:
            shown |= {python: python, where.executable: where.executable}
    name = f"swipl-{where.version} "
    untested = "" if machine == "x86_64" else ", filter untested on hardware"
    if inside:
        command = [*_bubblewrap(where, shown, needed, environment, server != "compiled"), *command]
        name += f"bubblewrap+seccomp {machine} {server}{untested}"
    elif walls == "seccomp":
        name += f"seccomp+landlock{landlock.abi()} {machine} {server}{untested}"
    else:
        name += f"NOT CONTAINED ({OVERRIDE}=1)"
    return Plan(server, walls, name, tuple(command), tuple(after), environment, setup)


def _plain(where: Installation, walls: str) -> dict[str, bytes]:
    """Return what the set-up says of an own `swipl` a program."""
    words = [where.executable, "--no-signals", "--stack-limit={stack}b", "-q", "-f", "{program}"]
    found = {"WORDS": listed(words)}
    if walls != "unsafe":
        found["INNER"] = b"exec"  # made for each child by seccomp.exec_filter
    if walls == "seccomp":
        bits = landlock.READ_FILE | landlock.READ_DIR | landlock.EXECUTE
        paths = [where.home, os.path.realpath(f"{where.home}/library"), *_libraries([where.executable])]
        entries = [f"{bits} {path}" for path in paths]
        entries += [f"{bits & ~landlock.READ_DIR} {os.path.realpath(where.executable)}"]
        entries += [landlock.readable(path) for path in (*_ZONES, "/etc/ld.so.cache") if os.path.exists(path)]  # noqa: PTH110
        found["PATHS"] = listed(entries)
    return found


def _pyswip() -> str:
    spec = importlib.util.find_spec("pyswip")
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable("pyswip is not installed (pip install pyswip)")
    return str(next(iter(spec.submodule_search_locations)))


def _python() -> str:
    """Return this Python outside its virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _libraries(files: list[str]) -> list[str]:
    """Return the folders of the shared libraries that these files need, the loader's among them."""
    done = engine.asked(["ldd", *files])
    found = {str(Path(path).parent) for path in re.findall(r"(/\S+) \(0x", done.stdout)}
    return sorted({os.path.realpath(folder) for folder in found})


def _bubblewrap(
    where: Installation, shown: dict[str, str], needed: list[str], environment: dict[str, str], python: bool
) -> list[str]:
    """Return the words that start a server in a view of its own files, of Prolog's and of the libraries they need."""
    words = [str(shutil.which("bwrap")), "--unshare-all", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    try:
        folders = _libraries([*needed, *engine.native(where, True)])
    except OSError as error:
        raise Unavailable(f"ldd cannot be started: {error}") from error
    for name in ("lib", "lib32", "lib64"):
        if Path(f"/{name}").is_symlink():
            words += ["--symlink", str(Path(f"/{name}").readlink()), f"/{name}"]
    homes = [where.home, os.path.realpath(f"{where.home}/library"), *folders]
    for folder in dict.fromkeys(homes):
        words += ["--ro-bind", folder, folder]
    for zone in _ZONES:
        words += ["--ro-bind-try", zone, zone]
    if python:
        for folder in dict.fromkeys(sysconfig.get_path(name) for name in ("stdlib", "platstdlib")):
            words += ["--ro-bind", folder, folder]
            for packages in ("site-packages", "dist-packages"):
                if (Path(folder) / packages).is_dir():
                    words += ["--tmpfs", f"{folder}/{packages}"]  # what is installed is nobody's business
    for place, as_ in shown.items():
        words += ["--ro-bind", place, as_]
    return [*words, "--chdir", "/", "--"]
