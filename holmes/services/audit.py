"""What `holmes audit TARGET` runs: the gates of a config, or the defects of a release."""

from __future__ import annotations

from holmes.errors import InputError
from holmes.interfaces import Document
from holmes.registry import config, configs, find_plugin, sources
from holmes.util.nearest import did_you_mean


def targets() -> tuple[str, ...]:
    """Return what can be audited: configs with gates, then releases."""
    return (*(own.name for own in configs() if own.audit is not None), *(origin.audited for origin in sources()))


def audit(target: str, *, seed: int | None, n: int, bundle: str) -> Document:
    """Return the document of an audit.

    target: a config or a release. seed: audit a fresh build of n cases instead of the shipped ones. bundle: one rule
    base, by name or by file, where the config allows it. Raises InputError for an unknown target or wrong use.
    """
    for origin in sources():
        if target == origin.audited:
            if seed is not None:
                raise InputError(f"audit {target}: found --seed, expected none: a release is audited as imported")
            return origin.defects()
    find_plugin(target)
    run = config(target).audit if target in targets() else None
    if run is None:
        known = targets()
        raise InputError(f"audit: found {target!r}, expected one of {', '.join(known)}{did_you_mean(target, known)}")
    document = run(seed=seed, n=n, bundle=bundle)
    for origin in sources():
        document = origin.beside(target, document)
    return document
