"""Gate 6: no symbol names, enough phrasings, both polarities said, and the texts read back without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from holmes.cases import Case
from holmes.domains.law.gates.sample import Sample, parse
from holmes.domains.law.planner.variants import variants
from holmes.logic.english.render import rules_text
from holmes.logic.english.roundtrip import differences
from holmes.logic.language import model as m
from holmes.logic.narrative.render import read_case, statements
from holmes.results import Gate, at_least, at_most

POLARITY = 0.2


def wording(sample: Sample) -> Iterator[Gate]:
    """Yield the gates of one bundle's texts."""
    base, cases, scope = sample.rulebase, sample.cases, sample.rulebase.name
    symbols = {n for n in (*base.facts, *base.concepts, *base.policies, *base.decision.type.values) if "_" in n}
    leaks = sum(bool(symbols & set(re.findall(r"\w+", f"{c.rules}\n{c.case}\n{c.question}"))) for c in cases)
    yield at_most("6 symbol names", scope, leaks, 0)
    few = min(min(len(f.says), len(f.denies) if f.type.kind == "bool" else 3) for f in base.facts.values())
    yield at_least("6 phrasings", scope, few, 3)
    yield polarities(base, cases)
    lost = sum(read_case(base, case.case, names=names(base, case)) != stored(base, case) for case in cases)
    yield at_most("6 case texts that read back otherwise", scope, lost, 0)
    yield at_most("6 rule texts that read back otherwise", scope, misread(base, cases), 0)


def misread(base: m.RuleBase, cases: Sequence[Case]) -> int:
    """Count the cases whose rule text is not that of their variant, or whose variant's text says something else."""
    known = {variant.rulebase.fingerprint: variant.rulebase for variant in variants(base)}
    used = {name: known[name] for name in {case.rulebase for case in cases} & known.keys()}
    sound = {name: rules_text(used[name]) for name in sorted(used) if not differences(used[name])}
    return sum(sound.get(case.rulebase) != case.rules for case in cases)


def polarities(base: m.RuleBase, cases: Sequence[Case]) -> Gate:
    """Return the gate that both polarities of every fact are said in a fifth of the cases."""
    counts: dict[tuple[str, bool], int] = {
        (name, value): 0 for name, fact in base.facts.items() if fact.type.kind == "bool" for value in (True, False)
    }
    for case in cases:
        for name, value in statements(base, case.case, names=names(base, case)).items():
            if isinstance(value, bool):
                counts[name, value] += 1
    (name, value), least = min(counts.items(), key=lambda item: item[1])
    return at_least(f"6 polarity said ({name} {str(value).lower()})", base.name, least / max(len(cases), 1), POLARITY)


def names(base: m.RuleBase, case: Case) -> dict[str, str]:
    """Return entity -> name of a case, from its plan."""
    found: dict[str, str] = json.loads(case.plan)["names"]
    return {entity: found[entity] for entity in base.entities}


def stored(base: m.RuleBase, case: Case) -> dict[str, m.Value]:
    """Return the facts of a case as typed values."""
    return {fact.name: parse(fact.value, base.facts[fact.name].type.kind) for fact in case.facts}
