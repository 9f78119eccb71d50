"""One row per public quantity. Robot, command line, docs, tests and benchmarks iterate over it.

A row names the formula, its arguments, the shape and unit of its result, and where the papers
have it. Sizes in shapes: nq, nv, nb (moving bodies).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from jounce.formulas import (
    dynamics,
    kinematics,
    momenta,
    tensors,
    wrt_inertia,
    wrt_screws,
    wrt_state,
    wrt_time,
)
from jounce.model.tree import Tree

Shape = tuple[int | str, ...]


@dataclass(frozen=True)
class Argument:
    """An input of a quantity: its core shape and what it means."""

    shape: Shape
    doc: str


#: The state and its time derivatives; past the jounce they are d5q, d6q, ...
STATE = ("q", "v", "a", "j", "s")

ARGUMENTS: dict[str, Argument] = {
    "q": Argument(("nq",), "configuration (rad, m, unit quaternions; see robot.joints)"),
    "v": Argument(("nv",), "velocity (rad/s, m/s; body-fixed twists for free joints)"),
    "a": Argument(("nv",), "acceleration, the time derivative of v"),
    "j": Argument(("nv",), "jerk, the time derivative of a"),
    "s": Argument(("nv",), "jounce, the time derivative of j"),
    "tau": Argument(("nv",), "generalised forces (N m, N)"),
    "w": Argument(("nb", 6), "wrench (moment, force) acting on each body, in its frame"),
    "wrenches": Argument(("nb", 6), "wrench (moment, force) acting on each body, in its frame"),
    "lam": Argument(("nv",), "weights of the components of tau"),
    "v_r": Argument(("nv",), "reference velocity"),
    "a_r": Argument(("nv",), "reference acceleration"),
    "pi": Argument(("nb", 10), "inertial parameters, as robot.parameters"),
    "placements": Argument(("nb", 4, 4), "pose of each joint in its parent's body frame"),
    "screws": Argument(("nb", 4, 4), "displacement of each joint's axis, in its body's frame"),
    "gravity": Argument((3,), "gravitational acceleration (m/s^2), by default the robot's"),
    "joint_forces": Argument(("nt",), "generalised forces on all joints of a closed mechanism"),
    "smoothing": Argument((), "speed below which Coulomb friction fades (rad/s, m/s)"),
}


#: What is said about time derivatives of arguments that may be left out.
_IF_NOT_GIVEN = {
    "wrenches": " in the axes of the bodies; taken as zero if not given",
    "joint_forces": "; taken as zero if not given",
}


def rate_name(name: str, order: int) -> str:
    """Name of the time derivative of an argument: q, v, a, j, s, d5q; w, dw, ddw, d3w."""
    if name in STATE:
        at = STATE.index(name) + order
        return STATE[at] if at < len(STATE) else f"d{at}q"
    return ("", "d", "dd")[order] + name if order < 3 else f"d{order}{name}"


def argument(name: str) -> Argument:
    """Shape and meaning of an argument, time derivatives of the listed ones included."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    base = max((n for n in ARGUMENTS if name.endswith(n)), key=len)
    count = name.removesuffix(base)[1:]  # "d", "dd" or "d5" without its first letter
    order = int(count) if count.isdigit() else 1 + len(count)
    shape = ("nv",) if base == "q" else ARGUMENTS[base].shape
    return Argument(shape, f"time derivative {order} of {base}{_IF_NOT_GIVEN.get(base, '')}")


