"""Print the reference of all quantities, as in docs/quantities.md."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What else there is to print."""
    parser.add_argument(
        "--stubs", action="store_true", help="what type checkers read: quantities/declared.pyi"
    )


def run(args: argparse.Namespace) -> None:
    """Print the reference."""
    if args.stubs:
        from jounce.quantities.stubs import stubs

        print(stubs(), end="")
    else:
        from jounce.catalog.reference import reference

        print(reference(), end="")
