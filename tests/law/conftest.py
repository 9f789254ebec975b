"""Generators are slow to set up (a second or two): one a bundle for the whole run."""

from __future__ import annotations

import pytest

from holmes.domains.law.splits import LawSource, source


@pytest.fixture(scope="session")
def law() -> LawSource:
    """All packaged law bundles."""
    return source()
