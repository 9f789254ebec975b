"""Two fingerprints of a rule base: of its text, which a case stores, and of its logic, on which golds and scores hang.

A changed word in a sentence changes the first and not the second. `history.json` beside rule bases says what logic the
fingerprints of earlier versions stood for, so that cases built with them can still be scored.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from holmes.errors import InputError
from holmes.logic.language.model import Policy, RuleBase, Type
from holmes.logic.language.unparse import unparse
from holmes.util.files import read_json, write_text

HISTORY = "history.json"
DIGITS = 16


def hexdigest(text: str, digits: int = DIGITS) -> str:
    """Return the first hex digits of the sha256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def joined_fingerprint(parts: Mapping[str, str]) -> str:
    """Return one fingerprint for several named ones, 16 hex digits."""
    return hexdigest(" ".join(f"{name}={own}" for name, own in parts.items()))


def logic_fingerprint(base: RuleBase) -> str:
    """Return a fingerprint of what evaluation, derivations and programs hang on: no wording, no range, no integrity.

    Integrity and ranges say which records occur, not what follows from one.
    """
    record = {
        "defeat": base.defeat,
        "facts": [[name, _type(fact.type)] for name, fact in base.facts.items()],
        "concepts": [[c.name, c.rule, _type(c.type), unparse(c.body)] for c in base.concepts.values()],
        "tables": [
            [t.name, t.rule, [unparse(k) for k in t.keys], [[_keys(r.keys), unparse(r.value)] for r in t.rows]]
            for t in base.tables.values()
        ],
        "policies": [_policy(policy) for policy in base.policies.values()],
        "families": {name: list(members) for name, members in base.families.items()},
        "relations": [[r.kind, r.winner, list(r.losers), r.rule] for r in base.relations],
        "decision": [
            _type(base.decision.type), base.decision.rule, base.decision.pick, list(base.decision.order),
            base.decision.then, base.decision.otherwise, base.decision.gates,
        ],
        "amount": None if base.amount is None else [base.amount.rule, unparse(base.amount.value)],
    }  # fmt: skip
    return hexdigest(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def _type(type_: Type) -> list[Any]:
    return [type_.kind, list(type_.values), [[name, _type(part)] for name, part in type_.fields]]


def _keys(keys: Iterable[Any]) -> list[str]:
    return [str(key) for key in keys]


def _policy(p: Policy) -> list[Any]:
    conditions = [unparse(e) if e is not None else None for e in (p.when, p.unless, p.selector)]
    operands = [p.base, list(p.parts), p.mode, [list(branch) for branch in p.branches]]
    return [p.name, p.rule, p.operator, *conditions, p.consequence, p.gate, *operands]


# ---------------------------------------------------------------- earlier versions
@functools.lru_cache(maxsize=32)
def history(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return what a folder records of earlier versions: rule base -> text fingerprint -> logic fingerprint.

    Empty where it records nothing. Raises InputError for a file that is none.
    """
    file = folder / HISTORY
    if not file.is_file():
        return {}
    found = read_json(file)
    if not isinstance(found, dict) or not all(isinstance(known, dict) for known in found.values()):
        raise InputError(
            f"{file}: found {str(found)!r:.60}, expected rule base -> text fingerprint -> logic fingerprint"
        )
    return found


def with_former(base: RuleBase, folder: Path) -> RuleBase:
    """Return a rule base with the text fingerprints of earlier versions that had its very logic."""
    known = history(folder).get(base.name, {})
    if not known:
        return base
    logic = logic_fingerprint(base)
    former = tuple(text for text, own in known.items() if own == logic and text != base.fingerprint)
    return dataclasses.replace(base, former=former) if former else base


def edited(base: RuleBase, to: Callable[[str], str], **changes: Any) -> RuleBase:
    """Return a changed rule base under a fingerprint of its own.

    to: text fingerprint of the base -> what is hashed for the edition; earlier versions are carried over by it.
    """
    length = len(base.fingerprint)
    return dataclasses.replace(
        base,
        fingerprint=hexdigest(to(base.fingerprint), length),
        former=tuple(hexdigest(to(old), length) for old in base.former),
        **changes,
    )


def record(versions: Iterable[tuple[Path, str, str, str]]) -> list[Path]:
    """Add versions to the history files of their folders; returns the files that changed.

    versions: (folder, name, text fingerprint, logic fingerprint). Nothing that is recorded is ever taken away.
    """
    known: dict[Path, dict[str, dict[str, str]]] = {}
    for folder, name, text, logic in versions:
        rows = known.setdefault(folder, {own: dict(row) for own, row in history(folder).items()})
        rows.setdefault(name, {})[text] = logic
    changed = []
    for folder, rows in known.items():
        if rows != history(folder):
            write_text(folder / HISTORY, json.dumps(rows, indent=1, sort_keys=True) + "\n")
            changed.append(folder / HISTORY)
    history.cache_clear()
    return changed
