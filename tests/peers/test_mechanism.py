"""Mechanisms against Lagrange's equations, energy, Kwon's note, Pinocchio and MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM
from jounce.export.pinocchio import PinocchioMap, to_pinocchio
from jounce.math.jets import Jet
from jounce.math.scalar import array, cos, sin, sqrt
from jounce.math.spatial import dot
from jounce.papers import kwon
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import assert_close, objects
from support.mechanisms import State, mechanism
from support.robots import rate

# ------------------------------------------------------------------ the four-bar by hand

CRANK, COUPLER, ROCKER, GROUND, DENSITY = 0.1, 0.35, 0.25, 0.3, 2.0


def four_bar_lagrange(theta: float, v: float, a: float) -> tuple[float, float, float, np.ndarray]:
    """M, tau, g of the crank, and angles of the bars, from bar ends as series in its angle.

    tau = M a + M' v^2 / 2 + U', M = sum of m |c'|^2 + I phi'^2. The ends by two circles.
    """
    t = Jet((theta, 1.0, 0.0, 0.0))
    end, far = CRANK * array((cos(t), sin(t))), array((GROUND, 0.0))
    reach = far - end
    span = sqrt(dot(reach, reach))
    along = (span * span + COUPLER**2 - ROCKER**2) / (2.0 * span)
    height = sqrt(COUPLER**2 - along * along)
    axis = reach / span
    joint = end + along * axis + height * array((-axis[1], axis[0]))
    zero = array((0.0, 0.0))
    M, U = 0.0, 0.0
    for foot, tip, length in ((zero, end, CRANK), (end, joint, COUPLER), (far, joint, ROCKER)):
        mass = DENSITY * length
        center, bar = 0.5 * (foot + tip), tip - foot
        c = array(_derivative(x) for x in center)
        b = array(_derivative(x) for x in bar)
        turn = (bar[0] * b[1] - bar[1] * b[0]) / length**2
        M = M + mass * dot(c, c) + mass * length**2 / 12.0 * turn * turn
        U = U + 9.81 * mass * center[1]
    tau = M.c[0] * a + 0.5 * M.c[1] * v * v + U.c[1]
    bars = [np.array([float(x.c[0]) for x in y]) for y in (end, joint - end, joint - far)]
    return M.c[0], tau, U.c[1], np.array([np.arctan2(y, x) for x, y in bars])


def _derivative(x: Any) -> Any:
    """The series of the derivative; its last coefficient is unknown and not used."""
    return Jet((*(k * c for k, c in enumerate(x.c) if k), 0.0)) if isinstance(x, Jet) else 0.0


@pytest.mark.parametrize("theta", [0.3, 1.2, 2.5, 4.0, 5.9])
def test_four_bar_by_lagrange(theta):
    closed = mechanism("four_bar")
    v, a = 1.7, -2.3
    M, tau, g, angles = four_bar_lagrange(theta, v, a)
    home = four_bar_lagrange(np.pi / 2, 0.0, 0.0)[3]
    crank, coupler, rocker = angles - home
    q = objects((crank, coupler - crank, rocker))
    assert closed.gap(q.astype(float)) < 1e-14
    tree = closed.tree
    assert_close(MECHANISM["mass_matrix"].formula(tree, q), [[M]])
    assert_close(MECHANISM["gravity_forces"].formula(tree, q), [g])
    found = MECHANISM["inverse_dynamics"].formula(tree, q, array((v,)), array((a,)))
    assert_close(found, [tau])


# ------------------------------------------------------------------ the five-bar of the note


def test_five_bar_of_the_note():
    """Torques (13) of the note's five joints, and of the gallery's, whose fifth is the loop."""
    theirs = kwon.five_bar()
    closed, gallery = mechanism("massless"), mechanism("five_bar")
    for t in (0.1, 0.31, 0.55):
        theta_a, v, a = kwon.reaching_motion(t)
        theta = kwon.assemble(objects(theirs.w), theta_a)
        rates, _ = kwon.joint_rates(objects(theirs.w), theta, v, a)
        tau = kwon.motor_torque(theirs, theta, v, a)
        row = MECHANISM["inverse_dynamics"]
        assert_close(row.formula(closed.tree, theta, v, a), tau)
        assert_close(row.formula(gallery.tree, theta[:4], v, a), tau)
        assert_close(MECHANISM["velocity"].formula(closed.tree, theta, v), rates)


# ------------------------------------------------------------------ energy


def simulate(closed: Mechanism, q: np.ndarray, v: np.ndarray, seconds: float) -> float:
    """Largest relative change of energy while the mechanism falls freely.

    Fifth-order Runge-Kutta steps of the whole q and the independent v (DOP853), closed again after
    every tenth of a second.
    """
    integrate = pytest.importorskip("scipy.integrate")
    robot, nq = closed.robot, closed.nq

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:nq], y[nq:]
        whole = closed.velocity(q, v)
        dq = rate(robot.model, q, whole).astype(float)
        return np.concatenate((dq, closed.forward_dynamics(q, v, still)))

    def energy(q: np.ndarray, v: np.ndarray) -> float:
        return float(closed.kinetic_energy(q, v) + closed.potential_energy(q))

    still, worst = np.zeros(closed.nv), 0.0
    start, size = energy(q, v), 0.0
    for _ in range(round(10 * seconds)):
        y = np.concatenate((q, v))
        found = integrate.solve_ivp(flow, (0, 0.1), y, "DOP853", rtol=1e-12, atol=1e-12)
        assert found.success
        q, v = found.y[:nq, -1], found.y[nq:, -1]
        closing = closed.assemble(q)
        assert closing.success
        assert not closing.singular
        q = closing.q
        worst = max(worst, abs(energy(q, v) - start))
        size = max(size, float(closed.kinetic_energy(q, v)))
    assert size > 1e-3  # it did move
    return worst / size


def test_energy_of_the_four_bar_over_ten_seconds():
    closed = mechanism("four_bar")
    assert simulate(closed, closed.reference, np.array((12.0,)), 10.0) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "gravity", "speed", "seconds"),
    [
        ("five_bar", 9.81, 0.5, 10.0),  # upside down it hangs, away from its singularities
        ("leg", 0.0, 0.05, 10.0),  # tumbles
        ("stewart", -9.81, 0.3, 0.3),  # falls through its base
    ],
)
def test_energy(name, gravity, speed, seconds):
    closed = mechanism(name)
    robot = jounce.Robot(closed.model.with_gravity((0.0, 0.0, gravity)))
    free = robot.closed(closed.active, closed.reference)
    v = np.full(free.nv, speed)
    v[:1] = -0.3
    assert simulate(free, free.reference, v, seconds) < 1e-8


# ------------------------------------------------------------------ Pinocchio


class Theirs:
    """Pinocchio's constraint dynamics of a mechanism whose loops lock positions only, or all."""

    def __init__(self, closed: Mechanism) -> None:
        self.pin = pin = pytest.importorskip("pinocchio")
        self.model = to_pinocchio(closed.model)
        self.map = PinocchioMap(closed.model, self.model)
        self.loops, self.data = pin.StdVec_RigidConstraintModel(), self.model.createData()
        self.loop_data = pin.StdVec_RigidConstraintData()
        for loop in closed.model.loops:
            ids = [0 if b < 0 else self.map.joint_ids[b] for b in (loop.body_a, loop.body_b)]
            T = [pin.SE3(x) for x in (loop.placement_a, loop.placement_b)]
            kind = pin.ContactType.CONTACT_6D if all(loop.locked) else pin.ContactType.CONTACT_3D
            local = pin.ReferenceFrame.LOCAL
            ends = (ids[0], T[0], ids[1], T[1])
            self.loops.append(pin.RigidConstraintModel(kind, self.model, *ends, local))
        for loop in self.loops:
            self.loop_data.append(loop.createData())
        pin.initConstraintDynamics(self.model, self.data, self.loops, self.loop_data)

    def accelerations(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Of all joints, in our order; the multipliers are in self.data.lambda_c."""
        exact = self.pin.ProximalSettings(1e-15, 0.0, 10)
        state = (self.map.q_to_pinocchio(q), self.map.v_to_pinocchio(v), self.map.G @ tau)
        loops = (self.loops, self.loop_data)
        found = self.pin.constraintDynamics(self.model, self.data, *state, *loops, exact)
        return self.map.v_from_pinocchio(found)


@pytest.mark.parametrize("name", ["leg", "stewart", "weld"])
def test_constraint_dynamics_of_pinocchio(name):
    closed = mechanism(name)
    state, theirs = State(closed), Theirs(mechanism(name))
    robot, v = closed.robot, state.full()
    tau = np.zeros(robot.nv)
    tau[list(closed.active)] = state["tau"]
    found = theirs.accelerations(state.q, v, tau)
    state.levels |= {"whole": v, "forces": tau}
    assert_close(state.value("constrained_dynamics", "q", "whole", "forces"), found, 1e-11)
    assert_close(state.value("forward_dynamics"), found[list(closed.active)], 1e-11)
    forces = theirs.data.lambda_c.reshape(len(theirs.loops), -1)[:, :3]
    ours = state.value("constraint_forces").reshape(len(theirs.loops), -1)[:, -3:]
    # theirs act on the first frame; where they have moments, those are about another point
    assert_close(ours, -forces, 1e-10)


def test_velocity_derivative_of_pinocchio():
    """By central differences of theirs: along consistent velocities."""
    closed = mechanism("leg")
    state, theirs = State(closed), Theirs(closed)
    tau = np.zeros(closed.robot.nv)
    tau[list(closed.active)] = state["tau"]
    h, v = 1e-5, state.full()
    row, tree = ALL_JOINTS["constrained_dynamics"], closed._all_joints.tree
    by_v = derivative(row, "dv").formula(tree, *map(objects, (state.q, v, tau)))
    found = by_v.astype(float) @ state.E
    for k, e in enumerate(state.E.T):
        values = [theirs.accelerations(state.q, v + s * e, tau) for s in (h, -h)]
        assert_close(found[:, k], (values[0] - values[1]) / (2 * h), 1e-7, floor=1.0)


# ------------------------------------------------------------------ MuJoCo


@pytest.mark.slow
def test_stiff_equality_of_mujoco():
    """MuJoCo closes loops by stiff springs: accelerations agree to their softness."""
    mujoco = pytest.importorskip("mujoco")
    closed = mechanism("four_bar")
    xml = """
    <mujoco><compiler angle="radian"/><option gravity="0 -9.81 0" timestep="1e-4"/>
    <worldbody>
      <body name="crank" euler="0 0 1.5707963267948966"><joint name="crank_joint" axis="0 0 1"/>
        {crank}
        <body name="coupler" pos="0.1 0 0" euler="0 0 {pin}"><joint name="pin" axis="0 0 1"/>
          {coupler}</body></body>
      <body name="rocker" pos="0.3 0 0" euler="0 0 {seat}"><joint name="rocker_joint" axis="0 0 1"/>
        {rocker}</body>
    </worldbody>
    <equality><connect body1="coupler" body2="rocker" anchor="0.35 0 0"
      solref="-1e9 -1e5" solimp="0.9999 0.9999 1e-6 0.5 1"/></equality></mujoco>"""
    home = four_bar_lagrange(np.pi / 2, 0.0, 0.0)[3]
    bars = {}
    for name, length in (("crank", CRANK), ("coupler", COUPLER), ("rocker", ROCKER)):
        mass = DENSITY * length
        spread = mass * length**2 / 12.0
        bars[name] = (
            f'<inertial mass="{mass}" pos="{length / 2} 0 0"'
            f' diaginertia="{spread} {spread} {spread}"/>'
        )
    text = xml.format(pin=float(home[1] - home[0]), seat=float(home[2]), **bars)
    mj = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(mj)
    q = closed.assemble(closed.reference + np.array((0.7, 0.0, 0.0)), strict=True).q
    v = closed.velocity(q, np.array((3.0,)))
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(mj, data)
    still = np.zeros(3)
    assert_close(data.qacc, closed.constrained_dynamics(q, v, still), 1e-2)  # the springs' give
