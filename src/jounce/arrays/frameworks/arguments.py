"""Arguments of a call as arrays of a library: of one precision, with the right shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape
from jounce.arrays.validation import batch_mismatch, with_core


def together(
    library: Library, title: str, given: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[Shape, dict[str, Any]]:
    """The batch that arguments broadcast to, and the arguments.

    cores: their core shapes, by name. Those that are not given are not among the results.
    """
    named = {name: x for name, x in given.items() if x is not None}
    arrays = {
        name: shaped(library, x, f"{title}: argument '{name}'", cores[name])
        for name, x in named.items()
    }
    sure = [not untyped(x) for x in named.values()]
    alike = library.alike(list(arrays.values()), sure, title)
    arrays = dict(zip(arrays, alike, strict=True))
    leading = {
        name: tuple(x.shape[: len(x.shape) - len(cores[name])]) for name, x in arrays.items()
    }
    try:
        return library.batch(list(leading.values())), arrays
    except (ValueError, RuntimeError):  # of NumPy and JAX, of PyTorch
        raise batch_mismatch(title, leading) from None


def shaped(library: Library, x: Any, what: str, core: Shape) -> Any:
    """An array of the library whose last axes are `core`."""
    return with_core(library.array(x, what), what, core)


def untyped(x: Any) -> bool:
    """Whether an argument is just Python's numbers, which bring no precision of their own."""
    if isinstance(x, Mapping):
        return all(map(untyped, x.values()))
    if isinstance(x, (list, tuple)):
        return all(map(untyped, x))
    return not hasattr(x, "dtype")
