"""The plans of a rule base, kept in the cache between processes: whole or not at all, made anew where in doubt."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from holmes.domains.law.planner import plans as made
from holmes.domains.law.planner.plans import TIERS, Plans, Profile
from holmes.errors import EnvironmentFailure
from holmes.logic.engine import record_space, vectorized
from holmes.logic.engine.record_space import Bools, Codes, Space, cells
from holmes.logic.engine.vectorized import ABLATIONS, decide
from holmes.logic.language import model as m
from holmes.util.files import whole
from holmes.util.paths import cache_dir
from holmes.version import __version__

_DIGEST = 32  # bytes in front of a file: the hash of the rest
_SOURCES = (made.__file__, record_space.__file__, vectorized.__file__, __file__)


def kept_plans(rulebase: m.RuleBase) -> Plans:
    """Return the plans of a law rule base, from the cache where it has them for this very rule base and program.

    A file that is damaged, cut or of another version is made anew; a cache that cannot be written is no error.
    Raises InputError as `plans` does.
    """
    path = file_of(rulebase)
    found = _read(path, rulebase)
    if found is None:
        found = made.plans(rulebase)
        with contextlib.suppress(OSError, EnvironmentFailure):
            _write(path, found)
    return found


def file_of(rulebase: m.RuleBase) -> Path:
    """Return where the plans of a rule base are kept: its fingerprint, the version, and the code that made them."""
    key = hashlib.sha256(f"{rulebase.fingerprint} {_program()}".encode()).hexdigest()[:32]
    return cache_dir() / "plans" / f"{rulebase.name}-{key}.npz"


@functools.cache
def _program() -> str:
    sources = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in _SOURCES]
    return " ".join([__version__, np.__version__, *sources])


def _write(path: Path, plans: Plans) -> None:
    profiles = [profile for name in TIERS for profile in plans.profiles[name][0]]
    rows = [plans.rows[profile, answer] for profile in profiles for answer in range(len(plans.decided.labels))]
    columns: dict[str, Any] = {
        "codes": np.stack([plans.records.codes[name] for name in plans.records.facts]).astype(np.int32),
        "depth": plans.depth.astype(np.int32),
        "conflicts": plans.conflicts.astype(np.int32),
        "signature": plans.signature.astype(np.int32),
        "broken": np.packbits(np.stack([plans.broken[name] for name in ABLATIONS]), axis=1),
        "decisive": np.packbits(plans.decisive, axis=1),
        "profiles": np.array([(TIERS.index(p.tier), p.conflicts, p.bucket) for p in profiles], dtype=np.int64),
        "weights": np.array([w for name in TIERS for w in plans.profiles[name][1]], dtype=np.int64),
        "lengths": np.array([len(chosen) for chosen, _ in rows], dtype=np.int64),
        "chosen": np.concatenate([chosen for chosen, _ in rows]).astype(np.int32),
        "sums": np.concatenate([sums for _, sums in rows]).astype(np.int64),
    }
    held = io.BytesIO()
    np.savez(held, **columns)
    with whole(path, "wb") as file:
        file.write(hashlib.sha256(held.getvalue()).digest() + held.getvalue())


def _read(path: Path, rulebase: m.RuleBase) -> Plans | None:
    """Return what a file holds; None where there is none, or it is not as it was written."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(raw[_DIGEST:]).digest() != raw[:_DIGEST]:
        return None
    with np.load(io.BytesIO(raw[_DIGEST:]), allow_pickle=False) as columns:
        return _plans(rulebase, {name: columns[name] for name in columns.files})


def _plans(rulebase: m.RuleBase, columns: Mapping[str, Any]) -> Plans:
    found = cells(rulebase)
    codes = columns["codes"].astype(np.int64)
    records = Space(tuple(found), found, dict(zip(found, codes, strict=True)))
    decided = decide(rulebase, records)
    profiles = [Profile(TIERS[tier], conflicts, bucket) for tier, conflicts, bucket in columns["profiles"].tolist()]
    weights = columns["weights"].tolist()
    by_tier = {}
    for name in TIERS:
        own = [place for place, profile in enumerate(profiles) if profile.tier == name]
        by_tier[name] = tuple(profiles[n] for n in own), tuple(weights[n] for n in own)
    ends = np.cumsum(columns["lengths"])[:-1]
    rows: list[tuple[Codes, Codes]] = list(
        zip(np.split(columns["chosen"].astype(np.int64), ends), np.split(columns["sums"], ends), strict=True)
    )
    keys = [(profile, answer) for profile in profiles for answer in range(len(decided.labels))]
    size = len(records)
    broken = dict(zip(ABLATIONS, _bits(columns["broken"], size), strict=True))
    return Plans(
        rulebase,
        records,
        decided,
        columns["depth"].astype(np.int64),
        columns["conflicts"].astype(np.int64),
        broken,
        by_tier,
        dict(zip(keys, rows, strict=True)),
        _bits(columns["decisive"], size),
        columns["signature"].astype(np.int64),
    )


def _bits(packed: Any, size: int) -> Bools:
    return np.asarray(np.unpackbits(packed, axis=1, count=size), dtype=np.bool_)
