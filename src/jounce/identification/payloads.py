"""The inertial parameters of a load at a frame of a robot, from torques with and without it.

The torques of a load are linear in its ten parameters phi about the frame:
tau = tau_robot + J^T F(q, v, a) phi, where F phi is the wrench that carries it. Without motion they
depend on mass and center of mass only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import DataError, DataWarning, explain_call, printable, warn
from jounce.identification.base_parameters import PARAMETERS
from jounce.identification.cleaning import samples
from jounce.identification.data import DataSummary, Samples, read_log
from jounce.identification.interior_point import ConvexProblem, MatrixStack, NotOptimalError
from jounce.identification.subject import MechanismAdapter, without_open_loops
from jounce.model import inertia

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Rounds of weights from residuals, and relative change at which they end.
_MAX_ROUNDS, _MAX_CHANGE = 20, 1e-3

#: Least relative singular value of excited directions, and least component of a parameter along
#: others by which it is not determined.
_MIN_EXCITATION, _UNEXCITED_FRACTION = 1e-6, 1e-2

#: Weight of the prior of directions that are not excited, relative to the largest information.
_RIDGE = 1e-12

#: Least eigenvalue of the scaled pseudo-inertia, and first guess of a load's radius in m.
_MARGIN, _RADIUS = 1e-6, 0.1

#: Least number of samples for which the noise of each torque is estimated, instead of a common one.
_MIN_SAMPLES = 30

#: Number of rows per chunk, and largest difference (rad, m) of the positions of two runs.
_CHUNK, _MAX_DIFFERENCE = 20_000, 0.1

#: Largest plausible chi-square of the distance from least squares, in its standard deviations.
_MAX_CHI = 5.0


@dataclass(frozen=True, eq=False, repr=False)
class Payload:
    """A load at a frame, with standard deviations.

    Attributes
    ----------
    frame : str
        The frame.
    parameters : (10,) array
        Mass, first moments and moments of inertia about the frame, in its axes (kg, kg m, kg m^2):
        physically consistent.
    deviations : (10,) array
        Standard deviations by least squares; NaN for parameters that the data do not determine.
    offset, offset_deviations : (nv,) arrays
        Constant torques in N m or N; zeros if they were not estimated.
    sigma : (nv,) array
        Standard deviation of the noise of each torque, N m or N; of fewer than 30 samples, one of
        all torques.
    rms_before, rms : (nv,) arrays
        Residuals without and with the load, N m or N.
    distance : float
        Distance from least squares in standard deviations of the noise.
    """

    robot: Robot | Mechanism
    frame: str
    parameters: np.ndarray
    deviations: np.ndarray
    offset: np.ndarray
    offset_deviations: np.ndarray
    sigma: np.ndarray
    rms_before: np.ndarray
    rms: np.ndarray
    distance: float

    @property
    def mass(self) -> float:
        """Mass in kg."""
        return float(self.parameters[0])

    @property
    def center(self) -> np.ndarray:
        """Center of mass (3,) in the frame, in m."""
        return self.parameters[1:4] / self.parameters[0]

    @property
    def undetermined(self) -> list[str]:
        """Names of the parameters that the data do not determine."""
        names = ("mass", *PARAMETERS[1:])
        return [name for name, s in zip(names, self.deviations, strict=True) if np.isnan(s)]

    def attached(self) -> Robot | Mechanism:
        """Return the robot with the load as a part of the body that has the frame."""
        closed = without_open_loops(self.robot, "whose forces are part of the torques")
        robot = closed.bodies if isinstance(closed, MechanismAdapter) else closed
        model = self.robot.model
        place = model.frames[model.frame_index(self.frame)]
        values = model.parameters.copy()
        values[place.body] += inertia.transform(self.parameters, place.placement)
        loaded = robot.edit.with_parameters(values)
        return loaded.closed(self.robot.labels("v")) if robot.model.loops else loaded

    def __repr__(self) -> str:
        return f"<payload of {self.mass:.4g} kg at {printable(self.frame)}>"

    def __str__(self) -> str:
        names = ("mass", *PARAMETERS[1:])
        units = ("kg",) + ("kg m",) * 3 + ("kg m²",) * 6
        rows = zip(names, self.parameters, self.deviations, units, strict=True)
        lines = [
            f"  {name:5} {x:12.5g} ± {s:<10.2g} {unit}"
            if np.isfinite(s)
            else f"  {name:5} {x:12.5g}   not determined"
            for name, x, s, unit in rows
        ]
        before, after = (float(np.sqrt(np.mean(x**2))) for x in (self.rms_before, self.rms))
        head = (
            f"Load at {printable(self.frame)}: residual {before:.4g} before, {after:.4g} N m after"
        )
        return "\n".join((head, *lines))


@explain_call
def payload(
    robot: Robot | Mechanism,
    frame: str,
    data: Any,
    *,
    without: Any = None,
    static: bool = False,
    friction: bool = True,
    offset: bool = False,
    cutoff: float | None = None,
) -> Payload:
    """Identify a load that is fixed to a frame, from torques in static poses or during a motion.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot without the load.
    frame : str
        Frame that carries the load.
    data : path, mapping of arrays or data frame
        Measurements of q, v, a and tau with the load, as in `jounce.identification.read_log`.
    without : path, mapping or data frame, optional
        The same motion without the load, row by row. The difference of both runs is used, so that
        errors of the robot's model and friction cancel.
    static : bool
        The robot is at rest in each row; q and tau suffice. Mass and center of mass are determined.
    friction : bool
        Subtract the friction of the robot's model.
    offset : bool
        Estimate a constant torque of each joint.
    cutoff : float, optional
        Cutoff frequency in Hz of the filter that estimates missing accelerations.

    Returns
    -------
    Payload
        Ten parameters with standard deviations.

    Raises
    ------
    DataError
        If there are too few samples, or both runs do not fit together.

    Examples
    --------
    >>> import jounce, numpy as np
    >>> from jounce.identification import payload
    >>> robot = jounce.load("kuka_iiwa14")
    >>> q = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 7))
    >>> load = jounce.inertia.sphere(0.05, mass=2.0)
    >>> J = robot.frame("tool").jacobian(q)
    >>> w = robot.frame("tool").load_wrench(q, np.zeros((20, 7)), np.zeros((20, 7)), load)
    >>> tau = robot.gravity_forces(q) + (J.mT @ w[..., None])[..., 0]
    >>> result = payload(robot, "tool", {"q": q, "tau": tau}, static=True)
    >>> round(result.mass, 6)
    2.0
    """
    owner = without_open_loops(robot, "whose forces are part of the torques")
    if frame not in owner.model.frame_names:
        robot.frame(frame)  # explains
    with_load = _load_samples(robot, data, static, cutoff)
    tau = with_load.tau - _model_torques(owner, with_load, friction)
    if without is not None:
        bare = _load_samples(robot, without, static, cutoff)
        _check_runs(bare, with_load)
        tau = tau - (bare.tau - _model_torques(owner, bare, friction))
    Y = _regressor(owner, frame, with_load)
    if offset:
        eye = np.broadcast_to(np.eye(owner.nv), (len(Y), owner.nv, owner.nv))
        Y = np.concatenate((Y, eye), axis=2)
    return _fit(robot, frame, Y, tau)


def _load_samples(
    robot: Robot | Mechanism, data: Any, static: bool, cutoff: float | None
) -> Samples:
    """Return all samples; with rates of zero if the robot is at rest."""
    recording = read_log(data, robot)
    if static:
        pieces = [{name: piece[name] for name in ("q", "tau")} for piece in recording.read(_CHUNK)]
    else:
        summary = DataSummary(recording.source)
        pieces = [part.arrays() for part in samples(recording, _CHUNK, summary, cutoff=cutoff)]
    if not pieces:
        raise DataError(f"{recording.source}: no usable rows")
    names = ("q", "tau") if static else ("q", "v", "a", "tau")
    arrays = {name: np.concatenate([piece[name] for piece in pieces]) for name in names}
    if not all(np.isfinite(x).all() for x in arrays.values()):
        raise DataError(f"{recording.source}: some numbers are missing; remove these rows")
    zero = np.zeros_like(arrays["tau"])
    return Samples.of({"v": zero, "a": zero, **arrays, "rows": np.arange(len(zero))})


def _model_torques(owner: Any, x: Samples, friction: bool) -> np.ndarray:
    tau = np.asarray(owner.inverse_dynamics(x.q, x.v, x.a))
    if not friction:
        return tau
    closed = isinstance(owner, MechanismAdapter)
    return tau + np.asarray(owner.joint_friction(*((x.q, x.v) if closed else (x.v,))))


def _regressor(owner: Any, frame: str, x: Samples) -> np.ndarray:
    """Return J^T F (n, nv, 10)."""
    place, out = owner.frame(frame), []
    for start in range(0, len(x), _CHUNK):
        part = x[start : start + _CHUNK]
        wrenches = place.load_wrench(
            part.q[:, None], part.v[:, None], part.a[:, None], np.eye(10)
        )  # (n, 10, 6)
        out.append(np.asarray(wrenches) @ np.asarray(place.jacobian(part.q)))
    return np.concatenate(out).mT


def _check_runs(bare: Samples, loaded: Samples) -> None:
    same = len(bare) == len(loaded)
    gap = float(np.abs(bare.q - loaded.q).max(initial=0.0)) if same else np.inf
    if not gap <= _MAX_DIFFERENCE:
        problem = f"positions differ by up to {gap:.2g}" if same else (
            f"they have {len(loaded)} and {len(bare)} rows"
        )  # fmt: skip
        raise DataError(
            f"expected the same motion with and without the load, row by row; {problem}. Resample"
            " both at the same times, or omit without="
        )


def _least_squares(
    Y: np.ndarray, tau: np.ndarray, sigma: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return parameters, their deviations (NaN if not excited), and the noise (nv,)."""
    n, nv, p = Y.shape
    A, z = (Y / sigma[:, None]).reshape(-1, p), (tau / sigma).ravel()
    sizes = np.linalg.norm(A, axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    U, s, Vt = np.linalg.svd(A / sizes, full_matrices=False)
    kept = s > _MIN_EXCITATION * s[0]
    X = (Vt[kept].T / s[kept]) / sizes[:, None]
    least = X @ (U[:, kept].T @ z)
    lost = np.linalg.norm(Vt[~kept], axis=0) > _UNEXCITED_FRACTION
    deviations = np.where(lost, np.nan, np.sqrt(np.sum(X**2, axis=1)))
    squares = np.sum((tau - Y @ least) ** 2, axis=0)
    freedom = n - np.sum(U[:, kept].reshape(n, nv, -1) ** 2, axis=(0, 2))
    if n < _MIN_SAMPLES:  # too few for a noise of each joint
        squares, freedom = np.full(nv, squares.sum()), np.full(nv, freedom.sum())
    return least, deviations, np.sqrt(squares / np.maximum(freedom, 1.0))


def _fit(robot: Robot | Mechanism, frame: str, Y: np.ndarray, tau: np.ndarray) -> Payload:
    """Fit the load by weighted least squares, then over the physically consistent loads."""
    n, nv, p = Y.shape
    if n * nv <= p:
        raise DataError(f"{n} samples of {nv} torques are too few for {p} parameters")
    total = np.sqrt(np.mean(tau**2, axis=0))
    sigma = floor = np.where(total > 0.0, total, 1.0)
    for _ in range(_MAX_ROUNDS):
        before, sigma = sigma, np.maximum(_least_squares(Y, tau, sigma)[2], 1e-8 * floor)
        if np.abs(np.log(sigma / before)).max() < _MAX_CHANGE:
            break
    least, deviations, _ = _least_squares(Y, tau, sigma)
    A, z = (Y / sigma[:, None]).reshape(-1, p), (tau / sigma).ravel()
    phi, distance = _consistent(robot, A, z, least)
    if distance**2 > p + _MAX_CHI * np.sqrt(2.0 * p):
        warn(
            f"{robot.name}: the load at '{frame}' is {distance:.3g} standard deviations of the"
            " noise away from least squares, since no physically consistent load has these torques;"
            " check frame, signs and units, and pass without= if the robot's model is inaccurate",
            DataWarning,
        )
    rest = tau - Y @ phi
    zeros = np.zeros(nv)
    return Payload(
        robot,
        frame,
        phi[:10],
        deviations[:10],
        phi[10:] if p > 10 else zeros,
        deviations[10:] if p > 10 else zeros,
        sigma,
        total,
        np.sqrt(np.mean(rest**2, axis=0)),
        distance,
    )


def _consistent(
    robot: Robot | Mechanism, A: np.ndarray, z: np.ndarray, least: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the physically consistent load closest to the data, and its distance from `least`.

    Directions that are not excited are those of a solid of 0.1 m about the center of mass.
    """
    p = A.shape[1]
    mass = max(abs(float(least[0])), 1e-6)
    lengths = np.sqrt(mass) * np.array((_RADIUS,) * 3 + (1.0,))
    units = np.zeros((4, 4, p))
    units[:, :, :10] = np.moveaxis(inertia.pseudo_inertia(np.eye(10)), 0, -1)
    units /= np.outer(lengths, lengths)[..., None]
    sizes = mass * np.array((1.0,) + (_RADIUS,) * 3 + (_RADIUS**2,) * 6)
    scale = np.concatenate((sizes, np.ones(p - 10)))
    solid = inertia.translate(inertia.sphere(_RADIUS, mass=mass), least[1:4] / mass)
    start = np.concatenate((solid, least[10:])) / scale
    B = A * scale
    P = B.T @ B
    ridge = _RIDGE * max(float(np.trace(P)), 1e-300)
    H, right = P + ridge * np.eye(p), B.T @ z + ridge * start
    theta = np.linalg.solve(H, right)
    bound = MatrixStack(-_MARGIN * np.eye(4)[None], (units * scale)[None])
    if np.linalg.eigvalsh(bound.at(theta))[0, 0] < 0.0:
        try:
            theta = ConvexProblem(H, -right, [], [bound]).solve(start)
        except (NotOptimalError, np.linalg.LinAlgError) as error:
            raise DataError(
                f"{robot.name}: no load found at which the optimality conditions hold ({error});"
                " check the units and signs of the torques"
            ) from error
    phi = scale * theta
    step = A @ (phi - least)
    return phi, float(np.linalg.norm(step))
