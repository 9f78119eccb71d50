"""Quantities as functions of CuPy's arrays."""

from __future__ import annotations

from typing import Any

from jounce.arrays.cupy_adapter.cupy_library import CupyLibrary
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.frameworks.surface import Function
from jounce.arrays.protocol import QuantityProtocol
from jounce.errors import ArgumentError
from jounce.utils.once import entry


class CudaFunction(Function):
    """A quantity on CuPy's arrays, under the title that the robot has for it."""

    def __init__(
        self, quantity: QuantityProtocol, library: CupyLibrary, tangents: bool = False
    ) -> None:
        super().__init__(quantity, library, tangents)
        self._title = quantity.title
        self._cupy = library
        self.array_type = library.array_type

    def __call__(self, *args: Any, out: Any = None, **named: Any) -> Any:
        """Compute the results; out: an array, or a tuple of them, to put them into."""
        (operator, arrays), places, several = self.bind(args, named)
        if not self._cupy.owns(arrays[0]):
            raise TypeError(
                f"{self._title}: out is on CUDA, and no argument is; give arguments that are"
            )
        count = len(operator.outputs)
        places = range(count) if places is None else places
        targets = None if out is None else self._targets(out, count, list(places))
        computed = self._cupy.apply(operator, arrays, targets)
        results = tuple(computed[k] for k in places)
        return results if several or len(results) != 1 else results[0]

    def call_directly(self, arrays: tuple[Any, ...]) -> Any:
        """Compute the results of CuPy's arrays, one for each argument, without conversions.

        None if the kernel does not take them as they are.
        """
        first = arrays[0]
        found = entry(vars(self), "_direct_operator", lambda: self._find_operator(arrays))
        dtype, device = first.dtype, first.device.id
        if found is None or dtype.char not in "fd" or not dtype.isnative:
            return None
        if any(x.dtype != dtype or x.device.id != device for x in arrays):
            return None
        results = self._cupy.launch(found, arrays)
        if results is None or self.quantity.returns_tuple or len(results) != 1:
            return results
        return results[0]

    def _find_operator(self, arrays: tuple[Any, ...]) -> Operator | None:
        """Return the operator of calls without options; None if it takes other arguments."""
        call = self.quantity.bind(arrays, {})
        same = call.quantity is self.quantity and call.results is None
        return operator(self.quantity) if same and not (call.optional or call.base) else None

    def _targets(self, out: Any, count: int, places: list[int]) -> list[Any]:
        """Return the array of `out`, or None, for each result of the kernel."""
        targets = out if isinstance(out, tuple) else (out,)
        if len(targets) != len(places):
            raise ArgumentError(
                f"{self._title}: out must be a tuple of {len(places)} arrays, found {len(targets)}"
            )
        by_place = dict(zip(places, targets, strict=True))
        return [by_place.get(k) for k in range(count)]
