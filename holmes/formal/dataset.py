"""The dataset config `formal`: theory and script of every shipped test case by id, beside its certificate.

python -m holmes.formal.dataset            # writes the file anew from cases and certificates
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.errors import CheckFailed, InputError
from holmes.formal.certificates import FOLDER, certificate_of
from holmes.formal.export import Export
from holmes.formal.script import script_of
from holmes.util.paths import data_dir

NAME, SPLIT = "formal", "test"
CASE, SHARED = "case", "shared"
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One theory.

    id: of the case; of a theory that several cases import its name. config: of the case, empty for others. kind: case
    or shared (a rule base, or the operators). theory_name, theory: the file for Isabelle. script: for HOL Light, of a
    case. checkers: those that agree, by the certificate. claims, steps: of the kernel's proof. proved: by the kernel.
    content: hash of what the proof rests on. versions: checker -> version, as JSON. when: the day of the proof.
    """

    id: str
    config: str
    kind: str
    theory_name: str
    theory: str
    script: str = ""
    checkers: tuple[str, ...] = ()
    claims: int = 0
    steps: int = 0
    proved: bool = False
    content: str = ""
    versions: str = "{}"
    when: str = ""


def place() -> Path:
    """Return where the packaged file lies."""
    return data_dir() / FOLDER / f"{NAME}.parquet"


def made(cases: Iterable[tuple[str, Case]], notify: Notify = lambda text: None) -> Iterator[Row]:
    """Yield the rows of cases, each id once, then those of the theories that they import.

    cases: (config, case). Raises InputError for a case that cannot be put formally or has no current certificate.
    """
    export, own, seen = Export(), set[str](), set[str]()
    for config, case in cases:
        if case.id in seen:
            continue
        seen.add(case.id)
        found = certificate_of(case, config)
        if found is None:
            raise InputError(f"case {case.id!r}: found no certificate of this version, expected one: make proof")
        name = export.add(case)
        own.add(name)
        versions = json.dumps(dict(found.versions))
        yield Row(
            case.id, config, CASE, name, export.theories[name], script_of(case), found.checkers, found.claims,
            found.steps, found.proved, found.content, versions, found.when,
        )  # fmt: skip
        if len(seen) % 200 == 0:
            notify(f"{len(seen)} cases written as theory and script")
    yield from (Row(name, "", SHARED, name, text) for name, text in export.theories.items() if name not in own)


def write(rows: Iterable[Row], path: Path | None = None) -> int:
    """Write the file, whole; returns the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from holmes.util.files import whole

    told = [{**asdict(row), "checkers": list(row.checkers)} for row in rows]
    out = path or place()
    out.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(told, schema=_schema())
    with whole(out, "wb") as handle:
        # one page a column: neighbouring theories are nearly alike, and the packer sees them together
        pq.write_table(
            table, handle, compression="zstd", compression_level=19, data_page_size=1 << 28, use_dictionary=False
        )
    return len(told)


def _schema() -> Any:
    import pyarrow as pa

    numbers = {"claims": pa.int32(), "steps": pa.int32(), "proved": pa.bool_(), "checkers": pa.list_(pa.string())}
    return pa.schema([(name, numbers.get(name, pa.string())) for name in Row.__dataclass_fields__])


def read(path: Path | None = None) -> dict[str, Row]:
    """Return the rows by id; raises InputError where the file is missing."""
    import pyarrow.parquet as pq

    found = path or place()
    if not found.is_file():
        raise InputError(f"{found}: found none, expected theories and scripts: python -m holmes.formal.dataset")
    return {row["id"]: Row(**{**row, "checkers": tuple(row["checkers"])}) for row in pq.read_table(found).to_pylist()}


def disagreements(cases: Sequence[tuple[str, Case]], path: Path | None = None) -> list[str]:
    """Return where row, certificate, theory and script of cases do not agree, one line each; empty where all do.

    cases: (config, case). Every case is put formally anew and held against the stored texts.
    """
    stored = read(path)
    wrong = []
    export = Export()
    for config, case in cases:
        row, held = stored.get(case.id), certificate_of(case, config)
        if row is None or held is None:
            wrong.append(f"{case.id}: found no {'row' if row is None else 'certificate of this version'}, expected one")
            continue
        name = export.add(case)
        pairs = {
            "content": (row.content, held.content),
            "checkers": (row.checkers, held.checkers),
            "theory": (row.theory, export.theories[name]),
            "script": (row.script, script_of(case)),
        }
        wrong += [f"{case.id}: {what} is not that of the case" for what, (one, other) in pairs.items() if one != other]
    for name, text in export.theories.items():
        shared = stored.get(name)
        if shared is not None and shared.theory != text:
            wrong.append(f"{name}: the stored theory is not that of the rule base")
    return wrong


def main() -> None:
    """Write the file anew, then hold a case of each config against it."""
    from holmes.formal.certificates import embedded
    from holmes.formal.verify import to_stderr
    from holmes.store import load_cases

    every = [(config, case) for config in embedded() for case in load_cases(config, SPLIT)]
    to_stderr(f"{NAME}: {write(made(every, to_stderr))} rows in {place()}")
    if wrong := disagreements([next(pair for pair in every if pair[0] == config) for config in embedded()]):
        raise CheckFailed("; ".join(wrong))


if __name__ == "__main__":
    main()
