"""Calls with nothing but CuPy arrays, whose checks are done once for each layout of the arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from jounce.arrays.cupy_adapter.layout import byte_span, layouts
from jounce.arrays.frameworks.operators import Operator, Shape

#: Largest number of remembered layouts.
_MAX_PLANS = 64


class _Plan(NamedTuple):
    """Launch parameters of a kernel for arrays of certain shapes, strides, dtypes and devices."""

    launch: Callable[[int, int, Sequence[int], Sequence[int]], None]
    device: int
    samples: int
    steps: tuple[int, ...]
    dtype: np.dtype[Any]
    #: Shapes of the results, and their sizes in bytes.
    results: tuple[tuple[Shape, int], ...]
    #: Range of bytes of each argument, relative to its first entry.
    spans: tuple[tuple[int, int], ...]


class DirectCalls:
    """Calls of an operator with arrays that its kernel can read as they are."""

    def __init__(self, operator: Operator, returns_tuple: bool, cupy: Any) -> None:
        self._operator = operator
        self._returns_tuple = returns_tuple or len(operator.outputs) != 1
        self._array: Any = cupy.ndarray
        self._empty = cupy.empty
        self._current_device = cupy.cuda.runtime.getDevice
        self._current_stream = cupy.cuda.get_current_stream
        self._plans: dict[tuple[Any, ...], _Plan | None] = {}

    def __call__(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Compute the results; None if the general path must handle the call."""
        array, key, pointers = self._array, [], []
        for x in args:
            if type(x) is not array:
                return None
            memory = x.data
            key += x.dtype, memory.device_id, x.shape, x.strides
            pointers.append(memory.ptr)
        key = tuple(key)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._find(key)
        if plan is None or self._current_device() != plan.device:
            return None
        if not options:
            try:
                results = [self._empty(shape, plan.dtype) for shape, _ in plan.results]
            except MemoryError:
                return None
            pointers += [x.data.ptr for x in results]
        else:
            results = options.get("out") if len(options) == 1 else None
            if type(results) is array:
                results = (results,)
            if type(results) is not tuple or not self._can_write(plan, results, pointers):
                return None
        plan.launch(self._current_stream().ptr, plan.samples, pointers, plan.steps)
        return tuple(results) if self._returns_tuple else results[0]

    def _can_write(self, plan: _Plan, out: tuple[Any, ...], pointers: list[int]) -> bool:
        """Return whether a kernel can write to arrays, whose pointers are then appended."""
        if len(out) != len(plan.results):
            return False
        count = len(plan.spans)
        for x, (shape, size) in zip(out, plan.results, strict=True):
            if type(x) is not self._array or x.shape != shape or x.dtype != plan.dtype:
                return False
            memory = x.data
            first = memory.ptr
            if memory.device_id != plan.device or not x.flags.c_contiguous:
                return False
            for k in range(count):
                low, high = plan.spans[k]
                if pointers[k] + low < first + size and first < pointers[k] + high:
                    return False
            pointers.append(first)
        return True

    def _find(self, key: tuple[Any, ...]) -> _Plan | None:
        """Return a new plan; None if arrays must be converted, or there is nothing to compute."""
        if key in self._plans or not key:
            return None
        if len(self._plans) >= _MAX_PLANS:
            self._plans.clear()
        plan = self._plans[key] = self._make(key)
        return plan

    def _make(self, key: tuple[Any, ...]) -> _Plan | None:
        dtypes, devices, shapes, strides = key[::4], key[1::4], key[2::4], key[3::4]
        dtype, device = dtypes[0], devices[0]
        if {*dtypes} != {dtype} or {*devices} != {device}:
            return None
        if dtype.char not in "fd" or not dtype.isnative:
            return None
        pairs = tuple(part for pair in zip(shapes, strides, strict=True) for part in pair)
        layout = layouts(self._operator, dtype.itemsize).find(pairs)
        if layout is None or layout.copied or not layout.samples:
            return None
        results = tuple((shape, math.prod(shape) * dtype.itemsize) for shape in layout.results)
        if not all(size for _, size in results):
            return None
        spans = tuple(
            byte_span(shape, stride, dtype.itemsize)
            for shape, stride in zip(shapes, strides, strict=True)
        )
        launch = self._operator.launcher(dtype.char, device).launch
        return _Plan(launch, device, layout.samples, layout.steps, dtype, results, spans)
