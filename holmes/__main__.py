"""`python -m holmes` is the `holmes` command."""

from holmes.commands.main import main

main()
