"""A kind of joints: elementary motions in series, with its coordinates and axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jounce.errors import ModelError
from jounce.model.joints.motions import ElementaryMotion
from jounce.utils.deprecation import renamed_field
from jounce.utils.lazy import cached_property

#: What turns a motion's frame: a field of the joint ("axis", "axis2"), a direction that all joints
#: of the kind have in common, or None for the axes of the joint's own frame.
Axis = str | tuple[float, float, float] | None

#: Fields of a joint that hold an axis.
AXES = ("axis", "axis2")

#: Half the range of coordinates without limits, by unit.
SPANS = {"rad": np.pi, "m": 1.0, "": 1.0}


class Part(NamedTuple):
    """A motion of a kind: its axis, its name, and its slices of the joint's q and v."""

    motion: ElementaryMotion
    axis: Axis
    name: str
    q: slice
    v: slice

    def direction(self, joint: Any) -> np.ndarray | None:
        """Return the axis of this motion in a joint.

        Parameters
        ----------
        joint : Joint
            Joint of this kind.

        Returns
        -------
        ndarray (3,) or None
            Unit vector in the joint's frame; None if the motion has no axis.
        """
        if self.axis is None:
            return None
        return getattr(joint, self.axis) if isinstance(self.axis, str) else np.array(self.axis)


@renamed_field("spelled", "aliases")
@dataclass(frozen=True)
class Kind:
    """A kind of joints: elementary motions, one after the other, all about the joint's point.

    axes: one `Axis` per motion; by default "axis" for those that have one. names: of the motions,
    by default "1", "2", ... aliases: its names in file formats, by format: "urdf", "sdf", "mjcf" or
    "dh". Writers use the first, or the second for a joint without limits. loop: kind of the
    `jounce.Loop` that replaces such a joint if it closes a loop; None if it cannot close one.
    """

    name: str
    motions: tuple[ElementaryMotion, ...]
    axes: tuple[Axis, ...] = ()
    names: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loop: str | tuple[bool, ...] | None = None

    def __post_init__(self) -> None:
        put, what = object.__setattr__, f"joint kind '{self.name}'"
        put(self, "motions", tuple(self.motions))
        if not self.name or not self.motions:
            raise ModelError(f"{what}: expected a name and one motion or more")
        for motion in self.motions:
            if not isinstance(motion, ElementaryMotion):
                raise ModelError(f"{what}: expected motions such as REVOLUTE, found {motion!r}")
        n = len(self.motions)
        if not self.axes:
            put(self, "axes", tuple("axis" if m.has_axis else None for m in self.motions))
        if not self.names:
            put(self, "names", tuple(str(k + 1) for k in range(n)))
        for name in ("axes", "names"):
            values = tuple(getattr(self, name))
            put(self, name, values)
            if len(values) != n:
                raise ModelError(f"{what}: expected {n} {name}, one per motion, found {values}")
        put(self, "axes", tuple(_check_axis(axis, what) for axis in self.axes))

    # -------------------------------------------------------------- sizes and places

    @cached_property
    def nq(self) -> int:
        """Number of coordinates."""
        return sum(motion.nq for motion in self.motions)

    @cached_property
    def nv(self) -> int:
        """Number of velocities."""
        return sum(motion.nv for motion in self.motions)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The motions with their places."""
        out, q, v = [], 0, 0
        for motion, axis, name in zip(self.motions, self.axes, self.names, strict=True):
            places = slice(q, q + motion.nq), slice(v, v + motion.nv)
            out.append(Part(motion, axis, name, *places))
            q, v = q + motion.nq, v + motion.nv
        return tuple(out)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Fields of a joint that hold its axes: none, "axis", "axis2" or both."""
        return tuple(name for name in AXES if name in (self.axes))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Unit of each coordinate: "rad", "m", or "" for those of unit vectors."""
        return tuple(unit for motion in self.motions for unit in motion.units)

    @cached_property
    def turns(self) -> tuple[bool, ...]:
        """For each velocity, True if it is angular."""
        return tuple(turns for motion in self.motions for turns in motion.turns)

    @cached_property
    def unit_vectors(self) -> tuple[slice, ...]:
        """Slices of the coordinates that hold quaternions or other unit vectors."""
        units = ((part.q.start, part.motion.unit) for part in self.parts)
        return tuple(slice(q + x.start, q + x.stop) for q, x in units if x.stop > x.start)

    @cached_property
    def limited(self) -> tuple[tuple[int, int], ...]:
        """Pairs of a coordinate and the entry of the limits that bounds it."""
        return _pairs(part for part in self.parts if part.motion.limited)

    @cached_property
    def rates(self) -> tuple[tuple[int, int], ...]:
        """Pairs of a coordinate and the velocity that is its time derivative."""
        return _pairs(part for part in self.parts if part.motion.flat)

    @property
    def single(self) -> bool:
        """True for one coordinate, whose rate is the velocity: required of mimics."""
        return self.rates == ((0, 0),) and self.nq == self.nv == 1

    @property
    def pitched(self) -> bool:
        """True if the kind uses the joint's pitch."""
        return any(motion.pitched for motion in self.motions)

    @property
    def axial(self) -> bool:
        """True if the joint's axes determine its directions completely."""
        fields = all(isinstance(axis, str) for axis in self.axes)
        return fields and all(motion.axial for motion in self.motions)

    @property
    def repeats_motion(self) -> bool:
        """True if the same motion occurs twice in a row, about different axes of the joint."""
        return any(
            first.motion == second.motion and {first.axis, second.axis} == set(AXES)
            for first, second in pairwise(self.parts)
        )

    @property
    def coordinates(self) -> tuple[str, str]:
        """Descriptions of q and v, such as ("angle", "rate")."""
        words = [motion.words[0] for motion in self.motions]
        for word in {word for word in words if words.count(word) > 1}:
            numbers = iter(range(1, len(words) + 1))
            words = [f"{w} {next(numbers)}" if w == word else w for w in words]
        rates = [motion.words[1] for motion in self.motions]
        several = len(rates) > 1 and set(rates) == {"rate"}
        return ", ".join(words), "rates" if several else ", ".join(rates)

    # -------------------------------------------------------------- configurations

    def neutral(self) -> np.ndarray:
        """Return the configuration at which the joint moves nothing.

        Returns
        -------
        ndarray (nq,)
            Zeros, and identity quaternions.
        """
        return np.concatenate([motion.neutral() for motion in self.motions])

    def random(
        self,
        rng: np.random.Generator,
        shape: tuple[int, ...],
        lower: np.ndarray,
        upper: np.ndarray,
    ) -> np.ndarray:
        """Return random coordinates within limits; unit vectors are uniform on their sphere.

        Parameters
        ----------
        rng : Generator
            Random number generator.
        shape : tuple of int
            Batch shape.
        lower, upper : ndarray (nv,)
            Limits in rad or m; infinite ones are replaced, see `finite_range`.

        Returns
        -------
        ndarray (*shape, nq)
            Coordinates.
        """
        q = np.empty((*shape, self.nq))
        boxed = np.ones(self.nq, dtype=bool)
        for place in self.unit_vectors:
            size = place.stop - place.start
            direction = rng.standard_normal((*shape, size))
            q[..., place] = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
            boxed[place] = False
        low, high = np.full(self.nq, -np.inf), np.full(self.nq, np.inf)
        for i, k in self.limited:
            low[i], high[i] = lower[k], upper[k]
        span = np.array([SPANS[unit] for unit in self.units])
        low, high = (x[boxed] for x in finite_range(low, high, span))
        # halves, whose difference is finite, however far apart the limits are
        half = 0.5 * low + (0.5 * high - 0.5 * low) * rng.random((*shape, len(low)))
        q[..., boxed] = np.clip(2.0 * half, low, high)
        return q

    def armature_problem(self, armature: Sequence[Any]) -> str:
        """Return why an armature is invalid for this kind, or '' if it is valid.

        Parameters
        ----------
        armature : sequence (nv,)
            Rotor inertia in kg m^2 or kg per velocity, of any scalar type.

        Returns
        -------
        str
            The violated condition in words.
        """
        for part in self.parts:
            values, motion = armature[part.v], part.motion
            who = f"{motion} joint"
            if len(self.parts) > 1:
                who = f"{motion} part of a {self.name} joint"
            if motion.armature == "none" and any(x != 0 for x in values):
                return f"a {who} has no drive, so no armature"
            if motion.armature == "ball" and any(x != values[0] for x in values):
                return f"the armature of a {who} must be the same about its three axes"
        return ""

    def spring_problem(self, stiffness: Sequence[Any]) -> str:
        """Return why a joint cannot have springs of this stiffness, or ''.

        Parameters
        ----------
        stiffness : sequence (nv,)
            Stiffness in N m/rad or N/m per velocity, of any scalar type.

        Returns
        -------
        str
            The violated condition in words.
        """
        for part in self.parts:
            values, motion = stiffness[part.v], part.motion
            if motion.armature == "none" and any(x != 0 for x in values):
                return f"a {motion} joint cannot have a spring; set its stiffness to 0"
            if motion.armature == "ball" and any(x != values[0] for x in values):
                return f"the stiffness of a {motion} joint must be the same about its three axes"
        return ""


