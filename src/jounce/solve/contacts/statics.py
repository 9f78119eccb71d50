"""Contact forces that carry a robot at rest, within friction: a quadratic program per sample.

With tau = g - J^T f of the joints, those without a drive (a floating base above all) have tau = 0.
Of all forces within the pyramids of friction the shortest are taken, or with a weight on the forces
of the joints the best compromise.
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
    from jounce.solve.contacts.robot import Contacts

#: Unbalanced forces, relative to the load, that count as none.
_BALANCED = 1e-6


@dataclass(frozen=True, eq=False)
class StaticForces:
    """Forces of the contacts (..., nc) and of the joints (..., nv), and for each sample (...,).

    success: whether there are such forces; where not, they are those that come closest. missing:
    the length (N, N m) of what stays unbalanced at the joints without drive. reason: a sentence
    where there is no success, else empty.
    """

    forces: np.ndarray
    tau: np.ndarray
    success: np.ndarray
    missing: np.ndarray
    reason: np.ndarray | str


@dataclass(frozen=True, eq=False)
class Ground:
    """What the contacts stand on, and what may push: see `Contacts.contact_forces`."""

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
        limited: bool,
        effort: float,
    ) -> Ground:
        """Checked; arguments as those of `Contacts.contact_forces`."""
        title, count = f"{contacts.name}.contact_forces", len(contacts.contacts)
        mu = _broadcast(friction, (count,), f"{title}: friction")
        if not np.all(mu >= 0.0):
            raise ArgumentError(f"{title}: friction must be >= 0, found {mu.tolist()}")
        up = -contacts.robot.model.gravity if normals is None else normals
        n = _broadcast(up, (count, 3), f"{title}: normals")
        lengths = np.linalg.norm(n, axis=1, keepdims=True)
        if not np.all(lengths > 0.0):
            why = (
                "; give normals, as there is no gravity to tell up from" if normals is None else ""
            )
            raise ArgumentError(f"{title}: a normal of the ground is zero{why}")
        driven = np.ones(contacts.nv, dtype=bool)
        if actuated is None:
            for view in contacts.joints.values():
                if view.joint.kind == FLOATING:
                    driven[view.v] = False
        else:
            driven[:] = False
            driven[named_velocities(contacts.robot, actuated, "actuated")] = True
        efforts = _efforts(contacts) if limited else np.full(contacts.nv, np.inf)
        if not (np.isfinite(effort) and effort >= 0.0):
            raise ArgumentError(f"{title}: effort must be a weight >= 0, found {effort!r}")
        sizes = _sizes(contacts, size, title)
        return Ground(mu, n / lengths, sizes, driven, efforts, float(effort))


def _broadcast(x: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """A finite array of that shape."""
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
    """Effort limits (nv,), followers left to their leaders."""
    out = np.full(contacts.nv, np.inf)
    for view in contacts.joints.values():
        if view.joint.mimic is None:
            out[view.v] = view.joint.effort_limit
    return out


def _sizes(contacts: Contacts, size: Any, title: str) -> dict[str, tuple[float, float]]:
    """Half lengths of the contacts that have some, by name."""
    flat = [c.name for c in contacts.contacts if c.kind != "point"]
    if size is None:
        return {}
    given = size if isinstance(size, Mapping) else dict.fromkeys(flat, size)
    out = {}
    for name, lengths in given.items():
        if name not in flat:
            raise ArgumentError(
                f"{title}: size of '{name}', which is no surface or line; {suggest(name, flat)}"
            )
        x, y = _broadcast(lengths, (2,), f"{title}: size of '{name}'").tolist()
        if x <= 0.0 or y < 0.0:
            raise ArgumentError(f"{title}: size of '{name}' must be positive, found {lengths}")
        out[name] = (x, y)
    return out


class _Program:
    """The quadratic program of one robot on one ground."""

    def __init__(self, contacts: Contacts, ground: Ground) -> None:
        self.contacts, self.ground = contacts, ground
        self.clarabel, self.sparse = _solver()
        self.names = velocity_names(contacts.robot)
        self.limited = np.isfinite(ground.efforts) & ground.driven

    def _pyramids(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A (m, nc) and E (k, nc) with A f <= 0, E f = 0: within friction, and within known edges.

        What has no room to either side, as on smooth ground, is nothing: an equation.
        """
        most: list[np.ndarray] = []
        none: list[np.ndarray] = []
        for k, (contact, at) in enumerate(
            zip(self.contacts.contacts, self.contacts.rows.values(), strict=True)
        ):
            own = np.flatnonzero(contact.locked)
            axes = _axes(poses[k, :3, :3].T @ self.ground.normals[k])
            push = np.zeros((6, 6))  # moments, then forces, along two tangents and the normal
            push[:3, :3] = push[3:, 3:] = axes
            sides = np.zeros((6, self.contacts.nc))
            sides[:, at] = push[:, own]
            mu, normal = self.ground.friction[k], sides[5]
            bounds = [(sides[3], mu), (sides[4], mu)]
            if contact.name in self.ground.sizes:
                x, y = self.ground.sizes[contact.name]
                bounds += [(sides[1], x), (sides[2], 0.5 * mu * (x + y))]
                bounds += [(sides[0], y)] if contact.kind == "surface" else []
            most.append(-normal)  # which friction says as well where there is some
            for side, room in bounds:
                if room > 0.0:
                    most += [side - room * normal, -side - room * normal]
                else:
                    none.append(side)
        return np.stack(most), np.array(none).reshape(-1, self.contacts.nc)

    def solve(
        self, J: np.ndarray, g: np.ndarray, poses: np.ndarray
    ) -> tuple[np.ndarray, float, str]:
        """f, what stays unbalanced, and a sentence if that is not nothing."""
        if not (np.isfinite(J).all() and np.isfinite(g).all() and np.isfinite(poses).all()):
            return np.full(len(J), np.nan), np.nan, "the configuration is not finite"
        passive = ~self.ground.driven
        pyramids, smooth = self._pyramids(poses)
        blocks, most = [pyramids], [np.zeros(len(pyramids))]
        for sign in (1.0, -1.0):  # |g - J^T f| within the limits
            blocks.append(-sign * J.T[self.limited])
            most.append(self.ground.efforts[self.limited] - sign * g[self.limited])
        A, b = np.vstack(blocks), np.concatenate(most)
        scale = max(float(np.linalg.norm(g)), 1e-12)
        driven = J[:, self.ground.driven] * np.sqrt(self.ground.effort)
        P, linear = np.eye(len(J)) + driven @ driven.T, -self.ground.effort * (J @ (g * ~passive))
        E, e = np.vstack((J.T[passive], smooth)), np.append(g[passive], np.zeros(len(smooth)))
        found = self._minimize(P, linear, E, e, A, b)
        if found is None:
            gram = J[:, passive] @ J[:, passive].T
            found = self._minimize(
                gram + 1e-9 * np.trace(gram) / len(J) * np.eye(len(J)),
                -(J[:, passive] @ g[passive]),
                smooth,
                np.zeros(len(smooth)),
                A,
                b,
            )
        if found is None:
            why = "no forces within friction keep the joints within their effort limits"
            return np.full(len(J), np.nan), np.nan, why
        rest = (g - J.T @ found)[passive]
        missing = float(np.linalg.norm(rest))
        return found, missing, "" if missing <= _BALANCED * scale else self._unbalanced(rest)

    def _unbalanced(self, rest: np.ndarray) -> str:
        names = [self.names[k] for k in np.flatnonzero(~self.ground.driven)]
        worst = names[int(np.argmax(np.abs(rest)))]
        within = " and effort limits" if self.limited.any() else ""
        return (
            f"no forces within friction{within} carry the robot: at best"
            f" {np.linalg.norm(rest):.3g} (N, N m) stay unbalanced, most of it at '{worst}'"
        )

    def _minimize(self, P: Any, linear: Any, E: Any, e: Any, A: Any, b: Any) -> np.ndarray | None:
        """x with E x = e and A x <= b that minimises x^T P x / 2 + linear x, if there is one."""
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
    """Two tangents and the normal, as rows; the first as near to x as it can be."""
    first = np.eye(3)[0] - normal[0] * normal
    if np.linalg.norm(first) < 1e-6:
        first = np.eye(3)[1] - normal[1] * normal
    first /= np.linalg.norm(first)
    return np.stack((first, np.cross(normal, first), normal))


