"""What kind of arrays a call is about: here, and nowhere else, this is decided.

NumPy's arrays, and what has only values (lists, tables), are served by the quantities themselves.
Arrays of a library that is listed in `LIBRARIES` are served by the module named there, which knows
its traces, gradients and graphs. Those of any other library that follows the array API are taken by
their values, and what comes out is made an array of that library again. NumPy's arrays beside them
are constants. Arrays of several such libraries are taken by their values, and NumPy's come out.
CuPy's arrays, and all that say where on CUDA they lie, are one kind, of the module `ON_CUDA`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from jounce.arrays.validation import Shape, on_cuda, plain
from jounce.utils.once import once

if TYPE_CHECKING:
    from jounce.arrays.bound_quantity import BoundQuantity

#: Modules with a `KIND`, by the package that arrays come from; none is imported before one is seen.
LIBRARIES: dict[str, str] = {
    "jax": "jounce.arrays.jax_adapter.kind",
    "jaxlib": "jounce.arrays.jax_adapter.kind",
    "torch": "jounce.arrays.torch_adapter.kind",
    "cupy": "jounce.arrays.cupy_adapter.kind",
    "dask": "jounce.arrays.dask_adapter.kind",
    "xarray": "jounce.arrays.xarray_adapter.kind",
}

#: The module for arrays on CUDA of all other packages.
ON_CUDA = "jounce.arrays.cupy_adapter.kind"

#: How arrays of other libraries are told from numbers, lists and tables.
_PROTOCOLS = (
    "__dlpack__",
    "__array_namespace__",
    "__cuda_array_interface__",
    "__dask_graph__",
)


class Kind(Protocol):
    """A kind of arrays that calls are about.

    It may also have `holds_others`, if its arrays are made of those of other kinds, and
    `method_called`, if it serves methods of configurations (see the function of that name).
    """

    #: The library, as users call it.
    name: str

    def called(self, quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The call of a quantity with arrays of this kind."""
        ...

    def traced(self, x: Any) -> bool:
        """Whether an array has more to it than its values, which would be lost with them."""
        ...

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """The robot's rollout of arguments, with what else is given by name."""
        ...


def common(given: Iterable[Any]) -> Kind | None:
    """The kind that arrays among arguments are of; None if all are NumPy's, or of several kinds.

    One that is traced decides for all, and among these one whose arrays hold those of others.
    """
    found: set[Kind | None] = set()
    traced: Kind | None = None
    for x in given:
        for part in x.values() if isinstance(x, Mapping) else (x,):
            if isinstance(part, (np.ndarray, np.generic, type)):  # a type: dtype=np.float32
                continue
            if any(hasattr(part, name) for name in _PROTOCOLS):
                kind = _kind(part)
                if kind is not None and kind.traced(part):
                    if getattr(kind, "holds_others", False):
                        return kind
                    traced = traced or kind
                found.add(kind)
    return traced or (found.pop() if len(found) == 1 else None)


def method_called(
    method: Callable[..., Any],
    q: Any,
    named: dict[str, Any],
    cores: tuple[Shape, Shape],
    dtype: Any = None,
) -> Any:
    """What the kind of a configuration makes of a method of it; None if it takes its values.

    named: what else is given. cores: the last axes of q, and of the result. dtype: what the result
    is in; None: float64, or float32 if q is.
    """
    serve = getattr(common((q,)), "method_called", None)
    return None if serve is None else serve(method, q, named, cores, dtype)


#: Kinds of classes of the libraries that are listed, once one was seen.
_known: WeakKeyDictionary[type, Kind] = WeakKeyDictionary()


def _kind(x: Any) -> Kind | None:
    """The kind of an array that offers a protocol of the array API."""
    found = _known.get(type(x))
    if found is not None:
        return found
    for base in type(x).__mro__:  # others may have made classes of their own of a library's
        package = base.__module__.partition(".")[0]
        if package in LIBRARIES:
            found = _known[type(x)] = import_module(LIBRARIES[package]).KIND
            return found
    if on_cuda(x):
        return import_module(ON_CUDA).KIND
    namespace = getattr(x, "__array_namespace__", None)
    if callable(namespace):
        return _plain(namespace())
    return None


@once
def _plain(namespace: Any) -> Kind:
    return _Plain(namespace)


class _Plain:
    """Arrays of a library that follows the array API, by their values."""

    def __init__(self, namespace: Any) -> None:
        self.name = getattr(namespace, "__name__", str(namespace))
        self._namespace = namespace

    def called(self, quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The call on values, and its results as arrays of the library, unless `out` has them."""
        found = quantity.evaluate(args, named)
        if named.get("out") is not None:
            return found
        return tuple(map(self._own, found)) if isinstance(found, tuple) else self._own(found)

    def traced(self, x: Any) -> bool:
        """Nothing is known to be lost."""
        return False

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """The rollout of values, as arrays of the library."""
        numbers = {
            name: plain(x, f"{robot.name}.rollout: argument '{name}'")
            for name, x in values.items()
            if x is not None and not isinstance(x, Mapping)
        }
        return tuple(map(self._own, robot.rollout(**{**values, **numbers}, **further)))

    def _own(self, x: Any) -> Any:
        return self._namespace.asarray(np.asarray(x))
