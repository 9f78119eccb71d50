"""The two floors are equal: `formulas`, chosen for few operations, and `papers`, line by line.

Both run on floats, on the plain tree. Tolerance: 1e-12 of the largest entry; 1e-15 cond(M), if that
is more, where a system with M is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.catalog.arguments import rate_name
from jounce.catalog.derivative import derivative
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas import wrt_inertia, wrt_state
from jounce.math.spatial import adjoint_inverse, spatial_inertia
from jounce.model.model import Model
from jounce.papers import (
    common,
    garofalo2013,
    kwon,
    lagrange,
    mueller2023,
    newton_euler,
    singh2022,
)
from jounce.robot import Robot
from support.helpers import (
    assert_close,
    numbers,
    objects,
    quiet_read,
    random_argument,
    small_model,
    with_frames,
    with_two_roots,
)
from support.robots import ALL_KINDS, SINGLE, random_model

ORDER = 3


def made(seed: int, *columns: Any, **options: Any) -> Model:
    rng = np.random.default_rng(seed)
    return with_frames(random_model(rng, *columns, **options), rng)


MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: made(1, len(ALL_KINDS)),
    "serial": lambda: made(2, len(ALL_KINDS), branching=False),
    "floating": lambda: made(3, 7, floating=True),
    "mimic": lambda: made(4, 6, SINGLE, mimic=True),
    "floating, mimic": lambda: made(5, 6, SINGLE, mimic=True, floating=True),
    "two roots": lambda: with_two_roots(made(6, len(ALL_KINDS))),
    "small": small_model,
    "kuka": lambda: quiet_read("iiwa14_mueller_kumar2021"),
    **{f"{kind} only": lambda kind=kind: made(7, 2, (kind,)) for kind in ALL_KINDS},
}


class Floors:
    """A robot at a random state; `fast` evaluates the catalog, on floats."""

    def __init__(self, model: Model) -> None:
        self.robot = Robot(model)
        self.tree = self.robot.tree
        rng = np.random.default_rng(model.nv)
        names = [rate_name("q", k) for k in range(ORDER + 3)]
        self.state = {name: objects(random_argument(name, self.robot, rng)) for name in names}
        self.state["tau"] = objects(rng.normal(size=model.nv))
        self.state["w"] = self.state["wrenches"] = objects(rng.normal(size=(model.nb, 6)))
        self.rates = [self.state[name] for name in names[1:]]
        self.q, self.v, self.a = (self.state[name] for name in "qva")

    def fast(self, name: str, *arguments: Any, frame: str | None = None) -> np.ndarray:
        row = (ROBOT if frame is None else FRAME)[name]
        given = arguments or [self.state[x] for x in row.arguments]
        extra = () if frame is None else (self.robot.model.frame_index(frame),)
        return numbers(row.formula(self.tree, *given, *extra))

    def rates_of(self, name: str, frame: str | None = None) -> list[np.ndarray]:
        row = derivative((ROBOT if frame is None else FRAME)[name], f"rates({ORDER})")
        extra = () if frame is None else (self.robot.model.frame_index(frame),)
        levels = row.formula(self.tree, *(self.state[x] for x in row.arguments), *extra)
        return [numbers(level) for level in levels]

    @property
    def solving(self) -> float:
        return max(1e-12, 1e-15 * np.linalg.cond(self.fast("mass_matrix")))

    def node_wrenches(self) -> list[np.ndarray]:
        """The wrenches on the bodies in the frames of the nodes, zero on massless halves."""
        out = [objects(np.zeros(6)) for _ in self.tree.nodes]
        for w, i in zip(self.state["w"], self.tree.node_of_body, strict=True):
            node = self.tree.nodes[i]
            out[i] = adjoint_inverse(node.R_user, node.p_user).T @ w
        return out

    def bodies(self) -> list[tuple[str, int, np.ndarray]]:
        """Name, node, and the matrix that takes twists from the node's to the body's frame."""
        out = []
        for name, i in zip(self.robot.model.body_names, self.tree.node_of_body, strict=True):
            node = self.tree.nodes[i]
            out.append((name, i, numbers(adjoint_inverse(node.R_user, node.p_user))))
        return out


@cache
def floors_of(name: str) -> Floors:
    return Floors(MODELS[name]())


@pytest.fixture(params=list(MODELS))
def floors(request: pytest.FixtureRequest) -> Floors:
    return floors_of(request.param)


# ------------------------------------------------------------------ values


def test_inverse_dynamics(floors: Floors) -> None:
    tree, state = floors.tree, (floors.q, floors.v, floors.a)
    tau = floors.fast("inverse_dynamics")
    assert_close(tau, numbers(newton_euler.inverse_dynamics(tree, *state)))
    assert_close(tau, numbers(newton_euler.closed_form(tree, *state).tau))
    assert_close(tau, numbers(newton_euler.equation_of_motion(tree, *state)))
    assert_close(tau, numbers(garofalo2013.projected_equations(tree, *state)))
    assert_close(tau, numbers(kwon.inverse_dynamics(tree, *state)))
    for kernel in garofalo2013.KERNELS:
        assert_close(tau, numbers(garofalo2013.inverse_dynamics(tree, *state, kernel)))


def test_inverse_dynamics_with_wrenches(floors: Floors) -> None:
    """The lecture's tip wrenches are exerted by the bodies, ours act on them."""
    state = floors.q, floors.v, floors.a
    tips = [-w for w in floors.node_wrenches()]
    expected = numbers(newton_euler.inverse_dynamics(floors.tree, *state, tips))
    tau = floors.fast("inverse_dynamics", *state, floors.state["wrenches"])
    assert_close(tau, expected, floor=np.abs(floors.fast("inverse_dynamics")).max())


