"""How a row of the catalog is called: the signature that help, checkers and errors show."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.catalog.quantity import AnyQuantity
from jounce.utils.once import once

if TYPE_CHECKING:
    from jounce.runtime.kernel import Kernel

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


def options(row: AnyQuantity) -> dict[str, Any]:
    """What a row takes by name only, with its defaults."""
    return {**_shown(row), **OPTIONS}


def _shown(row: AnyQuantity) -> dict[str, Any]:
    """Those of them that are not just NumPy's."""
    drives = {} if row.drives is None else DRIVES
    numbers = NUMBERS if row.coordinates else {}
    chosen = {option.name: option.values[0] for option in row.options}
    return {"out": None, **dict.fromkeys(row.base), **chosen, **drives, **numbers}


@once
def signature(row: AnyQuantity, several: bool = False) -> Signature:
    """How a row is called: `(q, v, a, wrenches=None, *, out=None, ...)`.

    several: whether results come as a tuple although the row has only one.
    """
    several = several or bool(row.parts) or len(row.shapes) > 1
    result = tuple[np.ndarray, ...] if several else np.ndarray
    return Signature(_parameters(row, options(row)), return_annotation=result)


def _parameters(row: AnyQuantity, named: dict[str, Any]) -> list[Parameter]:
    either, only = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    required = [Parameter(name, either) for name in row.arguments]
    optional = [Parameter(name, either, default=None) for name in row.optional]
    further = [Parameter(name, only, default=x) for name, x in named.items()]
    return [*required, *optional, *further]


def bare_signature(row: AnyQuantity) -> Signature:
    """How a row is called on arrays of other libraries: without NumPy's options."""
    named = {name: x for name, x in options(row).items() if name not in OPTIONS}
    return Signature(_parameters(row, named))


def call_text(title: str, row: AnyQuantity) -> str:
    """How a row is called, for messages: `panda.mass_matrix(q, *, out=None)`.

    title: what is called. NumPy's further options are left away.
    """
    optional = [f"{name}=None" for name in row.optional]
    named = [f"{name}={default!r}" for name, default in _shown(row).items()]
    return f"{title}({', '.join((*row.arguments, *optional, '*', *named))})"


def shapes_text(title: str, kernel: Kernel) -> str:
    """Return a call with the shapes of its arguments and results, on one robot."""
    pairs = zip(kernel.arguments, kernel.inputs, strict=True)
    inputs = ", ".join(f"{name}[{'x'.join(map(str, shape))}]" for name, shape in pairs)
    return f"{title}({inputs}) -> {', '.join(map(str, kernel.outputs))}"
