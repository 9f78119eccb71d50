"""Dispatch of calls on the library of their arrays: the only place that decides it.

Quantities themselves handle NumPy arrays and plain values (lists, tables). Arrays of a library in
`LIBRARIES` are passed to the adapter module named there, which handles tracers, gradients and
graphs; so are those of libraries with an adapter of an installed distribution, an entry point of
the group "jounce.array_libraries" that is called as the package of the arrays. Arrays of any other
library that follows the array API are read by value, and results are converted back to that
library; NumPy arrays among them are constants. Arrays of several such libraries in one call are
read by value, and results are NumPy arrays. CuPy arrays, and all others in CUDA memory, are one
kind, of the module `ON_CUDA`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from jounce.arrays.validation import Shape, on_cuda, plain
from jounce.utils.once import once
from jounce.utils.plugins import load_plugin

if TYPE_CHECKING:
    from jounce.arrays.bound_quantity import BoundQuantity

#: Adapter modules with a `KIND`, by package of the arrays; imported when an array is first seen.
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

#: Attributes that distinguish arrays of other libraries from numbers, lists and tables.
_PROTOCOLS = (
    "__dlpack__",
    "__array_namespace__",
    "__cuda_array_interface__",
    "__dask_graph__",
)


class Kind(Protocol):
    """Interface of an adapter for the arrays of one library.

    It may also have `holds_others`, if its arrays contain arrays of other kinds, and `call_method`
    for methods that take a configuration (see the function of that name).
    """

    #: Name of the library.
    name: str

    def call(self, quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a quantity with arrays of this kind."""
        ...

    def is_traced(self, x: Any) -> bool:
        """Return whether an array carries more than values, such as a tracer or a gradient."""
        ...

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Roll out a robot with arrays of this kind; further: the other keyword arguments."""
        ...


def find_kind(arguments: Iterable[Any]) -> Kind | None:
    """Return the kind of the arrays among arguments; None for NumPy arrays, or for several kinds.

    Traced arrays take precedence, first of all those of a kind that contains other arrays.
    """
    kinds: set[Kind | None] = set()
    traced: Kind | None = None
    for x in arguments:
        for part in x.values() if isinstance(x, Mapping) else (x,):
            if isinstance(part, (np.ndarray, np.generic, type)):  # a type: dtype=np.float32
                continue
            if any(hasattr(part, name) for name in _PROTOCOLS):
                kind = _kind_of_array(part)
                if kind is not None and kind.is_traced(part):
                    if getattr(kind, "holds_others", False):
                        return kind
                    traced = traced or kind
                kinds.add(kind)
    return traced or (kinds.pop() if len(kinds) == 1 else None)


def call_method(
    method: Callable[..., Any],
    q: Any,
    named: dict[str, Any],
    cores: tuple[Shape, Shape],
    dtype: Any = None,
) -> Any:
    """Call a method that takes a configuration, by the kind of q; None if that reads q by value.

    named: keyword arguments. cores: core shapes of q and of the result. dtype: that of the result;
    None for float64, or float32 if q is.
    """
    call = getattr(find_kind((q,)), "call_method", None)
    return None if call is None else call(method, q, named, cores, dtype)


#: Cache: kinds by class of array, for the libraries in `LIBRARIES`.
_known: WeakKeyDictionary[type, Kind] = WeakKeyDictionary()


def _kind_of_array(x: Any) -> Kind | None:
    """Return the kind of an array that has an attribute of `_PROTOCOLS`."""
    kind = _known.get(type(x))
    if kind is not None:
        return kind
    for base in type(x).__mro__:  # subclasses may be defined in other packages
        package = base.__module__.partition(".")[0]
        if package in LIBRARIES:
            kind = _known[type(x)] = import_module(LIBRARIES[package]).KIND
            return kind
        kind = _load_kind(package)
        if kind is not None:
            _known[type(x)] = kind
            return kind
    if on_cuda(x):
        return import_module(ON_CUDA).KIND
    namespace = getattr(x, "__array_namespace__", None)
    if callable(namespace):
        return _namespace_kind(namespace())
    return None


@once
def _load_kind(package: str) -> Any:
    """Return the kind that an installed distribution offers for arrays of a package, or None."""
    is_kind = lambda x: all(  # noqa: E731
        callable(getattr(getattr(x, "KIND", x), name, None)) for name in ("call", "is_traced")
    )
    expected = "a jounce.arrays.kinds.Kind, or a module with a KIND"
    plugin = load_plugin("array_libraries", package, expected, is_kind)
    return getattr(plugin, "KIND", plugin)


@once
def _namespace_kind(namespace: Any) -> Kind:
    return _NamespaceKind(namespace)


class _NamespaceKind:
    """Arrays of a library that follows the array API, which are read by value."""

    def __init__(self, namespace: Any) -> None:
        self.name = getattr(namespace, "__name__", str(namespace))
        self._namespace = namespace

    def call(self, quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call on values; results are arrays of the library, unless they are written to `out`."""
        results = quantity.evaluate(args, named)
        if named.get("out") is not None:
            return results
        return (
            tuple(map(self._convert_result, results))
            if isinstance(results, tuple)
            else self._convert_result(results)
        )

    def is_traced(self, x: Any) -> bool:
        """Return False: nothing is known of such arrays but their values."""
        return False

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Roll out values, and return arrays of the library."""
        numbers = {
            name: plain(x, f"{robot.name}.rollout: argument '{name}'")
            for name, x in values.items()
            if x is not None and not isinstance(x, Mapping)
        }
        return tuple(map(self._convert_result, robot.rollout(**{**values, **numbers}, **further)))

    def _convert_result(self, x: Any) -> Any:
        return self._namespace.asarray(np.asarray(x))
