"""Forces of contacts along a path, within friction, and joint torques that follow from them.

The forces of joints without drive, such as a floating base, are J^T f with the contact forces

    f = G tau_0 + P y,    G = (J_0^T)^+,    P = 1 - G J_0^T

where tau_0 and J_0 are inverse dynamics and the Jacobian of these joints only, and y are internal
forces, the unknowns of an optimization. All forces and torques are then linear in x, x' and y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jounce.errors import ArgumentError
from jounce.planning.path_points import PathPoints
from jounce.planning.rows import Rows
from jounce.solve.contacts import Contacts, Ground

#: Velocity of contacts relative to that of the joints that is accepted, and the smallest singular
#: value of contact Jacobians, relative to the largest.
_MOVING, _SINGULAR = 1e-4, 1e-6


@dataclass(frozen=True)
class _Split:
    """G and P of a module docstring, and their derivatives along the motion."""

    G: np.ndarray
    P: np.ndarray
    dG: np.ndarray
    dP: np.ndarray


@dataclass(frozen=True)
class Stance:
    """Contacts with the ground."""

    contacts: Contacts
    ground: Ground

    @property
    def weight(self) -> float:
        """Weight of the robot in N, the unit of internal forces."""
        model = self.contacts.robot.model
        return float(np.sum(model.parameters[:, 0]) * max(np.linalg.norm(model.gravity), 1.0))

    def check(self, q: np.ndarray, v: np.ndarray) -> None:
        """Raise an error if contacts move along a path.

        Parameters
        ----------
        q, v : ndarray (points, nq), (points, nv)
            Configurations, and derivatives along the path.
        """
        speeds = np.abs(self.contacts.contact_velocities(q, v))
        moving = speeds > _MOVING * np.abs(v).max()
        if moving.any():
            point, row = np.argwhere(moving)[0]
            name = next(
                k for k, rows in self.contacts.rows.items() if rows.start <= row < rows.stop
            )
            text = np.array2string(q[point], 1000, precision=3, threshold=12)
            raise ArgumentError(
                f"retime: contact '{name}' moves along the path at q = {text}; use a path that"
                " keeps contacts, such as one of cartesian_path"
            )

    def distribute(
        self, path: PathPoints, terms: Sequence[np.ndarray]
    ) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...], Rows]:
        """Return joint torques and friction from torques without contacts.

        Parameters
        ----------
        path : PathPoints
            The path.
        terms : sequence of ndarray (points, nv)
            Torques without contacts: c, and factors of x and x'.

        Returns
        -------
        terms : tuple of ndarray (points, nv)
            Torques with contacts.
        forces : tuple of one ndarray (points, nv, nc)
            Their factors of internal forces.
        friction : Rows
            Bounds of friction.
        """
        J, _, split = self._at(path)
        passive = ~self.ground.driven
        of_forces = [np.einsum("pij,pj->pi", split.G, x[:, passive]) for x in terms]
        P = self.weight * split.P
        torques = tuple(
            x - np.einsum("pij,pi->pj", J, f) for x, f in zip(terms, of_forces, strict=True)
        )
        S, names = self._pyramids(self.contacts.contact_poses(path.q[0]))
        c, *of = (np.einsum("pri,pi->pr", S, f) for f in of_forces)
        bounds = np.full(len(names), -np.inf), np.zeros(len(names))
        friction = Rows(names, c, tuple(of), *bounds, (S @ P,))
        return torques, (-np.swapaxes(J, 1, 2) @ P,), friction

    def distribute_rates(
        self, path: PathPoints, terms: Sequence[np.ndarray], rates: Sequence[np.ndarray]
    ) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """Return rates of joint torques over sqrt(x) from those without contacts.

        Parameters
        ----------
        path : PathPoints
            The path.
        terms, rates : sequence of ndarray (points, nv)
            Torques without contacts (c, factors of x and x'), and their rates over sqrt(x) (c,
            factors of x, x' and x'').

        Returns
        -------
        terms : tuple of ndarray (points, nv)
            Rates with contacts.
        forces : tuple of two ndarray (points, nv, nc)
            Their factors of internal forces and of the derivatives of these.
        """
        J, dJ, split = self._at(path)
        passive, weight = ~self.ground.driven, self.weight
        out = []
        for x, dx in zip((*terms, np.zeros_like(terms[0])), rates, strict=True):
            f = np.einsum("pij,pj->pi", split.G, x[:, passive])
            df = np.einsum("pij,pj->pi", split.dG, x[:, passive])
            df += np.einsum("pij,pj->pi", split.G, dx[:, passive])
            out.append(dx - np.einsum("pij,pi->pj", dJ, f) - np.einsum("pij,pi->pj", J, df))
        transposed, dtransposed = np.swapaxes(J, 1, 2), np.swapaxes(dJ, 1, 2)
        of_y = -weight * (dtransposed @ split.P + transposed @ split.dP)
        return tuple(out), (of_y, -weight * transposed @ split.P)

    def forces(
        self,
        motion: Sequence[np.ndarray],
        loads: Sequence[np.ndarray],
        y: Sequence[np.ndarray],
    ) -> tuple[np.ndarray, ...]:
        """Return contact forces, joint torques and the rates of both at instants.

        Parameters
        ----------
        motion : sequence of ndarray
            q and v (points, nq or nv).
        loads : sequence of ndarray (points, nv)
            Torques without contacts, and their rates.
        y : sequence of ndarray (points, nc)
            Internal forces over the weight, and their rates.

        Returns
        -------
        tuple of ndarray
            Contact forces (points, nc), torques (points, nv), and their rates.
        """
        (tau, dtau), (y0, dy) = loads, (self.weight * x for x in y)
        J, dJ, split = self._at(PathPoints(motion, ()))
        passive = ~self.ground.driven

        def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            return np.einsum("pij,pj->pi", a, b)

        f = product(split.G, tau[:, passive]) + product(split.P, y0)
        df = product(split.dG, tau[:, passive]) + product(split.G, dtau[:, passive])
        df += product(split.dP, y0) + product(split.P, dy)
        transposed, dtransposed = np.swapaxes(J, 1, 2), np.swapaxes(dJ, 1, 2)
        rates = dtau - product(transposed, df) - product(dtransposed, f)
        return f, tau - product(transposed, f), df, rates

    def friction(self, q: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return how far forces exceed the bounds of friction, over the weight (points, bounds)."""
        S, _ = self._pyramids(self.contacts.contact_poses(q))
        return np.einsum("pri,pi->pr", S, forces)

    def _at(self, path: PathPoints) -> tuple[np.ndarray, np.ndarray, _Split]:
        """Return J, its derivative, and the split at points of a motion with derivatives q'."""
        J = self.contacts.contact_jacobian(path.q[0])
        dJ = self.contacts.contact_jacobian.dt(path.q[0], path.q[1])
        A, dA = (np.swapaxes(x[:, :, ~self.ground.driven], 1, 2) for x in (J, dJ))
        At, dAt = np.swapaxes(A, 1, 2), np.swapaxes(dA, 1, 2)
        gram = A @ At
        values = np.linalg.eigvalsh(gram)
        if gram.shape[1] and (values[:, 0] < _SINGULAR**2 * values[:, -1]).any():
            raise ArgumentError(
                f"retime: the contacts of '{self.contacts.robot.name}' cannot transmit all forces"
                " of the joints without drive; use more contacts, or surfaces"
            )
        inverse = np.linalg.inv(gram)
        G = At @ inverse
        dG = (dAt - G @ (dA @ At + A @ dAt)) @ inverse
        P = np.eye(A.shape[2]) - G @ A
        return J, dJ, _Split(G, P, dG, -dG @ A - G @ dA)

    def _pyramids(self, poses: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
        """Return S (points, bounds, nc) with S f <= 0 for friction, over the weight, and names."""
        rows, names = [], []
        for k, (contact, place) in enumerate(
            zip(self.contacts.contacts, self.contacts.rows.values(), strict=True)
        ):
            axes = _tangents_and_normal(poses[:, k, :3, :3], self.ground.normals[k])
            turn = np.zeros((len(poses), 6, 6))
            turn[:, :3, :3] = turn[:, 3:, 3:] = axes
            sides = np.zeros((len(poses), 6, self.contacts.nc))
            sides[:, :, place] = turn[:, :, np.flatnonzero(contact.locked)]
            mu, normal = self.ground.friction[k], sides[:, 5]
            bounds = [(sides[:, 3], mu), (sides[:, 4], mu)]
            if contact.name in self.ground.sizes:
                x, y = self.ground.sizes[contact.name]
                # moments over half lengths, in N
                bounds += [(sides[:, 1] / x, 1.0), (sides[:, 2] / (0.5 * (x + y)), mu)]
                bounds += [(sides[:, 0] / y, 1.0)] if contact.kind == "surface" else []
            new = [-normal]
            for side, bound in bounds:
                new += [side - bound * normal, -side - bound * normal]
            rows += new
            names += [f"pressure of '{contact.name}'"]
            names += [f"friction of '{contact.name}'"] * (len(new) - 1)
        return np.stack(rows, axis=1) / self.weight, tuple(names)


def _tangents_and_normal(R: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return two tangents and the normal as rows, in the axes of the contact (points, 3, 3).

    The first tangent is the projection of the contact's x axis, as in `contact_forces`.
    """
    n = np.einsum("pji,j->pi", R, normal)
    first = np.eye(3)[0] - n[:, :1] * n
    aligned = np.linalg.norm(first, axis=1) < 1e-6
    first[aligned] = np.eye(3)[1] - n[aligned, 1:2] * n[aligned]
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack((first, np.cross(n, first), n), axis=1)
