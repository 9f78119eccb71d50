"""The search for an excitation trajectory, and what it found."""

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
from jounce.identification.excitation.trajectory import FourierTrajectory, positive, whole
from jounce.identification.subject import Closed, Subject, subject
from jounce.identification.workers import one_blas_thread
from jounce.utils import track

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Results are checked at so many times the samples they were optimised at.
_FINER = 10

#: How far within limits of torque and workspace a start must be.
_INSIDE = 0.02

#: What is minimised in turn: the order of norms that lead to the condition number (the other cost
#: is smooth as it is), and how close to its minimum.
_STAGES = ((2.0, 3.0), (2.0, 1.0), (2.0, 0.3), (4.0, 0.1), (8.0, 0.03), (16.0, 0.01), (32.0, 0.003))


@dataclass(frozen=True, eq=False)
class Excitation:
    """An excitation trajectory and its quality.

    Attributes
    ----------
    trajectory, start : FourierTrajectory
        The optimized trajectory, and the best random one, where the search began.
    limits : Limits
        Limits that it keeps to.
    condition, information : float
        Condition number, and log det(W^T W), of the regressor W of the base parameters, over a
        period and per sample, in the units of `optimize`.
    start_condition, start_information : float
        The same of `start`.
    use : mapping of str to array
        Largest share of each limit in use on a grid ten times finer than the optimized one: (nv,)
        for position, velocity, acceleration and torque, and by frame for boxes of the workspace.
    columns : array of int
        The base parameters, as indices of columns of inverse_dynamics.dpi.
    iterations, seconds
        Cost of the search.
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
        Of a mechanism, the independent joints follow the series while the others keep to their
        limits of position and velocity; the friction of these counts as none.
    harmonics : int
        Number of harmonics of the base frequency.
    period : float
        In s.
    cost : {"condition", "d-optimal"}
        The condition number of the regressor, or the volume of the uncertainty -log det(W^T W).
    limits : Limits
        By default those of `Limits.of`.
    workspace : mapping of str to pair of (3,) arrays
        Boxes for the origins of frames, as lower and upper corner in the world, in m (np.inf where
        open).
    samples : int
        Per period, by default 20 for each harmonic.
    noise : (nv,) array
        Standard deviations of the measured torques in N m or N; by default in proportion to the
        torque limits, or to typical torques where these are unlimited.
    extended : bool
        Also excite armature, viscous and Coulomb friction.
    rest : bool
        Start and end with v = a = 0.
    iterations : int
        Largest number of iterations (a few more if limits are exceeded between samples).
    starts : int
        Number of random trajectories, of which the best one is improved.
    seed : int or numpy.random.Generator
        The same one gives the same trajectory.

    Returns
    -------
    Excitation
        The trajectory and its quality.

    Raises
    ------
    ModelError
        If no trajectory keeps to the limits.

    Notes
    -----
    Parameters count in units in which each moves the torques equally at states spread evenly over
    the limits, relative to the noise; the condition number refers to these. Limits of q, v and a
    hold at every instant; those of torque and workspace at ten times the samples.
    """
    begin = time.perf_counter()
    if cost not in get_args(Cost):
        raise ValueError(f"cost: choose one of {', '.join(get_args(Cost))}, found {cost!r}")
    harmonics = whole(harmonics, "harmonics", 2 if rest else 1)
    period = positive(period, "period")
    samples = 20 * harmonics if samples is None else whole(samples, "samples", 4 * harmonics)
    counts = whole(starts, "starts"), whole(iterations, "iterations")
    limits = Limits.of(robot, **({} if limits is None else vars(limits)))
    owner = subject(robot)
    boxes = _boxes(owner, workspace)
    rng = np.random.default_rng(seed)
    states = _spread(owner, limits, 2.0 * np.pi / period * harmonics, rng)
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


