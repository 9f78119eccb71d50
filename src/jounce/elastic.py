"""Inverse dynamics of robots with elastic joints: flexible gears, series-elastic drives.

Each driven joint has two masses, the link at q and the motor at theta, with a spring between:

    M(q) a + C(q, v) v + g(q) = tau                          the links
    tau = K (theta - q) + D (d/dt theta - v)                 the spring, and its damping
    J d2/dt2 theta + d d/dt theta + tau = tau_m              the motor

(Spong's model: the rotors' spin about other axes than their own is neglected.) Motor positions,
torques, inertias J and frictions d are those seen after the gear: with the ratio N, theta =
theta_rotor / N, tau_m = N tau_rotor, J = N^2 J_rotor, d = N^2 d_rotor.

Without damping of the spring the inverse is algebraic: theta = q + tau / K, and the motor's
velocity and acceleration need d/dt tau and d2/dt2 tau, hence the jerk j and the jounce s of the
trajectory (`elastic_inverse_dynamics`). With D the deflection x = theta - q is a state of its own,
D d/dt x + K x = tau: what the motor has to do now depends on the past, and a trajectory has to be
followed from its start (`elastic_trajectory`).

The inertia of an elastic drive's motor belongs here and must not also be in the joint's armature,
which moves rigidly with the link. Joint friction on the link's side (`robot.joint_friction`) is not
part of tau.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.catalog.arguments import argument
from jounce.errors import ArgumentError, printable
from jounce.quantities.arrays import plain, stored, together
from jounce.quantities.signatures import explained
from jounce.runtime.trace import core_shape

if TYPE_CHECKING:
    from jounce.robot import Robot


class ElasticMotion(NamedTuple):
    """What the motors do; every array is (..., nv), in rad or m and N m or N.

    Where a velocity belongs to no drive (free, spherical and planar joints) motor_position is NaN,
    the motor's velocity and acceleration are the joint's, and its torque is link_torque: the force
    that something else must provide.
    """

    motor_position: np.ndarray
    motor_velocity: np.ndarray
    motor_acceleration: np.ndarray
    motor_torque: np.ndarray
    link_torque: np.ndarray


@explained
def elastic_inverse_dynamics(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    j: ArrayLike,
    s: ArrayLike,
    stiffness: ArrayLike,
    *,
    damping: ArrayLike | None = None,
    motor_inertia: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    dwrenches: ArrayLike | None = None,
    ddwrenches: ArrayLike | None = None,
    out: tuple[np.ndarray | None, ...] | None = None,
) -> ElasticMotion:
    """Motor motion and torque that make elastic joints follow q, v, a, j, s exactly.

        theta = q + tau / K,  tau_m = J d2/dt2 theta + d d/dt theta + tau

    with tau and its two time derivatives in closed form; nothing is integrated or differentiated
    numerically. Leading axes of the state broadcast.

    stiffness: K > 0 in N m/rad or N/m; np.inf: a rigid joint, theta = q. damping: viscous friction
    d >= 0 of the motor against its housing, in N m s/rad or N s/m (for damping in the spring see
    `elastic_trajectory`). motor_inertia: J >= 0 in kg m^2 or kg, seen after the gear, not to be
    counted in the joint's armature again. Each is (nv,), or a number for every drive. Free,
    spherical and planar joints have no drive: stiffness np.inf, damping and inertia zero. A joint
    that mimics another is geared rigidly to its leader, whose motor moves both.

    wrenches, dwrenches, ddwrenches (..., nb, 6): wrenches on the bodies and their time derivatives,
    as robot.inverse_dynamics.rates(2) takes them: derivatives not given are zero. out: five arrays
    for the results, or None in the place of some. Results are float32 if an array of the state or
    of the wrenches is and none of these is wider; the drives' numbers have no say in it.
    """
    drives = _Drives(robot, stiffness, damping, motor_inertia)
    title = printable(f"{robot.name}.elastic_inverse_dynamics")
    push = {"wrenches": wrenches, "dwrenches": dwrenches, "ddwrenches": ddwrenches}
    state, given = _arrays(robot, title, dict(zip("qvajs", (q, v, a, j, s), strict=True)), push)
    tau, rate, second = robot.inverse_dynamics.rates(2)(*state, **given)
    c = drives.compliance
    found = drives.motion(state, (tau, c * tau, c * rate, c * second))
    return _stored(found, out, title)


@explained
def elastic_trajectory(
    robot: Robot,
    t: ArrayLike,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    j: ArrayLike,
    s: ArrayLike,
    stiffness: ArrayLike,
    spring_damping: ArrayLike,
    *,
    damping: ArrayLike | None = None,
    motor_inertia: ArrayLike | None = None,
    deflection: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    dwrenches: ArrayLike | None = None,
    ddwrenches: ArrayLike | None = None,
    out: tuple[np.ndarray | None, ...] | None = None,
) -> ElasticMotion:
    """The same for springs with viscous damping, along a sampled trajectory.

    The deflection x = theta - q obeys D d/dt x + K x = tau joint by joint, stable with the time
    constant D / K. Between samples tau is the quintic through its values and first two time
    derivatives, for which the solution is exact whatever the step: the error is that of the
    quintic, O(h^6), and at the samples all three equations of the model hold to rounding.

    t (n,): rising instants in s. q (..., n, nq), v to s (..., n, nv) at these instants.
    spring_damping: D >= 0 in N m s/rad or N s/m, (nv,) or a number for every elastic drive; zero:
    the algebraic inverse. deflection (..., nv): x at t[0]; by default tau / K - D / K^2 d/dt tau +
    D^2 / K^3 d2/dt2 tau, the slow motion without a transient, exact for a start from rest. Any
    other decays like exp(-K t / D) and moves the links as exactly. The rest: as in
    `elastic_inverse_dynamics`.
    """
    drives = _Drives(robot, stiffness, damping, motor_inertia)
    K, c = drives.stiffness, drives.compliance
    D = drives.vector(spring_damping, "spring_damping", drives.driven & np.isfinite(K))
    steps = _steps(_numbers(robot, t, "t"))
    title = printable(f"{robot.name}.elastic_trajectory")
    push = {"wrenches": wrenches, "dwrenches": dwrenches, "ddwrenches": ddwrenches}
    state, given = _arrays(robot, title, dict(zip("qvajs", (q, v, a, j, s), strict=True)), push)
    _check_instants(robot, state, len(steps) + 1)
    tau, rate, second = robot.inverse_dynamics.rates(2)(*state, **given)
    x, dx, ddx = c * tau, c * rate, c * second
    damped = np.flatnonzero(D > 0.0)
    if len(damped):
        K, c, D = K[damped], c[damped], D[damped]
        forces = (tau[..., damped], rate[..., damped], second[..., damped])
        if deflection is None:
            first = [f[..., 0, :] for f in forces]
            start = c * (first[0] - D * c * (first[1] - D * c * first[2]))
        else:
            start = _start(robot, deflection, tau.shape[:-2])[..., damped]
        x[..., damped] = _deflections(steps, forces, K, D, start)
        dx[..., damped] = (forces[0] - K * x[..., damped]) / D
        ddx[..., damped] = (forces[1] - K * dx[..., damped]) / D
    return _stored(drives.motion(state, (tau, x, dx, ddx)), out, title)


# ------------------------------------------------------------------ drives


class _Drives:
    """Which velocities have a drive, and the drives' numbers as vectors (nv,)."""

    def __init__(self, robot: Robot, stiffness: Any, damping: Any, motor_inertia: Any) -> None:
        self.robot = robot
        self.names = [""] * robot.nv
        self.kinds = [""] * robot.nv
        self.driven = np.zeros(robot.nv, dtype=bool)
        self.coordinate = np.zeros(robot.nv, dtype=int)  # where in q, for driven velocities
        for view in robot.joints.values():
            if view.joint.mimic is not None:
                continue
            for i in range(view.v.start, view.v.stop):
                self.names[i], self.kinds[i] = view.name, view.kind
            for q, v in view.joint.row.rates:  # what a motor can turn or push
                self.driven[view.v.start + v] = True
                self.coordinate[view.v.start + v] = view.q.start + q
        self.stiffness = self.vector(stiffness, "stiffness", self.driven, rest=np.inf)
        self.compliance = 1.0 / self.stiffness
        damping, motor_inertia = (0.0 if x is None else x for x in (damping, motor_inertia))
        self.damping = self.vector(damping, "damping", self.driven)
        self.inertia = self.vector(motor_inertia, "motor_inertia", self.driven)

    def vector(self, value: Any, what: str, where: np.ndarray, rest: float = 0.0) -> np.ndarray:
        """A drive's number for each velocity: valid where `where`, and `rest` elsewhere."""
        robot = self.robot
        given = _numbers(robot, value, what)
        if given.ndim == 0:
            given = np.where(where, given, rest)
        if given.shape != (robot.nv,):
            raise ArgumentError(
                f"{robot.name}: {what} must have shape ({robot.nv},) or be a number,"
                f" found shape {given.shape}"
            )
        for i, x in enumerate(given):
            joint = f"{robot.name}: {what} of joint '{self.names[i]}'"
            if not where[i] and x != rest:
                why = "is rigid" if self.driven[i] else f"has no drive (it is {self.kinds[i]})"
                raise ArgumentError(f"{joint}, which {why}, must be {rest}; found {x} at index {i}")
            if what == "stiffness" and not x > 0.0:
                raise ArgumentError(f"{joint} must be > 0 (np.inf: rigid), found {x} at index {i}")
            if what != "stiffness" and not 0.0 <= x < np.inf:
                raise ArgumentError(f"{joint} must be finite and >= 0, found {x} at index {i}")
        return given

    def motion(self, state: Sequence[np.ndarray], spring: tuple[np.ndarray, ...]) -> ElasticMotion:
        """The motors' side, from the link torque and the deflection with its two derivatives."""
        (q, v, a), (tau, x, dx, ddx) = state[:3], spring
        position = np.full(tau.shape, np.nan)
        position[..., self.driven] = q[..., self.coordinate[self.driven]] + x[..., self.driven]
        velocity, acceleration = v + dx, a + ddx
        torque = self.inertia * acceleration + self.damping * velocity + tau
        # double precision within; float32 states get float32 back
        results = (position, velocity, acceleration, torque, tau)
        return ElasticMotion(*(np.asarray(r, dtype=tau.dtype) for r in results))


