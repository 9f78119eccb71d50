"""The command line; `jounce --help` lists the commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jounce import __version__


def _demo() -> None:
    from jounce import demo

    demo.main()


def _papers() -> None:
    from jounce import papers

    print(papers.report())


def _quantities() -> None:
    from jounce.formulas.catalog import ROWS

    for row in ROWS:
        call = ("frame." if row.of_frame else "") + row.name
        arguments = ", ".join((*row.arguments, *(f"{name}=" for name in row.optional)))
        shape = "(" + ", ".join(map(str, row.shape)) + ")"
        print(f"{f'{call}({arguments})':<44} {shape:<10} {row.doc}")


def _reference() -> None:
    from jounce.formulas.reference import reference

    print(reference(), end="")


_COMMANDS = {
    "demo": (_demo, "evaluate and check a robot's dynamics, then a million states"),
    "papers": (_papers, "list which equations of the papers are implemented"),
    "quantities": (_quantities, "list what a robot can compute"),
    "reference": (_reference, "print the reference of all quantities, as in docs/quantities.md"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the command `jounce` and of `python -m jounce`."""
    parser = argparse.ArgumentParser(prog="jounce", description="Rigid-body dynamics, compiled.")
    parser.add_argument("--version", action="version", version=f"jounce {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, (_, text) in _COMMANDS.items():
        commands.add_parser(name, help=text, description=text)
    _COMMANDS[parser.parse_args(argv).command][0]()
