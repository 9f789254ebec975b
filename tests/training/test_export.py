"""Training exports: only verified references, nothing held out, the paper's configurations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from holmes.cases import Pair, write_jsonl
from holmes.errors import InputError
from holmes.hosts.rewards import compute_score
from holmes.prolog import Runner
from holmes.store import load_cases
from holmes.training import references as module
from holmes.training.export import CONFIGS, alpaca, dpo, fenced, verl, write
from holmes.training.references import references

ROOT = Path(__file__).resolve().parents[2]
CONFIG = "deontic_sara_binary"


@pytest.fixture(scope="module")
def runner():
    with Runner(workers=2, cache=True) as shared:
        yield shared


@pytest.fixture(scope="module")
def train():
    return load_cases(CONFIG, "train")[:8]


@pytest.fixture
def few(monkeypatch, train):
    """The store with eight training cases; a test changes them."""
    changed = list(train)

    def load(config, split="test"):
        return changed if split == "train" else load_cases(config, split)

    monkeypatch.setattr(module, "load_cases", load)
    return changed


def ids(found):
    return [case.id for case in found.cases]


def test_references_are_run_before_they_are_exported(few, runner):
    """A program that prints the wrong answer, warns, or has a syntax error is left out by reason."""
    flipped = {"Entailment": "Contradiction", "Contradiction": "Entailment"}
    few[0] = replace(few[0], answer=flipped[few[0].answer])
    few[1] = replace(few[1], program="lonely(X).\n" + few[1].program)
    few[2] = replace(few[2], program="oops(.\n" + few[2].program)
    few[3] = replace(few[3], program="")
    found = references(CONFIG, "train", runner)
    assert ids(found) == [c.id for c in few[4:]]
    assert found.left_out == {"error": 1, "missing_code": 1, "warning": 1, "wrong_answer": 1}


def test_held_out_cases_and_their_twins_are_left_out(few, runner):
    """A case of a test split, one with its facts and question, and one of its family are never exported."""
    test = load_cases(CONFIG, "test")
    few[0] = test[0]
    few[1] = replace(test[1], id="other")
    hard = replace(test[2], id="mine", pair=Pair("family", "original", ""))
    few[2] = replace(few[2], pair=Pair("family", "control", ""))
    found = references(CONFIG, "train", runner, hard=[hard])
    assert ids(found) == [c.id for c in few[3:]]
    assert found.left_out == {"held_out": 1, "twin": 2}


def test_audit_findings_are_left_out(few, runner):
    """Cases with a finding are left out; findings that say nothing against the program are not."""
    defects = [
        {"source": CONFIG, "id": few[0].id, "kind": "other_case"},
        {"source": CONFIG, "id": few[1].id, "kind": "id_tells_answer"},
        {"source": "elsewhere", "id": few[2].id, "kind": "other_case"},
    ]
    found = references(CONFIG, "train", runner, audit={"defects": defects})
    assert ids(found) == [c.id for c in few[1:]] and found.left_out == {"audit": 1}


def test_held_out_splits_and_unaudited_releases_are_refused(runner):
    """Nobody trains on a test split by mistake, or on a release that was not audited."""
    with pytest.raises(InputError, match="split: found 'hard'"):
        references(CONFIG, "hard", runner)
    with pytest.raises(InputError, match="found no audit"):
        references("deontic_sara_numeric_release", "train", runner)


def test_ids_and_golds_stay_out_of_prompts(train):
    """A prompt holds neither the case's id nor its reference."""
    for row, case in zip(alpaca(train), train, strict=True):
        assert case.id not in row["instruction"] and case.program[:80] not in row["instruction"]
        assert row["output"] == fenced(case.program)


def test_rejected_programs_are_programs_that_failed(train, runner):
    """A right program is never rejected, prose is no program, and the reference itself is no pair."""
    first, second, third, fourth = train[:4]
    outputs = {
        first.id: ("no program here", fenced(":- writeln('Result: Maybe').")),
        second.id: (fenced(second.program.replace("% The case", "% other words")),),
        third.id: (fenced(third.program), None),
    }
    pairs, skipped = dpo([first, second, third, fourth], outputs, runner)
    assert [p["chosen"] for p in pairs] == [fenced(first.program)]
    assert pairs[0]["rejected"] == fenced(":- writeln('Result: Maybe').")
    assert skipped == {"no_output": 1, "no_failed_program": 2}


def test_verl_rows_feed_the_reward(tmp_path, train):
    """What verl reads from the file earns 1 for the reference and partial credit for its broken half."""
    write(tmp_path, "verl", verl(train[:2], "train"), {"rows": 2})
    row = pq.read_table(tmp_path / "verl.parquet").to_pylist()[0]
    assert row["prompt"][0]["role"] == "user"
    reward = {"data_source": row["data_source"], "ground_truth": row["reward_model"]["ground_truth"]}
    program = row["extra_info"]["program"]
    assert compute_score(solution_str=fenced(program), extra_info=row["extra_info"], **reward)["score"] == 1
    broken = program.replace("writeln(", "writel(")
    assert compute_score(solution_str=fenced(broken), extra_info=row["extra_info"], **reward)["score"] == pytest.approx(
        0.2
    )
    settings = yaml.safe_load((tmp_path / "dr_grpo.yaml").read_text())
    assert Path(settings["custom_reward_function"]["path"]).is_file()


