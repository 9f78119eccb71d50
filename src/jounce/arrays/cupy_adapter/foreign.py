"""CUDA arrays of other libraries, imported by CuPy or PyTorch without a copy.

Supported are objects with `__cuda_array_interface__` or DLPack (Numba, Warp, ...). On the device,
the current stream of the importing library waits for the stream that an array names, and that
stream waits for the call, so that memory is not reused before it was read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from jounce.arrays.validation import on_cuda
from jounce.errors import ArgumentError, legible
from jounce.runtime.cuda.driver import driver
from jounce.runtime.cuda.streams import wait
from jounce.utils.once import once


class Importer(NamedTuple):
    """Functions of a library that import CUDA arrays."""

    #: Import an object with `__cuda_array_interface__`.
    from_interface: Callable[[Any], Any]
    #: Import an object with DLPack, in the order of the current stream.
    from_dlpack: Callable[[Any], Any]
    #: Return the number of an array's device, and the current stream there.
    stream: Callable[[Any], tuple[int, int]]


def cupy_importer() -> Importer:
    """Return the importer of CuPy; ImportError without CuPy."""
    import cupy

    def stream(array: Any) -> tuple[int, int]:
        with cupy.cuda.Device(array.device.id):
            return array.device.id, cupy.cuda.get_current_stream().ptr

    return Importer(cupy.asarray, cupy.from_dlpack, stream)


def torch_importer() -> Importer:
    """Return the importer of PyTorch; ImportError without PyTorch or CUDA."""
    import torch

    def stream(array: Any) -> tuple[int, int]:
        number = array.get_device()
        return number, torch.cuda.current_stream(number).cuda_stream

    if not torch.cuda.is_available():
        raise ImportError("PyTorch finds no CUDA device")
    return Importer(torch.as_tensor, torch.from_dlpack, stream)


@once
def importer() -> Importer:
    """Return the importer of CuPy, or that of PyTorch if CuPy is not installed."""
    reasons = []
    for find in (cupy_importer, torch_importer):
        try:
            return find()
        except ImportError as error:
            reasons.append(str(error))
    raise ModuleNotFoundError(
        "arrays on CUDA of libraries other than JAX require CuPy or PyTorch, and neither can be"
        f" used ({legible('; '.join(reasons), 300)}); pip install cupy-cuda12x, cupy-cuda13x or a"
        " PyTorch with CUDA"
    )


def any_foreign(values: Iterable[Any]) -> bool:
    """Return whether arguments contain CUDA arrays of libraries other than CuPy."""
    return any(
        any_foreign(x.values() if isinstance(x, Mapping) else x)
        if isinstance(x, (Mapping, tuple))
        else on_cuda(x) and not _is_cupy(x)
        for x in values
    )


def _is_cupy(x: Any) -> bool:
    """Return whether an object is a CuPy array, without importing CuPy."""
    return any(base.__module__.partition(".")[0] == "cupy" for base in type(x).__mro__)


def call(
    function: Callable[..., Any], title: str, args: Mapping[str, Any], named: Mapping[str, Any]
) -> Any:
    """Call a function of CuPy's arrays or tensors with arrays of other libraries among them.

    Parameters
    ----------
    function
        A quantity or a rollout.
    title
        Prefix for messages.
    args
        Positional arguments by their names, in order.
    named
        Arguments that are passed by name; `out` may be a tuple.

    Returns
    -------
    array or tuple of arrays
        The arrays of `out` if given; otherwise arrays of the library of the first argument if it
        supports DLPack, else arrays of CuPy or PyTorch, also if an argument is a CuPy array.
    """
    imports = _Imports(importer())
    values = [imports.take(x, f"{title}: argument '{name}'") for name, x in args.items()]
    _refuse_readonly(named.get("out"), title)
    titles = {name: f"argument '{name}'" if name != "out" else name for name in named}
    further = {name: imports.take(x, f"{title}: {titles[name]}") for name, x in named.items()}
    results = function(*values, **further)
    imports.release()
    if isinstance(results, tuple):
        return tuple(map(imports.export, results))
    return imports.export(results)


class _Imports:
    """Imported arrays of one call."""

    def __init__(self, library: Importer) -> None:
        self._library = library
        self._pairs: list[tuple[Any, Any]] = []  # each array with what it was imported from
        self._any_cupy = False

    def take(self, x: Any, what: str) -> Any:
        """Import an argument, or the entries of a mapping or tuple, from another library."""
        if isinstance(x, Mapping):
            return {name: self.take(part, f"{what}[{name!r}]") for name, part in x.items()}
        if isinstance(x, tuple):
            return tuple(self.take(part, what) for part in x)
        if _is_cupy(x) or not on_cuda(x):
            self._any_cupy |= _is_cupy(x)
            return x
        interface = getattr(x, "__cuda_array_interface__", {})
        if interface.get("mask") is not None:
            raise TypeError(
                f"{what} must be an array without a mask, found a masked one; pass unmasked values"
            )
        driver()  # errors of the driver are not about the array
        try:
            if interface:
                array = self._library.from_interface(_WithoutStream(x, interface))
            else:
                array = self._library.from_dlpack(x)
        except Exception as error:  # other libraries raise anything; quote their message
            reason = legible(str(error).strip().partition("\n")[0], 300)
            raise TypeError(f"{what} ({type(x).__name__}) cannot be imported: {reason}") from error
        self._order(array, x, before=True)
        self._pairs.append((array, x))
        return array

    def release(self) -> None:
        """Make the streams of the imported arrays wait for the call, which reads their memory."""
        for array, x in self._pairs:
            self._order(array, x, before=False)

    def _order(self, array: Any, x: Any, *, before: bool) -> None:
        """Make the current stream wait for the stream of an array, or the other way round."""
        interface = getattr(x, "__cuda_array_interface__", {})
        other = interface.get("stream")
        if other is not None and interface["data"][0]:
            number, stream = self._library.stream(array)
            wait(driver().device(number), *((stream, other) if before else (other, stream)))

    def export(self, result: Any) -> Any:
        """Return a result as the array of `out`, or convert it to the user's library."""
        for array, x in self._pairs:
            if array is result:
                return x
        convert = None if self._any_cupy else _dlpack_reader(self._pairs[0][1])
        return result if convert is None else convert(result)


class _WithoutStream:
    """An array without its stream, for which CuPy would block the host."""

    def __init__(self, x: Any, interface: dict[str, Any]) -> None:
        self.owner = x  # keeps the memory alive
        self.__cuda_array_interface__ = {**interface, "stream": None}


def _refuse_readonly(out: Any, title: str) -> None:
    """Raise ArgumentError if an array of `out` is read-only."""
    for x in out if isinstance(out, tuple) else (out,):
        if getattr(x, "__cuda_array_interface__", {"data": (0, False)})["data"][1]:
            raise ArgumentError(f"{title}: out must be writable, found a read-only array")


def _dlpack_reader(like: Any) -> Callable[[Any], Any] | None:
    """Return `from_dlpack` of an array's library: of its array API namespace, or its package."""
    find = getattr(like, "__array_namespace__", None)
    namespace = find() if callable(find) else None
    package = sys.modules.get(type(like).__module__.partition(".")[0])
    return getattr(namespace, "from_dlpack", None) or getattr(package, "from_dlpack", None)
