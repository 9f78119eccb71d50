"""Variants of quantities: other arguments, and regressors with drive columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.elastic import define_elastic
from jounce.catalog.quantity import (
    AnyQuantity,
    Formula,
    Options,
    Quantity,
    Result,
    Signature,
    redefine,
)
from jounce.catalog.rate_arguments import find_free_name
from jounce.catalog.variables import Extended, Variant
from jounce.formulas import configurations
from jounce.formulas.mechanism import configurations as closed
from jounce.formulas.mechanism.derivatives import drive_columns
from jounce.model.tree import Tree


def define_variant(quantity: AnyQuantity, variant: Variant) -> Quantity:
    """Return the definition of a variant of a quantity or derivative."""
    match variant:
        case Variant.PARAMETRIC:
            return _define_parametric(quantity)
        case Variant.MORPHABLE:
            return _define_morphable(quantity)
        case Variant.MOVING_BASE:
            return _define_moving_base(quantity)
        case Variant.DISPLACED:
            return _define_displaced(quantity)
        case Variant.ELASTIC:
            return define_elastic(quantity)
        case Variant.REQUIRED:
            return _define_complete(quantity, quantity.arguments)
        case Variant.COMPLETE:
            return _define_complete(quantity, (*quantity.arguments, *quantity.optional))


def define_extended(quantity: AnyQuantity, variable: Extended) -> Quantity:
    """Return a regressor with columns for armature, viscous and Coulomb friction of all joints."""
    assert quantity.drives is not None
    places = [quantity.arguments.index(drive) for drive in quantity.drives]
    count = len(quantity.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        smoothing = inputs[count] if variable.smooth else None
        v, v_r, a_r = (inputs[k] for k in places)
        drives = drive_columns(tree, inputs[0], v, v_r, a_r, smoothing)
        return np.concatenate((quantity.formula(tree, *inputs[:count]), drives), axis=1)

    smoothing = ("smoothing",) if variable.smooth else ()
    return redefine(
        quantity,
        name=f"{quantity.name}.{variable}",
        formula=formula,
        signature=replace(
            quantity.signature, required=(*quantity.arguments, *smoothing), optional=()
        ),
        results=(Result(("nv", "10nb+3nt"), f"{quantity.results[0].symbol}_{variable}"),),
        doc=f"{quantity.doc} Further columns: armature, viscous and Coulomb friction of all"
        " joints.",
        traits=replace(quantity.traits, differentiable=False),
        forms={},
        drives=None,
    )


# ------------------------------------------------------------------ other arguments


def _define_parametric(quantity: AnyQuantity) -> Quantity:
    count = len(quantity.arguments)

    def with_inertias(formula: Formula) -> Formula:
        def with_pi(tree: Tree, *inputs: Any) -> Any:
            arguments, pi, further = inputs[:count], inputs[count], inputs[count + 1 :]
            gravity = further[-1] if further else None
            return formula(tree.with_inertias(pi, gravity), *arguments, *further[:-1])

        return with_pi

    variant = _add_parameters(quantity, with_inertias, ("pi",))
    optional = (*quantity.optional, "gravity")
    return replace(variant, signature=replace(variant.signature, optional=optional))


def _define_morphable(quantity: AnyQuantity) -> Quantity:
    count = len(quantity.arguments)
    names = ("placements", "screws") if quantity.of_frame else ("pi", "placements", "screws")

    def with_geometry(formula: Formula) -> Formula:
        def with_parameters(tree: Tree, *inputs: Any) -> Any:
            parameters = dict(zip(names, inputs[count:], strict=False))
            if "pi" in parameters:
                tree = tree.with_inertias(parameters["pi"])
            tree = tree.with_geometry(parameters["placements"], parameters["screws"])
            return formula(tree, *inputs[:count], *inputs[count + len(names) :])

        return with_parameters

    return _add_parameters(quantity, with_geometry, names)


def _add_parameters(
    quantity: AnyQuantity, change: Callable[[Formula], Formula], names: tuple[str, ...]
) -> Quantity:
    """Return the quantity with parameters of the robot as further arguments."""
    return redefine(
        quantity,
        formula=change(quantity.formula),
        signature=replace(quantity.signature, required=(*quantity.arguments, *names)),
        traits=replace(quantity.traits, joint_space=False),
        rates=None,
        inverse=None if quantity.inverse is None else change(quantity.inverse),
        drives=None,
    )


def _define_moving_base(quantity: AnyQuantity) -> Quantity:
    count = len(quantity.arguments) + len(quantity.optional)
    end = count + len(quantity.base)

    def formula(tree: Tree, *inputs: Any) -> Any:
        moving = replace(tree, base=tuple(inputs[count:end]))
        return quantity.formula(moving, *inputs[:count], *inputs[end:])

    signature = replace(quantity.signature, optional=(*quantity.optional, *quantity.base), base=())
    return _redefine(quantity, signature, formula=formula, inverse=None)


def _define_displaced(quantity: AnyQuantity) -> Quantity:
    count = len(quantity.arguments)
    places = [
        k for k, x in enumerate(quantity.arguments) if quantity.argument(x).chart is CONFIGURATION
    ]
    taken = (*quantity.arguments, *quantity.optional)
    added: dict[str, Argument] = {}
    for k in places:
        name = quantity.arguments[k]
        doc = f"velocity that moves {name} for one unit of time first"
        added[find_free_name(f"d{name}", f"d_{name}", (*taken, *added))] = Argument(("nv",), doc)

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, steps = list(inputs[:count]), inputs[count : count + len(places)]
        move = (configurations if tree.active is None else closed).integrate
        for k, step in zip(places, steps, strict=True):
            values[k] = move(tree, values[k], step)
        return quantity.formula(tree, *values, *inputs[count + len(places) :])

    required, meanings = (*quantity.arguments, *added), {**quantity.argument_definitions, **added}
    signature = replace(quantity.signature, required=required, definitions=meanings)
    return _redefine(quantity, signature, formula=formula, inverse=None)


def _define_complete(quantity: AnyQuantity, required: tuple[str, ...]) -> Quantity:
    return _redefine(
        quantity,
        Signature(required, definitions=quantity.argument_definitions),
        drives=None,
        options=Options(),
    )


def _redefine(quantity: AnyQuantity, signature: Signature, **changes: Any) -> Quantity:
    """Return the quantity with other arguments, and without closed forms."""
    traits = replace(quantity.traits, inertial=quantity.inertial)
    return redefine(quantity, signature=signature, traits=traits, forms={}, rates=None, **changes)
