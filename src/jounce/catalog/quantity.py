"""What a quantity is: a formula with what it takes and gives, and closed forms of derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from jounce.catalog.arguments import Argument, argument
from jounce.catalog.charts import Chart, Shape
from jounce.errors import ArgumentError
from jounce.math.scalar import zeros
from jounce.model.tree import Tree

Formula = Callable[..., Any]

#: Arguments that armature and friction act on: velocity, the velocity C acts on, acceleration.
Drives = tuple[str, str, str]

#: In `Form.takes`: a velocity or acceleration of zero.
REST = "rest"

#: What forces at rest, and without acceleration, take of inverse dynamics.
STILL, STEADY = ("q", REST, REST), ("q", "v", REST)


# ------------------------------------------------------------------ parts of a quantity


@dataclass(frozen=True)
class Signature:
    """What a formula takes, by name; `arguments.ARGUMENTS` says what the names mean."""

    #: Arguments that every call gives, in the order of the formula.
    required: tuple[str, ...]
    #: Arguments that may be left out; the formula takes them after the required ones.
    optional: tuple[str, ...] = ()
    #: Motion of what the robot is mounted on: its twist and time derivatives, given by keyword.
    #: A call with it has its own kernel (`Variant.MOUNTED`), so that others cost nothing more.
    base: tuple[str, ...] = ()
    #: Arguments with another meaning than in `ARGUMENTS`, or that are not listed there.
    own: Mapping[str, Argument] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """An array that a formula gives."""

    #: Core shape: numbers and names of sizes.
    shape: Shape
    #: Name in exported code.
    symbol: str = "result"
    #: Tangent space of its values, if they are not plain arrays.
    chart: Chart | None = None
    #: Argument that it is the gradient in, for results of a pullback.
    part: str = ""
    #: What it is the derivative in, where one kernel gives several derivatives.
    wrt: str = ""

    @property
    def directions(self) -> Shape:
        """Shape of a change of the result."""
        return self.shape if self.chart is None else self.chart.shape

    @property
    def letter(self) -> str:
        """Name in exported code, with the part."""
        return f"{self.symbol}_{self.part}" if self.part else self.symbol


@dataclass(frozen=True)
class Traits:
    """What holds for a formula: what it depends on, and which derivatives are offered."""

    #: The result depends on the inertias only through M and g: it may use `Tree.lumped`.
    joint_space: bool = False
    #: It is about a frame, whose index the formula takes last.
    of_frame: bool = False
    #: Its velocities are those of all joints of a mechanism with loops.
    all_joints: bool = False
    #: Mechanisms have it at the motion that their loops give all joints (`catalog.mechanism`).
    lifts: bool = False
    #: Derivatives in joint screws and placements are offered.
    geometry: bool = True
    #: Derivatives in the inertial parameters are offered; they also are if there is a form.
    inertial: bool = False
    #: It inverts the mass matrix.
    solves: bool = False
    #: It has derivatives other than `jvp` and `vjp`.
    differentiable: bool = True


@dataclass(frozen=True)
class Option:
    """A choice among formulas of a quantity."""

    #: Keyword of the call.
    name: str
    #: Valid values, the default first.
    values: tuple[str | bool, ...]
    #: What it chooses.
    doc: str


@dataclass(frozen=True)
class Options:
    """The choices among formulas of a quantity; iterates over them."""

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
    """A closed form of a derivative, and what differs from a derivative by rule."""

    #: The closed form; None for a derivative that is listed but computed by rule.
    formula: Formula | None = None
    #: Where the papers have it.
    equation: str = ""
    #: Arguments that the formula takes, or `REST`; None: those of the quantity.
    takes: tuple[str, ...] | None = None
    #: Arguments in addition to those of the quantity.
    arguments: tuple[str, ...] = ()
    #: Results, if not those of the quantity with axes of differentiation.
    results: tuple[Result, ...] = ()
    #: Description, if not that of the rule.
    doc: str = ""
    #: Unit, if not that of the rule.
    unit: str = ""
    #: False if it may not use `Tree.lumped` although the quantity may.
    joint_space: bool = True
    #: For a regressor: see `Quantity.drives`.
    drives: Drives | None = None

    def bind(self, names: tuple[str, ...], of_frame: bool) -> Formula:
        """The formula as one of all arguments `names`, and of the frame given last."""
        formula, takes = self.formula, self.takes
        assert formula is not None
        if takes is None:
            return formula
        unknown = [name for name in takes if name != REST and name not in names]
        if unknown:
            raise ArgumentError(
                f"a form takes '{unknown[0]}', which its quantity does not: {', '.join(names)}"
            )
        places = [None if name == REST else names.index(name) for name in takes]

        def of_some(tree: Tree, *inputs: Any) -> Any:
            values = [zeros(tree.dof) if k is None else inputs[k] for k in places]
            return formula(tree, *values, *(inputs[-1:] if of_frame else ()))

        return of_some


# ------------------------------------------------------------------ quantities


class AnyQuantity:
    """What quantities and derivatives have in common: a formula, what it takes and gives."""

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

    #: What it is a derivative of; None for quantities.
    origin: AnyQuantity | None = None
    #: Name of the last differentiation.
    step: str = ""
    #: Arguments that it is differentiated by, one per axis.
    wrt: tuple[str, ...] = ()
    #: For time derivatives: the order of each result.
    orders: tuple[int, ...] = ()
    #: Whether there is the same derivative in plain coordinates.
    coordinates: bool = False
    #: Whether it is computed in reverse mode, so that reordering shortens its tape.
    backwards: bool = False
    #: Whether it is a value with its time derivatives, or derived from such a one.
    contains_rates: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the required arguments."""
        return self.signature.required

    @property
    def optional(self) -> tuple[str, ...]:
        """Names of the arguments that may be left out."""
        return self.signature.optional

    @property
    def base(self) -> tuple[str, ...]:
        """Names of the arguments for a moving base."""
        return self.signature.base

    @property
    def own(self) -> Mapping[str, Argument]:
        """Arguments with a meaning of their own, by name."""
        return self.signature.own

    def argument(self, name: str) -> Argument:
        """Shape and meaning of an argument."""
        return self.own[name] if name in self.own else argument(name)

    @property
    def axes(self) -> tuple[str, ...]:
        """Arguments that it can be differentiated by, axis after axis."""
        return tuple(name for name in self.arguments if self.argument(name).axis)

    def split_frame(self, inputs: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What the formula takes after the tree: arrays, and the frame if there is one."""
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
    def directions(self) -> tuple[Shape, ...]:
        """Shapes of changes of the results: their own, or those of their tangents."""
        return tuple(result.directions for result in self.results)

    @property
    def charts(self) -> tuple[Chart | None, ...]:
        """A chart, or None, for each result."""
        return tuple(result.chart for result in self.results)

    @property
    def has_charts(self) -> bool:
        """Whether a result is no plain array."""
        return any(chart is not None for chart in self.charts)

    @property
    def letters(self) -> tuple[str, ...]:
        """A name for each result: tau; tau, dtau, ddtau for rates; tau_dq, tau_dq_dt for others."""
        return tuple(result.letter for result in self.results)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of gradients, which are a tuple even if there is only one."""
        return tuple(result.part for result in self.results if result.part)

    # -------------------------------------------------------------- traits

    @property
    def joint_space(self) -> bool:
        """Whether it depends on the inertias only through M and g."""
        return self.traits.joint_space

    @property
    def of_frame(self) -> bool:
        """Whether it is about a frame."""
        return self.traits.of_frame

    @property
    def all_joints(self) -> bool:
        """Whether its velocities are those of all joints of a mechanism."""
        return self.traits.all_joints

    @property
    def geometry(self) -> bool:
        """Whether derivatives in the geometry are offered."""
        return self.traits.geometry

    @property
    def inertial(self) -> bool:
        """Whether it depends on the inertial parameters."""
        return self.traits.inertial or "dpi" in self.forms

    @property
    def solves(self) -> bool:
        """Whether it inverts the mass matrix."""
        return self.traits.solves

    @property
    def differentiable(self) -> bool:
        """Whether it has derivatives other than `jvp` and `vjp`."""
        return self.traits.differentiable


@dataclass(frozen=True, eq=False)
class Quantity(AnyQuantity):
    """A quantity of the catalog."""

    #: Attribute of a robot or frame.
    name: str
    #: formula(tree, *arguments[, *optional][, frame index]): the results for one sample.
    formula: Formula
    #: What the formula takes.
    signature: Signature
    #: What the formula gives.
    results: tuple[Result, ...]
    #: Description, in one sentence.
    doc: str
    #: Unit of the results.
    unit: str
    #: Where the papers have it, or the equation itself.
    equation: str = ""
    #: What holds for the formula.
    traits: Traits = Traits()
    #: Closed forms of derivatives, by name; all other derivatives go by rule.
    forms: Mapping[str, Form] = field(default_factory=dict)
    #: Closed form of the time derivatives: rates(tree, order, given) to levels 0..order.
    #: given: arguments by name, with further derivatives of the state unless `tau` is an argument.
    rates: Formula | None = None
    #: For a quantity that solves for `a` given `tau`: the formula of tau for given a.
    inverse: Formula | None = None
    #: For a regressor with optional columns of the drives: the arguments that they depend on.
    drives: Drives | None = None
    #: Choices among formulas.
    options: Options = Options()

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<quantity {self.name}>"


def redefine(of: AnyQuantity, **changes: Any) -> Quantity:
    """A quantity with the definition of a function, except for some fields."""
    return Quantity(**{x.name: getattr(of, x.name) for x in fields(Quantity)} | changes)


# ------------------------------------------------------------------ forms in the tables

#: Derivatives in the geometry: whether only the joint's axis moves, or all beyond it too.
GEOMETRY = {"dscrew": True, "dplacement": False}


def by_rule(*names: str) -> dict[str, Form]:
    """Derivatives that are listed without a closed form."""
    return dict.fromkeys(names, Form())


def in_geometry(formula: Formula, takes: tuple[str, ...] | None = None) -> dict[str, Form]:
    """Derivatives in screws and placements from one formula with `screw` by name."""
    return {
        name: Form(partial(formula, screw=screw), takes=takes) for name, screw in GEOMETRY.items()
    }


def with_partials(results: tuple[Result, ...], *axes: str) -> tuple[Result, ...]:
    """Results and their derivatives in arguments of shape (nv,), as one kernel gives them."""
    partials = (
        Result((*x.shape, "nv"), f"{x.symbol}_d{axis}", wrt=axis) for axis in axes for x in results
    )
    return (*results, *partials)


def in_design(symbol: str, what: str, unit: str, formula: Formula) -> Form:
    """The gradient of a weighted quantity in all that a robot is designed by."""
    return Form(
        formula,
        arguments=("lam",),
        results=(
            Result(("nb", 10), f"{symbol}_dpi", wrt="pi"),
            Result(("nb", 6), f"{symbol}_dscrew", wrt="screw"),
            Result(("nb", 6), f"{symbol}_dplacement", wrt="placement"),
        ),
        doc=f"Gradient of lam . {what} in parameters, joint screws and placements, from one"
        " kernel.",
        unit=f"lam times {unit}; per unit of what it is differentiated by",
        joint_space=False,
    )
