"""Targets as numbers for a kernel, and what is wrong with those of single samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.arrays.validation import precision
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.goals import Balance, Goal, Place, Pointing, Shut, Turn
from jounce.math.lie import UNIT
from jounce.model.model import Model
from jounce.solve.inverse_kinematics.array_libraries import HOST, Arrays
from jounce.solve.inverse_kinematics.targets import (
    FORMS,
    Direction,
    Orientation,
    Pose,
    Position,
    Target,
    axis_of,
    counted,
)

#: The target that is not one of a frame.
CENTER_OF_MASS = "center_of_mass"

#: What a gap of a loop counts beside a distance or an angle that a target misses.
_LOOP_WEIGHT = 1.0

#: How far the last row of a pose may be from (0, 0, 0, 1).
_ROUNDED = 1e-9

#: Products of some rotations are off by this much, and stay as they are.
EXACT = 1e-14


@dataclass
class Problem:
    """Goals for a kernel with their numbers, and what is wrong with some samples.

    arrays: what all arrays are. names: the target of each goal, or its loop. weights, numbers: of
    each goal, (..., 1) and (..., size). faults: what is wrong in words, with the samples (...,)
    that it is wrong with. given: the kinds of numbers of what was given.
    """

    model: Model
    title: str
    arrays: Arrays = HOST
    goals: list[Goal] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)
    numbers: list[Any] = field(default_factory=list)
    faults: list[tuple[str, Any]] = field(default_factory=list)
    given: list[np.dtype[Any]] = field(default_factory=list)

    @property
    def xp(self) -> Any:
        """Functions of its arrays."""
        return self.arrays.xp

    def add(self, name: str, goal: Goal, weight: Any, *numbers: Any) -> None:
        """One more goal; numbers: arrays whose last axes are joined."""
        batch = np.broadcast_shapes(*(tuple(x.shape[:-1]) for x in numbers)) if numbers else ()
        wide = [self.xp.broadcast_to(x, (*batch, x.shape[-1])) for x in numbers]
        none = self.arrays.full((0,), 0.0)
        self.goals.append(goal)
        self.names.append(name)
        self.weights.append(weight[..., None])
        self.numbers.append(self.xp.concatenate(wide, axis=-1) if wide else none)

    def fault(self, words: str, wrong: Any) -> None:
        """Note what is wrong, if it is wrong with any sample."""
        if self.arrays.any(wrong):
            self.faults.append((words, wrong))

    def note(self, x: Any) -> None:
        """Take into account how precise something is that is given; plain numbers are not."""
        if hasattr(x, "dtype"):
            self.given.append(self.arrays.dtype(x, self.title))

    def precision(self) -> np.dtype[Any]:
        """What results are in."""
        return precision(np.empty(0, dtype) for dtype in self.given)

    def batches(self) -> dict[str, tuple[int, ...]]:
        """The leading axes of each target."""
        out: dict[str, tuple[int, ...]] = {}
        for name, *arrays in zip(self.names, self.weights, self.numbers, strict=True):
            shapes = (tuple(x.shape[:-1]) for x in arrays)
            out[name] = np.broadcast_shapes(out.get(name, ()), *shapes)
        return out

    @property
    def weight_places(self) -> list[int]:
        """Where among the packed numbers the weight of each goal is."""
        sizes = [1 + goal.size for goal in self.goals]
        return [sum(sizes[:k]) for k in range(len(sizes))]

    def packed(self, batch: tuple[int, ...]) -> Any:
        """All numbers (n, ...) for the kernel, each goal's weight first."""
        parts = [x for pair in zip(self.weights, self.numbers, strict=True) for x in pair]
        wide = [self.xp.broadcast_to(x, (*batch, x.shape[-1])) for x in parts]
        size = sum(x.shape[-1] for x in parts)
        return self.xp.concatenate(wide, axis=-1).reshape((math.prod(batch), size))


def problem(model: Model, targets: Any, title: str, arrays: Arrays = HOST) -> Problem:
    """What users ask for, in numbers; what no sample could be about is an ArgumentError."""
    if not isinstance(targets, Mapping) or not targets:
        frame = printable(model.frames[-1].name)
        raise ArgumentError(
            f"{title}: targets must be a mapping such as {{'{frame}': pose}}, found {targets!r:.60}"
        )
    out = Problem(model, title, arrays)
    for name, value in targets.items():
        several = isinstance(value, (list, tuple)) and any(isinstance(x, Target) for x in value)
        for target in value if several else (value,):
            _add(out, name, target)
    return out


def with_loops(out: Problem) -> Problem:
    """The same with closed loops among the goals."""
    for k, loop in enumerate(out.model.loops):
        for turns, locked in ((True, loop.locked[:3]), (False, loop.locked[3:])):
            if any(locked):
                out.add(loop.name, Shut(k, turns), out.arrays.full((), _LOOP_WEIGHT))
    return out