def test_mass_matrix(floors: Floors) -> None:
    M = floors.fast("mass_matrix")
    assert_close(M, numbers(newton_euler.mass_matrix(floors.tree, floors.q)))
    assert_close(M, numbers(garofalo2013.mass_matrix(floors.tree, floors.q)))


def test_mass_matrix_inverse(floors: Floors) -> None:
    M = garofalo2013.mass_matrix(floors.tree, floors.q)
    inverse = numbers(common.solve(M, objects(np.eye(floors.robot.nv))))
    assert_close(floors.fast("mass_matrix_inverse"), inverse, floors.solving)


def test_coriolis_matrix(floors: Floors) -> None:
    tree, q, v = floors.tree, floors.q, floors.v
    C, scale = floors.fast("coriolis_matrix"), np.abs(floors.fast("mass_matrix")).max()
    expected = numbers(garofalo2013.coriolis_matrix(tree, q, v, "christoffel"))
    assert_close(C, expected, floor=scale)
    # the papers' own matrices differ from it, but not in what they do to v
    velocity = C @ numbers(v)
    for kernel in ("garofalo", "newton_euler"):
        other = numbers(garofalo2013.coriolis_matrix(tree, q, v, kernel) @ v)
        assert_close(velocity, other, floor=scale)
    assert_close(velocity, numbers(newton_euler.coriolis_matrix(tree, q, v) @ v), floor=scale)
    assert_close(velocity, numbers(newton_euler.coriolis_forces(tree, q, v)), floor=scale)


def test_gravity_and_bias_forces(floors: Floors) -> None:
    tree, q, v = floors.tree, floors.q, floors.v
    g = floors.fast("gravity_forces")
    assert_close(g, numbers(newton_euler.gravity_forces(tree, q)))
    assert_close(g, numbers(garofalo2013.gravity_forces(tree, q)))
    bias = numbers(newton_euler.coriolis_forces(tree, q, v)) + g
    assert_close(floors.fast("bias_forces"), bias, floor=np.abs(g).max())


def test_external_forces(floors: Floors) -> None:
    expected = numbers(newton_euler.tip_forces(floors.tree, floors.q, floors.node_wrenches()))
    assert_close(floors.fast("external_forces"), expected)


def test_forward_dynamics(floors: Floors) -> None:
    state = floors.q, floors.v, floors.state["tau"]
    expected = numbers(newton_euler.forward_dynamics(floors.tree, *state))
    assert_close(floors.fast("forward_dynamics"), expected, floors.solving)