@dataclass(frozen=True)
class Row:
    """A public quantity.

    optional: arguments given by keyword. joint_space: the result depends on the inertias only
    through M and g, so the formula may run on `Tree.lumped`. of_frame: a quantity of a frame, whose
    formula takes the frame's index last. rates: own form of the time derivatives of a quantity that
    is itself the next derivative of the state. more: shapes of further results, if it has several.
    drives: the arguments (velocity, the velocity C acts on, acceleration) that armature and
    friction act on, for regressors that can have columns for them. solves: whether M is
    inverted. constant: the row that this one is with pi as an argument. own: its derivatives with
    forms of their own by name, if they are not those that `wrt_state` and `wrt_inertia` have for a
    quantity of this name.
    """

    name: str
    formula: Callable[..., Any]
    arguments: tuple[str, ...]
    shape: Shape
    doc: str
    unit: str
    equation: str
    optional: tuple[str, ...] = ()
    joint_space: bool = False
    of_frame: bool = False
    rates: Callable[..., Any] | None = None
    more: tuple[Shape, ...] = ()
    drives: tuple[str, str, str] | None = None
    solves: bool = False
    constant: Row | None = None
    own: Mapping[str, Callable[..., Any]] | None = field(default=None, compare=False)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Shapes of all results."""
        return (self.shape, *self.more)


def _joint_space(*columns: Any, **options: Any) -> Row:
    return Row(*columns, joint_space=True, **options)


def _of_frame(*columns: Any, **options: Any) -> Row:
    return Row(*columns, of_frame=True, **options)


_d, _k, _m = dynamics, kinematics, momenta

ROWS: tuple[Row, ...] = (
    _joint_space(
        "inverse_dynamics",
        _d.inverse_dynamics,
        ("q", "v", "a"),
        ("nv",),
        "Generalised forces tau = M a + C v + g, minus external forces if wrenches are given.",
        "N m, N",
        "Garofalo (5); Mueller-Kumar (20); Fakhari, Newton-Euler recursion",
        optional=("wrenches",),
    ),
    _joint_space(
        "forward_dynamics",
        _d.forward_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration a with M a + C v + g = tau, plus external forces if wrenches are given.",
        "rad/s^2, m/s^2",
        "Fakhari, forward dynamics; Jain-Rodriguez, identity 1.1",
        optional=("wrenches",),
        rates=wrt_time.forward_dynamics_rates,
        solves=True,
    ),
    _joint_space(
        "mass_matrix",
        _d.mass_matrix,
        ("q",),
        ("nv", "nv"),
        "Mass matrix M, armature included.",
        "kg m^2, kg m, kg",
        "Garofalo (6a); Mueller-Kumar (21); Jain-Rodriguez (1.2)",
    ),
    _joint_space(
        "mass_matrix_inverse",
        _d.mass_matrix_inverse,
        ("q",),
        ("nv", "nv"),
        "Inverse of the mass matrix.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "Jain-Rodriguez, identity 1.1",
        solves=True,
    ),
    _joint_space(
        "coriolis_matrix",
        _d.coriolis_matrix,
        ("q", "v"),
        ("nv", "nv"),
        "Christoffel Coriolis matrix C of M: C v are the velocity forces, and dM/dt = C + C^T.",
        "N m s, N s",
        "Jain-Rodriguez (5.53), Koszul; kernel (G ad - ad^T G - adstar_GV) / 2 in Garofalo (6b)",
    ),
    _joint_space(
        "christoffel",
        tensors.christoffel,
        ("q",),
        ("nv", "nv", "nv"),
        "Christoffel symbols Gamma with C_ij = sum_k Gamma_ijk v_k, for any joints.",
        "kg m^2, kg m, kg",
        "Jain-Rodriguez (5.53); Koszul's formula where velocities do not commute",
    ),
    _joint_space(
        "gravity_forces",
        _d.gravity_forces,
        ("q",),
        ("nv",),
        "Generalised forces g that hold the robot still.",
        "N m, N",
        "Garofalo (6c); Mueller-Kumar (25)",
    ),
    _joint_space(
        "bias_forces",
        _d.bias_forces,
        ("q", "v"),
        ("nv",),
        "Generalised forces C v + g that hold the velocity.",
        "N m, N",
        "Garofalo (5) with zero acceleration",
    ),
    _joint_space(
        "external_forces",
        _d.external_forces,
        ("q", "w"),
        ("nv",),
        "Generalised forces sum J_k^T w_k of wrenches acting on the bodies.",
        "N m, N",
        "Mueller-Kumar (27), with the wrench acting on the body",
    ),
    _joint_space(
        "joint_friction",
        _d.joint_friction,
        ("v",),
        ("nv",),
        "Friction of the joints, damping v + friction sign(v); part of no other quantity.",
        "N m, N",
        "",
    ),
    Row(
        "slotine_li_regressor",
        wrt_inertia.slotine_li_regressor,
        ("q", "v", "v_r", "a_r"),
        ("nv", "10nb"),
        "Regressor Y of adaptive control: M a_r + C v_r + g = Y pi, armature apart.",
        "N m, N; per unit of pi",
        "Garofalo (15), (16), for the Christoffel kernel",
        drives=("v", "v_r", "a_r"),
    ),
    _joint_space(
        "generalized_momentum",
        _m.generalized_momentum,
        ("q", "v"),
        ("nv",),
        "Generalised momentum M v, armature included.",
        "N m s, N s",
        "",
    ),
    _joint_space(
        "momentum_forces",
        _m.momentum_forces,
        ("q", "v"),
        ("nv",),
        "C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed.",
        "N m, N",
        "",
    ),
    _joint_space(
        "kinetic_energy",
        _m.kinetic_energy,
        ("q", "v"),
        (),
        "Kinetic energy v^T M v / 2, armature included.",
        "J",
        "Fakhari, kinetic energy",
    ),
    Row(
        "potential_energy",
        _m.potential_energy,
        ("q",),
        (),
        "Potential energy of gravity, zero at the world's origin.",
        "J",
        "Fakhari, potential energy",
    ),
    Row(
        "center_of_mass",
        _m.center_of_mass,
        ("q",),
        (3,),
        "Centre of mass of the moving bodies, in the world.",
        "m",
        "Garofalo, remark 3",
    ),
    Row(
        "com_jacobian",
        _m.com_jacobian,
        ("q",),
        (3, "nv"),
        "Jacobian of the centre of mass: its velocity in the world is J v.",
        "m, 1",
        "Garofalo (7)",
    ),
    Row(
        "momentum",
        _m.momentum,
        ("q", "v"),
        (6,),
        "Spatial momentum (angular, linear): world axes, about the world's origin.",
        "N m s, N s",
        "Garofalo (1)",
    ),
    Row(
        "momentum_matrix",
        _m.momentum_matrix,
        ("q",),
        (6, "nv"),
        "Matrix A with momentum = A v: world axes, about the world's origin.",
        "kg m^2, kg m, kg",
        "Garofalo (1)",
    ),
    Row(
        "centroidal_momentum",
        _m.centroidal_momentum,
        ("q", "v"),
        (6,),
        "Momentum (angular, linear): world axes, about the centre of mass.",
        "N m s, N s",
        "Garofalo (1)",
    ),
    Row(
        "centroidal_momentum_matrix",
        _m.centroidal_momentum_matrix,
        ("q",),
        (6, "nv"),
        "Matrix A with centroidal momentum = A v: world axes, about the centre of mass.",
        "kg m^2, kg m, kg",
        "Garofalo (1)",
    ),
    _of_frame(
        "pose",
        _k.frame_pose,
        ("q",),
        (4, 4),
        "Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv).",
        "1, m",
        "Mueller-Kumar (2)",
    ),
    _of_frame(
        "jacobian",
        _k.frame_jacobian,
        ("q",),
        (6, "nv"),
        "Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v.",
        "1, m",
        "Garofalo (27); Mueller-Kumar (9)",
    ),
    _of_frame(
        "jacobian_world",
        _k.frame_jacobian_world,
        ("q",),
        (6, "nv"),
        "Spatial Jacobian, rotation first: world axes, about the world's origin.",
        "1, m",
        "Garofalo, remark 2",
    ),
    _of_frame(
        "jacobian_mixed",
        _k.frame_jacobian_mixed,
        ("q",),
        (6, "nv"),
        "Jacobian, rotation first: world axes, about the frame's origin.",
        "1, m",
        "",
    ),
    _of_frame(
        "twist",
        _k.frame_twist,
        ("q", "v"),
        (6,),
        "Body-fixed twist (omega, v), in the frame's axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
    ),
    _of_frame(
        "twist_world",
        _k.frame_twist_world,
        ("q", "v"),
        (6,),
        "Spatial twist (omega, v): world axes, about the world's origin.",
        "rad/s, m/s",
        "Garofalo, remark 2",
    ),
    _of_frame(
        "twist_mixed",
        _k.frame_twist_mixed,
        ("q", "v"),
        (6,),
        "Twist (omega, v): world axes, about the frame's origin.",
        "rad/s, m/s",
        "",
    ),
)

#: Quantities of a robot and of a frame, by name.
ROBOT: dict[str, Row] = {row.name: row for row in ROWS if not row.of_frame}
FRAME: dict[str, Row] = {row.name: row for row in ROWS if row.of_frame}


# ------------------------------------------------------------------ derivatives in time


@cache
def time_row(row: Row, order: int, every: bool = False) -> Row:
    """The time derivative of that order, or with `every` all orders from the value up."""
    if row.constant is not None:
        return _again(row, time_row(row.constant, order, every))
    arguments = _with_rates(row.arguments, order, state_moves=row.rates is None)
    optional = tuple(rate_name(name, k) for name in row.optional for k in range(order + 1))

    def formula(tree: Tree, *inputs: Any) -> Any:
        frame = inputs[-1:] if row.of_frame else ()
        values = inputs[: len(inputs) - len(frame)]
        given = dict(zip((*arguments, *optional), values, strict=False))
        if row.rates is not None:
            levels = row.rates(tree, order, given)
        else:
            series = {
                name: [given[rate_name(name, k)] for k in range(order + 1)]
                for name in (*row.arguments, *row.optional)
                if name in given
            }
            levels = wrt_time.rates(row.formula, tree, series, order, frame)
        return levels if every and order else levels[order]

    marks = {1: "dt", 2: "dtt"}
    suffix = f"rates({order})" if every else marks[order]
    what = f"Value and time derivatives up to {order}" if every else f"Time derivative {order}"
    return replace(
        row,
        name=f"{row.name}.{suffix}",
        formula=formula,
        arguments=arguments,
        optional=optional,
        doc=f"{what} of {row.name}: {row.doc}",
        unit=f"{row.unit}; per second for each derivative",
        equation=row.equation and f"time derivatives of {row.equation}",
        rates=None,
        more=row.shapes * order if every else (),
        drives=None,
        own=None,
    )


#: Arrays that one call of a NumPy ufunc can have, arguments and results together.
MOST_ARRAYS = 64


def highest_rates(row: Row, *, optional: bool = False) -> int:
    """The highest order of all time derivatives of a quantity that one call can give.

    optional: with its optional arguments, which have time derivatives too.
    """

    def arrays(order: int) -> int:
        every = time_row(row, order, True)
        more = len(every.optional) if optional else 0
        return len(every.arguments) + more + len(every.shapes)

    return max(order for order in range(MOST_ARRAYS) if arrays(order) <= MOST_ARRAYS)


def _with_rates(names: tuple[str, ...], order: int, state_moves: bool) -> tuple[str, ...]:
    """Arguments with their time derivatives: the state in rising order, then the signals.

    state_moves: whether the state's own further derivatives are arguments too, not results.
    """
    reach = [STATE.index(name) for name in names if name in STATE]
    state: list[str] = []
    if reach:
        further = order if state_moves else 0
        state = [rate_name("q", k) for k in range(min(reach), max(reach) + further + 1)]
    signals = [rate_name(n, k) for n in names if n not in STATE for k in range(order + 1)]
    return (*state, *signals)


# ------------------------------------------------------------------ derivatives in the state

#: What a derivative in an argument is called; q is differentiated along velocities.
_IN_STATE = {"q": "dq", "v": "dv", "a": "da", "tau": "dtau"}


#: Derivatives that have derivatives in time and state themselves.
DIFFERENTIABLE = ("dpi",)


def derivative_names(row: Row) -> tuple[str, ...]:
    """Names of the derivatives a quantity has, besides rates(k)."""
    first = [_IN_STATE[name] for name in row.arguments if name in _IN_STATE]
    if row.own is not None:
        more = dict.fromkeys((*(n for n in row.own if n != "dgeometry"), *_GEOMETRY))
        return ("dt", "dtt", *first, *(name for name in more if name not in first))
    second = wrt_state.SECOND.get(row.name, ())
    names = ("dt", "dtt", *first, *second, *FUSED.get(row.name, {}))
    if "." in row.name:  # a derivative itself
        return names
    design = ("dpi",) if row.name in wrt_inertia.DPI else ()
    return (*names, *design, *(() if row.name in wrt_screws.WITHOUT else _GEOMETRY))


@cache
def derivative_row(row: Row, name: str) -> Row:
    """The derivative called `name`, one of `derivative_names`."""
    if row.constant is not None:
        return _again(row, derivative_row(row.constant, name))
    if name == "dpi":
        return _parameter_row(row)
    if name in _GEOMETRY:
        return _geometry_row(row, name)
    if name in ("dt", "dtt"):
        return time_row(row, len(name) - 1)
    if row.own is None and name in FUSED.get(row.name, {}):
        return FUSED[row.name][name]
    forms = wrt_state.CLOSED.get(row.name, {}) if row.own is None else row.own
    closed = forms.get(name)
    if closed is None:
        closed = _directional(row, name)
    shape = (*row.shape, *("nv",) * _letters(name)[2])
    doc = f"Derivative {name} of {row.name}, differentiation axes last: {row.doc}"
    if row.name == "pose":
        shape, doc = (6, "nv"), f"Derivative {name} of pose, which is frame.jacobian: {_AS_TWIST}."
    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=closed,
        shape=shape,
        doc=doc,
        unit=f"{row.unit}; per unit of what it is differentiated by",
        equation=_STATE_EQUATIONS.get(f"{row.name}.{name}", ""),
        rates=None,
        drives=None,
        own=None,
    )


#: A pose has six directions, not sixteen: what its derivatives but those in time are given as.
_AS_TWIST = (
    "the body-fixed twist (rotation first, in the frame's axes) of the frame per unit of what it is"
    " differentiated by, not a derivative of the matrix"
)

_STATE_EQUATIONS = {
    "inverse_dynamics.dq": "Garofalo (24); Singh, Russo and Wensing",
    "inverse_dynamics.dv": "Garofalo (24); Singh, Russo and Wensing",
    "mass_matrix.dq": "Garofalo (24a); Jain-Rodriguez (5.52)",
    "coriolis_matrix.dq": "Garofalo (24b), for the Christoffel kernel",
    "coriolis_matrix.dv": "Garofalo (24c), for the Christoffel kernel",
    "gravity_forces.dq": "Garofalo (24d)",
    "jacobian.dq": "Garofalo (31)",
}


def _letters(name: str) -> tuple[str, str, int]:
    """First and second argument of a derivative's name, and its order: dqtau is (q, tau, 2)."""
    rest = name[1:]
    first = next(x for x in ("tau", "q", "v", "a") if rest.startswith(x))
    second = rest[len(first) :]
    return first, second, 2 if second else 1


