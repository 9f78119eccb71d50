"""Which derivative of which row, by which form: `derivative` answers, `derivative_names` lists.

A derivative is a row again. It has the form that its quantity's row gives for it, or goes by a
rule: Taylor series along time, along the directions of an argument, or along displacements of the
joints. Rows with the robot's numbers as arguments (`parametric`, `morphable`) are derived too, and
their derivatives are those of the row they come from, with the same numbers as arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from jounce.catalog import pullbacks
from jounce.catalog.arguments import ARGUMENTS, IN_STATE, STATE, Argument, Shape, rate_name
from jounce.catalog.row import GEOMETRY, Form, Formula, Row
from jounce.catalog.rows import ROWS
from jounce.errors import ArgumentError
from jounce.formulas import wrt_screws, wrt_state, wrt_time
from jounce.formulas.mechanism.derivatives import drive_columns
from jounce.model.tree import Tree

#: Derivatives in time, by their order.
_TIME = {"dt": 1, "dtt": 2}

#: Regressors with columns for the drives: whether Coulomb friction fades at low speed.
EXTENDED = {"extended": False, "extended_smooth": True}

_RATES = re.compile(r"rates\((\d+)\)")

#: Letters of derivatives in the state, axis after axis: dq, dtau, dqtau.
_AXIS = re.compile("|".join(sorted(IN_STATE, key=len, reverse=True)))
_AXES = re.compile(f"d(?:{_AXIS.pattern})+")


def derivative_names(row: Row) -> tuple[str, ...]:
    """Names of the derivatives a quantity has, besides rates(k)."""
    if not row.differentiable:
        return ()
    first = [f"d{name}" for name in row.arguments if name in IN_STATE]
    geometry = GEOMETRY if row.geometry else ()
    return tuple(dict.fromkeys((*_TIME, *first, *row.forms, *geometry, *pullbacks.NAMES)))


@cache
def derivative(row: Row, name: str) -> Row:
    """The derivative of a row called `name`, as a row.

    name: one of `derivative_names`, or rates(k) for the value with its time derivatives up to k,
    or for a regressor with drives one of `EXTENDED`.
    """
    if name in pullbacks.NAMES:
        return pullbacks.row_of(row, name)
    if row.constant is not None and row.variant is not None:
        return row.variant(derivative(row.constant, name))
    if order := _RATES.fullmatch(name):
        return _in_time(row, name, int(order[1]), every=True)
    if name in _TIME:
        return _in_time(row, name, _TIME[name], every=False)
    if name == "dpi" and name in row.forms:
        return _in_parameters(row, name)
    if name in GEOMETRY and row.geometry:
        return _in_geometry(row, name)
    axes = tuple(_AXIS.findall(name[1:])) if _AXES.fullmatch(name) else ()
    if axes and {*axes} <= {*row.arguments}:
        return _in_state(row, name, axes)
    if name in row.forms:
        return _together(row, name)
    if name in EXTENDED and row.drives is not None:
        return _extended(row, name)
    valid = ", ".join((*derivative_names(row), "rates(order)"))
    raise ValueError(f"{row.name} has no derivative '{name}'; choose one of {valid}")


def _derived(
    row: Row,
    name: str,
    rule: Formula | None,
    shape: Shape,
    doc: str,
    wrt: tuple[str, ...] = (),
    **changed: Any,
) -> Row:
    """The derivative by the rule, and what its form says otherwise.

    rule: the formula if the form has none. changed: fields that do not stay the row's.
    """
    form = row.forms.get(name, Form())
    arguments = (*row.arguments, *form.arguments)
    formula = rule if form.formula is None else form.of(arguments, row.of_frame)
    ruled = {
        "shape": shape,
        "doc": doc,
        "unit": f"{row.unit}; per unit of what it is differentiated by",
        "equation": "",
        "joint_space": row.joint_space and form.joint_space,
        "differentiable": False,
        **changed,
    }
    said = {key: getattr(form, key) for key in ("shape", "doc", "unit", "equation")}
    return replace(
        row,
        **ruled | {key: x for key, x in said.items() if x not in (None, "")},
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=arguments,
        letter=" ".join(f"{letter}_{name}" for letter in row.letter.split()),
        forms=_further(row, name),
        tangent=None,
        geometry=False,
        coordinates=False,
        rates=None,
        drives=form.drives,
        more=form.more,
        of=row,
        wrt=wrt,
        orders=(),
    )


def _further(row: Row, name: str) -> dict[str, Form]:
    """Forms of a derivative's own derivatives: what dqv is to a quantity, dv is to its dq."""
    own = {f"d{key.removeprefix(name)}": x for key, x in row.forms.items() if key.startswith(name)}
    return {key: form for key, form in own.items() if _AXES.fullmatch(key)}


# ------------------------------------------------------------------ derivatives in time


