"""Optimization of excitation trajectories, and its result."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.identification.excitation.interior import InteriorPoint, Smooth
from jounce.identification.excitation.limits import Limits
from jounce.identification.excitation.problem import Box, Cost, Problem, Regressor, spectral_cost
from jounce.identification.excitation.trajectory import (
    FourierTrajectory,
    check_integer,
    check_positive,
)
from jounce.identification.subject import MechanismAdapter, Subject, subject
from jounce.identification.workers import one_blas_thread
from jounce.utils import track

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Results are checked at this multiple of the number of samples used in the optimization.
_FINER = 10

#: Least relative distance of a start from limits of torque and workspace.
_START_MARGIN = 0.02

#: Stages of the minimization: order of the norms that approximate the condition number (the other
#: cost is smooth), and gap to the minimum.
_STAGES = ((2.0, 3.0), (2.0, 1.0), (2.0, 0.3), (4.0, 0.1), (8.0, 0.03), (16.0, 0.01), (32.0, 0.003))


@dataclass(frozen=True, eq=False)
class Excitation:
    """An excitation trajectory and its quality.

    Attributes
    ----------
    trajectory, start : FourierTrajectory
        The optimized trajectory, and the best random one, where the search began.
    limits : Limits
        Limits of the trajectory.
    condition, information : float
        Condition number, and log det(W^T W), of the regressor W of the base parameters, over a
        period and per sample, in the units of `optimize`.
    start_condition, start_information : float
        The same of `start`.
    use : mapping of str to array
        Largest used fraction of each limit on a grid ten times finer than the optimized one: (nv,)
        for position, velocity, acceleration and torque, and by frame for boxes of the workspace.
    columns : array of int
        The base parameters, as indices of columns of inverse_dynamics.dpi.
    iterations, seconds
        Number of iterations, and duration of the search.
    """

    trajectory: FourierTrajectory
    start: FourierTrajectory
    limits: Limits
    condition: float
    information: float
    start_condition: float
    start_information: float
    use: Mapping[str, np.ndarray]
    columns: np.ndarray
    iterations: int
    seconds: float

    def __str__(self) -> str:
        joints, harmonics = self.trajectory.cosine.shape
        lines = [
            f"excitation of {joints} joints, {harmonics} harmonics of {self.trajectory.period:g} s,"
            f" {len(self.columns)} base parameters",
            f"condition number   {self.start_condition:12.5g} -> {self.condition:.5g}",
            f"log det(W^T W)     {self.start_information:12.5g} -> {self.information:.5g}",
            f"found in {self.iterations} iterations, {self.seconds:.1f} s; limits in use:",
        ]
        for name, shares in self.use.items():
            if shares.any():
                lines.append(f"  {name:<14} {' '.join(f'{x:6.1%}' for x in shares)}")
        return "\n".join(lines)


def optimize(
    robot: Robot | Mechanism,
    *,
    harmonics: int = 5,
    period: float = 10.0,
    cost: Cost = "condition",
    limits: Limits | None = None,
    workspace: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    samples: int | None = None,
    noise: ArrayLike | None = None,
    extended: bool = False,
    rest: bool = True,
    iterations: int = 350,
    starts: int = 20,
    seed: int | np.random.Generator = 0,
) -> Excitation:
    """Return a Fourier trajectory that excites a robot's base parameters within its limits.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot. For a mechanism, the independent joints follow the series, and the others stay
        within their limits of position and velocity; their friction is ignored.
    harmonics : int
        Number of harmonics of the base frequency.
    period : float
        Period in s.
    cost : {"condition", "d-optimal"}
        The condition number of the regressor, or the volume of the uncertainty -log det(W^T W).
    limits : Limits
        Limits of the joints; by default those of `Limits.of`.
    workspace : mapping of str to pair of (3,) arrays
        Boxes for the origins of frames, as lower and upper corner in the world, in m (np.inf for
        open sides).
    samples : int
        Number of samples per period; by default 20 per harmonic.
    noise : (nv,) array
        Standard deviations of the measured torques in N m or N; by default in proportion to the
        torque limits, or to typical torques if these are unlimited.
    extended : bool
        Also excite armature, viscous and Coulomb friction.
    rest : bool
        Start and end with v = a = 0.
    iterations : int
        Maximum number of iterations (a few more if limits are exceeded between samples).
    starts : int
        Number of random trajectories, of which the best one is optimized.
    seed : int or numpy.random.Generator
        Seed or random number generator; the result is reproducible.

    Returns
    -------
    Excitation
        The trajectory and its quality.

    Raises
    ------
    ModelError
        If no trajectory within the limits was found.

    Notes
    -----
    Parameters are scaled so that each has the same effect on torques, relative to the noise, at
    states distributed evenly over the limits; the condition number refers to these. Limits of q, v
    and a hold at every instant; those of torque and workspace at ten times the samples.
    """
    begin = time.perf_counter()
    if cost not in get_args(Cost):
        raise ValueError(f"cost: choose one of {', '.join(get_args(Cost))}, found {cost!r}")
    harmonics = check_integer(harmonics, "harmonics", 2 if rest else 1)
    period = check_positive(period, "period")
    samples = (
        20 * harmonics if samples is None else check_integer(samples, "samples", 4 * harmonics)
    )
    counts = check_integer(starts, "starts"), check_integer(iterations, "iterations")
    limits = Limits.of(robot, **({} if limits is None else vars(limits)))
    owner = subject(robot)
    boxes = _boxes(owner, workspace)
    rng = np.random.default_rng(seed)
    states = _sample_states(owner, limits, 2.0 * np.pi / period * harmonics, rng)
    noise = _noise(owner, limits, noise, states)
    with one_blas_thread():
        regressor = Regressor(owner, states, noise, extended)
        problem = Problem(regressor, limits, boxes, (harmonics, period, samples), rest)
        _check(problem)
        search = _Search(problem, cost, counts[1])
        start = search.inside(_start(problem, cost, counts[0], rng))
        z = search.descend(start)
        return _result(problem, start, z, search.count, time.perf_counter() - begin)


# ------------------------------------------------------------------ arguments


def _sample_states(
    robot: Subject, limits: Limits, rate: float, rng: np.random.Generator, count: int = 500
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random states within the limits that the highest harmonic (rad/s) can reach."""
    fast = np.minimum(limits.velocity, (limits.upper - limits.lower) / 2.0 * rate)
    hard = np.minimum(limits.acceleration, fast * rate)
    if isinstance(robot, MechanismAdapter):
        q = _sample_reachable(robot, limits, count, rng)
        count = len(q)
    else:
        q = rng.uniform(limits.lower, limits.upper, (count, robot.nv))
    v, a = (rng.uniform(-x, x, (count, robot.nv)) for x in (fast, hard))
    return q, v, a


