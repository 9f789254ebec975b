"""The authors' DeonticBench release: five domains, from a checkout, a folder of JSON, or a download of the Hub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holmes.audit.near_duplicates import near_duplicates
from holmes.cases import Alias, Case
from holmes.errors import InputError
from holmes.importing.rows import Row, check_unique
from holmes.util.files import read_json, read_jsonl


@dataclass(frozen=True, slots=True)
class Domain:
    """One released domain: its folder names, its task, the labels it may carry, where its statutes stand."""

    folders: tuple[str, ...]
    task: str
    labels: Mapping[str, str]  # released label, as text -> canonical answer; empty for amounts
    statutes: str = ""  # folder of shared statutes; empty where each row carries its own


DOMAINS: tuple[Domain, ...] = (
    Domain(("sara_numeric",), "deontic_sara_numeric", {}, "sara"),
    Domain(("sara_binary",), "deontic_sara_binary", {"0": "Contradiction", "1": "Entailment"}, "sara"),
    Domain(("airline",), "deontic_airline", {}, "airline"),
    Domain(("housing",), "deontic_housing", {"yes": "yes", "no": "no"}),
    Domain(("uscis-aao", "uscis_aao", "uscis"), "deontic_uscis", {"Accepted": "Accepted", "Dismissed": "Dismissed"}),
)
SPLITS = ("hard", "whole")
ENDINGS = (".json", ".jsonl", ".parquet")
_FENCE = re.compile(r"^\s*```[^\n]*\n(.*?)(?:\n\s*```\s*)?$", re.S)


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a release: (domain task, split) -> parts in order, and statute folder name -> files in order."""

    data: Mapping[tuple[str, str], tuple[str, ...]]
    statutes: Mapping[str, tuple[str, ...]]

    def files(self) -> tuple[str, ...]:
        """Return all files, sorted."""
        return tuple(sorted({f for part in (*self.data.values(), *self.statutes.values()) for f in part}))


def locate(names: Sequence[str]) -> Found:
    """Find the release's files among relative paths, whatever the layout.

    names: paths with ``/``. Known layouts: ``data/<domain>/<split>.json``, ``<domain>/<split>-00000-of-00001.parquet``,
    ``<domain>_<split>.jsonl``; statutes at ``statutes/<sara|airline>/<file>``.
    """
    data: dict[tuple[str, str], list[str]] = {}
    laws: dict[str, list[str]] = {}
    for name in sorted(names):
        parts = name.split("/")
        if len(parts) >= 3 and parts[-3] == "statutes" and not parts[-1].startswith("."):
            laws.setdefault(parts[-2], []).append(name)
            continue
        stem, dot, ending = parts[-1].partition(".")
        if dot + ending not in ENDINGS or not parts[-1].startswith(tuple(SPLITS) + _all_folders()):
            continue
        for domain in DOMAINS:
            for split in SPLITS:
                inside = (
                    len(parts) >= 2 and parts[-2] in domain.folders and re.fullmatch(rf"{split}(-\d+-of-\d+)?", stem)
                )
                beside = any(re.fullmatch(rf"{re.escape(f)}[-_.]{split}(-\d+-of-\d+)?", stem) for f in domain.folders)
                if inside or beside:
                    data.setdefault((domain.task, split), []).append(name)
    return Found({k: tuple(v) for k, v in data.items()}, {k: tuple(v) for k, v in laws.items()})


def _all_folders() -> tuple[str, ...]:
    return tuple(folder for domain in DOMAINS for folder in domain.folders)


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: config -> split -> cases, the domains or splits not found, and remarks."""

    configs: Mapping[str, Mapping[str, Sequence[Case]]]
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def read_deonticbench(
    root: Path, inside: Mapping[str, Path], found: Found, notify: Callable[[str], None] = lambda _: None
) -> Read:
    """Read every domain that is there.

    root: the source, for messages. inside: the paths of `found` -> files. notify: called with one line a domain.
    Splits of a config: ``hard`` and ``whole`` as released, ``test`` = the hard ones (what the paper evaluates; the
    whole set where there is no hard one), ``train`` = the rest without near-duplicates of hard cases.
    Raises InputError naming file, row or id, field, found, expected, and when nothing is there at all.
    """
    configs: dict[str, dict[str, Sequence[Case]]] = {}
    missing: list[str] = []
    notes: list[str] = []
    for domain in DOMAINS:
        there = {split: found.data[domain.task, split] for split in SPLITS if (domain.task, split) in found.data}
        missing += [f"{domain.folders[0]}/{split}" for split in SPLITS if split not in there]
        if not there:
            continue
        notify(f"{domain.folders[0]}: {', '.join(there)}")
        shared = _statutes([inside[name] for name in found.statutes.get(domain.statutes, ())])
        rows = {split: [row for name in parts for row in rows_of(inside[name])] for split, parts in there.items()}
        if domain.statutes and not shared and not any(row.value.get("statutes") for row in rows[next(iter(rows))]):
            missing.append(f"statutes/{domain.statutes}: {domain.folders[0]} is left out without them")
            continue
        splits = {split: _cases(part, domain, shared) for split, part in rows.items()}
        configs[f"{domain.task}_release"] = _arrange(splits, domain, notes)
    if not configs:
        raise InputError(f"{root}: found no data/<domain>/hard.json or whole.json, expected a checkout of DeonticBench")
    return Read(configs, tuple(missing), tuple(notes))


def _statutes(files: Sequence[Path]) -> str:
    """Join the shared statutes in the order of their section numbers (directory order differs between machines)."""

    def order(path: Path) -> list[tuple[int, str]]:
        words = re.findall(r"\d+|\D+", path.name)
        return [(int(word), "") if word.isdigit() else (-1, word) for word in words]

    texts = []
    for path in sorted(files, key=order):
        try:
            texts.append(path.read_text(encoding="utf-8").strip())
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start}: found no UTF-8, expected UTF-8 text") from error
    return "\n\n".join(texts)


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a released file (.json, .jsonl, .parquet); raises InputError naming file and row."""
    values: list[Any]
    if path.suffix == ".jsonl":
        values = [value for _, value in read_jsonl(path)]
    elif path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            values = pq.read_table(path).to_pylist()
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path}: found {str(error).splitlines()[0]}, expected a whole Parquet file") from error
    else:
        values = read_json(path)
    if not isinstance(values, list) or not values:
        raise InputError(f"{path}: found {values!r:.40}, expected a list of cases")
    rows = [Row.of(value, f"{path}: row {index}") for index, value in enumerate(values)]
    return [Row(row.value, f"{row.place}: id {row.value.get('id', '?')!r}") for row in rows]


