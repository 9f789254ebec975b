"""Subcommands of the `holmes` command, one module each, imported only when called."""
