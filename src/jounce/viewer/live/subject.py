"""What a viewer shows: a robot, a mechanism or a robot in contact, and where its parts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import state_array
from jounce.errors import ArgumentError, ModelError
from jounce.robot import Robot
from jounce.solve.mechanism import Mechanism
from jounce.utils import cached_property
from jounce.viewer.scene.overlays import axes_of

if TYPE_CHECKING:
    from jounce.robot import System

#: Largest change of a coordinate that loops are followed over in one step.
_STEP = 0.15

#: Gap of a loop, m or rad, that still counts as closed.
_GAP = 1e-6

#: Configurations from which the scale of what is drawn is taken.
_SAMPLES = 12


class Subject:
    """A robot as a viewer sees it.

    system: what it is shown of. robot: its tree. whole: the robot, or the mechanism with its loops
    closed, whose quantities are shown.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        tree = system if isinstance(system, Robot) else getattr(system, "robot", None)
        if not isinstance(tree, Robot):
            raise TypeError(
                f"expected a robot, a mechanism or a robot in contact, found"
                f" {type(system).__name__}"
            )
        self.robot: Robot = tree
        self.mechanism: Mechanism | None = system if isinstance(system, Mechanism) else None
        self.whole: Any = self.mechanism or tree
        self.model = tree.model

    # -------------------------------------------------------------- configurations

    @cached_property
    def home(self) -> np.ndarray:
        """Where it starts: neutral, within its limits; of a mechanism its reference."""
        if self.mechanism is not None:
            return self.mechanism.reference.copy()
        return self.robot.limits.clip(self.robot.neutral())

    def configuration(self, q: Any, what: str) -> np.ndarray:
        """A configuration (nq,) of finite numbers with unit quaternions; what: who asks."""
        found = state_array(self.robot, q, "q", f"{what}: argument 'q'")
        if found.ndim != 1 or not np.isfinite(found).all():
            raise ArgumentError(
                f"{what}: argument 'q' must be one configuration ({self.robot.nq},) of finite"
                f" numbers, found {_described(found)}"
            )
        return self.upright(found, f"{what}: argument 'q'")

    def upright(self, q: np.ndarray, what: str) -> np.ndarray:
        """Finite configurations (..., nq) with quaternions of unit length; what: they are of."""
        for view in self.robot.joints.values():
            for at in () if view.joint.mimic else view.joint.row.unit_vectors:
                entries = slice(view.q.start + at.start, view.q.start + at.stop)
                if not q[..., entries].any(axis=-1).all():
                    raise ArgumentError(
                        f"{what}: joint '{view.name}' has an orientation of zeros at entries"
                        f" {entries.start}:{entries.stop}; robot.neutral() has a valid one"
                    )
        return self.robot.normalize(q)

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """A configuration within limits, with closed loops."""
        return self.whole.random(rng)

    def closed(self, q: np.ndarray) -> tuple[np.ndarray, str]:
        """A configuration with its loops closed, and a sentence if they cannot be."""
        if self.mechanism is None or float(self.mechanism.gap(q)) <= _GAP:
            return q, ""
        found = self.mechanism.assemble(q)
        if found.success:
            return found.q, ""
        return self.home, f"the loops do not close near it: a gap of {float(found.gap):.2g} stays"

    def opened(self, path: np.ndarray) -> str:
        """A sentence if loops are open somewhere along configurations (n, nq)."""
        if self.mechanism is None:
            return ""
        gaps = np.asarray(self.mechanism.gap(path))
        worst = int(gaps.argmax())
        if gaps[worst] <= _GAP:
            return ""
        return (
            f"the loops are open along the trajectory: a gap of {gaps[worst]:.2g} (m or rad) at"
            f" sample {worst}; mechanism.track(trajectory) closes them"
        )

    def reached(self, start: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, str]:
        """Where the robot gets to from start, and a sentence if that is not the goal.

        Loops are kept closed by following the independent joints in small steps. What cannot be
        closed stays where it was.
        """
        if self.mechanism is None:
            return goal, ""
        way = float(np.abs(self.robot.difference(start, goal)).max(initial=0.0))
        steps = int(np.clip(np.ceil(way / _STEP), 1, 40))
        path = self.robot.interpolate(start, goal, np.arange(steps + 1) / steps)
        found = self.mechanism.track(path)
        if np.all(found.success) and np.isfinite(found.q[-1]).all():
            return found.q[-1], ""
        gap = float(found.gap[np.argmin(found.success)])
        return start, f"the loops do not close there: a gap of {gap:.2g} (m or rad) would stay"

    # -------------------------------------------------------------- where things are

    def poses(self, q: np.ndarray) -> np.ndarray:
        """Poses (..., nb, 4, 4) of all bodies."""
        return self.robot.body_poses(q)

    @cached_property
    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Joint and velocity (of all joints) of each degree of freedom of each joint."""
        pairs = []
        for i, joint in enumerate(self.model.joints):
            at = self.robot.joints[joint.name].v
            pairs += [(i, k) for k in range(at.start, at.stop)]
        joints, velocities = np.array(pairs, dtype=int).reshape(-1, 2).T
        return joints, velocities

    @cached_property
    def _parents(self) -> np.ndarray:
        return np.array([joint.parent for joint in self.model.joints])

    def axes(self, q: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, ...]:
        """Axes of all joints in the world: joints, velocities, points, directions, turning.

        Of any kind, from how bodies move against their parents: columns of their Jacobians.
        """
        joints, velocities = self._columns
        J = self.robot.body_poses.dq(q)
        own = J[joints, :, velocities]
        parents = self._parents[joints]
        carried = np.where(parents[:, None] >= 0, J[parents, :, velocities], 0.0)
        bases = np.where(parents[:, None, None] >= 0, poses[parents], np.eye(4))
        twists = own - _seen_from(poses[joints], bases, carried)
        homes = np.array([joint.point for joint in self.model.joints])[joints]
        points, directions, turns = axes_of(twists, poses[joints], homes)
        return joints, velocities, points, directions, turns

    def independent(self, values: np.ndarray) -> np.ndarray:
        """Forces (nv,) of what is shown as those of all joints (nt,), zero where none is."""
        out = np.zeros(self.robot.nv)
        out[list(self.whole.velocities)] = values
        return out

    # -------------------------------------------------------------- scales

    @cached_property
    def samples(self) -> np.ndarray:
        """Some configurations (n, nq), the same each time."""
        rng = np.random.default_rng(0)
        try:
            found = self.whole.random(rng, _SAMPLES)
        except ModelError:  # loops that hardly ever close
            found = np.empty((0, self.robot.nq))
        return np.concatenate((self.home[None], found))

    @cached_property
    def weight(self) -> float:
        """Of all that moves, N; one where nothing weighs."""
        return self.model.mass * (float(np.linalg.norm(self.model.gravity)) or 9.81) or 1.0


def _seen_from(here: np.ndarray, there: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Twists (n, 6) given in frames `there` (n, 4, 4), in frames `here`."""
    R = np.einsum("nki,nkj->nij", here[:, :3, :3], there[:, :3, :3])
    p = np.einsum("nki,nk->ni", here[:, :3, :3], there[:, :3, 3] - here[:, :3, 3])
    w = np.einsum("nij,nj->ni", R, twists[:, :3])
    return np.concatenate((w, np.einsum("nij,nj->ni", R, twists[:, 3:]) + np.cross(p, w)), axis=1)


def _described(x: np.ndarray) -> str:
    """A shape, or that some numbers are not finite."""
    return f"shape {x.shape}" if x.ndim != 1 else "some that are not"
