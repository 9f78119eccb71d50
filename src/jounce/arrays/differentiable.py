"""Quantities whose derivatives of any order are attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from jounce.arrays import failures
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.derivative import (
    derivative,
    derivative_names,
    explain_missing,
    has_derivative,
)
from jounce.catalog.names import parse_variable
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.synonyms import DERIVATIVE_SYNONYMS
from jounce.catalog.variables import Time
from jounce.errors import suggest
from jounce.utils.once import entry


class DifferentiableQuantity(BoundQuantity):
    """A quantity of a robot whose derivatives are attributes."""

    has_derivatives = True

    def _text(self) -> str:
        names = ", ".join(f".{name}" for name in (*derivative_names(self.definition), "rates(k)"))
        return f"{super()._text()}\nDerivatives: {names}."

    def rates(self, order: int) -> Rates:
        """Return the value and its time derivatives up to an order, from one kernel.

        Parameters
        ----------
        order : int
            Highest order of the time derivatives, at least 0.

        Returns
        -------
        Rates
            A callable that returns a tuple of order + 1 arrays: the value, then its time
            derivatives.

        Raises
        ------
        ValueError
            If the order is negative, or needs more arguments than a NumPy ufunc can have.
        """
        failures.check_order(self.definition, self.title, order)
        every = derivative(self.definition, f"rates({int(order)})")
        return cast(Rates, self._get_related(every, Rates))

    def derivative(self, name: str) -> BoundQuantity:
        """Return a derivative by its name as a string.

        Parameters
        ----------
        name : str
            Such as "dq", "vjp" or "rates(2)".

        Returns
        -------
        BoundQuantity
            The derivative; the same object as the attribute.

        Raises
        ------
        ValueError
            If there is no such derivative.
        """
        variable = parse_variable(name, self.definition.axes)
        if isinstance(variable, Time) and variable.every:
            return self.rates(variable.order)
        if not has_derivative(self.definition, name):
            raise ValueError(self.explain_missing(name))
        return getattr(self, name)

    def explain_missing(self, name: str) -> str:
        """Return the message about a derivative that does not exist; it lists those that do."""
        valid = (*derivative_names(self.definition), "rates(order)")
        why = explain_missing(self.definition, name)
        close = DERIVATIVE_SYNONYMS.get(name.casefold())
        if close in valid:
            return f"{self.title} has no '{name}'; use .{close}"
        return f"{self.title} has no '{name}'; {suggest(name, valid, 'its derivatives:')}{why}"

    def _derivative(self, name: str) -> BoundQuantity:
        """Return the derivative called `name`, or raise AttributeError."""
        from jounce.arrays.pullbacks import KINDS  # lazily: an import cycle

        definition = self.__dict__.get("definition")  # None: under construction
        if definition is None or name.startswith("_") or not has_derivative(definition, name):
            raise AttributeError(
                name if definition is None else self.explain_missing(name), name=name, obj=self
            )
        target = derivative(definition, name)
        # .dq.dv is .dqv, a derivative of the quantity itself
        owner = self
        while owner.definition != target.operand:
            assert owner._parent is not None
            owner = owner._parent
        # cached in the instance dict, so that the next access skips `__getattr__`
        kind = KINDS.get(type(target.variable), _kind(target))
        item = entry(vars(owner), str(target.variable), lambda: owner._of(target, kind))
        return entry(vars(self), name, lambda: item)

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> BoundQuantity:
            """Return the derivative called `name`."""
            return self._derivative(name)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *derivative_names(self.definition)})


class Rates(DifferentiableQuantity):
    """A quantity and its time derivatives, from one kernel; returns a tuple of arrays."""

    returns_tuple = True


def _kind(definition: AnyQuantity) -> type[BoundQuantity]:
    """Return the class of a derivative: those of rates(k) return a tuple, too."""
    if not definition.differentiable:
        return BoundQuantity
    return Rates if definition.contains_rates else DifferentiableQuantity
