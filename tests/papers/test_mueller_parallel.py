"""Mueller, Kumar and Kordik's parallel robots, to any order, against the catalog's mechanisms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import MECHANISM
from jounce.catalog.tables import ROBOT
from jounce.formulas.mechanism.loops import Closure, loop_residual
from jounce.formulas.motions import time_derivatives
from jounce.math.scalar import Array
from jounce.papers import garofalo2013
from jounce.papers import mueller2023 as paper
from jounce.robot import Robot
from support.case import Case
from support.helpers import assert_close, numbers, objects, quiet_read, small_model
from support.mechanisms import State, mechanism, stewart
from support.robots import ALL_KINDS, random_model

#: Planar, spherical, spatial; a floating base; redundant equations of a weld and a revolute joint.
NAMES = ("four_bar", "five_bar", "stewart", "rssr", "leg", "weld", "revolute")


@pytest.fixture(scope="module", params=NAMES)
def state(request: pytest.FixtureRequest) -> State:
    return State(mechanism(request.param))


def given(state: State) -> tuple[Any, Array, list[Array]]:
    """Tree, q and v, a, j, s of the independent joints."""
    return state.closed.tree, objects(state.q), [objects(state[x]) for x in ("v", "a", "j", "s")]


@pytest.mark.parametrize("options", [{}, {"mimic": True, "floating": True}], ids=str)
def test_trees(options: dict[str, bool]) -> None:
    """Third derivatives, every kind of joint; the Jacobians are Garofalo's."""
    kinds = ("revolute", "prismatic", "helical") if options else ALL_KINDS
    case = Case(random_model(np.random.default_rng(2), len(ALL_KINDS), kinds, **options))
    tree, q, rates = case.tree, case.q, case.rates
    fast = case.evaluate(derivative(ROBOT["inverse_dynamics"], "rates(3)"))
    found = paper.inverse_dynamics_derivatives(tree, q, rates, 3)
    for k, (x, y) in enumerate(zip(found, fast, strict=True)):
        assert_close(numbers(x), numbers(y), what=f"order {k}")
    expected = garofalo2013.jacobian_derivatives(tree, q, rates, 3)
    for mine, theirs in zip(paper.jacobian_derivatives(tree, q, rates, 3), expected, strict=True):
        assert_close(numbers(np.stack(mine)), numbers(np.stack(theirs)), floor=1.0)


def test_loops_stay_closed(state: State) -> None:
    """The residual and its first four derivatives are zero along the rates of all joints."""
    tree, q, rates = given(state)
    v = paper.joint_rates(tree, q, rates)
    whole = replace(tree, active=None, kept=None)
    scale = max(1.0, *(np.abs(numbers(x)).max() for x in v)) ** 2
    for k, x in enumerate(time_derivatives(loop_residual, whole, q, v, 4)):
        assert_close(numbers(x), np.zeros(len(x)), what=f"order {k}", floor=scale)


def test_velocity_map(state: State) -> None:
    tree, q, rates = given(state)
    v = paper.joint_rates(tree, q, rates[:1])
    closure = Closure(tree, q)
    E, rate = paper.velocity_map_derivatives(tree, q, v, 1)
    assert_close(numbers(E), numbers(closure.E), floor=1.0)
    assert_close(numbers(rate), numbers(closure.E_rate(v[0])), floor=1.0)


def test_inverse_dynamics_and_two_rates(state: State) -> None:
    tree, q, rates = given(state)
    fast = derivative(MECHANISM["inverse_dynamics"], "rates(2)").formula(tree, q, *rates)
    found = paper.parallel_inverse_dynamics(tree, q, rates, 2)
    for k, (x, y) in enumerate(zip(found, fast, strict=True)):
        assert_close(numbers(x), numbers(y), what=f"order {k}")


@pytest.mark.parametrize("name", ["four_bar", "five_bar"])
def test_compiled_mechanisms(name: str) -> None:
    robot = Robot(quiet_read(name))
    state = State(robot.closed())
    tree, q, rates = given(state)
    kernel = state.closed.inverse_dynamics.rates(2)
    compiled = kernel(state.q, *(state[x] for x in ("v", "a", "j", "s")))
    found = paper.parallel_inverse_dynamics(tree, q, rates, 2)
    for x, y in zip(found, compiled, strict=True):
        assert_close(numbers(x), y)


def test_actuator_forces() -> None:
    """Stewart's platform: from the platform's motion by B^-T the forces of the legs' drives."""
    state = State(mechanism("stewart"))
    tree, q, rates = given(state)
    v = paper.joint_rates(tree, q, rates)
    platform = stewart()[0].closed(["pose"], state.q)
    assert platform.tree.active is not None
    assert tree.active is not None
    columns = list(platform.tree.active)
    motion = [x[columns] for x in v]
    found = paper.actuator_forces(platform.tree, q, motion, tree.active)
    expected = paper.parallel_inverse_dynamics(tree, q, rates)
    assert len(paper.limbs(tree)) == 7
    for k, (x, y) in enumerate(zip(found, expected, strict=True)):
        assert_close(numbers(x), numbers(y), 1e-11, f"order {k}")


def test_other_loops_are_refused() -> None:
    tree, q, rates = given(State(mechanism("mixed")))
    with pytest.raises(ValueError, match="expected loops that lock all turns"):
        paper.joint_rates(tree, q, rates)
    tree = Robot(small_model()).tree
    with pytest.raises(ValueError, match="expected the tree of a mechanism"):
        paper.parallel_inverse_dynamics(tree, objects(np.zeros(tree.nq)), [np.zeros(tree.nv)] * 4)
