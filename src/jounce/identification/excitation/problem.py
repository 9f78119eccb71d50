"""The optimization problem behind an excitation trajectory: cost and constraints with gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from jounce.errors import DataError
from jounce.identification.base_parameters import base_parameters
from jounce.identification.closing import STEP, Closing
from jounce.identification.drives import DriveParameters
from jounce.identification.excitation.limits import Limits, model_limits
from jounce.identification.excitation.trajectory import FourierTrajectory, basis
from jounce.identification.subject import MechanismAdapter, Subject
from jounce.model.joints import SPANS

if TYPE_CHECKING:
    from jounce.arrays import Frame

Cost = Literal["condition", "d-optimal"]

#: Maximum number of entries of the derivatives of a chunk of samples.
_CHUNK_ENTRIES = 1 << 22


def spectral_cost(kind: Cost, s: np.ndarray, power: float = np.inf) -> tuple[float, np.ndarray]:
    """Return the cost f of descending singular values s, and its derivative f'.

    d-optimal: -log det(W^T W) per parameter. condition: log of |W| |W^+| in Schatten norms of order
    2 power; np.inf gives the condition number itself. That is not smooth where singular values
    coincide, which its minima do, so finite powers are used to approach them.
    """
    s = np.maximum(s, 1e-14 * s[0])  # finite even if a parameter is not excited at all
    if kind == "d-optimal":
        return -2.0 * float(np.log(s).mean()), -2.0 / (len(s) * s)
    if np.isinf(power):
        slope = np.zeros(len(s))
        slope[0], slope[-1] = 1.0 / s[0], -1.0 / s[-1]
        return float(np.log(s[0] / s[-1])), slope
    large, small = (s / s[0]) ** (2.0 * power), (s[-1] / s) ** (2.0 * power)
    value = np.log(s[0] / s[-1]) + (np.log(large.sum()) + np.log(small.sum())) / (2.0 * power)
    return float(value), (large / large.sum() - small / small.sum()) / s


class Regressor:
    """The regressor of the base parameters, scaled so that its entries are comparable.

    Rows are divided by the noise of the torques, columns by their root mean square over `states`,
    so that a unit of each parameter has the same effect on torques. extended: with columns of
    armature, viscous friction and Coulomb friction (smoothed about zero velocity).
    """

    def __init__(
        self, robot: Subject, states: tuple[np.ndarray, ...], noise: np.ndarray, extended: bool
    ) -> None:
        self.robot, self.extended = robot, extended
        self.smoothing = 0.05 * float(np.abs(states[1]).max(axis=0).min())
        self.columns = base_parameters(robot, armature=extended).independent
        self.active = robot.active if isinstance(robot, MechanismAdapter) else np.arange(robot.nv)
        if extended:
            ten, nt = 10 * robot.nb, robot.tree.nv  # a mechanism has columns for all joints
            columns = np.concatenate((np.arange(ten), ten + self.active))[self.columns]
            friction = (ten + k * nt + self.active for k in (1, 2))
            self.columns = np.concatenate((columns, *friction))
        self.factor = 1.0 / noise[:, None]
        self.factor = self.factor / np.sqrt((self(*states) ** 2).sum(axis=1).mean(axis=0))
        if isinstance(robot, MechanismAdapter):
            self.armature = np.zeros(robot.nv)  # subtracted for each state in `pullback`
        else:
            zeros, massless = np.zeros(robot.nv), np.zeros((robot.nb, 10))
            at_rest, moving = (
                robot.parametric.inverse_dynamics(robot.neutral(), zeros, a, massless)
                for a in (zeros, zeros + 1.0)
            )
            self.armature = moving - at_rest  # without springs

    def __call__(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return W (samples, nv, columns)."""
        options = {"extended": True, "smoothing": self.smoothing} if self.extended else {}
        return self.robot.inverse_dynamics.dpi(q, v, a, **options)[..., self.columns] * self.factor

    def pullback(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, G: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return derivatives of sum(G W) in q, v and a, each (samples, nv).

        Torques are linear in the parameters, so <G_i, W_i> is torque i with the parameters G_i:
        the derivatives are those of inverse dynamics.
        """
        nv, nb, n, nt = self.robot.nv, self.robot.nb, len(q), self.robot.tree.nv
        full = np.zeros((n, nv, 10 * nb + 3 * nt))
        full[..., self.columns] = G * self.factor
        rows = full[..., : 10 * nb].reshape(n, nv, nb, 10)
        columns = full[..., 10 * nb :].reshape(n, nv, 3, nt)[..., self.active]
        drives = np.einsum("nidi->dni", columns)
        out = np.empty((3, n, nv))
        step = max(_CHUNK_ENTRIES // nv**3, 1)
        for start in range(0, n, step):
            part = slice(start, start + step)
            state = (q[part, None], v[part, None], a[part, None])
            _, *parts = self.robot.parametric.inverse_dynamics.derivatives(*state, rows[part])
            for total, D in zip(out, parts, strict=True):
                total[part] = np.einsum("niij->nj", D)
        if isinstance(self.robot, MechanismAdapter):
            massless = self.robot.parametric.inverse_dynamics.derivatives(
                q, v, a, np.zeros((nb, 10))
            )
            out -= [D.sum(axis=1) for D in massless[1:]]
        else:
            out[0] -= self.robot.spring_forces.dq(q).sum(axis=-2)
        e2 = self.smoothing**2
        out[1] += drives[1] + drives[2] * e2 / (v * v + e2) ** 1.5
        out[2] += drives[0] - self.armature  # the model's armature does not depend on parameters
        return out[0], out[1], out[2]


class Box:
    """Box for a frame's origin, between two corners (3,) in the world, in m.

    Coordinates are relative, from -1 to 1, between two sides, and in m where one is open.
    """

    def __init__(self, frame: Frame, lower: np.ndarray, upper: np.ndarray) -> None:
        self.frame = frame
        ends = np.isfinite(lower), np.isfinite(upper)
        self.bounded = ends[0] | ends[1]
        closed = np.flatnonzero(ends[0] & ends[1])
        self.middle, self.size = np.zeros(3), np.ones(3)
        self.middle[closed] = (upper[closed] + lower[closed]) / 2.0
        self.size[closed] = (upper[closed] - lower[closed]) / 2.0
        corners = np.stack((lower, upper))
        self.sides = ((corners - self.middle) / self.size)[:, self.bounded]

    def places(self, q: np.ndarray) -> np.ndarray:
        """Return the bounded coordinates (samples, sides) of the frame's origin."""
        return ((self.frame.pose(q)[:, :3, 3] - self.middle) / self.size)[:, self.bounded]

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the derivative of `places` in q, (samples, sides, nv)."""
        return (self.frame.jacobian_mixed(q)[:, 3:] / self.size[:, None])[:, self.bounded]


class DependentJoints:
    """Configurations of a mechanism along a trajectory, and use of limits of dependent joints.

    Positions are bounded if the model bounds them, speeds always (by default by pi rad/s and
    1 m/s), which also avoids singularities of the independent joints.
    """

    def __init__(self, robot: MechanismAdapter) -> None:
        self.robot = robot
        self.measured = np.isin(np.arange(robot.nq), robot.leading)
        self._path = np.empty((0, robot.nq))
        limits = model_limits(robot.bodies)
        speed, places = limits["velocity"], []
        for view in robot.joints.values():
            if view.joint.mimic is None:
                usual = np.where(view.joint.row.turns, SPANS["rad"], SPANS["m"])
                speed[view.v] = np.where(np.isinf(speed[view.v]), usual, speed[view.v])
                places += [(view.q.start + i, view.v.start + k) for i, k in view.joint.row.rates]
        self.passive = np.delete(np.arange(len(speed)), robot.active)
        self.speed = speed[self.passive]
        is_bounded = np.isfinite(limits["lower"]) & np.isfinite(limits["upper"])
        bounded = [(i, k) for i, k in places if is_bounded[k] and k in self.passive]
        self.entries, self.rates = np.array(bounded, dtype=int).reshape(-1, 2).T
        lower, upper = (limits[k][self.rates] for k in ("lower", "upper"))
        self.middle, self.half = (upper + lower) / 2.0, (upper - lower) / 2.0

    def __len__(self) -> int:
        return len(self.entries) + len(self.passive)

    def configurations(self, q: np.ndarray) -> np.ndarray:
        """Return closed configurations (n, nq) for positions (n, nv).

        The previous path is the initial guess if it is near. NaN if the loops cannot be closed
        along the path.
        """
        full = np.full((len(q), self.robot.nq), np.nan)
        full[:, self.robot.leading] = q
        near = self._path
        lead = q - near[:, self.robot.leading] if len(near) == len(q) else np.full(1, np.inf)
        if np.abs(lead).max() <= STEP:
            start = np.where(self.measured, full, self.robot.displace(near, lead))
            result = self.robot.mechanism.assemble(start, nudges=())
            if result.success.all():
                self._path = result.q
                return result.q
        try:
            self._path = Closing(self.robot, self.measured, "the trajectory")(full, 0)
        except DataError:
            return np.full_like(full, np.nan)
        return self._path

    def uses(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return positions and speeds (n, len) of dependent joints relative to their limits."""
        speeds = self.robot.mechanism.velocity(q, v)[:, self.passive] / self.speed
        return np.concatenate(((q[:, self.entries] - self.middle) / self.half, speeds), axis=1)

    def jacobians(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the derivatives of `uses` in q and v, each (n, len, nv)."""
        velocity = self.robot.mechanism.velocity
        E = velocity.dv(q, v)
        places = E[:, self.rates] / self.half[:, None]
        along, by = (x[:, self.passive] / self.speed[:, None] for x in (velocity.dq(q, v), E))
        zeros = np.zeros_like(places)
        return np.concatenate((places, along), axis=1), np.concatenate((zeros, by), axis=1)


class Problem:
    """Cost and constraints as functions of the unknowns z, flat from (P, nv).

    Row 0 of z is the offset from the middle of the ranges, in half ranges; the others are
    amplitudes of the velocity, with `rest` in a basis of motions that start and end at rest. The
    state is linear in z. Constraints are low < u(z) < high, u being relative to the limits: first
    of q, v and a, linear in z, then of torques and the workspace.
    """

    def __init__(
        self,
        regressor: Regressor,
        limits: Limits,
        boxes: list[Box],
        shape: tuple[int, float, int],
        rest: bool,
    ) -> None:
        self.robot, self.regressor = regressor.robot, regressor
        self.dependent = (
            DependentJoints(self.robot) if isinstance(self.robot, MechanismAdapter) else None
        )
        self.limits, self.boxes = limits, boxes
        self.harmonics, self.period, self.samples = shape
        self.margin = 0.01  # of torques and boxes, for the instants between samples
        self.middle = (limits.upper + limits.lower) / 2.0
        self.half = (limits.upper - limits.lower) / 2.0
        self.free = np.eye(2 * self.harmonics)
        if rest:
            ends = [basis(0.0, self.period, self.harmonics, order)[1:] for order in (0, 1)]
            self.free = np.linalg.svd([x / np.abs(x).max() for x in ends])[2][2:].T
        amplitude = np.minimum(limits.velocity, self.half * 2.0 * np.pi / self.period)
        self.scale = np.stack((self.half, *[amplitude] * self.free.shape[1]))
        self.bases = self.grid(self.samples)
        drives = DriveParameters.of(self.robot)  # without those of dependent joints
        self.damping, self.coulomb = drives.damping, drives.friction
        self.torque = limits.torque - self.coulomb
        self.is_limited = np.isfinite(self.torque)
        self.linear = self._linear_rows()

    # -------------------------------------------------------------- the trajectory

    def grid(self, count: int) -> list[np.ndarray]:
        """Return bases (count, P) of q, v and a at equidistant instants of the period."""
        t = np.arange(count) * (self.period / count)
        out = []
        for order in (-1, 0, 1):
            B = basis(t, self.period, self.harmonics, order)
            out.append(np.column_stack((B[:, 0], B[:, 1:] @ self.free)))
        return out

    def state(self, z: np.ndarray, bases: list[np.ndarray] | None = None) -> list[np.ndarray]:
        """Return q, v and a, each (samples, nv); for a mechanism q (samples, nq) of all joints."""
        coefficients = z.reshape(self.scale.shape) * self.scale
        q, v, a = (B @ coefficients for B in bases or self.bases)
        q = self.middle + q
        return [q if self.dependent is None else self.dependent.configurations(q), v, a]

    def positions(self, q: np.ndarray) -> np.ndarray:
        """Return the positions (samples, nv) of the independent joints."""
        return q[:, self.robot.leading] if isinstance(self.robot, MechanismAdapter) else q

    def trajectory(self, z: np.ndarray) -> FourierTrajectory:
        """Return the trajectory of z."""
        offset, *amplitudes = z.reshape(self.scale.shape) * self.scale
        cosine, sine = np.split((self.free @ amplitudes).T, 2, axis=1)
        return FourierTrajectory(self.period, self.middle + offset, cosine, sine)

    # -------------------------------------------------------------- cost

    def singular_values(self, z: np.ndarray) -> np.ndarray:
        """Return the singular values of the regressor stacked over a period, per sample."""
        return np.linalg.svd(self._stack_regressor(self.state(z)), compute_uv=False)

    def _stack_regressor(self, state: list[np.ndarray]) -> np.ndarray:
        W = self.regressor(*state)
        return W.reshape(-1, W.shape[-1]) / np.sqrt(self.samples)

    def cost(self, z: np.ndarray, kind: Cost, power: float) -> tuple[float, np.ndarray]:
        """Return the cost and its gradient."""
        state = self.state(z)
        U, s, Vt = np.linalg.svd(self._stack_regressor(state), full_matrices=False)
        value, slope = spectral_cost(kind, s, power)
        G = (U * slope) @ Vt / np.sqrt(self.samples)
        q, v, a = state
        pulls = self.regressor.pullback(q, v, a, G.reshape(self.samples, self.robot.nv, -1))
        gradient = sum(B.T @ g for B, g in zip(self.bases, pulls, strict=True))
        return value, (gradient * self.scale).ravel()

    # -------------------------------------------------------------- constraints

    @property
    def reach(self) -> float:
        """Fraction of the limits of q, v and a for samples, so that they hold at every instant.

        A trigonometric polynomial of degree H, sampled evenly N > 2 H times a period, is bounded
        by its largest sample over cos(pi H / N) (Ehlich and Zeller 1964).
        """
        return float(np.cos(np.pi * self.harmonics / self.samples))

    @property
    def bounds(self) -> np.ndarray:
        """Lower and upper bounds (2, k) of `uses`."""
        linear = np.full(len(self.linear), self.reach)
        further = np.tile(self.further_bounds(self.margin), (1, self.samples))
        return np.concatenate((np.stack((-linear, linear)), further), axis=1)

    def further_bounds(self, margin: float) -> np.ndarray:
        """Return lower and upper bounds of `further_uses` with a margin, (2, torques and sides).

        Dependent joints of a mechanism are between torques and sides.
        """
        torques = np.ones(int(self.is_limited.sum()) + len(self.dependent or ()))
        sides = [np.stack((-torques, torques)), *(box.sides for box in self.boxes)]
        low, high = np.concatenate(sides, axis=1)
        return np.stack((low + margin, high - margin))

    def uses(self, z: np.ndarray) -> np.ndarray:
        """Return u (k,): q, v, a and torques relative to limits, and coordinates in boxes."""
        return np.concatenate((self.linear @ z, self.further_uses(*self.state(z)).ravel()))

    def further_uses(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return the uses of torques and boxes (samples, torques and sides) at any states."""
        tau = self.robot.inverse_dynamics(q, v, a) + self.damping * v
        shares = (tau / self.torque)[:, self.is_limited]
        further = [] if self.dependent is None else [self.dependent.uses(q, v)]
        further += [box.places(q) for box in self.boxes]
        return np.concatenate((shares, *further), axis=1)

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """Return the derivative of `uses` (k, n)."""
        q, v, a = self.state(z)
        _, *D = self.robot.inverse_dynamics.derivatives(q, v, a)
        D[1] = D[1] + np.diag(self.damping)
        parts = [(x / self.torque[:, None])[:, self.is_limited] for x in D]
        moves = []
        if self.dependent is not None:
            along, by = self.dependent.jacobians(q, v)
            moves.append((along, by, np.zeros(by.shape)))
        if self.boxes:
            places = np.concatenate([box.jacobian(q) for box in self.boxes], axis=1)
            moves.append((places, *np.zeros((2, *places.shape))))
        for move in moves:
            parts = [np.concatenate(pair, axis=1) for pair in zip(parts, move, strict=True)]
        chained = (np.einsum("nij,np->nipj", D, B) for D, B in zip(parts, self.bases, strict=True))
        further = (sum(chained) * self.scale).reshape(-1, self.scale.size)
        return np.concatenate((self.linear, further))

    def _linear_rows(self) -> np.ndarray:
        """Return the matrix from z to q, v and a relative to finite limits."""
        out = []
        limits = (self.half, self.limits.velocity, self.limits.acceleration)
        for B, limit in zip(self.bases, limits, strict=True):
            for i in np.flatnonzero(np.isfinite(limit)):
                rows = np.zeros((len(B), *self.scale.shape))
                rows[:, :, i] = B * (self.scale[:, i] / limit[i])
                out.append(rows)
        return np.concatenate(out).reshape(-1, self.scale.size)