def _spread(
    robot: Subject, limits: Limits, rate: float, rng: np.random.Generator, count: int = 500
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States spread evenly over the limits, as far as the highest harmonic (rad/s) reaches."""
    fast = np.minimum(limits.velocity, (limits.upper - limits.lower) / 2.0 * rate)
    hard = np.minimum(limits.acceleration, fast * rate)
    if isinstance(robot, Closed):
        q = _reached(robot, limits, count, rng)
        count = len(q)
    else:
        q = rng.uniform(limits.lower, limits.upper, (count, robot.nv))
    v, a = (rng.uniform(-x, x, (count, robot.nv)) for x in (fast, hard))
    return q, v, a


def _reached(
    robot: Closed, limits: Limits, count: int, rng: np.random.Generator, share: float = 1.0
) -> np.ndarray:
    """Random closed configurations (n, nq) within a share of the ranges, about the middle."""
    middle, half = (limits.upper + limits.lower) / 2.0, (limits.upper - limits.lower) / 2.0
    q = robot.spread(count, rng)
    inside = (np.abs(q[:, robot.leading] - middle) < share * half).all(axis=1)
    if not inside.any():
        raise ModelError(
            f"{robot.name}: none of {count} closed configurations around its reference is within"
            f" the limits of {', '.join(robot.labels('v'))}; choose another reference by q0 of"
            " robot.closed, or other limits"
        )
    return q[inside]


def _noise(
    robot: Subject, limits: Limits, given: Any, states: tuple[np.ndarray, ...]
) -> np.ndarray:
    if given is None:
        typical = np.sqrt((robot.inverse_dynamics(*states) ** 2).mean(axis=0))
        bounded = np.isfinite(limits.torque).all()
        return limits.torque if bounded else np.where(typical > 0.0, typical, 1.0)
    noise = np.asarray(given, dtype=float)
    if noise.shape not in ((), (robot.nv,)) or not np.all((noise > 0.0) & (noise < np.inf)):
        raise ValueError(f"noise must be ({robot.nv},) positive numbers, found {given!r}")
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
    """Reject problems that have no solution whatever the trajectory."""
    torques, parameters = problem.samples * problem.robot.nv, len(problem.regressor.columns)
    if torques < parameters:
        raise ValueError(
            f"{problem.samples} samples of {problem.robot.nv} torques cannot tell {parameters} base"
            " parameters apart; take more"
        )
    for i in np.flatnonzero(~(problem.torque > 0.0)):
        raise ModelError(
            f"joint '{problem.robot.labels('v')[i]}': its friction {problem.coulomb[i]:g}"
            f" leaves nothing of its torque limit {problem.limits.torque[i]:g}"
        )


# ------------------------------------------------------------------ the search


def _start(problem: Problem, kind: Cost, starts: int, rng: np.random.Generator) -> np.ndarray:
    """The best of some random trajectories within the limits, or the one that exceeds them least.

    They move about positions near the middle of the ranges, where the robot can stand still.
    """
    if isinstance(problem.robot, Closed):
        q = _reached(problem.robot, problem.limits, max(5 * starts, 200), rng, 0.9)
        offsets = (problem.positions(q) - problem.middle) / problem.half
    else:
        offsets = rng.uniform(-0.6, 0.6, (max(50 * starts, 500), problem.robot.nv))
        q = problem.middle + offsets * problem.half
    rest = np.zeros(offsets.shape)
    uses = problem.further_uses(q, rest, rest)
    low, high = problem.further_bounds(_INSIDE)
    left = np.minimum(uses - low, high - uses).min(axis=1, initial=0.1)
    chosen = np.argsort(-left, kind="stable")[:starts]
    found = [_fitted(problem, offsets[k], rng) for k in chosen]
    kept = [z for z in found if _left(problem, z) > 0.0]
    if not kept:
        return max(found, key=lambda z: _left(problem, z))
    return min(kept, key=lambda z: spectral_cost(kind, problem.singular_values(z))[0])


def _left(problem: Problem, z: np.ndarray) -> float:
    """What is left of the limit that is used most."""
    u, (low, high) = problem.uses(z), problem.bounds
    left = float(np.minimum(u - low, high - u).min())
    return left if left == left else -np.inf  # where loops cannot be closed, nothing


def _fitted(problem: Problem, offset: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random motion about an offset, as large as the limits allow."""
    z = np.zeros(problem.scale.shape)
    z[1:] = rng.normal(size=z[1:].shape)
    for i, at in enumerate(offset):
        alone = np.zeros(z.shape)
        alone[:, i] = z[:, i]
        largest = np.abs(problem.linear @ alone.ravel()).max()
        z[1:, i] *= (0.95 * problem.reach - abs(at)) / largest
    z[0] = offset
    for _ in range(30):
        if _left(problem, z.ravel()) > 0.0:
            break
        z[1:] *= 0.8
    return z.ravel()


class _Search:
    """The descent, its iterations counted on a progress bar."""

    def __init__(self, problem: Problem, kind: Cost, most: int) -> None:
        self.problem = problem
        self.kind: Cost = kind
        self.count, self.most = 0, most
        self._bar: Iterator[Any] = track(range(most), "designing excitation", quiet=True)

    def tick(self) -> bool:
        """Count an iteration, if another one may follow."""
        if self.count >= self.most:
            return False
        self.count += 1
        next(self._bar, None)
        return True

    def _point(self, z: np.ndarray, bounds: np.ndarray) -> InteriorPoint:
        return InteriorPoint(self.problem.uses, self.problem.jacobian, bounds, z, self.tick)

    def _cost(self, power: float) -> Smooth:
        return lambda z: self.problem.cost(z, self.kind, power)

    def inside(self, z: np.ndarray) -> np.ndarray:
        """A trajectory within all limits, from one within those of q, v and a."""
        problem = self.problem
        if (left := _left(problem, z)) > 0.0:
            return z
        if left == -np.inf:
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
            by = np.minimum(u - low - _INSIDE, 0.0) + np.maximum(u - high + _INSIDE, 0.0)
            return 0.5 * float(by @ by), by @ J

        point = self._point(z, open_bounds)
        point.tick = lambda: _left(problem, point.z) <= 0.0 and self.tick()
        for gap in (1e-3, 1e-5, 1e-7):
            point.minimize(excess, gap, self.most, 1e-3 * gap)
        return point.z

    def descend(self, z: np.ndarray) -> np.ndarray:
        """The trajectory at the end of the way down, within the limits between samples too."""
        problem, stages = self.problem, _STAGES
        low, high = problem.further_bounds(0.0)
        fine = problem.grid(_FINER * problem.samples)
        for _ in range(5):
            if _left(problem, z) <= 0.0:
                break
            point = self._point(z, problem.bounds)
            for power, gap in stages:
                point.minimize(self._cost(power), gap, 1 + self.most // len(_STAGES))
            z = point.z
            uses = problem.further_uses(*problem.state(z, fine))
            beyond = np.maximum(low - uses, uses - high).max(initial=0.0)
            if beyond == 0.0:
                break
            problem.margin += float(beyond) + 0.002
            self.most += self.most // 5
            z, stages = self.inside(z), _STAGES[-2:]
        for _ in self._bar:  # the bar ends, however many iterations there were
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
            own = len(shares) == len(names) > 1 and what != "dependent joints"
            where = f" of joint '{names[int(shares.argmax())]}'" if own else ""
            raise ModelError(
                f"robot '{problem.robot.name}': no trajectory found within the limits; the best one"
                f" takes {shares.max():.1%} of the limit of {what}{where}"
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
    """Largest share of each limit that is in use, on the finer grid."""
    q, v, a = problem.state(z, problem.grid(_FINER * problem.samples))
    limits = problem.limits
    tau = np.abs(problem.robot.inverse_dynamics(q, v, a) + problem.damping * v) + problem.coulomb
    out = {
        "position": np.abs(problem.positions(q) - problem.middle).max(axis=0) / problem.half,
        "velocity": np.abs(v).max(axis=0) / limits.velocity,
        "acceleration": np.abs(a).max(axis=0) / limits.acceleration,
        "torque": tau.max(axis=0) / limits.torque,
    }
    if problem.following is not None:
        shares = np.abs(problem.following.uses(q, v))
        out["dependent joints"] = shares.max(axis=0, initial=0.0)
    for box in problem.boxes:
        places, (low, high) = box.places(q), box.sides
        left = np.minimum(places - low, high - places).min()
        out[f"space of {box.frame.name}"] = np.array([1.0 - left])
    return out
