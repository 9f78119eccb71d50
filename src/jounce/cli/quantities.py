"""List what a robot can compute, a mechanism with closed loops, and a robot in contact."""

from __future__ import annotations

import argparse

EXAMPLES = ("jounce quantities", "jounce quantities | grep energy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Print a line per quantity."""
    from jounce.catalog.contacts import CONTACTED
    from jounce.catalog.mechanism import CLOSED
    from jounce.catalog.tables import FRAME, ROBOT

    closed = [row for name, row in CLOSED.quantities.items() if name not in ROBOT]
    touching = [*CONTACTED.quantities.values()]
    for row in (*ROBOT.values(), *FRAME.values(), *closed, *touching):
        owner = "closed." if row in closed else "contacts." if row in touching else ""
        owner = "frame." if row.of_frame else owner
        arguments = ", ".join((*row.arguments, *(f"{name}=" for name in row.optional)))
        shape = "(" + ", ".join(map(str, row.shape)) + ")"
        print(f"{f'{owner}{row.name}({arguments})':<44} {shape:<10} {row.doc}")
    print("\nA mechanism, robot.closed(), has them all but those of robot.contacts(...).")
