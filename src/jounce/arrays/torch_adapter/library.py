"""PyTorch as a library of differentiable arrays (`frameworks.library.Library`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import torch
from torch import Tensor

from jounce.arrays.frameworks import inertia
from jounce.arrays.frameworks.arguments import convert_array
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.torch_adapter import constants, cuda, operations
from jounce.arrays.torch_adapter.operations import PRECISIONS
from jounce.arrays.validation import plain
from jounce.errors import ArgumentError


class TorchLibrary:
    """Adapter of PyTorch for surfaces of robots: CPU and CUDA, float64 and float32."""

    name = "torch"

    def array(self, x: Any, what: str) -> Tensor:
        """Convert an argument to a tensor, or raise an error; what: prefix of messages."""
        if isinstance(x, Tensor):
            return _check_tensor(x, what)
        if isinstance(x, (np.ndarray, np.generic)):
            return constants.mark_constant(_from_numpy(x, what), x)
        return constants.mark_constant(_from_numbers(x, what), x)

    def takes(self, operator: Operator, values: Sequence[Any]) -> bool:
        """Return whether an operator takes the arguments without conversion.

        That is, dense tensors of one precision, on one device, with a common batch or none.
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

    def alike(self, arrays: Sequence[Tensor], typed: Sequence[bool], title: str) -> list[Tensor]:
        """Convert tensors to one precision, and move constants to the device of the others."""
        dtypes = {x.dtype for x, is_typed in zip(arrays, typed, strict=True) if is_typed}
        dtype = torch.float32 if dtypes == {torch.float32} else torch.float64
        if len({x.device for x in arrays}) > 1:
            arrays = _move_to_one_device(arrays, dtype, title)
        return [x if x.dtype is dtype else x.to(dtype) for x in arrays]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """Broadcast leading shapes, or raise ValueError or RuntimeError."""
        known = all(type(n) is int for shape in shapes for n in shape)
        if known and not torch.compiler.is_compiling():
            return np.broadcast_shapes(*shapes)  # faster than PyTorch
        return tuple(torch.broadcast_shapes(*shapes))

    def apply(self, operator: Operator, arrays: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Apply an operator to tensors of one precision."""
        operations.note(operator)
        return operations.apply(operator, arrays)

    def constant(self, x: Any, like: Tensor) -> Tensor:
        """Convert a NumPy array to a tensor, in the precision and on the device of `like`."""
        return constants.make_constant(x, like.dtype, like.device)

    def product(self, x: Tensor, matrix: Any) -> Tensor:
        """Return x times a NumPy matrix in full precision, independent of autocast and TF32."""
        rows = self.constant(matrix, x)
        if x.is_cpu:
            with torch.autocast("cpu", enabled=False):
                return x @ rows
        parts = zip(x.split(1, dim=-1), rows.unbind(), strict=True)
        return reduce(lambda total, part: torch.addcmul(total, *part), parts, x.new_zeros(()))

    def __reduce__(self) -> str:
        return "LIBRARY"


def _move_to_one_device(arrays: Sequence[Tensor], dtype: torch.dtype, title: str) -> list[Tensor]:
    """Move constants to the device of the other tensors, which must be on one device."""
    devices = {x.device for x in arrays if not constants.is_constant(x)}
    if len(devices) > 1:
        raise ArgumentError(cuda.describe_devices(title, devices))
    (device,) = devices
    return [x if x.device == device else constants.move_constant(x, dtype, device) for x in arrays]


def check_dense(x: Tensor, what: str) -> Tensor:
    """Return a tensor; TypeError if it is sparse, nested or has another layout than strided."""
    if x.is_nested or x.layout is not torch.strided:
        kind = "nested" if x.is_nested else str(x.layout).removeprefix("torch.")
        right = "torch.nested.to_padded_tensor or its parts" if x.is_nested else ".to_dense() of it"
        raise TypeError(f"{what} must be a dense tensor, found a {kind} one; pass {right}")
    return x


def _check_tensor(x: Tensor, what: str) -> Tensor:
    """Return a tensor, or raise TypeError if layout, dtype or device are not supported."""
    check_dense(x, what)
    if x.dtype not in PRECISIONS:
        dtype = str(x.dtype).removeprefix("torch.")
        raise TypeError(
            f"{what} must be float64 or float32, found {dtype}; give {_suggest_conversion(x)}"
        )
    if not is_served(x.device):
        raise TypeError(f"{what} {_describe_device(x.device)}")
    return x


def is_served(device: torch.device) -> bool:
    """Return whether kernels run on a device; ROCm devices of PyTorch are named cuda, too."""
    return device.type == "cpu" or (device.type == "cuda" and torch.version.hip is None)


def _suggest_conversion(x: Tensor) -> str:
    """Return the attribute or method that converts a tensor to a supported dtype."""
    if x.is_quantized:
        return "its .dequantize()"
    return "its .real" if x.is_complex() else "its .double() or .float()"


def _describe_device(device: torch.device) -> str:
    """Return the end of the message about a tensor on an unsupported device."""
    if device.type == "meta":
        return "must be on the CPU or on CUDA, found the meta device, whose tensors have no values"
    driver = " of ROCm" if device.type == "cuda" else ""
    return (
        f"must be on the CPU or on CUDA (NVIDIA), found {device}{driver}; copy it to the CPU with"
        " .cpu()"
    )


def _from_numpy(x: Any, what: str) -> Tensor:
    array = x if type(x) is np.ndarray else np.asarray(plain(x, what))
    if array.dtype.char not in "fd":
        raise TypeError(
            f"{what} must be float64 or float32, found {array.dtype}; convert it with"
            " .astype(float)"
        )
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return torch.from_numpy(
        native if native.flags.writeable and _has_tensor_strides(native) else native.copy()
    )


def _has_tensor_strides(array: np.ndarray) -> bool:
    """Return whether strides are nonnegative multiples of the itemsize, as tensors require."""
    return all(stride >= 0 and stride % array.itemsize == 0 for stride in array.strides)


def _from_numbers(x: Any, what: str) -> Tensor:
    """Convert Python scalars, or lists of them, to a tensor."""
    if _any_tensor(x):
        raise TypeError(
            f"{what} must be a tensor, found a {type(x).__name__} of tensors; pass torch.stack of"
            " them"
        )
    if isinstance(x, (torch.SymFloat, torch.SymInt)):  # symbolic numbers of a graph
        number: Any = x
        return torch.scalar_tensor(number, dtype=torch.float64, device="cpu")
    if not isinstance(x, (list, tuple, float, int)):
        raise TypeError(f"{what} must be a tensor or numbers, found {type(x).__name__}")
    try:
        return torch.tensor(x, dtype=torch.float64, device="cpu")
    except (TypeError, ValueError, RuntimeError) as error:
        raise ArgumentError(f"{what} must be an array of numbers: {error}") from error


def _any_tensor(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return any(map(_any_tensor, x))
    return isinstance(x, Tensor)


LIBRARY = TorchLibrary()


def from_log_cholesky(theta: Any) -> Tensor:
    """Return inertial parameters of physically consistent bodies from log-Cholesky coordinates.

    `jounce.inertia.from_log_cholesky` for tensors, with gradients.

    Parameters
    ----------
    theta : Tensor (..., 10)
        Log-Cholesky coordinates, any real numbers.

    Returns
    -------
    Tensor (..., 10)
        Parameters (m, m c, I) about the body origin, in body axes (kg, kg m, kg m^2).
    """
    what = "jounce.torch.from_log_cholesky: argument 'theta'"
    coordinates = convert_array(LIBRARY, theta, what, (10,))
    return torch.stack(inertia.from_log_cholesky(coordinates.unbind(-1), torch.exp), dim=-1)
