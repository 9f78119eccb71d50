"""One step in time: orders, energy, other integrators, and derivatives between tangent spaces."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jounce
from jounce.arrays import choices
from jounce.catalog.derivative import derivative
from jounce.catalog.options import with_options
from jounce.catalog.tables import ROBOT
from jounce.formulas.motions import configuration_rate, configuration_velocity
from jounce.model.tree import lower
from jounce.robot import Robot
from support.helpers import STEP, assert_close, numbers, objects, random_robot, slope
from support.robots import ALL_KINDS

METHODS = {"euler": 1, "rk4": 4, "implicit_midpoint": 2, "variational": 2}
SMALL = (9, 2, ("spherical", "revolute"))


@cache
def small() -> Robot:
    """A spherical joint and a revolute one."""
    return Robot(random_robot(*SMALL))


def energy(robot: Any, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return robot.kinetic_energy(q, v) + robot.potential_energy(q)


def distance(robot: Robot, one: Any, other: Any) -> float:
    turned = robot.difference(one[0], other[0])
    return float(max(np.abs(turned).max(), np.abs(one[1] - other[1]).max()))


def check_order(robot: Robot, method: str) -> None:
    rng = np.random.default_rng(2)
    q, v, tau = robot.random(3), rng.normal(size=robot.nv), rng.normal(size=robot.nv)

    def after(method: str, count: int) -> tuple[np.ndarray, np.ndarray]:
        forces = np.tile(tau, (count, 1))
        path = robot.rollout(q, v, forces, 0.2 / count, method=method)
        return path[0][-1], path[1][-1]

    truth = after("rk4", 256)
    errors = [distance(robot, after(method, n), truth) for n in (16, 32)]
    assert abs(np.log2(errors[0] / errors[1]) - METHODS[method]) < 0.1


@pytest.mark.parametrize("method", METHODS)
def test_order_on_spherical_joints(method: str) -> None:
    check_order(small(), method)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_order_on_a_floating_base(method: str) -> None:
    check_order(Robot(random_robot(3, 3, ("spherical", "planar"), floating=True)), method)


# ------------------------------------------------------------------ energy


def swing(method: str, count: int = 10_000) -> np.ndarray:
    """Energy of a double pendulum after each step of a millisecond."""
    robot = jounce.load("planar_2r")
    path = robot.rollout([1.0, 0.7], np.zeros(2), np.zeros((count, 2)), 1e-3, method=method)
    return energy(robot, *path)


def test_midpoint_keeps_the_energy() -> None:
    E = swing("implicit_midpoint")
    assert np.abs(E - E[0]).max() <= 1e-11 * abs(E[0])  # rounding of ten thousand steps


def test_variational_energy_does_not_drift() -> None:
    E = swing("variational") - swing("variational", 1)[0]
    assert np.abs(E).max() < 2e-4 * 26.2  # of order h^2, where the pendulum is fastest
    windows = np.abs(E[1:]).reshape(10, -1).max(axis=1)
    assert windows[-1] < 2.0 * windows[0]


@pytest.mark.slow
def test_midpoint_takes_the_work_of_forces_wrenches_and_friction() -> None:
    robot, rng = small(), np.random.default_rng(4)
    n, h = robot.nv, 0.02
    q, v, tau = robot.random(5), rng.normal(size=n), rng.normal(size=n)
    w = rng.normal(size=(robot.nb, 6))
    for friction in (False, True):
        ends = robot.step(q, v, tau, h, w, method="implicit_midpoint", friction=friction)
        u = robot.difference(q, ends[0]) / h
        assert_close(u, 0.5 * (v + ends[1]), 1e-11)
        half = robot.integrate(q, 0.5 * h * u)
        net = tau + robot.external_forces(half, w) - friction * robot.joint_friction(u)
        assert_close(energy(robot, *ends) - energy(robot, q, v), h * (u @ net), 1e-10)


def test_midpoint_at_rest_and_back() -> None:
    """A robot that is held stays; both implicit methods are symmetric in time."""
    robot = small()
    q, none = robot.random(6), np.zeros(robot.nv)
    hold = robot.gravity_forces(q)
    for method in ("implicit_midpoint", "variational"):
        ends = robot.step(q, none, hold, 0.01, method=method)
        assert np.abs(robot.difference(q, ends[0])).max() < 1e-14
        v = np.ones(robot.nv)
        ends = robot.step(q, v, hold, 0.01, method=method)
        back = robot.step(*ends, hold, -0.01, method=method)
        assert distance(robot, back, (q, v)) < 1e-13


def test_against_scipy() -> None:
    robot = jounce.load("planar_2r")
    start, tau = np.array([0.3, -0.5, 0.4, 0.2]), np.array([1.0, -2.0])

    def rate(_: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate((x[2:], robot.forward_dynamics(x[:2], x[2:], tau)))

    truth = solve_ivp(rate, (0.0, 0.5), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    path = robot.rollout(start[:2], start[2:], np.tile(tau, (500, 1)), 1e-3, method="rk4")
    assert_close(np.concatenate((path[0][-1], path[1][-1])), truth, 1e-9)  # of order h^4


# ------------------------------------------------------------------ derivatives

ROBOTS = {
    "all kinds": {"n_joints": len(ALL_KINDS), "mimic": True},
    "floating": {"n_joints": 3, "kinds": ("spherical", "helical"), "floating": True},
    "following": {
        "n_joints": 3,
        "kinds": ("spherical", "revolute"),
        "floating": True,
        "mimic": True,
    },
}


def check_matrices(name: str, method: str, friction: bool, speed: float = 1.0) -> None:
    """A and B along a direction, against complex steps through the formula itself."""
    model = random_robot(7, **ROBOTS[name])
    tree, robot, rng = lower(model), Robot(model), np.random.default_rng(8)
    n, h, w = tree.nv, 0.02, rng.normal(size=(tree.nb, 6))
    q, v, tau = robot.random(9), speed * rng.normal(size=n), rng.normal(size=n)
    row = with_options(ROBOT["step"], method=method, friction=friction)
    along = rng.normal(size=(3, n))
    given = [objects(x) for x in (q, v, tau, np.array(h), w)]
    end, speed, A, B = derivative(row, "derivatives").formula(tree, *given)
    seeds = (configuration_rate(tree, given[0], objects(along[0])), along[1], along[2])
    stepped = [
        x + 1j * STEP * objects(t) if k < 3 else x
        for k, (x, t) in enumerate(zip(given, (*seeds, 0, 0), strict=True))
    ]
    rates = [slope(x) for x in row.formula(tree, *stepped)]
    value = row.formula(tree, *given)
    assert_close(numbers(end), numbers(value[0]))
    assert_close(numbers(speed), numbers(value[1]))
    turned = configuration_velocity(tree, value[0], objects(rates[0]))
    expected = np.concatenate((numbers(turned), rates[1]))
    found = numbers(A) @ along[:2].ravel() + numbers(B) @ along[2]
    # implicit methods: the slope of their corrections has settled a little less than these have
    assert_close(found, expected, 1e-12 if METHODS[method] != 2 else 1e-11, method)


@pytest.mark.parametrize("name", ROBOTS)
def test_matrices_of_euler(name: str) -> None:
    check_matrices(name, "euler", True)


@pytest.mark.parametrize("method", [method for method in METHODS if method != "euler"])
def test_matrices_of_the_others(method: str) -> None:
    check_matrices("floating", method, True)


@pytest.mark.parametrize("method", [method for method in METHODS if METHODS[method] == 2])
def test_matrices_of_implicit_methods_are_those_of_what_is_computed(method: str) -> None:
    """Not only of what it would settle at: on a floating base, with joints that follow others."""
    check_matrices("following", method, False, speed=8.0)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_matrices_for_all_kinds_of_joints(method: str) -> None:
    check_matrices("all kinds", method, False)


@pytest.mark.slow
def test_parts_numbers_and_pullbacks() -> None:
    """.dq, .dv, .dtau, .dh, .dpi, .dscrew, .jvp and .vjp say what A, B and differences do."""
    robot, rng = small(), np.random.default_rng(11)
    n, h = robot.nv, 0.05
    state = robot.random(12), rng.normal(size=n), rng.normal(size=n), h
    *_, A, B = robot.step.derivatives(*state, method="rk4")
    for name, expected in (("dq", A[:, :n]), ("dv", A[:, n:]), ("dtau", B)):
        found = robot.step.derivative(name)(*state, method="rk4")
        assert_close(np.concatenate(found), expected, 1e-11)
    by_h = np.concatenate(robot.step.dh(*state, method="rk4"))
    lam, t = rng.normal(size=(2, n)), rng.normal(size=(3, n))
    gradients = robot.step.vjp(*state, *lam, method="rk4")
    pushed = np.concatenate(robot.step.jvp(*state, *t, 0.3, method="rk4"))
    assert_close(pushed, A @ t[:2].ravel() + B @ t[2] + 0.3 * by_h, 1e-11)
    assert_close(np.concatenate(gradients[:3]), lam.ravel() @ np.hstack((A, B)), 1e-11)
    assert_close(gradients[3], lam.ravel() @ by_h, 1e-11)
    pi, e = robot.model.parameters, 1e-6
    by_pi = np.concatenate(robot.step.dpi(*state))[:, 3]
    more = np.eye(pi.size)[3].reshape(pi.shape) * e
    ends = [robot.parametric.step(*state, pi + s * more) for s in (1.0, -1.0)]
    truth = robot.difference(ends[1][0], ends[0][0]), ends[0][1] - ends[1][1]
    assert_close(by_pi, np.concatenate(truth) / (2 * e), 1e-7)  # differences


# ------------------------------------------------------------------ options


def test_options_by_name() -> None:
    robot = jounce.load("planar_2r")
    state = [0.1, 0.2], [0.3, 0.4], [0.5, 0.6], 0.01
    expected = robot.step(*state, method="rk4", friction=True)
    named = robot.quantity("step(method=rk4, friction=True)")
    assert named is robot.step.choose(method="rk4", friction=True)
    assert robot.step.choose(method="euler") is robot.step
    assert_close(named(*state)[1], expected[1])
    matrices = robot.quantity("step(method=rk4).derivatives")
    assert matrices is robot.step.derivatives.choose(method="rk4")
    assert matrices(*state)[2].shape == (4, 4)
    again = pickle.loads(pickle.dumps(matrices))
    assert_close(again(*state)[2], matrices(*state)[2])
    with pytest.raises(ValueError, match=r"method must be one of 'euler', 'rk4', .* found 'rk5'"):
        robot.step(*state, method="rk5")
    with pytest.raises(ValueError, match=r"method must be one of .* found \['rk4'\]"):
        robot.step(*state, method=["rk4"])
    with pytest.raises(ValueError, match="friction must be one of False, True, found 'yes'"):
        robot.quantity("step(friction=yes)")
    with pytest.raises(ValueError, match="expected an option name=value, found 'rk4'"):
        robot.quantity("step(rk4)")
    with pytest.raises(ValueError, match="takes no 'method', and has no options"):
        robot.mass_matrix.choose(method="rk4")


def test_options_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call with the same options knows what they choose; 1 is not taken for True."""
    robot, seen = jounce.load("planar_2r"), []
    state = [0.1, 0.2], [0.3, 0.4], [0.5, 0.6], 0.01
    choose = choices.choose

    def counted(quantity: Any, options: dict[str, Any]) -> Any:
        seen.append(options)
        return choose(quantity, options)

    monkeypatch.setattr(choices, "choose", counted)
    for quantity in (robot.step, robot.step.derivatives, robot.parametric.step):
        own = () if quantity is not robot.parametric.step else (robot.model.parameters,)
        seen.clear()
        found = [quantity(*state, *own, friction=True, method="rk4") for _ in range(3)]
        first = len(seen)
        assert first >= 1
        for x in found[1:]:
            assert_close(x[1], found[0][1], 0.0)
        into = tuple(np.empty_like(x) for x in found[0])
        assert quantity(*state, *own, friction=True, method="rk4", out=into)[0] is into[0]
        assert len(seen) == first
        with pytest.raises(ValueError, match="friction must be one of False, True, found 1"):
            quantity(*state, *own, friction=1, method="rk4")
        plain = quantity(*state, *own, friction=False)
        assert_close(plain[1], quantity(*state, *own)[1], 0.0)


