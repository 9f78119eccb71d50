"""A joint of a model: kind, axes, limits and drive, validated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.math.lie import UNIT_TOLERANCE
from jounce.model.joints import Kind, kind_of
from jounce.model.numbers import (
    LARGEST,
    Floats,
    freeze_array,
    nearest_pose,
    per_velocity,
    unit_axis,
)

#: Fields of a joint that define its dry friction.
FRICTION = (
    "friction",
    "stribeck_friction",
    "stribeck_velocity",
    "load_friction",
    "friction_smoothing",
    "load_smoothing",
)


@dataclass(frozen=True, eq=False)
class Mimic:
    """A joint that follows another: q = multiplier * q_leader + offset."""

    leader: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of one of the kinds in `jounce.model.joints.KINDS`.

    axis: direction in the joint frame (the plane's normal for planar, the first axis of universal;
    spherical and free joints need none). axis2: second axis of universal, fixed in the child.
    point: a point of the axis in the body frame (default: the origin). pitch: helical, meters per
    radian. Limits, damping (N m s/rad or N s/m), friction (N m or N) and armature
    (kg m^2 or kg) have one entry per velocity, and so have stiffness (N m/rad or N/m) and
    spring_reference (rad or m) of a spring: the coordinate at which it is at rest, for a spherical
    joint the rotation vector (0: the neutral configuration). stribeck_friction (N m or N) fades at
    the speed stribeck_velocity, load_friction is a factor of the load, and friction_smoothing (a
    speed) and load_smoothing (N m or N) make both smooth: `formulas.friction_laws`. notes:
    corrections of the given numbers, for `robot.model.check`.
    """

    name: str
    kind: str
    parent: int = -1
    placement: Floats = field(default_factory=lambda: np.eye(4))
    axis: Floats = field(default_factory=lambda: np.array((0.0, 0.0, 1.0)))
    axis2: Floats = field(default_factory=lambda: np.array((1.0, 0.0, 0.0)))
    point: Floats = field(default_factory=lambda: np.zeros(3))
    pitch: float = 0.0
    mimic: Mimic | None = None
    lower: Any = -np.inf
    upper: Any = np.inf
    velocity_limit: Any = np.inf
    effort_limit: Any = np.inf
    damping: Any = 0.0
    friction: Any = 0.0
    stribeck_friction: Any = 0.0
    stribeck_velocity: Any = 0.0
    load_friction: Any = 0.0
    friction_smoothing: Any = 0.0
    load_smoothing: Any = 0.0
    armature: Any = 0.0
    stiffness: Any = 0.0
    spring_reference: Any = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        what = f"joint '{self.name}'"
        kind = self.row
        put = object.__setattr__
        T, note = nearest_pose(self.placement, f"{what}: placement")
        put(self, "placement", T)
        if note:
            self._note(f"placement: {note}")
        for name in kind.fields:
            direction = freeze_array(getattr(self, name), (3,), f"{what}: {name}")
            put(self, name, unit_axis(direction, f"{what}: {name}"))
            length = float(np.linalg.norm(direction))
            if abs(length - 1.0) > UNIT_TOLERANCE:
                self._note(f"the {name} {direction.tolist()} of length {length:.6g} was normalized")
        if kind.repeats_motion and abs(self.axis @ self.axis2) > 1.0 - 1e-9:
            raise ModelError(f"{what}: the two axes of a {self.kind} joint must not be parallel")
        put(self, "point", freeze_array(self.point, (3,), f"{what}: point"))
        if not abs(self.pitch) <= LARGEST:
            raise ModelError(f"{what}: pitch must be finite, found {self.pitch}")
        if self.pitch != 0.0 and not kind.pitched:
            raise ModelError(f"{what}: a {self.kind} joint has no pitch, found {self.pitch}")
        for name in ("lower", "upper", "velocity_limit", "effort_limit"):
            put(self, name, per_velocity(getattr(self, name), kind.nv, f"{what}: {name}"))
        for name in ("damping", *FRICTION, "armature", "stiffness", "spring_reference"):
            values = per_velocity(getattr(self, name), kind.nv, f"{what}: {name}")
            least = -LARGEST if name == "spring_reference" else 0.0
            if not np.all((values >= least) & (values <= LARGEST)):
                wanted = "finite" if least else "finite and >= 0"
                raise ModelError(f"{what}: {name} must be {wanted}, found {values.tolist()}")
            put(self, name, values)
        problem = kind.armature_problem(self.armature) or kind.spring_problem(self.stiffness)
        problem = problem or self._friction_problem()
        if problem:
            raise ModelError(f"{what}: {problem}")
        if np.any(self.lower > self.upper):
            limits = f"{self.lower.tolist()} to {self.upper.tolist()}"
            self._note(f"the limits {limits} are reversed; they were swapped")
            lower, upper = self.lower, self.upper
            put(self, "lower", per_velocity(np.minimum(lower, upper), kind.nv, what))
            put(self, "upper", per_velocity(np.maximum(lower, upper), kind.nv, what))
        if self.mimic is not None and not kind.single:
            raise ModelError(f"{what}: only joints with one degree of freedom can mimic")

    def _note(self, text: str) -> None:
        object.__setattr__(self, "notes", (*self.notes, text))
        warn(f"joint '{self.name}': {text}", ModelWarning)

    def _friction_problem(self) -> str:
        """Return why the friction laws are invalid, or ''."""
        if np.any((self.stribeck_friction > 0.0) & (self.stribeck_velocity == 0.0)):
            return "stribeck_velocity must be > 0 where stribeck_friction is"
        if np.any(self.load_friction >= 1.0):
            return f"load_friction must be < 1, found {self.load_friction.tolist()}"
        if self.mimic is not None and np.any(self.load_friction > 0.0):
            return (
                f"load_friction must be that of the joint '{self.mimic.leader}', which it follows"
            )
        return ""

    @property
    def row(self) -> Kind:
        """The joint kind: its motions, coordinates and names in files."""
        return kind_of(self.kind, f"joint '{self.name}'")

    @property
    def nq(self) -> int:
        """Number of coordinates of the kind (also for a joint that mimics another)."""
        return self.row.nq

    @property
    def nv(self) -> int:
        """Number of velocities of the kind (also for a joint that mimics another)."""
        return self.row.nv
