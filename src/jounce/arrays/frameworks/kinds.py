"""Calls of quantities with arrays of a library that differentiates: `robot.mass_matrix(q)`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from jounce.arrays.frameworks.surface import Function
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.signatures import OPTIONS
from jounce.errors import printable
from jounce.utils.once import entry


class LibraryKind(ABC):
    """Base class of kinds for libraries that differentiate."""

    #: Name of the library, which is also the attribute of robots for its surface.
    name: str

    #: Clause of error messages about NumPy options: what reading by value would lose.
    lost: str

    @abstractmethod
    def function(self, quantity: QuantityProtocol) -> Function:
        """Return the quantity as a function of the library's arrays."""

    @abstractmethod
    def is_traced(self, x: Any) -> bool:
        """Return whether an array carries more than values, such as a tracer or a gradient."""

    def call(self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the library's function; with NumPy options, evaluate the values by NumPy."""
        refused = [name for name, x in named.items() if name in OPTIONS and x is not OPTIONS[name]]
        if not refused:
            make = lambda: self.function(quantity)  # noqa: E731
            function = entry(quantity.cache, self.name, make)
            return function(*args, **{name: x for name, x in named.items() if name not in OPTIONS})
        for x in (*args, *named.values()):
            for part in x.values() if isinstance(x, Mapping) else (x,):
                reason = self.objection(part)
                if reason:
                    raise TypeError(
                        f"{quantity.title}: '{refused[0]}' is for NumPy arrays, and {reason};"
                        " omit it"
                    )
        return quantity.evaluate(args, named)

    def objection(self, x: Any) -> str:
        """Return why an argument must not be read by value; '' if it may be."""
        return self.lost if self.is_traced(x) else ""

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Call the rollout of the library's surface."""
        self.refuse_numpy_options(robot, further)
        return getattr(robot, self.name).rollout(**values, **further)

    def refuse_numpy_options(self, robot: Any, further: dict[str, Any]) -> None:
        """Remove the options of a rollout that only NumPy has; an error if one is set."""
        refused = [name for name in ("limits", "out") if further.pop(name, None) is not None]
        if refused:
            raise TypeError(
                f"{printable(robot.name)}.rollout: '{refused[0]}' is for NumPy arrays, and"
                f" {self.lost}; omit it"
            )
