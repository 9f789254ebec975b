"""Which SWI-Prolog there is, and what a server loads into it before the first program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from holmes.errors import EnvironmentFailure

INSTALL = "SWI-Prolog is not installed (no `swipl` on PATH); install it with: apt-get install swi-prolog-nox"
PROGRAM = "/proc/self/fd/3"  # the child's descriptor 3: a file in memory, so that no folder has to be readable
SHOWN = "/program.pl"  # what messages say instead; below bubblewrap the program really lies there

# Loaded before the first program, so that autoloading finds them in memory; none is imported into `user`. Only those
# that change nothing else: yall, apply_macros, arithmetic, settings, listing, debug and clpfd rewrite later goals,
# prolog_stack adds backtraces, ansi_term flags.
LIBRARIES = tuple(
    "lists apply aggregate error option pairs occurs solution_sequences date nb_set gensym assoc ordsets ugraphs "  # noqa: SIM905
    "strings operators edinburgh system backcomp random rbtrees heaps terms sort tables utf8 dcg/basics "
    "dcg/high_order when".split()
)

# Harmless native libraries, mapped ahead because a contained child may map no more code. The common ones are in every
# server; all of them, which make each fork a quarter dearer, in servers for programs that may want them.
COMMON = ("readutil", "memfile", "sha4pl", "md54pl", "json")
RARE = tuple(
    "uri pcre4pl yaml4pl porter_stem snowball isub double_metaphone unicode4pl crypto4pl prolog_stream table "  # noqa: SIM905
    "hashstream protobufs streaminfo sgml2pl inclpr zlib4pl files".split()
)
_MENTIONS = re.compile(
    r"\buri|\bre_\w|pcre|yaml|stem\b|snowball|isub|metaphone|\bunicode|crypto|prolog_stream|library\(\s*\W?\s*table\b"
    r"|hash_stream|open_hash|protobuf|streaminfo|sgml|xml|html|xpath|inclpr|zlib|zopen|gzopen|filesex|directory_"
)

# What `swipl -q -f FILE < /dev/null` does from loading FILE to the end of the process.
_RUN = """
(system:'$holmes_run' :-
    catch(ensure_loaded(user:'{program}'), E, ('$toplevel':initialise_error(E) -> true ; halt(1))),
    (   system:'$init_goal'(when(_), _, _)
    ->  '$toplevel':run_program_init,
        (   current_predicate('$toplevel':run_main_init/0)
        ->  '$toplevel':run_main_init
        ;   '$toplevel':run_main_init(false)  % later versions
        )
    ;   '$toplevel':version
    ),
    current_prolog_flag(toplevel_goal, Goal),
    (   Goal == default ->  format(user_output, '~N~n', []), halt(0)
    ;   Goal == halt ->  halt(0)
    ;   '$toplevel':'$toplevel' ->  halt(0)
    ;   halt(1)
    ))
"""

_ATTEMPTS = 10

# Libraries of which this package has its own, that need no second thread.
_OWN = ("time", "thread")


@dataclass(frozen=True, slots=True)
class Installation:
    """Where SWI-Prolog lies: its program, home folder, shared library (empty: unknown), architecture name, version."""

    executable: str
    home: str
    library: str
    arch: str
    version: str


def asked(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it said; one that a signal from outside ends is run again.

    Raises OSError where it cannot be started, TimeoutExpired after a minute.
    """
    for _ in range(_ATTEMPTS):
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, errors="replace", timeout=60
        )
        if done.returncode >= 0:
            break
    return done


def find() -> Installation:
    """Ask the `swipl` on PATH where it lies; raises EnvironmentFailure with the command that installs it."""
    executable = shutil.which("swipl")
    if executable is None:
        raise EnvironmentFailure(INSTALL)
    try:
        done = asked([executable, "--dump-runtime-variables"])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFailure(f"{executable} cannot be started: {error}") from error
    found = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        found[name] = value.strip().rstrip(";").strip('"')
    if "PLBASE" not in found:
        raise EnvironmentFailure(f"{executable} --dump-runtime-variables printed no PLBASE; reinstall swi-prolog-nox")
    number = int(found.get("PLVERSION", "0"))
    version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    library = found.get("PLLIBSWIPL", "")
    return Installation(
        executable, found["PLBASE"], library if Path(library).is_file() else "", found.get("PLARCH", ""), version
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _from_text(file: str, text: str) -> str:
    return f"open_string({_quoted(text)}, S), load_files({file}, [stream(S)]), close(S)"


def goals(program: str) -> list[str]:
    """Return what a server calls, one after the other, before its first fork.

    program: the path under which a child finds its program.
    """
    found = ["set_prolog_flag(gc_thread, false)"]
    for name in _OWN:
        text = Path(__file__).with_name(f"{name}.pl").read_text(encoding="utf-8")
        found.append(
            f"absolute_file_name(library({name}), File, [file_type(prolog), file_errors(fail)]) -> "
            f"{_from_text('File', text)} ; true"
        )
    # Versions differ in which libraries they have; a missing one is left to the program that wants it.
    found += [
        f"exists_source(library({name})) -> @(use_module(library({name}), []), user) ; true" for name in LIBRARIES
    ]
    # swipl sleeps a tenth of a second after each error of a directive; nobody watches here.
    found.append(_from_text("user:holmes", "user:message_property(error, wait(0))."))
    found.append("ignore('$autoload':'$find_library'(user, '$holmes_none', 0, _, _))")  # reads the autoload index
    found.append(f"assertz({_RUN.format(program=program)})")
    return found


def wants_rare(program: str, stderr: str = "") -> bool:
    """Whether a program may want a rare native library: by its words, or because one was refused to it before."""
    if stderr:
        return any(f"/{name}.so: failed to map segment" in stderr for name in RARE)
    return _MENTIONS.search(program) is not None


def native(where: Installation, rare: bool) -> list[str]:
    """Return the files of the native libraries that are mapped ahead; rare: all of them."""
    files = [f"{where.home}/lib/{where.arch}/{name}.so" for name in (*COMMON, *(RARE if rare else ()))]
    return [file for file in files if os.access(file, os.R_OK)]
