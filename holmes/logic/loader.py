"""Loading rule bases: YAML -> checked `RuleBase`, or one `RuleBaseError` that lists every problem found."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from dataclasses import replace
from pathlib import Path

from holmes.errors import InputError
from holmes.logic.language.declare import Reader
from holmes.logic.language.defeat import check_defeat
from holmes.logic.language.document import Node, read_documents, with_texts
from holmes.logic.language.draft import Draft
from holmes.logic.language.everyday import everyday_labels
from holmes.logic.language.fingerprint import with_former
from holmes.logic.language.inclusion import with_used
from holmes.logic.language.model import RuleBase
from holmes.logic.language.names import Resolver
from holmes.logic.language.problems import Problem, RuleBaseError
from holmes.logic.language.shape import check_shape, order
from holmes.logic.language.types import check_types
from holmes.logic.language.uses import rule_numbers, unused

_log = logging.getLogger(__name__)


def _inherit_gates(draft: Draft) -> None:
    """Give each transformed policy the gate of what it transforms, unless it names its own."""
    for name in draft.policies:
        policy, seen = draft.policies[name], {name}
        while (
            policy.operator == "transform"
            and not policy.gate
            and policy.base in draft.policies
            and policy.base not in seen
        ):
            seen.add(policy.base)
            policy = draft.policies[policy.base]
        if policy.gate:
            draft.policies[name] = replace(draft.policies[name], gate=policy.gate)


def _build(root: Node) -> RuleBase:
    draft = Reader(root).read()
    early = len(draft.problems)
    Resolver(draft).run()
    rule_numbers(draft)
    resolved = not any(p.kind in ("names", "shape") and p.field not in ("rule", "text") for p in draft.problems)
    if resolved and not any(p.kind == "types" for p in draft.problems[:early]):
        _inherit_gates(draft)
        ordered = order(draft)
        check_types(draft, [v for v in ordered if v[0] in ("concept", "table")])
        check_shape(draft)
        check_defeat(draft)
        unused(draft)
    if draft.problems or draft.decision is None:
        raise RuleBaseError(draft.problems)
    plain = json.dumps(root.plain(), sort_keys=False, ensure_ascii=False)
    made = RuleBase(
        name=draft.name,
        path=draft.file,
        defeat=draft.defeat,
        closed_world=draft.closed_world,
        entities=draft.entities,
        facts=draft.facts,
        integrity=tuple(draft.integrity),
        concepts=draft.concepts,
        tables=draft.tables,
        policies=draft.policies,
        families=draft.families,
        relations=tuple(draft.relations),
        decision=draft.decision,
        amount=draft.amount,
        fingerprint=hashlib.sha256(plain.encode()).hexdigest()[:16],
        title=draft.title,
        names=draft.names,
        uses=draft.uses,
    )
    return with_former(made, Path(draft.file).parent)


def load_rulebases(
    path: str | os.PathLike[str], *, semantics: bool = False, text: bool = False
) -> tuple[RuleBase, ...]:
    """Load every rule base of a YAML file (one a document).

    path: the file; texts may stand in ``<name>.text.yaml`` beside it. semantics: also check by SAT what the rules
    mean (`check_semantics`). text: also check the sentences against the formulas (`check_text`).
    Returns the rule bases in order. Raises InputError for an unreadable file, RuleBaseError listing every problem.
    """
    file = Path(path)
    roots = read_documents(file)
    with_texts(file, roots)
    with_used(file, roots)
    problems: list[Problem] = []
    bases: list[RuleBase] = []
    for root in roots:
        try:
            bases.append(_build(root))
        except RuleBaseError as error:
            problems += error.problems
    names = [base.name for base in bases]
    for name in sorted({n for n in names if names.count(n) > 1}):
        problems.append(
            Problem(str(file), 0, name, "rulebase", "the name twice in one file", "a name of its own", "names")
        )
    for base in bases:
        if semantics:
            from holmes.logic.sat.semantics import check_semantics

            problems += [p for p in check_semantics(base) if not p.warning]
        if text:
            from holmes.logic.english.checks import check_text

            problems += [p for p in check_text(base) if not p.warning]
            for label, spelling in everyday_labels(base):
                _log.warning(
                    "warning: %s: %s: label %r: found the everyday phrase %r, expected words that only an answer uses: "
                    "replies that abstain or chat use it, too",
                    *(file, base.name, label, spelling),
                )
    if problems:
        raise RuleBaseError(problems)
    return tuple(bases)


def load_rulebase(path: str | os.PathLike[str], *, semantics: bool = False, text: bool = False) -> RuleBase:
    """Load the one rule base of a YAML file; see `load_rulebases`.

    Raises InputError when the file holds more than one.
    """
    bases = load_rulebases(path, semantics=semantics, text=text)
    if len(bases) != 1:
        names = ", ".join(base.name for base in bases)
        raise InputError(f"{path}: found {len(bases)} rule bases ({names}), expected one (or use load_rulebases)")
    return bases[0]