def static_forces(
    contacts: Contacts, q: np.ndarray, ground: Ground, wrenches: ArrayLike | None
) -> StaticForces:
    """See `Contacts.contact_forces`; samples one after the other."""
    robot, program = contacts.robot, _Program(contacts, ground)
    still = np.zeros(robot.nv)
    with np.errstate(invalid="ignore"):  # configurations that are not finite are reported
        g = robot.inverse_dynamics(q, still, still, wrenches)
        J, poses = contacts.contact_jacobian(q), contacts.contact_poses(q)
    batch = g.shape[:-1]
    J = np.broadcast_to(J, (*batch, contacts.nc, robot.nv))
    poses = np.broadcast_to(poses, (*batch, len(contacts.contacts), 4, 4))
    forces = np.full((*batch, contacts.nc), np.nan)
    missing, reason = np.full(batch, np.nan), np.full(batch, "", dtype=object)
    for at in np.ndindex(*batch):
        forces[at], missing[at], reason[at] = program.solve(J[at], g[at], poses[at])
    tau = g - np.einsum("...ij,...i->...j", J, forces)
    # of a single sample a string, as the numbers are numbers
    return StaticForces(forces, tau, (reason == "")[()], missing[()], reason[()])


def refuse(found: StaticForces, title: str) -> None:
    """Raise where a sample has no forces."""
    bad = np.argwhere(~np.asarray(found.success))
    if len(bad):
        at = tuple(bad[0].tolist())
        which = f" (sample {', '.join(map(str, at))})" if at else ""
        reason = found.reason if isinstance(found.reason, str) else found.reason[at]
        raise ModelError(f"{title}: {reason}{which}")


def _solver() -> tuple[Any, Any]:
    """clarabel and scipy.sparse, or an error that says how to get them."""
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise ImportError(
            'contact_forces needs clarabel and SciPy; install them: pip install "jounce[contacts]"'
        ) from None
    return clarabel, sparse
