"""The exceptions and warnings of the library."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TextIO, TypeVar, cast

if TYPE_CHECKING:
    from inspect import Signature

__all__ = [
    "ArgumentError",
    "DataError",
    "DataWarning",
    "JounceError",
    "JounceWarning",
    "KernelTooLargeError",
    "ModelError",
    "ModelWarning",
    "counted",
    "explain_call",
    "legible",
    "printable",
    "said_plainly",
    "suggest",
    "warn",
]

_Class = TypeVar("_Class")
_Function = TypeVar("_Function", bound=Callable[..., Any])

_FOLDER = str(Path(__file__).parent)

#: Packages that call jounce back, or help it: the user's line is further out.
_BETWEEN = {
    *("jounce", "numpy", "jax", "jaxlib", "torch", "contextlib", "dataclasses", "functools"),
    *("concurrent", "importlib", "multiprocessing", "runpy", "threading"),
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


#: The file that is being read.
_current_file: ContextVar[str] = ContextVar("_current_file", default="")


@contextlib.contextmanager
def name_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let errors and warnings about a model begin with the file it is read from."""
    token = _current_file.set(os.fspath(path))
    try:
        yield
    except ModelError as error:
        text = _with_file(str(error))
        if text == str(error):
            raise
        raise ModelError(text) from error
    finally:
        _current_file.reset(token)


def _with_file(text: str) -> str:
    """Return a message with the name of the file that is being read, if it lacks it."""
    file = _current_file.get()
    head = file[:1000]  # messages are cut, but not so early
    return text if head in text or printable(head) in text else f"{file}: {text}"


def warn(text: str, category: type[Warning]) -> None:
    """Issue a warning that points at the user's line: the first one outside of this package.

    As all of Python's it is shown once for a text and a line, unless filters say otherwise.
    """
    if issubclass(category, ModelWarning):
        text = _with_file(text)
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


# ------------------------------------------------------------------ wrong names and wrong calls

#: Longer names are not compared with others: those of hostile files may be megabytes long.
_MAX_COMPARED = 100

#: Less similar names are not suggested; 1 is equal.
_MIN_SIMILARITY = 0.7

#: Longer lists of names are not part of messages, in characters.
_MAX_LISTED = 170

#: What other libraries call arguments, and their names here; `catalog.synonyms` has attributes.
_SYNONYMS = {
    **dict.fromkeys(("dt", "timestep", "time_step", "step_size"), "h"),
    **dict.fromkeys(("dq", "qd", "qdot", "q_dot", "qvel"), "v"),
    **dict.fromkeys(("ddq", "qdd", "qddot", "q_ddot", "qacc"), "a"),
    **dict.fromkeys(("torque", "torques"), "tau"),
    **dict.fromkeys(("fext", "f_ext", "external_wrenches"), "wrenches"),
}


