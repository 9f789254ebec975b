"""The ways to run programs on this machine, for sweeps."""

from __future__ import annotations

import functools

import pytest

from holmes.prolog.contain import plans

FAST = [("seccomp", "compiled"), ("bwrap", "compiled"), ("seccomp", "interpreted")]
SLOW = [("bwrap", "interpreted"), ("seccomp", "plain"), ("bwrap", "plain")]
UNSAFE = ("unsafe", "auto")


@functools.cache
def missing(walls: str, server: str) -> str:
    """Why a way does not exist here; empty when it does."""
    reasons = [plan for plan in plans(walls, server, walls == "unsafe") if isinstance(plan, str)]
    return "; ".join(reasons)


def name(way: tuple[str, str]) -> str:
    return "-".join(way)


def parameters(*ways: tuple[str, str], nightly: bool = False) -> list:
    """Parameters for a test that runs once a way; `nightly` ones wait for `make nightly`."""
    marks = [pytest.mark.nightly] if nightly else []
    return [pytest.param(way, id=name(way), marks=marks) for way in ways]


EVERY = [*parameters(*FAST, UNSAFE), *parameters(*SLOW, nightly=True)]


def need(way: tuple[str, str]) -> None:
    """Skip where a way does not exist."""
    if reason := missing(*way):
        pytest.skip(reason)
