"""See what is special: derivatives, a closed loop, a million states, speed, and a robot as a page.

Every line that states an identity checks it. The page is one file that opens in a browser without a
network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jounce.cli import given

EXAMPLES = ("jounce demo", "jounce demo -o pages")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the page goes."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        type=Path,
        default=Path("jounce-demo"),
        help="where the page is written (jounce-demo)",
    )
    given.add_force(parser)


def run(args: argparse.Namespace) -> None:
    """Run the demonstration."""
    from jounce.cli import tour

    tour.main(args.output, args.force)
