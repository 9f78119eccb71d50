"""Interface of an adapter for a library that differentiates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from jounce.arrays.frameworks.operators import Operator, Shape


class Library(Protocol):
    """Interface of a library of differentiable arrays, implemented for JAX and PyTorch."""

    #: Name of the library, which is also the attribute of robots for its surface.
    name: str

    def array(self, x: Any, what: str) -> Any:
        """Convert an argument to an array of the library.

        Parameters
        ----------
        x : array_like
            Array of the library or of NumPy, Python scalars, or lists of them.
        what : str
            Prefix of error messages.

        Returns
        -------
        array
            Array of float32 or float64.

        Raises
        ------
        TypeError
            If the object is not an array of real numbers.
        """
        ...

    def alike(self, arrays: Sequence[Any], typed: Sequence[bool], title: str) -> list[Any]:
        """Convert arrays to one precision, on one device.

        Parameters
        ----------
        arrays : sequence of array
            Results of `array`.
        typed : sequence of bool
            Whether each array was made of an object with a dtype, unlike Python scalars.
        title : str
            Prefix of error messages.

        Returns
        -------
        list of array
            float32 if a typed array is and none is wider, else float64.

        Raises
        ------
        ArgumentError
            If arrays are on several devices.
        """
        ...

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """Broadcast leading shapes.

        Parameters
        ----------
        shapes : sequence of tuple of int
            Batch shapes of the arguments.

        Returns
        -------
        tuple of int
            Their common shape.

        Raises
        ------
        ValueError
            If they do not broadcast.
        """
        ...

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Apply an operator.

        Parameters
        ----------
        operator : Operator
            The function.
        arrays : sequence of array
            Its arguments, of one precision; leading axes broadcast.

        Returns
        -------
        tuple of array
            Its results.
        """
        ...

    def constant(self, x: Any, like: Any) -> Any:
        """Convert a NumPy array.

        Parameters
        ----------
        x : ndarray
            The values.
        like : array
            Array that determines precision and device.

        Returns
        -------
        array
            Array of the library.
        """
        ...

    def product(self, x: Any, matrix: Any) -> Any:
        """Multiply by a constant matrix.

        Parameters
        ----------
        x : array (..., n)
            Array of the library.
        matrix : ndarray (n, m)
            Matrix of NumPy.

        Returns
        -------
        array (..., m)
            The product, in the precision of x.
        """
        ...
