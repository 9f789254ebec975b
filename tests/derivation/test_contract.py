"""The stated form of steps: every form is read exactly, whatever markdown stands around it."""

from __future__ import annotations

import pytest

from holmes.reading.step_contract import read_contract
from holmes.reading.symbols import canonical
from holmes.scoring.derivation import reading_in
from holmes.scoring.derivation.reference import reference_of
from holmes.scoring.derivation.segments import unmarked
from tests.derivation.made import sample


def _waives(part, target):
    return part.graph.part.base.policies[target.key[1]].operator == "transform"


def contract(case):
    """Return every step of a case in the stated form, and the claim that each makes."""
    made_of = reference_of(case)
    rows = []
    for part in made_of.parts:
        number = {name: rule for rule, name in part.policies.items()}
        for target in part.by_key.values():
            value, rule = target.value, target.rule
            if target.kind == "concept" and target.type.kind == "bool":
                name = part.graph.part.base.concepts[target.key[1]].phrases[0]
                rows.append((f"[Rule {rule}] {name}: {'yes' if value else 'no'} — Rules 1, 3", target))
            elif target.kind == "triggered":
                rows.append((f"[Rule {rule}]: {'triggered' if value else 'not triggered'} — the facts", target))
            elif target.kind == "applies" and target.node >= 0:
                rows.append((f"[Rule {rule}]: {'applies' if value else 'does not apply'} — Rule 9", target))
            elif target.kind == "conflict":
                winner, loser = number[target.key[1]], number[target.key[2]]
                verb = "defeats" if value else "does not defeat"
                rows.append((f"[Rule {rule}] Rule {winner}: {verb} Rule {loser} — both are triggered", target))
            elif target.kind == "gate" and (value or _waives(part, target)):
                rows.append((f"[Rule {rule}] the paper: {'passes' if value else 'fails'} — as told", target))
    return made_of, rows


DRESS = ("{}", "- {}", "3. {}", "**{}**", "* `{}`", "> {}")


@pytest.mark.parametrize("config", ["law", "finance"])
@pytest.mark.parametrize("dress", DRESS)
def test_every_line_is_read_as_it_says(config, dress):
    """One line, one claim: the step it is about and the value it gives, right by construction."""
    seen = 0
    for case in sample(config)[:4]:
        made_of, rows = contract(case)
        if len(made_of.parts) > 1:
            continue
        for line, target in rows:
            found = reading_in(made_of, dress.format(line))
            assert found.contract == 1, line
            assert [(c.target, c.right) for c in found.claims] == [(target, True)], (line, found.claims)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    "line",
    [
        "[Rule 4] The page was torn while it was biting: no wound at all.",
        "[Rule 4] no wound",
        "Rule 4 defines the wound: a torn page",
        "[Rule 16] Where there is a stir, a dusting season follows.",
    ],
)
def test_free_text_is_not_taken_for_the_form(line):
    """What is not in the form is read as free text, or not at all."""
    step = read_contract(unmarked(canonical(line)))
    assert step is None or step.word
