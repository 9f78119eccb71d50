"""Quantities as functions of CuPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jounce.arrays.cupy_adapter.cupy_library import CupyLibrary
from jounce.arrays.cupy_adapter.direct import DirectCalls
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.frameworks.surface import Function
from jounce.arrays.protocol import QuantityProtocol
from jounce.errors import ArgumentError

#: A call with positional arguments and options; None if it does not apply.
DirectCall = Callable[[tuple[Any, ...], dict[str, Any]], Any]


class CudaFunction(Function):
    """A quantity as a function of CuPy arrays, with the title of the quantity in messages."""

    def __init__(
        self, quantity: QuantityProtocol, library: CupyLibrary, tangents: bool = False
    ) -> None:
        super().__init__(quantity, library, tangents)
        self._title = quantity.title
        self._cupy = library
        self.array_type = library.array_type

    def __call__(self, *args: Any, out: Any = None, **named: Any) -> Any:
        """Compute the results; out: an array, or a tuple of them, for the results."""
        (operator, arrays), indices, returns_tuple = self.bind(args, named)
        if not self._cupy.owns(arrays[0]):
            raise TypeError(
                f"{self._title}: expected arguments on CUDA, as out is, found none; move them there"
            )
        count = len(operator.outputs)
        indices = range(count) if indices is None else indices
        targets = None if out is None else self._targets(out, count, list(indices))
        computed = self._cupy.apply(operator, arrays, targets)
        results = tuple(computed[k] for k in indices)
        return results if returns_tuple or len(results) != 1 else results[0]

    def find_direct(self, arrays: tuple[Any, ...]) -> DirectCall:
        """Return calls with such arrays that need no conversion; they return None for others."""
        operator = self._find_operator(arrays)
        if operator is None:
            return lambda args, options: None
        return DirectCalls(operator, self.quantity.returns_tuple, self._cupy.cupy)

    def _find_operator(self, arrays: tuple[Any, ...]) -> Operator | None:
        """Return the operator of calls without options; None if it takes other arguments."""
        call = self.quantity.bind(arrays, {})
        same = call.quantity is self.quantity and call.results is None
        return operator(self.quantity) if same and not (call.optional or call.base) else None

    def _targets(self, out: Any, count: int, indices: list[int]) -> list[Any]:
        """Return the array of `out`, or None, for each result of the kernel."""
        targets = out if isinstance(out, tuple) else (out,)
        if len(targets) != len(indices):
            raise ArgumentError(
                f"{self._title}: out must be a tuple of {len(indices)} arrays, found {len(targets)}"
            )
        by_index = dict(zip(indices, targets, strict=True))
        return [by_index.get(k) for k in range(count)]
