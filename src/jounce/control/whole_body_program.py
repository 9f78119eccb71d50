"""The quadratic program of whole-body control, for one sample of the state.

Unknowns are x = (a, f / weight): accelerations and contact forces in the axes of the ground, over
the robot's weight. Rows of A are, in this order, the equations of motion without drive, the
accelerations of the contacts, the forces of the drives, and the friction of the contacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from jounce.control.traced_model import TracedModel
from jounce.control.whole_body_tasks import Task, TaskRows
from jounce.math import Array, scalar
from jounce.model import Contact, Tree
from jounce.robot import Robot
from jounce.solve.contacts import Contacts


class Limits(NamedTuple):
    """Limits of joint positions and velocities, and how fast they are approached (1/s)."""

    lower: Array
    upper: Array
    velocity: Array
    rate: Any


def sum_of_tasks(tasks: Sequence[TaskRows], n: int, regularization: Any) -> tuple[Array, Array]:
    """Return H and c of the sum of weighted squares |A a - b|^2 / 2 of tasks, (n, n) and (n,)."""
    H, c = regularization * scalar.identity(n), scalar.zeros(n)
    for A, b, weight in tasks:
        c = c - A.T @ (weight * b)
        for row, w in zip(A, weight, strict=True):
            used = [i for i in range(n) if not scalar.is_zero(row[i])]
            for i in used:
                scaled = w * row[i]
                for k in used:
                    if k <= i:
                        H[i, k] = H[k, i] = H[i, k] + scaled * row[k]
    return H, c


def acceleration_bounds(
    q: Array, v: Array, limits: Limits, coordinates: Sequence[int | None]
) -> tuple[Array, Array]:
    """Return bounds (nv,) of accelerations that keep joints within their limits.

    With the rate k, velocities approach their limit as k (v_max - v) at most, and positions as
    k^2 (q_max - q) - 2 k v. Where both cannot hold, positions count.

    coordinates: index in q of each velocity with position limits, None for the others.
    """
    k = limits.rate
    low, high = k * (-limits.velocity - v), k * (limits.velocity - v)
    for i, coordinate in enumerate(coordinates):
        if coordinate is not None:
            least = k * k * (limits.lower[i] - q[coordinate]) - 2.0 * k * v[i]
            most = k * k * (limits.upper[i] - q[coordinate]) - 2.0 * k * v[i]
            low[i], high[i] = (
                scalar.minimum(scalar.maximum(x, least), most) for x in (low[i], high[i])
            )
    return low, high


def ground_axes(contact: Contact, T: Array, ground: Array) -> Array:
    """Return two tangents and the normal of the ground as rows, in the axes of a contact.

    The first tangent is the projection of a surface's or line's x axis; points have those of the
    ground.

    T: pose of the contact. ground: tangents and normal as rows, in world axes.
    """
    R = T[:3, :3]
    if contact.kind == "point":
        return ground @ R
    normal, x = ground[2], R[:, 0]
    first = x - (normal @ x) * normal
    first = first / scalar.sqrt(first @ first)
    return np.stack((first, np.cross(normal, first), normal)) @ R


def force_transform(contact: Contact, axes: Array) -> Array:
    """Return the matrix that turns locked forces in the axes of the contact to `axes`."""
    both = scalar.zeros(6, 6)
    both[:3, :3] = both[3:, 3:] = axes
    locked = np.flatnonzero(contact.locked)
    return both[np.ix_(locked, locked)]


def friction_rows(contact: Contact, mu: Any, size: Array) -> Array:
    """Return F with F f <= 0 for forces that friction can transmit, in the axes of the ground.

    For points, the pyramid |fx|, |fy| <= mu fz. For rectangles and lines with the half lengths
    `size` (x, y), the forces that pyramids at the corners add up to.

    References
    ----------
    Caron, Pham, Nakamura: Stability of surface contacts for humanoid robots: closed-form formulae
    of the contact wrench cone for rectangular support areas, 2015.
    """
    x, y = size if contact.kind == "surface" else (size[0], 0.0)
    rows: list[list[Any]] = []
    for sign in (1.0, -1.0):
        rows += [[0.0, 0.0, 0.0, sign, 0.0, -mu], [0.0, 0.0, 0.0, 0.0, sign, -mu]]
        if contact.kind != "point":
            rows.append([0.0, sign, 0.0, 0.0, 0.0, -x])
        if contact.kind == "surface":
            rows.append([sign, 0.0, 0.0, 0.0, 0.0, -y])
    rows.append([0.0, 0.0, 0.0, 0.0, 0.0, -1.0])  # not implied without friction
    if contact.kind != "point":
        for s in (1.0, -1.0) if contact.kind == "surface" else (1.0,):
            for t in (1.0, -1.0):  # |y fx +- mu mx| and |x fy -+ mu my|
                for sign in (1.0, -1.0):
                    moments = [sign * s * mu, -sign * t * mu, sign]
                    rows.append([*moments, s * y, t * x, -mu * (x + y)])
    return scalar.matrix(rows)[:, np.flatnonzero(contact.locked)]


class ProgramFormula:
    """The program as a function of one sample, to be traced.

    Parameters
    ----------
    robot : Robot
        The robot.
    contacts : Contacts or None
        Contacts that can be active.
    tasks : sequence of tasks
        Tasks, of which `reference` names the arguments.
    gains : sequence of str
        Names of further arguments.
    driven : ndarray (nv,) of bool
        Velocities with a drive.
    """

    def __init__(
        self,
        robot: Robot,
        contacts: Contacts | None,
        tasks: Sequence[Task],
        gains: Sequence[str],
        driven: np.ndarray,
    ) -> None:
        self.robot, self.contacts, self.tasks, self.gains = robot, contacts, tasks, gains
        self.passive, self.driven = np.flatnonzero(~driven), np.flatnonzero(driven)
        #: Unit of forces: the robot's weight on Earth, in N.
        self.unit = 9.81 * robot.model.mass or 1.0
        #: Index in q of each velocity with position limits.
        self.coordinates: list[int | None] = [None] * robot.nv
        for i, k in zip(*robot.limits.bounded, strict=True):
            self.coordinates[int(k)] = int(i)
        size = np.ones(2)
        counts = [len(friction_rows(c, 1.0, size)) for c in contacts.contacts] if contacts else []
        ends = np.cumsum([0, *counts]).tolist()
        #: Rows of the friction of each contact, among those of friction.
        self.friction = [slice(*ends[k : k + 2]) for k in range(len(counts))]
        self.friction_count = ends[-1]

    def __call__(self, tree: Tree, q: Any, v: Any, *inputs: Any) -> Any:
        """Return H, c, A, lower, upper, h and, with contacts, the transform of forces (nc, nc)."""
        remaining, model = iter(inputs), TracedModel(self.robot, tree)
        references = [
            tuple(next(remaining) for _ in task.reference(self.robot)) for task in self.tasks
        ]
        gains = dict(zip(self.gains, remaining, strict=True))
        rows = []
        for task, reference in zip(self.tasks, references, strict=True):
            own = {key: gains[f"{task.name}_{key}"] for key in task.gains(self.robot)}
            rows.append(task.make_rows(model, q, v, reference, SimpleNamespace(**own)))
        H, c = sum_of_tasks(rows, model.nv, gains["regularization"])
        M, h = model.mass_matrix(q), model.inverse_dynamics(q, v, scalar.zeros(model.nv))
        limits = (gains[x] for x in ("position_lower", "position_upper", "velocity_limits"))
        low, high = acceleration_bounds(
            q, v, Limits(*limits, gains["limit_rate"]), self.coordinates
        )
        passive, driven, effort = self.passive, self.driven, gains["torque_limits"]
        drives = -effort - h[driven], effort - h[driven]
        if self.contacts is None:
            A = np.concatenate((M[passive], M[driven]))
            lower, upper = ((x, -h[passive], y) for x, y in zip((low, high), drives, strict=True))
            return H, c, A, np.concatenate(lower), np.concatenate(upper), h
        J, drift, to_forces, F, transform = self._contacts(tree, q, v, gains)
        nc, count = len(J), len(F)
        infinite = scalar.array([np.inf] * max(nc, count))
        lower = (low, -infinite[:nc], -h[passive], -drift, drives[0], -infinite[:count])
        upper = (high, infinite[:nc], -h[passive], -drift, drives[1], scalar.zeros(count))
        none = scalar.zeros
        weight = gains["force_weight"] * scalar.identity(nc)
        H = _blocks(((H, none(model.nv, nc)), (none(nc, model.nv), weight)))
        A = _blocks(
            (
                (M[passive], to_forces[passive]),
                (J, none(nc, nc)),
                (M[driven], to_forces[driven]),
                (none(count, model.nv), F),
            )
        )
        c = np.concatenate((c, none(nc)))
        return H, c, A, np.concatenate(lower), np.concatenate(upper), h, transform

    def _contacts(self, tree: Tree, q: Any, v: Any, gains: Any) -> tuple[Array, ...]:
        """Return J, its drift, the forces of x, friction, and the transform to the ground's axes."""
        contacts = self.contacts
        assert contacts is not None
        model = TracedModel(contacts, replace(tree, contacts=contacts.tree.contacts))
        J, poses = model.contact_jacobian(q), model.contact_poses(q)
        drift = model.contact_drift(q, v) + gains["contact_kd"] * model.contact_velocities(q, v)
        nc = len(J)
        transform, F = scalar.zeros(nc, nc), scalar.zeros(self.friction_count, nc)
        for k, (contact, rows) in enumerate(
            zip(contacts.contacts, contacts.rows.values(), strict=True)
        ):
            axes = ground_axes(contact, poses[k], gains["ground"][k])
            transform[rows, rows] = force_transform(contact, axes)
            F[self.friction[k], rows] = friction_rows(
                contact, gains["friction"][k], gains["size"][k]
            )
        return J, drift, -self.unit * (J.T @ transform.T), F, transform


def _blocks(rows: Sequence[Sequence[Array]]) -> Array:
    """Return a matrix of blocks."""
    return np.concatenate([np.concatenate(row, axis=1) for row in rows])