def _directional(row: Row, name: str) -> Callable[..., Any]:
    first, second, order = _letters(name)
    inner = derivative_row(row, f"d{first}").formula if order == 2 else row.formula
    wrt = second if order == 2 else first
    place = row.arguments.index(wrt)

    def formula(tree: Tree, *inputs: Any) -> Any:
        count = len(row.arguments)
        arguments, extra = inputs[:count], inputs[count:]
        return wrt_state.directional(inner, tree, arguments, place, extra, configuration=wrt == "q")

    return formula


# ------------------------------------------------------------------ geometry

#: Derivatives in the geometry: whether only the joint's axis moves, or all beyond it too.
_GEOMETRY = {"dscrew": True, "dplacement": False}


def _geometry_row(row: Row, name: str) -> Row:
    closed, screw = wrt_screws.CLOSED.get(row.name), _GEOMETRY[name]
    if row.own is not None:
        closed = row.own.get("dgeometry")

    def formula(tree: Tree, *inputs: Any) -> Any:
        if closed is None:
            return wrt_screws.along_geometry(row.formula, tree, inputs, screw)
        return closed(tree, *inputs, screw=screw)

    what = "screw of each joint" if screw else "placement of each joint, with all beyond it"
    of = f"{_AS_TWIST}." if row.name == "pose" else row.doc
    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=formula,
        shape=(*((6,) if row.name == "pose" else row.shape), "nb", 6),
        doc=f"Derivative in the {what}, axes (nb, 6) last: {of}",
        unit=f"{row.unit}; per rad or m of displacement, in the body's axes",
        equation="Kwon (6)-(10), Algorithm 1" if screw else "",
        joint_space=False,
        rates=None,
        drives=None,
        own=None,
    )


