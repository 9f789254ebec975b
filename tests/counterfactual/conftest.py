"""Shipped cases of every kind, and their families, made once."""

from __future__ import annotations

import pytest

from holmes.cases import Case
from holmes.counterfactual.families import family
from holmes.counterfactual.generator import originals

STEP = 23  # every so many shipped test cases: all bundles, finance tasks and both tax tasks occur


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    """A sample of the shipped test cases over all domains."""
    return list(originals("test"))[::STEP]


@pytest.fixture(scope="session")
def families(cases: list[Case]) -> list[tuple[Case, Case, Case]]:
    """The families of the sample."""
    return [found for case in cases if (found := family(case)) is not None]
