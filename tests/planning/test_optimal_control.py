"""Optimal control: exact solutions, derivatives of knots, batches, limits, constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

import jounce
from jounce import planning
from jounce.errors import ArgumentError

SLIDER: Any = jounce.load("cartesian_ppp")
ARM: Any = jounce.load("planar_2r")
REST = np.zeros(2), np.zeros(2)


def slider_problem(steps: int, weight: float = 1.0, **options: Any) -> Any:
    """Linear dynamics of three sliders, quadratic cost; gravity is compensated."""

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return p.weight * (x.q - p.goal), 0.3 * x.v, 0.1 * (u - model.gravity_forces(x.q))

    def terminal(model: Any, x: Any, p: Any) -> Any:
        state = np.concatenate((x.q - p.goal, x.v))
        return 0.5 * (state @ p.P @ state)

    parameters = {"goal": np.zeros(3), "P": np.eye(6), "weight": weight}
    return planning.OptimalControlProblem(
        SLIDER, cost, terminal, steps=steps, h=0.05, parameters=parameters, **options
    )


def arm_problem(steps: int = 30, **options: Any) -> Any:
    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.1 * x.v, 0.05 * u

    def terminal(model: Any, x: Any, p: Any) -> Any:
        return 10.0 * planning.posture_error(model, x.q, p.goal), 3.0 * x.v

    options = {"parameters": {"goal": [0.5, -0.5]}, "h": 0.03} | options
    return planning.OptimalControlProblem(ARM, cost, terminal, steps=steps, **options)


def expand(problem: Any, stage: Any, seed: int = 0, exact: bool = False) -> dict[str, Any]:
    """Random arguments of a kind of knots, next to a trajectory."""
    rng = np.random.default_rng(seed)
    robot = stage.links
    q, v, u = robot.random(rng), rng.standard_normal(robot.nv), rng.standard_normal(stage.nu)
    arguments: dict[str, Any] = {"q": q, "v": v}
    if not stage.functions.is_last:
        arguments |= {"u": u, "q_next": robot.integrate(q, 0.1 * v), "v_next": 1.1 * v}
    for name, x in problem.parameters.items():
        arguments[name] = x
    if exact:
        arguments["curvature"] = 1.0
        if not stage.functions.is_last:
            arguments["costate"] = rng.standard_normal(stage.nx)
    return {name: np.asarray(arguments[name], dtype=float) for name in stage.arguments}


def matrices(stage: Any, arguments: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """F, and the symmetric L with the gradient as its last column."""
    packed = stage.quantity("expansion")(*arguments.values())
    full = stage.pattern.constants.copy()
    head = stage.pattern.defects
    full[stage.pattern.rows[head:], stage.pattern.columns[head:]] = packed[head:]
    F, L = full[: stage.nx], full[stage.nx : -1]
    if stage.pattern.step >= 0:  # the half of the configuration follows from that of the velocity
        n, h = stage.links.nv, packed[stage.pattern.step]
        F[:n] += h * F[n:]
        F[:n, stage.nu : stage.nu + n] += np.eye(n)
    size = stage.nu + stage.nx
    square = np.triu(L[:, :size]) + np.triu(L[:, :size], 1).T
    return F[:, : size + 1], np.concatenate((square, L[:, size : size + 1]), axis=1)


def moved(stage: Any, arguments: dict[str, Any], z: np.ndarray) -> dict[str, Any]:
    """Arguments after a change z = (u, q, v)."""
    n, m = stage.links.nv, stage.nu
    out = dict(arguments)
    if not stage.functions.is_last:
        out["u"] = out["u"] + z[:m]
    out["q"] = stage.links.integrate(out["q"], z[m : m + n])
    out["v"] = out["v"] + z[m + n :]
    return out


def slope(function: Any, size: int, step: float = 1e-3) -> np.ndarray:
    """Derivative by central differences of order six, its axis last."""
    columns = []
    for unit in np.eye(size):
        parts = [
            w * (function(k * step * unit) - function(-k * step * unit))
            for k, w in ((1, 45.0), (2, -9.0), (3, 1.0))
        ]
        columns.append(sum(parts) / (60.0 * step))
    return np.stack(columns, axis=-1)


# ------------------------------------------------------------------ exact solutions


def test_linear_quadratic_problem_is_solved_in_one_step() -> None:
    """With the infinite-horizon cost at the end, the gain is that of the Riccati equation."""
    A, B = SLIDER.linearize([0.0] * 3, [0.0] * 3, [0.0] * 3, 0.05)
    Q, R = np.diag([1.0] * 3 + [0.09] * 3), 0.01 * np.eye(3)
    P = solve_discrete_are(A, B, Q, R)
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    q0, v0 = np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.0, -0.4])
    solution = slider_problem(40).solve((q0, v0), P=P)
    assert solution.success
    assert solution.iterations == 1
    assert np.allclose(solution.gains, -K, atol=1e-10)
    x0 = np.concatenate((q0, v0))
    assert solution.cost == pytest.approx(0.5 * x0 @ P @ x0, rel=1e-10)
    x = np.concatenate((solution.q, solution.v), axis=-1)
    gravity = SLIDER.gravity_forces([0.0] * 3)
    assert np.allclose(solution.u, gravity - x[:-1] @ K.T, atol=1e-9)
    assert np.allclose(x[1:], x[:-1] @ A.T + (solution.u - gravity) @ B.T, atol=1e-12)


def test_solution_is_a_minimum_of_the_rollout() -> None:
    """The gradient of the cost of a simulation vanishes in all controls."""
    problem = arm_problem(20)
    solution = problem.solve(REST, tolerance=1e-10)
    assert solution.success

    def cost(change: np.ndarray) -> Any:
        u = solution.u + change.reshape(-1, 2)
        q, v = np.zeros(2), np.zeros(2)
        total = 0.0
        for tau in u:
            total += 0.5 * (0.01 * v @ v + 0.0025 * tau @ tau)
            q, v = ARM.step(q, v, tau, 0.03)
        e = q - [0.5, -0.5]
        return total + 0.5 * (100.0 * e @ e + 9.0 * v @ v)

    assert cost(np.zeros(40)) == pytest.approx(float(solution.cost), rel=1e-9)
    gradient = slope(cost, 40)
    assert np.abs(gradient).max() < 1e-4


@pytest.mark.parametrize("hessian", ["gauss-newton", "exact"])
def test_both_hessians_lead_to_the_same_solution(hessian: Any) -> None:
    reference = arm_problem().solve(REST, tolerance=1e-11)
    solution = arm_problem().solve(REST, hessian=hessian, tolerance=1e-9)
    assert solution.success
    assert reference.success
    assert solution.cost == pytest.approx(float(reference.cost), rel=1e-8)
    assert np.allclose(solution.u, reference.u, atol=1e-3)


# ------------------------------------------------------------------ derivatives of knots


INERTIA = ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.15))


def hopper() -> Any:
    """A free body with a leg, and a point contact at its end."""
    builder = jounce.TreeBuilder("hopper")
    builder.add("trunk", "free", mass=3.0, com=(0.1, 0, 0.05), inertia_com=INERTIA)
    shape: dict[str, Any] = {"mass": 0.5, "com": (0, 0, -0.2), "inertia_com": INERTIA}
    builder.add("leg", "revolute", "trunk", axis=(0, 1, 0), xyz=(0, 0.2, 0), **shape)
    builder.add("foot", "fixed", "leg", xyz=(0, 0, -0.5))
    return jounce.Robot(builder.build()).edit.with_contact("foot", "point", name="ground")


def top() -> Any:
    """A body on a ball joint, with an arm."""
    builder = jounce.TreeBuilder("top")
    builder.add("ball", "spherical", mass=1.0, com=(0.1, 0.2, 0.3), inertia_com=INERTIA)
    builder.add("arm", "revolute", "ball", axis=(0, 1, 0), mass=0.5, com=(0.3, 0, 0))
    return jounce.Robot(builder.build())


@pytest.mark.parametrize(
    ("make", "frame"), [(top, "arm"), (hopper, "foot"), (lambda: ARM, "link2")]
)
def test_derivatives_of_knots(make: Any, frame: str) -> None:
    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return (
            planning.pose_error(model, frame, x.q, p.pose),
            planning.posture_error(model, x.q, p.rest),
            x.v[:2] * u[0],
            0.1 * (x.v @ x.v) * (1.0 + u[0] * u[0]),
            planning.limit_barrier(x.v, -0.5, 0.5),
        )

    robot = make()
    pose = robot.frame(frame).pose(robot.random(np.random.default_rng(9)))
    problem = planning.OptimalControlProblem(
        robot,
        cost,
        phases=[planning.Phase(2, ("ground",), kd=20.0) if make is hopper else planning.Phase(2)],
        parameters={"pose": pose, "rest": robot.random(np.random.default_rng(8))},
    )
    stage = problem.layout().stages[0]
    arguments = expand(problem, stage)
    F, L = matrices(stage, arguments)
    size = stage.nu + stage.nx

    def value(z: np.ndarray) -> np.ndarray:
        return stage.quantity("value")(*moved(stage, arguments, z).values())

    assert np.allclose(F[:, -1], value(np.zeros(size))[1:], rtol=1e-13)
    by_z = slope(value, size)
    assert np.allclose(L[:, -1], by_z[0], rtol=1e-8, atol=1e-8)
    assert np.allclose(F[:, :-1], by_z[1:], rtol=1e-8, atol=1e-8)


def test_exact_hessians_of_knots() -> None:
    """The second derivative of the Lagrangian along geodesics of a ball joint."""
    builder = jounce.TreeBuilder("ball")
    builder.add("ball", "spherical", mass=1.0, com=(0.1, 0.2, 0.3), inertia_com=INERTIA)
    robot = jounce.Robot(builder.build())

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return model.frame("ball").pose(x.q)[:3, 0] - 0.3, x.v[0] * u, 0.1 * (x.v @ x.v) * u[1]

    problem = planning.OptimalControlProblem(robot, cost, steps=2, h=0.1)
    stage = problem.layout(True).stages[0]
    arguments = expand(problem, stage, exact=True)
    _, L = matrices(stage, arguments)
    size = stage.nu + stage.nx

    def lagrangian(z: np.ndarray) -> Any:
        x = stage.quantity("value")(*moved(stage, arguments, z).values())
        return x[0] + arguments["costate"] @ x[1:]

    def gradient(z: np.ndarray) -> np.ndarray:
        return slope(lambda y: lagrangian(y + z), size, 3e-3)

    assert np.allclose(L[:, :-1], slope(gradient, size, 3e-3), atol=1e-6)
    flat = {**arguments, "curvature": np.asarray(0.0), "costate": 0.0 * arguments["costate"]}
    plain = problem.layout().stages[0]
    _, of_squares = matrices(plain, {name: arguments[name] for name in plain.arguments})
    assert np.allclose(matrices(stage, flat)[1], of_squares, atol=1e-12)


# ------------------------------------------------------------------ batches and limits


def test_batches_are_solved_as_single_problems() -> None:
    problem = arm_problem()
    rng = np.random.default_rng(0)
    goals, starts = rng.uniform(-1, 1, (5, 2)), rng.uniform(-0.5, 0.5, (3, 1, 2))
    batch = problem.solve((starts, REST[1]), goal=goals, h=0.02, threads=2)
    assert batch.q.shape == (3, 5, 31, 2)
    assert batch.success.all()
    assert batch.t[1, 2, -1] == pytest.approx(0.6)
    single = problem.solve((starts[2, 0], REST[1]), goal=goals[3], h=0.02)
    assert np.array_equal(batch.u[2, 3], single.u)
    assert np.array_equal(batch.q[2, 3], single.q)
    assert "15 of 15" in repr(batch)


def test_limits_of_controls() -> None:
    """The controls satisfy the conditions of optimality: gradients point out of the limits."""
    free = arm_problem().solve(REST, tolerance=1e-9)
    limit = 0.5 * np.abs(free.u).max(axis=0)
    solution = arm_problem(limits=limit).solve(REST, tolerance=1e-9)
    assert solution.success
    assert (np.abs(solution.u) <= limit).all()
    assert np.isclose(np.abs(solution.u), limit).any()
    assert solution.cost > free.cost
    again = arm_problem(limits=(-limit, limit)).solve(REST, guess=solution, tolerance=1e-9)
    assert again.iterations == 0

    def cost(u: np.ndarray) -> Any:
        q, v = np.zeros(2), np.zeros(2)
        total = 0.0
        for tau in u:
            total += 0.5 * (0.01 * v @ v + 0.0025 * tau @ tau)
            q, v = ARM.step(q, v, tau, 0.03)
        e = q - [0.5, -0.5]
        return total + 0.5 * (100.0 * e @ e + 9.0 * v @ v)

    gradient = slope(lambda z: cost(solution.u + z.reshape(-1, 2)), 60).reshape(-1, 2)
    inside = np.abs(solution.u) < limit * (1.0 - 1e-9)
    assert np.abs(gradient[inside]).max() < 1e-3
    assert (gradient * np.sign(solution.u))[~inside].max() < 1e-3


def test_references_and_inertial_parameters() -> None:
    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 3.0 * planning.posture_error(model, x.q, p.q_d), 0.01 * u

    problem = planning.OptimalControlProblem(
        ARM, cost, steps=20, h=0.05, references={"q_d": ("nq",)}, inertial=True
    )
    q_d = np.stack([np.linspace(0.0, 1.0, 21), np.zeros(21)], axis=-1)
    heavy = np.stack([ARM.model.parameters, 3.0 * ARM.model.parameters])
    solution = problem.solve(REST, q_d=q_d, pi=heavy)
    assert solution.success.all()
    assert np.abs(solution.q[0] - q_d).max() < 0.1
    for pi, q, v, u in zip(heavy, solution.q, solution.v, solution.u, strict=True):
        step = ARM.parametric.step(q[:-1], v[:-1], u, 0.05, pi)
        assert np.allclose(step[0], q[1:], atol=1e-6)


# ------------------------------------------------------------------ constraints


def test_terminal_conditions_and_inequalities() -> None:
    def last(model: Any, x: Any, p: Any) -> Any:
        return np.concatenate((x.q - p.goal, x.v))

    def slow(model: Any, x: Any, u: Any, p: Any) -> Any:
        return x.v[0] - 0.8, -0.8 - x.v[0]

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.05 * u

    problem = planning.OptimalControlProblem(
        ARM,
        cost,
        steps=30,
        h=0.03,
        parameters={"goal": [0.5, -0.5]},
        inequalities=slow,
        terminal_equalities=last,
    )
    solution = problem.solve(REST)
    assert solution.success
    assert np.allclose(solution.q[-1], [0.5, -0.5], atol=2e-6)
    assert np.abs(solution.v[:, 0]).max() <= 0.8 + 2e-6
    assert np.isclose(np.abs(solution.v[:, 0]).max(), 0.8, atol=1e-5)
    squares = 0.5 * 0.05**2 * (solution.u**2).sum()
    assert solution.cost == pytest.approx(squares, rel=1e-9)


def test_failures_have_reasons() -> None:
    def impossible(model: Any, x: Any, p: Any) -> Any:
        return np.concatenate((x.q - 1.0, x.q + 1.0))

    problem = arm_problem(10, terminal_equalities=impossible)
    solution = problem.solve(REST)
    assert not solution.success
    assert solution.reason == "infeasible constraint"
    assert solution.violation > 0.5
    limited = arm_problem().solve(REST, max_iterations=1)
    assert limited.reason == "iteration limit"
    assert "iteration limit" in repr(limited)
    starts = np.zeros((2, 2))
    starts[1, 0] = np.nan
    broken = arm_problem().solve((starts, REST[1]))
    assert list(broken.success) == [True, False]
    assert broken.reason[1] == "not finite at knot 0"


# ------------------------------------------------------------------ other systems


def test_contact_phases() -> None:
    """The motion is that of the robot in contact, then of the free robot."""
    robot = hopper()
    q = robot.neutral()

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.1 * x.v, 0.02 * u, 0.5 * planning.posture_error(model, x.q, p.rest)

    phases = [planning.Phase(6, ("ground",), kd=10.0), planning.Phase(4)]
    problem = planning.OptimalControlProblem(
        robot, cost, phases=phases, h=0.01, parameters={"rest": q}
    )
    solution = problem.solve((q, np.zeros(robot.nv)))
    assert solution.success
    assert solution.u.shape == (10, 1)
    assert solution.tau.shape == (10, 7)
    in_contact = {"kd": 10.0, "anchors": np.zeros((1, 4, 4))}
    for system, part, gains in (
        (robot.contacts("ground"), slice(0, 6), in_contact),
        (robot, slice(6, 10), {}),
    ):
        state = solution.q[part], solution.v[part], solution.tau[part]
        q_next, v_next = system.step(*state, 0.01, **gains)
        after = slice(part.start + 1, part.stop + 1)
        assert np.allclose(v_next, solution.v[after], atol=1e-5)
        assert np.allclose(robot.difference(q_next, solution.q[after]), 0.0, atol=1e-5)
    feet = robot.frame("foot").pose(solution.q[:7])[:, :3, 3]
    assert np.abs(feet - feet[0]).max() < 1e-3


def test_elastic_joints_and_mechanisms() -> None:
    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.1 * x.v, 0.03 * u

    def terminal(model: Any, x: Any, p: Any) -> Any:
        return 20.0 * planning.posture_error(model, x.q, p.goal), 3.0 * x.v

    elastic = ARM.elastic([200.0, 150.0], 0.1)
    problem = planning.OptimalControlProblem(
        elastic, cost, terminal, steps=40, h=0.005, parameters={"goal": [0.1, -0.1]}
    )
    solution = problem.solve((REST[0], REST[1], REST[0], REST[1]))
    assert solution.success
    assert solution.states["theta"].shape == (41, 2)
    state = tuple(x[:-1] for x in solution.states.values())
    after = elastic.step(*state, solution.u, 0.005)
    for x, y in zip(after, solution.states.values(), strict=True):
        assert np.allclose(x, y[1:], atol=1e-6)

    bars = jounce.load("five_bar").closed()
    q0 = bars.make_test_configuration(bars.robot.neutral())
    goal = bars.integrate(q0, [0.2, 0.2])
    problem = planning.OptimalControlProblem(
        bars, cost, terminal, steps=10, h=0.02, parameters={"goal": goal}
    )
    solution = problem.solve((q0, np.zeros(2)))
    assert solution.success
    assert solution.u.shape == (10, 2)
    q, v = bars.step(solution.q[:-1], solution.v[:-1], solution.u, 0.02)
    assert np.allclose(q, solution.q[1:], atol=1e-5)
    assert np.allclose(v, solution.v[1:], atol=1e-5)


def test_own_dynamics() -> None:
    """A kinematic model: velocities are commanded."""

    def dynamics(model: Any, x: Any, u: Any, p: Any) -> Any:
        return model.integrate(x.q, p.h * u), u

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.1 * u

    def terminal(model: Any, x: Any, p: Any) -> Any:
        return planning.position_error(model, "link2", x.q, p.goal)

    problem = planning.OptimalControlProblem(
        ARM, cost, terminal, steps=10, h=0.1, parameters={"goal": [0.0] * 3}, dynamics=dynamics
    )
    goal = ARM.frame("link2").pose([0.4, 0.3])[:3, 3]
    solution = problem.solve(([0.1, 0.1], REST[1]), goal=goal)
    assert solution.success
    assert np.allclose(solution.q[1:] - solution.q[:-1], 0.1 * solution.u, atol=1e-8)


# ------------------------------------------------------------------ warm starts and errors


def test_warm_start_of_a_receding_horizon() -> None:
    problem = arm_problem()
    first = problem.solve(REST)
    state = ARM.step(*REST, first.u[0], 0.03)
    cold = problem.solve(state)
    warm = problem.solve(state, guess=first.shift())
    assert warm.success
    assert warm.iterations < cold.iterations
    assert warm.cost == pytest.approx(float(cold.cost), rel=1e-5)


def test_swing_up_takes_fewer_steps_with_exact_hessians() -> None:
    inertia = ((0.08, 0, 0), (0, 0.08, 0), (0, 0, 0.001))
    link: dict[str, Any] = {"axis": (0, 1, 0), "mass": 1.0, "com": (0, 0, -0.5)}
    builder = jounce.TreeBuilder("pendubot")
    builder.add("upper", "revolute", inertia_com=inertia, **link)
    builder.add("lower", "revolute", "upper", xyz=(0, 0, -1.0), inertia_com=inertia, **link)
    robot = jounce.Robot(builder.build())

    def cost(model: Any, x: Any, u: Any, p: Any) -> Any:
        return 0.03 * u, 0.03 * x.v

    def terminal(model: Any, x: Any, p: Any) -> Any:
        return 30.0 * (x.q - p.up), 10.0 * x.v

    problem = planning.OptimalControlProblem(
        robot,
        cost,
        terminal,
        steps=150,
        h=0.02,
        parameters={"up": [np.pi, 0.0]},
        actuated=[0],
        limits=15.0,
    )
    squares, exact = (
        problem.solve(REST, hessian=x, max_iterations=400) for x in ("gauss-newton", "exact")
    )
    assert squares.success
    assert exact.success
    assert exact.cost == pytest.approx(float(squares.cost), rel=1e-4)
    assert exact.iterations < squares.iterations
    assert np.abs(exact.q[-1] - [np.pi, 0.0]).max() < 0.02


def test_errors() -> None:
    problem = arm_problem()
    with pytest.raises(ArgumentError, match=r"unknown parameter 'gaol'; .*goal"):
        problem.solve(REST, gaol=[0.0, 0.0])
    with pytest.raises(ArgumentError, match=r"'goal' has shape \(3,\), expected \(\.\.\., 2\)"):
        problem.solve(REST, goal=[0.0, 0.0, 0.0])
    with pytest.raises(ArgumentError, match=r"start must be \(q, v\)"):
        problem.solve(REST[:1])
    with pytest.raises(ArgumentError, match=r"guess 'u' must have shape \(\.\.\., 30, 2\)"):
        problem.solve(REST, guess=(np.zeros((31, 2)), np.zeros((31, 2)), np.zeros((31, 2))))
    with pytest.raises(ArgumentError, match="either steps or phases"):
        planning.OptimalControlProblem(ARM, lambda model, x, u, p: x.v)
    with pytest.raises(ArgumentError, match="limits must be"):
        arm_problem(limits=([1.0, 1.0], [0.0, 2.0]))
    with pytest.raises(ArgumentError, match="names of parameters, found 'tau'"):
        arm_problem(parameters={"tau": 1.0})


def test_plots_show_the_iteration() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    figure = arm_problem(5).solve(REST).plot()
    assert [axis.get_title() for axis in figure.axes][-1] == "converged"
