"""What a library that differentiates must offer to serve a robot's functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from jounce.arrays.frameworks.operators import Operator, Shape


class Library(Protocol):
    """A library of arrays with derivatives: the socket that JAX and PyTorch fit into."""

    #: What users call it, and the attribute of robots that leads here.
    name: str

    def array(self, x: Any, what: str) -> Any:
        """An argument as an array of the library in float32 or float64.

        Python's numbers, and lists of them, become arrays; everything else that is no such array is
        refused with a sentence that begins with `what`.
        """
        ...

    def alike(self, arrays: Sequence[Any], sure: Sequence[bool], title: str) -> list[Any]:
        """Arrays in one precision: float32 if one that is sure is and none is wider, else float64.

        sure: whether an array brings a precision of its own, which Python's numbers do not. Arrays
        on several devices are refused.
        """
        ...

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """What leading shapes broadcast to, or a ValueError."""
        ...

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Results of an operator on arrays of one precision, whose leading axes broadcast."""
        ...

    def constant(self, x: Any, like: Any) -> Any:
        """A NumPy array as one of the library, in the precision and on the device of another."""
        ...

    def product(self, x: Any, matrix: Any) -> Any:
        """x (..., n) times a NumPy matrix (n, m), in the precision of x."""
        ...
