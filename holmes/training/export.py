"""Training files in the forms that LLaMA Factory and verl read, with the paper's configurations beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from holmes.answers.program import contract_of, score_program
from holmes.cases import Case
from holmes.options import Options
from holmes.prolog.extract import extract_program
from holmes.prolog.runner import Runner
from holmes.results import Outcome
from holmes.tasks import build_prompt, gold_reply, program_prompt, task_of
from holmes.util.files import whole, write_text

FORMATS = ("alpaca", "dpo", "verl")
CONFIGS = Path(__file__).parent / "configs"


def alpaca(cases: Sequence[Case]) -> list[dict[str, str]]:
    """Return supervised pairs in Alpaca's form: the evaluation prompt, and the reference program or the gold reply."""
    return [{"instruction": _prompt(case), "input": "", "output": gold_reply(case, task_of(case))} for case in cases]


def _prompt(case: Case) -> str:
    spec = task_of(case)
    return program_prompt(case) if spec.mode == "prolog" else build_prompt(case, spec, Options())


def dpo(
    cases: Sequence[Case], outputs: Mapping[str, Sequence[str | None]], runner: Runner
) -> tuple[list[dict[str, str]], dict[str, int]]:
    """Return preference pairs: chosen is the reference, rejected a base model's failed program.

    outputs: a base model's replies by case id. The first one that holds a program and is not right is the rejected one;
    without such a reply the case makes no pair, since a right program must not be rejected.
    Returns (pairs, number of cases without one, by reason). Source: DeonticBench B.5.1.
    """
    pairs: list[dict[str, str]] = []
    skipped = {"no_output": 0, "no_failed_program": 0}
    for case in cases:
        texts = outputs.get(case.id)
        if not texts:
            skipped["no_output"] += 1
            continue
        rejected = next(_failed(case, texts, runner), None)
        if rejected is None:
            skipped["no_failed_program"] += 1
            continue
        pairs.append(
            {
                "instruction": program_prompt(case),
                "input": "",
                "chosen": fenced(case.program),
                "rejected": fenced(rejected),
            }
        )
    return pairs, skipped


def _failed(case: Case, texts: Sequence[str | None], runner: Runner) -> Iterator[str]:
    """The programs of replies that do not give the right answer."""
    for text in texts:
        program = extract_program(text or "", contract=contract_of(case)).program
        if program is None or program.strip() == case.program.strip():
            continue
        if score_program(case, text, runner=runner).outcome is not Outcome.RIGHT:
            yield program.encode("utf-8", "replace").decode()  # a reply may hold lone surrogates, a file may not


def verl(cases: Sequence[Case], split: str) -> list[dict[str, Any]]:
    """Return rows in verl's form; the reward reads `data_source`, the gold and the reference from them.

    An answered case travels whole, as JSON in ``extra_info.case``: how its answer is read depends on all of it.
    """
    return [
        {
            "data_source": case.task,
            "prompt": [{"role": "user", "content": _prompt(case)}],
            "ability": case.domain,
            "reward_model": {"style": "rule", "ground_truth": case.answer},
            "extra_info": {"split": split, "index": index, "id": case.id, **_reference(case)},
        }
        for index, case in enumerate(cases)
    ]


def _reference(case: Case) -> dict[str, str]:
    answered = task_of(case).mode == "answer"
    return {"program": "" if answered else case.program, "case": json.dumps(case.to_dict()) if answered else ""}


def fenced(program: str) -> str:
    """Return a program as a reply must give it."""
    return f"```prolog\n{program.strip()}\n```"


def write(out: Path, form: str, rows: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any]) -> Path:
    """Write the rows, the configuration for their trainer, and a manifest into a folder; returns the data file."""
    if form == "verl":
        path = out / "verl.parquet"
        _parquet(path, rows)
        settings = yaml.safe_load((CONFIGS / "dr_grpo.yaml").read_text(encoding="utf-8"))
        settings["custom_reward_function"]["path"] = str(Path(__file__).parents[1] / "hosts" / "rewards.py")
        write_text(out / "dr_grpo.yaml", yaml.safe_dump(settings, sort_keys=False))
    else:
        path = out / f"{form}.json"
        write_text(path, json.dumps(list(rows), ensure_ascii=False, indent=1) + "\n")
        name = "sft.yaml" if form == "alpaca" else "dpo.yaml"
        write_text(out / name, (CONFIGS / name).read_text(encoding="utf-8"))
        write_text(out / "dataset_info.json", json.dumps(_info(out, form, path.name), indent=2) + "\n")
    write_text(out / f"{form}.manifest.json", json.dumps(dict(manifest), indent=2, ensure_ascii=False) + "\n")
    return path


def _info(out: Path, form: str, file: str) -> dict[str, Any]:
    """LLaMA Factory's register of data sets; the entry of another form in the same folder is kept."""
    path = out / "dataset_info.json"
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    columns = {"prompt": "instruction", "query": "input"}
    if form == "alpaca":
        return known | {"holmes_sft": {"file_name": file, "columns": columns | {"response": "output"}}}
    answers = {"chosen": "chosen", "rejected": "rejected"}
    return known | {"holmes_dpo": {"file_name": file, "ranking": True, "columns": columns | answers}}


def _parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, number = pa.string(), pa.int64()
    schema = pa.schema(
        [
            ("data_source", text),
            ("prompt", pa.list_(pa.struct([("role", text), ("content", text)]))),
            ("ability", text),
            ("reward_model", pa.struct([("style", text), ("ground_truth", text)])),
            (
                "extra_info",
                pa.struct([("split", text), ("index", number), ("id", text), ("program", text), ("case", text)]),
            ),
        ]
    )
    with whole(path, "wb") as handle:
        pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema=schema), handle, compression="zstd")
