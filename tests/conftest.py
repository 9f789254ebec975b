"""What all tests share: the marker `release`, and caches that are never the user's."""

from __future__ import annotations

import os
import tempfile

import pytest

from tests import releases

_caches = tempfile.TemporaryDirectory(prefix="holmes-tests-")


def pytest_configure(config):
    """Move holmes' and the Hub's caches out of the user's home, before any test module is imported."""
    os.environ["HOLMES_CACHE"] = os.path.join(_caches.name, "holmes")  # noqa: PTH118
    os.environ["HOLMES_LINK_NOTICE"] = "0"  # whatever lies in the lm_eval of this environment
    os.environ["HF_HOME"] = os.path.join(_caches.name, "huggingface")  # noqa: PTH118


def pytest_unconfigure(config):
    """Remove the caches."""
    _caches.cleanup()


@pytest.fixture(scope="session")
def releases_dir():
    """The folder that holds both of the authors' releases; only for tests marked `release`."""
    return releases.release_dir()


def pytest_collection_modifyitems(config, items):
    """Skip `release` tests where the data are missing and not required."""
    if releases.find() is not None or releases.required():
        return
    for item in items:
        if item.get_closest_marker("release"):
            item.add_marker(pytest.mark.skip(reason=releases.MISSING))


def pytest_runtest_setup(item):
    """Fail, in one line, a `release` test whose data are required and missing."""
    if item.get_closest_marker("release") and releases.find() is None and releases.required():
        pytest.fail(f"{releases.MISSING}: {releases.HOW}", pytrace=False)


def pytest_terminal_summary(terminalreporter):
    """Say in one line how many tests were left out and how to provide their data."""
    left_out = sum(releases.MISSING in str(r.longrepr) for r in terminalreporter.stats.get("skipped", []))
    if left_out:
        terminalreporter.write_line(f"{left_out} tests left out, they need the authors' releases: {releases.HOW}")
