"""`python -m holmes` is the `holmes` command."""

from holmes.cli import main

main()
