"""Pushforwards and pullbacks as callables: what `x.jvp` and `x.vjp` are."""

from __future__ import annotations

from typing import Any

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.calls import Resolved, order_arguments
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.derivative import with_optional_gradients
from jounce.catalog.variables import Jvp, Vjp
from jounce.runtime.kernel import Kernel
from jounce.utils.once import once_property


class Pushforward(DifferentiableQuantity):
    """The directional derivative of a quantity: on tangents, with coordinates=True on numbers."""

    def _resolved(self, args: tuple[Any, ...], options: dict[str, Any]) -> Resolved:
        if self._offered.isdisjoint(options) and self.definition.coordinates:
            rest = {name: x for name, x in options.items() if name != "coordinates"}
            if options.get("coordinates", False):
                return Resolved(self._in_coordinates, args, rest)
            return Resolved(self, args, rest)
        return super()._resolved(args, options)

    @once_property
    def _in_coordinates(self) -> BoundQuantity:
        """The same in plain numbers, as the quantity itself has it."""
        restore, (robot, frame, name) = self.__reduce__()
        quantity, _, step = name.rpartition(".")
        return restore(robot, frame, f"{quantity}.{step}_coordinates")


class Pullback(Pushforward):
    """The gradients of a weighted quantity in its arguments: always a tuple of arrays.

    Those in optional arguments follow if these are given.
    """

    def _resolved(self, args: tuple[Any, ...], options: dict[str, Any]) -> Resolved:
        found = super()._resolved(args, options)
        if found.quantity is not self:
            return found
        row, args, options, _ = self.definition, *found[1:]
        further = dict(zip(row.optional, args[self._needed :], strict=False))
        given = [name for name in row.optional if {**options, **further}.get(name) is not None]
        return self._with_gradients_of(given, args, options) if given else found

    def _with_gradients_of(
        self, given: list[str], args: tuple[Any, ...], options: dict[str, Any]
    ) -> Resolved:
        """The call with optional arguments: all of them have gradients, some are asked for."""
        _, moving, args, rest = order_arguments(self, args, options)
        names = (*self.definition.arguments, *self.definition.optional)
        if moving:
            rest.update(zip(self.definition.base, args[len(names) :], strict=True))
        values = [
            self.default_value(name) if x is None else x
            for name, x in zip(names, args, strict=False)
        ]
        parts = self._with_optional.definition.parts
        places = [k for k, part in enumerate(parts) if part in (*self.definition.parts, *given)]
        out = rest.get("out")
        if isinstance(out, tuple) and len(out) == len(places):
            into = dict(zip(places, out, strict=True))
            rest["out"] = tuple(into.get(k) for k in range(len(parts)))
        return Resolved(self._with_optional, tuple(values), rest, places)

    @once_property
    def _with_optional(self) -> BoundQuantity:
        return self.with_definition(with_optional_gradients(self.definition))

    @property
    def full_kernel(self) -> Kernel:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What is called with optional arguments, whose gradients are results too."""
        return self._with_optional.kernel


#: Classes of derivatives by their variable; all others are a `DifferentiableQuantity`.
KINDS: dict[type, type[DifferentiableQuantity]] = {Jvp: Pushforward, Vjp: Pullback}