# ------------------------------------------------------------------ mechanisms


@pytest.mark.slow
def test_mechanisms_keep_their_loops_closed() -> None:
    mechanism = jounce.load("five_bar").closed()
    n, active = mechanism.nv, list(mechanism.active)
    q, v, tau, h = mechanism.reference, np.array([0.3, -0.2]), np.array([0.5, 0.1]), 0.01
    path = mechanism.rollout(q, v, np.tile(tau, (20, 1)), h, method="rk4")
    assert mechanism.gap(path[0]).max() < 1e-14
    end, _, A, B = mechanism.step.derivatives(q, v, tau, h, method="rk4")
    assert_close(end, path[0][1])
    e = 1e-6
    for k, matrix in enumerate((A[:, :n], A[:, n:], B)):
        for i, unit in enumerate(np.eye(n) * e):
            ends = []
            for step in (unit, -unit):
                state = [q, v, tau]
                state[k] = mechanism.integrate(q, step) if k == 0 else state[k] + step
                ends.append(mechanism.step(*state, h, method="rk4"))
            turned = mechanism.robot.difference(ends[1][0], ends[0][0])[active]
            truth = np.concatenate((turned, ends[0][1] - ends[1][1])) / (2 * e)
            assert_close(matrix[:, i], truth, 1e-7)  # differences
    with pytest.raises(ValueError, match="method must be one of 'euler', 'rk4', found 'varia"):
        mechanism.step(q, v, tau, h, method="variational")
