"""Array libraries of a search: NumPy, or CuPy, JAX or PyTorch on one CUDA device.

`Arrays` is what a search asks of a library, beside operators and the functions of `xp` by names
that the four share. `array-api-compat` would not shorten it: the classes differ in compilation,
updates of rows, 64-bit mode, gradients and the current device, none of which the array API covers.
Searches wait for a device only in `find_true` and `any`, every `period` steps. No library is
imported before one of its arrays is passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from jounce.arrays.validation import on_cuda, plain
from jounce.errors import ArgumentError
from jounce.utils.once import once

#: Names of dtypes by the type of a fill value.
_DTYPES = {float: "float64", int: "int64", bool: "bool"}


class Arrays:
    """NumPy arrays, and the interface of all libraries; numbers are float64."""

    #: The namespace of functions, and further arguments of those that create arrays.
    xp: Any = np
    _options: Mapping[str, Any] = {}
    #: Steps between checks of convergence; it divides the steps between checks for stalls.
    period = 1
    #: Number of samples that take little longer than one.
    lanes = 128
    #: Ratio of the attempts that run at once to those already made.
    growth = 1
    #: Samples in a chunk, relative to NumPy.
    chunk_factor = 1

    @property
    def reader(self) -> Arrays:
        """The arrays that targets are parsed with."""
        return self

    def search_context(self) -> AbstractContextManager[Any]:
        """Return a context manager for a search."""
        return np.errstate(all="ignore")  # overflow ends as an unsolved sample

    def array(self, x: Any, what: str) -> Any:
        """Return an argument as an array of float64; what: prefix of error messages.

        Arrays on CUDA are of this library and on its device: `find_array_library` has checked it.
        """
        if not on_cuda(x):
            return self.from_numpy(np.asarray(plain(x, what), dtype=float))
        self.dtype(x, what)
        if getattr(x, "requires_grad", False):
            raise TypeError(
                f"{what} requires a gradient, which inverse kinematics does not propagate; pass"
                " .detach() of it"
            )
        return self._to_float64(x)

    def as_array(self, x: Any, what: str) -> Any:
        """Return an argument as an array of its own dtype, on its own device."""
        return x if on_cuda(x) else plain(x, what)

    def dtype(self, x: Any, what: str) -> np.dtype[Any]:
        """Return the dtype of an argument, which must be real."""
        if not on_cuda(x):
            return plain(x, what).dtype
        name = str(x.dtype).removeprefix("torch.")
        if name.startswith(("float", "int", "uint", "bool")):
            return np.dtype(name)
        raise TypeError(f"{what} must be real float64 or float32, found {x.dtype}")

    def _to_float64(self, x: Any) -> Any:
        return self.xp.asarray(x, dtype=self._dtype("float64"))

    def _dtype(self, name: str) -> Any:
        """Return a dtype as the functions of `xp` take it."""
        return name

    def from_numpy(self, x: Any) -> Any:
        """Return a NumPy array as one of the library, on its device."""
        return self.xp.asarray(x)

    def result(self, x: Any) -> Any:
        """Return an array as users get it."""
        return x

    def cast(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """Return an array in float64 or float32."""
        return x.astype(dtype)

    def any(self, mask: Any) -> bool:
        """Return whether something is true; waits for a device."""
        return bool(mask.any())

    def find_true(self, mask: Any) -> tuple[Any, int]:
        """Return the indices at which a mask (n,) is true, and their count; devices pad them."""
        index = np.flatnonzero(mask)
        return index, len(index)

    def do(self, function: Callable[..., Any], options: tuple[Any, ...], *arguments: Any) -> Any:
        """Return function(xp, *options, *given) of arrays or tuples of them, compiled in JAX."""
        return function(self.xp, *options, *arguments)

    def set_rows(
        self, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Return arrays with the rows at an index replaced, in place where possible."""
        for x, y in zip(arrays, values, strict=True):
            x[index] = y
        return arrays

    def copy(self, x: Any) -> Any:
        """Return a copy of an array."""
        return x.copy()

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """Return an array of one value: a float, an integer or a boolean."""
        return self.xp.full(shape, value, dtype=self._dtype(_DTYPES[type(value)]), **self._options)

    def arange(self, n: int) -> Any:
        """Return the integers 0, 1, ..., n - 1."""
        return self.xp.arange(n, **self._options)


