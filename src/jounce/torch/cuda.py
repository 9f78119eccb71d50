"""Operators on tensors in the memory of a GPU.

Results are PyTorch's own memory, and kernels are put into its current stream: nothing waits for the
GPU, nothing is copied that a kernel can read where it lies, and CUDA graphs record it all. A kernel
reads sample k of an argument at k times its step: tensors whose batch axes are one walk of equal
steps are read in place, those that are the same for all samples with step 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from jounce.errors import ArgumentError
from jounce.frameworks.operators import Operator, Shape

Tensors = tuple[Tensor, ...]

#: Puts a kernel into a stream: the stream, samples, addresses of arguments and results, steps.
Launch = Callable[[int, int, Sequence[int], Sequence[int]], None]

#: What PyTorch has for those who extend it, and no types for; parts of it only where CUDA is.
_core: Any = torch._C

#: What kernels are compiled for, by the letters that NumPy has for them.
_CHARS = {torch.float64: "d", torch.float32: "f"}


class Batch(NamedTuple):
    """What is known of calls on tensors without gaps that all have the same batch.

    arguments, results: shapes. steps: from sample to sample of each argument, in entries.
    """

    arguments: tuple[Shape, ...]
    results: tuple[Shape, ...]
    samples: int
    steps: tuple[int, ...]


class Plan:
    """An operator on tensors of one precision on one device.

    The batch of the last call is kept, since the next one mostly has the same.
    """

    def __init__(self, operator: Operator, dtype: torch.dtype, device: int, launch: Launch) -> None:
        self._cores = operator.inputs, operator.outputs
        self._dtype = dtype
        self._device = device
        self._launch = launch
        self._last = Batch((), (), 0, ())

    def directly(self, tensors: Sequence[Tensor]) -> Tensors | None:
        """Results for tensors of one batch without gaps; None if they are not that simple."""
        first, last = tensors[0], self._last
        if not last.arguments or first.shape != last.arguments[0]:
            last = self._last = self._batch(first)
        addresses = []
        for x, shape in zip(tensors, last.arguments, strict=True):
            if x.shape != shape or not x.is_contiguous() or x.dtype is not self._dtype:
                return None
            if x.get_device() != self._device or x.is_neg():
                return None
            addresses.append(x.data_ptr())
        results = tuple([first.new_empty(shape) for shape in last.results])
        if last.samples:
            addresses += [x.data_ptr() for x in results]
            self._launch(stream(self._device), last.samples, addresses, last.steps)
        return results

    def _batch(self, first: Tensor) -> Batch:
        inputs, outputs = self._cores
        batch = tuple(first.shape[: max(first.ndim - len(inputs[0]), 0)])
        steps = tuple(map(math.prod, inputs))
        shapes = tuple((*batch, *core) for core in inputs), tuple((*batch, *x) for x in outputs)
        return Batch(*shapes, math.prod(batch), steps)

    def run(self, tensors: Sequence[Tensor]) -> Tensors:
        """Results for tensors of the device and precision, however they lie in memory."""
        inputs, outputs = self._cores
        leading = [x.shape[: x.ndim - len(core)] for x, core in zip(tensors, inputs, strict=True)]
        batch = tuple(torch.broadcast_shapes(*leading))
        results = tuple(tensors[0].new_empty((*batch, *core)) for core in outputs)
        samples = math.prod(batch)
        if samples:
            pairs = zip(tensors, inputs, strict=True)
            read, steps = zip(*(readable(x, core, batch) for x, core in pairs), strict=True)
            addresses = [x.data_ptr() for x in (*read, *results)]
            self._launch(stream(self._device), samples, addresses, steps)
        return results  # copies may go: PyTorch uses their memory again after the kernel


def values(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """The results of an operator on tensors of one precision on one device, without gradients."""
    first = tensors[0]
    device = first.get_device()
    for x in tensors:
        if x.get_device() != device:
            raise ArgumentError(apart(operator.title, {first.device, x.device}))
    found = plan(operator, first.dtype, device)
    return found.directly(tensors) or found.run(tensors)


def plan(operator: Operator, dtype: torch.dtype, device: int) -> Plan:
    """How an operator is computed on a device; its kernel is compiled for that, once."""
    made = plans(operator)
    found = made.get((dtype, device))
    if found is None:
        launcher = _launcher(operator, _CHARS[dtype], device)
        found = made.setdefault((dtype, device), Plan(operator, dtype, device, launcher.launch))
    return found


def _launcher(operator: Operator, char: str, device: int) -> Any:
    """What puts an operator into streams of a device."""
    if capturing():
        from jounce.runtime.cuda import ready

        if ready(operator.kernel, char, device) is None:
            raise RuntimeError(
                f"{operator.title}: there is no kernel for cuda:{device} yet, and none can be made"
                " while a CUDA graph is captured; call the same function once before"
            )
    return operator.launcher(char, device)


def plans(operator: Operator) -> dict[Any, Plan]:
    """Plans of an operator that have been made, by precision and device."""
    return vars(operator).setdefault("_torch_plans", {})  # setdefault is atomic


def apart(title: str, devices: set[torch.device]) -> str:
    """What to say of tensors on several devices."""
    names = sorted(map(str, devices))
    found = " and ".join(names)
    return (
        f"{title}: tensors must lie on one device, found {found}; move them with .to({names[-1]!r})"
    )


# ------------------------------------------------------------------ memory


def readable(x: Tensor, core: Shape, batch: Shape) -> tuple[Tensor, int]:
    """A tensor as kernels read it, copied only where it must be, and its step in entries."""
    x = x.resolve_neg()
    leading = x.ndim - len(core)
    shape, strides = x.shape, x.stride()
    step = _step(shape[:leading], strides[:leading], batch)
    if step is not None and _without_gaps(core, strides[leading:]):
        return x, step
    if step == 0:  # such as the gradient of a sum: the same sample for all
        return x[(0,) * leading].contiguous(), 0
    return x.expand(*batch, *core).contiguous(), math.prod(core)


def _step(shape: Shape, strides: Shape, batch: Shape) -> int | None:
    """Entries from one sample to the next, if all samples of a batch are as far apart.

    shape, strides: of the leading axes of a tensor, which broadcast to the batch.
    """
    missing = len(batch) - len(shape)
    step, inside = None, 1
    for k in reversed(range(len(batch))):
        if batch[k] == 1:
            continue
        stride = 0 if k < missing or shape[k - missing] == 1 else strides[k - missing]
        if step is None:
            step = stride
        elif stride != step * inside:
            return None
        inside *= batch[k]
    return step or 0


def _without_gaps(core: Shape, strides: Shape) -> bool:
    """Whether the entries of a sample lie one after the other, row by row."""
    size = 1
    for n, stride in zip(reversed(core), reversed(strides), strict=True):
        if n != 1 and stride != size:
            return False
        size *= n
    return True


# ------------------------------------------------------------------ PyTorch's CUDA


def stream(device: int) -> int:
    """PyTorch's current stream of a device, as the driver knows it."""
    return _core._cuda_getCurrentRawStream(device)


def capturing() -> bool:
    """Whether a CUDA graph is being captured in the current stream."""
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()
