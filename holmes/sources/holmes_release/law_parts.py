"""Released law cases under the recovered rule bases: their parts, and the derivations that an import stores."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from holmes.cases import Case, Step
from holmes.configs.by_type import WRONG
from holmes.derivations.derive import Derivations, derive
from holmes.derivations.parts import Part, facts_of
from holmes.errors import InputError
from holmes.generation.case_builder import told_case
from holmes.interfaces import Domain
from holmes.logic.language.model import RuleBase, Value
from holmes.sources.holmes_release.law_import import find_root
from holmes.sources.holmes_release.law_rulebases import recover
from holmes.sources.holmes_release.names import NAME
from holmes.store import import_dir, original


def imported() -> Mapping[str, RuleBase]:
    """Return the rule bases of the imported release by bundle; raises InputError where it is not imported."""
    return _recovered(find_root(original(NAME)))


def known() -> Mapping[str, RuleBase]:
    """Return the rule bases of the imported release; none where it is not imported."""
    return imported() if import_dir(NAME).is_dir() else {}


@functools.lru_cache(maxsize=4)
def _recovered(root: Path) -> Mapping[str, RuleBase]:  # a new import is a new folder
    return {bundle.name: bundle.rulebase for bundle in recover(root)}


def part_of(case: Case, bases: Mapping[str, RuleBase]) -> Part:
    """Return the one part of a released law case; raises InputError for another bundle or damaged facts."""
    base = bases.get(case.bundle)
    if base is None:
        raise InputError(f"case {case.id!r}: field bundle: found {case.bundle!r}, expected one of {', '.join(bases)}")
    return Part(base, facts_of(case, base), {})


def worded(part: Part, step: Step) -> Step:
    """Return a step in words: the rule that picks among the articles that apply has no number in the release."""
    return replace(step, text=step.text.replace("By Rule 0, the answer", "The answer", 1))


def derived(case: Case, bases: Mapping[str, RuleBase]) -> Derivations | None:
    """Return the derivations of the answer of a case; None where the facts do not entail it (closure mode)."""
    found = derive([part_of(case, bases)], "decision", worded, where=f"case {case.id!r}")
    (part,) = found.parts
    return found if part.graph.value(part.root) == case.answer else None


def explained(cases: Sequence[Case], root: Path) -> tuple[list[Case], tuple[str, ...]]:
    """Return released law cases with their derivations, and a note on those whose gold has none and is marked wrong.

    root: where they were read; it need not be in the cache yet.
    """
    try:
        bases = {bundle.name: bundle.rulebase for bundle in recover(root)}
    except InputError as error:
        return list(cases), (f"law: no derivations: {error}",)
    result, without = [], []
    for case in cases:
        found = derived(case, bases)
        own = {"tags": (*case.tags, WRONG)} if found is None else found.fields()
        result.append(replace(case, **own))
        if found is None:
            without.append(case.id)
    note = f"law: no derivations, the facts do not entail the gold: {', '.join(without)}"
    return result, (note,) if without else ()


def changed(domain: Domain, case: Case, part: Part, facts: Mapping[str, Value], text: str) -> Case:
    """Return a released case about other facts; nothing of the released gold or plan is kept."""
    made = told_case(domain, case, replace(part, facts=facts), text, {}, case.tags)
    return replace(made, program="", difficulty=replace(made.difficulty, tier=case.difficulty.tier))
