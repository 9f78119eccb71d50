"""Quantities whose derivatives are their attributes, to any depth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np

from jounce.catalog.derivative import (
    MOST_ARRAYS,
    derivative,
    derivative_names,
    has_derivative,
    highest_rates,
    reason,
)
from jounce.catalog.names import parse_variable
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Time
from jounce.errors import suggest
from jounce.process.once import entry
from jounce.quantities.quantity import BoundQuantity


class DifferentiableQuantity(BoundQuantity):
    """A quantity of a robot; its derivatives are its attributes."""

    has_derivatives = True

    def _text(self) -> str:
        names = ", ".join(f".{name}" for name in (*derivative_names(self.definition), "rates(k)"))
        return f"{super()._text()}\nDerivatives: {names}."

    def rates(self, order: int) -> Rates:
        """Value and time derivatives 1..order from one kernel, as a tuple of arrays."""
        if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
            raise ValueError(f"{self.title}.rates: order must be an integer >= 0, found {order!r}")
        if order >= MOST_ARRAYS:  # before so many rows are made
            raise ValueError(self._too_many(order))
        every = derivative(self.definition, f"rates({int(order)})")
        if len(every.arguments) + len(every.shapes) > MOST_ARRAYS:
            raise ValueError(self._too_many(order))
        return cast(Rates, self._related(every, Rates))

    def _too_many(self, order: int) -> str:
        """What to say about time derivatives of too high an order."""
        highest, pushed = (highest_rates(self.definition, optional=x) for x in (False, True))
        names = ", ".join(self.definition.optional)
        more = f", or {pushed} with {names}" if names else ""
        return (
            f"{self.title}.rates: the highest order is {highest}{more}, found {order}: a NumPy"
            f" ufunc has at most {MOST_ARRAYS} arguments and results"
        )

    def derivative(self, name: str) -> BoundQuantity:
        """The derivative called `name`, such as "dq" or "rates(2)"."""
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
        from jounce.quantities.pullbacks import KINDS  # which are quantities themselves

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
