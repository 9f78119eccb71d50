"""What a row of the catalog is: a quantity, and the forms of its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from jounce.catalog.arguments import Argument, argument, rate_name
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


@dataclass(frozen=True)
class Form:
    """How one derivative is computed, and what of it differs from the rules in `derived`.

    formula: None for one that is offered, but goes by the rule. equation: where the papers have it.
    takes: what the formula takes, if not just what the quantity takes: names of arguments, or
    `REST`. arguments: further ones than the quantity's. shape, doc, unit, letter: if not the
    rule's. more, charts: shapes of further results, and charts, as those of `Row`. joint_space:
    whether it may run on `Tree.lumped` as the quantity does. drives: see `Row`.
    """

    formula: Formula | None = None
    equation: str = ""
    takes: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    shape: Shape | None = None
    doc: str = ""
    unit: str = ""
    more: tuple[Shape, ...] = ()
    charts: tuple[Chart | None, ...] = ()
    letter: str = ""
    joint_space: bool = True
    drives: Drives | None = None

    def of(self, names: tuple[str, ...], of_frame: bool) -> Formula:
        """The formula as one of the arguments `names`, and of the frame given last."""
        formula, takes = self.formula, self.takes
        assert formula is not None
        if takes is None:
            return formula
        unknown = [name for name in takes if name != REST and name not in names]
        if unknown:
            raise ArgumentError(
                f"a form takes '{unknown[0]}', which its row does not have: {', '.join(names)}"
            )
        places = [None if name == REST else names.index(name) for name in takes]

        def of_some(tree: Tree, *inputs: Any) -> Any:
            own = [zeros(tree.dof) if k is None else inputs[k] for k in places]
            return formula(tree, *own, *(inputs[-1:] if of_frame else ()))

        return of_some


@dataclass(frozen=True)
class Option:
    """A choice among formulas of one quantity, given by name: its values, the default first."""

    name: str
    values: tuple[str | bool, ...]
    doc: str


@dataclass(frozen=True, eq=False)
class Row:
    """A quantity, public or derived from one.

    optional: arguments that may be left out. base: how what the robot is mounted on moves, given by
    name: its twist and time derivatives of that, for kernels of their own, as calls without them
    shall cost nothing more; see `derived.mounted`. letter: what exports call its result, a word for
    each if there are several. forms: those of its derivatives that do not go by the rule, by name.
    charts: directions of the results that are no plain arrays, in their order; None, and what is
    left away, are.
    joint_space: the result depends on the inertias only through M and g, so the formula may run on
    `Tree.lumped`. of_frame: a quantity of a frame, whose formula takes the frame's index last.
    all_joints: of a mechanism with loops, in the velocities of all its joints. lifts: whether a
    mechanism has it as its tree has, for the motion that the loops give all joints, its axes of
    velocities times E; see `catalog.mechanism`. geometry: whether derivatives in the geometry are
    offered. inertial: whether those in the inertial parameters are, as they are where `forms` has
    dpi. solves: whether M is inverted. rates: own form of the
    time derivatives, (tree, order, given) to the levels up to the order; the state's own further
    derivatives are among what is given, unless tau is. drives: the
    arguments that armature and friction act on, for regressors that can have columns for them.
    inverse: of a row that finds `a` for given `tau`, the formula of tau for given a.

    more: shapes of further results, if it has several. options: choices among formulas that are
    given by name, and with_options(**them): the row for these; see `catalog.options`.

    Of derived rows: of: what it is a derivative
    of. wrt: the arguments it is differentiated by, one per axis. orders: of time derivatives, that
    of each result. differentiable: whether it has derivatives itself. constant, variant: the row
    that this one is with numbers of the robot as arguments, and what makes such rows. own:
    arguments that mean something else than those that quantities share. parts: names of the
    results, where they are a tuple even if it is only one. coordinates: whether there is a row on
    plain numbers beside it. backwards: whether the formula goes backwards through another one, so
    that its operations are better done in another order (`graph.passes.shortened`).
    """

    name: str
    formula: Formula
    arguments: tuple[str, ...]
    shape: Shape
    doc: str
    unit: str
    equation: str
    optional: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    letter: str = "result"
    forms: Mapping[str, Form] = field(default_factory=dict)
    charts: tuple[Chart | None, ...] = ()
    joint_space: bool = False
    of_frame: bool = False
    all_joints: bool = False
    lifts: bool = False
    geometry: bool = True
    inertial: bool = False
    solves: bool = False
    rates: Formula | None = None
    drives: Drives | None = None
    inverse: Formula | None = None
    more: tuple[Shape, ...] = ()
    options: tuple[Option, ...] = ()
    with_options: Callable[..., Row] | None = None
    of: Row | None = None
    wrt: tuple[str, ...] = ()
    orders: tuple[int, ...] = ()
    differentiable: bool = True
    constant: Row | None = None
    variant: Callable[[Row], Row] | None = None
    own: Mapping[str, Argument] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    coordinates: bool = False
    backwards: bool = False

    def argument(self, name: str) -> Argument:
        """Shape and meaning of an argument."""
        return self.own[name] if name in self.own else argument(name)

    def __post_init__(self) -> None:
        if "dpi" in self.forms:
            object.__setattr__(self, "inertial", True)

    def parted(self, inputs: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What the formula takes after the tree: arrays, and the frame if there is one."""
        count = len(inputs) - self.of_frame
        return inputs[:count], inputs[count:]

    @property
    def step(self) -> str:
        """What a derived row is called among the derivatives of the row it is of."""
        return self.name.rpartition(".")[2]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Shapes of all results."""
        return (self.shape, *self.more)

    @property
    def every_chart(self) -> tuple[Chart | None, ...]:
        """A chart, or None, for each result."""
        return (*self.charts, *(None,) * (len(self.shapes) - len(self.charts)))

    @property
    def directions(self) -> tuple[Shape, ...]:
        """Shapes of what the results change by: their own, or those of their tangents."""
        pairs = zip(self.shapes, self.every_chart, strict=True)
        return tuple(shape if chart is None else chart.shape for shape, chart in pairs)

    @property
    def axes(self) -> tuple[str, ...]:
        """Arguments that it is differentiated by, axis after axis."""
        return tuple(name for name in self.arguments if self.argument(name).axis)

    @property
    def letters(self) -> tuple[str, ...]:
        """A name for each result: tau; tau, dtau, ddtau for rates; tau_dq, tau_dq_dt for others.

        Several derivatives from one kernel are called like each by itself.
        """
        names, count = self.letter.split(), len(self.shapes)
        if self.parts:
            return tuple(f"{'_'.join(names)}_{part}" for part in self.parts)
        if self.orders and self.of is not None:
            each = self.of.letters
            named = zip(self.orders, each * (len(self.orders) // len(each)), strict=True)
            if self.of.of is None:
                return tuple(rate_name(letter, k) for k, letter in named)
            return tuple(f"{letter}_d{'t' * k}" if k else letter for k, letter in named)
        if len(names) == count:
            return tuple(names)
        if self.of is not None:
            in_state = ("", *(f"d{axis}" for axis in self.of.axes))  # the value comes first
            steps = ("dpi", *GEOMETRY) if self.step == "design" else in_state
            each = [f"{x}_{step}".rstrip("_") for step in steps for x in self.of.letter.split()]
            if len(each) == count:
                return tuple(each)
        return tuple(f"{'_'.join(names)}_{k}" for k in range(count))


def joint_space(*columns: Any, **options: Any) -> Row:
    """A row whose result depends on the inertias only through M and g."""
    return Row(*columns, joint_space=True, **options)


def of_frame(*columns: Any, **options: Any) -> Row:
    """A row of frames."""
    return Row(*columns, of_frame=True, **options)


def by_rule(*names: str) -> dict[str, Form]:
    """Second derivatives that are offered without a form of their own; the first must have one."""
    return dict.fromkeys(names, Form())


#: Derivatives in the geometry: whether only the joint's axis moves, or all beyond it too.
GEOMETRY = {"dscrew": True, "dplacement": False}


def in_geometry(formula: Formula, takes: tuple[str, ...] | None = None) -> dict[str, Form]:
    """Derivatives in screws and placements from one formula with `screw` by name."""
    return {
        name: Form(partial(formula, screw=screw), takes=takes) for name, screw in GEOMETRY.items()
    }


def in_design(what: str, unit: str, formula: Formula, takes: tuple[str, ...] | None = None) -> Form:
    """The gradient of a weighted quantity in all that a robot is designed by."""
    return Form(
        formula,
        takes=takes,
        arguments=("lam",),
        shape=("nb", 10),
        more=(("nb", 6), ("nb", 6)),
        doc=f"Gradient of lam . {what} in parameters, joint screws and placements, from one"
        " kernel.",
        unit=f"lam times {unit}; per unit of what it is differentiated by",
        joint_space=False,
    )
