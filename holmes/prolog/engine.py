"""SWI-Prolog inside this process through its C interface, and the one way a program is run in it.

Runs inside the Prolog server only: ``halt`` ends the process.
"""

from __future__ import annotations

import ctypes
import os

from holmes.prolog.minimal_os import ask, which

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INSTALL = "SWI-Prolog is not installed (no `swipl` on PATH); install it with: apt-get install swi-prolog-nox"
PROGRAM = "/proc/self/fd/3"  # the child's descriptor 3: a file in memory, so that no folder has to be readable
SHOWN = "/program.pl"  # what messages say instead


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Loaded before the first program, so that autoloading finds them in memory; none is imported into `user`. Only those
# that change nothing else: yall, apply_macros, arithmetic, settings, listing, debug and clpfd rewrite later goals,
# prolog_stack adds backtraces, ansi_term flags.
LIBRARIES = _words(
    "lists apply aggregate error option pairs occurs solution_sequences date nb_set gensym assoc ordsets ugraphs "
    "strings operators edinburgh system backcomp random rbtrees heaps terms sort tables utf8 dcg/basics "
    "dcg/high_order when"
)

# Harmless native libraries, mapped ahead because a contained child may map no more code. Not time: its alarms need
# a thread, and 9.0.4 crashes where it gets none; so that library is refused by name.
NATIVE = _words("readutil memfile sha4pl md54pl json")

# What `swipl -q -f FILE < /dev/null` does from loading FILE to the end of the process.
_RUN = f"""
(system:'$holmes_run' :-
    catch(ensure_loaded(user:'{PROGRAM}'), E, ('$toplevel':initialise_error(E) -> true ; halt(1))),
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


class PrologMissing(Exception):
    """SWI-Prolog is not there; the message is one line."""


class Installation:
    """Where SWI-Prolog lies: its program, home folder, shared library, architecture name, version."""

    __slots__ = ("arch", "executable", "home", "library", "version")

    def __init__(self, executable: str, home: str, library: str, arch: str, version: str) -> None:
        self.executable, self.home, self.library, self.arch, self.version = executable, home, library, arch, version


def find() -> Installation:
    """Ask the `swipl` on PATH where it lies; raises PrologMissing with the command that installs it."""
    executable = which("swipl")
    if executable is None:
        raise PrologMissing(INSTALL)
    found = {}
    for line in ask([executable, "--dump-runtime-variables"])[1].splitlines():
        name, _, value = line.partition("=")
        found[name] = value.strip().rstrip(";").strip('"')
    if "PLBASE" not in found:
        raise PrologMissing(f"{executable} --dump-runtime-variables printed no PLBASE; reinstall swi-prolog-nox")
    number = int(found.get("PLVERSION", "0"))
    version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    return Installation(executable, found["PLBASE"], found.get("PLLIBSWIPL", ""), found.get("PLARCH", ""), version)


class Engine:
    """One embedded SWI-Prolog, initialised as ``swipl -q -f FILE`` is, with the libraries loaded."""

    def __init__(self, where: Installation) -> None:
        lib: Any = ctypes.CDLL(where.library or "libswipl.so", mode=ctypes.RTLD_GLOBAL)
        self._lib = lib
        lib.PL_new_term_ref.restype = ctypes.c_size_t
        lib.PL_new_term_refs.restype = ctypes.c_size_t
        lib.PL_predicate.restype = ctypes.c_void_p
        lib.PL_predicate.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p]
        lib.PL_chars_to_term.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        lib.PL_call.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
        lib.PL_call_predicate.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
        os.environ["SWI_HOME_DIR"] = where.home
        words = [b"swipl", b"-q", b"-f", SHOWN.encode()]  # no such file
        self._argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)  # Prolog keeps the pointer
        if not lib.PL_initialise(len(words), self._argv):
            raise PrologMissing("libswipl does not initialise")
        del os.environ["SWI_HOME_DIR"]
        self.goal("set_prolog_flag(gc_thread, false)")
        for name in LIBRARIES:
            # Versions differ in which libraries they have; a missing one is left to the program that wants it.
            self.goal(f"(exists_source(library({name})) -> @(use_module(library({name}), []), user) ; true)")
        # swipl sleeps a tenth of a second after each error of a directive; nobody watches here.
        self.goal(
            'open_string("user:message_property(error, wait(0)).", S), load_files(user:holmes, [stream(S)]), close(S)'
        )
        files = [f"{where.home}/lib/{where.arch}/{name}.so" for name in NATIVE]
        self._native = [ctypes.CDLL(file) for file in files if os.access(file, os.R_OK)]
        self.goal("ignore('$autoload':'$find_library'(user, '$holmes_none', 0, _, _))")  # reads the autoload index
        self.goal(f"assertz({_RUN})")
        self._leave_at_once()
        self._run = lib.PL_predicate(b"$holmes_run", 0, b"system")

    def _leave_at_once(self) -> None:
        """End the process when Prolog's own at_halt hooks have run: flush what was printed, tear nothing down."""
        lib = self._lib
        lib._PL_streams.restype = ctypes.POINTER(ctypes.c_void_p)
        lib.Sflush.argtypes = [ctypes.c_void_p]
        streams = [lib._PL_streams()[1], lib._PL_streams()[2]]  # the real ones; a program may rename its own

        def leave(status: int, _closure: int | None) -> int:
            for stream in streams:
                lib.Sflush(stream)
            os._exit(status & 0xFF)

        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
        self._leave = kind(leave)
        lib.PL_on_halt.argtypes = [kind, ctypes.c_void_p]
        lib.PL_on_halt(self._leave, None)

    def goal(self, text: str) -> None:
        """Call a goal once; raises PrologMissing when it fails or throws."""
        term = self._lib.PL_new_term_ref()
        if not (self._lib.PL_chars_to_term(text.encode(), term) and self._lib.PL_call(term, None)):
            raise PrologMissing(f"SWI-Prolog refuses to set itself up: {' '.join(text.split())[:80]}")

    def run(self, stack: int) -> None:
        """Load PROGRAM, run its initialization goals, and end this process; never returns."""
        if stack != 1 << 30:
            self.goal(f"set_prolog_flag(stack_limit, {stack})")
        self._lib.PL_call_predicate(None, 2, self._run, self._lib.PL_new_term_refs(0))
        os._exit(99)
