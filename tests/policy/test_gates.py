"""The gates of `holmes audit policy` see what they are for: each sabotage makes its own gate fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holmes.domains.policy.gates.run import audit, gates
from holmes.domains.policy.gates.shortcuts import edit_size, target
from holmes.domains.policy.generate import stated
from holmes.domains.policy.planner.draws import repeated
from holmes.domains.policy.planner.name_baseline import name_baseline, named
from holmes.errors import InputError
from holmes.logic.language.model import Implies, Not, Ref


@pytest.fixture(scope="module")
def part(shipped):
    """Ten pairs of every type, and what shortcuts are fitted on."""
    return shipped["test"][:60], shipped["train"][:200]


def failing(test, train) -> set[str]:
    """Names of the gates that fail; those about words need more cases than these and are left out."""
    found = gates(test, train, {"test": test, "train": train}, shipped=False)
    return {gate.gate for gate in found if not gate.ok and "words of" not in gate.gate and gate.gate[:2] != "2 "}


def test_nothing_fails_on_shipped_pairs(part) -> None:
    """Truth, twins and substance hold of any pairs, however few."""
    assert failing(*part) - {"5 length", "violators just one", "violators none or just one"} == set()


def test_a_wrong_answer_is_found(part) -> None:
    """One answer turned round is not confirmed, and its twin has the same answer."""
    test = list(part[0])
    place = next(i for i, c in enumerate(test) if c.choices == ("yes", "no"))
    test[place] = replace(test[place], answer="no" if test[place].answer == "yes" else "yes")
    assert {"1 text, answer or witness not confirmed by every path", "9 twins with one answer"} <= failing(
        test, part[1]
    )


def test_a_changed_text_is_found(part) -> None:
    """One word of a printed rule or question changed: read back, the case is another one."""
    test = list(part[0])
    place = next(i for i, c in enumerate(test) if " and " in c.question)
    for changed in (
        replace(test[place], question=test[place].question.replace(" and ", " or ")),
        replace(test[place], question=test[place].question.replace("Rule 1", "Rule 2", 1)),
    ):
        if changed != test[place]:
            broken = [*test[:place], changed, *test[place + 1 :]]
            assert "1 text, answer or witness not confirmed by every path" in failing(broken, part[1])


def test_a_missing_twin_is_found(part) -> None:
    """A set with one member of a pair has a case without twin."""
    test = part[0][1:]
    assert any(
        gate.gate == "9 cases without their twin" and gate.value == 1
        for gate in gates(test, part[1], {}, shipped=False)
    )
    assert "9 cases without their twin" in failing([*test[:4], *test[5:]], part[1])


def test_twins_differ_by_words_of_one_edit(part) -> None:
    """The texts of twins, as shipped, have as many words and exchange at most two; another wording is found."""
    test = part[0]
    for one, two in zip(test[::2], test[1::2], strict=True):
        total, differ = edit_size(one, two)
        assert total == 0 and differ <= 4, one.id
    longer = [replace(test[0], case=f"{test[0].case} Well."), *test[1:]]
    assert "9 twins of different length" in failing(longer, part[1])


def test_what_is_given_is_never_given_twice(shipped) -> None:
    """Neither as it stands nor turned round."""
    assert not any(repeated(stated(case)[0].given) for case in (*shipped["test"], *shipped["train"]))
    a, b = Ref("a", "fact"), Ref("b", "fact")
    assert repeated((Implies(a, b), Implies(Not(b), Not(a)))) and not repeated((Implies(a, b), Implies(b, a)))


def test_the_baseline_of_subsets_guesses_for_every_form(shipped) -> None:
    """A guess among the answers for every question but lists; names come with their sign."""
    for case in shipped["dev"]:
        guess = name_baseline(*stated(case))
        assert guess in {"which": ("",), "governs": ("0", "1", "2")}.get(case.tags[0], ("yes", "no"))
        assert (target(case) == "") is (case.tags[0] == "which")
    _, base = stated(next(c for c in shipped["test"] if c.bundle == "masked_city"))
    from holmes.logic.language.model import Not, PolicyTest

    assert named(PolicyTest("triggered", "uncovered"), base) == {("bared", True), ("curtain", False)}
    assert named(Not(PolicyTest("triggered", "uncovered")), base) == {("bared", False), ("curtain", True)}


def test_wrong_options_are_refused() -> None:
    """No single bundle, and not the seed that the models are fitted on."""
    with pytest.raises(InputError, match="--bundle"):
        audit(seed=None, n=1, bundle="tenancy")
    with pytest.raises(InputError, match="--seed"):
        audit(seed=20261207, n=1, bundle="")
