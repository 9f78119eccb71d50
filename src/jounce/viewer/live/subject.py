"""Kinematics of the system in a viewer: a robot, a mechanism or a robot in contact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import state_array
from jounce.errors import ArgumentError, ModelError
from jounce.robot import Robot
from jounce.solve.mechanism import Mechanism
from jounce.utils import cached_property
from jounce.viewer.scene.configurations import start_of
from jounce.viewer.scene.overlays import axes_of

if TYPE_CHECKING:
    from jounce.robot import System

#: Largest change of a coordinate in one step of loop tracking, m or rad.
_MAX_STEP = 0.15

#: Largest closure error of a closed loop, m or rad.
_MAX_GAP = 1e-6

#: Number of random configurations from which drawing scales are computed.
_SAMPLE_COUNT = 12


class Subject:
    """The system that a viewer shows.

    system: the user's object. robot: its tree. dynamics: the robot, or the mechanism with closed
    loops, whose quantities are shown.
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
        self.dynamics: Any = self.mechanism or tree
        self.model = tree.model

    # -------------------------------------------------------------- configurations

    @cached_property
    def home(self) -> np.ndarray:
        """Neutral configuration within limits; the reference of a mechanism."""
        if self.mechanism is not None:
            return self.mechanism.reference.copy()
        return self.robot.limits.clip(self.robot.neutral())

    @cached_property
    def start(self) -> np.ndarray:
        """Initial configuration, in which chains are bent."""
        return start_of(self.dynamics)

    def check_configuration(self, q: Any, caller: str) -> np.ndarray:
        """Return a configuration (nq,) with unit quaternions; raise unless finite."""
        configuration = state_array(self.robot, q, "q", f"{caller}: argument 'q'")
        if configuration.ndim != 1 or not np.isfinite(configuration).all():
            raise ArgumentError(
                f"{caller}: argument 'q' must be one configuration ({self.robot.nq},) of finite"
                f" numbers, found {_describe_invalid(configuration)}"
            )
        return self.normalize_quaternions(configuration, f"{caller}: argument 'q'")

    def normalize_quaternions(self, q: np.ndarray, name: str) -> np.ndarray:
        """Normalize quaternions of finite configurations (..., nq); raise if one is zero."""
        for view in self.robot.joints.values():
            for unit in () if view.joint.mimic else view.joint.row.unit_vectors:
                entries = slice(view.q.start + unit.start, view.q.start + unit.stop)
                if not q[..., entries].any(axis=-1).all():
                    raise ArgumentError(
                        f"{name}: joint '{view.name}' has a zero quaternion at entries"
                        f" {entries.start}:{entries.stop}; robot.neutral() is a valid configuration"
                    )
        return self.robot.normalize(q)

    def random(self, rng: np.random.Generator, q: np.ndarray) -> np.ndarray:
        """Return a random configuration within limits, with closed loops and the base as at q."""
        sample = self.dynamics.random(rng)
        kept = sample.copy()
        for joint in self.model.joints:
            if joint.parent < 0 and joint.kind == "free":
                entries = self.robot.joints[joint.name].q
                kept[entries] = q[entries]
        held = self.mechanism is None or float(self.mechanism.gap(kept)) <= _MAX_GAP
        return kept if held else sample

    def close_loops(self, q: np.ndarray) -> tuple[np.ndarray, str]:
        """Return q with closed loops, and a message if they cannot be closed."""
        if self.mechanism is None or float(self.mechanism.gap(q)) <= _MAX_GAP:
            return q, ""
        assembly = self.mechanism.assemble(q)
        if assembly.success:
            return assembly.q, ""
        return (
            self.home,
            f"the loops do not close nearby: a gap of {float(assembly.gap):.2g} remains",
        )

    def describe_open_loops(self, path: np.ndarray) -> str:
        """Return a message if loops are open along configurations (n, nq), or ''."""
        if self.mechanism is None:
            return ""
        gaps = np.asarray(self.mechanism.gap(path))
        worst = int(gaps.argmax())
        if gaps[worst] <= _MAX_GAP:
            return ""
        return (
            f"the loops are open along the trajectory: a gap of {gaps[worst]:.2g} (m or rad) at"
            f" sample {worst}; mechanism.track(trajectory) closes them"
        )

    def move_toward(self, start: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, str]:
        """Return the configuration reached from start, and a message if it is not the goal.

        Loops are kept closed by moving the independent joints in small steps. If they cannot be
        closed, the robot stays at start.
        """
        if self.mechanism is None:
            return goal, ""
        distance = float(np.abs(self.robot.difference(start, goal)).max(initial=0.0))
        steps = int(np.clip(np.ceil(distance / _MAX_STEP), 1, 40))
        path = self.robot.interpolate(start, goal, np.arange(steps + 1) / steps)
        result = self.mechanism.track(path)
        if np.all(result.success) and np.isfinite(result.q[-1]).all():
            return result.q[-1], ""
        gap = float(result.gap[np.argmin(result.success)])
        return start, f"the loops do not close there: a gap of {gap:.2g} (m or rad) would remain"

    # -------------------------------------------------------------- where things are

    def poses(self, q: np.ndarray) -> np.ndarray:
        """Return poses (..., nb, 4, 4) of all bodies."""
        return self.robot.body_poses(q)

    @cached_property
    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Joint index and velocity index of each degree of freedom of each joint."""
        pairs = []
        for i, joint in enumerate(self.model.joints):
            entries = self.robot.joints[joint.name].v
            pairs += [(i, k) for k in range(entries.start, entries.stop)]
        joints, velocities = np.array(pairs, dtype=int).reshape(-1, 2).T
        return joints, velocities

    @cached_property
    def _parents(self) -> np.ndarray:
        return np.array([joint.parent for joint in self.model.joints])

    def axes(self, q: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return axes of all joints in the world: joints, velocities, points, directions, turns.

        They come from columns of the relative body Jacobians, so joints can be of any kind.
        """
        joints, velocities = self._columns
        J = self.robot.body_poses.dq(q)
        body_twists = J[joints, :, velocities]
        parents = self._parents[joints]
        parent_twists = np.where(parents[:, None] >= 0, J[parents, :, velocities], 0.0)
        bases = np.where(parents[:, None, None] >= 0, poses[parents], np.eye(4))
        twists = body_twists - _transform_twists(poses[joints], bases, parent_twists)
        homes = np.array([joint.point for joint in self.model.joints])[joints]
        points, directions, turns = axes_of(twists, poses[joints], homes)
        return joints, velocities, points, directions, turns

    def expand_forces(self, values: np.ndarray) -> np.ndarray:
        """Return independent forces as forces of all joints, with zeros elsewhere."""
        out = np.zeros(self.robot.nv)
        out[list(self.dynamics.velocities)] = values
        return out

    # -------------------------------------------------------------- scales

    @cached_property
    def samples(self) -> np.ndarray:
        """Random configurations (n, nq) with a fixed seed."""
        rng = np.random.default_rng(0)
        try:
            samples = self.dynamics.random(rng, _SAMPLE_COUNT)
        except ModelError:  # The loops close at hardly any configuration.
            samples = np.empty((0, self.robot.nq))
        return np.concatenate((self.home[None], samples))

    @cached_property
    def weight(self) -> float:
        """Weight of the robot, N; 1 if it has no mass."""
        return self.model.mass * (float(np.linalg.norm(self.model.gravity)) or 9.81) or 1.0


def _transform_twists(target: np.ndarray, source: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Transform twists (n, 6) from frames `source` (n, 4, 4) to frames `target`."""
    R = np.einsum("nki,nkj->nij", target[:, :3, :3], source[:, :3, :3])
    p = np.einsum("nki,nk->ni", target[:, :3, :3], source[:, :3, 3] - target[:, :3, 3])
    w = np.einsum("nij,nj->ni", R, twists[:, :3])
    return np.concatenate((w, np.einsum("nij,nj->ni", R, twists[:, 3:]) + np.cross(p, w)), axis=1)


def _describe_invalid(x: np.ndarray) -> str:
    """Describe an array that is no finite vector."""
    return f"shape {x.shape}" if x.ndim != 1 else "NaN or infinity"
