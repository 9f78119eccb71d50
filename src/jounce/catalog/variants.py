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
from jounce.catalog.rate_arguments import free_name
from jounce.catalog.variables import Extended, Variant
from jounce.formulas import configurations
from jounce.formulas.mechanism import configurations as closed
from jounce.formulas.mechanism.derivatives import drive_columns
from jounce.model.tree import Tree


def define_variant(of: AnyQuantity, variant: Variant) -> Quantity:
    """Return the definition of a variant of a quantity or derivative."""
    match variant:
        case Variant.PARAMETRIC:
            return _define_parametric(of)
        case Variant.MORPHABLE:
            return _define_morphable(of)
        case Variant.MOUNTED:
            return _define_mounted(of)
        case Variant.DISPLACED:
            return _define_displaced(of)
        case Variant.ELASTIC:
            return define_elastic(of)
        case Variant.REQUIRED:
            return _define_complete(of, of.arguments)
        case Variant.COMPLETE:
            return _define_complete(of, (*of.arguments, *of.optional))


def define_extended(of: AnyQuantity, variable: Extended) -> Quantity:
    """Return a regressor with columns for armature, viscous and Coulomb friction of all joints."""
    assert of.drives is not None
    places = [of.arguments.index(drive) for drive in of.drives]
    count = len(of.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        smoothing = inputs[count] if variable.smooth else None
        v, v_r, a_r = (inputs[k] for k in places)
        drives = drive_columns(tree, inputs[0], v, v_r, a_r, smoothing)
        return np.concatenate((of.formula(tree, *inputs[:count]), drives), axis=1)

    smoothing = ("smoothing",) if variable.smooth else ()
    return redefine(
        of,
        name=f"{of.name}.{variable}",
        formula=formula,
        signature=replace(of.signature, required=(*of.arguments, *smoothing), optional=()),
        results=(Result(("nv", "10nb+3nt"), f"{of.results[0].symbol}_{variable}"),),
        doc=f"{of.doc} Further columns: armature, viscous and Coulomb friction of all joints.",
        traits=replace(of.traits, differentiable=False),
        forms={},
        drives=None,
    )


# ------------------------------------------------------------------ other arguments


def _define_parametric(of: AnyQuantity) -> Quantity:
    count = len(of.arguments)

    def with_inertias(formula: Formula) -> Formula:
        def with_pi(tree: Tree, *inputs: Any) -> Any:
            arguments, pi, further = inputs[:count], inputs[count], inputs[count + 1 :]
            gravity = further[-1] if further else None
            return formula(tree.with_inertias(pi, gravity), *arguments, *further[:-1])

        return with_pi

    variant = _with_numbers(of, with_inertias, ("pi",))
    optional = (*of.optional, "gravity")
    return replace(variant, signature=replace(variant.signature, optional=optional))


def _define_morphable(of: AnyQuantity) -> Quantity:
    count = len(of.arguments)
    shape = ("placements", "screws") if of.of_frame else ("pi", "placements", "screws")

    def with_shape(formula: Formula) -> Formula:
        def with_numbers(tree: Tree, *inputs: Any) -> Any:
            numbers = dict(zip(shape, inputs[count:], strict=False))
            if "pi" in numbers:
                tree = tree.with_inertias(numbers["pi"])
            tree = tree.with_geometry(numbers["placements"], numbers["screws"])
            return formula(tree, *inputs[:count], *inputs[count + len(shape) :])

        return with_numbers

    return _with_numbers(of, with_shape, shape)


def _with_numbers(
    of: AnyQuantity, change: Callable[[Formula], Formula], names: tuple[str, ...]
) -> Quantity:
    """Return the quantity with some of the robot's parameters as further arguments."""
    return redefine(
        of,
        formula=change(of.formula),
        signature=replace(of.signature, required=(*of.arguments, *names)),
        traits=replace(of.traits, joint_space=False),
        rates=None,
        inverse=None if of.inverse is None else change(of.inverse),
        drives=None,
    )


def _define_mounted(of: AnyQuantity) -> Quantity:
    count = len(of.arguments) + len(of.optional)
    end = count + len(of.base)

    def formula(tree: Tree, *inputs: Any) -> Any:
        moving = replace(tree, base=tuple(inputs[count:end]))
        return of.formula(moving, *inputs[:count], *inputs[end:])

    signature = replace(of.signature, optional=(*of.optional, *of.base), base=())
    return _redefine(of, signature, formula=formula, inverse=None)


def _define_displaced(of: AnyQuantity) -> Quantity:
    count = len(of.arguments)
    places = [k for k, x in enumerate(of.arguments) if of.argument(x).chart is CONFIGURATION]
    taken = (*of.arguments, *of.optional)
    added: dict[str, Argument] = {}
    for k in places:
        name = of.arguments[k]
        doc = f"velocity that moves {name} for one unit of time first"
        added[free_name(f"d{name}", f"d_{name}", (*taken, *added))] = Argument(("nv",), doc)

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, steps = list(inputs[:count]), inputs[count : count + len(places)]
        move = (configurations if tree.active is None else closed).integrate
        for k, step in zip(places, steps, strict=True):
            values[k] = move(tree, values[k], step)
        return of.formula(tree, *values, *inputs[count + len(places) :])

    required, meanings = (*of.arguments, *added), {**of.own, **added}
    signature = replace(of.signature, required=required, own=meanings)
    return _redefine(of, signature, formula=formula, inverse=None)


def _define_complete(of: AnyQuantity, required: tuple[str, ...]) -> Quantity:
    return _redefine(of, Signature(required, own=of.own), drives=None, options=Options())


def _redefine(of: AnyQuantity, signature: Signature, **changes: Any) -> Quantity:
    """Return the quantity with other arguments, and without closed forms."""
    traits = replace(of.traits, inertial=of.inertial)
    return redefine(of, signature=signature, traits=traits, forms={}, rates=None, **changes)
