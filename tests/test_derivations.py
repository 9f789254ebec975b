"""The derivations of our own cases: graphs of parts, families, critical labels, reference traces."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from math import prod

import pytest

from holmes.cases import Case
from holmes.derivations.derive import Derivations, derive, is_fact, is_policy_level, verbatim
from holmes.derivations.parts import Part
from holmes.errors import CheckFailed, InputError
from holmes.registry import derivations_of
from holmes.store import load_cases

CONFIGS = ("law", "finance", "deontic_sara_numeric", "deontic_sara_binary")


@cache
def sample(config: str) -> tuple[tuple[Case, Derivations], ...]:
    return tuple(
        (case, derivations_of(case)) for case in load_cases(config)[:: {"law": 4, "finance": 9}.get(config, 2)]
    )


@pytest.mark.parametrize("config", CONFIGS)
def test_a_reference_trace_holds_the_steps_of_its_member_premises_first(config):
    """One step a label; each step comes after what its graph rests it on, hidden nodes in between."""
    for case, found in sample(config):
        for member in found.family.members(3):
            assert len(found.trace(member)) == len(member), case.id
            labels = set()
            for part, nodes in zip(found.parts, found.nodes(member), strict=True):
                done: set[int] = set()

                def stands(node, part=part, done=done):
                    """Whether a node is written down, or hidden and resting on what is."""
                    if part.label(node) is not None:
                        return node in done
                    return any(all(stands(p) for p in a) for a in part.alternatives(node))

                for node in nodes:
                    assert any(all(stands(p) for p in a) for a in part.alternatives(node)), case.id
                    done.add(node)
                    labels.add(part.label(node))
                assert stands(part.root), case.id
            assert labels == set(member), case.id


@pytest.mark.parametrize("config", CONFIGS)
def test_a_reference_trace_cites_the_rules_as_printed(config):
    """Every number that a step cites stands before a rule of the case's text, also behind the first clause."""
    word = "Section" if config.startswith("deontic") else "Rule"
    for case, found in sample(config):
        printed = set(re.findall(r"^(?:Rule )?(\d+)[.: ]", case.rules, flags=re.MULTILINE))
        member = next(found.family.members())
        steps = found.trace(member)
        assert {step.rule for step in steps if step.rule} <= printed, case.id
        assert {step.rule for step in steps if step.rule} <= {step.rule for step in case.trace}, case.id
        cited = {re.sub(r"\D+", "", m) for step in steps for m in re.findall(rf"{word} \d+", step.text)}
        assert cited <= printed, case.id
        numbers = {m[1] for label in member if (m := re.match(r"(?:\d+\.)?[a-z]+:(\d+)[:=]", label))}
        assert numbers == {step.rule for step in steps if step.rule}, case.id


def test_the_steps_of_a_member_are_steps_of_the_full_trace():
    """A reference trace is a selection of the case's own trace, word for word."""
    for config in ("law", "finance"):
        for case, found in sample(config):
            shown = {(s.text, s.rule, s.kind, s.result) for s in case.trace}
            for member in found.family.members(2):
                assert {(s.text, s.rule, s.kind, s.result) for s in found.trace(member)} <= shown, case.id


def test_parts_multiply():
    """A case of several parts has the product of their families; each member is one of each."""
    several = [(c, d) for c, d in sample("finance") if len(d.parts) > 1]
    assert several
    for case, found in several:
        families = [found.part_family(i) for i in range(len(found.parts))]
        assert found.family.count() == prod(f.count() for f in families), case.id
        assert found.facts().count() == prod(f.facts().count() for f in _alone(found)), case.id
        whole = set(next(found.family.members()))
        for number, family in enumerate(families, 1):
            own = frozenset(label for label in whole if label.startswith(f"{number}."))
            assert own in {frozenset(m) for m in family.members()}, case.id
        subjects = {part.part.subject for part in found.parts}
        assert {s.text.split(":")[0] for s in found.trace(whole)} == subjects


def _alone(found: Derivations) -> list[Derivations]:
    goal = "decision"
    return [derive([part.part], goal, found.say) for part in found.parts]


@pytest.mark.parametrize("config", CONFIGS)
def test_critical_labels(config):
    """Necessary inferences and policy-level labels of the member: no fact, no answer, nothing outside the member."""
    for case, found in sample(config):
        necessary = found.family.necessary()
        for member in found.family.members(4):
            critical = set(found.critical(member))
            for label in member:
                inference = not is_fact(label) and label not in found.answers()
                expected = inference and (label in necessary or is_policy_level(label))
                assert (label in critical) == expected, (case.id, label)
            assert critical <= set(member)


def test_policy_level_labels():
    """Which kinds of label are about policies, with and without the number of a part."""
    yes = ["conflict:8:learner>release", "gate:5:meals_ok=FAIL", "2.gate:95:meals_ok=PASS", "table:1:cap[a,b]=260",
           "selection:10:review->grant_review", "transform:7:documented_w=true", "compose:8:core=false",
           "policy:3:release:applies=false", "4.policy:3:release:applies=true"]  # fmt: skip
    no = ["policy:3:release:triggered=true", "concept:1:gate=true", "fact:gate=true", "2.fact:table=1",
          "decision:11=Full", "amount:12=8328", "fact:policy=x"]  # fmt: skip
    assert all(is_policy_level(label) for label in yes)
    assert not any(is_policy_level(label) for label in no)
    assert [label for label in (*yes, *no) if is_fact(label)] == ["fact:gate=true", "2.fact:table=1", "fact:policy=x"]


def test_what_is_asked_is_the_root():
    """Amounts for amount questions; a claim's own node, labelled or not; else the decision."""
    kinds = set()
    for config in CONFIGS:
        for case, found in sample(config):
            for part in found.parts:
                label = part.graph.info(part.root)
                if config == "deontic_sara_binary":
                    kinds.add(label.kind if label else "hidden")
                    assert found.answers() <= {part.answer}
                else:
                    assert label.kind == ("amount" if case.answer_type == "amount" else "decision")
                    assert part.answer in next(found.family.members())
    assert kinds >= {"concept", "policy", "hidden", "amount"}


def test_a_case_without_derivation_is_refused():
    """An empty family is an error that names the case, never a case without references."""
    _, found = sample("law")[0]
    part = found.parts[0]
    empty = replace(part.graph, _alternatives=tuple(() for _ in range(len(part.graph))))
    with pytest.raises(CheckFailed, match="found none of the decision"):
        derive([Part(part.part.base, part.part.facts, {})], "decision", verbatim, [empty])
    with pytest.raises(ValueError, match="expected a member"):
        found.trace(["fact:nothing=true"])


def test_other_cases_are_refused():
    """Finance cases of the authors' release have no graph; its law needs the import; a damaged plan is named."""
    case, _ = sample("law")[0]
    with pytest.raises(InputError, match="found holmes-release finance"):
        derivations_of(replace(case, source="holmes-release", domain="finance"))
    with pytest.raises(InputError, match="found no import"):
        derivations_of(replace(case, source="holmes-release"))
    claim, _ = sample("deontic_sara_binary")[0]
    for plan in ("", "{}", '{"goal": 1}', '{"goal": "concept nobody"}'):
        with pytest.raises(InputError, match="field plan"):
            derivations_of(replace(claim, plan=plan))
