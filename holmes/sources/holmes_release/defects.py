"""Defects of the authors' HOLMES release, law and finance."""

from __future__ import annotations

from typing import Any

from holmes.audit.gate import document
from holmes.sources.holmes_release.finance_defects import finance_defects
from holmes.sources.holmes_release.law_defects import law_defects


def audit() -> dict[str, Any]:
    """Audit the imported HOLMES release; see `law_defects` and `finance_defects` for the kinds.

    Returns the audit document. Raises InputError where the release is not imported.
    """
    return document([*law_defects(), *finance_defects()])