# ------------------------------------------------------------------ inertial parameters

_PARAMETER_EQUATIONS = {
    "inverse_dynamics": "Garofalo (16) with the classic arguments",
    "mass_matrix": "Garofalo (13a)",
    "coriolis_matrix": "Garofalo (13b), for the Christoffel kernel",
    "gravity_forces": "Garofalo (13c)",
}


def _parameter_row(row: Row) -> Row:
    return replace(
        row,
        name=f"{row.name}.dpi",
        formula=wrt_inertia.DPI[row.name] if row.own is None else row.own["dpi"],
        shape=(*row.shape, "10nb"),
        doc=f"Derivative in the inertial parameters of all bodies, axis last: {row.doc}",
        unit=f"{row.unit}; per unit of pi",
        equation=_PARAMETER_EQUATIONS.get(row.name, ""),
        # forces on the bodies do not depend on their inertia; accelerations feel both
        optional=row.optional if "tau" in row.arguments else (),
        joint_space=False,
        rates=None,
        drives=("v", "v", "a") if row.name == "inverse_dynamics" and row.own is None else None,
        own=None,
    )


@cache
def extended_row(row: Row, smooth: bool) -> Row:
    """A regressor with further columns: armature, viscous and Coulomb friction, nv of each.

    smooth: Coulomb friction fades below the speed `smoothing`, a further argument.
    """
    assert row.drives is not None
    places = [row.arguments.index(name) for name in row.drives]
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        smoothing = inputs[count] if smooth else None
        v, v_r, a_r = (inputs[k] for k in places)
        drives = wrt_inertia.drive_columns(tree, v, v_r, a_r, smoothing)
        return np.concatenate((row.formula(tree, *inputs[:count]), drives), axis=1)

    return replace(
        row,
        name=f"{row.name}.extended" + ("_smooth" if smooth else ""),
        formula=formula,
        arguments=(*row.arguments, *(("smoothing",) if smooth else ())),
        optional=(),
        shape=("nv", "10nb+3nv"),
        doc=f"{row.doc} Then columns of armature, viscous and Coulomb friction, nv of each.",
        drives=None,
    )


