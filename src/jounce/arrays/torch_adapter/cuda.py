"""Operators on tensors in the memory of a GPU.

Results are PyTorch's own memory, and kernels are put into its current stream: nothing waits for the
GPU, nothing is copied that a kernel can read where it lies, and CUDA graphs record it all. A kernel
reads sample k of an argument at k times its step: tensors whose batch axes are one walk of equal
steps are read in place, those that are the same for all samples with step 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from jounce.arrays.cupy_adapter.layout import layouts
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.errors import ArgumentError

Tensors = tuple[Tensor, ...]

#: Puts a kernel into a stream: the stream, samples, addresses of arguments and results, steps.
Launch = Callable[[int, int, Sequence[int], Sequence[int]], None]

#: What PyTorch has for those who extend it, and no types for; parts of it only where CUDA is.
_core: Any = torch._C

#: What kernels are compiled for, by the letters that NumPy has for them.
_CHARS = {torch.float64: "d", torch.float32: "f"}


class Plan:
    """An operator on tensors of one precision on one device."""

    def __init__(self, operator: Operator, dtype: torch.dtype, device: int, launch: Launch) -> None:
        self._inputs = operator.inputs
        self._dtype = dtype
        self._device = device
        self._launch = launch
        self._layouts = layouts(operator, 1)

    def results(self, tensors: Sequence[Tensor]) -> Tensors | None:
        """Compute the results, in memory of their own; None if tensors are not of the right kind.

        That is, of another precision, device or shape, or not in memory as they are: sparse,
        nested, negated when read, or zeros without memory.
        """
        key: list[Any] = []
        for x in tensors:
            if x.dtype is not self._dtype or x.get_device() != self._device:
                return None
            if x.layout is not torch.strided or x.is_nested:  # whose strides may be anything
                return None
            if x.is_neg() or x._is_zerotensor():
                return None
            key += x.shape, x.stride()
        layout = self._layouts.find(tuple(key))
        if layout is None:
            return None
        empty, likes = tensors[0].new_empty, torch.empty_like
        results = tuple(
            [
                empty(shape) if k is None else likes(tensors[k])
                for shape, k in zip(layout.results, layout.alike, strict=True)
            ]
        )
        if not layout.samples:
            return results
        read = list(tensors)
        for k in layout.copied:  # PyTorch uses the memory again only after the kernel
            read[k] = _copy(read[k], self._inputs[k], layout.batch, layout.steps[k])
        addresses = [x.data_ptr() for x in (*read, *results)]
        self._launch(stream(self._device), layout.samples, addresses, layout.steps)
        return results


def values(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """The results of an operator on tensors of one precision on one device, without gradients."""
    first = tensors[0]
    device = first.get_device()
    for x in tensors:
        if x.get_device() != device:
            raise ArgumentError(apart(operator.title, {first.device, x.device}))
    plain = [_in_memory(x) for x in tensors]
    found = plan(operator, first.dtype, device).results(plain)
    if found is None:  # from functions of robots only what fits arrives here
        shapes = ", ".join(f"{tuple(x.shape)} of {x.dtype}" for x in tensors)
        raise ArgumentError(
            f"{operator.title}: expected tensors of one precision and the shapes (..., core) of"
            f" {operator.kernel.signature}, found {shapes}"
        )
    return found


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
    return operator.kept.setdefault("torch plans", {})  # setdefault is atomic


def apart(title: str, devices: set[torch.device]) -> str:
    """What to say of tensors on several devices."""
    names = sorted(map(str, devices))
    found = " and ".join(names)
    return (
        f"{title}: tensors must be on one device, found {found}; move them with .to({names[-1]!r})"
    )


# ------------------------------------------------------------------ memory


def _in_memory(x: Tensor) -> Tensor:
    """A tensor whose numbers stand in memory as they are."""
    x = x.detach().resolve_neg()
    return x.clone() if x._is_zerotensor() else x


def _copy(x: Tensor, core: Shape, batch: Shape, step: int) -> Tensor:
    """A copy without gaps of the samples of a batch, or of the one that all are where step is 0."""
    if step == 0:  # such as the gradient of a sum
        return x[(0,) * (x.ndim - len(core))].contiguous()
    return x.expand(*batch, *core).contiguous()


# ------------------------------------------------------------------ PyTorch's CUDA


def stream(device: int) -> int:
    """PyTorch's current stream of a device, as the driver knows it."""
    return _core._cuda_getCurrentRawStream(device)


def capturing() -> bool:
    """Whether a CUDA graph is being captured in the current stream."""
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()
