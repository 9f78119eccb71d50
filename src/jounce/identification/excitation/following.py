"""The dependent joints of a mechanism along a trajectory of the independent ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import DataError
from jounce.identification.closing import STEP, Closing
from jounce.identification.excitation.limits import model_limits
from jounce.model.joints import SPANS

if TYPE_CHECKING:
    from jounce.identification.subject import Closed


class Following:
    """Configurations of all joints, and how much of their limits the dependent ones use.

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
