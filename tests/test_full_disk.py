"""No space left: one clear line, exit code 1, and nothing half-written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.cases import Case, write_jsonl
from holmes.errors import EnvironmentFailure

ROOT = Path(__file__).resolve().parents[1]


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    """When the disk is full the old file stays as it was and no temporary file is left."""
    path = tmp_path / "cases.jsonl"
    write_jsonl(path, [Case("old", "law", "law", "holmes", "", "", "", "No", "label")])
    before = path.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EnvironmentFailure, match=r"cases\.jsonl: no space left on device"):
        write_jsonl(path, [Case("new", "law", "law", "holmes", "", "", "", "No", "label")])
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["cases.jsonl"]


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system needs root; the test above stands in for it")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_build_on_a_full_disk(small_disk):
    """`holmes build` on a file system that is too small says so in one line (exit code 1) and leaves no part file."""
    command = [sys.executable, "-m", "holmes", "build", "law", "--n", "150", "--out", str(small_disk / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    complaints = [line for line in done.stderr.splitlines() if line.startswith("holmes: ")]
    assert len(complaints) == 1 and "no space left on device" in complaints[0]
    assert "Traceback" not in done.stderr
    assert not [p for p in small_disk.rglob("*") if p.is_file() and p.suffix in (".parquet", ".part")]
