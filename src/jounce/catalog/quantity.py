"""Catalog entries of quantities: formula, arguments, results, closed forms of derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from jounce.catalog.arguments import Argument, argument
from jounce.catalog.charts import Chart, Shape
from jounce.errors import ArgumentError
from jounce.math.scalar import zeros
from jounce.model.tree import Tree

Formula = Callable[..., Any]

#: Names of the arguments on which friction and armature columns of a regressor depend: velocity,
#: the velocity that C multiplies, and acceleration.
Drives = tuple[str, str, str]

#: In `Form.takes`: a velocity or acceleration of zero instead of an argument.
ZERO = "zero"

#: Values of `Form.takes` for inverse dynamics at rest, and without acceleration.
AT_REST, AT_ZERO_ACCELERATION = ("q", ZERO, ZERO), ("q", "v", ZERO)

#: Names of the derivatives in the geometry, each with the keyword `screw` of its formula: True if
#: only the joint axis moves, False if the subtree behind the joint moves with it.
GEOMETRY = {"dscrew": True, "dplacement": False}


# ------------------------------------------------------------------ parts of a quantity


@dataclass(frozen=True)
class Signature:
    """Arguments of a formula by name; `arguments.ARGUMENTS` defines the names."""

    #: Required arguments, in the order of the formula.
    required: tuple[str, ...]
    #: Optional arguments; the formula takes them after the required ones.
    optional: tuple[str, ...] = ()
    #: Keyword arguments for the motion of a moving base: its twist and time derivatives.
    #: Calls with them use a separate kernel (`Variant.MOVING_BASE`): other calls have no overhead.
    base: tuple[str, ...] = ()
    #: Definitions by name of arguments that are not in `ARGUMENTS`, or differ from it.
    definitions: Mapping[str, Argument] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """One array that a formula returns."""

    #: Core shape: numbers and names of sizes.
    shape: Shape
    #: Name in exported code.
    symbol: str = "result"
    #: Tangent space of the result, if it is not a plain array.
    chart: Chart | None = None
    #: For a gradient from a vector-Jacobian product: the argument that it belongs to.
    part: str = ""
    #: Variable of the derivative, if one kernel computes several derivatives.
    wrt: str = ""

    @property
    def tangent_shape(self) -> Shape:
        """Shape of a tangent of the result."""
        return self.shape if self.chart is None else self.chart.shape

    @property
    def name(self) -> str:
        """Name in exported code, with the argument that a gradient belongs to."""
        return f"{self.symbol}_{self.part}" if self.part else self.symbol


@dataclass(frozen=True)
class Traits:
    """Properties of a formula: dependencies, and available derivatives."""

    #: The result depends on the inertias only through M and g, so `Tree.lumped` may be used.
    joint_space: bool = False
    #: It belongs to a frame, whose index is the last argument of the formula.
    of_frame: bool = False
    #: Velocities are those of all joints of a mechanism with loops.
    all_joints: bool = False
    #: Mechanisms have it, evaluated at the motion of all joints (`catalog.mechanism`).
    lifts: bool = False
    #: It has derivatives with respect to joint screws and placements.
    geometry: bool = True
    #: It belongs to the frames of a task, and has derivatives with respect to their placements.
    tasks: bool = False
    #: It belongs to a mechanism, so that it has derivatives with respect to placements of loops.
    loops: bool = False
    #: It belongs to a robot in contact, and has derivatives with respect to placements of contacts.
    contacts: bool = False
    #: It has derivatives with respect to the inertial parameters, even without a closed form.
    inertial: bool = False
    #: It inverts the mass matrix.
    solves: bool = False
    #: It has derivatives other than `jvp` and `vjp`.
    differentiable: bool = True


@dataclass(frozen=True)
class Option:
    """A keyword that selects one of several formulas of a quantity."""

    #: Keyword of the call.
    name: str
    #: Valid values, the default first.
    values: tuple[str | bool, ...]
    #: Description.
    doc: str


@dataclass(frozen=True)
class Options:
    """The options of a quantity; iterates over them."""

    #: The options, in the order in which names list them.
    choices: tuple[Option, ...] = ()
    #: choose(**options): the quantity for other values than the defaults.
    choose: Callable[..., Quantity] | None = None

    def __iter__(self) -> Iterator[Option]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)


@dataclass(frozen=True)
class Form:
    """A derivative of a quantity: its closed form, and fields that differ from the defaults."""

    #: The closed form; None for a listed derivative that automatic differentiation computes.
    formula: Formula | None = None
    #: Equation numbers in the papers.
    equation: str = ""
    #: Arguments of the formula, or `ZERO`; None for those of the quantity.
    takes: tuple[str, ...] | None = None
    #: Arguments in addition to those of the quantity.
    arguments: tuple[str, ...] = ()
    #: Results; by default those of the quantity with axes of differentiation.
    results: tuple[Result, ...] = ()
    #: Description; by default made of that of the quantity.
    doc: str = ""
    #: Unit; by default made of that of the quantity.
    unit: str = ""
    #: False if it needs all inertias although the quantity does not, see `Traits.joint_space`.
    joint_space: bool = True
    #: For a derivative in the inertial parameters: whether it depends on optional arguments, too.
    takes_optional: bool = False
    #: For a regressor: see `Quantity.drives`.
    drives: Drives | None = None

    def bind(self, names: tuple[str, ...], of_frame: bool) -> Formula:
        """Return the formula as a function of all arguments of the derivative.

        Parameters
        ----------
        names : tuple of str
            Arguments of the derivative.
        of_frame : bool
            Whether the index of a frame is the last argument.

        Returns
        -------
        callable
            formula(tree, *arguments[, frame]).
        """
        formula, takes = self.formula, self.takes
        assert formula is not None
        if takes is None:
            return formula
        unknown = [name for name in takes if name != ZERO and name not in names]
        if unknown:
            raise ArgumentError(
                f"Form.takes: expected some of the arguments {', '.join(names)}, found"
                f" '{unknown[0]}'"
            )
        places = [None if name == ZERO else names.index(name) for name in takes]

        def formula_of_all(tree: Tree, *inputs: Any) -> Any:
            values = [zeros(tree.dof) if k is None else inputs[k] for k in places]
            return formula(tree, *values, *(inputs[-1:] if of_frame else ()))

        return formula_of_all


# ------------------------------------------------------------------ quantities


class AnyQuantity:
    """Base class of quantities and derivatives: formula, signature, results, description."""

    name: str
    formula: Formula
    signature: Signature
    results: tuple[Result, ...]
    doc: str
    unit: str
    equation: str
    traits: Traits
    forms: Mapping[str, Form]
    rates: Formula | None
    inverse: Formula | None
    drives: Drives | None
    options: Options

    #: The quantity or derivative that is differentiated; None for quantities.
    origin: AnyQuantity | None = None
    #: Name of the last differentiation, such as "dq"; '' for quantities.
    last_step: str = ""
    #: Variables of the derivative, one per axis.
    wrt: tuple[str, ...] = ()
    #: For time derivatives: the order of each result.
    orders: tuple[int, ...] = ()
    #: Whether it is a product with vectors, which also exists in plain coordinates.
    has_coordinate_form: bool = False
    #: Whether it is computed in reverse mode, so that reordering shortens its tape.
    is_reverse_mode: bool = False
    #: Whether its results include lower orders (`rates(k)`), or those of its operand do.
    contains_rates: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the required arguments."""
        return self.signature.required

    @property
    def optional(self) -> tuple[str, ...]:
        """Names of the optional arguments."""
        return self.signature.optional

    @property
    def base(self) -> tuple[str, ...]:
        """Names of the arguments for a moving base."""
        return self.signature.base

    @property
    def argument_definitions(self) -> Mapping[str, Argument]:
        """Definitions by name of arguments that are not in `ARGUMENTS`, or differ from it."""
        return self.signature.definitions

    def argument(self, name: str) -> Argument:
        """Return the definition of an argument.

        Parameters
        ----------
        name : str
            Name of the argument.

        Returns
        -------
        Argument
            Its core shape and description.
        """
        return (
            self.argument_definitions[name] if name in self.argument_definitions else argument(name)
        )

    @property
    def axes(self) -> tuple[str, ...]:
        """Arguments with respect to which it has derivatives, one axis each."""
        return tuple(name for name in self.arguments if self.argument(name).axis)

    def split_frame(self, inputs: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Split the arguments of the formula into arrays and the index of a frame.

        Parameters
        ----------
        inputs : tuple
            Arguments of the formula after the tree.

        Returns
        -------
        tuple of (tuple, tuple)
            The arrays, and the index of the frame; the latter is empty without a frame.
        """
        count = len(inputs) - self.of_frame
        return inputs[:count], inputs[count:]

    # -------------------------------------------------------------- results

    @property
    def shape(self) -> Shape:
        """Shape of the first result."""
        return self.results[0].shape

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Shapes of all results."""
        return tuple(result.shape for result in self.results)

    @property
    def tangent_shapes(self) -> tuple[Shape, ...]:
        """Shapes of the tangents of the results."""
        return tuple(result.tangent_shape for result in self.results)

    @property
    def charts(self) -> tuple[Chart | None, ...]:
        """A chart, or None, for each result."""
        return tuple(result.chart for result in self.results)

    @property
    def has_charts(self) -> bool:
        """True if a result is not a plain array."""
        return any(chart is not None for chart in self.charts)

    @property
    def result_names(self) -> tuple[str, ...]:
        """Names of the results: tau; tau, dtau, ddtau for rates; tau_dq, tau_dq_dt for others."""
        return tuple(result.name for result in self.results)

    @property
    def parts(self) -> tuple[str, ...]:
        """Arguments that the gradients of a vector-Jacobian product belong to."""
        return tuple(result.part for result in self.results if result.part)

    # -------------------------------------------------------------- traits

    @property
    def joint_space(self) -> bool:
        """True if it depends on the inertias only through M and g."""
        return self.traits.joint_space

    @property
    def of_frame(self) -> bool:
        """True if it belongs to a frame."""
        return self.traits.of_frame

    @property
    def all_joints(self) -> bool:
        """True if velocities are those of all joints of a mechanism."""
        return self.traits.all_joints

    @property
    def geometry(self) -> bool:
        """True if it has derivatives with respect to the geometry."""
        return self.traits.geometry

    @property
    def inertial(self) -> bool:
        """True if it depends on the inertial parameters."""
        return self.traits.inertial or "dpi" in self.forms

    @property
    def solves(self) -> bool:
        """True if it inverts the mass matrix."""
        return self.traits.solves

    @property
    def differentiable(self) -> bool:
        """True if it has derivatives other than `jvp` and `vjp`."""
        return self.traits.differentiable


@dataclass(frozen=True, eq=False)
class Quantity(AnyQuantity):
    """A quantity of the catalog."""

    #: Attribute of a robot or frame.
    name: str
    #: formula(tree, *arguments[, *optional][, frame index]): the results for one sample.
    formula: Formula
    #: Arguments of the formula.
    signature: Signature
    #: Results of the formula.
    results: tuple[Result, ...]
    #: Description, in one sentence.
    doc: str
    #: Unit of the results.
    unit: str
    #: Reference to the papers, or the equation itself.
    equation: str = ""
    #: Properties of the formula.
    traits: Traits = Traits()
    #: Closed forms of derivatives by name; all others use automatic differentiation.
    forms: Mapping[str, Form] = field(default_factory=dict)
    #: Closed form of the time derivatives: rates(tree, order, arguments) returns orders 0 to
    #: `order`. `arguments` maps names to values, including higher derivatives of the state unless
    #: `tau` is an argument.
    rates: Formula | None = None
    #: For a quantity that computes `a` from `tau`: the formula that computes `tau` from `a`.
    inverse: Formula | None = None
    #: For a regressor with optional drive columns: the arguments on which they depend.
    drives: Drives | None = None
    #: Choices among formulas.
    options: Options = Options()

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<quantity {self.name}>"


def redefine(quantity: AnyQuantity, **changes: Any) -> Quantity:
    """Copy the definition of a quantity or derivative with some fields replaced.

    Parameters
    ----------
    quantity : AnyQuantity
        Entry to copy.
    **changes
        New values of fields of `Quantity`.

    Returns
    -------
    Quantity
        The new entry.
    """
    return Quantity(**{x.name: getattr(quantity, x.name) for x in fields(Quantity)} | changes)
