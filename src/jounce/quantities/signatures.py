"""How a row of the catalog is called: the signature that help, checkers and errors show."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from numpy.typing import ArrayLike, NDArray

from jounce.catalog.rows import Row
from jounce.process.once import once

#: Options of NumPy's gufuncs that a quantity takes by name, with what stands for not given.
OPTIONS: dict[str, Any] = {
    "out": None,
    "dtype": None,
    "casting": "same_kind",
    "order": "K",
    "subok": True,
    "axes": ...,
    "axis": ...,
    "signature": None,
}

#: Options of regressors that can have columns for the drives.
DRIVES: dict[str, Any] = {"extended": False, "smoothing": None}


def options(row: Row) -> dict[str, Any]:
    """What a row takes by name only, with its defaults."""
    out, *rest = OPTIONS.items()
    drives = {} if row.drives is None else DRIVES
    return {**dict((out,)), **drives, **dict(rest)}


@once
def signature(row: Row, several: bool = False) -> Signature:
    """How a row is called: `(q, v, a, wrenches=None, *, out=None, ...)`.

    several: whether results come as a tuple although the row has only one.
    """
    either, named = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    required = [Parameter(name, either, annotation=ArrayLike) for name in row.arguments]
    optional = [
        Parameter(name, either, default=None, annotation=ArrayLike | None) for name in row.optional
    ]
    further = [Parameter(name, named, default=x) for name, x in options(row).items()]
    result = tuple[NDArray[Any], ...] if several or len(row.shapes) > 1 else NDArray[Any]
    return Signature([*required, *optional, *further], return_annotation=result)


def call_text(title: str, row: Row) -> str:
    """How a row is called, for messages: `panda.mass_matrix(q, *, out=None)`.

    title: what is called. NumPy's further options are left away.
    """
    shown = {"out": None, **({} if row.drives is None else DRIVES)}
    optional = [f"{name}=None" for name in row.optional]
    named = [f"{name}={default!r}" for name, default in shown.items()]
    return f"{title}({', '.join((*row.arguments, *optional, '*', *named))})"