def _sample_reachable(
    robot: MechanismAdapter,
    limits: Limits,
    count: int,
    rng: np.random.Generator,
    fraction: float = 1.0,
) -> np.ndarray:
    """Return random closed configurations (n, nq) within a fraction of the ranges."""
    middle, half = (limits.upper + limits.lower) / 2.0, (limits.upper - limits.lower) / 2.0
    q = robot.sample_configurations(count, rng)
    inside = (np.abs(q[:, robot.leading] - middle) < fraction * half).all(axis=1)
    if not inside.any():
        raise ModelError(
            f"{robot.name}: none of {count} closed configurations around its reference is within"
            f" the limits of {', '.join(robot.labels('v'))}; choose another reference by q0 of"
            " robot.closed, or other limits"
        )
    return q[inside]


def _noise(
    robot: Subject, limits: Limits, deviations: Any, states: tuple[np.ndarray, ...]
) -> np.ndarray:
    if deviations is None:
        typical = np.sqrt((robot.inverse_dynamics(*states) ** 2).mean(axis=0))
        bounded = np.isfinite(limits.torque).all()
        return limits.torque if bounded else np.where(typical > 0.0, typical, 1.0)
    noise = np.asarray(deviations, dtype=float)
    if noise.shape not in ((), (robot.nv,)) or not np.all((noise > 0.0) & (noise < np.inf)):
        raise ValueError(f"noise must be ({robot.nv},) positive numbers, found {deviations!r}")
    return np.broadcast_to(noise, (robot.nv,))


