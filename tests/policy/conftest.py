"""The shipped policy questions, read once."""

from __future__ import annotations

import pytest

from holmes.cases import Case
from holmes.store import load_cases

SPLITS = ("test", "hard", "smoke", "dev", "train")


@pytest.fixture(scope="session")
def shipped() -> dict[str, list[Case]]:
    """All shipped splits."""
    return {name: load_cases("policy", name) for name in SPLITS}
