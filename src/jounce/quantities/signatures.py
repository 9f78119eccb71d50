"""How a row of the catalog is called: the signature that help, checkers and errors show."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature
from typing import Any, TypeVar, cast

import numpy as np

from jounce.catalog.row import Row
from jounce.errors import printable
from jounce.process.once import once

_Method = TypeVar("_Method", bound=Callable[..., Any])

#: Options of NumPy's gufuncs that a quantity takes by name, with what stands for not given.
OPTIONS: dict[str, Any] = {
    "out": None,
    "dtype": None,
    "casting": "same_kind",
    "order": "K",
    "subok": True,
    "axes": None,
    "axis": None,
    "signature": None,
}

#: Options of regressors that can have columns for the drives.
DRIVES: dict[str, Any] = {"extended": False, "smoothing": None}

#: Options of pushforwards and pullbacks on tangents: whether plain numbers take their place.
NUMBERS: dict[str, Any] = {"coordinates": False}


def options(row: Row) -> dict[str, Any]:
    """What a row takes by name only, with its defaults."""
    return {**_shown(row), **OPTIONS}


def _shown(row: Row) -> dict[str, Any]:
    """Those of them that are not just NumPy's."""
    drives = {} if row.drives is None else DRIVES
    numbers = NUMBERS if row.coordinates else {}
    chosen = {option.name: option.values[0] for option in row.options}
    return {"out": None, **dict.fromkeys(row.base), **chosen, **drives, **numbers}


@once
def signature(row: Row, several: bool = False) -> Signature:
    """How a row is called: `(q, v, a, wrenches=None, *, out=None, ...)`.

    several: whether results come as a tuple although the row has only one.
    """
    several = several or bool(row.parts) or len(row.shapes) > 1
    result = tuple[np.ndarray, ...] if several else np.ndarray
    return Signature(_parameters(row, options(row)), return_annotation=result)


def _parameters(row: Row, named: dict[str, Any]) -> list[Parameter]:
    either, only = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    required = [Parameter(name, either) for name in row.arguments]
    optional = [Parameter(name, either, default=None) for name in row.optional]
    further = [Parameter(name, only, default=x) for name, x in named.items()]
    return [*required, *optional, *further]


def bare_signature(row: Row) -> Signature:
    """How a row is called on arrays of other libraries: without NumPy's options."""
    named = {name: x for name, x in options(row).items() if name not in OPTIONS}
    return Signature(_parameters(row, named))


def call_text(title: str, row: Row) -> str:
    """How a row is called, for messages: `panda.mass_matrix(q, *, out=None)`.

    title: what is called. NumPy's further options are left away.
    """
    optional = [f"{name}=None" for name in row.optional]
    named = [f"{name}={default!r}" for name, default in _shown(row).items()]
    return f"{title}({', '.join((*row.arguments, *optional, '*', *named))})"


def explained(method: _Method) -> _Method:
    """A method of something with a name whose TypeError about a wrong call prints the signature."""

    @wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        try:
            return method(self, *args, **named)
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is not None:
                raise  # the call was right, and something in it was not
            reason = _mismatch(method, (self, *args), named)
        title = printable(f"{self.name}.{method.__name__}")
        raise TypeError(f"{title}: {reason}; it is called as {title}{_printed(method)}")

    return cast(_Method, call)


def _mismatch(method: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> str:
    """What is wrong with a call, in the words of `inspect`, which does not count self."""
    try:
        inspect.signature(method).bind(*args, **named)
    except TypeError as error:
        return str(error)
    return "it cannot be called like that"


def _printed(method: Callable[..., Any]) -> str:
    """The signature of a method without self and annotations."""
    bare = inspect.signature(method)
    given = [p.replace(annotation=Parameter.empty) for p in bare.parameters.values()][1:]
    return str(Signature(given))
