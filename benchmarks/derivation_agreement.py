"""How far the deterministic derivation scorer agrees with the hand-labelled traces below tests/derivation.

`python benchmarks/derivation_agreement.py [--show]` prints the figures; --show adds every disagreement.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests/derivation"


def main() -> None:
    """Print the figures of both samples, one a line."""
    sys.path.insert(0, str(ROOT))  # the traces and their reader belong to the tests
    from tests.derivation.labelled import agreement, read_traces

    for name in ("traces", "unseen"):
        figures, differences = agreement(read_traces(FOLDER / f"{name}.txt"))
        print(f"# {name}.txt")
        for figure, value in figures.items():
            print(f"{figure}: {value}")
        if "--show" in sys.argv:
            for line in differences:
                print(line)


if __name__ == "__main__":
    main()