def _in_time(row: Row, name: str, order: int, every: bool) -> Row:
    """The time derivative of that order, or with `every` all orders from the value up.

    Several results come order after order: M, C, g, dM, dC, dg.
    """
    if pullbacks.ambiguous(row):
        return pullbacks.in_time(row, lambda plain: _in_time(plain, name, order, every))
    given_motion = row.rates is None or "tau" not in row.arguments
    arguments = _with_rates(row.arguments, order, state_moves=given_motion)
    optional = tuple(rate_name(name, k) for name in row.optional for k in range(order + 1))
    base = dict.fromkeys(rate_name(name, k) for name in row.base for k in range(order + 1))

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
        if not every or not order:
            return levels[order]
        return [x for level in levels for x in level] if row.more else levels

    what = f"Value and time derivatives up to {order}" if every else f"Time derivative {order}"
    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=arguments,
        optional=optional,
        base=tuple(base),
        doc=f"{what} of {row.name}: {row.doc}",
        unit=f"{row.unit}; per second for each derivative",
        equation=row.equation and f"time derivatives of {row.equation}",
        forms={},
        tangent=None,
        geometry=False,
        coordinates=False,
        own=_own_with_rates(row, order),
        rates=None,
        drives=None,
        more=(*row.more, *row.shapes * order) if every else row.more,
        of=row,
        orders=tuple(k for k in (range(order + 1) if every else (order,)) for _ in row.shapes),
        parts=tuple(
            f"{part}{'_' * (k > 0)}{'t' * k}"
            for k in (range(order + 1) if every else (order,))
            for part in row.parts
        ),
        differentiable=False,
    )


def _own_with_rates(row: Row, order: int) -> dict[str, Argument]:
    """The row's own arguments with their time derivatives."""
    return {
        rate_name(name, k): given
        if k == 0
        else replace(given, doc=f"time derivative {k} of {given.doc}")
        for name, given in row.own.items()
        for k in range(order + 1)
    }


#: Arrays that one call of a NumPy ufunc can have, arguments and results together.
MOST_ARRAYS = 64


def highest_rates(row: Row, *, optional: bool = False) -> int:
    """The highest order of all time derivatives of a quantity that one call can give.

    optional: with its optional arguments, which have time derivatives too.
    """

    def arrays(order: int) -> int:
        every = derivative(row, f"rates({order})")
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


def _in_state(row: Row, name: str, axes: tuple[str, ...]) -> Row:
    of = row.doc if row.tangent is None else f"{row.tangent.doc}."
    return _derived(
        row,
        name,
        _directional(row, axes),
        (*row.directions, *("nv",) * len(axes)),
        f"Derivative {name} of {row.name}, differentiation axes last: {of}",
        wrt=axes,
    )


def _directional(row: Row, axes: tuple[str, ...]) -> Formula:
    """The last of the derivatives by series, one direction at a time; those before as they are."""
    *before, wrt = axes
    inner = derivative(row, f"d{''.join(before)}") if before else row
    if before and row.forms.get(f"d{''.join(before)}", Form()).formula is None:
        raise ArgumentError(
            f"{row.name}: d{''.join(axes)} by series needs a form of d{''.join(before)} in the row"
        )
    place, count = row.arguments.index(wrt), len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        arguments, extra = inputs[:count], inputs[count:]
        moved = wrt == "q"
        return wrt_state.directional(
            inner.formula, tree, arguments, place, extra, configuration=moved
        )

    return formula


def _together(row: Row, name: str) -> Row:
    """Several derivatives from one kernel, and contractions: all is said by the form."""
    return _derived(row, name, None, row.shape, row.doc)


# ------------------------------------------------------------------ geometry


def _in_geometry(row: Row, name: str) -> Row:
    screw = GEOMETRY[name]

    def formula(tree: Tree, *inputs: Any) -> Any:
        return wrt_screws.along_geometry(row.formula, tree, inputs, screw)

    what = "screw of each joint" if screw else "placement of each joint, with all beyond it"
    of = row.doc if row.tangent is None else f"{row.tangent.doc}."
    return _derived(
        row,
        name,
        formula,
        (*row.directions, "nb", 6),
        f"Derivative in the {what}, axes (nb, 6) last: {of}",
        wrt=("screws" if screw else "placements",),
        unit=f"{row.unit}; per rad or m of displacement, in the body's axes",
        equation="Kwon (6)-(10), Algorithm 1" if screw else "",
        joint_space=False,
    )


# ------------------------------------------------------------------ inertial parameters


def _in_parameters(row: Row, name: str) -> Row:
    return _derived(
        row,
        name,
        None,
        (*row.shape, "10nb"),
        f"Derivative in the inertial parameters of all bodies, axis last: {row.doc}",
        wrt=("pi",),
        unit=f"{row.unit}; per unit of pi",
        # forces on the bodies do not depend on their inertia; accelerations feel both
        optional=row.optional if "tau" in row.arguments else (),
        joint_space=False,
        differentiable=True,
    )


