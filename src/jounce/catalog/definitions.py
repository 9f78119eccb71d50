"""Definitions of derivatives: formula, arguments, results and description.

A derivative uses its closed form or automatic differentiation (`autodiff`), whichever is shorter
for a robot. A derivative of a variant with robot parameters as arguments is the same variant of the
derivative of the original quantity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.catalog.arguments import rate_name
from jounce.catalog.autodiff import directions, time_derivatives
from jounce.catalog.autodiff.directions import CLOSED, modes, shortest
from jounce.catalog.autodiff.recording import as_list, one_or_all
from jounce.catalog.charts import CONFIGURATION, Shape, convert_derivatives
from jounce.catalog.derivative import Derivative, derive, split_parameters
from jounce.catalog.names import parse_variable
from jounce.catalog.product_definitions import define_jvp, define_vjp
from jounce.catalog.quantity import AnyQuantity, Form, Formula, Quantity, Result
from jounce.catalog.rate_arguments import RateArguments
from jounce.catalog.variables import (
    Extended,
    Jvp,
    Named,
    RobotParameter,
    State,
    Time,
    Variable,
    Variant,
    Vjp,
)
from jounce.catalog.variants import define_extended, define_variant
from jounce.model.tree import Tree


def define(quantity: AnyQuantity, variable: Variable) -> Quantity:
    """Return the definition of `derive(quantity, variable)`."""
    match variable:
        case Variant():
            return define_variant(quantity, variable)
        case Jvp():
            return define_jvp(quantity, variable)
        case Vjp():
            return define_vjp(quantity, variable)
    if (split := split_parameters(quantity)) is not None:
        constant, variant = split
        return derive(derive(constant, variable), variant).definition
    match variable:
        case Time():
            return _define_time_derivative(quantity, variable)
        case State():
            return _define_state_derivative(quantity, variable)
        case RobotParameter():
            return _commute_parameter_derivative(
                quantity, variable
            ) or _define_parameter_derivative(quantity, variable)
        case Extended():
            return define_extended(quantity, variable)
        case Named():
            return _define_shortest(quantity, variable, {}, (), quantity.doc)


def _define_shortest(
    quantity: AnyQuantity,
    variable: Variable,
    rules: Mapping[str, Formula],
    axes: Shape,
    doc: str,
    **changes: Any,
) -> Quantity:
    """Define a derivative that is traced in the shortest of several formulations.

    rules: formulas by automatic differentiation, by name, the default first; a closed form of the
    quantity comes before them. axes: axes of differentiation. changes: fields that differ from
    the defaults; the quantity's form takes precedence.
    """
    name = str(variable)
    form = quantity.forms.get(name, Form())
    required = (*quantity.arguments, *form.arguments)
    closed = {} if form.formula is None else {CLOSED: form.bind(required, quantity.of_frame)}
    traits = replace(
        quantity.traits,
        joint_space=quantity.joint_space and form.joint_space,
        inertial=quantity.inertial,
    )
    definition = Quantity(
        f"{quantity.name}.{name}",
        shortest(f"{quantity.name}.{name}", {**closed, **rules}),
        replace(quantity.signature, required=required),
        form.results or _results(quantity, name, axes),
        doc,
        f"{quantity.unit}; per unit of the variable",
        traits=traits,
        drives=form.drives,
        options=quantity.options,
    )
    texts = {key: text for key in ("doc", "unit", "equation") if (text := getattr(form, key))}
    return replace(definition, **changes | texts)


def _results(quantity: AnyQuantity, name: str, axes: Shape) -> tuple[Result, ...]:
    """Return the results of a derivative, axes of differentiation last."""
    return tuple(
        Result((*x.tangent_shape, *axes), f"{x.symbol}_{name}", part=x.part)
        for x in quantity.results
    )


def _describe_subject(quantity: AnyQuantity) -> str:
    """Return the description of what is differentiated: tangents of results, or the quantity."""
    charts = dict.fromkeys(chart.result_doc for chart in quantity.charts if chart is not None)
    return f"{'; '.join(charts)}." if charts else quantity.doc


def _to_tangents(
    quantity: AnyQuantity, tree: Tree, inputs: Sequence[Any], derivatives: Sequence[Any]
) -> Any:
    """Convert derivatives of results on manifolds to tangents."""
    if quantity.has_charts:
        derivatives = convert_derivatives(
            quantity.charts, tree, as_list(quantity.formula(tree, *inputs)), derivatives
        )
    return one_or_all(derivatives)


def _is_scalar(quantity: AnyQuantity) -> bool:
    return all(shape == () for shape in quantity.shapes)


# ------------------------------------------------------------------ time


def _define_time_derivative(quantity: AnyQuantity, variable: Time) -> Quantity:
    """Define time derivatives; results are sorted by order: M, C, g, dM, dC, dg."""
    order, every = variable.order, variable.every
    rates = RateArguments(
        quantity, order, state_moves=quantity.rates is None or "tau" not in quantity.arguments
    )

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, frame = quantity.split_frame(inputs)
        levels = _evaluate_orders(quantity, tree, rates, values, order, frame)
        kept = levels if every and order else levels[order:]
        return one_or_all([x for level in kept for x in level])

    first = {1: "First time derivative", 2: "Second time derivative"}
    what = first.get(order, f"Time derivative of order {order}")
    if every:
        what = f"Value and time derivatives up to order {order}"
    return Quantity(
        f"{quantity.name}.{variable}",
        formula,
        rates.signature,
        tuple(_rate_result(quantity, x, k) for k in variable.orders for x in quantity.results),
        f"{what} of {quantity.name}: {quantity.doc}",
        f"{quantity.unit}; per second for each derivative",
        quantity.equation and f"time derivatives of {quantity.equation}",
        traits=replace(quantity.traits, inertial=quantity.inertial),
        options=quantity.options,
    )


def _evaluate_orders(
    quantity: AnyQuantity,
    tree: Tree,
    rates: RateArguments,
    values: Sequence[Any],
    order: int,
    frame: tuple[Any, ...],
) -> list[Sequence[Any]]:
    """Return the results, their first time derivatives, and so on, from values of all arguments."""
    if quantity.rates is not None:
        levels = quantity.rates(tree, order, rates.by_name(values))
    else:
        places = rates.levels(len(values))
        moving = [name for name in places if quantity.argument(name).chart is CONFIGURATION]
        levels = time_derivatives.in_time(
            quantity.formula, tree, values, places, order, frame, moving=moving
        )
    return [as_list(level) for level in levels]


def _rate_result(quantity: AnyQuantity, result: Result, order: int) -> Result:
    """Return the time derivative of a result: dtau of a quantity, tau_dq_dt of a derivative."""
    if result.part:
        late = f"{result.part}{'_' * (order > 0)}{'t' * order}"
        return Result(result.shape, result.symbol, part=late)
    if quantity.origin is None:
        return Result(result.shape, rate_name(result.symbol, order))
    return Result(result.shape, f"{result.symbol}_d{'t' * order}" if order else result.symbol)


# ------------------------------------------------------------------ state


def _define_state_derivative(quantity: AnyQuantity, variable: State) -> Quantity:
    closed = quantity.forms.get(str(variable), Form()).formula is not None
    other = None if closed else _permuted_form(quantity, variable.axes)
    return _define_shortest(
        quantity,
        variable,
        _last_axis_rules(quantity, variable.axes) if other is None else {CLOSED: other},
        tuple(size for axis in variable.axes for size in quantity.argument(axis).tangent_shape),
        f"Derivative {variable} of {quantity.name}, differentiation axes last:"
        f" {_describe_subject(quantity)}",
    )


def _permuted_form(quantity: AnyQuantity, axes: tuple[str, ...]) -> Formula | None:
    """Return a closed form of the derivative with axes in another order, reordered, or None."""
    for name, form in quantity.forms.items():
        match parse_variable(name, quantity.axes):
            case State(others) if form.formula is not None and sorted(others) == sorted(axes):
                return _reorder_axes(derive(quantity, State(others)).formula, list(others), axes)
    return None


def _reorder_axes(closed: Formula, others: list[str], axes: tuple[str, ...]) -> Formula:
    """Return a formula with its last axes in the order of `axes`; equal ones keep their order."""
    count, places = len(axes), []
    for axis in axes:
        places.append(others.index(axis) - count)
        others[others.index(axis)] = ""

    def formula(tree: Tree, *inputs: Any) -> Any:
        return np.moveaxis(closed(tree, *inputs), places, range(-count, 0))

    return formula


def _last_axis_rules(quantity: AnyQuantity, axes: tuple[str, ...]) -> dict[str, Formula]:
    """Return formulas that differentiate in the last axis the derivative in the axes before."""
    *before, wrt = axes
    inner = derive(quantity, State(tuple(before))) if before else quantity
    place = quantity.arguments.index(wrt)
    is_configuration = quantity.argument(wrt).chart is CONFIGURATION

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = quantity.split_frame(inputs)
        derivatives = directions.in_state(
            inner.formula,
            tree,
            arrays,
            place,
            frame,
            configuration=is_configuration,
            reverse=reverse,
        )
        return _to_tangents(inner, tree, inputs, derivatives)

    return modes(formula, scalar=_is_scalar(inner))


# ------------------------------------------------------------------ parameters of the robot

_DISPLACEMENT = "displacement (rad, m) in the body's axes"
_IN_FRAME = "displacement (rad, m) in the frame's axes"

#: Derivatives in parameters of the robot: axes, description, and variable in the unit.
_PARAMETER_AXES: dict[RobotParameter, tuple[Shape, str, str]] = {
    RobotParameter.INERTIAL: (
        ("10nb",),
        "inertial parameters of all bodies, axis last",
        "unit of pi",
    ),
    RobotParameter.SCREWS: (("nb", 6), "screw of each joint, axes (nb, 6) last", _DISPLACEMENT),
    RobotParameter.PLACEMENTS: (
        ("nb", 6),
        "placement of each joint, which moves its subtree, axes (nb, 6) last",
        _DISPLACEMENT,
    ),
    RobotParameter.FRAME: (
        (6,),
        "placement of the frame on its body, axis (6,) last",
        _IN_FRAME,
    ),
    RobotParameter.LOOPS: (
        ("loops", 2, 6),
        "placements of frames a and b of each loop, axes (loops, 2, 6) last",
        _IN_FRAME,
    ),
    RobotParameter.CONTACTS: (
        ("nk", 6),
        "placement of each contact, axes (contacts, 6) last",
        _IN_FRAME,
    ),
}


def _displaced_frames(
    tree: Tree, variable: RobotParameter, frame: tuple[int, ...]
) -> tuple[list[int], tuple[int, ...]]:
    """Return the frames whose placements a derivative is in, and the shape to arrange them in."""
    if variable is RobotParameter.LOOPS:
        return [k for a, b, _ in tree.loops for k in (a, b)], (len(tree.loops), 2)
    if variable is RobotParameter.CONTACTS:
        return [k for k, _ in tree.contacts], (len(tree.contacts),)
    if not frame:
        return [k for k, _ in tree.tasks], (len(tree.tasks),)
    return [*frame], ()


def _define_parameter_derivative(quantity: AnyQuantity, variable: RobotParameter) -> Quantity:
    q = quantity.arguments.index("q") if "q" in quantity.arguments else None
    screw = variable is RobotParameter.SCREWS

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = quantity.split_frame(inputs)
        if variable is RobotParameter.INERTIAL:
            derivatives = directions.in_parameters(
                quantity.formula, tree, arrays, frame, reverse=reverse
            )
        elif variable in (RobotParameter.FRAME, RobotParameter.LOOPS, RobotParameter.CONTACTS):
            frames, shape = _displaced_frames(tree, variable, frame)
            follows = q if variable is RobotParameter.LOOPS else None
            parts = directions.in_frames(
                quantity.formula, tree, arrays, frame, follows, frames=frames, reverse=reverse
            )
            derivatives = [x.reshape(*x.shape[:-2], *shape, 6) for x in parts]
        else:
            derivatives = directions.in_geometry(
                quantity.formula, tree, arrays, frame, q, screw=screw, reverse=reverse
            )
        return _to_tangents(quantity, tree, inputs, derivatives)

    axes, what, unit = _PARAMETER_AXES[variable]
    if variable is RobotParameter.FRAME and quantity.traits.tasks:
        axes, what = ("tasks", 6), "placements of the frames on their bodies, axes (frames, 6) last"
    rules = modes(formula, scalar=_is_scalar(quantity))
    equation = "Kwon (6)-(10), Algorithm 1" if screw and quantity.origin is None else ""
    texts = {"unit": f"{quantity.unit}; per {unit}", "equation": equation}
    doc = f"Derivative in the {what}: {_describe_subject(quantity)}"
    derivatives = _define_shortest(quantity, variable, rules, axes, doc, **texts)
    signature = derivatives.signature
    closed = (
        variable is RobotParameter.INERTIAL
        and quantity.forms.get("dpi", Form()).formula is not None
        and not quantity.forms["dpi"].takes_optional
    )
    if closed and not (quantity.solves or "tau" in quantity.arguments):
        # the dependence on wrenches does not involve inertia, except for accelerations
        signature = replace(signature, optional=())
    return replace(
        derivatives, signature=signature, traits=replace(derivatives.traits, joint_space=False)
    )


def _commute_parameter_derivative(
    quantity: AnyQuantity, variable: RobotParameter
) -> Quantity | None:
    """Define the derivative in robot parameters of a derivative in state or time, or return None.

    It differentiates in the parameters first, which is cheaper. The two differentiations commute
    unless results are on a manifold, or the state moves at a rate that depends on the parameters.
    """
    if not isinstance(quantity, Derivative) or not isinstance(quantity.variable, (State, Time)):
        return None
    inner = quantity.operand
    if inner.has_charts or (inner.rates is not None and isinstance(quantity.variable, Time)):
        return None
    first = derive(inner, variable)
    derivative = derive(first, quantity.variable)
    state, added = len(quantity.wrt), len(first.shape) - len(inner.shape)

    def formula(tree: Tree, *inputs: Any) -> Any:
        results = derivative.formula(tree, *inputs)
        return one_or_all([_swap_axes(x, added, state) for x in as_list(results)])

    axes = first.shape[len(inner.shape) :]
    return replace(
        derivative.definition,
        name=f"{quantity.name}.{variable}",
        formula=formula,
        results=_results(quantity, str(variable), axes),
        doc=f"Derivative {variable} of {quantity.name}, axes in the order of the names:"
        f" {quantity.doc}",
    )


def _swap_axes(x: Any, added: int, state: int) -> Any:
    """Move the last `state` axes before the `added` axes that precede them."""
    return np.moveaxis(x, range(-state, 0), range(-added - state, -added)) if state else x
