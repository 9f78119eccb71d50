"""The optimisation problem behind an excitation trajectory: cost and constraints with gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from jounce.errors import DataError
from jounce.identification.base_parameters import base_parameters
from jounce.identification.closing import STEP, Closing
from jounce.identification.drives import DriveParameters
from jounce.identification.excitation.limits import Limits, model_limits
from jounce.identification.excitation.trajectory import FourierTrajectory, basis
from jounce.identification.subject import Closed, Subject
from jounce.model.joints import SPANS

if TYPE_CHECKING:
    from jounce.arrays import Frame

Cost = Literal["condition", "d-optimal"]

#: Numbers that the derivatives of a chunk of samples may take.
_CHUNK = 1 << 22


def spectral_cost(kind: Cost, s: np.ndarray, power: float = np.inf) -> tuple[float, np.ndarray]:
    """Cost f of the falling singular values s, and its slope f'.

    d-optimal: -log det(W^T W) per parameter. condition: log of |W| |W^+| in Schatten norms of order
    2 power; np.inf gives the condition number itself. That one has kinks where singular values
    meet, and its minima lie on them, so the solver is led there by finite powers.
    """
    s = np.maximum(s, 1e-14 * s[0])  # finite also where a parameter is not excited at all
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
    """The regressor of the base parameters, in units that make its entries comparable.

    Rows are divided by the noise of the torques, columns by their root mean square over the given
    states: a unit of every parameter then moves the torques as much. extended: with columns of
    armature, viscous and Coulomb friction (this one smoothed about zero velocity).
    """

    def __init__(
        self, robot: Subject, states: tuple[np.ndarray, ...], noise: np.ndarray, extended: bool
    ) -> None:
        self.robot, self.extended = robot, extended
        self.smoothing = 0.05 * float(np.abs(states[1]).max(axis=0).min())
        self.columns = base_parameters(robot, armature=extended).independent
        self.active = robot.active if isinstance(robot, Closed) else np.arange(robot.nv)
        if extended:
            ten, nt = 10 * robot.nb, robot.tree.nv  # the columns are of all joints of a mechanism
            own = np.concatenate((np.arange(ten), ten + self.active))[self.columns]
            friction = (ten + k * nt + self.active for k in (1, 2))
            self.columns = np.concatenate((own, *friction))
        self.factor = 1.0 / noise[:, None]
        self.factor = self.factor / np.sqrt((self(*states) ** 2).sum(axis=1).mean(axis=0))
        if isinstance(robot, Closed):
            self.armature = np.zeros(robot.nv)  # taken out of each state in `pull`
        else:
            rest, nothing = np.zeros(robot.nv), np.zeros((robot.nb, 10))
            at_rest, moving = (
                robot.parametric.inverse_dynamics(robot.neutral(), rest, a, nothing)
                for a in (rest, rest + 1.0)
            )
            self.armature = moving - at_rest  # springs apart

    def __call__(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """W (samples, nv, columns)."""
        options = {"extended": True, "smoothing": self.smoothing} if self.extended else {}
        return self.robot.inverse_dynamics.dpi(q, v, a, **options)[..., self.columns] * self.factor

    def pull(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, G: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of sum(G W) in q, v and a, each (samples, nv).

        Row i of W is linear in the parameters, so with row i of G for parameters torque i is its
        share of the sum: the derivatives are those of inverse dynamics.
        """
        nv, nb, n, nt = self.robot.nv, self.robot.nb, len(q), self.robot.tree.nv
        full = np.zeros((n, nv, 10 * nb + 3 * nt))
        full[..., self.columns] = G * self.factor
        rows = full[..., : 10 * nb].reshape(n, nv, nb, 10)
        own = full[..., 10 * nb :].reshape(n, nv, 3, nt)[..., self.active]
        drives = np.einsum("nidi->dni", own)
        out = np.empty((3, n, nv))
        step = max(_CHUNK // nv**3, 1)
        for at in range(0, n, step):
            part = slice(at, at + step)
            state = (q[part, None], v[part, None], a[part, None])
            _, *parts = self.robot.parametric.inverse_dynamics.derivatives(*state, rows[part])
            for total, D in zip(out, parts, strict=True):
                total[part] = np.einsum("niij->nj", D)
        if isinstance(self.robot, Closed):
            nothing = self.robot.parametric.inverse_dynamics.derivatives(
                q, v, a, np.zeros((nb, 10))
            )
            out -= [D.sum(axis=1) for D in nothing[1:]]
        else:
            out[0] -= self.robot.spring_forces.dq(q).sum(axis=-2)
        e2 = self.smoothing**2
        out[1] += drives[1] + drives[2] * e2 / (v * v + e2) ** 1.5
        out[2] += drives[0] - self.armature  # the robot's own is there for any parameters
        return out[0], out[1], out[2]


class Box:
    """Where a frame's origin may be: between two corners (3,) in the world, in m.

    Places are relative, from -1 to 1, between two sides, and in m where one is open.
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
        """Coordinates (samples, sides) of the frame's origin, those that are bounded."""
        return ((self.frame.pose(q)[:, :3, 3] - self.middle) / self.size)[:, self.bounded]

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Derivative of `places` in q, (samples, sides, nv)."""
        return (self.frame.jacobian_mixed(q)[:, 3:] / self.size[:, None])[:, self.bounded]


class Following:
    """The dependent joints of a mechanism along a trajectory: configurations, use of their limits.

    Their places are bounded where the model bounds them, their speeds always (by pi rad/s and 1 m/s
    where it does not), which also keeps away from where the independent joints lose their hold.
    """

    def __init__(self, robot: Closed) -> None:
        self.robot = robot
        self.measured = np.isin(np.arange(robot.nq), robot.leading)
        self._path = np.empty((0, robot.nq))
        found = model_limits(robot.bodies)
        speed, places = found["velocity"], []
        for view in robot.joints.values():
            if view.joint.mimic is None:
                usual = np.where(view.joint.row.turns, SPANS["rad"], SPANS["m"])
                speed[view.v] = np.where(np.isinf(speed[view.v]), usual, speed[view.v])
                places += [(view.q.start + i, view.v.start + k) for i, k in view.joint.row.rates]
        self.passive = np.delete(np.arange(len(speed)), robot.active)
        self.speed = speed[self.passive]
        both = np.isfinite(found["lower"]) & np.isfinite(found["upper"])
        bounded = [(i, k) for i, k in places if both[k] and k in self.passive]
        self.entries, self.rates = np.array(bounded, dtype=int).reshape(-1, 2).T
        lower, upper = (found[k][self.rates] for k in ("lower", "upper"))
        self.middle, self.half = (upper + lower) / 2.0, (upper - lower) / 2.0

    def __len__(self) -> int:
        return len(self.entries) + len(self.passive)

    def configurations(self, q: np.ndarray) -> np.ndarray:
        """Closed configurations (n, nq) for positions (n, nv), from those before where near.

        NaN where the loops cannot be closed along the path.
        """
        whole = np.full((len(q), self.robot.nq), np.nan)
        whole[:, self.robot.leading] = q
        near = self._path
        lead = q - near[:, self.robot.leading] if len(near) == len(q) else np.full(1, np.inf)
        if np.abs(lead).max() <= STEP:
            start = np.where(self.measured, whole, self.robot.moved(near, lead))
            found = self.robot.mechanism.assemble(start, nudges=())
            if found.success.all():
                self._path = found.q
                return found.q
        try:
            self._path = Closing(self.robot, self.measured, "the trajectory")(whole, 0)
        except DataError:
            return np.full_like(whole, np.nan)
        return self._path

    def uses(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Places and speeds (n, len) of dependent joints over their limits."""
        speeds = self.robot.mechanism.velocity(q, v)[:, self.passive] / self.speed
        return np.concatenate(((q[:, self.entries] - self.middle) / self.half, speeds), axis=1)

    def jacobians(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of `uses` in q and v, each (n, len, nv)."""
        velocity = self.robot.mechanism.velocity
        E = velocity.dv(q, v)
        places = E[:, self.rates] / self.half[:, None]
        along, by = (x[:, self.passive] / self.speed[:, None] for x in (velocity.dq(q, v), E))
        still = np.zeros_like(places)
        return np.concatenate((places, along), axis=1), np.concatenate((still, by), axis=1)


class Problem:
    """Cost and constraints as functions of the unknowns z, flat from (P, nv).

    Row 0 of z is the offset in half ranges about the middle; the others are amplitudes of the
    velocity, in a basis of those at rest at both ends if `rest`. The state is linear in z.
    Constraints are low < u(z) < high with the uses u of the limits: first those of q, v and a,
    linear in z, then those of torques and of the workspace.
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
        self.following = Following(self.robot) if isinstance(self.robot, Closed) else None
        self.limits, self.boxes = limits, boxes
        self.harmonics, self.period, self.samples = shape
        self.margin = 0.01  # kept from torques and boxes, for what happens between samples
        self.middle = (limits.upper + limits.lower) / 2.0
        self.half = (limits.upper - limits.lower) / 2.0
        self.free = np.eye(2 * self.harmonics)
        if rest:
            ends = [basis(0.0, self.period, self.harmonics, order)[1:] for order in (0, 1)]
            self.free = np.linalg.svd([x / np.abs(x).max() for x in ends])[2][2:].T
        amplitude = np.minimum(limits.velocity, self.half * 2.0 * np.pi / self.period)
        self.scale = np.stack((self.half, *[amplitude] * self.free.shape[1]))
        self.bases = self.grid(self.samples)
        own = DriveParameters.of(self.robot)  # without those of dependent joints
        self.damping, self.coulomb = own.damping, own.friction
        self.torque = limits.torque - self.coulomb
        self.driven = np.isfinite(self.torque)
        self.linear = self._linear_rows()

    # -------------------------------------------------------------- the trajectory

    def grid(self, count: int) -> list[np.ndarray]:
        """Bases (count, P) of q, v and a at instants that divide the period evenly."""
        t = np.arange(count) * (self.period / count)
        out = []
        for order in (-1, 0, 1):
            B = basis(t, self.period, self.harmonics, order)
            out.append(np.column_stack((B[:, 0], B[:, 1:] @ self.free)))
        return out

    def state(self, z: np.ndarray, bases: list[np.ndarray] | None = None) -> list[np.ndarray]:
        """q, v and a, each (samples, nv); q (samples, nq) of all joints of a mechanism."""
        coefficients = z.reshape(self.scale.shape) * self.scale
        q, v, a = (B @ coefficients for B in bases or self.bases)
        q = self.middle + q
        return [q if self.following is None else self.following.configurations(q), v, a]

    def positions(self, q: np.ndarray) -> np.ndarray:
        """Those of the joints that move by themselves (samples, nv)."""
        return q[:, self.robot.leading] if isinstance(self.robot, Closed) else q

    def trajectory(self, z: np.ndarray) -> FourierTrajectory:
        """The trajectory that z stands for."""
        offset, *amplitudes = z.reshape(self.scale.shape) * self.scale
        cosine, sine = np.split((self.free @ amplitudes).T, 2, axis=1)
        return FourierTrajectory(self.period, self.middle + offset, cosine, sine)

    # -------------------------------------------------------------- cost

    def singular_values(self, z: np.ndarray) -> np.ndarray:
        """Of the regressor stacked over a period, per sample."""
        return np.linalg.svd(self._stacked(self.state(z)), compute_uv=False)

    def _stacked(self, state: list[np.ndarray]) -> np.ndarray:
        W = self.regressor(*state)
        return W.reshape(-1, W.shape[-1]) / np.sqrt(self.samples)

    def cost(self, z: np.ndarray, kind: Cost, power: float) -> tuple[float, np.ndarray]:
        """Cost and its gradient."""
        state = self.state(z)
        U, s, Vt = np.linalg.svd(self._stacked(state), full_matrices=False)
        value, slope = spectral_cost(kind, s, power)
        G = (U * slope) @ Vt / np.sqrt(self.samples)
        q, v, a = state
        pulls = self.regressor.pull(q, v, a, G.reshape(self.samples, self.robot.nv, -1))
        gradient = sum(B.T @ g for B, g in zip(self.bases, pulls, strict=True))
        return value, (gradient * self.scale).ravel()

    # -------------------------------------------------------------- constraints

    @property
    def reach(self) -> float:
        """Share of a limit that samples of q, v and a may use, so that no instant uses more.

        A trigonometric polynomial of degree H, sampled evenly N > 2 H times a period, is nowhere
        larger than its largest sample over cos(pi H / N) (Ehlich and Zeller 1964).
        """
        return float(np.cos(np.pi * self.harmonics / self.samples))

    @property
    def bounds(self) -> np.ndarray:
        """Least and largest uses (2, k)."""
        linear = np.full(len(self.linear), self.reach)
        further = np.tile(self.further_bounds(self.margin), (1, self.samples))
        return np.concatenate((np.stack((-linear, linear)), further), axis=1)

    def further_bounds(self, margin: float) -> np.ndarray:
        """Least and largest of `further_uses`, less a margin, (2, torques and sides).

        Between torques and sides come the dependent joints of a mechanism.
        """
        torques = np.ones(int(self.driven.sum()) + len(self.following or ()))
        sides = [np.stack((-torques, torques)), *(box.sides for box in self.boxes)]
        low, high = np.concatenate(sides, axis=1)
        return np.stack((low + margin, high - margin))

    def uses(self, z: np.ndarray) -> np.ndarray:
        """u (k,): q, v, a and torques over their limits, and places in boxes."""
        return np.concatenate((self.linear @ z, self.further_uses(*self.state(z)).ravel()))

    def further_uses(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Uses of torques and boxes (samples, torques and sides) in any states."""
        tau = self.robot.inverse_dynamics(q, v, a) + self.damping * v
        shares = (tau / self.torque)[:, self.driven]
        further = [] if self.following is None else [self.following.uses(q, v)]
        further += [box.places(q) for box in self.boxes]
        return np.concatenate((shares, *further), axis=1)

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """Derivative of `uses` (k, n)."""
        q, v, a = self.state(z)
        _, *D = self.robot.inverse_dynamics.derivatives(q, v, a)
        D[1] = D[1] + np.diag(self.damping)
        parts = [(x / self.torque[:, None])[:, self.driven] for x in D]
        moves = []
        if self.following is not None:
            along, by = self.following.jacobians(q, v)
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
        """Matrix of z to q, v and a over their limits, for the joints that have them."""
        out = []
        most = (self.half, self.limits.velocity, self.limits.acceleration)
        for B, limit in zip(self.bases, most, strict=True):
            for i in np.flatnonzero(np.isfinite(limit)):
                rows = np.zeros((len(B), *self.scale.shape))
                rows[:, :, i] = B * (self.scale[:, i] / limit[i])
                out.append(rows)
        return np.concatenate(out).reshape(-1, self.scale.size)
