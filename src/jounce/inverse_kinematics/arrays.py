"""Where a search computes: with NumPy on the processor, or with another library's arrays on CUDA.

`Arrays` is what a search asks of either, beside operators and the functions of `xp` by the names
that NumPy, CuPy, jax.numpy and torch share. Searches never wait for a device but where `picked` and
`any` are asked, every `period` steps. No library is imported here before an array of it is met.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.process.once import once
from jounce.quantities.arrays import on_cuda, plain

#: Packages that arrays come from, by what their functions are called.
_NAMESPACES = {"cupy": "cupy", "torch": "torch", "jax": "jax.numpy", "jaxlib": "jax.numpy"}

#: What values of Python are in arrays.
_DTYPES = {float: "float64", int: "int64", bool: "bool"}


class Arrays:
    """NumPy's arrays; of other libraries, see `Device`. Numbers are float64.

    xp: functions. period: steps between looks at what is done, which divides those after which a
    search may be stuck. lanes: how many samples take little longer than one. growth: attempts that
    are made at once, for each that was made before. together: how many times as many samples as
    with NumPy are searched for at once.
    """

    xp: Any = np
    period, lanes, growth, together = 1, 128, 1, 1

    @property
    def reader(self) -> Arrays:
        """What targets are made numbers with."""
        return self

    def working(self) -> contextlib.AbstractContextManager[Any]:
        """What a search happens in."""
        return np.errstate(all="ignore")  # numbers too large end as samples without a solution

    def array(self, x: Any, what: str) -> Any:
        """What users give, as an array; what: how messages begin."""
        return np.asarray(plain(x, what), dtype=float)

    def given(self, x: Any, what: str) -> Any:
        """What users give, as an array of any kind of numbers."""
        return plain(x, what)

    def dtype(self, x: Any, what: str) -> np.dtype[Any]:
        """The kind of numbers of something that has one."""
        return plain(x, what).dtype

    def own(self, x: Any) -> Any:
        """An array of NumPy as one of these."""
        return x

    def result(self, x: Any) -> Any:
        """An array of float64, whole numbers or truths as users get it."""
        return x

    def cast(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """An array in float64 or float32."""
        return x.astype(dtype, copy=False)

    def any(self, mask: Any) -> bool:
        """Whether something is true."""
        return bool(mask.any())

    def picked(self, mask: Any) -> tuple[Any, int]:
        """Where a mask (n,) is true, and how often; devices add some places where it is not."""
        index = np.flatnonzero(mask)
        return index, len(index)

    def do(self, function: Callable[..., Any], options: tuple[Any, ...], *given: Any) -> Any:
        """function(xp, *options, *given): given are arrays, or tuples of them, as what it gives.

        Libraries that compile do so once for all of the function, at each of its options.
        """
        return function(self.xp, *options, *given)

    def put(self, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arrays with other rows in some places, in their own memory where that can be."""
        for x, y in zip(arrays, values, strict=True):
            x[index] = y
        return arrays

    def copy(self, x: Any) -> Any:
        """An array in memory of its own."""
        return x.copy()

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """An array of one value: a number, a whole number, or a truth."""
        return np.full(shape, value)

    def arange(self, n: int) -> Any:
        """0, 1, ..., n - 1."""
        return np.arange(n)


#: NumPy's.
HOST = Arrays()


