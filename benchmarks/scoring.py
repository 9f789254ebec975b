"""What scoring the reasoning of replies costs beside scoring their answers: `python benchmarks/scoring.py`.

Prints, a task and kind of reply: replies a second with the answer alone scored, with the reasoning scored too, and the
ratio of the two, in processor time, interleaved in one run. Every reply is a full trace of its case, scored once; what
is made once a rule base is made before. Kinds: `steps`, the gold steps as they are; `prose`, the same with words of its
own around each, so that no line is that of another reply. `--cases N`, `--tasks NAME …`, `--seed N`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import replace

from holmes.cases import Case
from holmes.interfaces import Task
from holmes.options import Options
from holmes.report.made import gold_reply
from holmes.scoring.run import score_outputs
from holmes.tasks import cases_of, own_spec, task_spec

LEADS = ("So", "Hence", "Then", "It follows that", "We see that", "Next,", "Now", "Thus")
ENDS = ("as was told", "which is clear", "on these facts", "for now", "as noted before", "by the text")
AT_ONCE = 10  # replies of one way of scoring, then of the other
WAYS = (replace(Options(), derivations=False), Options())


def main() -> None:
    """Print the rates of both ways for each task and kind of reply."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="cases a task")
    parser.add_argument("--seed", type=int, default=1, help="of the words in prose")
    parser.add_argument("--tasks", nargs="*", default=["holmes_law", "holmes_finance_approval", "holmes_policy"])
    given = parser.parse_args()
    print(f"{'task':28} {'kind':6} {'plain/s':>8} {'reasoning/s':>12} {'ratio':>6}")
    for name in given.tasks:
        spec = task_spec(name)
        cases = cases_of(spec)
        first = list({case.rulebase: case for case in reversed(cases)}.values())
        cases = [case for case in cases if case not in first][: given.cases]
        for kind in (steps, prose):
            draw = random.Random(given.seed)
            timed(spec, [(case, kind(case, spec, draw)) for case in first])
            plain, whole = timed(spec, [(case, kind(case, spec, draw)) for case in cases])
            print(
                f"{name:28} {kind.__name__:6} {len(cases) / plain:8.0f} {len(cases) / whole:12.0f} {whole / plain:6.2f}"
            )


def timed(spec: Task, replies: Sequence[tuple[Case, str]]) -> tuple[float, float]:
    """Return the processor seconds of plain scoring and of scoring with the reasoning."""
    spent = [0.0, 0.0]
    for start in range(0, len(replies), AT_ONCE):
        some = replies[start : start + AT_ONCE]
        for way, options in enumerate(WAYS):
            begun = time.process_time()
            for case, text in some:
                score_outputs(case, spec, options, [text])
            spent[way] += time.process_time() - begun
    return spent[0], spent[1]


def steps(case: Case, spec: Task, draw: random.Random) -> str:
    """Return the gold steps with the answer."""
    return gold_reply(case, own_spec(case, spec))


def prose(case: Case, spec: Task, draw: random.Random) -> str:
    """Return the gold reply with words of its own around each step."""
    told = {step.text for step in case.trace}
    lines = []
    for line in steps(case, spec, draw).splitlines():
        if line.partition(" [")[0] in told:
            end = f"{draw.choice(ENDS)} ({draw.randrange(10**6)} words ago)"
            line = f"{draw.choice(LEADS)} {line[:1].lower()}{line[1:].rstrip('.')}, {end}."
        lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main()
