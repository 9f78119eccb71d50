"""Pushforwards and pullbacks as callables: what `x.jvp` and `x.vjp` are."""

from __future__ import annotations

from typing import Any

from jounce.catalog.pullbacks import COORDINATES, full
from jounce.process.once import once_property
from jounce.quantities import choices
from jounce.quantities.quantity import Evaluable, Quantity
from jounce.runtime.kernel import Kernel


class Pushforward(Quantity):
    """The directional derivative of a quantity: on tangents, with coordinates=True on numbers."""

    def _evaluate(self, *args: Any, **options: Any) -> Any:
        """The ordinary call."""
        if not self._offered.isdisjoint(options):
            return choices.called(self, args, options)
        if self._row.coordinates and options.pop("coordinates", False):
            return self._in_coordinates(*args, **options)
        return super()._evaluate(*args, **options)

    @once_property
    def _in_coordinates(self) -> Evaluable:
        """The same in plain numbers, as the quantity itself has it."""
        restore, (robot, frame, name) = self.__reduce__()
        quantity, _, step = name.rpartition(".")
        return restore(robot, frame, f"{quantity}.{COORDINATES[step]}")


class Pullback(Pushforward):
    """The gradients of a weighted quantity in its arguments: always a tuple of arrays.

    Those in optional arguments follow if these are given.
    """

    def _evaluate(self, *args: Any, **options: Any) -> tuple[Any, ...]:
        """The ordinary call."""
        if not self._offered.isdisjoint(options):
            return choices.called(self, args, options)
        row = self._row
        further = dict(zip(row.optional, args[self._needed :], strict=False))
        given = [name for name in row.optional if {**options, **further}.get(name) is not None]
        if given and not options.get("coordinates", False):
            return self._with_gradients_of(given, args, options)
        return super()._evaluate(*args, **options)

    def _with_gradients_of(
        self, given: list[str], args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Any, ...]:
        """The call with optional arguments: all of them have gradients, some are asked for."""
        options.pop("coordinates", None)
        kernel, args, rest = self._sorted(args, options)
        named = zip(kernel.arguments, args, strict=True)
        values = [self._default(name) if x is None else x for name, x in named]
        parts = self._with_optional._row.parts
        places = [k for k, part in enumerate(parts) if part in (*self._row.parts, *given)]
        out = rest.get("out")
        if isinstance(out, tuple) and len(out) == len(places):
            into = dict(zip(places, out, strict=True))
            rest["out"] = tuple(into.get(k) for k in range(len(parts)))
        results = self._with_optional(*values, **rest)
        return tuple(results[k] for k in places)

    @once_property
    def _with_optional(self) -> Evaluable:
        return self._related(full(self._row), Evaluable)

    @property
    def full_kernel(self) -> Kernel:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What is called with optional arguments, whose gradients are results too."""
        return self._with_optional.kernel


#: What is called so on a quantity; everything else is a `Quantity`.
KINDS: dict[str, type[Quantity]] = {
    **dict.fromkeys(("jvp", COORDINATES["jvp"]), Pushforward),
    **dict.fromkeys(("vjp", COORDINATES["vjp"]), Pullback),
}