class Device(Arrays):
    """Arrays of another library, on one device of CUDA.

    What is done is looked at only now and then, and what is left is brought together in few sizes:
    libraries compile for each of them, and a device takes as long for few as for none.
    """

    period, lanes, growth, together = 10, 1 << 16, 1 << 6, 1 << 5

    #: The least size of a batch, and from one to the next.
    _least, _ratio = 1 << 8, 2

    def __init__(self, package: str, like: Any) -> None:
        self.xp = import_module(_NAMESPACES[package])
        self.number = _number(like)
        self._like = like

    def array(self, x: Any, what: str) -> Any:
        """What users give, as an array on the device; NumPy's arrays and numbers are moved there.

        Arrays on CUDA are of this library and lie here, as `common` has seen.
        """
        if not on_cuda(x):
            return self.own(np.asarray(plain(x, what), dtype=float))
        self.dtype(x, what)
        if getattr(x, "requires_grad", False):
            raise TypeError(
                f"{what} requires a gradient, which would be lost here; give .detach() of it"
            )
        return self._taken(x)

    def given(self, x: Any, what: str) -> Any:
        """What users give, where it lies."""
        return x if on_cuda(x) else plain(x, what)

    def dtype(self, x: Any, what: str) -> np.dtype[Any]:
        """The kind of numbers of something that has one."""
        if not on_cuda(x):
            return plain(x, what).dtype
        name = str(x.dtype).removeprefix("torch.")
        if name.startswith(("float", "int", "uint", "bool")):
            return np.dtype(name)
        raise TypeError(f"{what} must be real float64 or float32, found {x.dtype}")

    def _taken(self, x: Any) -> Any:
        """An array of the library, or one that it can take over, in float64."""
        return self.xp.asarray(x, dtype=self.xp.float64)

    def own(self, x: Any) -> Any:
        """An array of NumPy, copied to the device."""
        return self.xp.asarray(x)

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """An array of one value: a number, a whole number, or a truth."""
        return self.xp.full(shape, value, dtype=_DTYPES[type(value)])

    def arange(self, n: int) -> Any:
        """0, 1, ..., n - 1."""
        return self.xp.arange(n)

    def cast(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """An array in float64 or float32."""
        return x.astype(dtype)

    def any(self, mask: Any) -> bool:
        """Whether something is true, for which the device is waited for."""
        return bool(self.xp.any(mask))

    def picked(self, mask: Any) -> tuple[Any, int]:
        """Where a mask (n,) is true, then where it is not, up to the next of few sizes."""
        order, count = self.do(_sorted_out, (), mask)
        count, size = int(count), self._least
        while size < count:
            size *= self._ratio
        return order[: min(size, len(mask))], count


def _sorted_out(xp: Any, mask: Any) -> tuple[Any, Any]:
    """Places where a mask (n,) is true, then all others, and how many of the first."""
    return xp.argsort(xp.where(mask, 0, 1)), xp.sum(mask)


class CupyArrays(Device):
    """CuPy's arrays, and what it can take over without a copy."""

    def _taken(self, x: Any) -> Any:
        return _of_cupy(self.xp, x).astype(self.xp.float64, copy=False)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """On the arrays' device."""
        with self.xp.cuda.Device(self.number), np.errstate(all="ignore"):
            yield


class TorchArrays(Device):
    """PyTorch's tensors."""

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Without gradients."""
        with self.xp.no_grad(), np.errstate(all="ignore"):
            yield

    def _taken(self, x: Any) -> Any:
        return x.detach().to(self.xp.float64)

    def own(self, x: Any) -> Any:
        """An array of NumPy, copied to the device."""
        return self.xp.tensor(np.asarray(x), device=self._like.device)

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """An array of one value: a number, a whole number, or a truth."""
        dtype = getattr(self.xp, _DTYPES[type(value)])
        return self.xp.full(shape, value, dtype=dtype, device=self._like.device)

    def arange(self, n: int) -> Any:
        """0, 1, ..., n - 1."""
        return self.xp.arange(n, device=self._like.device)

    def cast(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """An array in float64 or float32."""
        return x.to(getattr(self.xp, dtype.name))

    def copy(self, x: Any) -> Any:
        """An array in memory of its own."""
        return x.clone()


class _Reader(Arrays):
    """NumPy's arrays, made of what may lie on a device, too."""

    def array(self, x: Any, what: str) -> Any:
        return super().array(self.given(x, what), what)

    def given(self, x: Any, what: str) -> Any:
        return super().given(host(x) if on_cuda(x) else x, what)

    def dtype(self, x: Any, what: str) -> np.dtype[Any]:
        return self.given(x, what).dtype


class JaxArrays(Device):
    """JAX's arrays, which are in float64 during a search whatever JAX is set to.

    JAX compiles each operation for each size of its arrays: what happens once, the processor does.
    """

    _least, _ratio = 1 << 12, 8

    def __init__(self, package: str, like: Any) -> None:
        super().__init__(package, like)
        self._wide = import_module("jax").config.jax_enable_x64

    @property
    def reader(self) -> Arrays:
        """NumPy's."""
        return _Reader()

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """With numbers of 64 bits, on the arrays' device."""
        jax = import_module("jax")
        # versions before 0.8 have it elsewhere
        home = jax if hasattr(jax, "enable_x64") else import_module("jax.experimental")
        (device,) = self._like.devices()
        with home.enable_x64(True), jax.default_device(device), np.errstate(all="ignore"):
            yield

    def result(self, x: Any) -> Any:
        """The same, or half as wide where users have JAX do so."""
        narrow = {"float64": "float32", "int64": "int32"}.get(x.dtype.name)
        return x if self._wide or narrow is None else x.astype(narrow)

    def do(self, function: Callable[..., Any], options: tuple[Any, ...], *given: Any) -> Any:
        """The same, compiled as a whole."""
        return _compiled(function)((self.xp, *options), *given)

    def own(self, x: Any) -> Any:
        """An array of NumPy, copied to the device."""
        return import_module("jax").device_put(x)

    def full(self, shape: tuple[int, ...], value: float | bool) -> Any:
        """An array of one value: a number, a whole number, or a truth."""
        return self.own(np.full(shape, value))  # which compiles nothing

    def arange(self, n: int) -> Any:
        """0, 1, ..., n - 1."""
        return self.own(np.arange(n))

    def copy(self, x: Any) -> Any:
        """The same: nobody writes into it."""
        return x

    def put(self, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """New arrays with other rows in some places."""
        return self.do(_updated, (), arrays, index, values)


@once
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as JAX compiles it for each of its options."""
    plain = lambda options, *given: function(*options, *given)  # noqa: E731
    return import_module("jax").jit(plain, static_argnums=0)


def _updated(xp: Any, arrays: tuple[Any, ...], index: Any, values: tuple[Any, ...]) -> Any:
    return tuple(x.at[index].set(y) for x, y in zip(arrays, values, strict=True))


_KINDS: dict[str, type[Device]] = {
    "cupy": CupyArrays,
    "torch": TorchArrays,
    "jax": JaxArrays,
    "jaxlib": JaxArrays,
}


def host(x: Any) -> Any:
    """An array of any of the libraries as NumPy's, when its device has got there."""
    if hasattr(x, "cpu"):  # PyTorch's
        return x.cpu().numpy()
    return x.get() if hasattr(x, "get") else np.asarray(x)[()]


# ------------------------------------------------------------------ what is given


@dataclass(frozen=True)
class _Place:
    """Which library an array is of, and the device it lies on."""

    package: str
    number: int

    def __str__(self) -> str:
        return f"{self.package}'s on cuda:{self.number}"


def common(given: Iterable[Any], title: str) -> Arrays:
    """Where to search: on the device that arrays among targets and starts lie on, if one does.

    title: how messages begin. Arrays on several devices, or of several libraries there, are an
    ArgumentError.
    """
    found: dict[_Place, Any] = {}
    for array in filter(on_cuda, (leaf for x in given for leaf in _leaves(x))):
        package = _package(array, title)
        own = _of_cupy(import_module("cupy"), array) if package == "cupy" else array
        found.setdefault(_Place(package, _number(own)), own)
    if not found:
        return HOST
    if len(found) > 1:
        raise ArgumentError(
            f"{title}: arrays on CUDA must be of one library and on one device, found"
            f" {' and '.join(sorted(map(str, found)))}; bring them together first"
        )
    ((place, like),) = found.items()
    return _KINDS[place.package](place.package, like)


def _leaves(x: Any) -> Iterator[Any]:
    """Arrays among targets: those of mappings, lists of targets, and targets themselves."""
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
    """The number of an array's device."""
    return int(x.__dlpack_device__()[1])


def _of_cupy(cupy: Any, x: Any) -> Any:
    """An array as CuPy's, without a copy."""
    if isinstance(x, cupy.ndarray):
        return x
    direct = hasattr(x, "__cuda_array_interface__")
    return cupy.asarray(x) if direct else cupy.from_dlpack(x)


def _package(x: Any, title: str) -> str:
    """The package whose functions serve an array: its own, or CuPy for those that have none."""
    for base in type(x).__mro__:
        package = base.__module__.partition(".")[0]
        if package in _NAMESPACES:
            return "jax" if package == "jaxlib" else package
    if find_spec("cupy") is None:
        raise TypeError(
            f"{title}: a {type(x).__module__}.{type(x).__qualname__} on CUDA has no operations that"
            " a search could use; give it as an array of CuPy, PyTorch or JAX, or install CuPy,"
            " which then serves it without a copy"
        )
    return "cupy"
