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
    "SolverError",
    "explain_call",
    "find_similar",
    "legible",
    "print_warnings_plainly",
    "printable",
    "suggest",
    "warn",
]

_Class = TypeVar("_Class")
_Function = TypeVar("_Function", bound=Callable[..., Any])

_FOLDER = str(Path(__file__).parent)

#: Packages whose frames are skipped when a warning is attributed to a line of the user.
_SKIPPED_PACKAGES = {
    *("jounce", "numpy", "jax", "jaxlib", "torch", "contextlib", "dataclasses", "functools"),
    *("concurrent", "importlib", "multiprocessing", "runpy", "threading"),
}

#: Registry of warnings without a line of the user, such as those of threads.
_registry: dict[Any, Any] = {}

#: Maximum length of messages, since names in hostile files may be megabytes long.
_MAX_LENGTH = 4000
_ELLIPSIS = " ... "


def printable(text: str) -> str:
    r"""Escape all characters that are not printable.

    These are control characters, line ends, marks of writing direction and lone surrogates, which a
    terminal would interpret.

    Parameters
    ----------
    text : str
        Text from a file or a user.

    Returns
    -------
    str
        The text with escape sequences such as "\x1b".
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def legible(text: str, longest: int = _MAX_LENGTH) -> str:
    """Escape a text as `printable`, and shorten it in the middle.

    Parameters
    ----------
    text : str
        Text from a file or a user.
    longest : int
        Maximum length.

    Returns
    -------
    str
        One line of at most `longest` characters.
    """
    if len(text) > longest:
        half = (longest - len(_ELLIPSIS)) // 2
        text = f"{text[:half]}{_ELLIPSIS}{text[len(text) - half :]}"
    text = printable(text)
    return text if len(text) <= longest else legible(text, longest)


class JounceError(ValueError):
    """Base class of errors about files, data and arguments of the user."""

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelError(JounceError):
    """An invalid robot description; the message names the file, joint or link."""


class DataError(JounceError):
    """Invalid measured data; the message names the file, column or row."""


class ArgumentError(JounceError):
    """An invalid argument; the message names it, and what was expected and found."""


class SolverError(JounceError):
    """A program without a solution; the message names the constraints in conflict."""


class KernelTooLargeError(JounceError):
    """A quantity that exceeds the size limit of compilation; the message has remedies."""


class JounceWarning(UserWarning):
    """Base class of warnings about files and data of the user.

    Its constructor makes the text legible, however the warning is issued.
    """

    def __init__(self, message: object) -> None:
        super().__init__(legible(str(message)))


class ModelWarning(JounceWarning):
    """A suspicious robot description; the message names the part at fault."""


class DataWarning(JounceWarning):
    """Suspicious measured data; the message names the column."""


#: The file that is being read.
_current_file: ContextVar[str] = ContextVar("_current_file", default="")


@contextlib.contextmanager
def name_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Context manager that prefixes errors and warnings about a model with its file."""
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
    """Prefix a message with the file that is being read, unless it contains it."""
    file = _current_file.get()
    head = file[:1000]  # long messages are shortened, but keep this part
    return text if head in text or printable(head) in text else f"{file}: {text}"


