"""How far the deterministic derivation scorer agrees with the hand-labelled traces below tests/derivation.

`python benchmarks/derivation_agreement.py [--show] [--judge URL --judge-model M]` prints the figures; --show adds every
disagreement, --judge the agreement of a judge model with the scorer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests/derivation"


def main() -> None:
    """Print the figures of both samples, one a line."""
    sys.path.insert(0, str(ROOT))  # the traces and their reader belong to the tests
    from holmes.scoring.derivation.judge import Judge
    from holmes.util.chat import Chat
    from tests.derivation.labelled import agreement, judge_agreement, read_traces

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="every disagreement")
    parser.add_argument("--judge", default="", metavar="URL", help="a chat-completions address")
    parser.add_argument("--judge-model", default="", metavar="M", help="its name there")
    given = parser.parse_args()
    judge = Judge(Chat(given.judge, given.judge_model, options={"temperature": 0})) if given.judge else None
    for name in ("traces", "unseen"):
        figures, differences = agreement(read_traces(FOLDER / f"{name}.txt"))
        print(f"# {name}.txt")
        for figure, value in figures.items():
            print(f"{figure}: {value}")
        for line in differences if given.show else ():
            print(line)
        for figure, value in judge_agreement(read_traces(FOLDER / f"{name}.txt"), judge).items() if judge else ():
            print(f"judge, {figure}: {value}")


if __name__ == "__main__":
    main()
