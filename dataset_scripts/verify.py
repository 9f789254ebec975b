"""Thin command over the library: the same as `holmes verify`."""

import sys

from holmes.cli import main

main(["verify", *sys.argv[1:]])
