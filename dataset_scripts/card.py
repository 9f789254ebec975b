"""Write the dataset card (holmes/README.md) from the embedded data."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a clone needs no installation

from holmes.report.card import card
from holmes.util.files import write_text
from holmes.util.paths import PACKAGE

argparse.ArgumentParser(description=__doc__).parse_args()
write_text(PACKAGE / "README.md", card())
print(PACKAGE / "README.md")
