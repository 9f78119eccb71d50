"""Implicit steps converge where joints are fast, say where not, and are differentiated there."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog.autodiff.directions import add_inertia, displace_joints
from jounce.catalog.derivative import derivative
from jounce.catalog.options import with_options
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import ROBOT
from jounce.formulas import implicit_steps
from jounce.formulas.motions import configuration_rate, configuration_velocity
from jounce.math.scalar import zeros
from jounce.model.tree import Tree, lower
from jounce.robot import Robot
from jounce.runtime.trace import trace_formula
from support.helpers import STEP, assert_close, numbers, objects, random_robot, slope

METHODS = ("implicit_midpoint", "variational")
TREES = {
    "arm": {"n_joints": 3, "kinds": ("revolute",)},
    "floating": {"n_joints": 2, "kinds": ("spherical", "revolute"), "floating": True},
    "following": {"n_joints": 3, "kinds": ("planar", "revolute"), "mimic": True},
}

#: Speeds (rad/s, m/s) and steps (s).
FAST = ((10.0, 1e-2), (30.0, 1e-2), (50.0, 1e-3), (50.0, 5e-3))


class Fast:
    """A fast tree, and a step of it."""

    def __init__(self, name: str, method: str, speed: float, h: float) -> None:
        model, rng = random_robot(7, **TREES[name]), np.random.default_rng(3)
        self.row: AnyQuantity = with_options(ROBOT["step"], method=method)
        self.tree, n = lower(model), Robot(model).nv
        q, v, tau = Robot(model).random(4), speed * rng.uniform(-1, 1, size=n), rng.normal(size=n)
        self.given = [objects(x) for x in (q, v, tau, np.array(h))]
        self.along = rng.normal(size=(3, n))

    def evaluate(self, name: str = "", *more: np.ndarray) -> list[np.ndarray]:
        """The step, or a derivative of it."""
        row = derivative(self.row, name) if name else self.row
        found = row.formula(self.tree, *self.given, *(objects(x) for x in more))
        return [numbers(x) for x in found]

    def slope(self, tree: Tree, *rates: Any) -> np.ndarray:
        """How q (as a velocity) and v at the end change, by a complex step.

        tree: with what changes of it. rates: those of q (a velocity), v, tau and h.
        """
        given = list(self.given)
        for k, rate in enumerate(rates):
            move = objects(rate)
            if k == 0:
                move = configuration_rate(tree, self.given[0], move)
            given[k] = given[k] + 1j * STEP * move
        found = self.row.formula(tree, *given)
        q = objects([x.real for x in found[0]])
        turned = configuration_velocity(self.tree, q, objects(slope(found[0])))
        return np.concatenate((numbers(turned), slope(found[1])))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """More corrections than are needed, so that complex steps see the solution.

    Convergence is not checked: squares of imaginary residuals are negative.
    """
    monkeypatch.setattr(implicit_steps, "CORRECTIONS", (2, 9))
    monkeypatch.setattr(implicit_steps, "dropped", lambda x, c: x)


@cache
def fast(name: str, method: str, speed: float, h: float) -> tuple[Fast, dict[str, Any]]:
    """A step, and what jounce gives for it."""
    at = Fast(name, method, speed, h)
    n = len(at.given[1])
    lam = np.random.default_rng(5).normal(size=(2, n))
    found = {name: at.evaluate(name) for name in ("derivatives", "dh", "dpi", "dscrew")}
    found[""] = at.evaluate()
    found["vjp"] = at.evaluate("vjp", *lam)
    return at, {**found, "lam": lam}


#: Those that are always tried; the others take long.
FEW = {("arm", "variational", 30.0, 1e-2), ("following", "implicit_midpoint", 30.0, 1e-2)}

CASES = [
    pytest.param(*case, marks=() if case in FEW else pytest.mark.slow)
    for case in ((name, method, *at) for name in TREES for method in METHODS for at in FAST)
]


@pytest.mark.parametrize(("name", "method", "speed", "h"), CASES)
def test_derivatives_of_fast_steps(
    name: str, method: str, speed: float, h: float, request: pytest.FixtureRequest
) -> None:
    at, found = fast(name, method, speed, h)
    request.getfixturevalue("patient")
    for one, other in zip(found[""], at.evaluate(), strict=True):
        assert_close(one, other)
    *_, A, B = found["derivatives"]
    n, along, none = len(at.along[0]), at.along, np.zeros((3, len(at.along[0])))
    assert_close(A @ along[:2].ravel() + B @ along[2], at.slope(at.tree, *along))
    by_h = at.slope(at.tree, *none, np.array(1.0))
    assert_close(np.concatenate(found["dh"]), by_h)
    gradients, lam = found["vjp"], found["lam"].ravel()
    assert_close(np.concatenate(gradients[:3]), lam @ np.hstack((A, B)))
    assert_close(gradients[3], lam @ by_h)
    body, k = at.tree.nb - 1, 4
    heavier = add_inertia(at.tree, _small((at.tree.nb, 10), (body, k)))
    by_pi = np.concatenate(found["dpi"]).reshape(2 * n, -1, 10)[:, body, k]
    assert_close(by_pi, at.slope(heavier))
    bent = displace_joints(at.tree, _small((at.tree.nb, 6), (body, k)), screw=True)
    assert_close(np.concatenate(found["dscrew"])[:, body, k], at.slope(bent))


def states(robot: Robot, speed: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    v, tau = rng.uniform(-1, 1, size=(2, 300, robot.nv))
    return robot.random(rng, 300), speed * v, tau


@pytest.mark.parametrize("method", METHODS)
def test_convergence_is_checked(method: Any) -> None:
    """Steps of a radian and more become NaN with a warning, and so do their derivatives."""
    robot = arm()
    fast = states(robot, 200.0)
    with pytest.warns(RuntimeWarning, match="invalid value encountered in step"):
        q, v = robot.step(*fast, 0.02, method=method)
    lost = np.isnan(v).any(axis=1)
    assert 0.1 < lost.mean() < 1.0
    assert_close(np.isnan(q).any(axis=1), lost)
    with pytest.warns(RuntimeWarning, match="invalid value"):
        by_v = robot.step.dv(*fast, 0.02, method=method)[1]
    assert_close(np.isnan(by_v).any(axis=(1, 2)), lost)


def test_single_precision_is_too_coarse_to_tell() -> None:
    robot = arm()
    q, v, tau = (x.astype(np.float32) for x in states(robot, 1.0))
    found = robot.step(q, v, tau, np.float32(1e-3), method="implicit_midpoint")
    assert np.isfinite(found[1]).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("speed", [0.0, 1e-9, 1e-6, 1e-4, 1e-2, 1.0, 30.0])
def test_slow_and_fast_joints_converge(method: Any, speed: float) -> None:
    robot = arm()
    q, v, tau = states(robot, speed)
    for h in (1e-5, 1e-3, 1e-2):
        assert np.isfinite(robot.step(q, v, tau, h, method=method)[1]).all()
        hold = robot.gravity_forces(q)
        assert np.isfinite(robot.step(q, v, hold, h, method=method)[1]).all()


@pytest.mark.parametrize("speed", [0.0, 1e-3, 1.0])
def test_joints_that_friction_holds_stay_numbers(speed: float) -> None:
    """Where Coulomb friction holds a joint there is no solution, and the joint nearly rests."""
    robot = arm()
    q, v, tau = states(robot, speed)
    for forces in (tau, robot.gravity_forces(q) + 0.1 * tau):
        ends = robot.step(q, v, forces, 1e-2, method="implicit_midpoint", friction=True)
        assert np.isfinite(ends[1]).all()


@cache
def arm() -> Robot:
    return Robot(random_robot(7, **TREES["arm"]))


def test_the_energy_is_kept_at_high_speed() -> None:
    robot = arm()
    q, v, _ = states(robot, 40.0)
    none = np.zeros(robot.nv)
    ends = robot.step(q, v, none, 1e-2, method="implicit_midpoint")
    before, after = (
        robot.kinetic_energy(*x) + robot.potential_energy(x[0]) for x in ((q, v), ends)
    )
    assert_close(after, before)


def test_derivatives_do_not_go_through_iterations() -> None:
    """Kernels of derivatives are not many times as long as that of the step."""
    robot = jounce.load("kuka_iiwa14")

    def operations(name: str) -> int:
        row = robot.quantity(f"step(method=implicit_midpoint){name}").kernel.quantity
        return len(trace_formula(row, robot.tree, robot.sizes))

    value = operations("")
    assert operations(".vjp") < 1.7 * value
    assert operations(".dpi") < 4.0 * value


def _small(shape: tuple[int, ...], place: tuple[int, ...]) -> np.ndarray:
    """A complex step of one number."""
    out = zeros(*shape)
    out[place] = 1j * STEP
    return out
