"""Print the reference of all quantities, as in docs/reference/quantities.md."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = ("jounce reference > quantities.md", "jounce reference --stubs > listed.pyi")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What else there is to print or to write."""
    parser.add_argument(
        "--stubs", action="store_true", help="what type checkers read: arrays/listed.pyi"
    )
    parser.add_argument(
        "--grid",
        metavar="FILE",
        type=Path,
        help="instead write the grid of quantities and derivatives between its markers in FILE",
    )


def run(args: argparse.Namespace) -> None:
    """Print the reference or the stubs, or write the grid."""
    if args.stubs:
        from jounce.arrays.stubs import stubs

        print(stubs(), end="")
    elif args.grid is None:
        from jounce.catalog.reference import reference

        print(reference(), end="")
    else:
        from jounce.catalog.grid import with_grid
        from jounce.utils.files import write_files

        text = with_grid(args.grid.read_text(encoding="utf-8"))
        write_files({args.grid: text.encode()}, overwrite=True)  # only the part between markers
