"""Quantities of the tree for a mechanism: at the motion that the loops give all joints.

What depends on the motion of the bodies alone, forces that are given by the work they do, and
matrices between velocities: with v of all joints E v, a of all joints E a + E' v, and every axis of
the result that runs over the velocities multiplied by E.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jounce.formulas.mechanism.loops import Closure
from jounce.model.tree import Tree


def lifted(
    formula: Callable[..., Any], arguments: Sequence[str], axes: Sequence[int]
) -> Callable[..., Any]:
    """Return the formula of a quantity of the tree that takes these arguments, for the mechanism.

    axes: those of the result that run over the velocities of all joints.
    """

    def of_mechanism(tree: Tree, q: Any, *rest: Any) -> Any:
        closure = Closure(tree, q)
        given = dict(zip(arguments[1:], rest, strict=False))
        more = rest[len(given) :]
        result = formula(tree, closure.q, *_of_all_joints(closure, given), *more)
        return _of_independent_joints(closure, result, axes)

    return of_mechanism


def _of_all_joints(closure: Closure, given: dict[str, Any]) -> list[Any]:
    """Return the arguments in which velocities and accelerations are those of all joints."""
    found = dict(given)
    for name in ("v", "v_r"):
        if name in given:
            found[name] = closure.velocity(given[name])
    if "a" in given:
        found["a"] = closure.acceleration(found["v"], given["a"])
    if "a_r" in given:
        found["a_r"] = closure.reference(found["v"], found["v_r"], given["a_r"])
    return list(found.values())


def _of_independent_joints(closure: Closure, result: Any, axes: Sequence[int]) -> Any:
    if np.ndim(result) == 1 and axes:
        return closure.forces(result)
    for axis in axes:
        result = np.moveaxis(np.tensordot(result, closure.E, axes=([axis], [0])), -1, axis)
    return result
