"""Thin command over the library: the same as `holmes import`."""

import sys

from holmes.cli import main

main(["import", *sys.argv[1:]])
