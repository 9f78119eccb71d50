"""Quantities of the tree lifted to a mechanism.

The tree's formula is evaluated at the motion of all joints, E v and E a + E' v, and every axis of
the result that runs over velocities is multiplied by E. This holds for quantities that depend only
on the motion of the bodies, for generalized forces, and for matrices between velocities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jounce.formulas.mechanism.loops import Closure
from jounce.model.tree import Tree


def lift_formula(
    formula: Callable[..., Any], arguments: Sequence[str], axes: Sequence[int]
) -> Callable[..., Any]:
    """Return the formula for a mechanism of a quantity of the tree with these arguments.

    axes: axes of the result that run over the velocities of all joints.
    """

    def of_mechanism(tree: Tree, q: Any, *inputs: Any) -> Any:
        closure = Closure(tree, q)
        named = dict(zip(arguments[1:], inputs, strict=False))
        extra = inputs[len(named) :]
        result = formula(tree, closure.q, *_of_all_joints(closure, named), *extra)
        return _of_independent_joints(closure, result, axes)

    return of_mechanism


def _of_all_joints(closure: Closure, named: dict[str, Any]) -> list[Any]:
    """Replace velocities and accelerations in the arguments by those of all joints."""
    out = dict(named)
    for name in ("v", "v_r"):
        if name in named:
            out[name] = closure.velocity(named[name])
    if "a" in named:
        out["a"] = closure.acceleration(out["v"], named["a"])
    if "a_r" in named:
        out["a_r"] = closure.reference(out["v"], out["v_r"], named["a_r"])
    return list(out.values())


def _of_independent_joints(closure: Closure, result: Any, axes: Sequence[int]) -> Any:
    if np.ndim(result) == 1 and axes:
        return closure.forces(result)
    for axis in axes:
        result = np.moveaxis(np.tensordot(result, closure.E, axes=([axis], [0])), -1, axis)
    return result
