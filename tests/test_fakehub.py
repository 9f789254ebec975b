"""The loopback Hub: what is pushed is what is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import fakehub

CODE = """
from datasets import Dataset, load_dataset
rows = [{"id": "a", "x": 1}, {"id": "b", "x": 2}]
Dataset.from_list(rows).push_to_hub("tester/demo", config_name="law", split="test")
print(load_dataset("tester/demo", "law", split="test")[1])
"""


def test_a_pushed_dataset_can_be_loaded(tmp_path):
    """push_to_hub and load_dataset through the loopback interface; the card and the Parquet file are there."""
    with fakehub.running() as hub:
        done = subprocess.run(
            [sys.executable, "-c", CODE], env=os.environ | hub.env(tmp_path), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip().endswith("{'id': 'b', 'x': 2}")
        assert sorted(hub.repositories["tester/demo"]) == ["README.md", "law/test-00000-of-00001.parquet"]
