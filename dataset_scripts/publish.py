"""Thin command over the library: the same as `holmes publish`."""

import sys

from holmes.cli import main

main(["publish", *sys.argv[1:]])
