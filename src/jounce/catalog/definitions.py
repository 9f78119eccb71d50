"""Definitions of derivatives: formula, arguments, results and description.

A derivative uses its closed form or automatic differentiation (`autodiff`), whichever is shorter
for a robot. Derivatives of functions with parameters of the robot as arguments are those of the
function without, with the same parameters as arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from jounce.catalog.arguments import Argument, rate_name
from jounce.catalog.autodiff import directions, time_derivatives
from jounce.catalog.autodiff.directions import CLOSED, modes, shortest
from jounce.catalog.autodiff.products import Space, jvp, vjp
from jounce.catalog.autodiff.recording import as_list, one_or_all
from jounce.catalog.charts import CONFIGURATION, Shape, tangents_along
from jounce.catalog.derivative import Derivative, derive, without_numbers
from jounce.catalog.names import parse_variable
from jounce.catalog.quantity import AnyQuantity, Form, Formula, Quantity, Result, Signature
from jounce.catalog.rate_arguments import Rates, free_name
from jounce.catalog.variables import (
    Extended,
    Jvp,
    Named,
    Numbers,
    State,
    Time,
    Variable,
    Variant,
    Vjp,
)
from jounce.catalog.variants import define_extended, define_variant
from jounce.model.tree import Tree


def define(of: AnyQuantity, variable: Variable) -> Quantity:
    """Return the definition of `derive(of, variable)`."""
    match variable:
        case Variant():
            return define_variant(of, variable)
        case Jvp():
            return _jvp(of, variable)
        case Vjp():
            return _vjp(of, variable)
    if (split := without_numbers(of)) is not None:
        constant, variant = split
        return derive(derive(constant, variable), variant).definition
    match variable:
        case Time():
            return _in_time(of, variable)
        case State():
            return _in_state(of, variable)
        case Numbers():
            return _commute_numbers(of, variable) or _in_numbers(of, variable)
        case Extended():
            return define_extended(of, variable)
        case Named():
            return _shortest_derivative(of, variable, {}, (), of.doc)


def _shortest_derivative(
    of: AnyQuantity,
    variable: Variable,
    rules: Mapping[str, Formula],
    axes: Shape,
    doc: str,
    **changes: Any,
) -> Quantity:
    """Return a derivative by the shortest of its closed form and the rules.

    rules: formulas by name, the one that others build on first. axes: axes of differentiation.
    changes: fields that differ from the defaults; the quantity's form takes precedence.
    """
    name = str(variable)
    form = of.forms.get(name, Form())
    required = (*of.arguments, *form.arguments)
    closed = {} if form.formula is None else {CLOSED: form.bind(required, of.of_frame)}
    traits = replace(
        of.traits, joint_space=of.joint_space and form.joint_space, inertial=of.inertial
    )
    definition = Quantity(
        f"{of.name}.{name}",
        shortest(f"{of.name}.{name}", {**closed, **rules}),
        replace(of.signature, required=required),
        form.results or _results(of, name, axes),
        doc,
        f"{of.unit}; per unit of the variable",
        traits=traits,
        drives=form.drives,
        options=of.options,
    )
    texts = {key: text for key in ("doc", "unit", "equation") if (text := getattr(form, key))}
    return replace(definition, **changes | texts)


def _results(of: AnyQuantity, name: str, axes: Shape) -> tuple[Result, ...]:
    """Return the results of a derivative, axes of differentiation last."""
    return tuple(
        Result((*x.directions, *axes), f"{x.symbol}_{name}", part=x.part) for x in of.results
    )


def _describe_subject(of: AnyQuantity) -> str:
    """Return the description of the tangents of the results, or that of the quantity."""
    charts = dict.fromkeys(chart.of for chart in of.charts if chart is not None)
    return f"{'; '.join(charts)}." if charts else of.doc


def _to_tangents(
    of: AnyQuantity, tree: Tree, inputs: Sequence[Any], derivatives: Sequence[Any]
) -> Any:
    """Convert derivatives of results on manifolds to tangents."""
    if of.has_charts:
        derivatives = tangents_along(
            of.charts, tree, as_list(of.formula(tree, *inputs)), derivatives
        )
    return one_or_all(derivatives)


def _is_scalar(of: AnyQuantity) -> bool:
    return all(shape == () for shape in of.shapes)


# ------------------------------------------------------------------ time


def _in_time(of: AnyQuantity, variable: Time) -> Quantity:
    """Define time derivatives; results are ordered by order: M, C, g, dM, dC, dg."""
    order, every = variable.order, variable.every
    rates = Rates(of, order, state_moves=of.rates is None or "tau" not in of.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, frame = of.split_frame(inputs)
        levels = _levels(of, tree, rates, values, order, frame)
        kept = levels if every and order else levels[order:]
        return one_or_all([x for level in kept for x in level])

    what = f"Value and time derivatives up to {order}" if every else f"Time derivative {order}"
    return Quantity(
        f"{of.name}.{variable}",
        formula,
        rates.signature,
        tuple(_rate(of, x, k) for k in variable.orders for x in of.results),
        f"{what} of {of.name}: {of.doc}",
        f"{of.unit}; per second for each derivative",
        of.equation and f"time derivatives of {of.equation}",
        traits=replace(of.traits, inertial=of.inertial),
        options=of.options,
    )


def _levels(
    of: AnyQuantity,
    tree: Tree,
    rates: Rates,
    values: Sequence[Any],
    order: int,
    frame: tuple[Any, ...],
) -> list[Sequence[Any]]:
    """Return results and their time derivatives, order by order."""
    if of.rates is not None:
        levels = of.rates(tree, order, rates.by_name(values))
    else:
        places = rates.levels(len(values))
        moving = [name for name in places if of.argument(name).chart is CONFIGURATION]
        levels = time_derivatives.in_time(
            of.formula, tree, values, places, order, frame, moving=moving
        )
    return [as_list(level) for level in levels]


def _rate(of: AnyQuantity, result: Result, order: int) -> Result:
    """Return the time derivative of a result: dtau of a quantity, tau_dq_dt of a derivative."""
    if result.part:
        late = f"{result.part}{'_' * (order > 0)}{'t' * order}"
        return Result(result.shape, result.symbol, part=late)
    if of.origin is None:
        return Result(result.shape, rate_name(result.symbol, order))
    return Result(result.shape, f"{result.symbol}_d{'t' * order}" if order else result.symbol)


# ------------------------------------------------------------------ state


def _in_state(of: AnyQuantity, variable: State) -> Quantity:
    closed = of.forms.get(str(variable), Form()).formula is not None
    other = None if closed else _permuted_form(of, variable.axes)
    return _shortest_derivative(
        of,
        variable,
        _last_axis(of, variable.axes) if other is None else {CLOSED: other},
        tuple(size for axis in variable.axes for size in of.argument(axis).directions),
        f"Derivative {variable} of {of.name}, differentiation axes last: {_describe_subject(of)}",
    )


def _permuted_form(of: AnyQuantity, axes: tuple[str, ...]) -> Formula | None:
    """Return a closed form of the derivative with axes in another order, reordered, or None."""
    for name, form in of.forms.items():
        match parse_variable(name, of.axes):
            case State(others) if form.formula is not None and sorted(others) == sorted(axes):
                return _reorder_axes(derive(of, State(others)).formula, list(others), axes)
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


def _last_axis(of: AnyQuantity, axes: tuple[str, ...]) -> dict[str, Formula]:
    """Return rules for the last derivative: automatic differentiation of the one before."""
    *before, wrt = axes
    inner = derive(of, State(tuple(before))) if before else of
    place = of.arguments.index(wrt)
    is_configuration = of.argument(wrt).chart is CONFIGURATION

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = of.split_frame(inputs)
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

#: Derivatives in parameters of the robot: axes, description, and variable in the unit.
_NUMBERS: dict[Numbers, tuple[Shape, str, str]] = {
    Numbers.PARAMETERS: (("10nb",), "inertial parameters of all bodies, axis last", "unit of pi"),
    Numbers.SCREWS: (("nb", 6), "screw of each joint, axes (nb, 6) last", _DISPLACEMENT),
    Numbers.PLACEMENTS: (
        ("nb", 6),
        "placement of each joint, which moves its subtree, axes (nb, 6) last",
        _DISPLACEMENT,
    ),
}


def _in_numbers(of: AnyQuantity, variable: Numbers) -> Quantity:
    q = of.arguments.index("q") if "q" in of.arguments else None
    screw = variable is Numbers.SCREWS

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = of.split_frame(inputs)
        if variable is Numbers.PARAMETERS:
            derivatives = directions.in_parameters(of.formula, tree, arrays, frame, reverse=reverse)
        else:
            derivatives = directions.in_geometry(
                of.formula, tree, arrays, frame, q, screw=screw, reverse=reverse
            )
        return _to_tangents(of, tree, inputs, derivatives)

    axes, what, unit = _NUMBERS[variable]
    rules = modes(formula, scalar=_is_scalar(of))
    equation = "Kwon (6)-(10), Algorithm 1" if screw and of.origin is None else ""
    texts = {"unit": f"{of.unit}; per {unit}", "equation": equation}
    doc = f"Derivative in the {what}: {_describe_subject(of)}"
    derivatives = _shortest_derivative(of, variable, rules, axes, doc, **texts)
    signature = derivatives.signature
    closed = variable is Numbers.PARAMETERS and of.forms.get("dpi", Form()).formula is not None
    if closed and not (of.solves or "tau" in of.arguments):
        # the dependence on wrenches does not involve inertia, except for accelerations
        signature = replace(signature, optional=())
    return replace(
        derivatives, signature=signature, traits=replace(derivatives.traits, joint_space=False)
    )


def _commute_numbers(of: AnyQuantity, variable: Numbers) -> Quantity | None:
    """Return the derivative in parameters of a derivative in state or time, in exchanged order.

    Differentiating in the parameters first is cheaper. The orders commute unless the result is a
    twist, or the rate of the state depends on the parameters.
    """
    if not isinstance(of, Derivative) or not isinstance(of.variable, (State, Time)):
        return None
    inner = of.of
    if inner.has_charts or (inner.rates is not None and isinstance(of.variable, Time)):
        return None
    first = derive(inner, variable)
    derivative = derive(first, of.variable)
    state, added = len(of.wrt), len(first.shape) - len(inner.shape)

    def formula(tree: Tree, *inputs: Any) -> Any:
        results = derivative.formula(tree, *inputs)
        return one_or_all([_swap_axes(x, added, state) for x in as_list(results)])

    axes = first.shape[len(inner.shape) :]
    return replace(
        derivative.definition,
        name=f"{of.name}.{variable}",
        formula=formula,
        results=_results(of, str(variable), axes),
        doc=f"Derivative {variable} of {of.name}, axes in the order of the names: {of.doc}",
    )


def _swap_axes(x: Any, added: int, state: int) -> Any:
    """Move the last `state` axes before the `added` axes that precede them."""
    return np.moveaxis(x, range(-state, 0), range(-added - state, -added)) if state else x


# ------------------------------------------------------------------ products


def _jvp(of: AnyQuantity, variable: Jvp) -> Quantity:
    on_tangents, names_wanted = not variable.coordinates, variable.arguments
    required, optional = (of.arguments, of.optional) if names_wanted is None else (names_wanted, ())
    all_names = (*of.arguments, *of.optional)
    tangents = _tangents(of, required, on_tangents, all_names)
    further = _tangents(of, optional, on_tangents, (*all_names, *tangents), "; zero by default")
    n, m, end = len(of.arguments), len(of.optional), len(of.arguments) + len(required)

    def formula(tree: Tree, *inputs: Any) -> Any:
        """formula(tree, *arguments, *tangents [, *optional, *their tangents] [, frame])."""
        values, frame = of.split_frame(inputs)
        optionals = values[end:]
        names = (*required, *optional) if optionals else required
        pairs = zip(names, (*values[n:end], *optionals[m:]), strict=True)
        tangent_by_index = {all_names.index(name): tangent for name, tangent in pairs}
        values, space = (*values[:n], *optionals[:m]), _space(of, names, on_tangents)
        return one_or_all(jvp(of.formula, tree, values, tangent_by_index, space, frame))

    which = "all its arguments" if names_wanted is None else ", ".join(names_wanted)
    arguments = {**of.own, **tangents, **further}
    return Quantity(
        f"{of.name}.{variable}",
        formula,
        Signature((*of.arguments, *tangents), (*of.optional, *further), of.base, arguments),
        tuple(
            replace(x, symbol=f"{x.symbol}_{_kind(variable)}") for x in _changes(of, on_tangents)
        ),
        f"Directional derivative of {of.name} along tangents of {which}{_mode(on_tangents)}:"
        f" {of.doc}",
        f"{of.unit}; times the unit of tangents, per unit of their arguments",
        traits=replace(of.traits, geometry=False, inertial=of.inertial, differentiable=True),
        options=of.options,
    )


def _vjp(of: AnyQuantity, variable: Vjp) -> Quantity:
    on_tangents, all_names = not variable.coordinates, (*of.arguments, *of.optional)
    wanted = all_names if variable.optional else variable.arguments or of.arguments
    weights = _weights(of, on_tangents)
    n, m, space = len(of.arguments), len(weights), _space(of, wanted, on_tangents)
    places = [all_names.index(name) for name in wanted]
    inverse = None
    if of.inverse is not None and (on_tangents or "placements" not in of.arguments):
        # the two rules differ off the manifold of poses, where plain coordinates leave it
        inverse = of.inverse, of.arguments.index("tau")

    def formula(tree: Tree, *inputs: Any) -> Any:
        """formula(tree, *arguments, *weights [, *optional] [, frame])."""
        inputs_, frame = of.split_frame(inputs)
        values = (*inputs_[:n], *inputs_[n + m :])
        lam = inputs_[n : n + m]
        return one_or_all(vjp(of.formula, tree, values, lam, places, space, frame, inverse))

    required, optional = (of.optional, ()) if variable.optional else ((), of.optional)
    symbol = "_".join(f"{x}_{_kind(variable)}" for x in _symbols(of))
    arguments = {**of.own, **weights}
    return Quantity(
        f"{of.name}.{variable}",
        formula,
        Signature((*of.arguments, *weights, *required), optional, of.base, arguments),
        tuple(Result(_shape(of.argument(x), on_tangents), symbol, part=x) for x in wanted),
        f"Gradients of lam . {of.name} in {', '.join(of.arguments)}{_mode(on_tangents)}: {of.doc}",
        f"lam times {of.unit}; per unit of each argument",
        traits=replace(of.traits, geometry=False, inertial=of.inertial, differentiable=True),
        options=of.options,
    )


def _shape(x: Argument | Result, on_tangents: bool) -> Shape:
    """Return the shape of tangents of an argument or result."""
    return x.directions if on_tangents else x.shape


def _changes(of: AnyQuantity, on_tangents: bool) -> list[Result]:
    """Return the tangents of the results."""
    return [replace(x, shape=_shape(x, on_tangents), chart=None) for x in of.results]


def _space(of: AnyQuantity, names: tuple[str, ...], on_tangents: bool) -> Space:
    """Return the spaces of arguments and results."""
    if not on_tangents:
        return Space(names, (None,) * len(names), (None,) * len(of.results))
    return Space(names, tuple(of.argument(name).chart for name in names), of.charts)


def _tangents(
    of: AnyQuantity, names: Iterable[str], on_tangents: bool, taken: Iterable[str], unsaid: str = ""
) -> dict[str, Argument]:
    """Return arguments for tangents, under names that are not taken; unsaid: see `Argument`."""
    out: dict[str, Argument] = {}
    for name in names:
        x = of.argument(name)
        what = f": {x.chart.doc}" if on_tangents and x.chart is not None else ""
        tangent = free_name(f"d{name}", f"d_{name}", (*taken, *out))
        out[tangent] = Argument(_shape(x, on_tangents), f"tangent of {name}{what}{unsaid}", unsaid)
    return out


def _weights(of: AnyQuantity, on_tangents: bool) -> dict[str, Argument]:
    """Return arguments for weights: lam; or lam_0, lam_1, ... for several, or if lam is taken."""
    taken, names = (*of.arguments, *of.optional), ["lam"]
    if len(of.results) > 1 or "lam" in taken:
        first = next(k for k in count() if f"lam_{k}" not in taken)
        names = [f"lam_{first + k}" for k in range(len(of.results))]
    pairs = zip(names, of.results, strict=True)
    return {name: Argument(_shape(x, on_tangents), f"weights of {x.letter}") for name, x in pairs}


def _symbols(of: AnyQuantity) -> list[str]:
    """Return the prefixes of names of gradients."""
    if of.orders and of.origin is not None:
        return _symbols(of.origin)
    if of.origin is not None and of.step in of.origin.forms and len(of.results) > 1:
        return [f"{x}_{of.step}" for x in _symbols(of.origin)]
    return list(dict.fromkeys(x.symbol for x in of.results))


def _kind(variable: Jvp | Vjp) -> str:
    """Return the name of a product without its arguments."""
    return str(replace(variable, arguments=None))


def _mode(on_tangents: bool) -> str:
    return "" if on_tangents else ", in plain coordinates"