def test_energies(floors: Floors) -> None:
    kinetic = lagrange.kinetic_energy(floors.tree, floors.q, floors.v)
    assert_close(floors.fast("kinetic_energy"), numbers(kinetic))
    potential = lagrange.potential_energy(floors.tree, floors.q)
    # heights of either sign may cancel: bodies are some tenths of a metre from the origin
    model = floors.robot.model
    typical = 0.1 * model.parameters[:, 0].sum() * np.linalg.norm(model.gravity)
    assert_close(floors.fast("potential_energy"), numbers(potential), floor=typical)


def test_com_jacobian(floors: Floors) -> None:
    expected = numbers(garofalo2013.com_jacobian(floors.tree, floors.q))
    assert_close(floors.fast("com_jacobian"), expected)
    mass = floors.robot.model.parameters[:, 0].sum()
    assert_close(numbers(garofalo2013.total_mass(floors.tree)), mass)


def test_momentum(floors: Floors) -> None:
    tree, q, v = floors.tree, floors.q, floors.v
    total = np.zeros(6)
    nodes = zip(
        tree.nodes, common.poses(tree, q), garofalo2013.body_twists(tree, q, v), strict=True
    )
    for node, pose, nu in nodes:
        total += numbers(garofalo2013.spatial_momentum(*pose, spatial_inertia(node.inertia), nu))
    assert_close(floors.fast("momentum"), total)


def test_poses_jacobians_and_twists(floors: Floors) -> None:
    tree, q, v = floors.tree, floors.q, floors.v
    J, nu = garofalo2013.body_jacobians(tree, q), garofalo2013.body_twists(tree, q, v)
    V, _ = newton_euler.forward_iterations(tree, q, v, floors.a)
    stacked = newton_euler.tree_operator(tree, q) @ newton_euler.stacked_screws(tree)
    poses = common.poses(tree, q)
    for name, i, to_body in floors.bodies():
        jacobian, twist = floors.fast("jacobian", frame=name), floors.fast("twist", frame=name)
        assert_close(jacobian, to_body @ numbers(J[i]), what=name)
        assert_close(jacobian, to_body @ numbers(stacked[6 * i : 6 * i + 6]), what=name)
        assert_close(twist, to_body @ numbers(nu[i]), what=name)
        assert_close(twist, to_body @ numbers(V[i]), what=name)
        R, p = poses[i]
        node = tree.nodes[i]
        T = floors.fast("pose", frame=name)
        assert_close(T[:3, :3], numbers(R @ node.R_user), what=name)
        assert_close(T[:3, 3], numbers(R @ node.p_user + p), what=name)
        world = np.linalg.inv(numbers(adjoint_inverse(R, p)))
        assert_close(floors.fast("twist_world", frame=name), world @ numbers(nu[i]), what=name)


# ------------------------------------------------------------------ time derivatives


def test_first_time_derivatives(floors: Floors) -> None:
    tree, q, v, a = floors.tree, floors.q, floors.v, floors.a
    scale = np.abs(floors.fast("mass_matrix")).max()
    expected = {
        "mass_matrix": garofalo2013.mass_matrix_rate(tree, q, v),
        "coriolis_matrix": garofalo2013.coriolis_rate(tree, q, v, a, "christoffel"),
        "gravity_forces": garofalo2013.gravity_rate(tree, q, v),
    }
    for name, rate in expected.items():
        assert_close(floors.rates_of(name)[1], numbers(rate), what=name, floor=scale)


