"""Operators on tensors in the memory of a GPU.

PyTorch allocates the results, and kernels are launched in its current stream: nothing waits for the
GPU, and CUDA graphs can capture calls. A kernel reads sample k of an argument at k times its step:
tensors with equally spaced samples are read in place, those without a batch with step 0; others
are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from jounce.arrays.cupy_adapter.layout import Layout, layouts
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.errors import ArgumentError

Tensors = tuple[Tensor, ...]

#: Launches a kernel: stream, number of samples, addresses of arguments and results, steps.
Launch = Callable[[int, int, Sequence[int], Sequence[int]], None]

#: Untyped extension interface of PyTorch; parts exist only with CUDA.
_core: Any = torch._C

#: Precisions of kernels, with the characters of NumPy dtypes.
_CHARS = {torch.float64: "d", torch.float32: "f"}


class Plan:
    """Execution plan of an operator for one precision and device."""

    def __init__(self, operator: Operator, dtype: torch.dtype, device: int, launch: Launch) -> None:
        self._inputs = operator.inputs
        self._dtype = dtype
        self.device = device
        self.launch = launch
        self._layouts = layouts(operator, 1)

    def find_layout(self, tensors: Sequence[Tensor]) -> Layout | None:
        """Return the layout of tensors; None if the plan does not apply to them.

        That is, if precision, device or shape differ, or if tensors are not plain strided memory
        (sparse, nested, lazily negated, or zero tensors without memory).
        """
        key: list[Any] = []
        for x in tensors:
            if x.dtype is not self._dtype or x.get_device() != self.device:
                return None
            if x.layout is not torch.strided or x.is_nested:  # strides are undefined
                return None
            if x.is_neg() or x._is_zerotensor():
                return None
            key += x.shape, x.stride()
        return self._layouts.find(tuple(key))

    def results(self, tensors: Sequence[Tensor]) -> Tensors | None:
        """Compute the results as new tensors; None if the plan does not apply to the tensors."""
        layout = self.find_layout(tensors)
        if layout is None:
            return None
        results = _allocate(layout, tensors)
        if not layout.samples:
            return results
        read = list(tensors)
        for k in layout.copied:  # PyTorch reuses the memory only after the kernel
            read[k] = _copy(read[k], self._inputs[k], layout.batch, layout.steps[k])
        addresses = [x.data_ptr() for x in (*read, *results)]
        self.launch(stream(self.device), layout.samples, addresses, layout.steps)
        return results


class _Call(NamedTuple):
    """A call with tensors of certain shapes, strides, precision, device and dispatch."""

    launch: Launch
    device: int
    layout: Layout


#: Dispatch keys of tensors that have strides.
_strided: set[int] = set()

#: Largest number of remembered calls of an operator.
_MAX_CALLS = 64


def compute(operator: Operator, tensors: Sequence[Any]) -> Tensors | None:
    """Compute the results of a kernel that was used before, by checks that are done only once.

    None if an argument is no plain tensor without a gradient, or must be copied.
    """
    key: list[Any] = []
    for x in tensors:
        if type(x) is not Tensor or x.requires_grad:
            return None
        # dispatch keys tell sparse, nested, negated and zero tensors from others
        keys = _core._dispatch_keys(x).raw_repr()
        if keys not in _strided:
            if x.layout is not torch.strided or x.is_nested:  # which have no strides
                return None
            _strided.add(keys)
        key += x.dtype, x.get_device(), x.shape, x.stride(), keys
    calls = operator.cache.setdefault("torch calls", {})  # setdefault is atomic
    call: _Call | None = calls.get(tuple(key))
    if call is None:
        call = _find_call(operator, tensors)
        if call is None:
            return None
        if len(calls) >= _MAX_CALLS:
            calls.clear()
        calls[tuple(key)] = call
    launch, device, layout = call
    results = _allocate(layout, tensors)
    addresses = [x.data_ptr() for x in (*tensors, *results)]
    launch(stream(device), layout.samples, addresses, layout.steps)
    return results


def _find_call(operator: Operator, tensors: Sequence[Tensor]) -> _Call | None:
    """Return a call with such tensors; None if there is no plan yet, or something to copy."""
    first = tensors[0]
    known = plans(operator).get((first.dtype, first.get_device()))
    layout = None if known is None else known.find_layout(tensors)
    if known is None or layout is None or layout.copied or not layout.samples:
        return None
    return _Call(known.launch, known.device, layout)


def _allocate(layout: Layout, tensors: Sequence[Tensor]) -> Tensors:
    """Return new tensors for the results."""
    empty, likes = tensors[0].new_empty, torch.empty_like
    return tuple(
        [
            empty(shape) if k is None else likes(tensors[k])
            for shape, k in zip(layout.results, layout.alike, strict=True)
        ]
    )


def values(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """Compute an operator on tensors of one precision and device, without gradients."""
    first = tensors[0]
    device = first.get_device()
    for x in tensors:
        if x.get_device() != device:
            raise ArgumentError(describe_devices(operator.title, {first.device, x.device}))
    plain = [_in_memory(x) for x in tensors]
    results = plan(operator, first.dtype, device).results(plain)
    if results is None:  # only from other callers: functions check their tensors
        shapes = ", ".join(f"{tuple(x.shape)} of {x.dtype}" for x in tensors)
        raise ArgumentError(
            f"{operator.title}: expected tensors of one precision with the shapes (..., core) of"
            f" {operator.kernel.signature}, found {shapes}"
        )
    return results


def plan(operator: Operator, dtype: torch.dtype, device: int) -> Plan:
    """Return the plan of an operator for a device; its kernel is compiled once."""
    made = plans(operator)
    known = made.get((dtype, device))
    if known is None:
        launcher = _launcher(operator, _CHARS[dtype], device)
        known = made.setdefault((dtype, device), Plan(operator, dtype, device, launcher.launch))
    return known


def _launcher(operator: Operator, char: str, device: int) -> Any:
    """Return the launcher of an operator; an error if it must be compiled during graph capture."""
    if is_capturing():
        from jounce.runtime.cuda import ready

        if ready(operator.kernel, char, device) is None:
            raise RuntimeError(
                f"{operator.title}: the kernel for cuda:{device} must be compiled before a CUDA"
                " graph is captured; call the same function once before"
            )
    return operator.launcher(char, device)


def plans(operator: Operator) -> dict[Any, Plan]:
    """Return the cache of plans of an operator, by precision and device."""
    return operator.cache.setdefault("torch plans", {})  # setdefault is atomic


def describe_devices(title: str, devices: set[torch.device]) -> str:
    """Return the message about tensors on several devices."""
    names = sorted(map(str, devices))
    listed = " and ".join(names)
    return (
        f"{title}: tensors must be on one device, found {listed}; move them with .to({names[-1]!r})"
    )


# ------------------------------------------------------------------ memory


def _in_memory(x: Tensor) -> Tensor:
    """Return a tensor without lazy negation or zeros, detached from autograd."""
    x = x.detach().resolve_neg()
    return x.clone() if x._is_zerotensor() else x


def _copy(x: Tensor, core: Shape, batch: Shape, step: int) -> Tensor:
    """Return a contiguous copy of a batch of samples, or of a single one where step is 0."""
    if step == 0:  # such as the gradient of a sum
        return x[(0,) * (x.ndim - len(core))].contiguous()
    return x.expand(*batch, *core).contiguous()


# ------------------------------------------------------------------ PyTorch's CUDA


def stream(device: int) -> int:
    """Return the driver handle of PyTorch's current stream of a device."""
    return _core._cuda_getCurrentRawStream(device)


def is_capturing() -> bool:
    """Return whether a CUDA graph is being captured in the current stream."""
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()
