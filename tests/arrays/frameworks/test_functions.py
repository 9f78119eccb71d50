"""Rows as functions of plain numbers: pushforwards and pullbacks in some of their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative, derive
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import TREE
from jounce.catalog.variables import Jvp, Variant, Vjp
from jounce.robot import Robot
from jounce.runtime.trace import core_shape
from support.helpers import (
    OF_FREE_FRAMES,
    STEP,
    assert_close,
    numbers,
    objects,
    random_robot,
    slope,
)
from support.mechanisms import State, mechanism

ROBOT = Robot(random_robot(5, 3, kinds=("spherical", "planar", "helical")))
RNG_SEED = 7


def complete(row: AnyQuantity, optional: bool = False, moving: bool = False) -> AnyQuantity:
    """The quantity with all arguments required, as frameworks take it."""
    row = derive(row, Variant.MOVING_BASE) if moving else row
    return derive(row, Variant.COMPLETE if optional or moving else Variant.REQUIRED)


def pushforward(row: AnyQuantity, places: tuple[int, ...]) -> AnyQuantity:
    return derive(row, Jvp(True, tuple(row.arguments[k] for k in places)))


def pullback(row: AnyQuantity, places: tuple[int, ...]) -> AnyQuantity:
    return derive(row, Vjp(True, tuple(row.arguments[k] for k in places)))


def values(owner: Any, row: AnyQuantity, q: np.ndarray) -> list[np.ndarray]:
    """A value for every argument; quaternions are not of unit length."""
    rng = np.random.default_rng(RNG_SEED)
    own = dict(zip(("pi", "placements", "screws"), owner.morphable.now, strict=True))
    out = []
    for name in row.arguments:
        shape = core_shape(row.argument(name).shape, owner.sizes)
        if name in own:
            out.append(objects(own[name]))
        elif shape == (owner.sizes["nq"],):
            out.append(objects(1.25 * q))
        else:
            out.append(objects(rng.uniform(0.1, 1.0, size=shape)))
    return out


def run(owner: Any, row: AnyQuantity, given: list[Any]) -> list[np.ndarray]:
    frame = [len(owner.model.frames) - 2] if row.of_frame else []
    found = row.formula(owner.tree, *given, *frame)
    return [np.asarray(x, dtype=object) for x in (found if len(row.results) > 1 else [found])]


def inner(xs: list[Any], ys: list[Any]) -> float:
    return sum(float(np.sum(numbers(x) * numbers(y))) for x, y in zip(xs, ys, strict=True))


def check(
    owner: Any, row: AnyQuantity, q: np.ndarray, moving: tuple[int, ...] | None = None
) -> None:
    """The pushforward is a complex step, and dual to the pullback; both again."""
    given = values(owner, row, q)
    places = tuple(range(len(given))) if moving is None else moving
    rng = np.random.default_rng(RNG_SEED + 1)
    tangents = [objects(rng.normal(size=given[k].shape)) for k in places]
    push, pull = pushforward(row, places), pullback(row, places)
    rates = run(owner, push, [*given, *tangents])
    stepped = list(given)
    for k, t in zip(places, tangents, strict=True):
        stepped[k] = given[k] + STEP * 1j * t
    for rate, x in zip(rates, run(owner, row, stepped), strict=True):
        assert_close(numbers(rate), slope(x), what=row.name)
    lam = [objects(rng.normal(size=x.shape)) for x in rates]
    gradients = run(owner, pull, [*given, *lam])
    parts = [inner([g], [t]) for g, t in zip(gradients, tangents, strict=True)]
    scale = sum(map(abs, parts)) + 1.0
    assert abs(inner(lam, rates) - sum(parts)) <= 1e-11 * scale, row.name  # rounding of both sides


@pytest.mark.parametrize("name", TREE.quantities)
def test_functions_of_trees(name: str) -> None:
    check(ROBOT, complete(TREE.quantities[name], True), ROBOT.random(1))


@pytest.mark.parametrize("name", sorted({*TREE.frames} - OF_FREE_FRAMES))
def test_functions_of_frames(name: str) -> None:
    check(ROBOT, complete(TREE.frames[name], True), ROBOT.random(1))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "integrate", "step"])
def test_functions_with_loops(name: str) -> None:
    closed = mechanism("four_bar")
    row = CLOSED.quantities[name]
    check(closed.find_owner(row), complete(row), State(closed).q / 1.25)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix"])
@pytest.mark.parametrize("table", ["parametric", "morphable"])
def test_functions_of_numbers(table: str, name: str) -> None:
    check(ROBOT, complete(getattr(TREE, table)[name]), ROBOT.random(1))


def test_functions_with_a_moving_base() -> None:
    row = complete(TREE.quantities["inverse_dynamics"], moving=True)
    assert row.arguments[-2:] == ("base_twist", "base_acceleration")
    check(ROBOT, row, ROBOT.random(1))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_derivatives_of_derivatives(name: str) -> None:
    """Hessians both ways round, and derivatives of closed forms."""
    row = complete(TREE.quantities[name])
    q = ROBOT.random(1)
    check(ROBOT, pushforward(row, (0, 2)), q)
    check(ROBOT, pullback(row, (0, 2)), q)
    check(ROBOT, pushforward(pullback(row, (0,)), (0, 3)), q)
    check(ROBOT, complete(derivative(TREE.quantities[name], "derivatives")), q)


def test_some_arguments_only() -> None:
    row = complete(TREE.quantities["forward_dynamics"])
    for moving in ((0,), (2,), (1, 2)):
        check(ROBOT, row, ROBOT.random(1), moving)
        assert len(pushforward(row, moving).arguments) == 3 + len(moving)
        assert len(pullback(row, moving).shapes) == len(moving)


def test_lengths_of_quaternions_do_not_matter() -> None:
    row = complete(TREE.quantities["inverse_dynamics"])
    q, v, a = values(ROBOT, row, ROBOT.random(1))
    (tau,) = run(ROBOT, row, [q, v, a])
    (unit,) = run(ROBOT, TREE.quantities["inverse_dynamics"], [objects(ROBOT.random(1)), v, a])
    units = {k for node in ROBOT.tree.nodes for k in range(*_unit(node))}
    assert units  # the rest of q is what it is
    scaled = objects(ROBOT.random(1))
    for k in units:
        scaled[k] *= 3.0
    (again,) = run(ROBOT, row, [scaled, v, a])
    assert_close(numbers(again), numbers(unit))
    assert np.abs(numbers(tau) - numbers(unit)).max() > 1e-3


def _unit(node: Any) -> tuple[int, int]:
    return node.q + node.motion.unit.start, node.q + node.motion.unit.stop


def test_displacements_differentiate_along_velocities() -> None:
    quantity = TREE.quantities["inverse_dynamics"]
    row = complete(derive(quantity, Variant.DISPLACED))
    assert row.arguments == ("q", "v", "a", "dq")
    q = objects(ROBOT.random(1))
    _, v, a, _ = values(ROBOT, row, ROBOT.random(1))
    lam = objects(np.random.default_rng(3).normal(size=ROBOT.nv))
    at = [q, v, a, objects(np.zeros(ROBOT.nv))]
    (gradient,) = run(ROBOT, pullback(row, (3,)), [*at, lam])
    along = run(ROBOT, derivative(quantity, "vjp"), [q, v, a, lam])[0]
    assert_close(numbers(gradient), numbers(along))
