"""Quantities called with arrays of a library that differentiates, rather than its surface."""

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
    """Arrays of a library, with what it knows of them besides their values."""

    #: The library, as users call it.
    name: str

    #: What is said of values alone where more is at stake.
    lost: str

    @abstractmethod
    def function(self, quantity: QuantityProtocol) -> Function:
        """The quantity as a function of the library's arrays."""

    @abstractmethod
    def traced(self, x: Any) -> bool:
        """Whether an array has more to it than its values, which would be lost with them."""

    def called(
        self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """What the library's function gives; with NumPy's options, what NumPy gives for values."""
        asked = [name for name, x in named.items() if name in OPTIONS and x is not OPTIONS[name]]
        if not asked:
            make = lambda: self.function(quantity)  # noqa: E731
            function = entry(quantity.kept, self.name, make)
            return function(*args, **{name: x for name, x in named.items() if name not in OPTIONS})
        for x in (*args, *named.values()):
            for part in x.values() if isinstance(x, Mapping) else (x,):
                reason = self.objection(part)
                if reason:
                    raise TypeError(
                        f"{quantity.title}: '{asked[0]}' is for NumPy arrays, and {reason}; omit it"
                    )
        return quantity.evaluate(args, named)

    def objection(self, x: Any) -> str:
        """Return why an argument must not be taken by its values; '' if it may be."""
        return self.lost if self.traced(x) else ""

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """The rollout that the library's surface has."""
        self.refuse_numpy_options(robot, further)
        return getattr(robot, self.name).rollout(**values, **further)

    def refuse_numpy_options(self, robot: Any, further: dict[str, Any]) -> None:
        """Refuse options of a rollout that only NumPy's arrays have, and leave them away."""
        refused = [name for name in ("limits", "out") if further.pop(name, None) is not None]
        if refused:
            raise TypeError(
                f"{printable(robot.name)}.rollout: '{refused[0]}' is for NumPy arrays, and"
                f" {self.lost}; omit it"
            )
