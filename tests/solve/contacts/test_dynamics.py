"""Dynamics in contact: the equations themselves, complex steps, Taylor series, dense algebra."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import jounce
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative
from jounce.formulas import bodies
from jounce.formulas import dynamics as of_tree
from jounce.formulas.contact import derivatives, dynamics, errors, geometry
from jounce.formulas.kinematics import frame_jacobian
from jounce.formulas.wrt_time import rates
from jounce.math.lie import exp_so3
from support.contacts import Standing, redundant, with_contacts
from support.helpers import STEP, assert_close, in_tangent, numbers, objects, parts_of, slope
from support.robots import ALL_KINDS, random_model, random_pose, rate

UNIQUE = ("every kind", "floating", "mimics")
ON_ONE_LINK = ("surfaces", "line of points", "corners")
REDUNDANT = (*ON_ONE_LINK, "few joints")
CASES = (*UNIQUE, *REDUNDANT)

#: Quantities that solve lose digits with the condition of M and of J M^-1 J^T; seen: 2e-12.
SOLVING = 2e-11


@cache
def standing(case: str) -> Standing:
    rng = np.random.default_rng(5)
    if case in ON_ONE_LINK:
        return Standing(redundant(rng, case))
    if case in ("every kind", "few joints"):
        chain = case == "every kind"
        model, kinds = random_model(rng, len(ALL_KINDS), branching=not chain), ("surface", "line")
    elif case == "floating":
        model, kinds = (
            random_model(rng, 12, ("revolute",), floating=True),
            ("line", "point", "point"),
        )
    else:
        simple = ("revolute", "prismatic", "universal")
        model, kinds = random_model(rng, 9, simple, mimic=True), ("line", "point")
    return Standing(with_contacts(model, rng, *kinds))


def jacobian(at: Standing) -> np.ndarray:
    return numbers(geometry.contact_jacobian(at.tree, objects(at.q)))


def compliance(at: Standing, mu: float) -> np.ndarray:
    M = numbers(of_tree.mass_matrix(at.tree, objects(at.q)))
    J = jacobian(at)
    return J @ np.linalg.solve(M, J.T) + mu * np.eye(len(J))


def test_cases_are_what_they_say() -> None:
    assert [standing(case).contacts.redundant for case in CASES] == [False] * 3 + [True] * 4
    assert standing("mimics").tree.has_mimics


# ------------------------------------------------------------------ geometry


@pytest.mark.parametrize("case", UNIQUE)
def test_jacobians_are_those_of_frames(case: str) -> None:
    at = standing(case)
    J = jacobian(at)
    assert_close(geometry.contact_velocities(at.tree, *at.state("q", "v")), J @ at.v)
    for contact, rows in zip(at.contacts.contacts, at.contacts.rows.values(), strict=True):
        link = at.robot.model.body_names[contact.body]
        seen = at.robot.edit.with_frame("here", link, contact.placement)
        known = frame_jacobian(seen.tree, objects(at.q), seen.model.frame_index("here"))
        assert_close(J[rows], numbers(known)[list(contact.locked)])


@pytest.mark.parametrize("case", UNIQUE)
def test_drift_is_the_acceleration_at_constant_velocity(case: str) -> None:
    """Surfaces: the rate of J v. Where they may turn: that of their origins as points."""
    at = standing(case)
    q, v = at.state("q", "v")
    series = {"q": [q, v], "v": [v, objects(np.zeros(at.robot.nv))]}
    rate = numbers(rates(geometry.contact_velocities, at.tree, series, 1)[1])
    drift = numbers(geometry.contact_drift(at.tree, q, v))
    motion = bodies.Motion(at.tree, q, v)
    for (frame, locked), rows in zip(at.tree.contacts, at.contacts.rows.values(), strict=True):
        seat = at.tree.frames[frame]
        V = numbers(bodies.in_node_frame(seat, motion.V[seat[0]]))
        turned = np.concatenate((np.zeros(3), np.cross(V[:3], V[3:])))
        more = 0.0 if all(locked) else turned[list(locked)]
        assert_close(drift[rows], rate[rows] + more)


@pytest.mark.parametrize("case", UNIQUE)
def test_motion_of_contacts_by_complex_steps(case: str) -> None:
    at = standing(case)
    q, v = at.state("q", "v")
    a, direction = objects(at.tau), at.dtau
    for formula, by_q, given in (
        (geometry.contact_velocities, geometry.contact_velocities_dq, (v,)),
        (geometry.contact_accelerations, geometry.contact_accelerations_dq, (v, a)),
        (errors.contact_errors, errors.contact_errors_dq, (objects(at.given[1]),)),
    ):
        known = at.along(lambda x, f=formula, g=given: f(at.tree, x, *g), "q", direction)[0]
        assert_close(numbers(by_q(at.tree, q, *given)) @ direction, known, 1e-11)
    known = at.along(lambda x: geometry.contact_accelerations(at.tree, q, x, a), "v", direction)[0]
    assert_close(numbers(geometry.contact_accelerations_dv(at.tree, q, v, a)) @ direction, known)


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-9, 1e-4, 0.03, 0.0316, 0.0317, 1.0, 1.6, 3.1])
def test_errors_of_surfaces_are_twists(angle: float) -> None:
    """exp of the error is the pose in the anchor."""
    rng = np.random.default_rng(6)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    anchor, T = random_pose(rng), np.eye(4)
    T[:3, :3] = anchor[:3, :3] @ numbers(exp_so3(objects(axis), angle))
    T[:3, 3] = anchor[:3, 3] + rng.normal(size=3)
    error = numbers(errors._error((True,) * 6, objects(T), objects(anchor)))
    assert_close(error[:3], angle * axis, 1e-11, floor=1e-3)
    twist = np.zeros((4, 4))
    twist[:3, 3] = error[3:]
    twist[[2, 0, 1], [1, 2, 0]], twist[[1, 2, 0], [2, 0, 1]] = error[:3], -error[:3]
    assert_close(expm(twist), np.linalg.inv(anchor) @ T, 1e-11)
    rates_here = numbers(errors._error_rates((True,) * 6, objects(T), objects(anchor)))
    assert np.isfinite(rates_here).all()


def test_errors_of_lines_do_not_see_them_roll() -> None:
    rng = np.random.default_rng(7)
    anchor, locked = random_pose(rng), (False, True, True, True, True, True)
    x, tilted = np.array((1.0, 0.0, 0.0)), np.array((0.0, 0.6, -0.8))
    for tilt in (0.0, 1e-8, 0.4, 2.0):
        T = anchor.copy()
        for axis, angle in ((tilted, tilt), (x, 1.3)):
            T[:3, :3] = T[:3, :3] @ numbers(exp_so3(objects(axis), angle))
        T[:3, 3] += 0.1
        error = numbers(errors._error(locked, objects(T), objects(anchor)))
        back = numbers(exp_so3(objects(x), -1.3)) @ tilted  # in the axes after rolling
        assert_close(error[:2], tilt * back[1:], 1e-11, floor=1e-3)
        assert_close(error[2:], T[:3, :3].T @ (T[:3, 3] - anchor[:3, 3]))


def test_zeros_are_no_anchor() -> None:
    at = standing("every kind")
    none = np.zeros_like(at.given[1])
    found = errors.contact_errors(at.tree, objects(at.q), objects(none))
    assert not numbers(found).any()
    assert not numbers(errors.contact_errors_dq(at.tree, objects(at.q), objects(none))).any()


# ------------------------------------------------------------------ the equations


@pytest.mark.parametrize("given", [False, True], ids=("bare", "given"))
@pytest.mark.parametrize("case", CASES)
def test_equations_hold(case: str, given: bool) -> None:
    at = standing(case)
    q, v, tau = at.state("q", "v", "tau")
    options = at.options(given)
    a, f = map(numbers, dynamics.contact_dynamics(at.tree, q, v, tau, *options))
    J = jacobian(at)
    _wrenches, anchors, kp, kd, mu = at.given if given else (None, None, 0.0, 0.0, 0.0)
    pushed = of_tree.inverse_dynamics(at.tree, q, v, objects(a), *options[:1])
    assert_close(numbers(pushed), at.tau + J.T @ f, SOLVING, floor=1.0)
    rest = numbers(geometry.contact_accelerations(at.tree, q, v, objects(a)))
    if given:
        rest = rest + kd * (J @ at.v)
        rest = rest + kp * numbers(errors.contact_errors(at.tree, q, objects(anchors)))
    # rows that follow from others are met in the sense of least squares
    missed = rest + mu * f
    missed = J.T @ missed if at.contacts.redundant else missed
    assert_close(missed, 0.0 * missed, SOLVING, floor=np.abs(rest).max() + 1.0)


@pytest.mark.parametrize("case", REDUNDANT)
def test_redundant_contacts(case: str) -> None:
    """Forces are the shortest that do it; with damping they are those of the dense equations."""
    at = standing(case)
    q, _v, tau = at.state("q", "v", "tau")
    still = objects(np.zeros(at.robot.nv))  # at rest the rows agree with each other
    J = jacobian(at)
    a, f = map(numbers, dynamics.contact_dynamics(at.tree, q, still, tau))
    missing = numbers(of_tree.inverse_dynamics(at.tree, q, still, objects(a))) - at.tau
    assert_close(f, np.linalg.pinv(J.T) @ missing, SOLVING)
    assert_close(J @ a, 0.0 * f, SOLVING, floor=np.abs(a).max())
    given = [objects(0.0 * at.given[0]), objects(0.0 * at.given[1]), 0.0, 0.0, 0.05]
    free = numbers(of_tree.forward_dynamics(at.tree, q, still, tau))
    damped = numbers(dynamics.contact_dynamics(at.tree, q, still, tau, *given)[1])
    assert_close(damped, -np.linalg.solve(compliance(at, 0.05), J @ free), SOLVING)


@pytest.mark.parametrize("elbow", [0.0, 0.5 * np.pi, np.pi])
def test_contacts_that_lock_all_joints_prefer_no_rows(elbow: float) -> None:
    """Some two rows of the hand depend on each other where the others still hold it."""
    robot = jounce.load("planar_2r").edit.with_contact(("link2", np.eye(4)), "surface", "hand")
    tree, q = robot.contacts().tree, objects((0.3, elbow))
    still, tau = objects(np.zeros(2)), objects((1.0, 2.0))
    a, f = map(numbers, dynamics.contact_dynamics(tree, q, still, tau))
    J = numbers(geometry.contact_jacobian(tree, q))
    assert_close(a, np.zeros(2), floor=1.0)
    missing = numbers(of_tree.gravity_forces(tree, q)) - (1.0, 2.0)
    assert_close(f, np.linalg.pinv(J.T) @ missing, 1e-11)
    assert np.isfinite(
        numbers(derivatives.contact_dynamics_derivatives(tree, q, still, tau)[3])
    ).all()


def test_two_surfaces_on_one_link_move_it_as_one_does() -> None:
    at = standing("surfaces")
    one = replace(at.tree, contacts=at.tree.contacts[:1], rows=None)
    args = at.state("q", "v", "tau")
    assert_close(
        dynamics.forward_dynamics(at.tree, *args),
        numbers(dynamics.forward_dynamics(one, *args)),
        SOLVING,
    )


# ------------------------------------------------------------------ derivatives

#: Which result of the derivatives together is that of which argument.
BLOCKS = {"q": (2, 3), "v": (4, 5), "tau": (6, 7)}


@pytest.mark.parametrize("given", [False, True], ids=("bare", "given"))
@pytest.mark.parametrize("case", CASES)
def test_derivatives_by_complex_steps(case: str, given: bool) -> None:
    at, options = standing(case), standing(case).options(given)
    state = dict(zip(("q", "v", "tau"), at.state("q", "v", "tau"), strict=True))
    found = derivatives.contact_dynamics_derivatives(at.tree, *state.values(), *options)
    value = dynamics.contact_dynamics(at.tree, *state.values(), *options)
    for x, y in zip(found[:2], value, strict=True):
        assert_close(x, numbers(y), SOLVING)
    direction = np.random.default_rng(8).normal(size=at.robot.nv)
    for name, places in BLOCKS.items():

        def moved(x: Any, name: str = name) -> Any:
            return dynamics.contact_dynamics(at.tree, *{**state, name: x}.values(), *options)

        for place, known in zip(places, at.along(moved, name, direction), strict=True):
            what = f"{'af'[place % 2]} in {name}"
            assert_close(numbers(found[place]) @ direction, known, 10 * SOLVING, what)


@pytest.mark.parametrize("case", ["every kind", "mimics", "few joints"])
def test_parameters_by_complex_steps(case: str) -> None:
    at = standing(case)
    state, options = at.state("q", "v", "tau"), at.options(True)
    pi = at.robot.model.parameters
    direction = np.random.default_rng(9).normal(size=pi.shape)
    moved = at.tree.with_inertias(objects(pi) + complex(0.0, STEP) * objects(direction))
    pairs = (
        (dynamics.contact_dynamics, derivatives.contact_dynamics_dpi, (*state, *options)),
        (dynamics.impulse, derivatives.impulse_dpi, (*state[:2], 0.3, 0.02)),
    )
    for formula, by_pi, args in pairs:
        known = [slope(x) for x in formula(moved, *args)]
        for x, y in zip(by_pi(at.tree, *args), known, strict=True):
            assert_close(numbers(x) @ direction.ravel(), y, 10 * SOLVING)


@pytest.mark.parametrize("given", [False, True], ids=("bare", "given"))
@pytest.mark.parametrize("case", ["every kind", "mimics", "few joints"])
def test_rates_by_the_chain_rule(case: str, given: bool) -> None:
    """da/dt = a_q v + a_v a + a_tau dtau, and likewise for f; what is given rests."""
    at, options = standing(case), standing(case).options(given)
    q, v, tau = at.state("q", "v", "tau")
    signals: dict[str, Any] = {"q": q, "v": v, "tau": tau, "dtau": objects(at.dtau)}
    for name, x in zip(dynamics.OPTIONAL_ARGUMENTS, options, strict=False):
        signals |= {name: x, f"d{name}": objects(np.zeros(np.shape(x)))}
    levels = dynamics.contact_dynamics_rates(at.tree, 1, signals)
    a, _f, *blocks = map(
        numbers, derivatives.contact_dynamics_derivatives(at.tree, q, v, tau, *options)
    )
    assert_close(levels[0][0], a, SOLVING)
    for k, level in enumerate(levels[1]):
        known = blocks[k] @ at.v + blocks[2 + k] @ a + blocks[4 + k] @ at.dtau
        assert_close(level, known, 10 * SOLVING, "af"[k])


# ------------------------------------------------------------------ impulses


@pytest.mark.parametrize("case", CASES)
def test_impulses(case: str) -> None:
    at = standing(case)
    q, v = at.state("q", "v")
    J, M = jacobian(at), numbers(of_tree.mass_matrix(at.tree, q))
    after, p = map(numbers, dynamics.impulse(at.tree, q, v, 0.3))
    assert_close(M @ (after - at.v), J.T @ p, SOLVING)
    assert_close(J @ after, -0.3 * J @ at.v, SOLVING, floor=np.abs(after).max())
    assert_close(p, -np.linalg.pinv(compliance(at, 0.0)) @ (1.3 * J @ at.v), 1e3 * SOLVING)
    energies = [0.5 * x @ M @ x for x in (numbers(dynamics.impulse(at.tree, q, v)[0]), at.v)]
    assert energies[0] < energies[1]


@pytest.mark.parametrize("case", CASES)
def test_derivatives_of_impulses_by_complex_steps(case: str) -> None:
    at = standing(case)
    q, v = at.state("q", "v")
    found = derivatives.impulse_derivatives(at.tree, q, v, 0.3, 0.02)
    direction = np.random.default_rng(10).normal(size=at.robot.nv)
    in_q = at.along(lambda x: dynamics.impulse(at.tree, x, v, 0.3, 0.02), "q", direction)
    in_v = at.along(lambda x: dynamics.impulse(at.tree, q, x, 0.3, 0.02), "v", direction)
    for x, y in zip(found[2:], (*in_q, *in_v), strict=True):
        assert_close(numbers(x) @ direction, y, 10 * SOLVING)


# ------------------------------------------------------------------ every row


@pytest.mark.parametrize("case", ["mimics", "few joints"])
@pytest.mark.parametrize("name", CONTACTED.quantities)
def test_pushforwards_of_every_row_by_complex_steps(name: str, case: str) -> None:
    """Along a direction of all arguments at once; poses and configurations in their charts."""
    at, row = standing(case), CONTACTED.quantities[name]
    rng = np.random.default_rng(11)
    state = at.state(*row.arguments)
    tangents = [objects(rng.normal(size=() if x == "h" else at.robot.nv)) for x in row.arguments]
    found = parts_of(row, derivative(row, "jvp").formula(at.tree, *state, *tangents))
    steps = [
        rate(at.robot.model, x, along) if argument == "q" else along
        for argument, x, along in zip(row.arguments, state, tangents, strict=True)
    ]
    moved = [x + complex(0.0, STEP) * step for x, step in zip(state, steps, strict=True)]
    results = parts_of(row, row.formula(at.tree, *moved))
    for chart, result, x in zip(row.charts, results, found, strict=True):
        value = np.asarray(result).astype(complex).real
        known = in_tangent(chart, at.tree, value, slope(result))
        # B of few joints is constant: its slope is rounding of B
        assert_close(x, known, 10 * SOLVING, floor=1e-3 * np.abs(value).max())
