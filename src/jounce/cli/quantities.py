"""List what a robot can compute."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> None:
    """Print a line per quantity."""
    from jounce.catalog.derived import FRAME, ROBOT

    for row in (*ROBOT.values(), *FRAME.values()):
        call = ("frame." if row.of_frame else "") + row.name
        arguments = ", ".join((*row.arguments, *(f"{name}=" for name in row.optional)))
        shape = "(" + ", ".join(map(str, row.shape)) + ")"
        print(f"{f'{call}({arguments})':<44} {shape:<10} {row.doc}")
