"""Plans kept in the cache: the same as those made, and never those of a damaged file or of another program."""

from __future__ import annotations

import numpy as np
import pytest

from holmes.domains.law.generate import Generator
from holmes.domains.law.planner import kept
from holmes.domains.law.planner.kept import file_of, kept_plans
from holmes.domains.law.rulebases import bundle, bundles


@pytest.fixture(scope="module")
def base():
    return bundle(bundles()[0])


@pytest.fixture(scope="module")
def fresh(base):
    return kept.made.plans(base)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch, fresh):
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    monkeypatch.setattr(kept.made, "plans", lambda base: asked.append(base.name) or fresh)
    asked.clear()


asked: list[str] = []


def same(one, other):
    """Say whether two plans hold the same, types included."""
    for name in ("depth", "conflicts", "decisive", "signature"):
        assert getattr(one, name).dtype == getattr(other, name).dtype
        assert np.array_equal(getattr(one, name), getattr(other, name))
    for mapping in ("codes", "cells"):
        assert list(getattr(one.records, mapping)) == list(getattr(other.records, mapping))
    assert all(np.array_equal(one.records.codes[n], other.records.codes[n]) for n in one.records.facts)
    assert one.records.cells == other.records.cells and one.profiles == other.profiles
    assert list(one.broken) == list(other.broken) and list(one.rows) == list(other.rows)
    assert all(np.array_equal(one.broken[n], other.broken[n]) for n in one.broken)
    for key, (rows, sums) in one.rows.items():
        assert np.array_equal(rows, other.rows[key][0]) and np.array_equal(sums, other.rows[key][1])
        assert (rows.dtype, sums.dtype) == (other.rows[key][0].dtype, other.rows[key][1].dtype)
    for name in ("answer", "concepts", "triggered", "applies", "clashes", "defeats"):
        mine, its = getattr(one.decided, name), getattr(other.decided, name)
        pairs = [(mine, its)] if name == "answer" else [(mine[k], its[k]) for k in its]
        assert all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in pairs)


def test_kept_is_what_was_made(base, fresh):
    """The second call reads the file; what it gives is equal in every column."""
    kept_plans(base)
    same(kept_plans(base), fresh)
    assert asked == [base.name]


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b[:99] + b"x" + b[100:]])
def test_a_damaged_file_is_made_anew(base, fresh, damage):
    """Cut, empty, one byte changed: the plans are made again, and the file is whole again."""
    kept_plans(base)
    path = file_of(base)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    same(kept_plans(base), fresh)
    assert asked == [base.name] * 2 and path.read_bytes() == whole


def test_another_program_or_rule_base_has_a_file_of_its_own(base, monkeypatch):
    """Version, sources and fingerprint are in the name."""
    names = {file_of(base).name, file_of(bundle(bundles()[1])).name}
    monkeypatch.setattr(kept, "_program", lambda: "another version")
    assert len({*names, file_of(base).name}) == 3


def test_a_cache_that_cannot_be_written_is_no_error(base, fresh, tmp_path, monkeypatch):
    """A file where the folder should be: the plans are made each time."""
    (tmp_path / "plans").write_text("", encoding="utf-8")
    same(kept_plans(base), fresh)


def test_cases_are_those_of_plans_made(base, fresh):
    """Items drawn from kept plans are those drawn from plans just made."""
    kept_plans(base)
    one, other = Generator(base), Generator(base)
    other.__dict__["plans"] = fresh
    assert [one.item(5, n) for n in range(3)] == [other.item(5, n) for n in range(3)] and asked == [base.name]
