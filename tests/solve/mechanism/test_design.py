"""Derivatives of mechanisms with respect to inertial parameters, joint screws and placements."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.formulas import wrt_screws
from jounce.formulas.mechanism import loops
from jounce.formulas.mechanism.loops import loop_residual
from jounce.math.jets import coefficients
from jounce.papers import kwon
from jounce.robot import Robot
from jounce.solve.design import design_gradient, displaced
from support.helpers import STEP, as_twist, assert_close, numbers, objects, slope
from support.mechanisms import State, complex_displacement, follow, mechanism

#: Steps have several results; `test_equal` has them.
IN_PI = [name for name, row in MECHANISM.items() if row.inertial and len(row.results) == 1]
IN_GEOMETRY = [name for name, row in MECHANISM.items() if "dscrew" in row.forms]


# ------------------------------------------------------------------ inertial parameters


@pytest.mark.parametrize("quantity", IN_PI)
@pytest.mark.parametrize("name", ["five_bar", "mixed"])
def test_parameters(name, quantity):
    """Along a random change of all parameters, by complex step."""
    state = State(mechanism(name))
    row, tree = MECHANISM[quantity], state.closed.tree
    given = [objects(state[x]) for x in (*row.arguments, *row.optional)]
    regressor = derivative(row, "dpi")  # without forces, where these do not matter to it
    known = [objects(state[x]) for x in (*regressor.arguments, *regressor.optional)]
    found = regressor.formula(tree, *known)
    pi = state.robot.model.parameters
    change = np.random.default_rng(0).normal(size=pi.shape)
    stepped = tree.with_inertias(objects(pi) + 1j * STEP * objects(change))
    expected = slope(row.formula(stepped, *given))
    assert_close(found @ objects(change.ravel()), expected, 1e-11)  # cond(M) of the responses


def test_regressor():
    """tau = E^T Y pi, and one kernel gives it for a batch."""
    closed = mechanism("five_bar")
    rng = np.random.default_rng(1)
    q = closed.assemble(closed.reference + rng.uniform(-0.3, 0.3, (4, 4))).q
    v, a = rng.normal(size=(2, 4, 2))
    Y = closed.inverse_dynamics.dpi(q, v, a)
    assert Y.shape == (4, 2, 40)
    assert_close(Y @ closed.robot.model.parameters.ravel(), closed.inverse_dynamics(q, v, a))


def test_parameters_of_constrained_dynamics():
    """Of all joints, by complex step; also with a joint that moves no mass of its own."""
    for name in ("five_bar", "massless"):
        state = State(mechanism(name))
        row, tree = ALL_JOINTS["constrained_dynamics"], state.closed._all_joints.tree
        rng = np.random.default_rng(4)
        given = [objects(x) for x in (state.q, state.full(), rng.normal(size=state.robot.nv))]
        given.append(objects(state["wrenches"]))
        found = derivative(row, "dpi").formula(tree, *given)
        pi = state.robot.model.parameters
        change = rng.normal(size=pi.shape) * pi
        stepped = np.where(pi == 0.0, objects(pi), objects(pi) + 1j * STEP * objects(change))
        expected = slope(row.formula(tree.with_inertias(stepped), *given))
        assert_close(found @ objects(change.ravel()), expected, 1e-11)  # cond(M)


def test_design_gradient():
    """Against contractions of the full derivatives, forces given."""
    closed = mechanism("five_bar")
    rng = np.random.default_rng(5)
    q = closed.assemble(closed.reference + rng.uniform(-0.3, 0.3, (4, 4))).q
    v, a, weights = rng.normal(size=(3, 4, 2))
    push = {"joint_forces": rng.normal(size=4), "wrenches": rng.normal(size=(4, 4, 6))}
    found = design_gradient(closed, weights, q, v, a, **push)
    call = closed.inverse_dynamics
    expected = np.tensordot(weights, call.dpi(q, v, a), axes=2)
    assert_close(found.parameters, expected.reshape(4, 10), 1e-11, floor=1.0)
    for x, full in (
        (found.screws, call.dscrew(q, v, a, **push)),
        (found.placements, call.dplacement(q, v, a, **push)),
    ):
        assert_close(x, np.tensordot(weights, full, axes=2), 1e-11, floor=1.0)
    jacobian = design_gradient(closed, np.ones((2, 2)), q, quantity="passive_jacobian")
    assert not jacobian.parameters.any()
    assert jacobian.screws.any()


# ------------------------------------------------------------------ screws and placements


@pytest.mark.parametrize(
    ("name", "quantity"),
    [
        *(("five_bar", quantity) for quantity in IN_GEOMETRY),
        *(("mixed", quantity) for quantity in ("forward_dynamics", "mass_matrix")),
        *(("mixed", quantity) for quantity in ("kinetic_energy", "center_of_mass")),
    ],
)
@pytest.mark.parametrize("screw", [True, False], ids=["screw", "placement"])
def test_geometry(name, screw, quantity):
    """The rule that runs backwards, for each joint along a random displacement."""
    state = State(mechanism(name))
    row, tree = MECHANISM[quantity], state.closed.tree
    given = [objects(state[x]) for x in (*row.arguments, *row.optional)]
    found = derivative(row, "dscrew" if screw else "dplacement").formula(tree, *given)
    rng = np.random.default_rng(2)
    for body in range(tree.nb):
        twist = rng.normal(size=6)
        moved = complex_displacement(tree, body, twist, screw)
        expected = slope(row.formula(moved, follow(state, moved), *given[1:]))
        if row.has_charts:
            expected = as_twist(numbers(row.formula(tree, *given)), expected)
        assert_close(found[..., body, :] @ objects(twist), expected, 1e-10, f"body {body}")


@pytest.mark.parametrize("quantity", ["velocity", "coriolis_matrix", "com_jacobian"])
def test_geometry_by_series(quantity):
    """Quantities without a form of their own."""
    state = State(mechanism("mixed"))
    row, tree = MECHANISM[quantity], state.closed.tree
    given = [objects(state[x]) for x in row.arguments]
    twist = np.random.default_rng(3).normal(size=6)
    for screw in (True, False):
        moved = complex_displacement(tree, 3, twist, screw)
        expected = slope(row.formula(moved, follow(state, moved), *given[1:]))
        result = row.formula(wrt_screws.displace_joint(tree, 3, objects(twist), screw), *given)
        assert_close(coefficients(np.asarray(result), 1)[1], expected, 1e-10)


def test_geometry_of_frames_and_residuals():
    state = State(mechanism("mixed"))
    tree, rng = state.closed.tree, np.random.default_rng(4)
    frame, q, twist = len(state.robot.model.frame_names) - 1, objects(state.q), rng.normal(size=6)
    pose = MECHANISM_FRAME["pose"]
    found = derivative(pose, "dscrew").formula(tree, q, frame)
    moved = complex_displacement(tree, 2, twist, True)
    change = slope(pose.formula(moved, follow(state, moved), frame))
    T = pose.formula(tree, q, frame).astype(float)
    spin = np.linalg.inv(T) @ change
    expected = np.array((spin[2, 1], spin[0, 2], spin[1, 0], *spin[:3, 3]))
    assert_close(found[:, 2] @ objects(twist), expected, 1e-10)
    whole = state.closed._all_joints.tree
    residual = derivative(ALL_JOINTS["loop_residual"], "dscrew").formula(whole, q)
    direct = slope(loop_residual(complex_displacement(whole, 2, twist, True), q))
    assert_close(residual[:, 2] @ objects(twist), direct)


@pytest.mark.parametrize("screws", [True, False], ids=["screws", "placements"])
def test_geometry_of_rebuilt_mechanisms(screws):
    """Models with displaced joints, assembled again: central differences."""
    closed = mechanism("leg")
    state = State(closed)
    rng = np.random.default_rng(5)
    change = rng.normal(size=(closed.robot.nb, 6))
    given = [objects(state[x]) for x in ("q", "v", "a")]
    row = MECHANISM["inverse_dynamics"]
    name = "dscrew" if screws else "dplacement"
    if screws:  # free joints have no axis that could move
        change[0] = 0.0
    found = derivative(row, name).formula(closed.tree, *given).astype(float)
    h, values = 1e-5, []
    for step in (h, -h):
        kind = {"screws" if screws else "placements": step * change}
        model = displaced(closed.model, **kind)
        other = Robot(model).closed(closed.active, state.q)
        again = other.assemble(state.q, strict=True).q
        values.append(row.formula(other.tree, objects(again), *given[1:]).astype(float))
    expected = (values[0] - values[1]) / (2 * h)
    assert_close(np.tensordot(found, change, axes=2), expected, 1e-7)  # of central differences


def test_kwons_total_derivative():
    """The note's five-bar: its torque, and the total derivative in rotational screws (14)."""
    mechanism_ = kwon.five_bar()
    closed = mechanism("massless")
    theta_a, v, a = kwon.reaching_motion(0.31)
    theta = kwon.assemble(objects(mechanism_.w), theta_a).astype(float)
    assert closed.gap(theta) < 1e-14
    J_p = loops.passive_jacobian(closed.tree, objects(theta))
    assert_close(J_p, kwon.passive_jacobian(objects(mechanism_.w), objects(theta)))
    row, given = MECHANISM["inverse_dynamics"], [objects(x) for x in (theta, v, a)]
    found = derivative(row, "dscrew").formula(closed.tree, *given).astype(float)
    turns = np.zeros((5, 6))
    turns[:, :3] = np.random.default_rng(6).normal(size=(5, 3))  # axes stay through the origin
    h, values = 1e-6, []
    for step in (h, -h):
        other = Robot(displaced(closed.model, screws=step * turns)).closed((0, 3), theta)
        again = other.assemble(theta, strict=True).q
        values.append(row.formula(other.tree, objects(again), *given[1:]).astype(float))
    expected = (values[0] - values[1]) / (2 * h)
    assert_close(np.tensordot(found, turns, axes=2), expected, 1e-7)  # of central differences


def test_geometry_derivatives_in_accelerations_and_forces() -> None:
    """Linear in them, so that differences of any size are exact."""
    closed = mechanism("five_bar")
    rng = np.random.default_rng(7)
    q = closed.assemble(closed.reference + rng.uniform(-0.2, 0.2, 4)).q
    v, a, lam = rng.normal(size=(3, 2))
    by_placement, design = closed.inverse_dynamics.dplacement, closed.forward_dynamics.design
    of_a = [by_placement(q, v, a + e) - by_placement(q, v, a) for e in np.eye(2)]
    assert_close(by_placement.da(q, v, a), np.stack(of_a, axis=-1), 1e-11)
    start = design(q, v, a, lam)
    ends = [design(q, v, a + e, lam) for e in np.eye(2)]
    for k, found in enumerate(design.dtau(q, v, a, lam)):
        assert_close(found, np.stack([end[k] - start[k] for end in ends], axis=-1), 1e-11)
