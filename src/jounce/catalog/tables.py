"""Tables of the quantities that robots and frames have, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jounce.catalog.arguments import ARGUMENTS
from jounce.catalog.derivative import Derivative, derivative, derive
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import Quantity
from jounce.catalog.variables import Variant
from jounce.errors import ArgumentError, suggest


class Tables(NamedTuple):
    """Quantities of a kind of robot and of its frames, and those with numbers as arguments.

    parametric: with the inertial parameters; morphable, morphable_frames: also with the geometry.
    """

    quantities: dict[str, Quantity]
    frames: dict[str, Quantity]
    parametric: dict[str, Derivative]
    morphable: dict[str, Derivative]
    morphable_frames: dict[str, Derivative]

    def offer(self, quantity: Quantity) -> None:
        """Put a quantity where it belongs."""
        own, shaped = (
            (self.frames, self.morphable_frames)
            if quantity.of_frame
            else (self.quantities, self.morphable)
        )
        own[quantity.name] = quantity
        if quantity.inertial and not quantity.of_frame:
            self.parametric[quantity.name] = derive(quantity, Variant.PARAMETRIC)
        if quantity.geometry:
            shaped[quantity.name] = derive(quantity, Variant.MORPHABLE)


#: What trees have; `catalog.mechanism` has the tables of mechanisms.
TREE = Tables({}, {}, {}, {}, {})
ROBOT, FRAME, PARAMETRIC, MORPHABLE, MORPHABLE_FRAME = TREE

#: Other tables with quantities of trees, each with what puts a quantity there.
ALSO: list[tuple[Tables, Callable[[Quantity], None]]] = []


def add(quantity: Quantity) -> None:
    """Offer a quantity of every robot, or of every frame if it is one of a frame.

    Raises
    ------
    ArgumentError
        If the name is taken, an argument is unknown or a form takes one that the quantity does not.
    """
    offered, name = FRAME if quantity.of_frame else ROBOT, quantity.name
    if name in offered or not name.isidentifier() or name.startswith("_"):
        raise ArgumentError(
            f"a quantity needs a name of its own, an identifier without a leading underscore, found"
            f" '{name}'; there are {', '.join(offered)}"
        )
    known = {**ARGUMENTS, **quantity.own}
    unknown = [x for x in (*quantity.arguments, *quantity.optional) if x not in known]
    if unknown:
        raise ArgumentError(
            f"{name}: '{unknown[0]}' is no argument that quantities have;"
            f" {suggest(unknown[0], known)}, or list it among the quantity's own"
        )
    for form in quantity.forms:
        _ = derivative(quantity, form).definition  # raises if the form does not fit
    TREE.offer(quantity)
    for _, offer in ALSO:
        offer(quantity)


def remove(name: str) -> None:
    """Offer an added quantity no longer; robots that have used it keep it."""
    if name in (quantity.name for quantity in QUANTITIES) or name not in {**ROBOT, **FRAME}:
        raise ArgumentError(f"'{name}' is no quantity that was added")
    for tables in (TREE, *(tables for tables, _ in ALSO)):
        for table in tables:
            table.pop(name, None)


for _quantity in QUANTITIES:
    TREE.offer(_quantity)
