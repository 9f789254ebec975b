"""Derivation heights of the released law cases, which the release does not state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.generation.case_builder import concepts_of, difficulty
from holmes.sources.holmes_release.law_gold import derive
from holmes.sources.holmes_release.law_rulebases import recover


def with_heights(root: Path, cases: Sequence[Case]) -> tuple[list[Case], tuple[str, ...]]:
    """Return the law cases with ``difficulty.height``, and a note where it cannot be told.

    root: where they were read. The height is the longest chain of rules from a fact to the answer, conflicts included
    (HOLMES A.1), over what the gold takes to be triggered, as the other figures of the profile are.
    """
    try:
        bundles = recover(root)
        heights = {
            case.id: difficulty(derive(bundle, case, "release").evaluation, "", concepts_of(bundle.rulebase)).height
            for bundle in bundles
            for case in bundle.cases
        }
    except InputError as error:
        return list(cases), (f"no heights: {error}",)
    return [replace(c, difficulty=replace(c.difficulty, height=heights[c.id])) for c in cases], ()
