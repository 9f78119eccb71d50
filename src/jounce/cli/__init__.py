"""The command line; `jounce --help` lists the commands, one module of `jounce.cli` each.

Commands use public names only, from all packages, imported inside functions so that `--help` is
fast. `shared_arguments.py` has the arguments that commands share. Start with `info.py`.
"""

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
from typing import TYPE_CHECKING, Any, NoReturn

from jounce import __version__
from jounce.errors import JounceError, find_similar, legible, print_warnings_plainly
from jounce.utils import submodules

__all__ = ["COMMANDS", "DEPRECATED", "command", "main", "parser"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

#: Modules of `jounce.cli`. The docstring is the help text, followed by the command lines in
#: `EXAMPLES`; `add_arguments(parser)` and `run(args)` import packages when they are called.
COMMANDS = (
    "bench",
    "cache",
    "calibrate",
    "demo",
    "export",
    "identify",
    "info",
    "page",
    "study",
    "view",
)

#: Deprecated commands: the arguments that they stand for, and the replacement to recommend.
DEPRECATED = {
    "completion": (["--print-completion"], "jounce --print-completion SHELL"),
    "inertia": (["info", "--inertia"], "jounce info --inertia"),
    "papers": (["info", "--papers"], "jounce info --papers"),
    "quantities": (["info", "--quantities"], "jounce info --quantities"),
    "reference": (["info", "--reference"], "jounce info --quantities"),
}


class _Formatter(argparse.HelpFormatter):
    """Fill each paragraph by itself; keep indented lines as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = re.split(r"\n\s*\n", text)
        fill = super()._fill_text
        return "\n\n".join(
            part if re.search(r"^ ", part, re.M) else fill(part, width, indent) for part in parts
        )


class _Parser(argparse.ArgumentParser):
    """Parser that suggests the most similar choice."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, with a suggestion, and exit."""
        unknown = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        close = unknown and find_similar(unknown[1], unknown[2].replace("'", "").split(", "))
        super().error(f"{message}; did you mean '{close}'?" if close else message)


class _CommandParser(_Parser):
    """Parser of a command, which accepts options before, between and after arguments."""

    _parsing = False

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        """Parse options first, then arguments; optional arguments could be missed otherwise."""
        if self._parsing:
            return super().parse_known_args(args, namespace)
        self._parsing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._parsing = False


class _PrintCompletion(argparse.Action):
    """Print the completion script of a shell, made by shtab, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *args: Any) -> None:
        from jounce.cli.completion import completion_script

        print(completion_script(args[1]))
        parser.exit()


def command(name: str) -> ModuleType:
    """Return the module of a command.

    Parameters
    ----------
    name : str
        Name of the command, one of `COMMANDS`.

    Returns
    -------
    module
        The module, with `EXAMPLES`, `add_arguments` and `run`.
    """
    return import_module(f"jounce.cli.{name}")


def parser(complete: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    Parameters
    ----------
    complete
        Commands whose arguments are added; some import large packages for this.

    Returns
    -------
    argparse.ArgumentParser
        The parser.
    """
    out = _Parser(
        prog="jounce",
        description="Rigid-body dynamics, compiled.",
        epilog="`jounce COMMAND --help` shows details and examples. A robot is a file, or a name"
        " from the gallery such as kuka_iiwa14.",
        formatter_class=_Formatter,
    )
    out.add_argument("--version", action="version", version=f"jounce {__version__}")
    out.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        choices=("bash", "zsh", "fish", "tcsh"),
        help="print a script for your shell that completes commands, and exit",
    )
    commands = out.add_subparsers(
        dest="command", required=True, metavar="command", parser_class=_CommandParser
    )
    for name in COMMANDS:
        module = command(name)
        text = (module.__doc__ or "").strip()
        lines = "\n".join(f"  {line}" for line in module.EXAMPLES)
        added = commands.add_parser(
            name,
            help=text.partition("\n")[0],
            description=text,
            epilog=f"examples:\n{lines}",
            formatter_class=_Formatter,
        )
        if name in complete:
            module.add_arguments(added)
    return out


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; entry point of `jounce` and `python -m jounce`.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the name of the program; by default those of the process.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in DEPRECATED:
        replacement, advice = DEPRECATED[words[0]]
        print(f"jounce {words[0]} is deprecated; use {advice}", file=sys.stderr)
        words[:1] = replacement
    title = f"jounce {words[0]}" if words and words[0] in COMMANDS else "jounce"
    try:
        try:
            if isinstance(sys.stdout, io.TextIOWrapper):  # for characters that it cannot encode
                sys.stdout.reconfigure(errors="backslashreplace")
            args = parser([name for name in COMMANDS if name in words]).parse_args(words)
            with print_warnings_plainly(title):
                command(args.command).run(args)
        finally:
            _flush()
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        _discard_output()
        sys.exit(0)
    except (JounceError, OSError, ImportError, MemoryError) as error:
        _discard_output()
        sys.exit(f"{title}: {legible(_describe(error))}")
    except KeyboardInterrupt:
        sys.exit(130)  # the status that shells use


#: Error numbers of a full or broken disk.
_DISK_ERRORS = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


def _describe(error: BaseException) -> str:
    """Return the message of an error, without the number of a system error."""
    if not isinstance(error, OSError) or not error.strerror or error.filename is not None:
        return str(error) or "there is not enough memory"
    if error.errno in _DISK_ERRORS and error.strerror == os.strerror(error.errno or 0):
        # writers of files name them, so this came from `print`
        return f"cannot write to standard output: {error.strerror}"
    return error.strerror


def _flush() -> None:
    """Flush standard output, if there is one."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """Discard output that cannot be written; Python would try again when it exits."""
    try:
        _flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
