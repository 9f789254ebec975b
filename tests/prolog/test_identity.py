"""A contained run prints what plain swipl prints, byte for byte."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from holmes.prolog import Limits, Runner
from tests.prolog.plain import plain, same_names
from tests.prolog.programs import PROGRAMS
from tests.releases import release_dir

GENEROUS = Limits(timeout=120.0, memory=6 << 30, output=50_000_000, stack=1 << 30)


@pytest.fixture(scope="module")
def runner():
    with Runner(GENEROUS, workers=2) as one:
        yield one


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_odd_programs_print_the_same(runner: Runner, name: str, tmp_path: Path) -> None:
    """Directives, mains, errors, warnings, encodings and libraries: all three agree with plain swipl."""
    expected, run = plain(PROGRAMS[name], tmp_path), runner.run(PROGRAMS[name])
    assert (same_names(run.stdout), run.exit_code) == (expected.stdout, expected.exit_code)
    assert same_names(run.stderr) == expected.stderr


def references() -> list[tuple[str, str]]:
    """Id and program of every released reference, the wrapping fence taken off."""
    from holmes.sources.deonticbench.reader import unfenced

    found = []
    for file in sorted((release_dir("deonticbench") / "data").glob("*/*.json")):
        if file.stem in ("hard", "whole"):
            for row in json.loads(file.read_text(encoding="utf-8")):
                if row.get("reference_prolog"):
                    found.append((f"{file.parent.name}/{file.stem}/{row['id']}", unfenced(row["reference_prolog"])))
    return found


@pytest.mark.release
@pytest.mark.slow
def test_every_released_reference_prints_the_same(runner: Runner, tmp_path: Path) -> None:
    """All references: stdout, stderr and exit code of plain swipl."""
    programs = references()
    assert len(programs) > 300
    runs = runner.run_many(program for _, program in programs)
    different = []
    for (name, program), run in zip(programs, runs, strict=True):
        expected = plain(program, tmp_path)
        if (same_names(run.stdout), same_names(run.stderr), run.exit_code) != (
            expected.stdout, expected.stderr, expected.exit_code,
        ):  # fmt: skip
            different.append(name)
    assert different == []


@pytest.mark.release
@pytest.mark.nightly
def test_references_print_the_same_under_load(tmp_path: Path) -> None:
    """Three rounds from eight threads on four workers, order shuffled by thread: always the same output."""
    programs = references()
    expected = {name: plain(program, tmp_path).stdout for name, program in programs}
    different: list[str] = []
    with Runner(GENEROUS, workers=4) as runner:

        def work(number: int) -> None:
            for name, program in programs[number:] + programs[:number]:
                if same_names(runner.run(program).stdout) != expected[name]:
                    different.append(name)

        for _ in range(3):
            threads = [threading.Thread(target=work, args=(n * 40,)) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert different == []


@pytest.mark.nightly
def test_bubblewrap_prints_the_same(tmp_path: Path) -> None:
    """The fallback agrees with plain swipl too."""
    with Runner(GENEROUS, workers=2, containment="bwrap") as runner:
        for name, program in sorted(PROGRAMS.items()):
            expected, run = plain(program, tmp_path), runner.run(program)
            assert (same_names(run.stdout), run.exit_code) == (expected.stdout, expected.exit_code), name
