"""Jacobian-vector and vector-Jacobian products as callables: `x.jvp` and `x.vjp`."""

from __future__ import annotations

from typing import Any

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.calls import ResolvedCall, order_arguments
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.derivative import with_optional_gradients
from jounce.catalog.variables import Jvp, Vjp
from jounce.runtime.kernel import Kernel
from jounce.utils.once import once_property


class Pushforward(DifferentiableQuantity):
    """Jacobian-vector product along tangents; with coordinates=True in plain coordinates."""

    def _resolve_options(self, args: tuple[Any, ...], options: dict[str, Any]) -> ResolvedCall:
        if self._option_names.isdisjoint(options) and self.definition.has_coordinate_form:
            remaining = {name: x for name, x in options.items() if name != "coordinates"}
            if options.get("coordinates", False):
                return ResolvedCall(self._in_coordinates, args, remaining)
            return ResolvedCall(self, args, remaining)
        return super()._resolve_options(args, options)

    @once_property
    def _in_coordinates(self) -> BoundQuantity:
        """The product in plain coordinates."""
        restore, (robot, frame, name) = self.__reduce__()
        quantity, _, step = name.rpartition(".")
        return restore(robot, frame, f"{quantity}.{step}_coordinates")


class Pullback(Pushforward):
    """Vector-Jacobian product: gradients in the required arguments, as a tuple of arrays.

    Gradients in optional arguments follow if these are given.
    """

    def _resolve_options(self, args: tuple[Any, ...], options: dict[str, Any]) -> ResolvedCall:
        call = super()._resolve_options(args, options)
        if call.quantity is not self:
            return call
        definition, args, options, _ = self.definition, *call[1:]
        further = dict(zip(definition.optional, args[self._required_count :], strict=False))
        differentiated = [
            name for name in definition.optional if {**options, **further}.get(name) is not None
        ]
        return self._with_gradients_of(differentiated, args, options) if differentiated else call

    def _with_gradients_of(
        self, names_given: list[str], args: tuple[Any, ...], options: dict[str, Any]
    ) -> ResolvedCall:
        """Return the call of the kernel with all gradients, and the indices of those to keep."""
        _, moving, args, remaining = order_arguments(self, args, options)
        names = (*self.definition.arguments, *self.definition.optional)
        if moving:
            remaining.update(zip(self.definition.base, args[len(names) :], strict=True))
        values = [
            self.default_value(name) if x is None else x
            for name, x in zip(names, args, strict=False)
        ]
        parts = self._with_optional.definition.parts
        indices = [
            k for k, part in enumerate(parts) if part in (*self.definition.parts, *names_given)
        ]
        out = remaining.get("out")
        if isinstance(out, tuple) and len(out) == len(indices):
            targets = dict(zip(indices, out, strict=True))
            remaining["out"] = tuple(targets.get(k) for k in range(len(parts)))
        return ResolvedCall(self._with_optional, tuple(values), remaining, indices)

    @once_property
    def _with_optional(self) -> BoundQuantity:
        return self.with_definition(with_optional_gradients(self.definition))

    @property
    def full_kernel(self) -> Kernel:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Kernel of calls with optional arguments, whose gradients are results, too."""
        return self._with_optional.kernel


#: Classes of derivatives by type of variable; by default `DifferentiableQuantity`.
KINDS: dict[type, type[DifferentiableQuantity]] = {Jvp: Pushforward, Vjp: Pullback}
