"""Quantities as functions of arrays on CUDA."""

from __future__ import annotations

from typing import Any

from jounce.cuda.library import CudaLibrary
from jounce.errors import ArgumentError
from jounce.frameworks.operators import Operator, operator
from jounce.frameworks.surface import Function
from jounce.process.once import once_property
from jounce.quantities.pullbacks import Pullback, Pushforward
from jounce.quantities.quantity import Evaluable

#: Ways to look at options that are the quantity itself where there are none.
_BARE = Pushforward._resolved, Pullback._resolved


class CudaFunction(Function):
    """A quantity on arrays of a library on CUDA, under the name that the robot has for it."""

    def __init__(self, quantity: Evaluable, library: CudaLibrary, tangents: bool = False) -> None:
        super().__init__(quantity, library, tangents)
        self._title = quantity.title
        self._on = library
        self.kind = library.kind

    def __call__(self, *args: Any, out: Any = None, **named: Any) -> Any:
        """The quantity's results; out: an array, or a tuple of them, to put them into."""
        (operator, arrays), places, several = self._bound(args, named)
        if not self._on.owns(arrays[0]):
            raise TypeError(
                f"{self._title}: out is on CUDA, and no argument is; give arguments that are"
            )
        count = len(operator.outputs)
        asked = range(count) if places is None else places
        targets = None if out is None else self._spread(out, count, list(asked))
        found = self._on.applied(operator, arrays, targets)
        results = tuple(found[k] for k in asked)
        if out is not None:
            given = out if isinstance(out, tuple) else (out,)
            results = tuple(y if x is None else x for x, y in zip(given, results, strict=True))
        return results if several or len(results) != 1 else results[0]

    def at_once(self, arrays: tuple[Any, ...]) -> Any:
        """The results for arrays of the library, one for each argument, as they are.

        None if they are not what the kernel takes: others then find out what is to be done.
        """
        found, first, library = self._bare, arrays[0], self._on
        dtype = first.dtype
        if found is None or dtype.char not in "fd" or not dtype.isnative:
            return None
        device, batches = library.device(first), []
        for x, core in zip(arrays, found.inputs, strict=True):
            own = x.ndim - len(core)
            if x.dtype != dtype or own < 0 or x.shape[own:] != core or library.device(x) != device:
                return None
            batches.append(x.shape[:own])
        try:
            batch = library.batch(batches)
        except ValueError:
            return None
        results = library.applied(found, arrays, None, batch)
        return results if self._quantity.returns_tuple or len(results) != 1 else results[0]

    @once_property
    def _bare(self) -> Operator | None:
        """The operator of a call without options, if that is the quantity's own."""
        quantity = self._quantity
        if type(quantity)._resolved not in (Evaluable._resolved, *_BARE):
            return None
        return operator(quantity)

    def _spread(self, out: Any, count: int, asked: list[int]) -> list[Any]:
        """What is given for results, for all that the kernel has."""
        given = out if isinstance(out, tuple) else (out,)
        if len(given) != len(asked):
            raise ArgumentError(
                f"{self._title}: out must be a tuple of {len(asked)} arrays, found {len(given)}"
            )
        found = dict(zip(asked, given, strict=True))
        return [found.get(k) for k in range(count)]
