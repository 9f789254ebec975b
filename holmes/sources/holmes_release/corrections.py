"""Released cases with the golds that can be proved, and without those whose gold is contested."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.results import Defect
from holmes.sources.holmes_release.finance.gold import check
from holmes.sources.holmes_release.finance_defects import SOURCE as FINANCE
from holmes.sources.holmes_release.finance_defects import finance_defects
from holmes.sources.holmes_release.finance_import import steps as finance_steps
from holmes.sources.holmes_release.law_contested import CONTESTED as RULES
from holmes.sources.holmes_release.law_defects import SOURCE as LAW
from holmes.sources.holmes_release.law_defects import law_defects
from holmes.sources.holmes_release.law_gold import derive
from holmes.sources.holmes_release.law_import import steps_of
from holmes.sources.holmes_release.law_rulebases import recover

# what leaves open which answer is right: no rule says, or text and conditions are not of one case
CONTESTED = frozenset({*RULES, "contradictory_conditions", "copied_text", "wrong_text", "wrong_month"})
_ANSWERS = ("final_result", "gold", "questions.answer")  # the fields that hold an answer
Configs = Mapping[str, Mapping[str, Sequence[Case]]]


def mended(configs: Configs, root: Path, *, corrected: bool, strict: bool) -> tuple[Configs, tuple[str, ...]]:
    """Return the configs with corrected golds, without contested cases, or both; and a note on each change.

    configs: as read below `root`. corrected: golds that the facts do not entail are replaced, with their traces, by
    what they entail (tag ``corrected``). strict: cases of a kind in `CONTESTED` are left out, and those with a wrong
    gold that is not corrected.
    """
    found = {LAW: list(law_defects(root)), FINANCE: list(finance_defects(root))}
    result: dict[str, Mapping[str, Sequence[Case]]] = {}
    notes = []
    for config, splits in configs.items():
        wrong = {d.id for d in found[config] if d.kind == "wrong_gold" and d.field in _ANSWERS}
        right = (_law(root, wrong) if config == LAW else _finance(root, wrong)) if corrected else {}
        out = _contested(found[config]) | (wrong - set(right)) if strict else set()
        result[config] = {
            split: [replace(case, **right.get(case.id, {})) for case in cases if case.id not in out]
            for split, cases in splits.items()
        }
        if corrected:
            notes.append(f"{config}: {len(right)} golds corrected")
        if strict:
            notes.append(f"{config}: {len(out)} contested cases left out")
    return result, tuple(notes)


def _contested(defects: Sequence[Defect]) -> set[str]:
    return {defect.id for defect in defects if defect.kind in CONTESTED}


def _law(root: Path, wrong: set[str]) -> dict[str, dict[str, Any]]:
    """Answer, trace and plan of each wrong law gold as the closure of its facts has them."""
    right: dict[str, dict[str, Any]] = {}
    for bundle in recover(root):
        for case in bundle.cases:
            if case.id not in wrong:
                continue
            fields = derive(bundle, case, "closure").fields
            gold = {**case.gold, **fields}
            answer = str(fields["final_result"])
            plan = json.dumps({"gold_trace": gold, "narrative": ""}, ensure_ascii=False, sort_keys=True)
            trace = steps_of(case.bundle, gold, answer)
            right[case.id] = {"answer": answer, "trace": trace, "plan": plan, "tags": ("corrected",)}
    return right


def _finance(root: Path, wrong: set[str]) -> dict[str, dict[str, Any]]:
    """Answer and trace of each wrong finance gold as its conditions give them."""
    return {
        one.case.id: {
            "answer": one.derived,
            "trace": finance_steps(one.trace),
            "tags": (*one.case.tags, "corrected"),
        }
        for one in check(root)
        if one.case.id in wrong
    }
