"""What a backend is given: a tape with the names and shapes of its arguments and results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.compiler.graph.tape import Tape

Shape = tuple[int, ...]
Results = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Variable:
    """An argument or a result: an identifier, its shape (flattened row by row), its meaning."""

    name: str
    shape: Shape
    doc: str

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Function:
    """What becomes a function: its identifier, its tape and what its comment says.

    The tape's inputs are the entries of all inputs in order, row by row; its outputs likewise.
    """

    name: str
    tape: Tape
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    doc: tuple[str, ...] = ()

    def samples(
        self, arrays: Sequence[ArrayLike], dtype: DTypeLike
    ) -> tuple[Shape, list[np.ndarray]]:
        """The batch that arrays of the inputs make, and each of them as (samples, *shape).

        Leading axes broadcast, as with NumPy's functions.
        """
        given = [np.asarray(x, dtype) for x in arrays]
        batch: Shape = ()
        for x, own in zip(given, self.inputs, strict=True):
            at = x.ndim - len(own.shape)
            if at < 0 or x.shape[at:] != own.shape:
                wanted = ", ".join(map(str, ("...", *own.shape)))
                raise ValueError(
                    f"{self.name}: {own.name} must have the shape ({wanted}), found {x.shape}"
                )
            batch = np.broadcast_shapes(batch, x.shape[:at])
        full = [
            np.broadcast_to(x, batch + own.shape).reshape(math.prod(batch), *own.shape)
            for x, own in zip(given, self.inputs, strict=True)
        ]
        return batch, full

    def results(self, batch: Shape, flat: np.ndarray) -> Results:
        """The outputs, of an array with a row of all their entries per sample."""
        edges = np.cumsum([x.size for x in self.outputs])[:-1]
        parts = np.split(flat, edges, axis=-1)
        return tuple(
            x.reshape(batch + own.shape) for x, own in zip(parts, self.outputs, strict=True)
        )


def entries(variables: Sequence[Variable]) -> list[tuple[Variable, int]]:
    """All entries of the variables in the order of the tape: (variable, flat index)."""
    return [(variable, k) for variable in variables for k in range(variable.size)]


def signature(inputs: Sequence[Shape], outputs: Sequence[Shape]) -> str:
    """Core signature such as (7),(7)->(7,7)."""

    def group(shapes: Sequence[Shape]) -> str:
        return ",".join("(" + ",".join(map(str, shape)) + ")" for shape in shapes)

    return f"{group(inputs)}->{group(outputs)}"


def scalar_of(dtype: DTypeLike) -> str:
    """The name that C and LLVM have for a dtype: "double" or "float"."""
    scalar = {"f": "float", "d": "double"}.get(np.dtype(dtype).char)
    if scalar is None:
        raise ValueError(f"dtype must be float64 or float32, found {np.dtype(dtype)}")
    return scalar