def _extended(row: Row, name: str) -> Row:
    """A regressor with further columns: armature, viscous and Coulomb friction of all joints."""
    smooth = EXTENDED[name]
    assert row.drives is not None
    places = [row.arguments.index(drive) for drive in row.drives]
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        smoothing = inputs[count] if smooth else None
        v, v_r, a_r = (inputs[k] for k in places)
        drives = drive_columns(tree, inputs[0], v, v_r, a_r, smoothing)
        return np.concatenate((row.formula(tree, *inputs[:count]), drives), axis=1)

    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=(*row.arguments, *(("smoothing",) if smooth else ())),
        optional=(),
        shape=("nv", "10nb+3nt"),
        doc=f"{row.doc} Then columns of armature, viscous and Coulomb friction of all joints.",
        letter=f"{row.letter}_{name}",
        drives=None,
        of=row,
        differentiable=False,
    )


# ------------------------------------------------------------------ numbers as arguments


@cache
def mounted(row: Row) -> Row:
    """The row with the motion of what the robot is mounted on as further optional arguments."""
    count = len(row.arguments) + len(row.optional)
    end = count + len(row.base)

    def formula(tree: Tree, *inputs: Any) -> Any:
        moving = replace(tree, base=tuple(inputs[count:end]))
        return row.formula(moving, *inputs[:count], *inputs[end:])

    return replace(row, formula=formula, optional=(*row.optional, *row.base), base=())


@cache
def parametric(row: Row) -> Row:
    """The row with the inertial parameters as its last argument, and gravity by name."""
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        arguments, pi, rest = inputs[:count], inputs[count], inputs[count + 1 :]
        gravity = rest[-1] if rest else None
        return row.formula(tree.with_inertias(pi, gravity), *arguments, *rest[:-1])

    named = _with_numbers(row, formula, ("pi",), parametric)
    return replace(named, optional=(*row.optional, "gravity"))


@cache
def morphable(row: Row) -> Row:
    """The row with parameters, placements and screws as its last arguments."""
    count = len(row.arguments)
    shape = ("placements", "screws") if row.of_frame else ("pi", "placements", "screws")

    def formula(tree: Tree, *inputs: Any) -> Any:
        numbers = dict(zip(shape, inputs[count:], strict=False))
        if "pi" in numbers:
            tree = tree.with_inertias(numbers["pi"])
        tree = tree.with_geometry(numbers["placements"], numbers["screws"])
        return row.formula(tree, *inputs[:count], *inputs[count + len(shape) :])

    return _with_numbers(row, formula, shape, morphable)


def _with_numbers(
    row: Row, formula: Formula, names: tuple[str, ...], variant: Callable[[Row], Row]
) -> Row:
    """The row with some of the robot's numbers as further arguments."""
    return replace(
        row,
        formula=formula,
        arguments=(*row.arguments, *names),
        joint_space=False,
        rates=None,
        drives=None,
        constant=row,
        variant=variant,
    )


# ------------------------------------------------------------------ what is offered


class Tables(NamedTuple):
    """Quantities of a kind of robot and of its frames, and those with numbers as arguments.

    parametric: with the inertial parameters; morphable, morphable_frames: also with the geometry.
    """

    quantities: dict[str, Row]
    frames: dict[str, Row]
    parametric: dict[str, Row]
    morphable: dict[str, Row]
    morphable_frames: dict[str, Row]

    def offer(self, row: Row) -> None:
        """Put a row where it belongs."""
        own, shaped = (
            (self.frames, self.morphable_frames)
            if row.of_frame
            else (self.quantities, self.morphable)
        )
        own[row.name] = row
        if "dpi" in row.forms and not row.of_frame:
            self.parametric[row.name] = parametric(row)
        if row.geometry:
            shaped[row.name] = morphable(row)


#: What trees have; `catalog.mechanism` has the tables of mechanisms.
TREE = Tables({}, {}, {}, {}, {})
ROBOT, FRAME, PARAMETRIC, MORPHABLE, MORPHABLE_FRAME = TREE

#: Who else offers what trees have, each with what it makes of a row.
ALSO: list[tuple[Tables, Callable[[Row], None]]] = []


def add(row: Row) -> None:
    """Offer a quantity of every robot, or of every frame if it is one of a frame."""
    offered = FRAME if row.of_frame else ROBOT
    if row.name in offered or not row.name.isidentifier() or row.name.startswith("_"):
        raise ArgumentError(
            f"a quantity needs a name of its own, an identifier without a leading underscore, found"
            f" '{row.name}'; there are {', '.join(offered)}"
        )
    unknown = [name for name in (*row.arguments, *row.optional) if name not in ARGUMENTS]
    if unknown:
        raise ArgumentError(
            f"{row.name}: '{unknown[0]}' is no argument that quantities have; choose among"
            f" {', '.join(ARGUMENTS)}"
        )
    for name in row.forms:
        derivative(row, name)  # says what is wrong with it
    TREE.offer(row)
    for _, offer in ALSO:
        offer(row)


def remove(name: str) -> None:
    """Offer an added quantity no longer; robots that have used it keep it."""
    if name in (row.name for row in ROWS) or name not in {**ROBOT, **FRAME}:
        raise ArgumentError(f"'{name}' is no quantity that was added")
    for tables in (TREE, *(tables for tables, _ in ALSO)):
        for table in tables:
            table.pop(name, None)


for _row in ROWS:
    TREE.offer(_row)
