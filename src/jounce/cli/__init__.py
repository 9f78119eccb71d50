"""The command line; `jounce --help` lists the commands, one module of `jounce.cli` each."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from jounce import __version__
from jounce.errors import JounceError, legible, said_plainly
from jounce.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

#: Modules of `jounce.cli`: the docstring is the help, `add_arguments(parser)` and `run(args)`
#: do the rest. They import what they need when run.
COMMANDS = (
    "cache",
    "demo",
    "identify",
    "inertia",
    "info",
    "page",
    "papers",
    "quantities",
    "reference",
)


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the command `jounce` and of `python -m jounce`."""
    parser = argparse.ArgumentParser(prog="jounce", description="Rigid-body dynamics, compiled.")
    parser.add_argument("--version", action="version", version=f"jounce {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    modules = {name: import_module(f"jounce.cli.{name}") for name in COMMANDS}
    given = sys.argv[1:] if argv is None else argv
    for name, module in modules.items():
        text = (module.__doc__ or "").strip()
        command = commands.add_parser(name, help=text.partition("\n")[0], description=text)
        if name in given:  # what it asks for may be known to a part that takes long to import
            module.add_arguments(command)
    args = parser.parse_args(given)
    if isinstance(sys.stdout, io.TextIOWrapper):  # names may have letters the terminal lacks
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with said_plainly(f"jounce {args.command}"):
            modules[args.command].run(args)
    except (JounceError, OSError, ImportError, MemoryError) as error:
        reason = str(error) or "there is not enough memory"
        sys.exit(f"jounce {args.command}: {legible(reason)}")
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell says it
