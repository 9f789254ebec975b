"""Certificates: written whole, read back, and void once the case is another one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holmes.errors import InputError
from holmes.formal.certificates import certificate_of, content, load, place, totals, write
from holmes.store import load_cases


def test_a_certificate_holds_for_the_case_that_was_proved_and_for_no_other(tmp_path: Path) -> None:
    """Another gold, fact or rule text is another case."""
    cases = load_cases("law", "smoke")[:3]
    agreed = {"python": {c.id for c in cases}, "hol-light": {cases[0].id, cases[1].id}}
    shown = {cases[0].id: (56, 156), cases[1].id: (60, 170)}
    write("law", cases, agreed, shown, known={"hol-light": "1"}, when="2026-12-01", folder=tmp_path)
    found = certificate_of(cases[0], "law", tmp_path)
    assert found is not None and found.proved and (found.claims, found.steps) == (56, 156)
    last = certificate_of(cases[2], "law", tmp_path)
    assert last is not None and not last.proved and last.checkers == ("python",)
    other = next(choice for choice in cases[0].choices if choice != cases[0].answer)
    assert certificate_of(replace(cases[0], answer=other), "law", tmp_path) is None
    assert content(replace(cases[0], facts=cases[0].facts[1:])) != content(cases[0])
    assert totals(cases, "law", tmp_path) == {"cases": 3, "python": 3, "hol-light": 2}
    assert certificate_of(cases[0], "finance", tmp_path) is None


def test_a_damaged_file_is_an_error_and_not_an_empty_one(tmp_path: Path) -> None:
    """A certificate that cannot be read is none, and that is said."""
    place("law", tmp_path).write_text('{"when": "2026-12-01", "versions": {}, "cases": {"a": ["x"]}}')
    with pytest.raises(InputError, match="damaged"):
        load("law", tmp_path)
