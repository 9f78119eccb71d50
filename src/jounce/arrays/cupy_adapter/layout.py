"""How a kernel steps through the samples of arrays, without a copy where that can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jounce.arrays.frameworks.operators import Operator
from jounce.utils.once import entry

Shape = tuple[int, ...]

#: Layouts that are kept for each operator and size of entries.
_MOST = 64


class Layout(NamedTuple):
    """How arguments of some shapes and strides are read, and the shapes of the results."""

    samples: int
    #: What leading axes broadcast to.
    batch: Shape
    #: Entries from sample to sample of each argument.
    steps: tuple[int, ...]
    #: Arguments that are copied first: one sample where the step is 0, else the whole batch.
    copied: tuple[int, ...]
    results: tuple[Shape, ...]
    #: For each result, a contiguous argument of its shape, or None.
    alike: tuple[int | None, ...]


class Layouts:
    """Layouts of an operator's arguments; those that were met are kept."""

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
                if len(self._known) >= _MOST:
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
            found = step(shape, rows, core, batch, self._size)
            if found is None:
                copied.append(k)
                single = step(shape[: splits[k]], rows[: splits[k]], (), batch, self._size) == 0
                found = 0 if single else math.prod(core)
            steps.append(found)
        packed = [contiguous(x, rows, self._size) for x, rows in zip(shapes, strides, strict=True)]
        whole = {tuple(x): k for k, x in enumerate(shapes) if packed[k]}
        results = tuple((*batch, *core) for core in self._outputs)
        alike = tuple(map(whole.get, results))
        samples = math.prod(batch)
        copied = tuple(copied) if samples else ()
        return Layout(samples, batch, tuple(steps), copied, results, alike)


def layouts(operator: Operator, size: int) -> Layouts:
    """Return the layouts of an operator's arguments, made once; size: the unit of strides."""
    make = lambda: Layouts(operator.inputs, operator.outputs, size)  # noqa: E731
    return entry(operator.kept, ("layouts", size), make)


def step(shape: Shape, strides: Sequence[int], core: Shape, batch: Shape, size: int) -> int | None:
    """Entries from one sample to the next, 0 for the same one again; None if that varies.

    shape, strides: of the array, the latter in bytes. core: its last axes, which must lie row by
    row. batch: what its other axes broadcast to. size: bytes of an entry.
    """
    own = len(shape) - len(core)
    if not contiguous(core, strides[own:], size):
        return None
    ahead = len(batch) - own
    axes = [
        (n, strides[k - ahead] if k >= ahead and shape[k - ahead] != 1 else 0)
        for k, n in enumerate(batch)
        if n != 1
    ]
    if any(outer != n * inner for (_, outer), (n, inner) in pairwise(axes)):
        return None
    entries, rest = divmod(axes[-1][1] if axes else 0, size)
    return None if rest else entries


def contiguous(shape: Shape, strides: Sequence[int], size: int) -> bool:
    """Whether entries of so many bytes lie row by row, without a gap."""
    if 0 in shape:
        return True
    expected = size
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


def span(shape: Shape, strides: Sequence[int], size: int) -> tuple[int, int]:
    """The first byte that an array takes, and the one after its last, from its first entry on."""
    if 0 in shape:
        return 0, 0
    ends = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
    return sum(min(x, 0) for x in ends), sum(max(x, 0) for x in ends) + size
