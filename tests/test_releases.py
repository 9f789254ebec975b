"""The marker `release`: left out and counted without the data, a failure where they are required."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import releases

PROBE = """
import pytest

@pytest.mark.release
def test_needs_data():
    from tests import releases
    assert releases.release_dir("holmes").is_dir()

@pytest.mark.release
def test_needs_data_too():
    pass

def test_needs_nothing():
    pass
"""


def run(tmp_path, **env):
    """Run three small tests under the suite's own conftest with another environment."""
    probe = tmp_path / "test_probe.py"
    probe.write_text(PROBE)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HOLMES_")} | env
    config = ["-c", str(releases.ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *config, str(probe)],
        cwd=releases.ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip


def test_without_data_the_tests_are_left_out_in_one_line(tmp_path):
    """Two marked tests are skipped, the third runs, and one line tells how to provide the data."""
    done = run(tmp_path, HOLMES_RELEASES=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 2 skipped" in done.stdout
    lines = [line for line in done.stdout.splitlines() if "HOLMES_RELEASES" in line]
    assert len(lines) == 1
    assert lines[0].startswith("2 tests left out")


def test_required_but_missing_data_is_a_failure(tmp_path):
    """With HOLMES_REQUIRE_RELEASES=1 the marked tests fail and name the variable."""
    done = run(tmp_path, HOLMES_RELEASES=str(tmp_path), HOLMES_REQUIRE_RELEASES="1")
    assert done.returncode == 1
    assert "1 passed, 2 errors" in done.stdout or "2 failed, 1 passed" in done.stdout
    assert "HOLMES_RELEASES" in done.stdout


@pytest.mark.release
def test_with_data_the_tests_run(tmp_path):
    """With the data in place nothing is left out."""
    done = run(tmp_path, HOLMES_RELEASES=str(releases.find()), HOLMES_REQUIRE_RELEASES="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout
