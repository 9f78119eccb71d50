"""Signatures of quantities, as help, type checkers and errors show them."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.catalog.quantity import AnyQuantity
from jounce.utils.once import once

if TYPE_CHECKING:
    from jounce.runtime.kernel import Kernel

#: Keyword options of NumPy gufuncs that quantities take, with their defaults.
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

#: Options of regressors that can have drive columns.
DRIVES: dict[str, Any] = {"extended": False, "smoothing": None}

#: Options of pushforwards and pullbacks: plain coordinates instead of tangent vectors.
NUMBERS: dict[str, Any] = {"coordinates": False}


def options(definition: AnyQuantity) -> dict[str, Any]:
    """Return the keyword-only arguments of a catalog entry with their defaults."""
    return {**_keyword_arguments(definition), **OPTIONS}


def _keyword_arguments(definition: AnyQuantity) -> dict[str, Any]:
    """Return the keyword-only arguments that messages show: all but those only NumPy has."""
    drives = {} if definition.drives is None else DRIVES
    numbers = NUMBERS if definition.has_coordinate_form else {}
    chosen = {option.name: option.values[0] for option in definition.options}
    return {"out": None, **dict.fromkeys(definition.base), **chosen, **drives, **numbers}


@once
def signature(definition: AnyQuantity, several: bool = False) -> Signature:
    """Return the signature of a catalog entry: `(q, v, a, wrenches=None, *, out=None, ...)`.

    several: whether a single result is returned as a tuple.
    """
    several = several or bool(definition.parts) or len(definition.shapes) > 1
    result = tuple[np.ndarray, ...] if several else np.ndarray
    return Signature(_parameters(definition, options(definition)), return_annotation=result)


def _parameters(definition: AnyQuantity, named: dict[str, Any]) -> list[Parameter]:
    either, only = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    required = [Parameter(name, either) for name in definition.arguments]
    optional = [Parameter(name, either, default=None) for name in definition.optional]
    further = [Parameter(name, only, default=x) for name, x in named.items()]
    return [*required, *optional, *further]


def bare_signature(definition: AnyQuantity) -> Signature:
    """Return the signature for arrays of other libraries, without NumPy's options."""
    named = {name: x for name, x in options(definition).items() if name not in OPTIONS}
    return Signature(_parameters(definition, named))


def call_text(title: str, definition: AnyQuantity) -> str:
    """Return a call for messages: `panda.mass_matrix(q, *, out=None)`.

    title: text before the parentheses. NumPy options other than `out` are omitted.
    """
    optional = [f"{name}=None" for name in definition.optional]
    named = [f"{name}={default!r}" for name, default in _keyword_arguments(definition).items()]
    return f"{title}({', '.join((*definition.arguments, *optional, '*', *named))})"


def shapes_text(title: str, kernel: Kernel) -> str:
    """Return a call with the shapes of its arguments and results."""
    pairs = zip(kernel.arguments, kernel.inputs, strict=True)
    inputs = ", ".join(f"{name}[{'x'.join(map(str, shape))}]" for name, shape in pairs)
    return f"{title}({inputs}) -> {', '.join(map(str, kernel.outputs))}"
