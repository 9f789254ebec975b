"""The dataset card: generated from the embedded data, so that no figure in it is written by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from holmes.cases import Case, read_cases
from holmes.formal.certificates import told
from holmes.formal.dataset import NAME, SPLIT
from holmes.formal.dataset import place as proofs
from holmes.interfaces import SPLITS
from holmes.registry import configs as known_configs
from holmes.util.paths import data_dir
from holmes.version import __version__

SHOWN = (*SPLITS, "every")


def layout(root: Path | None = None) -> dict[str, list[str]]:
    """Return the embedded configs and their splits in order. root: the data folder, the packaged one by default."""
    folder = root or data_dir()
    found = {
        config.name: [s for s in SHOWN if (config / f"{s}.parquet").is_file()]
        for config in sorted(folder.iterdir())
        if config.is_dir()
    }
    return {name: splits for name, splits in found.items() if splits}


def front_matter(configs: dict[str, list[str]]) -> dict[str, Any]:
    """Return the metadata by which `datasets` finds configs and splits."""
    rows: list[dict[str, Any]] = []
    default = {own.name: [own.name] for own in known_configs() if own.shown and own.name in configs}
    files: list[dict[str, Any]] = [
        {"split": split, "path": [f"data/{c}/test.parquet" for c in members]}
        for split, members in default.items()
        if members
    ]
    rows.append({"config_name": "default", "default": True, "data_files": files})
    for name, splits in configs.items():
        rows.append(
            {"config_name": name, "data_files": [{"split": s, "path": f"data/{name}/{s}.parquet"} for s in splits]}
        )
    if proofs().is_file():
        path = proofs().relative_to(data_dir().parent).as_posix()
        rows.append({"config_name": NAME, "data_files": [{"split": SPLIT, "path": path}]})
    return {
        "license": "mit",
        "language": ["en"],
        "pretty_name": "holmes",
        "task_categories": ["question-answering", "text-generation"],
        "tags": ["reasoning", *default, "higher-order-logic", "prolog", "synthetic"],
        "configs": rows,
    }


def _certified(tests: dict[str, list[Case]]) -> list[str]:
    """Return the section on certificates; nothing where there are none."""
    lines = [f"| `{name}` | {line} |" for name, cases in tests.items() if (line := told(cases, name))]
    return [_CERTIFICATES, *lines] if lines else []


def card(root: Path | None = None) -> str:
    """Return the whole card. root: the data folder, the packaged one by default."""
    folder = root or data_dir()
    configs = layout(folder)
    head = yaml.safe_dump(front_matter(configs), sort_keys=False, allow_unicode=True, width=120)
    parts = [f"---\n{head}---\n", _INTRODUCTION.format(version=__version__), "## Configs and splits\n"]
    parts.append("| config | split | cases | answers |\n|---|---|---:|---|")
    tests: dict[str, dict[str, list[Case]]] = {}
    for name, splits in configs.items():
        for split in splits:
            cases = list(read_cases(folder / name / f"{split}.parquet"))
            tests.setdefault(name, {})[split] = cases
            parts.append(f"| `{name}` | `{split}` | {len(cases)} | {_answers(cases)} |")
    parts.append("\n## How hard\n\n| config | bundle | cases | tiers | steps, min–max |\n|---|---|---:|---|---|")
    for name, read in tests.items():
        if any(task.mixed for own in known_configs() if own.name == name for task in own.tasks):
            continue  # its cases are those of other configs, and changed ones; see its own section
        cases = read.get("test", [])
        for bundle in sorted({c.bundle for c in cases}):
            own = [c for c in cases if c.bundle == bundle]
            steps = [c.difficulty.steps for c in own]
            tiers = ", ".join(f"{t} {n}" for t, n in sorted(Counter(c.difficulty.tier for c in own).items()) if t)
            parts.append(f"| `{name}` | {bundle} | {len(own)} | {tiers or '—'} | {min(steps)}–{max(steps)} |")
    parts.append(_FIELDS)
    parts += _certified({name: read["test"] for name, read in tests.items() if "test" in read})
    parts += [own.card(tests[own.name]) for own in known_configs() if own.card is not None and own.name in tests]
    return "\n".join(parts).rstrip() + "\n"


def _answers(cases: list[Case]) -> str:
    counts = Counter(c.answer for c in cases)
    if len(counts) > 12:
        return f"{len(counts)} different"
    return ", ".join(f"{label.replace('_', ' ')} {n}" for label, n in counts.most_common())


_INTRODUCTION = """# holmes {version}

Rule reasoning for language models: law, finance and statute cases built from typed rule bases.
Every answer, trace and program is derived from the rule base by a solver; rules and texts were written for this
project. This card is generated from the files it describes (`dataset_scripts/card.py`).

```python
from datasets import load_dataset

load_dataset("holmes")         # from the repository root: one split a domain
load_dataset("holmes", "law")  # one config: test, hard, smoke, dev, train
```
"""

_CERTIFICATES = """
## Certificates

How many test cases each checker has confirmed: `python` derives gold and trace again, `prolog` runs the program,
`text` reads the printed text back, `hol-light` proves every claim in a kernel of three axioms. The config `formal`
holds theory (Isabelle) and script (HOL Light) of each case by its `id`, with `checkers`, `claims`, `steps`, `proved`
to filter by.

| config | certified |
|---|---|"""

_FIELDS = """
## Fields

Every config has the same columns: `id`, `domain`, `task`, `source`, `bundle`; what a model sees (`rules`, `case`,
`question`, `choices`); the gold (`answer`, `answer_type`, `aliases`, `trace`, `derivations` with
`derivations_complete` and `derivations_count`, `critical`); what it is made of (`facts`, typed, so that anyone can
re-solve it; `program`, a reference Prolog program; `plan`; `rulebase`, a fingerprint; `seed`, `index`); and how it is
described (`difficulty`, `hol_types`, `hol_evidence`, `pair`, `tags`). `canary` marks evaluation data: please keep it
out of training corpora. `test` ⊃ `hard` ⊃ `smoke`; `dev` and `train` are disjoint from them and from each other.
Ids are stable and are never shown to a model.
"""
