"""Static contact forces within friction limits, by one quadratic program per sample.

The joint forces are tau = g - J^T f, and tau = 0 for joints without drive, such as a floating base.
The contact forces f are the shortest ones within the friction pyramids; with `effort` > 0 the
weighted squares of tau are minimized too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, ModelError, printable, suggest
from jounce.model.joints import FLOATING
from jounce.solve.mechanism.choice import named_velocities, velocity_names

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.contacts.robot import Contacts

#: Tolerance of unbalanced forces, relative to the load.
_BALANCE_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class StaticForces:
    """Static forces of the contacts (..., nc) and of the joints (..., nv).

    success (...,): True if the forces balance the robot; otherwise they come as close as possible.
    missing (...,): norm (N, N m) of the unbalanced forces of joints without drive. reason: why a
    sample failed, '' for success.
    """

    forces: np.ndarray
    tau: np.ndarray
    success: np.ndarray
    missing: np.ndarray
    reason: np.ndarray | str


@dataclass(frozen=True, eq=False)
class Ground:
    """Checked friction, normals, sizes and drives: see `Contacts.contact_forces`."""

    friction: np.ndarray
    normals: np.ndarray
    sizes: dict[str, tuple[float, float]]
    driven: np.ndarray
    efforts: np.ndarray
    effort: float

    @staticmethod
    def of(
        contacts: Contacts,
        friction: ArrayLike,
        normals: ArrayLike | None,
        size: Any,
        actuated: Sequence[str | int] | None,
        limited: bool = False,
        effort: float = 0.0,
        title: str = "",
    ) -> Ground:
        """Check the arguments of `Contacts.contact_forces`.

        Parameters
        ----------
        contacts : Contacts
        friction, normals, size, actuated, limited, effort
            Arguments of `Contacts.contact_forces`.
        title : str
            Begin of messages; by default those of `Contacts.contact_forces`.

        Returns
        -------
        Ground

        Raises
        ------
        ArgumentError
            If an argument has a wrong shape or value.
        """
        title, count = title or f"{contacts.name}.contact_forces", len(contacts.contacts)
        mu = _broadcast(friction, (count,), f"{title}: friction")
        if not np.all(mu >= 0.0):
            raise ArgumentError(f"{title}: friction must be >= 0, found {mu.tolist()}")
        up = -contacts.robot.model.gravity if normals is None else normals
        n = _broadcast(up, (count, 3), f"{title}: normals")
        lengths = np.linalg.norm(n, axis=1, keepdims=True)
        if not np.all(lengths > 0.0):
            why = "; pass normals, because gravity is zero" if normals is None else ""
            raise ArgumentError(f"{title}: a normal of the ground is zero{why}")
        driven = driven_velocities(contacts.robot, actuated)
        efforts = _efforts(contacts) if limited else np.full(contacts.nv, np.inf)
        if not (np.isfinite(effort) and effort >= 0.0):
            raise ArgumentError(f"{title}: effort must be a weight >= 0, found {effort!r}")
        sizes = _sizes(contacts, size, title)
        return Ground(mu, n / lengths, sizes, driven, efforts, float(effort))


def driven_velocities(robot: Robot, actuated: Sequence[str | int] | None = None) -> np.ndarray:
    """Return which velocities have a drive.

    Parameters
    ----------
    robot : Robot
    actuated : sequence of str or int, optional
        Joints with a drive, by name, or velocities as "name[k]" or index; by default all but free
        joints.

    Returns
    -------
    ndarray (nv,) of bool
        True for velocities with a drive.
    """
    driven = np.full(robot.nv, actuated is None)
    if actuated is None:
        for view in robot.joints.values():
            if view.joint.kind == FLOATING:
                driven[view.v] = False
    else:
        driven[named_velocities(robot, actuated, f"{robot.name}.contact_forces: actuated")] = True
    return driven


def _broadcast(x: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return a finite array of a shape."""
    try:
        out = np.broadcast_to(np.asarray(x, dtype=float), shape)
    except (TypeError, ValueError):
        raise ArgumentError(
            printable(f"{what}: expected an array of shape {shape}, or one that broadcasts to it")
        ) from None
    if not np.isfinite(out).all():
        raise ArgumentError(printable(f"{what}: expected finite numbers"))
    return out


def _efforts(contacts: Contacts) -> np.ndarray:
    """Return effort limits (nv,), those of leaders for mimicking joints."""
    out = np.full(contacts.nv, np.inf)
    for view in contacts.joints.values():
        if view.joint.mimic is None:
            out[view.v] = view.joint.effort_limit
    return out


