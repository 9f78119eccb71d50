"""The quadratic program of whole-body control, for one sample of the state.

Unknowns are x = (a, f / weight): accelerations and contact forces in the axes of the contacts, over
the robot's weight. Rows of A are, in this order, the equations of motion without drive, the
accelerations of the contacts, the forces of the drives, and the friction of the contacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from jounce.control.traced_model import TracedModel
from jounce.control.whole_body_tasks import Task, TaskRows
from jounce.math import Array, scalar
from jounce.model import Contact, Tree
from jounce.robot import Robot
from jounce.solve.contacts import Contacts

#: Kinds of constraints, as messages name them.
JOINT_LIMITS, CONTACT, TORQUE, FRICTION = "joint limits of", "contact", "torque of", "friction of"


def sum_of_tasks(tasks: Sequence[TaskRows], n: int, regularization: Any) -> tuple[Array, Array]:
    """Return H and c of the sum of weighted squares |A a - b|^2 / 2 of tasks, (n, n) and (n,)."""
    H, c = regularization * scalar.identity(n), scalar.zeros(n)
    for A, b, weight in tasks:
        weighted = weight[:, None] * A
        H, c = H + A.T @ weighted, c - weighted.T @ b
    i, k = np.tril_indices(n, -1)
    H[k, i] = H[i, k]
    return H, c


def acceleration_bounds(
    q: Array, v: Array, gains: Any, coordinates: Sequence[int | None]
) -> tuple[Array, Array]:
    """Return bounds (nv,) of accelerations that keep joints within their limits.

    With the rate k, velocities approach their limit as k (v_max - v) at most, and positions as
    k^2 (q_max - q) - 2 k v. Where both cannot hold, positions count.

    coordinates: index in q of each velocity with position limits, None for the others.
    """
    k, limit = gains.limit_rate, gains.velocity_limits
    low, high = k * (-limit - v), k * (limit - v)
    for i, coordinate in enumerate(coordinates):
        if coordinate is not None:
            least = k * k * (gains.position_lower[i] - q[coordinate]) - 2.0 * k * v[i]
            most = k * k * (gains.position_upper[i] - q[coordinate]) - 2.0 * k * v[i]
            low[i], high[i] = (
                scalar.minimum(scalar.maximum(x, least), most) for x in (low[i], high[i])
            )
    return low, high


def ground_axes(contact: Contact, T: Array, normal: Array) -> Array:
    """Return two tangents and the normal of the ground as rows, in the axes of a contact.

    The first tangent is the projection of a surface's or line's x axis; those of points depend on
    the normal only.

    T: pose of the contact. normal: normal of the ground in world axes, of any length.
    """
    R, normal = T[:3, :3], normal / scalar.sqrt(normal @ normal)
    if contact.kind == "point":  # Duff et al.: Building an orthonormal basis, revisited, 2017
        x, y, z = normal
        sign = scalar.where(z, 1.0, -1.0)
        a = -1.0 / (sign + z)
        first = scalar.array((1.0 + sign * x * x * a, sign * x * y * a, -sign * x))
    else:
        first = R[:, 0] - (normal @ R[:, 0]) * normal
        first = first / scalar.sqrt(first @ first)
    return np.stack((first, np.cross(normal, first), normal)) @ R


def friction_rows(kind: str, mu: Any, size: Array) -> Array:
    """Return F (k, 6) with F f <= 0 for the forces that friction can transmit.

    For points, the pyramid |fx|, |fy| <= mu fz. For lines and rectangles with the half lengths
    `size` (x, y), all forces that pyramids at the ends or corners add up to.

    f: moment and force in the axes of the ground.

    References
    ----------
    Caron, Pham, Nakamura: Stability of surface contacts for humanoid robots: closed-form formulae
    of the contact wrench cone for rectangular support areas, 2015.
    """
    signs = (1.0, -1.0)
    rows: list[list[Any]] = [[0.0, 0.0, 0.0, 0.0, 0.0, -1.0]]  # not implied without friction
    for s in signs:
        rows += [[0.0, 0.0, 0.0, s, 0.0, -mu], [0.0, 0.0, 0.0, 0.0, s, -mu]]
    if kind == "point":
        return scalar.matrix(rows)
    x, y = size if kind == "surface" else (size[0], 0.0)
    rows += [[0.0, s, 0.0, 0.0, 0.0, -x] for s in signs]
    if kind == "surface":
        rows += [[s, 0.0, 0.0, 0.0, 0.0, -y] for s in signs]
    for sign in signs:  # sign mz + |y fx + sign mu mx| + |x fy + sign mu my| <= mu (x + y) fz
        for s in signs if kind == "surface" else (1.0,):
            for t in signs:
                moment = [sign * s * mu, sign * t * mu, sign]
                rows.append([*moment, s * y, t * x, -mu * (x + y)])
    return scalar.matrix(rows)


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
        self.nc = 0 if contacts is None else contacts.nc
        #: Unit of forces: the robot's weight on Earth, in N.
        self.unit = 9.81 * robot.model.mass or 1.0
        #: Index in q of each velocity with position limits.
        self.coordinates: list[int | None] = [None] * robot.nv
        for i, k in zip(*robot.limits.bounded, strict=True):
            self.coordinates[int(k)] = int(i)
        velocities, active = robot.labels("v", "{}[{}]"), contacts.contacts if contacts else ()
        of_contacts = [(CONTACT, c.name) for c in active for locked in c.locked if locked]
        size = np.ones(2)
        of_friction = [(FRICTION, c.name) for c in active for _ in friction_rows(c.kind, 1.0, size)]
        #: Kind and name of each unknown, and of each row of A.
        self.unknowns = [*((JOINT_LIMITS, name) for name in velocities), *of_contacts]
        self.rows = [("", "")] * len(self.passive) + of_contacts
        self.rows += [*((TORQUE, velocities[k]) for k in self.driven), *of_friction]

    def __call__(self, tree: Tree, q: Any, v: Any, *inputs: Any) -> Any:
        """Return H, c, A, lower, upper, and M a + C v + g for a = 0."""
        remaining, model = iter(inputs), TracedModel(self.robot, tree)
        references = [[next(remaining) for _ in task.reference(self.robot)] for task in self.tasks]
        gains = dict(zip(self.gains, remaining, strict=True))
        rows = []
        for task, reference in zip(self.tasks, references, strict=True):
            own = {key: gains[f"{task.name}_{key}"] for key in task.gains(self.robot)}
            rows.append(task.make_rows(model, q, v, reference, SimpleNamespace(**own)))
        values = SimpleNamespace(**gains)
        H, c = sum_of_tasks(rows, model.nv, values.regularization)
        M, h = model.mass_matrix(q), model.inverse_dynamics(q, v, scalar.zeros(model.nv))
        J, drift, F, scale = self._contacts(tree, q, v, values)
        low, high = acceleration_bounds(q, v, values, self.coordinates)
        p, d, effort = self.passive, self.driven, values.torque_limits[self.driven]
        none, n, (count, nc) = scalar.zeros, model.nv, F.shape
        push = -self.unit * J.T
        A = _blocks(((M[p], push[p]), (J, none(nc, nc)), (M[d], push[d]), (none(count, n), F)))
        weight = values.force_weight * scale[:, None] * scalar.identity(nc)
        H = _blocks(((H, none(n, nc)), (none(nc, n), weight)))
        infinite = scalar.array([np.inf] * max(nc, count))
        lower = (low, -infinite[:nc], -h[p], -drift, -effort - h[d], -infinite[:count])
        upper = (high, infinite[:nc], -h[p], -drift, effort - h[d], none(count))
        return H, np.concatenate((c, none(nc))), A, *map(np.concatenate, (lower, upper)), h

    def _contacts(self, tree: Tree, q: Any, v: Any, gains: Any) -> tuple[Array, ...]:
        """Return the contact Jacobian, accelerations without a, friction F f <= 0, and scales.

        Scales are 1 for forces, and for moments 1 over the products of half lengths, so that
        small costs mean centers of pressure in the middle of contacts.
        """
        contacts, none, scales = self.contacts, scalar.zeros, []
        if contacts is None:
            return none(0, len(v)), none(0), none(0, 0), none(0)
        model = TracedModel(contacts, replace(tree, contacts=contacts.tree.contacts))
        poses, blocks = model.contact_poses(q), []
        for k, (contact, rows) in enumerate(
            zip(contacts.contacts, contacts.rows.values(), strict=True)
        ):
            turn = none(6, 6)
            turn[:3, :3] = turn[3:, 3:] = ground_axes(contact, poses[k], gains.normals[k])
            friction = friction_rows(contact.kind, gains.friction[k], gains.size[k])
            block, locked = none(len(friction), self.nc), np.flatnonzero(contact.locked)
            block[:, rows] = friction @ turn[:, locked]
            blocks.append(block)
            x, y = gains.size[k]
            scales.append(scalar.array((1 / (y * y), 1 / (x * x), 1 / (x * y), 1, 1, 1))[locked])
        drift = model.contact_drift(q, v) + gains.contact_kd * model.contact_velocities(q, v)
        return model.contact_jacobian(q), drift, np.concatenate(blocks), np.concatenate(scales)


def _blocks(rows: Sequence[Sequence[Array]]) -> Array:
    """Return a matrix of blocks."""
    return np.concatenate([np.concatenate(row, axis=1) for row in rows])
