"""Conversion of call arguments to arrays of a library, of one precision and checked shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape
from jounce.arrays.validation import batch_mismatch, check_core


def broadcast_arguments(
    library: Library, title: str, arguments: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[Shape, dict[str, Any]]:
    """Convert arguments to arrays of one precision; return their common batch, too.

    cores: core shapes by name. Arguments that are None are left out of the result.
    """
    named = {name: x for name, x in arguments.items() if x is not None}
    arrays = {
        name: convert_array(library, x, f"{title}: argument '{name}'", cores[name])
        for name, x in named.items()
    }
    typed = [not is_untyped(x) for x in named.values()]
    alike = library.alike(list(arrays.values()), typed, title)
    arrays = dict(zip(arrays, alike, strict=True))
    leading = {
        name: tuple(x.shape[: len(x.shape) - len(cores[name])]) for name, x in arrays.items()
    }
    try:
        return library.batch(list(leading.values())), arrays
    except (ValueError, RuntimeError):  # of NumPy and JAX; of PyTorch
        raise batch_mismatch(title, leading) from None


def convert_array(library: Library, x: Any, what: str, core: Shape) -> Any:
    """Convert an argument to an array of the library whose last axes are `core`."""
    return check_core(library.array(x, what), what, core)


def is_untyped(x: Any) -> bool:
    """Return whether an argument consists of Python scalars, which have no dtype."""
    if isinstance(x, Mapping):
        return all(map(is_untyped, x.values()))
    if isinstance(x, (list, tuple)):
        return all(map(is_untyped, x))
    return not hasattr(x, "dtype")
