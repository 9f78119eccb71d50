"""What libraries of arrays on CUDA have in common: one precision, one device, kernels on them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from jounce.cuda import layout
from jounce.errors import ArgumentError
from jounce.frameworks.operators import Operator, Shape
from jounce.quantities.arrays import plain, precision

#: An array as kernels see it: the address of its first entry, and entries between samples.
Place = tuple[int, int]


class CudaLibrary(ABC):
    """Arrays of one library on CUDA, and NumPy's, which go to the device where those lie.

    Leading axes broadcast without a copy wherever samples are equally far apart.
    """

    name: str

    #: The class of its arrays.
    kind: type

    # -------------------------------------------------------------- what libraries differ in

    @abstractmethod
    def owns(self, x: Any) -> bool:
        """Whether it is an array of the library, on whichever device."""

    @abstractmethod
    def device(self, x: Any) -> int:
        """The number of an array's device."""

    @abstractmethod
    def pointer(self, x: Any) -> int:
        """The address of an array's first entry."""

    @abstractmethod
    def packed(self, x: Any) -> bool:
        """Whether an array's entries lie row by row."""

    @abstractmethod
    def stream(self, like: Any) -> int:
        """The stream in whose order an array is used now."""

    @abstractmethod
    def there(self, like: Any) -> AbstractContextManager[Any]:
        """Have what is made meanwhile lie on the device of an array."""

    @abstractmethod
    def empty(self, shape: Shape, dtype: np.dtype[Any], like: Any, what: str) -> Any:
        """A new array row by row, on the device of another; what: how messages begin."""

    @abstractmethod
    def converted(self, x: Any, dtype: np.dtype[Any], like: Any) -> Any:
        """An array of the library or NumPy's in a precision, on the device of another."""

    @abstractmethod
    def regular(self, x: Any, shape: Shape) -> Any:
        """A copy row by row, of a shape to which the array broadcasts."""

    @abstractmethod
    def store(self, result: Any, out: Any) -> None:
        """Copy a result, which lies row by row, into an array of its shape."""

    @abstractmethod
    def moved(self, x: Any, source: int, target: int) -> Any:
        """A view of an array with an axis in another place."""

    @abstractmethod
    def target(self, out: Any, like: Any, what: str) -> Any:
        """What is given for a result as an array of the library; refused if it is none.

        like: an argument, by whose stream it is written.
        """

    @abstractmethod
    def product(self, x: Any, matrix: Any) -> Any:
        """x (..., n) times a NumPy matrix (n, m), in the precision of x."""

    # -------------------------------------------------------------- arguments

    def array(self, x: Any, what: str) -> Any:
        """An argument as an array of the library, or as NumPy's."""
        if not self.owns(x):
            return plain(x, what)
        if x.dtype.kind not in "fiub" or x.dtype.itemsize > 8:
            raise TypeError(f"{what} must be real float64 or float32, found {x.dtype}")
        return x

    def alike(self, arrays: Sequence[Any], sure: Sequence[bool], title: str) -> list[Any]:
        """Arrays in one precision, all on the device where one of them lies; NumPy's if none does.

        sure: whether an array brings a precision of its own.
        """
        own = [x for x in arrays if self.owns(x)]
        devices = {self.device(x): x for x in own if x.size}
        if len(devices) > 1:
            first, second, *_ = sorted(devices)
            raise ArgumentError(
                f"{title}: arguments must be on one device, found arrays on CUDA devices {first}"
                f" and {second}; copy them to one of the two"
            )
        dtype = precision([x for x, typed in zip(arrays, sure, strict=True) if typed])
        if not own:
            return [np.asarray(x, dtype) for x in arrays]
        like = next(iter(devices.values()), own[0])
        with self.there(like):
            return [
                x if x.dtype == dtype and self.owns(x) else self.converted(x, dtype, like)
                for x in arrays
            ]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """What leading shapes broadcast to, or a ValueError."""
        first = shapes[0]
        if all(shape == first for shape in shapes):
            return first
        return np.broadcast_shapes(*shapes)

    def constant(self, x: Any, like: Any) -> Any:
        """A NumPy array on the device of another, in its precision."""
        if not self.owns(like):
            return np.asarray(x, like.dtype)
        with self.there(like):
            return self.converted(np.asarray(x), like.dtype, like)

    # -------------------------------------------------------------- calls

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Results of an operator on arrays of one precision, whose leading axes broadcast."""
        return self.applied(operator, arrays, None)

    def applied(
        self,
        operator: Operator,
        arrays: Sequence[Any],
        out: Sequence[Any] | None,
        batch: Shape | None = None,
    ) -> tuple[Any, ...]:
        """Results of an operator, in arrays that may be given for some of them (None: for others).

        batch: what leading axes broadcast to, if that is known.
        Nothing waits for the device, and it waits for nothing but its stream.
        """
        like = arrays[0] if arrays[0].size else next((x for x in arrays if x.size), arrays[0])
        kernel = operator.launcher(like.dtype.char, self.device(like))
        cores = operator.inputs
        with self.there(like):
            if batch is None:
                batch = self.batch(
                    [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, cores, strict=True)]
                )
            # regular copies live until the launch; later, memory comes in the order of the stream
            regular = [self._regular(x, core, batch) for x, core in zip(arrays, cores, strict=True)]
            places = [(self.pointer(x), step) if x.size else (0, 0) for x, step in regular]
            direct, results = self._targets(operator, batch, like, [x for x, _ in regular], out)
            samples = math.prod(batch)
            if samples and any(x.size for x in direct):
                pointers = [place[0] for place in places]
                pointers += [self.pointer(x) if x.size else 0 for x in direct]
                kernel.launch(self.stream(like), samples, pointers, [step for _, step in places])
            for found, result in zip(direct, results, strict=True):
                if found is not result:
                    self.store(found, result)
        return tuple(results)

    def _regular(self, x: Any, core: Shape, batch: Shape) -> tuple[Any, int]:
        """An array through which samples are equally far apart, and how far."""
        if self.packed(x) and x.shape[: x.ndim - len(core)] == batch:
            return x, math.prod(core)
        size = x.dtype.itemsize
        step = layout.step(x.shape, x.strides, core, batch, size)
        if step is not None:
            return x, step
        x = self.regular(x, x.shape)
        step = layout.step(x.shape, x.strides, core, batch, size)
        if step is not None:
            return x, step
        return self.regular(x, (*batch, *core)), math.prod(core)

    def _targets(
        self, operator: Operator, batch: Shape, like: Any, used: list[Any], out: Any
    ) -> tuple[list[Any], list[Any]]:
        """Where a kernel writes its results, and where they go, which may be somewhere else."""
        direct, results = [], []
        for k, core in enumerate(operator.outputs):
            shape, title = (*batch, *core), operator.title
            given = None if out is None else out[k]
            if given is not None:
                given = self._checked(given, shape, like, title)
                if self._writable(given, used):
                    direct.append(given)
                    results.append(given)
                    continue
            fresh = self.empty(shape, like.dtype, like, title)
            direct.append(fresh)
            results.append(fresh if given is None else given)
        return direct, results

    def _checked(self, out: Any, shape: Shape, like: Any, title: str) -> Any:
        """An array for a result, after a look at it."""
        given = self.target(out, like, f"{title}: out")
        if given.shape != shape or given.dtype != like.dtype:
            raise ArgumentError(
                f"{title}: out must have shape {shape} of {like.dtype}, found {given.shape} of"
                f" {given.dtype}"
            )
        if given.size and self.device(given) != self.device(like):
            raise ArgumentError(
                f"{title}: out must be on the device of the arguments, {self.device(like)}, found"
                f" {self.device(given)}"
            )
        return given

    def _writable(self, out: Any, used: Sequence[Any]) -> bool:
        """Whether a kernel may write to an array at once: row by row, and on top of no argument."""
        if not self.packed(out):
            return False
        first, end = self._span(out)
        spans = [self._span(x) for x in used if x.size]
        return all(end <= low or high <= first for low, high in spans)

    def _span(self, x: Any) -> tuple[int, int]:
        """The addresses between which an array lies."""
        low, high = layout.span(x.shape, x.strides, x.dtype.itemsize)
        at = self.pointer(x)
        return at + low, at + high