def test_two_exports_share_a_folder(tmp_path, train):
    """LLaMA Factory's register keeps the entry of the other format."""
    write(tmp_path, "alpaca", alpaca(train[:1]), {})
    write(tmp_path, "dpo", [{"instruction": "", "input": "", "chosen": "a", "rejected": "b"}], {})
    register = json.loads((tmp_path / "dataset_info.json").read_text())
    assert register["holmes_sft"]["file_name"] == "alpaca.json"
    assert register["holmes_dpo"]["ranking"] is True


TABLE_5 = {
    "sft.yaml": {
        "lora_rank": 8, "lora_target": "all", "cutoff_len": 8000, "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 8, "learning_rate": 1e-4, "lr_scheduler_type": "cosine", "warmup_ratio": 0.1,
        "num_train_epochs": 3, "bf16": True,
    },
    "dpo.yaml": {
        "lora_rank": 8, "lora_target": "all", "cutoff_len": 8000, "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 8, "learning_rate": 7e-8, "lr_scheduler_type": "linear", "warmup_ratio": 0.1,
        "num_train_epochs": 1, "pref_loss": "sigmoid", "pref_beta": 2.5, "bf16": True,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(TABLE_5))
def test_table_5(name):
    """The configurations hold the paper's values for SFT (ZeRO-2) and DPO (ZeRO-3, from the SFT checkpoint)."""
    settings = yaml.safe_load((CONFIGS / name).read_text())
    assert TABLE_5[name].items() <= settings.items()
    assert ("z2" if name == "sft.yaml" else "z3") in settings["deepspeed"]


def test_table_6():
    """The configuration of Dr. GRPO holds the paper's values."""
    s = yaml.safe_load((CONFIGS / "dr_grpo.yaml").read_text())
    assert s["data"] | {"train_files": ""} == {
        "train_files": "", "train_batch_size": 128, "max_prompt_length": 7800, "max_response_length": 1024,
    }  # fmt: skip
    actor, model = s["actor_rollout_ref"]["actor"], s["actor_rollout_ref"]["model"]
    assert (model["lora_rank"], model["lora_alpha"], actor["optim"]["lr"]) == (128, 128, 2e-6)
    assert (actor["use_kl_loss"], actor["entropy_coeff"], actor["loss_agg_mode"]) == (
        False,
        0,
        "seq-mean-token-sum-norm",
    )
    assert s["actor_rollout_ref"]["rollout"]["n"] == 5 and s["trainer"]["total_epochs"] == 5
    assert s["algorithm"]["norm_adv_by_std_in_grpo"] is False and s["algorithm"]["use_kl_in_reward"] is False


def command(*arguments, cache):
    environment = os.environ | {"HOLMES_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "holmes", "export-training", *arguments], cwd=ROOT, env=environment,
                          capture_output=True, text=True, timeout=300, check=False)  # fmt: skip


def test_the_command_end_to_end(tmp_path):
    """All verified references of the split are exported, those of a hard file are not."""
    train = load_cases(CONFIG, "train")
    write_jsonl(tmp_path / "hard.jsonl", train[:2])
    done = command("--format", "alpaca", "--config", CONFIG, "--out", str(tmp_path / "out"), "--hard",
                   str(tmp_path / "hard.jsonl"), "--json", cache=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)
    rows = json.loads((tmp_path / "out" / "alpaca.json").read_text())
    assert len(rows) == manifest["rows"] == len(train) - sum(manifest["left_out"].values())
    assert manifest["left_out"]["held_out"] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--format", "dpo", "--config", CONFIG], "option rejected"), 
     (["--format", "verl", "--config", "nope"], "found 'nope'"),
     (["--format", "alpaca", "--config", CONFIG, "--split", "test"], "split: found 'test'")],
)  # fmt: skip
def test_wrong_use_of_the_command(tmp_path, options, message):
    """One line, exit code 2, nothing written."""
    done = command(*options, "--out", str(tmp_path / "out"), cache=tmp_path)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("config", ["law", "policy"])
def test_answered_cases_are_exported(config, runner, tmp_path, monkeypatch):
    """Rows of answered cases hold prompt and gold reply, and verl's reward reads each row's gold as right."""
    shown = load_cases(config, "train")[:6]
    monkeypatch.setattr(
        module, "load_cases", lambda c, split="test": shown if split == "train" else load_cases(c, split)
    )
    cases = references(config, "train", runner).cases
    assert len(cases) == 6
    replies = [row["output"] for row in alpaca(cases)]
    rows = pq.read_table(write(tmp_path, "verl", verl(cases, "train"), {})).to_pylist()
    for row, text in zip(rows, replies, strict=True):
        made = compute_score(row["data_source"], text, row["reward_model"]["ground_truth"], row["extra_info"])
        assert made["score"] == 1
        assert row["extra_info"]["id"] not in row["prompt"][0]["content"]
