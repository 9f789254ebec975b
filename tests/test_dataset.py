"""The embedded dataset: what load_dataset sees, splits that nest, a card that is true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes import store
from holmes.cases import features
from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.hub import publish, uploads
from holmes.report.card import card, layout
from holmes.store import load_cases
from holmes.util.paths import PACKAGE
from holmes.version import __version__
from tests import fakehub

ROOT = Path(__file__).resolve().parents[1]


def python(code: str, cwd: Path, **environment: str) -> str:
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_load_dataset_from_the_repository_root(tmp_path):
    """`load_dataset("holmes")` gives one split a domain; with a config name, that config's splits and Features."""
    code = (
        "from datasets import load_dataset\n"
        "whole, law = load_dataset('holmes'), load_dataset('holmes', 'law')\n"
        "print(sorted(whole), sorted(law), law['test'].features == __import__('holmes.cases').cases.features())"
    )
    printed = python(code, ROOT, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1")
    domains, splits, same = printed.split("] ")[0] + "]", printed.split("] ")[1] + "]", printed.split()[-1]
    assert {"law", "deontic"} <= set(eval(domains))
    assert eval(splits) == ["dev", "hard", "smoke", "test", "train"]
    assert same == "True"


def test_every_config_loads(tmp_path):
    """Every config that the card names loads with all its splits (a split may not be called `all`, for one)."""
    code = (
        "import json\nfrom datasets import load_dataset, get_dataset_config_names\n"
        "names = get_dataset_config_names('holmes')\n"
        "print(json.dumps({name: sorted(load_dataset('holmes', name)) for name in names if name != 'default'}))"
    )
    found = json.loads(python(code, ROOT, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1").splitlines()[-1])
    assert found == {config: sorted(splits) for config, splits in layout().items()} | {"formal": ["test"]}


@pytest.mark.parametrize("config", layout())
def test_splits_nest(config):
    """test ⊃ hard ⊃ smoke; dev and train share no case with them nor with each other; ids are unique."""
    ids = {split: [c.id for c in load_cases(config, split)] for split in layout()[config]}
    for split, names in ids.items():
        assert len(set(names)) == len(names), split
    test, hard, smoke = (set(ids[s]) for s in ("test", "hard", "smoke"))
    assert smoke < hard < test
    assert not test & set(ids["dev"]) and not test & set(ids["train"]) and not set(ids["dev"]) & set(ids["train"])


def test_the_card_is_what_the_data_say():
    """The card in the repository is the one that the generator writes now."""
    assert (PACKAGE / "README.md").read_text(encoding="utf-8") == card()


def test_a_dry_run_lists_and_sends_nothing():
    """By default publishing only lists: the card first, then every Parquet file."""
    files = publish("org/holmes").files
    assert files[0].target == "README.md"
    assert {u.target for u in files[1:]} == {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.parquet")}


def test_publish_and_load_again(tmp_path):
    """What is published to a Hub is what load_dataset gives back from it, under every config name of the card."""
    with fakehub.running() as hub:
        environment = hub.env(tmp_path / "home")
        env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
        command = [sys.executable, "dataset_scripts/publish.py", "--repo", "org/holmes", "--no-dry-run"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        assert f"pushed {len(uploads())} of {len(uploads())} files" in done.stdout
        assert hub.tags["org/holmes"] == {f"v{__version__}": hub.revision("org/holmes")}
        code = (
            "from datasets import load_dataset, get_dataset_config_names\n"
            "print(len(load_dataset('org/holmes', 'law', split='test')), sorted(load_dataset('org/holmes')),"
            " sorted(get_dataset_config_names('org/holmes')),"
            " next(iter(load_dataset('org/holmes', 'law', split='test', streaming=True)))['id'])"
        )
        printed = python(code, tmp_path, **environment)
    assert printed.startswith(str(len(load_cases("law"))))
    assert printed.endswith(load_cases("law")[0].id)
    assert all(repr(name) in printed for name in ["default", *layout()])


def test_a_hub_that_refuses_is_one_clear_line(tmp_path):
    """No Hub, no traceback: exit code 1 and one line."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "HF_ENDPOINT": "http://127.0.0.1:9", "HF_TOKEN": "hf_x"}
    env |= {"HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-m", "holmes", "publish", "--repo", "org/holmes", "--no-dry-run"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1 and "org/holmes" in done.stderr


@pytest.mark.parametrize("repo", ["holmes", "a/b/c", "/holmes", "org/"])
def test_a_malformed_name_is_refused(repo):
    """A dataset repository is ORG/NAME."""
    with pytest.raises(InputError, match="expected ORG/NAME"):
        publish(repo)


def test_a_file_that_the_card_does_not_name_is_refused(tmp_path):
    """A card that no longer fits the data is never published."""
    (tmp_path / "README.md").write_text("---\nconfigs: []\n---\n")
    (tmp_path / "data" / "law").mkdir(parents=True)
    (tmp_path / "data" / "law" / "test.parquet").write_bytes(b"x")
    with pytest.raises(EnvironmentFailure, match="the card does not name"):
        uploads(tmp_path)


def test_features_name_every_column():
    """The Features are declared, not inferred: every field of a case is a column."""
    assert set(features()) >= {"id", "rules", "case", "question", "answer", "trace", "facts", "program", "canary"}


def test_every_config_named_is_one_that_the_registry_knows():
    assert "formal.parquet" in {p.name for p in (store.data_dir() / "certificates").glob("*")}  # a folder of no cases
    assert "certificates" not in store.configs()
    with pytest.raises(InputError, match="expected one of"):
        store.splits("certificates")
