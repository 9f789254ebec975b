"""One row type for every domain: `Case`, its explicit Features, and its JSON and Parquet forms."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holmes.errors import InputError
from holmes.util.files import read_jsonl, whole

CANARY = "holmes-canary-6f1c0f0e-8d0b-4a5e-9f43-5b7f5f3a2c11: evaluation data, keep out of training corpora"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace. kind: fact | concept | policy | conflict | gate | table | selection | decision | …"""

    text: str
    rule: str = ""  # the rule number as printed ("7"), empty where no rule is cited
    kind: str = ""
    result: str = ""  # canonical value: "true", "false", a number, a label


@dataclass(frozen=True, slots=True)
class Fact:
    """One typed fact; `value` is its canonical text (true, 12, 3/4, 2017-02-03, or JSON for lists)."""

    name: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class Alias:
    """The spellings under which an answer label may be read."""

    label: str
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Counts that describe how hard a case is (design section 4)."""

    steps: int = 0
    height: int = 0
    concepts: int = 0
    policies: int = 0
    conflicts: int = 0
    scopes: int = 0
    components: int = 1
    tier: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Membership in a counterfactual family: role original | decisive | control, and what changed."""

    family: str = ""
    role: str = ""
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One test item of any domain; ids are stable for ever and are never shown to a model."""

    id: str
    domain: str  # law | finance | deontic | policy
    task: str  # config name: law, deontic_sara_numeric, …
    source: str  # holmes | holmes-release | deonticbench
    rules: str
    case: str
    question: str
    answer: str
    answer_type: str  # label | amount | report
    bundle: str = ""  # rule base name
    choices: tuple[str, ...] = ()
    aliases: tuple[Alias, ...] = ()
    trace: tuple[Step, ...] = ()
    derivations: tuple[tuple[str, ...], ...] = ()
    derivations_complete: bool = False
    derivations_count: str = ""  # exact, as decimal text; empty when unknown
    critical: tuple[str, ...] = ()
    hol_types: tuple[str, ...] = ()
    hol_evidence: str = ""  # JSON
    difficulty: Difficulty = field(default_factory=Difficulty)
    facts: tuple[Fact, ...] = ()
    program: str = ""  # reference Prolog
    pair: Pair = field(default_factory=Pair)
    tags: tuple[str, ...] = ()
    plan: str = ""  # JSON: what the planner chose
    seed: int = 0
    index: int = 0
    rulebase: str = ""  # fingerprint of the rule base
    canary: str = CANARY

    def to_dict(self) -> dict[str, Any]:
        """Return the case as plain JSON values, keys in the order of the fields."""
        plain: dict[str, Any] = _plain(self)
        return plain

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], where: str = "") -> Case:
        """Build a case from plain values, checking every field.

        row: a mapping as `to_dict` gives it; unknown keys are refused. where: file and row for messages.
        Returns the case. Raises InputError naming where, id, field, found, expected.
        """
        place = f"{where}: case {row.get('id', '?')!r}" if where else f"case {row.get('id', '?')!r}"
        case: Case = _build(cls, row, place)
        if case.answer_type not in ("label", "amount", "report"):
            raise InputError(
                f"{place}: field answer_type: found {case.answer_type!r}, expected label, amount or report"
            )
        if case.answer_type == "label" and case.choices and case.answer not in case.choices:
            raise InputError(f"{place}: field answer: found {case.answer!r}, expected one of {', '.join(case.choices)}")
        return case


@functools.lru_cache(maxsize=32)
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def _plain(value: Any) -> Any:
    kind: Any = type(value)  # called some hundred times a case: the cheap tests come first
    if kind is str or kind is bool or kind is int:
        return value
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    names = _names(kind)
    return {name: _plain(getattr(value, name)) for name in names} if names else value


_NESTED: dict[tuple[type, str], type] = {
    (Case, "trace"): Step,
    (Case, "facts"): Fact,
    (Case, "aliases"): Alias,
    (Case, "difficulty"): Difficulty,
    (Case, "pair"): Pair,
}


def _build(cls: type, row: Any, place: str) -> Any:
    if not isinstance(row, Mapping):
        raise InputError(f"{place}: found {type(row).__name__}, expected an object")
    known = {f.name: f for f in dataclasses.fields(cls)}
    if unknown := sorted(set(row) - set(known)):
        raise InputError(f"{place}: field {unknown[0]}: found an unknown field, expected one of {', '.join(known)}")
    values: dict[str, Any] = {}
    for name, spec in known.items():
        if name not in row:
            if spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING:
                raise InputError(f"{place}: field {name}: found nothing, expected {spec.type}")
            continue
        values[name] = _convert(cls, name, str(spec.type), row[name], place)
    return cls(**values)


def _convert(cls: type, name: str, kind: str, value: Any, place: str) -> Any:
    nested = _NESTED.get((cls, name))
    if kind.startswith("tuple["):
        if not isinstance(value, list | tuple):
            raise InputError(f"{place}: field {name}: found {value!r:.80}, expected a list")
        if nested is not None:
            return tuple(_build(nested, v, f"{place}: field {name}") for v in value)
        if kind.startswith("tuple[tuple["):
            return tuple(_convert(cls, name, "tuple[str, ...]", v, place) for v in value)
        return tuple(_scalar(name, "str", v, place) for v in value)
    if nested is not None:
        return _build(nested, value, f"{place}: field {name}")
    return _scalar(name, kind, value, place)


def _scalar(name: str, kind: str, value: Any, place: str) -> Any:
    expected = {"str": str, "int": int, "bool": bool}[kind]
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise InputError(f"{place}: field {name}: found {value!r:.80}, expected {kind}")
    return value


def features() -> Any:
    """Return the explicit ``datasets.Features`` of a case; nothing is inferred from values."""
    from datasets import Features, List, Value

    def of(cls: type) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for spec in dataclasses.fields(cls):
            kind, nested = str(spec.type), _NESTED.get((cls, spec.name))
            if nested is not None:
                result[spec.name] = List(of(nested)) if kind.startswith("tuple[") else of(nested)
            elif kind.startswith("tuple[tuple["):
                result[spec.name] = List(List(Value("string")))
            elif kind.startswith("tuple["):
                result[spec.name] = List(Value("string"))
            else:
                result[spec.name] = Value({"str": "string", "int": "int64", "bool": "bool"}[kind])
        return result

    return Features(of(Case))


def write_parquet(path: str | Path, cases: Iterable[Case], batch: int = 500) -> int:
    """Write cases to one Parquet file, whole, in constant memory, with the Features in its metadata.

    path: the final name. cases: consumed once, in order. batch: rows a row group, at least 1.
    Returns the number of rows. Raises EnvironmentFailure when the disk is full.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = features().arrow_schema
    count = 0
    with whole(path, "wb") as handle, pq.ParquetWriter(handle, schema, compression="zstd") as writer:
        rows: list[dict[str, Any]] = []
        for case in cases:
            rows.append(case.to_dict())
            count += 1
            if len(rows) == batch:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                rows = []
        if rows or not count:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
    return count


def write_jsonl(path: str | Path, cases: Iterable[Case]) -> int:
    """Write cases as JSON Lines, whole; returns the number of rows."""
    count = 0
    with whole(path) as handle:
        for case in cases:
            handle.write(json.dumps(case.to_dict(), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_cases(path: str | Path) -> Iterator[Case]:
    """Yield the cases of a ``.parquet`` or ``.jsonl`` file in order, in constant memory.

    Raises InputError naming file, row, field, found and expected.
    """
    name = Path(path)
    if name.suffix == ".jsonl":
        for line, row in read_jsonl(name):
            yield Case.from_dict(row, f"{name}: line {line}")
        return
    if name.suffix != ".parquet":
        raise InputError(f"{name}: found ending {name.suffix!r}, expected .parquet or .jsonl")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(name)
    except FileNotFoundError as error:
        raise InputError(f"{name}: found no such file, expected a Parquet file") from error
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{name}: found {str(error).splitlines()[0]}, expected a whole Parquet file") from error
    row_number = 0
    with table:
        for block in table.iter_batches():
            for row in block.to_pylist():
                yield Case.from_dict(row, f"{name}: row {row_number}")
                row_number += 1
