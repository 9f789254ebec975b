"""Parts of prompts that several domains share."""

from __future__ import annotations

import random
import re

from holmes.cases import Case

ORDERS = ("given", "shuffled")
CLOSED_WORLD = "What the case leaves unsaid did not happen."


def shown(case: Case, label: str) -> str:
    """Return the spelling under which a prompt shows an answer label."""
    return next((alias.text[0] for alias in case.aliases if alias.label == label and alias.text), label)


def rule_lines(rules: str) -> list[str]:
    """Split rules text into rules; a line that does not begin with a rule number stays with the one before it."""
    result: list[str] = []
    for line in rules.splitlines():
        if result and not re.match(r"(?:Rule )?\d+[.:]", line):
            result[-1] += "\n" + line
        elif line.strip():
            result.append(line)
    return result


def mixed(lines: list[str], foreign: list[str], key: str) -> list[str]:
    """Insert foreign rules at random places under numbers of their own, above those in use."""
    numbers = [int(found[0]) for line in lines if (found := re.findall(r"\d+", line))]
    form = "Rule {}: {}" if lines and lines[0].startswith("Rule ") else "{}. {}"
    result = list(lines)
    rng = random.Random(f"prompt/{key}/places")
    for offset, text in enumerate(foreign, 1):
        result.insert(rng.randrange(len(result) + 1), form.format(max(numbers, default=0) + offset, text))
    return result
