"""Steps between configurations: digits, derivatives on tangent spaces, identities, Pinocchio.

Derivatives are held to complex steps of the formulas, and to power series of fifty digits; steps to
these from the shortest that there are to nearly pi.
"""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

import jounce
from jounce.arrays import lie
from jounce.catalog.charts import CONFIGURATION
from jounce.export.pinocchio import PinocchioMap, to_pinocchio
from jounce.io import TreeBuilder
from jounce.model.model import Model
from jounce.robot import Robot
from support import exact_screws as exact
from support.helpers import STEP, assert_close, chain, interpreted, objects, random_robot, slope
from support.robots import ALL_KINDS, rate
from support.urdf_files import example_model

RELATIVE = 1e-13


def all_kinds() -> Model:
    """A joint of every kind, one that follows, and planes as Pinocchio has them, across z."""
    model = random_robot(5, len(ALL_KINDS), mimic=True)
    joints = [
        replace(joint, axis=np.array((0.0, 0.0, 1.0))) if joint.kind == "planar" else joint
        for joint in model.joints
    ]
    return replace(model, joints=tuple(joints))


ROBOT = Robot(all_kinds())
FREE = Robot(chain(("free",)))


def state(robot: Robot, *shape: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A configuration, a velocity, and a configuration that is not far."""
    rng = np.random.default_rng(robot.nv)
    q = robot.random(rng, int(np.prod(shape))).reshape(*shape, robot.nq)
    v, step = 0.6 * rng.uniform(-1.0, 1.0, (2, *shape, robot.nv))
    return q, v, robot.integrate(q, step)


def same_place(robot: Robot, q: np.ndarray, other: np.ndarray, tolerance: float = 1e-14) -> None:
    np.testing.assert_allclose(robot.difference(q, other), 0.0, atol=10 * tolerance)


# ------------------------------------------------------------------ digits


def test_every_length_of_steps_to_all_digits() -> None:
    """From the identity, where a configuration is as accurate as the step that leads there."""
    start = FREE.neutral()
    for x in exact.twists():
        there = FREE.integrate(start, x)
        turn = exact.quaternion(x[:3])
        assert exact.error(there[:4], turn) < RELATIVE
        assert exact.error(there[1:4], turn[1:]) < RELATIVE
        assert exact.error(there[4:], exact.translation(x)) < RELATIVE
        back = FREE.difference(start, there)
        for part in (slice(0, 3), slice(3, 6)):
            assert exact.error(back[part], exact.precise(x[part])) < RELATIVE
        half = FREE.interpolate(start, there, 0.5)
        assert exact.error(half[1:4], exact.quaternion(0.5 * x[:3])[1:]) < RELATIVE


def test_derivatives_of_every_length_of_steps_to_all_digits() -> None:
    start = FREE.neutral()
    for x in exact.twists(1):
        there = FREE.integrate(start, x)
        right, left = (exact.left_jacobian(sign * x) for sign in (-1.0, 1.0))
        for found, truth in (
            (FREE.integrate.dq(start, x), exact.Ad_exp(-x)),
            (FREE.integrate.ddv(start, x), right),
            (FREE.difference.dq0(start, there), -exact.inverse(left)),
            (FREE.difference.dq1(start, there), exact.inverse(right)),
        ):
            assert exact.block_error(found, truth) < RELATIVE


def test_short_steps_between_any_quaternions() -> None:
    """What two quaternions differ by is found to all digits, so that nothing is lost but theirs."""
    ball = Robot(chain(("spherical",)))
    rng = np.random.default_rng(3)
    for length in (1e-12, 1e-9, 1e-6, 1e-3, 0.3, 1.5):
        q0 = ball.random(rng)
        w = rng.normal(size=3)
        q1 = ball.integrate(q0, length * w / np.linalg.norm(w))
        a, b = exact.precise(q0), exact.precise(q1)
        turn = a[0] * b[1:] - b[0] * a[1:] - np.cross(a[1:], b[1:])
        sine, cosine = (turn @ turn) ** 0.5, a @ b
        angle = 2 * type(sine).context.atan2(sine, cosine)
        assert exact.error(ball.difference(q0, q1), angle / sine * turn) < RELATIVE
        np.testing.assert_array_equal(ball.difference(q0, -q1), ball.difference(q0, q1))


def test_a_million_steps_keep_unit_quaternions() -> None:
    rng = np.random.default_rng(4)
    steps = 0.3 * rng.normal(size=(1000, 6))
    q, integrate = FREE.random(rng), FREE.integrate
    for _ in range(1000):
        for step in steps:
            q = integrate(q, step)
    assert abs(np.linalg.norm(q[:4]) - 1.0) < 1e-15


# ------------------------------------------------------------------ derivatives


def _entry(x: Any) -> Any:
    """Numbers instead of arrays without axes."""
    return x[()] if np.ndim(x) == 0 and isinstance(x, np.ndarray) else x


def along(quantity: Any, given: dict[str, np.ndarray], name: str, direction: Any) -> np.ndarray:
    """How a quantity changes, by a complex step of its formula."""
    row, tree = quantity.kernel.quantity, quantity.kernel._tree
    at = {key: objects(x) for key, x in given.items()}
    moves = row.argument(name).chart is CONFIGURATION
    step = rate(ROBOT.model, at[name], objects(direction)) if moves else objects(direction)
    moved = {**at, name: at[name] + complex(0.0, STEP) * step}
    found = slope(row.formula(tree, *map(_entry, moved.values())))
    if not row.has_charts:
        return found
    value = row.formula(tree, *map(_entry, at.values()))
    return CONFIGURATION.to_tangent(tree, value, objects(found)).astype(float)


@pytest.mark.parametrize(
    "name",
    [
        *("integrate", "difference", "interpolate", "normalize"),
        *("velocity_from_rates", "rates_from_velocity"),
    ],
)
def test_derivatives_of_every_kind_of_joint(name: str) -> None:
    q, v, other = state(ROBOT)
    known = {"q": q, "dv": v, "v": v, "q0": q, "q1": other, "s": np.array(0.3), "qdot": 0.2 * other}
    quantity = getattr(ROBOT, name)
    row, rng = quantity.kernel.quantity, np.random.default_rng(6)
    given = {key: known[key] for key in row.arguments}
    tangents, pushed = [], 0.0
    for key in row.axes:
        matrix = interpreted(getattr(quantity, f"d{key}").kernel, *given.values())
        size = matrix.shape[len(row.tangent_shapes[0]) :]
        direction = rng.normal(size=size)
        expected = along(quantity, given, key, direction)
        found = np.tensordot(matrix, direction, axes=len(size))
        assert_close(found, expected, 1e-13, what=f"{name}.d{key}", floor=1.0)
        tangents.append(direction)
        pushed = pushed + expected
    found = interpreted(quantity.jvp.kernel, *given.values(), *tangents)
    assert_close(found, pushed, 1e-13, floor=1.0)
    lam = rng.normal(size=np.shape(pushed))
    gradients = interpreted(quantity.vjp.kernel, *given.values(), lam)
    gradients = gradients if len(tangents) > 1 else (gradients,)
    pulled = sum(np.sum(g * t) for g, t in zip(gradients, tangents, strict=True))
    assert_close(pulled, lam @ pushed, 1e-12, floor=1.0)


def test_matrices_of_rates() -> None:
    q, v, _ = state(ROBOT)
    N, back = ROBOT.rates_from_velocity.dv(q, v), ROBOT.velocity_from_rates.dqdot(q, q)
    assert_close(back @ N, np.eye(ROBOT.nv), 1e-14)
    assert_close(N, ROBOT.velocity_map(q), 0.0)
    qdot = ROBOT.rates_from_velocity(q, v)
    assert_close(qdot, N @ v, 1e-15)
    assert_close(ROBOT.velocity_from_rates(q, qdot), v, 1e-14)
    ball = next(x for x in ROBOT.joints.values() if x.kind == "spherical")
    longer = np.zeros(ROBOT.nq)
    longer[ball.q] = q[ball.q]
    np.testing.assert_allclose(ROBOT.velocity_from_rates(q, longer), 0.0, atol=1e-15)
    scaled, rates = q.copy(), qdot.copy()
    scaled[ball.q], rates[ball.q] = 3.0 * q[ball.q], 3.0 * qdot[ball.q]
    assert_close(ROBOT.velocity_from_rates(scaled, rates), v, 1e-14)


def test_second_derivatives_and_time() -> None:
    q, v, _ = state(FREE)
    rng = np.random.default_rng(8)
    e, h = rng.normal(size=6), 1e-5
    ends = [FREE.integrate.ddv(q, v + sign * h * e) for sign in (1.0, -1.0)]
    # differences: h^2
    assert_close(FREE.integrate.ddvdv(q, v) @ e, (ends[0] - ends[1]) / (2 * h), 1e-8)
    at_rest = FREE.integrate.ddvdv(q, np.zeros(6))  # where the angle has no derivative
    assert_close(at_rest @ e, -0.5 * lie.se3.ad(e), 1e-15)
    # of a step by t v the rate is that of the velocity v at its end
    t = 0.7
    moving = FREE.integrate.dt(q, np.zeros(6), t * v, v)
    assert_close(moving, FREE.rates_from_velocity(FREE.integrate(q, t * v), v), 1e-14)


# ------------------------------------------------------------------ identities


def test_ways() -> None:
    q, v, other = state(ROBOT, 3)
    assert_close(ROBOT.difference(q, ROBOT.integrate(q, v)), v, 1e-13, floor=1.0)
    same_place(ROBOT, ROBOT.integrate(q, ROBOT.difference(q, other)), other)
    same_place(ROBOT, ROBOT.interpolate(q, other, 0.0), q)
    same_place(ROBOT, ROBOT.interpolate(q, other, 1.0), other)
    share = np.array((0.2, 0.5, 1.4))
    there = ROBOT.interpolate(q, other, share)
    way = ROBOT.difference(q, other)
    assert_close(ROBOT.difference(q, there), share[:, None] * way, 1e-13, floor=1.0)
    assert_close(ROBOT.interpolate.ds(q, other, share), way, 1e-15)
    # the way back is the way, backwards
    assert_close(ROBOT.difference(other, q), -way, 1e-13, floor=1.0)
    left, right = ROBOT.difference.dq0(q, other), ROBOT.difference.dq1(q, other)
    assert_close(
        ROBOT.integrate.ddv(q, way) @ right, np.broadcast_to(np.eye(ROBOT.nv), right.shape)
    )
    assert_close(-right @ ROBOT.integrate.dq(q, way), left, 1e-13)


def test_at_rest_nothing_changes() -> None:
    q, _, _ = state(ROBOT)
    one, none = np.eye(ROBOT.nv), np.zeros(ROBOT.nv)
    same_place(ROBOT, ROBOT.integrate(q, none), q, 1e-16)
    np.testing.assert_array_equal(ROBOT.difference(q, q), none)
    for found in (ROBOT.integrate.dq(q, none), ROBOT.integrate.ddv(q, none), ROBOT.normalize.dq(q)):
        np.testing.assert_array_equal(found, one)
    np.testing.assert_array_equal(ROBOT.difference.dq1(q, q), one)
    np.testing.assert_array_equal(ROBOT.difference.dq0(q, q), -one)


def test_turns_by_pi_and_more() -> None:
    ball = Robot(chain(("spherical",)))
    axis = np.array((0.6, 0.0, 0.8))
    q = ball.random(5)
    for angle in (3.5, 6.0, 2 * np.pi, 20.0, 1e6):
        there = ball.integrate(q, angle * axis)
        left = np.remainder(angle + np.pi, 2 * np.pi) - np.pi
        np.testing.assert_allclose(
            ball.difference(q, there), left * axis, atol=2e-16 * angle + 1e-14
        )
        assert abs(np.linalg.norm(there) - 1.0) < 1e-15
    half = ball.difference(q, ball.integrate(q, np.pi * axis))
    assert abs(abs(half @ axis) - np.pi) < 1e-14


def test_normalize() -> None:
    q, _, _ = state(ROBOT)
    longer = q.copy()
    for view in ROBOT.joints.values():
        for at in view.joint.row.unit_vectors if view.joint.mimic is None else ():
            longer[view.q.start + at.start : view.q.start + at.stop] *= -7.0
    found = ROBOT.normalize(longer)
    same_place(ROBOT, found, q)
    flat = np.abs(longer - q) == 0.0
    np.testing.assert_array_equal(found[flat], q[flat])
    assert_close(np.abs(found), np.abs(q), 1e-15)


def test_followers_have_no_coordinates_of_their_own() -> None:
    builder = TreeBuilder("gripper")
    body: dict[str, Any] = {"mass": 1.0, "com": (0.1, 0.0, 0.0), "inertia_com": 0.1 * np.eye(3)}
    builder.add("left", "prismatic", axis=(0, 1, 0), joint_name="left", **body)
    builder.add("right", "prismatic", axis=(0, 1, 0), mimic=("left", -1.0, 0.2), **body)
    robot = Robot(builder.build())
    np.testing.assert_array_equal(robot.integrate([0.1], [0.5]), [0.6])
    np.testing.assert_array_equal(robot.difference.dq0([0.1], [0.5]), [[-1.0]])
    np.testing.assert_array_equal(robot.rates_from_velocity([0.1], [0.5]), [0.5])


# ------------------------------------------------------------------ as all quantities are


def test_calls() -> None:
    q, v, other = state(ROBOT, 2, 3)
    single = ROBOT.integrate(q.astype("f"), v.astype("f"))
    assert single.dtype == np.float32
    assert_close(single, ROBOT.integrate(q, v), 1e-5)
    assert_close(ROBOT.difference(q[0, 0], other)[1, 2], ROBOT.difference(q[0, 0], other[1, 2]))
    many = ROBOT.interpolate(q[:, :1], other[:, :1], np.linspace(0.0, 1.0, 4))
    assert many.shape == (2, 4, ROBOT.nq)
    out = np.empty_like(q)
    assert ROBOT.integrate(q, dv=v, out=out) is out
    restored = pickle.loads(pickle.dumps(ROBOT.integrate.ddv))
    assert_close(restored(q, v), ROBOT.integrate.ddv(q, v), 0.0)
    with pytest.raises(ValueError, match=r"integrate: argument 'dv' must have shape"):
        ROBOT.integrate(q, v[..., 1:])


def test_mechanisms() -> None:
    """Independent joints go as those of trees, and the others follow."""
    closed = jounce.load("four_bar").closed()
    q = closed.reference
    dv, e, h = np.array((0.3,)), np.array((1.0,)), 1e-6
    there = closed.integrate(q, dv)
    np.testing.assert_allclose(closed.loop_residual(there), 0.0, atol=1e-12)
    assert_close(closed.difference(q, there), dv, 1e-13)
    half = closed.interpolate(q, there, 0.5)
    np.testing.assert_allclose(closed.loop_residual(half), 0.0, atol=1e-12)
    assert_close(half, closed.integrate(q, 0.5 * dv), 1e-13)
    assert_close(closed.normalize(q), q, 1e-15)
    assert_close(closed.velocity_from_rates(q, closed.rates_from_velocity(q, dv)), dv, 1e-13)
    assert_close(
        closed.velocity_from_rates.dqdot(q, q) @ closed.rates_from_velocity.dv(q, dv), [[1]]
    )
    assert_close(closed.difference.dq0(q, there), [[-1.0]], 1e-12)
    assert_close(closed.difference.dq1(q, there), [[1.0]], 1e-12)
    ahead = closed.interpolate(closed.integrate(q, h * e), there, 0.3)
    before = closed.interpolate(closed.integrate(q, -h * e), there, 0.3)
    slope = closed.difference(before, ahead) / (2 * h)
    assert_close(closed.interpolate.dq0(q, there, 0.3) @ e, slope, 1e-8)  # differences
    assert_close(closed.interpolate.ds(q, there, 0.3), dv, 1e-9)


def test_code_of_the_docs_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "configurations.md").read_text("utf-8")
    session: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "configurations.md", "exec"), session)


# ------------------------------------------------------------------ Pinocchio


@pytest.mark.peers
@pytest.mark.parametrize("name", ["kinds", "g1_29dof_rev_1_0"])
def test_beside_pinocchio(name: str) -> None:
    robot = ROBOT if name == "kinds" else Robot(example_model(name, "floating"))
    theirs = to_pinocchio(robot.model)
    maps = PinocchioMap(robot.model, theirs)
    q, v, other = state(robot)
    p, w, end = maps.q_to_pinocchio(q), maps.v_to_pinocchio(v), maps.q_to_pinocchio(other)
    there = maps.q_from_pinocchio(pin.integrate(theirs, p, w))
    same_place(robot, robot.integrate(q, v), there, 1e-13)
    way = maps.v_from_pinocchio(pin.difference(theirs, p, end))
    # theirs takes the angle from the matrix: half the digits are lost near the identity
    assert_close(robot.difference(q, other), way, 1e-9)
    between = maps.q_from_pinocchio(pin.interpolate(theirs, p, end, 0.3))
    same_place(robot, robot.interpolate(q, other, 0.3), between, 1e-10)

    def ours(matrix: np.ndarray) -> np.ndarray:
        columns = maps.v_to_pinocchio(np.eye(robot.nv)) @ matrix.T
        return maps.v_from_pinocchio(columns).T

    first, second = pin.dIntegrate(theirs, p, w)
    assert_close(robot.integrate.dq(q, v), ours(first), 1e-9)
    assert_close(robot.integrate.ddv(q, v), ours(second), 1e-9)
    first, second = pin.dDifference(theirs, p, end)
    assert_close(robot.difference.dq0(q, other), ours(first), 1e-9)
    assert_close(robot.difference.dq1(q, other), ours(second), 1e-9)
