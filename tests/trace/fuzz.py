"""A seeded fuzz of the step reader: ``python -m tests.trace.fuzz --count 1000000 --seed 7``."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time

from holmes.reading.steps import read_steps

PIECES = [
    "\n", "\n\n", " ", "  ", "\t", "1. ", "2) ", "(3) ", "- ", "* ", "> ", "# ", "### Step 1: ", "Step 2: ", "**",
    "__", "`", "```", "```json\n", "|", "|---|", "Reasoning:", "Answer: ", "Result: ", "Output: ", "Result:", "PASS",
    "FAIL", "✓", "✗", "→ PASS", ": FAIL", "Conclusion — ", "Check — ", "Compute — ", "[Rule 3]", "[Rule 3, 5]",
    "(Rules 3-5)", "[Rule 9999999]", "【规则12】", "[Rule", "Rule 4 ", "]", "[", "(", ")", "{", "}", '"', ":", ",",
    '{"reasoning_trace": [', '"description": ', '"result": ', "null", "NaN", "1e400", "-", "—", "the rule applies",
    "does not apply", " is overridden", "no longer ", "cannot be established", "Since ", "because ", "but ", ". ",
    "。", "不适用", "１２", "5,928 yuan", "60%", "= 312", " is 12", "e.g. ", "Art. 3", "\u2028", "\x00", "\ud800", "🙂",
    "\\[", "\\]", "É", "ﬁ", "9" * 50, "is ", "not ", "No ", "Measure", "x",
]  # fmt: skip


def text_of(draw: random.Random) -> object:
    """Draw one input: text of pieces, raw characters, or a JSON structure."""
    kind = draw.random()
    if kind < 0.6:
        return "".join(draw.choice(PIECES) for _ in range(draw.randrange(1, 40)))
    if kind < 0.8:
        return "".join(chr(draw.randrange(0x3000)) for _ in range(draw.randrange(60)))
    value = _value(draw, 0)
    if draw.random() < 0.5:
        return value
    written = json.dumps(value)
    return written[: draw.randrange(len(written) + 1)] if draw.random() < 0.5 else written


def _value(draw: random.Random, depth: int) -> object:
    kind = draw.randrange(9 if depth < 4 else 6)
    if kind < 6:
        return [None, True, draw.randrange(-9, 10**9), draw.random() * 1e9, draw.choice(PIECES), "a holds. b fails."][
            kind
        ]
    if kind == 6:
        return [_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    keys = ["reasoning_trace", "steps", "step", "description", "result", "rule", "output", "x"]
    return {draw.choice(keys): _value(draw, depth + 1) for _ in range(draw.randrange(5))}


def run(count: int, seed: int) -> int:
    """Read `count` inputs; return how many were read, or stop with the input that raised."""
    for index in range(count):
        source = text_of(random.Random(f"fuzz/{seed}/{index}"))
        try:
            read_steps(source)
        except Exception as error:
            raise AssertionError(f"fuzz seed {seed} index {index}: {source!r}") from error
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    start = time.perf_counter()
    done = run(chosen.count, chosen.seed)
    print(f"{done} inputs read in {time.perf_counter() - start:.0f} s, none raised", file=sys.stderr)
