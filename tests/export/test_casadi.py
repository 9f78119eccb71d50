"""CasADi Functions against the compiled quantities, and in an optimal control problem."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.robot import Robot
from support.helpers import assert_close, random_arguments, small_model

ca = pytest.importorskip("casadi")
from jounce.export.casadi import CasadiRobot, casadi_functions  # noqa: E402


def check(function: Any, quantity: BoundQuantity) -> None:
    """The Function has the quantity's arguments and values, matrices included."""
    kernel = quantity.kernel
    robot = quantity.robot
    assert isinstance(function, ca.Function)
    assert function.name_in() == list(kernel.arguments)
    arguments = random_arguments(kernel, robot, np.random.default_rng(5))
    results = function(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    expected = quantity(*arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for result, value in zip(results, expected, strict=True):
        shape = value.shape or (1,)
        rows = value.reshape(shape[0], -1)
        assert_close(np.array(result), rows, 1e-13, repr(quantity))


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot(small_model())


@pytest.fixture(scope="module")
def functions(robot: Robot) -> CasadiRobot:
    return casadi_functions(robot)


@pytest.mark.parametrize("name", list(ROBOT))
def test_quantities(robot: Robot, functions: CasadiRobot, name: str) -> None:
    function, quantity = getattr(functions, name), getattr(robot, name)
    check(function, quantity)
    letters = ROBOT[name].result_names
    names = [f"{name}_{letter}" for letter in letters] if len(letters) > 1 else [name]
    assert function.name_out() == names
    assert getattr(functions, name) is function


@pytest.mark.parametrize("name", list(FRAME))
def test_quantities_of_frames(robot: Robot, functions: CasadiRobot, name: str) -> None:
    check(getattr(functions.frame("tool"), name), getattr(robot.frame("tool"), name))


def test_time_derivatives(robot: Robot, functions: CasadiRobot) -> None:
    check(functions.mass_matrix.dt, robot.mass_matrix.dt)
    check(functions.inverse_dynamics.dt, robot.inverse_dynamics.dt)
    rates = functions.inverse_dynamics.rates(3)
    check(rates, robot.inverse_dynamics.rates(3))
    name = "inverse_dynamics"
    assert rates.name_out() == [name, f"{name}_dt", f"{name}_dtt", f"{name}_d3t"]
    check(functions.frame("tool").jacobian.dtt, robot.frame("tool").jacobian.dtt)


def test_several_derivatives_from_one_kernel(robot: Robot, functions: CasadiRobot) -> None:
    name = "inverse_dynamics"
    for kind, variables in (
        ("derivatives", ("", "_dq", "_dv", "_da")),
        ("design", ("_dpi", "_dscrew", "_dplacement")),
        ("hessian", ("",)),
    ):
        function = getattr(functions.inverse_dynamics, kind)
        check(function, getattr(robot.inverse_dynamics, kind))
        assert function.name_out() == [f"{name}_{kind}{x}" for x in variables]


def test_optional_arguments(robot: Robot, functions: CasadiRobot) -> None:
    function = functions.function("inverse_dynamics", optional=True)
    assert function.name_in() == ["q", "v", "a", "wrenches"]
    rng = np.random.default_rng(1)
    q, v, a, w = robot.random(rng), *rng.normal(size=(2, robot.nv)), rng.normal(size=(robot.nb, 6))
    expected = robot.inverse_dynamics(q, v, a, wrenches=w)
    assert_close(np.array(function(q, v, a, w)).ravel(), expected, 1e-13)


def test_names_and_symbols(robot: Robot, functions: CasadiRobot) -> None:
    with pytest.raises(AttributeError, match="mass_matrix"):
        _ = functions.mass
    with pytest.raises(jounce.ModelError, match="tool"):
        functions.frame("tol")
    with pytest.raises(AttributeError, match="dzz"):
        _ = functions.mass_matrix.dzz
    with pytest.raises(AttributeError, match="other"):
        _ = functions.mass_matrix.other
    assert "mass_matrix" in dir(functions)
    # on symbols of either kind, by name, and differentiated by CasADi
    q, v, a = (ca.MX.sym(x, n) for x, n in (("q", robot.nq), ("v", robot.nv), ("a", robot.nv)))
    tau = functions.inverse_dynamics(q=q, v=v, a=a)["inverse_dynamics"]
    M = ca.Function("M", [q, v, a], [ca.jacobian(tau, a)])
    rng = np.random.default_rng(2)
    state = (robot.random(rng), *rng.normal(size=(2, robot.nv)))
    assert_close(np.array(M(*state)), robot.mass_matrix(state[0]), 1e-12)


def test_missing_casadi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)
    monkeypatch.delitem(sys.modules, "jounce.export.casadi")
    with pytest.raises(ImportError, match=r"jounce\[casadi\]"):
        __import__("jounce.export.casadi")


def test_optimal_control() -> None:
    """A planar arm lifts itself from hanging to upright with the least effort (IPOPT).

    Hermite-Simpson collocation with the dynamics of `forward_dynamics`; the answer must satisfy
    the inverse dynamics of the compiled robot at every node, and follow from simulation.
    """
    robot = jounce.load("planar_2r")
    functions = casadi_functions(robot)
    nodes, duration = 24, 2.0
    h = duration / (nodes - 1)
    opti = ca.Opti()
    x, u = opti.variable(4, nodes), opti.variable(2, nodes)

    def rate(state: Any, torque: Any) -> Any:
        return ca.vertcat(state[2:], functions.forward_dynamics(state[:2], state[2:], torque))

    slopes = [rate(x[:, k], u[:, k]) for k in range(nodes)]
    effort = 0
    for k in range(nodes - 1):
        middle = (x[:, k] + x[:, k + 1]) / 2 + h / 8 * (slopes[k] - slopes[k + 1])
        torque = (u[:, k] + u[:, k + 1]) / 2
        step = h / 6 * (slopes[k] + 4 * rate(middle, torque) + slopes[k + 1])
        opti.subject_to(x[:, k + 1] - x[:, k] == step)
        effort += h / 6 * (ca.sumsqr(u[:, k]) + 4 * ca.sumsqr(torque) + ca.sumsqr(u[:, k + 1]))
    start, end = np.array((-np.pi / 2, 0, 0, 0)), np.array((np.pi / 2, 0, 0, 0))
    opti.subject_to(x[:, 0] == start)
    opti.subject_to(x[:, -1] == end)
    opti.minimize(effort)
    blend = np.linspace(0, 1, nodes)
    opti.set_initial(x, start[:, None] + blend * (end - start)[:, None])
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "tol": 1e-9})
    solution = opti.solve()
    assert solution.stats()["success"]
    states, torques = solution.value(x).T, solution.value(u).T

    # the torques give the slopes of the solution, by the compiled inverse dynamics
    q, v = states[:, :2], states[:, 2:]
    a = np.array([solution.value(slope)[2:] for slope in slopes])
    assert_close(robot.inverse_dynamics(q, v, a), torques, 1e-9)
    # and simulation with them arrives: collocation is accurate to O(h^4) per node
    steps = zip(states, torques, torques[1:], strict=False)
    reached = np.array([_simulate(robot, x, u0, u1, h) for x, u0, u1 in steps])
    assert np.abs(reached - states[1:]).max() < 0.03  # 24 nodes over 2 s, accelerations to 60
    # the plain way, both joints in step along a quintic, is feasible and costs more
    t = np.linspace(0, 1, 401)[:, None]
    span = (end - start)[:2]
    q = start[:2] + span * t**3 * (10 - 15 * t + 6 * t**2)
    v = span * 30 * t**2 * (1 - t) ** 2 / duration
    a = span * 60 * t * (1 - t) * (1 - 2 * t) / duration**2
    plain = np.trapezoid((robot.inverse_dynamics(q, v, a) ** 2).sum(axis=1), dx=duration / 400)
    assert float(solution.value(effort)) < 0.8 * plain


def _simulate(
    robot: Robot, state: np.ndarray, u0: np.ndarray, u1: np.ndarray, h: float, steps: int = 20
) -> np.ndarray:
    """Runge-Kutta from node to node, torque linear in between."""

    def rate(s: float, x: np.ndarray) -> np.ndarray:
        a = robot.forward_dynamics(x[:2], x[2:], u0 + s * (u1 - u0))
        return np.concatenate((x[2:], a))

    d = 1.0 / steps
    for i in range(steps):
        s, dt = i * d, h * d
        k1 = rate(s, state)
        k2 = rate(s + d / 2, state + dt / 2 * k1)
        k3 = rate(s + d / 2, state + dt / 2 * k2)
        k4 = rate(s + d, state + dt * k3)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state
