"""The law prompt: four parts, options, and a length that small models can take."""

from __future__ import annotations

import re

import pytest

from holmes.domains.law.prompts import prompt
from holmes.domains.law.splits import LawSource
from holmes.errors import InputError
from holmes.prompting.parts import rule_lines


def test_prompt_holds_rules_case_question_and_contract(law: LawSource) -> None:
    """Every rule line, the case text, the question, all outcomes and the answer line are there."""
    case = law.item(1, 0)
    text = prompt(case)
    assert all(line in text for line in case.rules.splitlines())
    assert case.case in text and case.question in text
    assert all(alias.text[0] in text for alias in case.aliases)
    assert "Reasoning:" in text and "[Rule " in text and re.search(r"^Answer: ", text, re.MULTILINE)
    assert case.id not in text and case.canary not in text


def test_direct_asks_for_the_answer_line_only(law: LawSource) -> None:
    """The direct twin has the same rules and case, and no reasoning part."""
    case = law.item(1, 1)
    text = prompt(case, "direct")
    assert "Reasoning:" not in text and "Answer: " in text and case.rules in text and case.case in text


def test_options_change_what_they_say(law: LawSource) -> None:
    """Shuffled rules keep their numbers; distractors get numbers above; labels and the closed-world line can go."""
    case = law.item(1, 2)
    shuffled = prompt(case, rules="shuffled")
    assert case.rules not in shuffled and all(line in shuffled for line in case.rules.splitlines())
    assert shuffled == prompt(case, rules="shuffled")
    more = prompt(case, distractors=3)
    numbers = [int(n) for n in re.findall(r"^Rule (\d+):", more, re.MULTILINE)]
    assert len(numbers) == len(rule_lines(case.rules)) + 3 and len(set(numbers)) == len(numbers)
    assert "unsaid" in prompt(case) and "unsaid" not in prompt(case, closed_world=False)
    assert "Possible outcomes" not in prompt(case, labels=False)


@pytest.mark.parametrize(("field", "value"), [("mode", "essay"), ("rules", "sorted"), ("distractors", -1)])
def test_wrong_options_are_named(law: LawSource, field: str, value: object) -> None:
    """A wrong option is refused in one line that names the case, the option, what was found and what was expected."""
    case = law.item(1, 0)
    with pytest.raises(InputError, match=rf"{re.escape(case.id)}.*{field}: found .*expected"):
        prompt(case, **{field: value})  # type: ignore[arg-type]


def test_prompt_is_short(law: LawSource) -> None:
    """No default prompt has more than 900 words, which small tokenizers turn into some 1,200 tokens."""
    assert max(len(prompt(law.item(1, i)).split()) for i in range(40)) <= 900
