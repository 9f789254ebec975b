"""The two ways a command ends other than well: wrong input (exit code 2) and a failed check or environment (1)."""

from __future__ import annotations


class InputError(ValueError):
    """Wrong use or bad input; the one-line message names file or case id, field, found, expected (exit code 2)."""


class EnvironmentFailure(RuntimeError):
    """The machine cannot do it: disk full, prover missing, containment unavailable (exit code 1)."""


class CheckFailed(RuntimeError):
    """A check ran and did not hold (exit code 1)."""


def is_network_failure(error: BaseException) -> bool:
    """Return whether an error comes from an HTTP client; each library has a hierarchy of its own."""
    clients = ("aiohttp", "httpcore", "httpx", "httpx2", "requests", "urllib3")
    return any(kind.__module__.split(".")[0] in clients for kind in type(error).__mro__)
