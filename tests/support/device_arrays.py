"""A stand-in for CuPy without a device: arrays in the processor's memory that say otherwise.

As CuPy's they do not mix with NumPy's, are not read as NumPy's by accident, and are served by the
module that `quantities.kinds.LIBRARIES` names for "cupy": this one, once `installed`.
"""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.machinery import ModuleSpec
from typing import Any

import numpy as np
import pytest

from jounce.arrays import kinds

#: Calls of the stand-in's kind, by name, since it was installed.
CALLS: list[str] = []


class Array:
    """An array "on a device"."""

    __module__ = "cupy"

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("on a device")

    def __array__(self, *args: Any, **named: Any) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def get(self) -> Any:
        return self._values[()]

    def __len__(self) -> int:
        return len(self._values)

    def __bool__(self) -> bool:
        return bool(self._values)

    def __int__(self) -> int:
        return int(self._values)

    def __getitem__(self, index: Any) -> Array:
        return Array(self._values[_bare(index)])

    def __setitem__(self, index: Any, values: Any) -> None:
        self._values[_bare(index)] = _bare(values)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._values.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._values.dtype

    def astype(self, dtype: Any, copy: bool = True) -> Array:
        return Array(self._values.astype(dtype, copy=copy))

    def reshape(self, *shape: Any) -> Array:
        return Array(self._values.reshape(*shape))

    def all(self, axis: int) -> Array:
        return Array(self._values.all(axis=axis))

    def any(self) -> Array:
        return Array(self._values.any())

    def copy(self) -> Array:
        return Array(self._values.copy())


def _bare(x: Any) -> Any:
    """Values of arrays among arguments; NumPy's own do not belong there."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(_bare, x))
    if isinstance(x, np.ndarray):
        raise TypeError(f"Unsupported type {type(x)}")
    return x._values if isinstance(x, Array) else x


def _binary(name: str) -> Callable[[Any, Any], Array]:
    apply = getattr(operator, name)
    return lambda a, b: Array(apply(_bare(a), _bare(b)))


def _reflected(name: str) -> Callable[[Any, Any], Array]:
    apply = getattr(operator, name)
    return lambda a, b: Array(apply(_bare(b), _bare(a)))


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and_", "or_"):
    _dunder = _name.removesuffix("_")
    setattr(Array, f"__{_dunder}__", _binary(_name))
    setattr(Array, f"__r{_dunder}__", _reflected(_name))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Array, f"__{_name}__", _binary(_name))
Array.__invert__ = lambda self: Array(~self._values)  # pyright: ignore[reportAttributeAccessIssue]


class _Linalg:
    def __getattr__(self, name: str) -> Any:
        return _function(getattr(np.linalg, name))


class Cupy(types.ModuleType):
    """The functions of NumPy on these arrays."""

    ndarray = Array
    float64 = np.float64
    linalg = _Linalg()
    cuda = types.SimpleNamespace(Device=lambda number: nullcontext())

    def asarray(self, x: Any, dtype: Any = None) -> Array:
        return Array(np.array(x._values if isinstance(x, Array) else x, dtype=dtype))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # those who look through modules find a plain one
            raise AttributeError(name)
        return _function(getattr(np, name))


def _function(f: Callable[..., Any]) -> Callable[..., Array]:
    return lambda *args, **named: Array(f(*map(_bare, args), **named))


def _number(x: Any) -> Any:
    """The values of an argument."""
    return x._values if isinstance(x, Array) else x


class Kind:
    """Serves the arrays by their values."""

    name = "cupy"

    def call(self, quantity: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        CALLS.append(quantity.definition.name)
        found = quantity.evaluate(tuple(map(_number, args)), named)
        return tuple(map(Array, found)) if isinstance(found, tuple) else Array(found)

    def is_traced(self, x: Any) -> bool:
        return False

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        CALLS.append(f"rollout({', '.join(k for k, x in further.items() if x)})")
        numbers = {name: _number(x) for name, x in values.items()}
        return tuple(map(Array, robot.rollout(**numbers, **further)))


KIND = Kind()


@contextmanager
def installed() -> Iterator[Cupy]:
    """The stand-in in the place of CuPy."""
    with pytest.MonkeyPatch.context() as patch:
        module = Cupy("cupy")
        module.__spec__ = ModuleSpec("cupy", None)
        patch.setitem(sys.modules, "cupy", module)
        patch.setitem(kinds.LIBRARIES, "cupy", __name__)
        CALLS.clear()
        yield module