def _add(out: Problem, name: Any, given: Any) -> None:
    """One target of a frame, or of the centre of mass."""
    what = f"{out.title}: target {printable(repr(name))}"
    frame = -1 if name == CENTER_OF_MASS else _frame(out, name)
    target = given if isinstance(given, Target) else _plainly(out, given, what, turns=frame >= 0)
    if frame < 0:
        _check_balance(out.model, target, what)
    try:
        _READ[type(target)](out, str(name), frame, target, what)
    except ValueError as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{what}: {error}") from error


def _check_balance(model: Model, target: Target, what: str) -> None:
    """Refuse what cannot be said of the centre of mass."""
    if not isinstance(target, Position) or target.at is not None:
        raise ArgumentError(
            f"{what}: of the centre of mass only a position (..., 3) can be given, found {target!r}"
        )
    if CENTER_OF_MASS in {frame.name for frame in model.frames}:
        raise ArgumentError(f"{what}: a frame has this name, too; give the frame another one")


def _plainly(out: Problem, given: Any, what: str, turns: bool) -> Target:
    """The target that an array stands for: poses or positions; turns: whether it could turn."""
    x = out.arrays.given(getattr(given, "homogeneous", given), what)  # as Pinocchio's poses have it
    shape = tuple(x.shape)
    if shape[-2:] == (4, 4):
        return Pose(x)
    if shape[-1:] == (3,):
        square = turns and shape[-2:] == (3, 3)
        if square and out.arrays.any(_skewness(out, out.arrays.array(x, what)) <= UNIT):
            raise ArgumentError(
                f"{what}: arrays of shape {shape} are positions, but these are a rotation matrix;"
                " use jounce.Orientation(...) if that is what they are, else jounce.Position(...)"
            )
        return Position(x)
    raise ArgumentError(f"{what}: expected {FORMS}; found shape {shape}")


def _skewness(out: Problem, R: Any) -> Any:
    """How far matrices (..., 3, 3) are from orthogonal ones."""
    xp = out.xp
    return xp.amax(xp.abs(R @ xp.swapaxes(R, -1, -2) - _identity(out)), axis=(-2, -1))


def _identity(out: Problem) -> Any:
    return out.arrays.own(np.eye(3))


def _frame(out: Problem, name: Any) -> int:
    """The frame of a name; where there is none that is wrong with all samples."""
    try:
        return out.model.frame_index(name)
    except ModelError as error:
        out.fault(f"{error}, or '{CENTER_OF_MASS}'", out.arrays.full((), True))
        return 0  # for shapes; it is not searched for


# ------------------------------------------------------------------ one reader per target


def _pose(out: Problem, name: str, frame: int, target: Pose, what: str) -> None:
    T = _array(out, target.pose, what, (4, 4))
    out.note(target.pose)
    row = out.arrays.own(np.array((0.0, 0.0, 0.0, 1.0)))
    last = out.xp.amax(out.xp.abs(T[..., 3, :] - row), axis=-1)
    out.fault(f"the last row of target '{name}' is not (0, 0, 0, 1)", last > _ROUNDED)
    weight, angular = _weight(out, target.weight, what), _weight(out, target.angle_weight, what)
    R = _rotation(out, T[..., :3, :3], name)
    p = _finite(out, T[..., :3, 3], name)
    out.add(name, Turn(frame), weight * angular, _flat(R))
    out.add(name, Place(frame), weight, p)


def _position(out: Problem, name: str, frame: int, target: Position, what: str) -> None:
    p = _finite(out, _array(out, target.position, what, (3,)), name)
    out.note(target.position)
    weight, axes = _weight(out, target.weight, what), counted(target.axes)
    if frame < 0:
        out.add(name, Balance(axes), weight, p)
    elif target.at is None:
        out.add(name, Place(frame, axes), weight, p)
    else:
        at = _finite(out, _array(out, target.at, f"{what}: at", (3,)), name)
        out.add(name, Place(frame, axes, True), weight, p, at)


def _orientation(out: Problem, name: str, frame: int, target: Orientation, what: str) -> None:
    x = out.arrays.array(target.orientation, what)
    out.note(target.orientation)
    if tuple(x.shape[-1:]) == (4,):
        R = _from_quaternion(out, _finite(out, x, name), name)
    elif tuple(x.shape[-2:]) == (3, 3):
        R = _rotation(out, x, name)
    else:
        raise ArgumentError(
            f"{what}: expected a rotation (..., 3, 3) or a quaternion (..., 4), found shape"
            f" {tuple(x.shape)}"
        )
    out.add(name, Turn(frame), _weight(out, target.weight, what), _flat(R))