def _boxes(robot: Subject, workspace: Mapping[str, Any] | None) -> list[Box]:
    out = []
    for name, corners in (workspace or {}).items():
        frame = robot.frame(name)
        try:
            lower, upper = (np.broadcast_to(np.asarray(x, float), (3,)) for x in corners)
        except (TypeError, ValueError):
            raise ValueError(
                f"workspace of frame '{name}': expected a lower and an upper corner (3,), found"
                f" {corners!r}"
            ) from None
        if not np.all(lower < upper):
            raise ValueError(
                f"workspace of frame '{name}': the lower corner {lower.tolist()} must be below the"
                f" upper one {upper.tolist()}"
            )
        out.append(Box(frame, lower, upper))
    return out


def _check(problem: Problem) -> None:
    """Reject problems that have no solution for any trajectory."""
    torques, parameters = problem.samples * problem.robot.nv, len(problem.regressor.columns)
    if torques < parameters:
        raise ValueError(
            f"{problem.samples} samples of {problem.robot.nv} torques cannot determine {parameters}"
            " base parameters; increase samples"
        )
    for i in np.flatnonzero(~(problem.torque > 0.0)):
        raise ModelError(
            f"joint '{problem.robot.labels('v')[i]}': expected friction below the torque"
            f" limit {problem.limits.torque[i]:g}, found {problem.coulomb[i]:g}"
        )


# ------------------------------------------------------------------ the search


def _start(problem: Problem, kind: Cost, starts: int, rng: np.random.Generator) -> np.ndarray:
    """Return the best of some random trajectories within the limits.

    If there is none, return the one that exceeds the limits least. The trajectories move about
    positions near the middle of the ranges, in which the robot can stand still.
    """
    if isinstance(problem.robot, MechanismAdapter):
        q = _sample_reachable(problem.robot, problem.limits, max(5 * starts, 200), rng, 0.9)
        offsets = (problem.positions(q) - problem.middle) / problem.half
    else:
        offsets = rng.uniform(-0.6, 0.6, (max(50 * starts, 500), problem.robot.nv))
        q = problem.middle + offsets * problem.half
    zeros = np.zeros(offsets.shape)
    uses = problem.further_uses(q, zeros, zeros)
    low, high = problem.further_bounds(_START_MARGIN)
    slack = np.minimum(uses - low, high - uses).min(axis=1, initial=0.1)
    chosen = np.argsort(-slack, kind="stable")[:starts]
    candidates = [_random_motion(problem, offsets[k], rng) for k in chosen]
    feasible = [z for z in candidates if _slack(problem, z) > 0.0]
    if not feasible:
        return max(candidates, key=lambda z: _slack(problem, z))
    return min(feasible, key=lambda z: spectral_cost(kind, problem.singular_values(z))[0])


def _slack(problem: Problem, z: np.ndarray) -> float:
    """Return the least distance from a limit; -inf if the loops cannot be closed."""
    u, (low, high) = problem.uses(z), problem.bounds
    slack = float(np.minimum(u - low, high - u).min())
    return -np.inf if np.isnan(slack) else slack