def finite_range(low: Any, high: Any, span: Any) -> tuple[Any, Any]:
    """Return limits in which infinite ones are replaced by finite ones.

    Without a limit the range ends a span from zero, or two spans from the limit on the other side
    if that is beyond.

    Parameters
    ----------
    low, high, span : array_like
        Limits, perhaps infinite, and half the default range.

    Returns
    -------
    tuple of ndarray
        Lower and upper limits, finite.
    """
    floor = np.where(np.isfinite(high), np.minimum(-span, high - 2 * span), -span)
    ceiling = np.where(np.isfinite(low), np.maximum(span, low + 2 * span), span)
    return np.where(np.isfinite(low), low, floor), np.where(np.isfinite(high), high, ceiling)


def _pairs(parts: Iterable[Part]) -> tuple[tuple[int, int], ...]:
    """Pairs of coordinates and velocities of motions with equally many of them."""
    return tuple(
        (part.q.start + k, part.v.start + k) for part in parts for k in range(part.motion.nv)
    )


def _check_axis(axis: Any, what: str) -> Axis:
    """An axis of a kind; directions with length one."""
    if axis is None or axis in AXES:
        return axis
    try:
        direction = np.array(axis, dtype=float)
    except (TypeError, ValueError):
        direction = np.zeros(0)
    length = float(np.linalg.norm(direction))
    if direction.shape != (3,) or not 1e-9 < length < np.inf:
        choices = ", ".join(f"'{name}'" for name in AXES)
        raise ModelError(f"{what}: an axis must be {choices}, a direction or None, found {axis!r}")
    x, y, z = (direction / length).tolist()
    return x, y, z