def _direction(out: Problem, name: str, frame: int, target: Direction, what: str) -> None:
    d = _unit(out, _array(out, target.direction, what, (3,)), f"the direction of target '{name}'")
    out.note(target.direction)
    axis = _array(out, axis_of(target.axis), f"{what}: axis", (3,))
    z = _unit(out, axis, f"the axis of target '{name}'")
    out.add(name, Pointing(frame), _weight(out, target.weight, what), d, _axes_about(out, z))


_READ: dict[type, Callable[..., None]] = {
    Pose: _pose,
    Position: _position,
    Orientation: _orientation,
    Direction: _direction,
}


# ------------------------------------------------------------------ numbers


def _array(out: Problem, x: Any, what: str, core: tuple[int, ...]) -> Any:
    array = out.arrays.array(x, what)
    shape = tuple(array.shape)
    if shape[len(shape) - len(core) :] != core or len(shape) < len(core):
        wanted = ", ".join(("...", *map(str, core)))
        raise ArgumentError(f"{what} must have shape ({wanted}), found {shape}")
    return array


def _weight(out: Problem, x: Any, what: str) -> Any:
    weight = out.arrays.array(x, f"{what}: weight")
    if out.arrays.any(~((weight >= 0.0) & out.xp.isfinite(weight))):
        raise ArgumentError(f"{what}: weights must be finite and >= 0, found {x!r:.60}")
    return weight


def _flat(R: Any) -> Any:
    """Matrices (..., 3, 3) row by row, (..., 9)."""
    return R.reshape((*R.shape[:-2], 9))


def _finite(out: Problem, x: Any, name: str) -> Any:
    """The same, with zeros for the numbers of samples that have some that are not finite."""
    sound = out.xp.all(out.xp.isfinite(x), axis=-1)
    out.fault(f"target '{name}' is not finite", ~sound)
    return out.xp.where(sound[..., None], x, 0.0)


def _unit(out: Problem, x: Any, what: str) -> Any:
    """Directions of length one; z where there is none."""
    xp = out.xp
    x = x / xp.amax(xp.abs(x), axis=-1, keepdims=True)  # whose squares are numbers
    x = x / xp.linalg.norm(x, axis=-1, keepdims=True)
    sound = xp.all(xp.isfinite(x), axis=-1)
    out.fault(f"{what} is zero or not finite", ~sound)
    return xp.where(sound[..., None], x, out.arrays.own(np.array((0.0, 0.0, 1.0))))


def _rotation(out: Problem, R: Any, name: str) -> Any:
    """The nearest rotations; 1 where there is none nearby."""
    xp, one = out.xp, _identity(out)
    finite = xp.all(xp.isfinite(R), axis=(-2, -1))
    out.fault(f"target '{name}' is not finite", ~finite)
    R = xp.where(finite[..., None, None], R, one)
    off = _skewness(out, R)
    across = xp.cross(R[..., 1, :], R[..., 2, :], axis=-1)
    sound = (off <= UNIT) & (xp.sum(R[..., 0, :] * across, axis=-1) > 0.0)  # det R
    out.fault(f"the orientation of target '{name}' is not a rotation matrix", ~sound)
    R, rounded = xp.where(sound[..., None, None], R, one), sound & (off > EXACT)
    if not out.arrays.any(rounded):
        return R
    return xp.where(rounded[..., None, None], orthonormalize(xp, R, one), R)


def orthonormalize(xp: Any, R: Any, one: Any) -> Any:
    """Return the rotations nearest to matrices (..., 3, 3) that are almost some; one: the identity.

    Newton and Schulz, as `math.lie.nearest_rotation`.
    """
    for _ in range(4):
        R = R @ (1.5 * one - 0.5 * xp.swapaxes(R, -1, -2) @ R)
    return R


def _from_quaternion(out: Problem, q: Any, name: str) -> Any:
    some = out.xp.any(q != 0.0, axis=-1)
    out.fault(f"the quaternion of target '{name}' is zero", ~some)
    still = out.arrays.own(np.array((1.0, 0.0, 0.0, 0.0)))
    return lie.quaternion.Ad(out.xp.where(some[..., None], q, still))


def _axes_about(out: Problem, z: Any) -> Any:
    """Rotation matrices (..., 9), row by row, whose third column is the unit vector z."""
    xp = out.xp
    other = _identity(out)[xp.argmin(xp.abs(z), axis=-1)]
    x = xp.cross(other, z, axis=-1)
    x = x / xp.linalg.norm(x, axis=-1, keepdims=True)
    return _flat(xp.stack((x, xp.cross(z, x, axis=-1), z), axis=-1))
