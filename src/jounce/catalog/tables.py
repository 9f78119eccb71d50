"""Tables of the quantities of robots and frames, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from jounce.catalog.arguments import ARGUMENTS
from jounce.catalog.derivative import Derivative, derivative, derive
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import Quantity
from jounce.catalog.variables import Variant
from jounce.errors import ArgumentError, suggest


class Tables(NamedTuple):
    """Quantities of a kind of robot and of its frames, and variants with parameters as arguments.

    parametric: with inertial parameters as an argument; morphable, morphable_frames: with inertial
    parameters and geometry. traits: traits that all quantities get.
    """

    quantities: dict[str, Quantity]
    frames: dict[str, Quantity]
    parametric: dict[str, Derivative]
    morphable: dict[str, Derivative]
    morphable_frames: dict[str, Derivative]
    traits: Mapping[str, bool] = MappingProxyType({})

    def insert(self, quantity: Quantity) -> None:
        """Add a quantity to the tables to which it belongs.

        Parameters
        ----------
        quantity : Quantity
            Catalog entry.
        """
        if self.traits:
            quantity = replace(quantity, traits=replace(quantity.traits, **self.traits))
        table, morphable = (
            (self.frames, self.morphable_frames)
            if quantity.of_frame
            else (self.quantities, self.morphable)
        )
        table[quantity.name] = quantity
        if quantity.inertial and not quantity.of_frame:
            self.parametric[quantity.name] = derive(quantity, Variant.PARAMETRIC)
        if quantity.geometry:
            morphable[quantity.name] = derive(quantity, Variant.MORPHABLE)


#: Tables of robots without loops; `catalog.mechanism` has those of mechanisms.
TREE = Tables({}, {}, {}, {}, {})
ROBOT, FRAME, PARAMETRIC, MORPHABLE, MORPHABLE_FRAME, _ = TREE

#: Tables that include quantities of TREE, each with the function that adds such a quantity.
DERIVED_TABLES: list[tuple[Tables, Callable[[Quantity], None]]] = []


def add(quantity: Quantity) -> None:
    """Add a quantity to the catalog, as an attribute of all robots or of all frames.

    Parameters
    ----------
    quantity : Quantity
        Catalog entry; its trait `of_frame` makes it an attribute of frames.

    Raises
    ------
    ArgumentError
        If the name is taken or no identifier, or if an argument of the quantity or of a form is
        unknown.
    """
    table, name = FRAME if quantity.of_frame else ROBOT, quantity.name
    if name in table or not name.isidentifier() or name.startswith("_"):
        raise ArgumentError(
            f"expected a new name of a quantity, an identifier without leading underscore, found"
            f" '{name}'; names in use: {', '.join(table)}"
        )
    known = {**ARGUMENTS, **quantity.argument_definitions}
    unknown = [x for x in (*quantity.arguments, *quantity.optional) if x not in known]
    if unknown:
        raise ArgumentError(
            f"{name}: unknown argument '{unknown[0]}'; {suggest(unknown[0], known)}, or define it"
            " in Signature(definitions=...)"
        )
    for form in quantity.forms:
        _ = derivative(quantity, form).definition  # raises if the form does not fit
    TREE.insert(quantity)
    for _, insert in DERIVED_TABLES:
        insert(quantity)


def remove(name: str) -> None:
    """Remove a quantity that was added with `add`; robots that have used it keep it.

    Parameters
    ----------
    name : str
        Name of the quantity.

    Raises
    ------
    ArgumentError
        If no quantity of this name was added.
    """
    if name in (quantity.name for quantity in QUANTITIES) or name not in {**ROBOT, **FRAME}:
        raise ArgumentError(
            f"expected the name of a quantity added with tables.add, found '{name}'"
        )
    for tables in (TREE, *(tables for tables, _ in DERIVED_TABLES)):
        for table in tables[:5]:
            table.pop(name, None)


for _quantity in QUANTITIES:
    TREE.insert(_quantity)
