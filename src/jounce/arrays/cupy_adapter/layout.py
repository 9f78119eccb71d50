"""Strides between the samples of arrays, so that kernels read most arrays without a copy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jounce.arrays.frameworks.operators import Operator
from jounce.utils.once import entry

Shape = tuple[int, ...]

#: Maximum number of cached layouts for each operator and itemsize.
_MAX_LAYOUTS = 64


class Layout(NamedTuple):
    """Strides of arguments, and shapes of the results, for given shapes and strides."""

    samples: int
    #: Shape that leading axes broadcast to.
    batch: Shape
    #: Distance between samples of each argument, in entries.
    steps: tuple[int, ...]
    #: Indices of arguments to copy first: one sample where the step is 0, else the whole batch.
    copied: tuple[int, ...]
    results: tuple[Shape, ...]
    #: For each result, the index of a contiguous argument of its shape, or None.
    alike: tuple[int | None, ...]


class Layouts:
    """Cache of layouts of an operator's arguments."""

    def __init__(self, inputs: Sequence[Shape], outputs: Sequence[Shape], size: int) -> None:
        self._inputs, self._outputs, self._size = inputs, outputs, size
        self._known: dict[tuple[Shape, ...], Layout] = {}

    def find(self, key: tuple[Shape, ...]) -> Layout | None:
        """Return the layout of arguments; None if their shapes are not the operator's.

        key: shape and strides of each argument, one after the other.
        """
        layout = self._known.get(key)
        if layout is None:
            layout = self._arrange(key[::2], key[1::2])
            if layout is not None:
                if len(self._known) >= _MAX_LAYOUTS:
                    self._known.clear()
                self._known[key] = layout
        return layout

    def _arrange(self, shapes: Sequence[Shape], strides: Sequence[Shape]) -> Layout | None:
        splits = [len(x) - len(core) for x, core in zip(shapes, self._inputs, strict=False)]
        if len(shapes) != len(self._inputs) or min(splits) < 0:
            return None
        if any(x[k:] != core for x, k, core in zip(shapes, splits, self._inputs, strict=True)):
            return None
        try:
            batch = np.broadcast_shapes(*(x[:k] for x, k in zip(shapes, splits, strict=True)))
        except ValueError:
            return None
        steps, copied = [], []
        for k, (shape, rows, core) in enumerate(zip(shapes, strides, self._inputs, strict=True)):
            stride = step(shape, rows, core, batch, self._size)
            if stride is None:
                copied.append(k)
                single = step(shape[: splits[k]], rows[: splits[k]], (), batch, self._size) == 0
                stride = 0 if single else math.prod(core)
            steps.append(stride)
        packed = [
            is_contiguous(x, rows, self._size) for x, rows in zip(shapes, strides, strict=True)
        ]
        by_shape = {tuple(x): k for k, x in enumerate(shapes) if packed[k]}
        results = tuple((*batch, *core) for core in self._outputs)
        alike = tuple(map(by_shape.get, results))
        samples = math.prod(batch)
        copied = tuple(copied) if samples else ()
        return Layout(samples, batch, tuple(steps), copied, results, alike)


def layouts(operator: Operator, size: int) -> Layouts:
    """Return the cache of layouts of an operator; size: unit of strides."""
    make = lambda: Layouts(operator.inputs, operator.outputs, size)  # noqa: E731
    return entry(operator.cache, ("layouts", size), make)


def step(shape: Shape, strides: Sequence[int], core: Shape, batch: Shape, size: int) -> int | None:
    """Return the distance between samples in entries, 0 for a single one; None if it varies.

    shape, strides: those of the array; strides in bytes. core: core shape, which must be
    contiguous. batch: shape that the leading axes broadcast to. size: bytes of an entry.
    """
    leading = len(shape) - len(core)
    if not is_contiguous(core, strides[leading:], size):
        return None
    ahead = len(batch) - leading
    axes = [
        (n, strides[k - ahead] if k >= ahead and shape[k - ahead] != 1 else 0)
        for k, n in enumerate(batch)
        if n != 1
    ]
    if any(outer != n * inner for (_, outer), (n, inner) in pairwise(axes)):
        return None
    entries, remainder = divmod(axes[-1][1] if axes else 0, size)
    return None if remainder else entries


def is_contiguous(shape: Shape, strides: Sequence[int], size: int) -> bool:
    """Return whether entries of `size` bytes are contiguous in row-major order."""
    if 0 in shape:
        return True
    expected = size
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


def byte_span(shape: Shape, strides: Sequence[int], size: int) -> tuple[int, int]:
    """Return the range of bytes of an array, relative to its first entry: [low, high)."""
    if 0 in shape:
        return 0, 0
    ends = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
    return sum(min(x, 0) for x in ends), sum(max(x, 0) for x in ends) + size
