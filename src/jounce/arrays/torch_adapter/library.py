"""What PyTorch offers to a robot's functions: which tensors they take, and how they are called."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import torch
from torch import Tensor

from jounce.arrays.frameworks import inertia
from jounce.arrays.frameworks.arguments import shaped
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.torch_adapter import constants, cuda, operations
from jounce.arrays.torch_adapter.operations import PRECISIONS
from jounce.arrays.validation import plain
from jounce.errors import ArgumentError


class TorchLibrary:
    """PyTorch, on the CPU and on CUDA, in float64 and float32."""

    name = "torch"

    def array(self, x: Any, what: str) -> Tensor:
        """An argument as a tensor; everything that cannot be one is refused with a sentence."""
        if isinstance(x, Tensor):
            return _checked(x, what)
        if isinstance(x, (np.ndarray, np.generic)):
            return constants.noted(_from_numpy(x, what), x)
        return constants.noted(_from_numbers(x, what), x)

    def takes(self, operator: Operator, values: Sequence[Any]) -> bool:
        """Return whether values are dense tensors on which an operator works as they are.

        That is, of one precision, on one device, and with one batch or none.
        """
        inputs = operator.inputs
        if len(values) != len(inputs) or not isinstance(values[0], Tensor) or values[0].is_nested:
            return False  # nested tensors may have no shape
        first = values[0]
        dtype, device, batch = first.dtype, first.device, first.shape[: first.ndim - len(inputs[0])]
        for x, core in zip(values, inputs, strict=True):
            if type(x) not in operations.ORDINARY or x.dtype is not dtype or x.device != device:
                return False
            if x.is_nested or x.layout is not torch.strided:
                return False
            if x.shape != core and x.shape != (*batch, *core):
                return False
        return dtype in PRECISIONS and is_served(device)

    def alike(self, arrays: Sequence[Tensor], sure: Sequence[bool], title: str) -> list[Tensor]:
        """Tensors in one precision, on one device; numbers beside them are moved there."""
        found = {x.dtype for x, typed in zip(arrays, sure, strict=True) if typed}
        dtype = torch.float32 if found == {torch.float32} else torch.float64
        if len({x.device for x in arrays}) > 1:
            arrays = _together(arrays, dtype, title)
        return [x if x.dtype is dtype else x.to(dtype) for x in arrays]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """What leading shapes broadcast to."""
        known = all(type(n) is int for shape in shapes for n in shape)
        if known and not torch.compiler.is_compiling():
            return np.broadcast_shapes(*shapes)  # in less time
        return tuple(torch.broadcast_shapes(*shapes))

    def apply(self, operator: Operator, arrays: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Results of an operator on tensors of one precision."""
        operations.note(operator)
        return operations.apply(operator, arrays)

    def constant(self, x: Any, like: Tensor) -> Tensor:
        """A NumPy array as a tensor, in the precision and on the device of another."""
        return constants.filled(x, like.dtype, like.device)

    def product(self, x: Tensor, matrix: Any) -> Tensor:
        """x times a NumPy matrix, in full precision whatever autocast and TF32 would have."""
        rows = self.constant(matrix, x)
        if x.is_cpu:
            with torch.autocast("cpu", enabled=False):
                return x @ rows
        parts = zip(x.split(1, dim=-1), rows.unbind(), strict=True)
        return reduce(lambda total, part: torch.addcmul(total, *part), parts, x.new_zeros(()))

    def __reduce__(self) -> str:
        return "LIBRARY"


def _together(arrays: Sequence[Tensor], dtype: torch.dtype, title: str) -> list[Tensor]:
    """Tensors on the one device that those among them have which were not made of numbers."""
    devices = {x.device for x in arrays if not constants.is_constant(x)}
    if len(devices) > 1:
        raise ArgumentError(cuda.apart(title, devices))
    (device,) = devices
    return [x if x.device == device else constants.moved(x, dtype, device) for x in arrays]


