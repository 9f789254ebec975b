"""The builder: same files for any number of workers, whole files, resumable, one build a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from holmes.cases import read_cases
from holmes.commands.main import run
from holmes.errors import InputError
from holmes.services import build as builder
from holmes.services.build import build
from tests.toy_domain import read_build

TOY = "tests.toy_domain:source"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_files_do_not_depend_on_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One and two workers write identical files."""
    for workers in (1, 2):
        build(TOY, 510, 7, workers=workers, out=tmp_path / str(workers), progress=False)
    one, two = _bytes(tmp_path / "1"), _bytes(tmp_path / "2")
    assert one == two and len(one) == 3


def test_files_do_not_depend_on_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One, three and seven jobs, the last first, write identical folders; a job writes its own files only."""
    monkeypatch.setattr(builder, "SHARD", 20)
    for jobs in (1, 3, 7):
        for job in range(jobs, 0, -1):
            made = build(TOY, 90, 7, out=tmp_path / str(jobs), progress=False, part=(job, jobs))
            assert [int(path.stem[-5:]) % jobs for path in made] == [job - 1] * len(made)
    assert _bytes(tmp_path / "1") == _bytes(tmp_path / "3") == _bytes(tmp_path / "7")
    for wrong in ("0/3", "4/3", "3", "a/b"):
        assert run(["build", "law", "--n", "1", "--shard", wrong, "--out", str(tmp_path / "x")]) == 2


def test_an_interrupted_build_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards that are there are kept, the missing ones are built, and the result is that of an unbroken build."""
    monkeypatch.setattr(builder, "SHARD", 20)
    build(TOY, 50, 7, out=tmp_path / "whole", progress=False)
    build(TOY, 50, 7, out=tmp_path / "cut", progress=False)
    (tmp_path / "cut" / "part-00001.parquet").unlink()
    kept = (tmp_path / "cut" / "part-00002.parquet").stat().st_mtime_ns
    build(TOY, 50, 7, out=tmp_path / "cut", progress=False)
    assert _bytes(tmp_path / "whole") == _bytes(tmp_path / "cut")
    assert (tmp_path / "cut" / "part-00002.parquet").stat().st_mtime_ns == kept


def test_another_build_is_not_mixed_in(tmp_path: Path) -> None:
    """A folder that holds another build is refused, and so are shards without a manifest."""
    build(TOY, 2, 7, out=tmp_path / "a", progress=False)
    with pytest.raises(InputError, match=r"manifest.json: field seed: found 7, expected 8"):
        build(TOY, 2, 8, out=tmp_path / "a", progress=False)
    (tmp_path / "a" / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"part-00000.parquet: found a shard without manifest.json"):
        build(TOY, 2, 7, out=tmp_path / "a", progress=False)


def test_a_tier_build_holds_the_items_of_that_tier(tmp_path: Path) -> None:
    """With a tier, the first n items of that tier are built, each the same as in a build of all tiers."""
    build(TOY, 5, 3, tier="hard", out=tmp_path / "t", progress=False)
    build(TOY, 60, 3, out=tmp_path / "all", progress=False)
    hard = [case for case in read_build(tmp_path / "all") if case.difficulty.tier == "hard"]
    assert list(read_build(tmp_path / "t")) == hard[:5]


def test_wrong_use_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown domain or tier ends with exit code 2 and one line, and writes nothing."""
    assert run(["build", "chess", "--n", "2", "--out", str(tmp_path)]) == 2
    assert "found 'chess', expected one of law" in capsys.readouterr().err
    assert run(["build", "law", "--tier", "easy", "--out", str(tmp_path)]) == 2
    assert run(["build", "law", "--n", "0", "--out", str(tmp_path)]) == 2
    assert not list(tmp_path.iterdir())


def test_the_command_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`holmes build law` writes whole Parquet files, progress on stderr."""
    assert run(["build", "law", "--n", "4", "--seed", "1", "--out", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"law: 4 cases in 1 file(s) under {tmp_path / 'law'}\n" and "4 of 4" in captured.err
    assert len(list(read_cases(tmp_path / "law" / "part-00000.parquet"))) == 4


def test_a_tier_that_no_item_has_is_refused(tmp_path) -> None:
    """The search for a tier ends: after so many items without one it is named, and nothing is written."""
    with pytest.raises(InputError, match="tier: found no item of 'very hard' among"):
        build(TOY, 3, 0, tier="very hard", out=tmp_path / "none", progress=False)
    assert not list(tmp_path.rglob("*.parquet"))