@cache
def parametric_row(row: Row) -> Row:
    """The row with the inertial parameters as its last argument, and gravity by name."""
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        arguments, pi, rest = inputs[:count], inputs[count], inputs[count + 1 :]
        gravity = rest[-1] if rest else None
        return row.formula(tree.with_inertias(pi, gravity), *arguments, *rest[:-1])

    return replace(_with_numbers(row, formula, ("pi",)), optional=(*row.optional, "gravity"))


@cache
def morphable_row(row: Row) -> Row:
    """The row with parameters, placements and screws as its last arguments."""
    count = len(row.arguments)
    shape = ("placements", "screws") if row.of_frame else ("pi", "placements", "screws")

    def formula(tree: Tree, *inputs: Any) -> Any:
        numbers = dict(zip(shape, inputs[count:], strict=False))
        if "pi" in numbers:
            tree = tree.with_inertias(numbers["pi"])
        tree = tree.with_geometry(numbers["placements"], numbers["screws"])
        return row.formula(tree, *inputs[:count], *inputs[count + len(shape) :])

    return _with_numbers(row, formula, shape)


def _with_numbers(row: Row, formula: Callable[..., Any], names: tuple[str, ...]) -> Row:
    """The row with some of the robot's numbers as further arguments."""
    return replace(
        row,
        formula=formula,
        arguments=(*row.arguments, *names),
        joint_space=False,
        rates=None,
        drives=None,
        constant=row,
    )


