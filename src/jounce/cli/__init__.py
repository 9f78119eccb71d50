"""The command line; `jounce --help` lists the commands, one module of `jounce.cli` each."""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jounce import __version__
from jounce.errors import JounceError, legible, said_plainly
from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

#: Modules of `jounce.cli`: the docstring is the help, `EXAMPLES` are command lines that end it,
#: `add_arguments(parser)` and `run(args)` do the rest. They import what they need when run.
COMMANDS = (
    "bench",
    "cache",
    "completion",
    "demo",
    "export",
    "identify",
    "inertia",
    "info",
    "page",
    "papers",
    "quantities",
    "reference",
    "study",
    "view",
)


class _Formatter(argparse.HelpFormatter):
    """Paragraphs are filled, each for itself; indented lines stay as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = re.split(r"\n\s*\n", text)
        filled = super()._fill_text
        return "\n\n".join(
            part if re.search(r"^ ", part, re.M) else filled(part, width, indent) for part in parts
        )


class _Command(argparse.ArgumentParser):
    """What reads the arguments of a command: options may stand before, between and after them."""

    _reading = False

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        """Options first, then the rest: otherwise what may be missing counts as missing early."""
        if self._reading:
            return super().parse_known_args(args, namespace)
        self._reading = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._reading = False


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"jounce.cli.{name}")


def parser(complete: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """What reads the command line.

    complete: commands that are to know their arguments, since what those are may be known to a
    part that takes long to import.
    """
    whole = argparse.ArgumentParser(
        prog="jounce",
        description="Rigid-body dynamics, compiled.",
        epilog="`jounce COMMAND --help` says more, with examples. A robot is a file, or a name from"
        " the gallery such as kuka_iiwa14.",
        formatter_class=_Formatter,
    )
    whole.add_argument("--version", action="version", version=f"jounce {__version__}")
    commands = whole.add_subparsers(
        dest="command", required=True, metavar="command", parser_class=_Command
    )
    for name in COMMANDS:
        module = command(name)
        text = (module.__doc__ or "").strip()
        lines = "\n".join(f"  {line}" for line in module.EXAMPLES)
        made = commands.add_parser(
            name,
            help=text.partition("\n")[0],
            description=text,
            epilog=f"examples:\n{lines}",
            formatter_class=_Formatter,
        )
        if name in complete:
            module.add_arguments(made)
    return whole


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of the command `jounce` and of `python -m jounce`."""
    who = "jounce"
    try:
        try:
            given = sys.argv[1:] if argv is None else argv
            args = parser([name for name in COMMANDS if name in given]).parse_args(given)
            who = f"jounce {args.command}"
            if isinstance(sys.stdout, io.TextIOWrapper):  # names may have letters it lacks
                sys.stdout.reconfigure(errors="backslashreplace")
            with said_plainly(who):
                command(args.command).run(args)
        finally:
            _flush()
    except BrokenPipeError:  # readers stop when they have read enough, as `head` does
        _discard_output()
        sys.exit(0)
    except (JounceError, OSError, ImportError, MemoryError) as error:
        _discard_output()
        sys.exit(f"{who}: {legible(_reason(error))}")
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell says it


#: What a disk says that cannot take more.
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


def _reason(error: BaseException) -> str:
    """Return what to say of an error: of one of the system, its text without its number."""
    if not isinstance(error, OSError) or not error.strerror or error.filename is not None:
        return str(error) or "there is not enough memory"
    if error.errno in _FULL and error.strerror == os.strerror(error.errno or 0):
        # writers of files name them, so this came from `print`
        return f"cannot write to standard output: {error.strerror}"
    return error.strerror


def _flush() -> None:
    """Write what waits to be written; there may be no standard output at all."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """Discard output that cannot be written, or Python would try once more when it ends."""
    try:
        _flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
