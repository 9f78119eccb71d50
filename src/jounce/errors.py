"""The exceptions and warnings of the library."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

_FOLDER = str(Path(__file__).parent)

#: Packages that call jounce back, or help it: the user's line is further out.
_BETWEEN = {
    *("jounce", "numpy", "jax", "jaxlib", "torch", "contextlib", "dataclasses", "functools"),
    *("concurrent", "multiprocessing", "runpy", "threading"),
}

#: What was said where there is no line of the user's, as in threads.
_registry: dict[Any, Any] = {}

#: Names and numbers of a hostile file may be megabytes long.
_LONGEST = 4000
_CUT = " ... "


def printable(text: str) -> str:
    """The text with everything spelled out that a terminal would obey rather than show.

    Control characters, line ends, marks that turn the direction of writing, lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def legible(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, printable and not too long: what is cut is cut from the middle."""
    if len(text) > longest:
        half = (longest - len(_CUT)) // 2
        text = f"{text[:half]}{_CUT}{text[len(text) - half :]}"
    text = printable(text)
    return text if len(text) <= longest else legible(text, longest)


class JounceError(ValueError):
    """What all errors about the user's files and data have in common."""

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelError(JounceError):
    """A robot description that cannot be used; the message names the file, joint or link."""


class DataError(JounceError):
    """Measured data that cannot be used; the message names the file, column or row."""


class ArgumentError(JounceError):
    """An argument that cannot be used; the message names it and what was expected."""


class KernelTooLargeError(JounceError):
    """A quantity whose compilation would take unreasonably long; the message says how to go on."""


class JounceWarning(UserWarning):
    """What all warnings about the user's files and data have in common.

    Python makes an instance of the category and shows that, so that its text is legible however the
    warning is issued.
    """

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelWarning(JounceWarning):
    """A robot description that can be used but looks wrong; the message names the culprit."""


class DataWarning(JounceWarning):
    """Measured data that can be used but look wrong; the message names the column."""


def warn(text: str, category: type[Warning]) -> None:
    """Issue a warning that points at the user's line: the first one outside of this package.

    As all of Python's it is shown once for a text and a line, unless filters say otherwise.
    """
    frame = sys._getframe(1)
    while frame is not None and _between(frame):
        frame = frame.f_back
    if frame is None:  # in a thread of ours, or the command line
        warnings.warn_explicit(text, category, "jounce", 1, "jounce", _registry)
        return
    here = frame.f_globals
    registry = here.setdefault("__warningregistry__", {})
    name = str(here.get("__name__", "<unknown>"))
    line = frame.f_lineno
    warnings.warn_explicit(text, category, frame.f_code.co_filename, line, name, registry)


#: Floating-point errors as NumPy's callbacks name them, and as `numpy.errstate` does.
_FLOATING_ERRORS = {
    "divide by zero": "divide",
    "overflow": "over",
    "underflow": "under",
    "invalid value": "invalid",
}


def report_floating_errors(errors: Mapping[str, int], name: str) -> None:
    """Report floating-point errors as the user's `numpy.errstate` says, at the user's line.

    NumPy itself would attribute its warnings to the line of this package that computes.

    Parameters
    ----------
    errors : mapping
        What NumPy gave to callbacks: names of errors, and the status flags.
    name : str
        The operation in which they happened.
    """
    import numpy as np

    modes: Any = np.geterr()
    for error, flags in errors.items():
        mode, text = modes[_FLOATING_ERRORS[error]], f"{error} encountered in {name}"
        handler: Any = np.geterrcall()
        if mode == "warn":
            warn(text, RuntimeWarning)
        elif mode == "raise":
            raise FloatingPointError(text)
        elif mode == "call":
            handler(error, flags)
        elif mode == "log":
            handler.write(f"Warning: {text}\n")
        elif mode == "print":
            print(f"Warning: {text}", file=sys.stderr)


def _between(frame: FrameType) -> bool:
    """Whether a frame is none of the user's; `python -m jounce` calls its file "__main__"."""
    name = str(frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] in _BETWEEN or frame.f_code.co_filename.startswith(_FOLDER)


@contextlib.contextmanager
def said_plainly(title: str) -> Iterator[None]:
    """Warnings of the package as one sentence each on stderr, without a line of source.

    title: how they begin, such as "jounce info".
    """
    with warnings.catch_warnings():
        shown = warnings.showwarning

        def say(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, JounceWarning):
                print(f"{title}: warning: {legible(str(message))}", file=file or sys.stderr)
            else:
                shown(message, category, filename, lineno, file, line)

        warnings.showwarning = say
        yield


def has_no(owner: object, name: str, valid: Sequence[str]) -> str:
    """What to say of an attribute that an object does not have, with the names of those it has."""
    import difflib

    close = difflib.get_close_matches(name, valid, 1)
    hint = f"; did you mean '{close[0]}'?" if close else "."
    return f"{owner!r} has no '{name}'{hint} Valid names: {', '.join(valid)}"