def find_similar(name: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that was probably meant, or None; upper and lower case are equal."""
    import difflib

    names = {x.casefold(): x for x in valid if len(x) <= _MAX_COMPARED}
    word = name[:_MAX_COMPARED].casefold()
    if _SYNONYMS.get(word) in names:
        return names[_SYNONYMS[word]]
    close = difflib.get_close_matches(word, names, 1, _MIN_SIMILARITY)
    longer = [x for x in names if word and x.startswith(word)]
    if not close and len(longer) == 1:
        close = longer
    return names[close[0]] if close else None


def suggest(
    name: object,
    valid: Iterable[str],
    lead: str = "choose one of",
    renamed: Mapping[str, str] | None = None,
    listing: str = "",
) -> str:
    """Return the end of a message about an unknown name: the closest valid one, or all if few.

    As "did you mean 'tool'? Choose one of base, tool", or "choose one of base, tool". Of old names
    (`renamed`) that are similar the new one is suggested. A long list of names is cut, or replaced
    by the place where users find it (`listing`, "dir(robot)").
    """
    names, renamed = list(valid), renamed or {}
    joined = ", ".join(names)
    listed, long = f"{lead} {joined or '(there are none)'}", len(joined) > _MAX_LISTED
    close = find_similar(str(name), [*names, *renamed]) or find_similar(str(name), names)
    if close is None:
        if not long:
            return listed
        return f"see {listing}" if listing else f"{lead} {', '.join(names[:6])}, ... ({len(names)})"
    hint = f"did you mean '{renamed.get(close, close)}'?"
    return hint if long else f"{hint} {listed[0].upper()}{listed[1:]}"


class HidesMembers:
    """Base class of objects with members for other packages, which `dir` does not list."""

    __slots__ = ()

    #: Members that users need not see in completion.
    _HIDDEN: ClassVar[frozenset[str]] = frozenset()

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__()} - self._HIDDEN)


class SuggestsMembers(HidesMembers):
    """Base class of objects whose errors about unknown attributes suggest names."""

    __slots__ = ()

    if not TYPE_CHECKING:  # checkers know only what is declared

        def __getattr__(self, name: str) -> Any:
            """Raise an error that suggests a name."""
            if name.startswith("_"):
                raise AttributeError(name, name=name, obj=self)
            owner = printable(self.title) if hasattr(type(self), "title") else repr(self)
            valid = [x for x in dir(self) if not x.startswith("_")]
            hint = suggest(name, valid, "valid names:", listing="dir(), which lists all names")
            text = f"{owner} has no '{name}'; {hint}"
            raise AttributeError(text, name=name, obj=self)


def explain_call(function: _Function) -> _Function:
    """Let the TypeError of a call with wrong arguments suggest names and print the signature.

    Messages call a method "ROBOT.method", after the `_title` or `name` of its object.
    """

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is not None:
                raise  # the call was right, and something in it was not
        import inspect

        title, signature = function.__name__, inspect.signature(function)
        parameters = list(signature.parameters.values())
        if parameters and parameters[0].name == "self":
            title, args = _title_of(args[0], title), args[1:]
            signature = signature.replace(parameters=parameters[1:])
        raise TypeError(describe_mismatch(title, signature, args, named))

    return cast(_Function, call)


def explain_methods(cls: type[_Class]) -> type[_Class]:
    """Decorate the public methods of a class with `explain_call`."""
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(cls, name, explain_call(method))
    return cls


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: "1 loop", "2 loops", "3 vertices"."""
    many = f"{noun[:-2]}ices" if noun.endswith("ex") else f"{noun}s"
    many = f"{noun[:-1]}ies" if noun.endswith("y") else many
    return f"{number} {noun if number == 1 else many}"


def describe_mismatch(
    title: str, signature: Signature, args: tuple[Any, ...], named: Mapping[str, Any]
) -> str:
    """Return why arguments do not fit a signature, and how the function `title` is called."""
    parameters = list(signature.parameters.values())
    shown = [p.replace(annotation=p.empty) for p in parameters]
    bare = signature.replace(parameters=shown, return_annotation=signature.empty)
    usage = f"it is called as {title}{bare}"
    by_name = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    unknown = [name for name in named if name not in by_name]
    if unknown and all(p.kind is not p.VAR_KEYWORD for p in parameters):
        close = find_similar(unknown[0], by_name)
        hint = usage if close is None else f"did you mean '{close}'? I{usage[1:]}"
        return f"{title} takes no '{unknown[0]}'; {hint}"
    try:
        signature.bind(*args, **named)
    except TypeError as error:
        return f"{title}: {error}; {usage}"
    return f"{title}: it cannot be called like that; {usage}"


def _title_of(owner: Any, method: str) -> str:
    """Return what messages call a method of an object."""
    title = getattr(owner, "title", getattr(owner, "_title", None))
    if title is None:
        title = getattr(owner, "name", type(owner).__name__)
    return printable(title if method == "__call__" else f"{title}.{method.lstrip('_')}")
