"""Thin command over the library: the same as `holmes build`."""

import sys

from holmes.cli import main

main(["build", *sys.argv[1:]])