def _numbers(robot: Robot, value: Any, what: str) -> np.ndarray:
    """What is not part of the state, in double precision."""
    return np.asarray(plain(value, printable(f"{robot.name}: {what}")), dtype=float)


def _arrays(
    robot: Robot, title: str, state: dict[str, Any], push: dict[str, Any]
) -> tuple[list[np.ndarray], dict[str, Any]]:
    """The state and the wrenches that are given, as arrays whose leading axes broadcast."""
    given = {name: x for name, x in push.items() if x is not None}
    cores = {name: core_shape(argument(name).shape, robot.sizes) for name in (*state, *given)}
    _, arrays = together(title, state | given, cores)
    return arrays[: len(state)], dict(zip(given, arrays[len(state) :], strict=True))


def _stored(found: ElasticMotion, out: Any, title: str) -> ElasticMotion:
    """The results in the arrays that are given for them."""
    if out is None:
        return found
    if not isinstance(out, tuple) or len(out) != len(found):
        raise TypeError(f"{title}: out must be a tuple of {len(found)} arrays or None's")
    return ElasticMotion(*(stored(x, place, title) for x, place in zip(found, out, strict=True)))


# ------------------------------------------------------------------ damped springs


def _start(robot: Robot, deflection: ArrayLike, batch: tuple[int, ...]) -> np.ndarray:
    given = _numbers(robot, deflection, "deflection")
    try:
        return np.broadcast_to(given, (*batch, robot.nv))
    except ValueError:
        wanted = ", ".join(map(str, (*batch, robot.nv)))
        raise ArgumentError(
            f"{robot.name}: argument 'deflection' must have shape ({wanted}) or broadcast to it,"
            f" found {given.shape}"
        ) from None


