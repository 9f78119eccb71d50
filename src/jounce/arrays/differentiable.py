"""Quantities whose derivatives are their attributes, to any depth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from jounce.arrays import failures
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.derivative import (
    derivative,
    derivative_names,
    has_derivative,
    reason,
)
from jounce.catalog.names import parse_variable
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Time
from jounce.errors import suggest
from jounce.utils.once import entry


class DifferentiableQuantity(BoundQuantity):
    """A quantity of a robot; its derivatives are its attributes."""

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
        return cast(Rates, self._related(every, Rates))

    def derivative(self, name: str) -> BoundQuantity:
        """Return a derivative by its name as a string.

        Parameters
        ----------
        name : str
            Such as "dq", "vjp" or "rates(2)".

        Returns
        -------
        BoundQuantity
            The same object that the attribute leads to.

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
        """Say that there is no derivative of that name, and which there are."""
        valid = (*derivative_names(self.definition), "rates(order)")
        why = reason(self.definition, name)
        return f"{self.title} has no '{name}'; {suggest(name, valid, 'its derivatives:')}{why}"

    def _derivative(self, name: str) -> BoundQuantity:
        """The derivative called `name`, or an AttributeError."""
        from jounce.arrays.pullbacks import KINDS  # which are quantities themselves

        row = self.__dict__.get("definition")  # None: under construction
        if row is None or name.startswith("_") or not has_derivative(row, name):
            raise AttributeError(
                name if row is None else self.explain_missing(name), name=name, obj=self
            )
        found = derivative(row, name)
        # .dq.dv is .dqv, so it belongs to what .dq is a derivative of
        owner = self
        while owner.definition != found.of:
            assert owner._parent is not None
            owner = owner._parent
        # on the object itself, so that it is found without coming here from now on
        kind = KINDS.get(type(found.variable), _kind(found))
        item = entry(vars(owner), str(found.variable), lambda: owner._of(found, kind))
        return entry(vars(self), name, lambda: item)

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> BoundQuantity:
            """The derivative called `name`."""
            return self._derivative(name)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *derivative_names(self.definition)})


class Rates(DifferentiableQuantity):
    """A quantity and its time derivatives, from one kernel: always a tuple of arrays."""

    returns_tuple = True


def _kind(row: AnyQuantity) -> type[BoundQuantity]:
    """What a row is as a callable: derivatives of rates(k) come as a tuple too."""
    if not row.differentiable:
        return BoundQuantity
    return Rates if row.contains_rates else DifferentiableQuantity
