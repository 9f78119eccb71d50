"""Definitions of Jacobian-vector and vector-Jacobian products of quantities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from jounce.catalog.arguments import Argument
from jounce.catalog.autodiff.products import Space, jvp, vjp
from jounce.catalog.autodiff.recording import one_or_all
from jounce.catalog.charts import Shape
from jounce.catalog.quantity import AnyQuantity, Quantity, Result, Signature
from jounce.catalog.rate_arguments import find_free_name
from jounce.catalog.variables import Jvp, Vjp
from jounce.model.tree import Tree


def define_jvp(quantity: AnyQuantity, variable: Jvp) -> Quantity:
    """Return the definition of a Jacobian-vector product."""
    on_tangents, names_wanted = not variable.coordinates, variable.arguments
    required, optional = (
        (quantity.arguments, quantity.optional) if names_wanted is None else (names_wanted, ())
    )
    all_names = (*quantity.arguments, *quantity.optional)
    tangents = _tangent_arguments(quantity, required, on_tangents, all_names)
    further = _tangent_arguments(
        quantity, optional, on_tangents, (*all_names, *tangents), "; zero by default"
    )
    n, m = len(quantity.arguments), len(quantity.optional)
    end = n + len(required)

    def formula(tree: Tree, *inputs: Any) -> Any:
        """formula(tree, *arguments, *tangents [, *optional, *their tangents] [, frame])."""
        values, frame = quantity.split_frame(inputs)
        optionals = values[end:]
        names = (*required, *optional) if optionals else required
        pairs = zip(names, (*values[n:end], *optionals[m:]), strict=True)
        tangent_by_index = {all_names.index(name): tangent for name, tangent in pairs}
        values, space = (*values[:n], *optionals[:m]), _make_space(quantity, names, on_tangents)
        return one_or_all(jvp(quantity.formula, tree, values, tangent_by_index, space, frame))

    which = "all its arguments" if names_wanted is None else ", ".join(names_wanted)
    note = _coordinates_note(on_tangents)
    arguments = {**quantity.argument_definitions, **tangents, **further}
    return Quantity(
        f"{quantity.name}.{variable}",
        formula,
        Signature(
            (*quantity.arguments, *tangents),
            (*quantity.optional, *further),
            quantity.base,
            arguments,
        ),
        tuple(
            replace(x, symbol=f"{x.symbol}_{_product_name(variable)}")
            for x in _tangent_results(quantity, on_tangents)
        ),
        f"Directional derivative of {quantity.name} along tangents of {which}{note}:"
        f" {quantity.doc}",
        f"{quantity.unit}; times the unit of tangents, per unit of their arguments",
        traits=replace(
            quantity.traits, geometry=False, inertial=quantity.inertial, differentiable=True
        ),
        options=quantity.options,
    )


def define_vjp(quantity: AnyQuantity, variable: Vjp) -> Quantity:
    """Return the definition of a vector-Jacobian product."""
    on_tangents, all_names = not variable.coordinates, (*quantity.arguments, *quantity.optional)
    wanted = all_names if variable.optional else variable.arguments or quantity.arguments
    weights = _weight_arguments(quantity, on_tangents)
    n, m, space = len(quantity.arguments), len(weights), _make_space(quantity, wanted, on_tangents)
    places = [all_names.index(name) for name in wanted]
    inverse = None
    if quantity.inverse is not None and (on_tangents or "placements" not in quantity.arguments):
        # not in plain coordinates of placements: off the manifold of poses, this rule is invalid
        inverse = quantity.inverse, quantity.arguments.index("tau")

    def formula(tree: Tree, *inputs: Any) -> Any:
        """formula(tree, *arguments, *weights [, *optional] [, frame])."""
        inputs_, frame = quantity.split_frame(inputs)
        values = (*inputs_[:n], *inputs_[n + m :])
        lam = inputs_[n : n + m]
        return one_or_all(vjp(quantity.formula, tree, values, lam, places, space, frame, inverse))

    required, optional = (quantity.optional, ()) if variable.optional else ((), quantity.optional)
    symbol = "_".join(f"{x}_{_product_name(variable)}" for x in _gradient_symbols(quantity))
    arguments = {**quantity.argument_definitions, **weights}
    names, note = ", ".join(quantity.arguments), _coordinates_note(on_tangents)
    return Quantity(
        f"{quantity.name}.{variable}",
        formula,
        Signature((*quantity.arguments, *weights, *required), optional, quantity.base, arguments),
        tuple(
            Result(_tangent_shape(quantity.argument(x), on_tangents), symbol, part=x)
            for x in wanted
        ),
        f"Gradients of lam . {quantity.name} in {names}{note}: {quantity.doc}",
        f"lam times {quantity.unit}; per unit of each argument",
        traits=replace(
            quantity.traits, geometry=False, inertial=quantity.inertial, differentiable=True
        ),
        options=quantity.options,
    )


def _tangent_shape(x: Argument | Result, on_tangents: bool) -> Shape:
    """Return the shape of tangents of an argument or result."""
    return x.tangent_shape if on_tangents else x.shape


def _tangent_results(quantity: AnyQuantity, on_tangents: bool) -> list[Result]:
    """Return the tangents of the results."""
    return [replace(x, shape=_tangent_shape(x, on_tangents), chart=None) for x in quantity.results]


def _make_space(quantity: AnyQuantity, names: tuple[str, ...], on_tangents: bool) -> Space:
    """Return the spaces of the arguments `names` and of the results."""
    if not on_tangents:
        return Space(names, (None,) * len(names), (None,) * len(quantity.results))
    return Space(names, tuple(quantity.argument(name).chart for name in names), quantity.charts)


def _tangent_arguments(
    quantity: AnyQuantity,
    names: Iterable[str],
    on_tangents: bool,
    taken: Iterable[str],
    default_note: str = "",
) -> dict[str, Argument]:
    """Return arguments for tangents, with unused names; default_note: see `Argument`."""
    out: dict[str, Argument] = {}
    for name in names:
        x = quantity.argument(name)
        what = f": {x.chart.doc}" if on_tangents and x.chart is not None else ""
        tangent = find_free_name(f"d{name}", f"d_{name}", (*taken, *out))
        out[tangent] = Argument(
            _tangent_shape(x, on_tangents), f"tangent of {name}{what}{default_note}", default_note
        )
    return out


def _weight_arguments(quantity: AnyQuantity, on_tangents: bool) -> dict[str, Argument]:
    """Return arguments for weights: lam; or lam_0, lam_1, ... for several, or if lam is taken."""
    taken, names = (*quantity.arguments, *quantity.optional), ["lam"]
    if len(quantity.results) > 1 or "lam" in taken:
        first = next(k for k in count() if f"lam_{k}" not in taken)
        names = [f"lam_{first + k}" for k in range(len(quantity.results))]
    pairs = zip(names, quantity.results, strict=True)
    return {
        name: Argument(_tangent_shape(x, on_tangents), f"weights of {x.name}") for name, x in pairs
    }


def _gradient_symbols(quantity: AnyQuantity) -> list[str]:
    """Return the symbols of the results, with which names of gradients start."""
    if quantity.orders and quantity.origin is not None:
        return _gradient_symbols(quantity.origin)
    if (
        quantity.origin is not None
        and quantity.last_step in quantity.origin.forms
        and len(quantity.results) > 1
    ):
        return [f"{x}_{quantity.last_step}" for x in _gradient_symbols(quantity.origin)]
    return list(dict.fromkeys(x.symbol for x in quantity.results))


def _product_name(variable: Jvp | Vjp) -> str:
    """Return the name of a product without its arguments."""
    return str(replace(variable, arguments=None))


def _coordinates_note(on_tangents: bool) -> str:
    return "" if on_tangents else ", in plain coordinates"