#: NumPy.
HOST = Arrays()


class Device(Arrays):
    """CuPy arrays, and the base of other libraries on a CUDA device.

    Convergence is checked rarely, and unsolved samples are compacted to a few batch sizes:
    libraries compile for each size, and a device takes as long for a few samples as for one.
    """

    period, lanes, growth, chunk_factor = 10, 1 << 16, 1 << 6, 1 << 5

    #: The smallest batch size, and the ratio from one size to the next.
    _least, _ratio = 1 << 8, 2

    def __init__(self, xp: Any, like: Any) -> None:
        self.xp, self._like = xp, like

    @contextmanager
    def search_context(self) -> Iterator[None]:
        """Return a context manager for a search."""
        with ExitStack() as stack:
            for context in (super().search_context(), *self._contexts()):
                stack.enter_context(context)
            yield

    def _contexts(self) -> Iterable[AbstractContextManager[Any]]:
        return (self.xp.cuda.Device(_number(self._like)),)

    def _to_float64(self, x: Any) -> Any:
        return _to_cupy(self.xp, x).astype("float64", copy=False)

    def find_true(self, mask: Any) -> tuple[Any, int]:
        """Return the indices of a mask (n,), true ones first, cut to the next batch size."""
        order, count = self.do(_order_true_first, (), mask)
        count, size = int(count), self._least
        while size < count:
            size *= self._ratio
        return order[: min(size, len(mask))], count


def _order_true_first(xp: Any, mask: Any) -> tuple[Any, Any]:
    """Return the indices of a mask (n,), true ones first, and the number of true ones."""
    return xp.argsort(xp.where(mask, 0, 1)), xp.sum(mask)


