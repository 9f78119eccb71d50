"""python -m jounce."""

from jounce.cli import main

main()
