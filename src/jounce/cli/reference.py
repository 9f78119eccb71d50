"""Print the reference of all quantities, as in docs/quantities.md."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Print the reference."""
    from jounce.catalog.reference import reference

    print(reference(), end="")