def warn(text: str, category: type[Warning]) -> None:
    """Issue a warning at the line of the user: the innermost one outside of this package.

    Like all warnings, it is shown once per text and line, depending on warning filters.

    Parameters
    ----------
    text : str
        The message.
    category : type
        Class of the warning.
    """
    if issubclass(category, ModelWarning):
        text = _with_file(text)
    frame = sys._getframe(1)
    while frame is not None and _is_internal(frame):
        frame = frame.f_back
    if frame is None:  # in a thread of the package, or on the command line
        warnings.warn_explicit(text, category, "jounce", 1, "jounce", _registry)
        return
    module_globals = frame.f_globals
    registry = module_globals.setdefault("__warningregistry__", {})
    name = str(module_globals.get("__name__", "<unknown>"))
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
    """Report floating-point errors according to `numpy.errstate`, at the line of the user.

    NumPy itself would attribute its warnings to a line of this package.

    Parameters
    ----------
    errors : mapping
        Names of the errors, and the status flags, from callbacks of NumPy.
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


def _is_internal(frame: FrameType) -> bool:
    """Return whether a frame is not of the user; `python -m jounce` is named "__main__"."""
    name = str(frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] in _SKIPPED_PACKAGES or frame.f_code.co_filename.startswith(
        _FOLDER
    )


@contextlib.contextmanager
def print_warnings_plainly(title: str) -> Iterator[None]:
    """Context manager that prints warnings of the package on stderr, without a source line.

    Parameters
    ----------
    title : str
        Prefix of the warnings, such as "jounce info".

    Yields
    ------
    None
    """
    with warnings.catch_warnings():
        show_default = warnings.showwarning

        def show(
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
                show_default(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


# ------------------------------------------------------------------ wrong names and wrong calls

#: Longer names are not compared with others, since names in hostile files may be megabytes long.
_MAX_COMPARED = 100

#: Minimum similarity of a suggested name; 1 for equal names.
_MIN_SIMILARITY = 0.7

#: Maximum number of suggested names that contain the unknown name.
_MAX_ALTERNATIVES = 4

#: Maximum length of lists of names in messages, in characters.
_MAX_LISTED = 170

#: Names of arguments in other libraries, with their names here; `catalog.synonyms` has attributes.
_SYNONYMS = {
    **dict.fromkeys(("dt", "timestep", "time_step", "step_size"), "h"),
    **dict.fromkeys(("dq", "qd", "qdot", "q_dot", "qvel"), "v"),
    **dict.fromkeys(("ddq", "qdd", "qddot", "q_ddot", "qacc"), "a"),
    **dict.fromkeys(("torque", "torques"), "tau"),
    **dict.fromkeys(("fext", "f_ext", "external_wrenches"), "wrenches"),
}


def _squash(name: str) -> str:
    """Return a name in lower case, without characters that separate words."""
    return name.casefold().translate(dict.fromkeys(map(ord, "_- ")))


def find_similar(name: str, valid: Iterable[str]) -> str | None:
    """Return the most similar valid name, without regard to case, underscores, dashes, spaces.

    Parameters
    ----------
    name : str
        The unknown name.
    valid : iterable of str
        Valid names.

    Returns
    -------
    str or None
        The name, None if none is similar.
    """
    import difflib

    names = {_squash(x): x for x in valid if len(x) <= _MAX_COMPARED}
    word = name[:_MAX_COMPARED].casefold()
    if _SYNONYMS.get(word) in names:
        return names[_SYNONYMS[word]]
    word = _squash(word)
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
    """Return the end of a message about an unknown name: the most similar name, and valid names.

    Parameters
    ----------
    name : object
        The unknown name.
    valid : iterable of str
        Valid names.
    lead : str
        Text before the valid names.
    renamed : mapping of str to str, optional
        Old names with the new ones, which are suggested if the old ones are similar.
    listing : str
        Code that lists all names, "dir(robot)", shown in place of a long list.

    Returns
    -------
    str
        Such as "did you mean 'tool'? Choose one of base, tool", or "choose one of base, tool".
    """
    names, renamed = list(valid), renamed or {}
    joined = ", ".join(names)
    listed, long = f"{lead} {joined or '(there are none)'}", len(joined) > _MAX_LISTED
    close = find_similar(str(name), [*names, *renamed]) or find_similar(str(name), names)
    if close is None:
        if not long:
            return listed
        word = _squash(str(name)[:_MAX_COMPARED])
        longer = [x for x in names if len(word) > 2 and word in _squash(x)]
        if 0 < len(longer) <= _MAX_ALTERNATIVES:
            return f"did you mean {' or '.join(map(repr, longer))}?"
        return f"see {listing}" if listing else f"{lead} {', '.join(names[:6])}, ... ({len(names)})"
    hint = f"did you mean '{renamed.get(close, close)}'?"
    return hint if long else f"{hint} {listed[0].upper()}{listed[1:]}"


class HidesMembers:
    """Base class of objects with internal members, which `dir` does not list."""

    __slots__ = ()

    #: Members that `dir` and completion omit.
    _HIDDEN: ClassVar[frozenset[str]] = frozenset()

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__()} - self._HIDDEN)


class SuggestsMembers(HidesMembers):
    """Base class of objects that suggest names for unknown attributes."""

    __slots__ = ()

    #: Where all names are listed, for messages, if not in `dir` alone.
    _LISTING: ClassVar[str] = ""

    if not TYPE_CHECKING:  # checkers know only what is declared

        def __getattr__(self, name: str) -> Any:
            """Raise an error that suggests a name."""
            if name.startswith("_"):
                raise AttributeError(name, name=name, obj=self)
            owner = printable(self.title) if hasattr(type(self), "title") else repr(self)
            valid = [x for x in dir(self) if not x.startswith("_")]
            hint = suggest(
                name,
                valid,
                "valid names:",
                listing=self._LISTING or f"dir() of this {type(self).__name__}",
            )
            text = f"{owner} has no '{name}'; {hint}"
            raise AttributeError(text, name=name, obj=self)


def explain_call(function: _Function) -> _Function:
    """Decorator: the TypeError of a wrong call suggests names, and shows the signature.

    Methods are named "ROBOT.method" in messages, by the `_title` or `name` of their object.

    Parameters
    ----------
    function : callable
        Function or method.

    Returns
    -------
    callable
        The decorated function.
    """

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is not None:
                raise  # raised inside the function
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


def describe_mismatch(
    title: str, signature: Signature, args: tuple[Any, ...], named: Mapping[str, Any]
) -> str:
    """Return why arguments do not match a signature, and the signature of the function `title`."""
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
    return f"{title}: arguments do not match the signature; {usage}"


def _title_of(owner: Any, method: str) -> str:
    """Return the title of a method of an object in messages."""
    title = getattr(owner, "title", getattr(owner, "_title", None))
    if title is None:
        title = getattr(owner, "name", type(owner).__name__)
    return printable(title if method == "__call__" else f"{title}.{method.lstrip('_')}")


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return what a deprecated name is called now."""
        if name != "said_plainly":
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name)
        new = "print_warnings_plainly"
        warn(f"{__name__}.{name} is deprecated; use {__name__}.{new}", DeprecationWarning)
        return print_warnings_plainly