def _again(row: Row, derivative: Row) -> Row:
    """A derivative with the same further arguments that a row has."""
    return (morphable_row if "placements" in row.arguments else parametric_row)(derivative)


#: Quantities that take the inertial parameters, or also the geometry, as arguments, by name.
PARAMETRIC: dict[str, Row] = {
    name: parametric_row(row) for name, row in ROBOT.items() if name in wrt_inertia.DPI
}
MORPHABLE: dict[str, Row] = {
    name: morphable_row(row) for name, row in ROBOT.items() if name not in wrt_screws.WITHOUT
}
MORPHABLE_FRAME: dict[str, Row] = {name: morphable_row(row) for name, row in FRAME.items()}


_MATRIX: Shape = ("nv", "nv")

#: Several derivatives from one kernel, and contractions.
FUSED: dict[str, dict[str, Row]] = {
    "inverse_dynamics": {
        "derivatives": Row(
            "inverse_dynamics.derivatives",
            wrt_state.inverse_dynamics_derivatives,
            ("q", "v", "a"),
            ("nv",),
            "tau with its derivatives in q, v and a (which is M), from one kernel.",
            "N m, N; per unit of what it is differentiated by",
            "Singh, Russo and Wensing",
            optional=("wrenches",),
            joint_space=True,
            more=(_MATRIX,) * 3,
        ),
        "hessian": Row(
            "inverse_dynamics.hessian",
            wrt_state.hessian,
            ("q", "v", "a", "lam"),
            ("3nv", "3nv"),
            "Sum of lam_i times the second derivatives of tau_i over (q, v, a).",
            "lam times N m, N; per unit of what it is differentiated by",
            "",
            optional=("wrenches",),
            joint_space=True,
        ),
        "design": Row(
            "inverse_dynamics.design",
            wrt_screws.weighted_design,
            ("q", "v", "a", "lam"),
            ("nb", 10),
            "Gradient of lam . tau in parameters, joint screws and placements, from one kernel.",
            "lam times N m, N; per unit of what it is differentiated by",
            "",
            optional=("wrenches",),
            more=(("nb", 6), ("nb", 6)),
        ),
    },
    "forward_dynamics": {
        "derivatives": Row(
            "forward_dynamics.derivatives",
            wrt_state.forward_dynamics_derivatives,
            ("q", "v", "tau"),
            ("nv",),
            "a with its derivatives in q, v and tau (which is the inverse of M), from one kernel.",
            "rad/s^2, m/s^2; per unit of what it is differentiated by",
            "minus the inverse of M times the derivatives of inverse dynamics",
            optional=("wrenches",),
            joint_space=True,
            solves=True,
            more=(_MATRIX,) * 3,
        ),
    },
}
