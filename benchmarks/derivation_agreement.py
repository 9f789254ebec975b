"""How far the deterministic derivation scorer agrees with the forty hand-labelled traces of tests/derivation/traces.txt.

`PYTHONPATH=. python benchmarks/derivation_agreement.py [--show]` prints the figures, and with --show every disagreement.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.derivation.labelled import agreement, read_traces

TRACES = Path(__file__).resolve().parent.parent / "tests/derivation/traces.txt"


def main() -> None:
    """Print one figure a line."""
    figures, differences = agreement(read_traces(TRACES))
    for name, value in figures.items():
        print(f"{name}: {value}")
    if "--show" in sys.argv:
        for line in differences:
            print(line)


if __name__ == "__main__":
    main()