def _random_motion(problem: Problem, offset: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random motion about an offset, as large as the limits allow."""
    z = np.zeros(problem.scale.shape)
    z[1:] = rng.normal(size=z[1:].shape)
    for i, center in enumerate(offset):
        single = np.zeros(z.shape)
        single[:, i] = z[:, i]
        largest = np.abs(problem.linear @ single.ravel()).max()
        z[1:, i] *= (0.95 * problem.reach - abs(center)) / largest
    z[0] = offset
    for _ in range(30):
        if _slack(problem, z.ravel()) > 0.0:
            break
        z[1:] *= 0.8
    return z.ravel()


class _Search:
    """The minimization, with a progress bar of its iterations."""

    def __init__(self, problem: Problem, kind: Cost, iterations: int) -> None:
        self.problem = problem
        self.kind: Cost = kind
        self.count, self.max_count = 0, iterations
        self._bar: Iterator[Any] = track(range(iterations), "designing excitation", quiet=True)

    def tick(self) -> bool:
        """Count an iteration; return False if the maximum number is reached."""
        if self.count >= self.max_count:
            return False
        self.count += 1
        next(self._bar, None)
        return True

    def _point(self, z: np.ndarray, bounds: np.ndarray) -> InteriorPoint:
        return InteriorPoint(self.problem.uses, self.problem.jacobian, bounds, z, self.tick)

    def _cost(self, power: float) -> Smooth:
        return lambda z: self.problem.cost(z, self.kind, power)

    def inside(self, z: np.ndarray) -> np.ndarray:
        """Return a trajectory within all limits, from one within those of q, v and a."""
        problem = self.problem
        if (slack := _slack(problem, z)) > 0.0:
            return z
        if slack == -np.inf:
            raise ModelError(
                f"{problem.robot.name}: no trajectory found along which the loops can be closed;"
                " choose narrower limits, or another reference by q0 of robot.closed"
            )
        first = len(problem.linear)
        low, high = problem.bounds[:, first:]
        open_bounds = problem.bounds.copy()
        open_bounds[:, first:] = ((-np.inf,), (np.inf,))

        def excess(z: np.ndarray) -> tuple[float, np.ndarray]:
            u, J = problem.uses(z)[first:], problem.jacobian(z)[first:]
            by = np.minimum(u - low - _START_MARGIN, 0.0) + np.maximum(
                u - high + _START_MARGIN, 0.0
            )
            return 0.5 * float(by @ by), by @ J

        point = self._point(z, open_bounds)
        point.tick = lambda: _slack(problem, point.z) <= 0.0 and self.tick()
        for gap in (1e-3, 1e-5, 1e-7):
            point.minimize(excess, gap, self.max_count, 1e-3 * gap)
        return point.z

    def descend(self, z: np.ndarray) -> np.ndarray:
        """Minimize from z; return a trajectory within the limits between samples too."""
        problem, stages = self.problem, _STAGES
        low, high = problem.further_bounds(0.0)
        fine = problem.grid(_FINER * problem.samples)
        for _ in range(5):
            if _slack(problem, z) <= 0.0:
                break
            point = self._point(z, problem.bounds)
            for power, gap in stages:
                point.minimize(self._cost(power), gap, 1 + self.max_count // len(_STAGES))
            z = point.z
            uses = problem.further_uses(*problem.state(z, fine))
            beyond = np.maximum(low - uses, uses - high).max(initial=0.0)
            if beyond == 0.0:
                break
            problem.margin += float(beyond) + 0.002
            self.max_count += self.max_count // 5
            z, stages = self.inside(z), _STAGES[-2:]
        for _ in self._bar:  # complete the progress bar
            pass
        return z


# ------------------------------------------------------------------ the result


def _result(
    problem: Problem, start: np.ndarray, z: np.ndarray, iterations: int, seconds: float
) -> Excitation:
    use = _use(problem, z)
    names = problem.robot.labels("v")
    for what, shares in use.items():
        if shares.max() > 1.0:
            per_joint = len(shares) == len(names) > 1 and what != "dependent joints"
            where = f" of joint '{names[int(shares.argmax())]}'" if per_joint else ""
            raise ModelError(
                f"robot '{problem.robot.name}': no trajectory found within the limits; the best one"
                f" uses {shares.max():.1%} of the limit of {what}{where}"
            )
    after, before = (problem.singular_values(x) for x in (z, start))
    return Excitation(
        trajectory=problem.trajectory(z),
        start=problem.trajectory(start),
        limits=problem.limits,
        condition=float(after[0] / after[-1]),
        information=2.0 * float(np.log(after).sum()),
        start_condition=float(before[0] / before[-1]),
        start_information=2.0 * float(np.log(before).sum()),
        use=use,
        columns=problem.regressor.columns,
        iterations=iterations,
        seconds=seconds,
    )


def _use(problem: Problem, z: np.ndarray) -> dict[str, np.ndarray]:
    """Return the largest used fraction of each limit, on the finer grid."""
    q, v, a = problem.state(z, problem.grid(_FINER * problem.samples))
    limits = problem.limits
    tau = np.abs(problem.robot.inverse_dynamics(q, v, a) + problem.damping * v) + problem.coulomb
    out = {
        "position": np.abs(problem.positions(q) - problem.middle).max(axis=0) / problem.half,
        "velocity": np.abs(v).max(axis=0) / limits.velocity,
        "acceleration": np.abs(a).max(axis=0) / limits.acceleration,
        "torque": tau.max(axis=0) / limits.torque,
    }
    if problem.dependent is not None:
        shares = np.abs(problem.dependent.uses(q, v))
        out["dependent joints"] = shares.max(axis=0, initial=0.0)
    for box in problem.boxes:
        places, (low, high) = box.places(q), box.sides
        slack = np.minimum(places - low, high - places).min()
        out[f"space of {box.frame.name}"] = np.array([1.0 - slack])
    return out
