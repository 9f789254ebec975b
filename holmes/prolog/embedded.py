"""SWI-Prolog inside the interpreted server, through pyswip, and the one way a program is run in it.

``halt`` ends the process: nothing of this is for the caller's own process.
"""

from __future__ import annotations

import ctypes
import os
from _signal import ITIMER_REAL, SIGALRM, setitimer  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Unsuited(Exception):
    """This SWI-Prolog does not do here what is needed; the message is one line."""


class _Bell(ctypes.Structure):
    """A pl_sigaction_t: a predicate to be called at a safe point, the one kind of signal that tight loops heed."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("predicate", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("reserved", ctypes.c_void_p * 2),
    )


_SYNCHRONOUS = 0x4


class Engine:
    """One embedded SWI-Prolog, initialised as ``swipl -q -f FILE`` is, with the libraries loaded."""

    def __init__(self, setup: dict[str, bytes]) -> None:
        try:
            import pyswip.core as binding
        except Exception as error:  # pyswip raises many kinds where it finds no library
            raise Unsuited(f"pyswip does not load: {type(error).__name__}: {error}") from error
        self._binding: Any = binding
        words = [b"swipl", b"-q", b"-f", b"/program.pl"]  # no such file yet
        self._words = (ctypes.c_char_p * (len(words) + 1))(*words, None)  # Prolog keeps the pointer
        if not binding.PL_initialise(len(words), self._words):
            raise Unsuited("libswipl does not initialise")
        for name in ("SWI_HOME_DIR", "LIBSWIPL_PATH"):
            os.environ.pop(name, None)
        kind = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_size_t)
        self._timer = kind(self._ring_after)
        binding._lib.PL_register_foreign_in_module(b"system", b"$holmes_timer", 1, self._timer, 0)
        self._bell = _Bell(None, binding.PL_predicate(b"rang", 1, b"time"), _SYNCHRONOUS)
        for text in _texts(setup["GOALS"]):
            self._goal(text)
        self._native = [ctypes.CDLL(file, mode=os.RTLD_LAZY) for file in _texts(setup["NATIVE"])]
        self._leave_at_once()
        self._run = binding.PL_predicate(b"$holmes_run", 0, b"system")

    def _ring_after(self, term: int) -> int:
        """'$holmes_timer'(+Seconds): one SIGALRM after so many seconds; 0 for none."""
        value = ctypes.c_double()
        if not self._binding.PL_get_float(term, ctypes.byref(value)):
            return 0
        if self._binding._lib.PL_sigaction(SIGALRM, ctypes.byref(self._bell), None) < 0:
            return 0
        setitimer(ITIMER_REAL, min(max(value.value, 1e-6), 1e8) if value.value > 0 else 0.0)
        return 1

    def _leave_at_once(self) -> None:
        """End the process when Prolog's own at_halt hooks have run: flush what was printed, tear nothing down."""
        lib = self._binding._lib
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

    def _goal(self, text: str) -> None:
        """Call a goal once; raises Unsuited when it fails or throws."""
        term = self._binding.PL_new_term_ref()
        if not (self._binding.PL_chars_to_term(text.encode(), term) and self._binding.PL_call(term, None)):
            raise Unsuited(f"SWI-Prolog refuses to set itself up: {' '.join(text.split())[:80]}")

    def run(self, stack: int) -> None:
        """Load the program, run its initialization goals, and end this process; never returns."""
        if stack != 1 << 30:
            self._goal(f"set_prolog_flag(stack_limit, {stack})")
        self._binding.PL_call_predicate(None, 2, self._run, self._binding.PL_new_term_refs(0))
        os._exit(99)


def _texts(listed: bytes) -> list[str]:
    return listed.decode().split("\0")[:-1]