def test_time_derivatives_of_any_order(floors: Floors) -> None:
    tree, q, rates = floors.tree, floors.q, floors.rates
    scale = np.abs(floors.fast("mass_matrix")).max()
    orders = {
        "mass_matrix": garofalo2013.mass_matrix_derivatives(tree, q, rates, ORDER),
        "coriolis_matrix": garofalo2013.coriolis_derivatives(tree, q, rates, ORDER, "christoffel"),
        "gravity_forces": garofalo2013.gravity_derivatives(tree, q, rates, ORDER),
        "inverse_dynamics": garofalo2013.inverse_dynamics_derivatives(tree, q, rates, ORDER),
    }
    for name, levels in orders.items():
        for k, (fast, level) in enumerate(zip(floors.rates_of(name), levels, strict=True)):
            assert_close(fast, numbers(level), what=f"{name}, derivative {k}", floor=scale)
    recursion = mueller2023.inverse_dynamics_derivatives(tree, q, rates, ORDER)
    for k, (x, level) in enumerate(zip(recursion, orders["inverse_dynamics"], strict=True)):
        assert_close(numbers(x), numbers(level), what=f"recursion, derivative {k}", floor=scale)


def test_time_derivatives_of_jacobians(floors: Floors) -> None:
    tree, q, v, a = floors.tree, floors.q, floors.v, floors.a
    levels = garofalo2013.jacobian_derivatives(tree, q, floors.rates, ORDER)
    first = garofalo2013.jacobian_rates(tree, q, v)
    second = garofalo2013.jacobian_second_rates(tree, q, v, a)
    for name, i, to_body in (floors.bodies()[0], floors.bodies()[-1]):
        fast = floors.rates_of("jacobian", name)
        for k in range(ORDER + 1):
            expected = to_body @ numbers(levels[i][k])
            assert_close(fast[k], expected, what=f"{name}, derivative {k}", floor=1.0)
        assert_close(fast[1], to_body @ numbers(first[i]), floor=1.0)
        assert_close(fast[2], to_body @ numbers(second[i]), floor=1.0)


# ------------------------------------------------------------------ parameters and state


def test_parameter_derivatives(floors: Floors) -> None:
    """Garofalo's columns are of the nodes, ours of the bodies in their own frames: `frame_map`."""
    tree, q, v, a = floors.tree, floors.q, floors.v, floors.a
    X, v_r, a_r = garofalo2013.frame_map(tree), floors.rates[2], floors.rates[3]
    C = garofalo2013.coriolis_dpi(tree, q, v, "christoffel")
    slotine_li = garofalo2013.slotine_li_regressor(tree, q, v, v_r, a_r, "christoffel")
    pairs = {
        "M": (garofalo2013.mass_matrix_dpi(tree, q), wrt_inertia.mass_matrix_dpi(tree, q)),
        "C": (C, wrt_inertia.coriolis_matrix_dpi(tree, q, v)),
        "g": (
            garofalo2013.gravity_dpi(tree, q),
            derivative(ROBOT["gravity_forces"], "dpi").formula(tree, q),
        ),
        "tau": (
            garofalo2013.regressor(tree, q, v, a),
            wrt_inertia.inverse_dynamics_dpi(tree, q, v, a),
        ),
        "Slotine-Li": (slotine_li, wrt_inertia.slotine_li_regressor(tree, q, v, v_r, a_r)),
    }
    for name, (paper, fast) in pairs.items():
        assert_close(numbers(fast), numbers(paper @ X), what=name, floor=1.0)


def test_state_derivatives(floors: Floors) -> None:
    """Kwon's S against the fast derivatives of the inverse dynamics."""
    state = floors.q, floors.v, floors.a
    S = kwon.differential_dynamics(floors.tree, *state)
    _, *fast = wrt_state.inverse_dynamics_derivatives(floors.tree, *state)
    for order, expected in enumerate(fast):
        assert_close(numbers(expected), numbers(S.dtau(order)), what=f"order {order}", floor=1.0)


def test_second_state_derivatives(floors: Floors) -> None:
    """Singh, Russell and Wensing's recursion against derivatives of the first derivatives."""
    found = singh2022.inverse_dynamics_second_derivatives(floors.tree, floors.q, floors.v, floors.a)
    for name in ("qq", "qv", "vv", "aq"):
        row = derivative(ROBOT["inverse_dynamics"], f"d{name}")
        fast = row.formula(floors.tree, *(floors.state[x] for x in row.arguments))
        assert_close(numbers(fast), numbers(getattr(found, name)), what=name, floor=1.0)
