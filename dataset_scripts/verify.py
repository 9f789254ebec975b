"""Thin command over the library: the same as `holmes verify`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a clone needs no installation

from holmes.commands.main import main

main(["verify", *sys.argv[1:]])