class TorchArrays(Device):
    """PyTorch tensors."""

    def __init__(self, xp: Any, like: Any) -> None:
        super().__init__(xp, like)
        self._options = {"device": like.device}

    def _contexts(self) -> Iterable[AbstractContextManager[Any]]:
        return (self.xp.no_grad(),)

    def _dtype(self, name: str) -> Any:
        return getattr(self.xp, name)

    def _to_float64(self, x: Any) -> Any:
        return x.to(self.xp.float64)

    def from_numpy(self, x: Any) -> Any:
        """Return a NumPy array, copied to the device."""
        return self.xp.tensor(np.asarray(x), **self._options)

    def cast(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """Return an array in float64 or float32."""
        return x.to(self._dtype(dtype.name))

    def copy(self, x: Any) -> Any:
        """Return a copy of an array."""
        return x.clone()


class JaxArrays(Device):
    """JAX arrays, in float64 during a search even if JAX is set to 32 bits.

    JAX compiles each operation for each array size, so NumPy does operations that run only once.
    """

    _least, _ratio = 1 << 12, 8

    def __init__(self, xp: Any, like: Any) -> None:
        super().__init__(xp, like)
        self._jax = import_module("jax")
        self._wide = self._jax.config.jax_enable_x64

    @property
    def reader(self) -> Arrays:
        """The arrays that targets are parsed with: NumPy, which reads those of JAX."""
        return HOST

    def _contexts(self) -> Iterable[AbstractContextManager[Any]]:
        # enable_x64 was experimental before version 0.8
        home = self._jax if hasattr(self._jax, "enable_x64") else import_module("jax.experimental")
        (device,) = self._like.devices()
        return home.enable_x64(True), self._jax.default_device(device)

    def result(self, x: Any) -> Any:
        """Return an array as users get it: in 32 bits if JAX is set to that."""
        narrow = {"float64": "float32", "int64": "int32"}.get(x.dtype.name)
        return x if self._wide or narrow is None else x.astype(narrow)

    def do(self, function: Callable[..., Any], options: tuple[Any, ...], *arguments: Any) -> Any:
        """Return function(xp, *options, *given), compiled for each of its options."""
        return _compile(function)((self.xp, *options), *arguments)

    def from_numpy(self, x: Any) -> Any:
        """Return a NumPy array, copied to the device."""
        return self._jax.device_put(x)

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """Return an array of one value, without compilation."""
        return self.from_numpy(np.full(shape, value))

    def arange(self, n: int) -> Any:
        """Return the integers 0, 1, ..., n - 1, without compilation."""
        return self.from_numpy(np.arange(n))

    def copy(self, x: Any) -> Any:
        """Return the array itself, which is immutable."""
        return x

    def set_rows(
        self, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Return new arrays with the rows at an index replaced."""
        return self.do(_update_rows, (), arrays, index, values)


@once
def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that JAX compiles for each of its options."""
    plain = lambda options, *arguments: function(*options, *arguments)  # noqa: E731
    return import_module("jax").jit(plain, static_argnums=0)


def _update_rows(xp: Any, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]) -> Any:
    return tuple(x.at[index].set(y) for x, y in zip(arrays, values, strict=True))


#: Adapters and namespaces by the package of an array.
_LIBRARIES: dict[str, tuple[type[Device], str]] = {
    "cupy": (Device, "cupy"),
    "torch": (TorchArrays, "torch"),
    "jax": (JaxArrays, "jax.numpy"),
}


def to_numpy(x: Any) -> Any:
    """Return an array of any library as a NumPy array, after waiting for its device."""
    if hasattr(x, "cpu"):  # PyTorch
        return x.cpu().numpy()
    return x.get() if hasattr(x, "get") else np.asarray(x)[()]


# ------------------------------------------------------------------ dispatch


def find_array_library(arguments: Iterable[Any], title: str) -> Arrays:
    """Return the adapter for arrays on CUDA among targets and starts, or NumPy's.

    title: prefix of error messages. Several libraries or devices are an ArgumentError.
    """
    arrays: dict[tuple[str, int], Any] = {}
    for array in filter(on_cuda, (leaf for x in arguments for leaf in _leaves(x))):
        package = _package(array, title)
        like = _to_cupy(import_module("cupy"), array) if package == "cupy" else array
        arrays.setdefault((package, _number(like)), like)
    if not arrays:
        return HOST
    if len(arrays) > 1:
        places = " and ".join(f"{package}'s on cuda:{k}" for package, k in sorted(arrays))
        raise ArgumentError(
            f"{title}: arrays on CUDA must be of one library and on one device, found {places};"
            " convert them first"
        )
    (((package, _), like),) = arrays.items()
    adapter, namespace = _LIBRARIES[package]
    return adapter(import_module(namespace), like)


def _leaves(x: Any) -> Iterator[Any]:
    """Yield arrays of targets, of lists of targets, and of mappings of either."""
    if isinstance(x, Mapping):
        for part in x.values():
            yield from _leaves(part)
    elif isinstance(x, (list, tuple)):
        for part in x:
            if is_dataclass(part):
                yield from _leaves(part)
    elif is_dataclass(x) and not isinstance(x, type):
        for field in fields(x):
            yield from _leaves(getattr(x, field.name))
    elif x is not None:
        yield x


def _number(x: Any) -> int:
    """Return the number of an array's device."""
    return int(x.__dlpack_device__()[1])


def _to_cupy(cupy: Any, x: Any) -> Any:
    """Return an array as one of CuPy, without a copy."""
    if isinstance(x, cupy.ndarray):
        return x
    direct = hasattr(x, "__cuda_array_interface__")
    return cupy.asarray(x) if direct else cupy.from_dlpack(x)


def _package(x: Any, title: str) -> str:
    """Return the package that handles an array: its library if supported, else CuPy."""
    for base in type(x).__mro__:
        package = base.__module__.partition(".")[0].removesuffix("lib")  # jaxlib
        if package in _LIBRARIES:
            return package
    if find_spec("cupy") is None:
        raise TypeError(
            f"{title}: a {type(x).__module__}.{type(x).__qualname__} on CUDA is not supported"
            " without CuPy; pass an array of CuPy, PyTorch or JAX, or install CuPy, which reads it"
            " without a copy"
        )
    return "cupy"
