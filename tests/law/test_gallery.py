"""The gallery: one worked case a bundle, generated."""

from __future__ import annotations

from holmes.domains.law.card import gallery
from holmes.domains.law.splits import LawSource
from holmes.prompting.parts import shown


def test_gallery_shows_one_case_of_each_bundle(law: LawSource) -> None:
    """Each bundle has one entry with its case, question and answer."""
    cases = [law.item(1, i) for i in range(6 * len(law.names))]
    text = gallery(cases)
    assert text.count("<details>") == len(law.names)
    for name in law.names:
        (case,) = [c for c in cases if c.bundle == name and f"`{c.id}`" in text]
        assert case.case in text and case.question in text
        assert f"**Answer.** {shown(case, case.answer)}" in text
    assert "[Rule" in text or not any(c.trace for c in cases)