def _check_instants(robot: Robot, state: Sequence[np.ndarray], count: int) -> None:
    """Refuse a trajectory whose arrays do not have a row for each instant."""
    for name, x in zip("qvajs", state, strict=True):
        if x.ndim < 2 or x.shape[-2] != count:
            width = robot.nq if name == "q" else robot.nv
            raise ArgumentError(
                f"{robot.name}: argument '{name}' must have shape (..., {count}, {width}), one row"
                f" for each instant in t, found {x.shape}"
            )


def _steps(instants: np.ndarray) -> np.ndarray:
    if instants.ndim != 1 or len(instants) < 1 or not np.all(np.isfinite(instants)):
        raise ArgumentError(
            f"t must be finite instants of shape (n,), found shape {instants.shape}"
        )
    steps = np.diff(instants)
    if np.any(steps <= 0.0):
        at = int(np.argmax(steps <= 0.0))
        raise ArgumentError(
            f"t must rise: t[{at}] = {instants[at]}, t[{at + 1}] = {instants[at + 1]}"
        )
    return steps


def _deflections(
    steps: np.ndarray,
    forces: tuple[np.ndarray, np.ndarray, np.ndarray],
    K: np.ndarray,
    D: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """x at the samples, (..., n, k), from D d/dt x + K x = tau with quintic tau in each step.

    One step: x1 = exp(-z) x0 + z / K sum_k c_k I_k(z) with z = h K / D, tau = sum_k c_k u^k.
    """
    h = steps[:, None]
    z = h * K / D
    scales = (1.0, h, h * h)
    c0, c1, c2 = (k * f[..., :-1, :] for k, f in zip(scales, forces, strict=True))
    e0, e1, e2 = (k * f[..., 1:, :] for k, f in zip(scales, forces, strict=True))
    c2 = c2 / 2.0
    # what is left at the step's end for u^3, u^4, u^5 to make up
    r0, r1, r2 = e0 - c0 - c1 - c2, e1 - c1 - 2.0 * c2, e2 - 2.0 * c2
    coefficients = (
        *(c0, c1, c2),
        10.0 * r0 - 4.0 * r1 + 0.5 * r2,
        -15.0 * r0 + 7.0 * r1 - r2,
        6.0 * r0 - 3.0 * r1 + 0.5 * r2,
    )
    push = z / K * sum(c * I for c, I in zip(coefficients, _moments(z), strict=True))
    decay = np.exp(-z)
    x = np.empty((*push.shape[:-2], len(steps) + 1, len(K)))
    x[..., 0, :] = start
    for n in range(len(steps)):
        x[..., n + 1, :] = decay[n] * x[..., n, :] + push[..., n, :]
    return x


def _moments(z: np.ndarray) -> list[np.ndarray]:
    """I_k(z), the integral of exp(-z (1 - u)) u^k over u from 0 to 1, for k = 0 to 5.

    The recursion I_k = (1 - k I_(k-1)) / z loses digits for small z; there the integrand is smooth
    and 16 Gauss points give all of them.
    """
    nodes, weights = np.polynomial.legendre.leggauss(16)
    u, weights = (1.0 + nodes) / 2.0, weights / 2.0
    small = z < 8.0
    smooth = np.exp(np.multiply.outer(-np.where(small, z, 0.0), 1.0 - u)) * weights
    large = np.where(small, 8.0, z)
    out: list[np.ndarray] = []
    for k in range(6):
        stepped = (1.0 - (k * out[-1] if k else np.exp(-large))) / large
        out.append(np.where(small, smooth @ u**k, stepped))
    return out
