"""Certificates: which checkers agreed on each shipped case, with versions; written by `make proof`, read by users.

python -m holmes.formal.certificates            # every config below, all checkers; writes the files
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from holmes.cases import Case
from holmes.errors import CheckFailed, InputError
from holmes.registry import configs
from holmes.util.files import read_json, whole
from holmes.util.paths import data_dir

FOLDER = "certificates"
KERNEL = "hol-light"


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was shown of one case.

    id: of the case. content: hash of its facts, question, rules and gold. checkers: those that agreed. claims,
    steps: of the kernel's proof. versions: checker -> version. when: the day of the proof.
    """

    id: str
    content: str
    checkers: tuple[str, ...]
    claims: int
    steps: int
    versions: Mapping[str, str]
    when: str

    @property
    def proved(self) -> bool:
        """Whether the kernel is among the checkers."""
        return KERNEL in self.checkers


def content(case: Case) -> str:
    """Return the hash of all that a proof of a case rests on: facts, question, rules, plan and gold."""
    facts = [[fact.name, fact.type, fact.value] for fact in case.facts]
    parts = [case.id, case.rulebase, case.rules, case.question, case.case, case.plan, case.answer, facts]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:20]


def embedded() -> tuple[str, ...]:
    """Return the shipped configs that have a test split and are to be proved, sorted."""
    named = sorted(path.name for path in data_dir().iterdir() if (path / "test.parquet").is_file())
    unproved = {known.name for known in configs() if not known.proved}
    return tuple(name for name in named if name not in unproved)


def place(config: str, folder: Path | None = None) -> Path:
    """Return where the certificates of a config lie."""
    return (folder or data_dir() / FOLDER) / f"{config}.json"


@functools.lru_cache(maxsize=32)
def load(config: str, folder: Path | None = None) -> Mapping[str, Certificate]:
    """Return id -> certificate of a config; empty where none were written. Raises InputError for a damaged file."""
    path = place(config, folder)
    if not path.exists():
        return {}
    document = read_json(path)
    try:
        versions, when = dict(document["versions"]), str(document["when"])
        return {
            name: Certificate(name, row[0], tuple(row[1].split()), int(row[2]), int(row[3]), versions, when)
            for name, row in document["cases"].items()
        }
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: found a damaged file ({error}), expected certificates") from error


def certificate_of(case: Case, config: str, folder: Path | None = None) -> Certificate | None:
    """Return the certificate of a case; None without one, and where the case is no longer the one that was proved."""
    found = load(config, folder).get(case.id)
    return found if found is not None and found.content == content(case) else None


def told(cases: Sequence[Case], config: str) -> str:
    """Return in one line how many cases of a config each checker has certified, and when; empty for none."""
    found = totals(cases, config)
    agreed = ", ".join(f"{checker} {count}" for checker, count in found.items() if checker != "cases")
    days = sorted({held.when for case in cases if (held := certificate_of(case, config)) is not None})
    return f"{found['cases']} cases: {agreed} ({' and '.join(days)})" if agreed else ""


def totals(cases: Sequence[Case], config: str, folder: Path | None = None) -> dict[str, int]:
    """Return how many of the cases each checker agreed on, and under ``cases`` how many there are."""
    found: dict[str, int] = {"cases": len(cases)}
    for case in cases:
        known = certificate_of(case, config, folder)
        for checker in known.checkers if known else ():
            found[checker] = found.get(checker, 0) + 1
    return found


def versions() -> dict[str, str]:
    """Return the versions of the checkers at hand."""
    from holmes.formal.prover import version
    from holmes.prolog.engine import find
    from holmes.version import __version__

    own = {"python": f"holmes {__version__}, Python {platform.python_version()}", "text": f"holmes {__version__}"}
    return {**own, "prolog": find().version, KERNEL: version()}


def write(
    config: str, cases: Sequence[Case], agreed: Mapping[str, set[str]], shown: Mapping[str, tuple[int, int]], *,
    known: Mapping[str, str], when: str, folder: Path | None = None,
) -> Path:  # fmt: skip
    """Write the certificates of a config, whole.

    agreed: checker -> ids of the cases on which it agrees. shown: id -> (claims, steps) of the kernel's proof.
    known: checker -> version. when: ISO date. Returns the file.
    """
    path = place(config, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {
        case.id: [content(case), " ".join(c for c in agreed if case.id in agreed[c]), *shown.get(case.id, (0, 0))]
        for case in cases
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    head = json.dumps({"when": when, "versions": dict(known)})
    with whole(path) as handle:
        handle.write(f'{head[:-1]}, "cases": {{\n{lines}\n}}}}\n')
    load.cache_clear()
    return path


def certify(configs: Sequence[str], folder: Path | None, notify: Callable[[str], None]) -> dict[str, int]:
    """Check the test split of configs by every checker, the kernel in one process for all, and write certificates.

    Returns config -> number of cases that some checker did not confirm.
    """
    from holmes.formal.verify import problems, prove
    from holmes.services.verify import PATHS, readable
    from holmes.store import load_cases

    cases = {config: load_cases(config, "test") for config in configs}
    every = list({case.id: case for listed in cases.values() for case in listed}.values())
    tallies = prove(every, notify)
    for name, wanted, found in problems(tallies):
        notify(f"  {name}: {wanted}, found {found}")
    wrong: dict[str, int] = {}
    today = date.today().isoformat()
    for config, listed in cases.items():
        agreed: dict[str, set[str]] = {}
        failed: set[str] = set()
        for path in ("python", "prolog", "text"):
            notify(f"{config} by {path}")
            own = readable(listed, path)
            differ = {mismatch.id for mismatch in PATHS[path](own)} if own else set()
            agreed[path] = {case.id for case in own} - differ
            failed |= {name.split("#")[0] for name in differ}
        agreed[KERNEL] = {case.id for case in listed if tallies[case.id].proved}
        failed |= {case.id for case in listed} - agreed[KERNEL]
        shown = {case.id: (tallies[case.id].claims, tallies[case.id].steps) for case in listed}
        write(config, listed, agreed, shown, known=versions(), when=today, folder=folder)
        wrong[config] = len(failed)
    return wrong


@click.command()
@click.argument("configs", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the files; by default that of the package.")
def main(configs: tuple[str, ...], out: Path | None) -> None:
    """Prove the test splits of CONFIGS (default: every embedded one) and write their certificates."""
    from holmes.formal.verify import to_stderr

    names = configs or embedded()
    wrong = certify(names, out, to_stderr)
    for config in names:
        click.echo(f"{config}: {len(load(config, out))} certificates, {wrong[config]} cases not confirmed")
    if any(wrong.values()):
        raise CheckFailed(f"certificates: {sum(wrong.values())} cases are not confirmed by every checker")


if __name__ == "__main__":
    main()
