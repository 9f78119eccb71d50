"""Functions: tapes with the names and shapes of arguments and results, the input of targets."""

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
    """An argument or a result: an identifier, its shape (flattened row by row), its description."""

    name: str
    shape: Shape
    doc: str

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Function:
    """A function to generate: its identifier, its tape, and the lines of its comment.

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
        """Broadcast arrays of the inputs, and flatten their batch axes.

        Parameters
        ----------
        arrays : sequence of array_like
            One per input; leading axes broadcast, as with NumPy's functions.
        dtype : dtype

        Returns
        -------
        batch : tuple of int
            Broadcast batch shape.
        arrays : list of ndarray
            Each with shape (samples, *shape).

        Raises
        ------
        ValueError
            If an array does not have the shape of its input.
        """
        operands = [np.asarray(x, dtype) for x in arrays]
        batch: Shape = ()
        for x, variable in zip(operands, self.inputs, strict=True):
            axes = x.ndim - len(variable.shape)
            if axes < 0 or x.shape[axes:] != variable.shape:
                expected = ", ".join(map(str, ("...", *variable.shape)))
                raise ValueError(
                    f"{self.name}: {variable.name} must have the shape ({expected}),"
                    f" found {x.shape}"
                )
            batch = np.broadcast_shapes(batch, x.shape[:axes])
        full = [
            np.broadcast_to(x, batch + variable.shape).reshape(math.prod(batch), *variable.shape)
            for x, variable in zip(operands, self.inputs, strict=True)
        ]
        return batch, full

    def results(self, batch: Shape, flat: np.ndarray) -> Results:
        """Split an array with a row of all output entries per sample into the outputs.

        Parameters
        ----------
        batch : tuple of int
            Batch shape of the results.
        flat : ndarray, shape (samples, entries)

        Returns
        -------
        tuple of ndarray
        """
        edges = np.cumsum([x.size for x in self.outputs])[:-1]
        parts = np.split(flat, edges, axis=-1)
        return tuple(
            x.reshape(batch + variable.shape)
            for x, variable in zip(parts, self.outputs, strict=True)
        )


def entries(variables: Sequence[Variable]) -> list[tuple[Variable, int]]:
    """Return all entries of variables in the order of the tape.

    Parameters
    ----------
    variables : sequence of Variable

    Returns
    -------
    list of (Variable, int)
        Each entry's variable and flat index.
    """
    return [(variable, k) for variable in variables for k in range(variable.size)]


def signature(inputs: Sequence[Shape], outputs: Sequence[Shape]) -> str:
    """Return the core signature, such as (7),(7)->(7,7).

    Parameters
    ----------
    inputs, outputs : sequence of tuple of int
        Shapes of arguments and results.

    Returns
    -------
    str
    """

    def group(shapes: Sequence[Shape]) -> str:
        return ",".join("(" + ",".join(map(str, shape)) + ")" for shape in shapes)

    return f"{group(inputs)}->{group(outputs)}"


def scalar_of(dtype: DTypeLike) -> str:
    """Return the name of a dtype in C and LLVM.

    Parameters
    ----------
    dtype : dtype
        float64 or float32.

    Returns
    -------
    str
        "double" or "float".

    Raises
    ------
    ValueError
        If the dtype is another one.
    """
    scalar = {"f": "float", "d": "double"}.get(np.dtype(dtype).char)
    if scalar is None:
        raise ValueError(f"dtype must be float64 or float32, found {np.dtype(dtype)}")
    return scalar