def _cases(rows: Sequence[Row], domain: Domain, shared: str) -> list[Case]:
    cases = [_case(row, domain, shared) for row in rows]
    check_unique((case.id, row.place) for case, row in zip(cases, rows, strict=True))
    return cases


def _case(row: Row, domain: Domain, shared: str) -> Case:
    own = row.value.get("statutes")
    rules = row.filled("statutes") if own not in (None, "") or not domain.statutes else shared
    if not rules:
        raise InputError(
            f"{row.place}: field statutes: found nothing, expected the statutes in the row or in"
            f" statutes/{domain.statutes} beside the data"
        )
    housing = domain.task == "deontic_housing"
    return Case(
        id=row.filled("id"),
        domain="deontic",
        task=domain.task,
        source="deonticbench",
        bundle=domain.folders[0],
        rules=rules,
        case=f"State: {row.filled('state')}" if housing else row.filled("text"),
        question=row.filled("question"),
        answer=answer(row, domain),
        answer_type="label" if domain.labels else "amount",
        choices=tuple(domain.labels.values()),
        aliases=tuple(Alias(label, (label,)) for label in domain.labels.values()),
        program=_program(row),
        plan=json.dumps({"case_number": row.value["case_number"]}) if "case_number" in row.value else "",
    )


def _program(row: Row) -> str:
    """The reference program without its fence; empty where the release has none for this case."""
    if "reference_prolog" in row.value and row.value["reference_prolog"] is None:
        return ""
    return unfenced(row.text("reference_prolog"))


def answer(row: Row, domain: Domain) -> str:
    """Return the canonical answer of a released label: an amount as decimal digits, or one of the domain's labels.

    Amounts may be released as numbers or as text ("1166", "$1,166", "1166.0"). Raises InputError for anything else.
    """
    if "label" not in row.value:
        raise InputError(f"{row.place}: field label: found nothing, expected {_expected(domain)}")
    value = row.value["label"]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not domain.labels:
        plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.removeprefix("$"))
        if not re.fullmatch(r"-?\d{1,18}(\.0+)?", plain):
            raise row.bad("label", value, _expected(domain))
        return str(int(plain.split(".")[0]))
    known = {released.lower(): canonical for released, canonical in domain.labels.items()}
    known |= {canonical.lower(): canonical for canonical in domain.labels.values()}
    if text.lower() not in known:
        raise row.bad("label", value, _expected(domain))
    return known[text.lower()]


def _expected(domain: Domain) -> str:
    return f"one of {', '.join(domain.labels)}" if domain.labels else "a whole number"


def unfenced(program: str) -> str:
    """Return the text inside the Markdown fence that wraps a released program, or the text itself."""
    match = _FENCE.match(program)
    return match[1] if match else program


def _arrange(splits: Mapping[str, list[Case]], domain: Domain, notes: list[str]) -> dict[str, Sequence[Case]]:
    hard, whole = splits.get("hard", []), splits.get("whole", [])
    name = domain.folders[0]
    done: dict[str, Sequence[Case]] = {"test": hard or whole, **splits}
    if not (hard and whole):
        return done
    by_id = {case.id: case for case in whole}
    for case in hard:
        twin = by_id.get(case.id)
        if twin is None:
            notes.append(f"{name}: hard case {case.id!r} is not in whole")
        elif replace(twin, program="") != replace(case, program=""):
            fields = [f for f in ("rules", "case", "question", "answer") if getattr(twin, f) != getattr(case, f)]
            notes.append(f"{name}: hard case {case.id!r} differs from whole in {', '.join(fields)}")
    ids = {case.id for case in hard}
    rest = [case for case in whole if case.id not in ids]
    alike = near_duplicates(hard, rest)
    if alike:
        pairs = ", ".join(f"{a} ~ {b}" for a, b in sorted(alike.items())[:20])
        notes.append(f"{name}: {len(alike)} near-duplicates of hard cases kept out of train: {pairs}")
    done["whole"] = [replace(c, tags=_tags(c, ids, alike)) for c in whole]
    done["train"] = [case for case in rest if case.id not in alike]
    return done


def _tags(case: Case, hard: set[str], alike: Mapping[str, str]) -> tuple[str, ...]:
    if case.id in hard:
        return ("hard",)
    return (f"like-hard:{alike[case.id]}",) if case.id in alike else ()