def dense(x: Tensor, what: str) -> Tensor:
    """A tensor, unless it is sparse or nested or has another layout that is not in rows."""
    if x.is_nested or x.layout is not torch.strided:
        kind = "nested" if x.is_nested else str(x.layout).removeprefix("torch.")
        right = "torch.nested.to_padded_tensor or its parts" if x.is_nested else ".to_dense() of it"
        raise TypeError(f"{what} must be a dense tensor, found a {kind} one; give {right}")
    return x


def _checked(x: Tensor, what: str) -> Tensor:
    """A tensor, if its values can be used."""
    dense(x, what)
    if x.dtype not in PRECISIONS:
        dtype = str(x.dtype).removeprefix("torch.")
        raise TypeError(f"{what} must be float64 or float32, found {dtype}; give {_converted(x)}")
    if not is_served(x.device):
        raise TypeError(f"{what} {_elsewhere(x.device)}")
    return x


def is_served(device: torch.device) -> bool:
    """Whether kernels run on a device; PyTorch calls ROCm's cuda, too."""
    return device.type == "cpu" or (device.type == "cuda" and torch.version.hip is None)


def _converted(x: Tensor) -> str:
    """What makes a tensor of another dtype one that is taken."""
    if x.is_quantized:
        return "its .dequantize()"
    return "its .real" if x.is_complex() else "its .double() or .float()"


def _elsewhere(device: torch.device) -> str:
    """What to say of a tensor that lies where no kernel runs."""
    if device.type == "meta":
        return "is on the meta device, where tensors have no values; give one on the CPU or on CUDA"
    driver = " of ROCm" if device.type == "cuda" else ""
    return (
        f"is on {device}{driver}, where no kernel of jounce runs; kernels run on the CPU and on"
        " NVIDIA's CUDA: copy it to the CPU first, with .cpu()"
    )


def _from_numpy(x: Any, what: str) -> Tensor:
    array = x if type(x) is np.ndarray else np.asarray(plain(x, what))
    if array.dtype.char not in "fd":
        raise TypeError(
            f"{what} must be float64 or float32, found {array.dtype}; give its .astype(float)"
        )
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return torch.from_numpy(
        native if native.flags.writeable and _forward(native) else native.copy()
    )


def _forward(array: np.ndarray) -> bool:
    """Whether an array has no negative or odd strides, which tensors do not know."""
    return all(stride >= 0 and stride % array.itemsize == 0 for stride in array.strides)


def _from_numbers(x: Any, what: str) -> Tensor:
    """Python's numbers as a tensor."""
    if _any_tensor(x):
        raise TypeError(f"{what} is a {type(x).__name__} of tensors; give torch.stack of them")
    if isinstance(x, (torch.SymFloat, torch.SymInt)):  # numbers of which graphs know only names
        number: Any = x
        return torch.scalar_tensor(number, dtype=torch.float64, device="cpu")
    if not isinstance(x, (list, tuple, float, int)):
        raise TypeError(f"{what} must be a tensor or numbers, found {type(x).__name__}")
    try:
        return torch.tensor(x, dtype=torch.float64, device="cpu")
    except (TypeError, ValueError, RuntimeError) as error:
        raise ArgumentError(f"{what} is not an array of numbers: {error}") from error


def _any_tensor(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return any(map(_any_tensor, x))
    return isinstance(x, Tensor)


LIBRARY = TorchLibrary()


def from_log_cholesky(theta: Any) -> Tensor:
    """The parameters (..., 10) of bodies that could exist, from any numbers (..., 10).

    As `jounce.inertia.from_log_cholesky` gives them, with gradients.
    """
    what = "jounce.torch.from_log_cholesky: argument 'theta'"
    given = shaped(LIBRARY, theta, what, (10,))
    return torch.stack(inertia.from_log_cholesky(given.unbind(-1), torch.exp), dim=-1)