def _sizes(contacts: Contacts, size: Any, title: str) -> dict[str, tuple[float, float]]:
    """Return the half lengths of contacts by name."""
    flat = [c.name for c in contacts.contacts if c.kind != "point"]
    if size is None:
        return {}
    by_name = size if isinstance(size, Mapping) else dict.fromkeys(flat, size)
    out = {}
    for name, lengths in by_name.items():
        if name not in flat:
            raise ArgumentError(
                f"{title}: size: '{name}' is no surface or line contact; {suggest(name, flat)}"
            )
        x, y = _broadcast(lengths, (2,), f"{title}: size of '{name}'").tolist()
        if x <= 0.0 or y < 0.0:
            raise ArgumentError(f"{title}: size of '{name}' must be positive, found {lengths}")
        out[name] = (x, y)
    return out


class _Program:
    """Quadratic program of a robot's contacts with the ground."""

    def __init__(self, contacts: Contacts, ground: Ground) -> None:
        self.contacts, self.ground = contacts, ground
        self.clarabel, self.sparse = _solver()
        self.names = velocity_names(contacts.robot)
        self.limited = np.isfinite(ground.efforts) & ground.driven

    def _pyramids(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return A (m, nc) and E (k, nc) with A f <= 0 and E f = 0 for friction and known sizes.

        Bounds of zero, as of friction on smooth ground, become equations.
        """
        lower_rows: list[np.ndarray] = []
        equations: list[np.ndarray] = []
        for k, (contact, rows) in enumerate(
            zip(self.contacts.contacts, self.contacts.rows.values(), strict=True)
        ):
            locked = np.flatnonzero(contact.locked)
            axes = _axes(poses[k, :3, :3].T @ self.ground.normals[k])
            push = np.zeros((6, 6))  # moments, then forces, along two tangents and the normal
            push[:3, :3] = push[3:, 3:] = axes
            sides = np.zeros((6, self.contacts.nc))
            sides[:, rows] = push[:, locked]
            mu, normal = self.ground.friction[k], sides[5]
            bounds = [(sides[3], mu), (sides[4], mu)]
            if contact.name in self.ground.sizes:
                x, y = self.ground.sizes[contact.name]
                bounds += [(sides[1], x), (sides[2], 0.5 * mu * (x + y))]
                bounds += [(sides[0], y)] if contact.kind == "surface" else []
            lower_rows.append(-normal)  # redundant with friction > 0
            for side, bound in bounds:
                if bound > 0.0:
                    lower_rows += [side - bound * normal, -side - bound * normal]
                else:
                    equations.append(side)
        return np.stack(lower_rows), np.array(equations).reshape(-1, self.contacts.nc)

    def solve(
        self, J: np.ndarray, g: np.ndarray, poses: np.ndarray
    ) -> tuple[np.ndarray, float, str]:
        """Return f, the norm of the unbalanced forces, and a sentence if it is not negligible."""
        if not (np.isfinite(J).all() and np.isfinite(g).all() and np.isfinite(poses).all()):
            return np.full(len(J), np.nan), np.nan, "the configuration is not finite"
        passive = ~self.ground.driven
        pyramids, smooth = self._pyramids(poses)
        blocks, limits = [pyramids], [np.zeros(len(pyramids))]
        for sign in (1.0, -1.0):  # |g - J^T f| within the limits
            blocks.append(-sign * J.T[self.limited])
            limits.append(self.ground.efforts[self.limited] - sign * g[self.limited])
        A, b = np.vstack(blocks), np.concatenate(limits)
        scale = max(float(np.linalg.norm(g)), 1e-12)
        driven = J[:, self.ground.driven] * np.sqrt(self.ground.effort)
        P, linear = np.eye(len(J)) + driven @ driven.T, -self.ground.effort * (J @ (g * ~passive))
        E, e = np.vstack((J.T[passive], smooth)), np.append(g[passive], np.zeros(len(smooth)))
        f = self._minimize(P, linear, E, e, A, b)
        if f is None:
            gram = J[:, passive] @ J[:, passive].T
            f = self._minimize(
                gram + 1e-9 * np.trace(gram) / len(J) * np.eye(len(J)),
                -(J[:, passive] @ g[passive]),
                smooth,
                np.zeros(len(smooth)),
                A,
                b,
            )
        if f is None:
            why = "no contact forces within friction keep the joints within their effort limits"
            return np.full(len(J), np.nan), np.nan, why
        unbalanced = (g - J.T @ f)[passive]
        missing = float(np.linalg.norm(unbalanced))
        return (
            f,
            missing,
            "" if missing <= _BALANCE_TOLERANCE * scale else self._describe_unbalanced(unbalanced),
        )

    def _describe_unbalanced(self, unbalanced: np.ndarray) -> str:
        names = [self.names[k] for k in np.flatnonzero(~self.ground.driven)]
        worst = names[int(np.argmax(np.abs(unbalanced)))]
        within = " and effort limits" if self.limited.any() else ""
        return (
            f"no forces within friction{within} support the robot: at best"
            f" {np.linalg.norm(unbalanced):.3g} (N, N m) stay unbalanced, most of it at '{worst}'"
        )

    def _minimize(self, P: Any, linear: Any, E: Any, e: Any, A: Any, b: Any) -> np.ndarray | None:
        """Minimize x^T P x / 2 + linear x with E x = e and A x <= b; None if infeasible."""
        csc, kinds = self.sparse.csc_matrix, []
        if len(E):
            kinds.append(self.clarabel.ZeroConeT(len(E)))
        kinds.append(self.clarabel.NonnegativeConeT(len(A)))
        settings = self.clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
        program = (csc(np.triu(P)), linear, csc(np.vstack((E, A))), np.concatenate((e, b)))
        solution = self.clarabel.DefaultSolver(*program, kinds, settings).solve()
        fine = str(solution.status) in ("Solved", "AlmostSolved")
        return np.array(solution.x) if fine else None


def _axes(normal: np.ndarray) -> np.ndarray:
    """Return two tangents and the normal as rows; the first is the projection of x."""
    first = np.eye(3)[0] - normal[0] * normal
    if np.linalg.norm(first) < 1e-6:
        first = np.eye(3)[1] - normal[1] * normal
    first /= np.linalg.norm(first)
    return np.stack((first, np.cross(normal, first), normal))


def static_forces(
    contacts: Contacts, q: np.ndarray, ground: Ground, wrenches: ArrayLike | None
) -> StaticForces:
    """Compute static contact forces, sample by sample.

    Parameters
    ----------
    contacts : Contacts
    q : ndarray (..., nq)
        Configurations.
    ground : Ground
    wrenches : array_like (..., nb, 6), optional
        Further wrenches on the bodies.

    Returns
    -------
    StaticForces
    """
    robot, program = contacts.robot, _Program(contacts, ground)
    zero = np.zeros(robot.nv)
    with np.errstate(invalid="ignore"):  # configurations that are not finite are reported
        g = robot.inverse_dynamics(q, zero, zero, wrenches)
        J, poses = contacts.contact_jacobian(q), contacts.contact_poses(q)
    batch = g.shape[:-1]
    J = np.broadcast_to(J, (*batch, contacts.nc, robot.nv))
    poses = np.broadcast_to(poses, (*batch, len(contacts.contacts), 4, 4))
    forces = np.full((*batch, contacts.nc), np.nan)
    missing, reason = np.full(batch, np.nan), np.full(batch, "", dtype=object)
    for index in np.ndindex(*batch):
        forces[index], missing[index], reason[index] = program.solve(
            J[index], g[index], poses[index]
        )
    tau = g - np.einsum("...ij,...i->...j", J, forces)
    # a single sample has a string and scalars
    return StaticForces(forces, tau, (reason == "")[()], missing[()], reason[()])


def raise_if_unsuccessful(result: StaticForces, title: str) -> None:
    """Raise an error for the first sample without static forces.

    Parameters
    ----------
    result : StaticForces
    title : str
        Begin of the message.

    Raises
    ------
    ModelError
        If a sample failed.
    """
    bad = np.argwhere(~np.asarray(result.success))
    if len(bad):
        index = tuple(bad[0].tolist())
        which = f" (sample {', '.join(map(str, index))})" if index else ""
        reason = result.reason if isinstance(result.reason, str) else result.reason[index]
        raise ModelError(f"{title}: {reason}{which}")


def _solver() -> tuple[Any, Any]:
    """Import clarabel and scipy.sparse; the ImportError says how to install them."""
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise ImportError(
            'contact_forces needs clarabel and SciPy; install them: pip install "jounce[contacts]"'
        ) from None
    return clarabel, sparse
