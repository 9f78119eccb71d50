"""List what a robot can compute, and a mechanism with closed loops."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Print a line per quantity."""
    from jounce.catalog.derived import FRAME, ROBOT
    from jounce.catalog.mechanism import CLOSED

    closed = [row for name, row in CLOSED.quantities.items() if name not in ROBOT]
    for row in (*ROBOT.values(), *FRAME.values(), *closed):
        owner = "frame." if row.of_frame else "closed." if row in closed else ""
        arguments = ", ".join((*row.arguments, *(f"{name}=" for name in row.optional)))
        shape = "(" + ", ".join(map(str, row.shape)) + ")"
        print(f"{f'{owner}{row.name}({arguments})':<44} {shape:<10} {row.doc}")
    print("\nA mechanism, robot.closed(), has them all.")
