"""The rule bases of the law engine that come with the package, by name: the law bundles and those beyond law."""

from __future__ import annotations

import functools
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.logic.language.model import RuleBase
from holmes.logic.loader import load_rulebase

FOLDER = Path(__file__).resolve().parent / "rules"
BEYOND = Path(__file__).resolve().parent / "unshipped"  # same engine, another field: no part of the configuration law


def bundles() -> tuple[str, ...]:
    """Return the names of the packaged law rule bases, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def beyond() -> tuple[str, ...]:
    """Return the names of the packaged rule bases outside law, sorted."""
    return tuple(sorted(path.stem for path in BEYOND.glob("*.yaml")))


def path_of(name: str) -> Path:
    """Return the file of a packaged rule base; raises InputError for an unknown name."""
    for folder, names in ((FOLDER, bundles()), (BEYOND, beyond())):
        if name in names:
            return folder / f"{name}.yaml"
    raise InputError(f"law bundle: found {name!r}, expected one of {', '.join((*bundles(), *beyond()))}")


@functools.lru_cache(maxsize=32)
def bundle(name: str) -> RuleBase:
    """Return one packaged rule base; raises InputError for an unknown name."""
    return load_rulebase(path_of(name))


@functools.lru_cache(maxsize=32)
def _by_fingerprint(name: str) -> dict[str, RuleBase]:
    from holmes.domains.law.planner.variants import variants

    found = [variant.rulebase for variant in variants(bundle(name))]
    return {known: base for base in found for known in (*base.former, base.fingerprint)}


def rulebase_of(case: Case) -> RuleBase:
    """Return the very rule base of a law case of ours: its bundle, with the measures exchanged as in the case.

    Raises InputError when the case was built with another version of the bundle.
    """
    known = _by_fingerprint(case.bundle)
    if case.rulebase not in known:
        raise InputError(
            f"case {case.id!r}: field rulebase: found {case.rulebase}, expected a fingerprint of bundle {case.bundle} "
            f"as packaged ({', '.join(known)}); the case was built by another version"
        )
    return known[case.rulebase]
