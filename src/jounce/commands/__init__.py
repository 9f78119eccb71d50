"""One module per command of the command line; see `jounce.cli`."""
