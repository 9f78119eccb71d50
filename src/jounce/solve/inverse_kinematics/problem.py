"""Conversion of targets to the numbers of a kernel, with the faults of each sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.arrays.validation import precision
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.goals import (
    CenterOfMassGoal,
    DirectionGoal,
    Goal,
    LoopGoal,
    OrientationGoal,
    PositionGoal,
)
from jounce.math.lie import UNIT_TOLERANCE
from jounce.model.model import Model
from jounce.solve.inverse_kinematics.array_libraries import HOST, Arrays
from jounce.solve.inverse_kinematics.targets import (
    FORMS,
    Direction,
    Orientation,
    Pose,
    Position,
    Target,
    axis_indices,
    parse_axis,
)

#: Name of the target of the center of mass, which is not a frame.
CENTER_OF_MASS = "center_of_mass"

#: Weight of the error of a loop against errors of targets.
_LOOP_WEIGHT = 1.0

#: Largest allowed difference of the last row of a pose from (0, 0, 0, 1).
_LAST_ROW_TOLERANCE = 1e-9

#: Orthogonality error that products of rotations have by round-off; not corrected.
ROTATION_ROUND_OFF = 1e-14


@dataclass
class Problem:
    """Goals of a kernel with their numbers, and the faults of samples."""

    model: Model
    #: Prefix of error messages.
    title: str
    #: The array library.
    arrays: Arrays = HOST
    goals: list[Goal] = field(default_factory=list)
    #: Name of the target or loop of each goal.
    names: list[str] = field(default_factory=list)
    #: Weight (..., 1) of each goal.
    weights: list[Any] = field(default_factory=list)
    #: Numbers (..., size) of each goal.
    numbers: list[Any] = field(default_factory=list)
    #: Message of each fault, and a mask (...,) of the samples that have it.
    faults: list[tuple[str, Any]] = field(default_factory=list)
    #: Dtypes of the array arguments.
    dtypes: list[np.dtype[Any]] = field(default_factory=list)

    @property
    def xp(self) -> Any:
        """Namespace of array functions."""
        return self.arrays.xp

    def add(self, name: str, goal: Goal, weight: Any, *numbers: Any) -> None:
        """Add a goal; numbers: arrays that are concatenated along their last axes."""
        batch = np.broadcast_shapes(*(tuple(x.shape[:-1]) for x in numbers)) if numbers else ()
        wide = [self.xp.broadcast_to(x, (*batch, x.shape[-1])) for x in numbers]
        none = self.arrays.full((0,), 0.0)
        self.goals.append(goal)
        self.names.append(name)
        self.weights.append(weight[..., None])
        self.numbers.append(self.xp.concatenate(wide, axis=-1) if wide else none)

    def add_fault(self, words: str, wrong: Any) -> None:
        """Record a fault if any sample has it."""
        if self.arrays.any(wrong):
            self.faults.append((words, wrong))

    def note_dtype(self, x: Any) -> None:
        """Record the dtype of an argument, which determines the precision of results."""
        if hasattr(x, "dtype"):
            self.dtypes.append(self.arrays.dtype(x, self.title))

    def precision(self) -> np.dtype[Any]:
        """Return the dtype of results."""
        return precision(np.empty(0, dtype) for dtype in self.dtypes)

    def batch_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the batch shape of each target."""
        out: dict[str, tuple[int, ...]] = {}
        for name, *arrays in zip(self.names, self.weights, self.numbers, strict=True):
            shapes = (tuple(x.shape[:-1]) for x in arrays)
            out[name] = np.broadcast_shapes(out.get(name, ()), *shapes)
        return out

    @property
    def weight_places(self) -> list[int]:
        """Columns of the weights of all goals in the packed numbers."""
        sizes = [1 + goal.size for goal in self.goals]
        return [sum(sizes[:k]) for k in range(len(sizes))]

    def pack(self, batch: tuple[int, ...]) -> Any:
        """Return all numbers (n, ...) for the kernel, each goal's weight first."""
        parts = [x for pair in zip(self.weights, self.numbers, strict=True) for x in pair]
        wide = [self.xp.broadcast_to(x, (*batch, x.shape[-1])) for x in parts]
        size = sum(x.shape[-1] for x in parts)
        return self.xp.concatenate(wide, axis=-1).reshape((math.prod(batch), size))


def make_problem(model: Model, targets: Any, title: str, arrays: Arrays = HOST) -> Problem:
    """Convert targets to goals; raise ArgumentError if they are invalid for all samples."""
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


def add_loops(out: Problem) -> Problem:
    """Add closure of all loops to the goals."""
    for k, loop in enumerate(out.model.loops):
        for turns, locked in ((True, loop.locked[:3]), (False, loop.locked[3:])):
            if any(locked):
                out.add(loop.name, LoopGoal(k, turns), out.arrays.full((), _LOOP_WEIGHT))
    return out


def _add(out: Problem, name: Any, target: Any) -> None:
    """Add a target of a frame or of the center of mass."""
    what = f"{out.title}: target {printable(repr(name))}"
    frame = -1 if name == CENTER_OF_MASS else _frame(out, name)
    parsed = (
        target if isinstance(target, Target) else _infer_target(out, target, what, turns=frame >= 0)
    )
    if frame < 0:
        _check_balance(out.model, parsed, what)
    try:
        _PARSERS[type(parsed)](out, str(name), frame, parsed, what)
    except ValueError as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{what}: {error}") from error


def _check_balance(model: Model, target: Target, what: str) -> None:
    """Raise unless a target is a valid one for the center of mass."""
    if not isinstance(target, Position) or target.at is not None:
        raise ArgumentError(
            f"{what}: the center of mass takes only a position (..., 3), found {target!r}"
        )
    if CENTER_OF_MASS in {frame.name for frame in model.frames}:
        raise ArgumentError(f"{what}: a frame has the same name; rename the frame")


def _infer_target(out: Problem, target: Any, what: str, turns: bool) -> Target:
    """Return the pose or position target for an array; turns: whether rotations are possible."""
    x = out.arrays.as_array(getattr(target, "homogeneous", target), what)  # poses of Pinocchio
    shape = tuple(x.shape)
    if shape[-2:] == (4, 4):
        return Pose(x)
    if shape[-1:] == (3,):
        square = turns and shape[-2:] == (3, 3)
        if square and out.arrays.any(
            _orthogonality_error(out, out.arrays.array(x, what)) <= UNIT_TOLERANCE
        ):
            raise ArgumentError(
                f"{what}: arrays of shape {shape} are read as positions, but this one is a rotation"
                " matrix; use jounce.Orientation(...), or jounce.Position(...) if positions are"
                " meant"
            )
        return Position(x)
    raise ArgumentError(f"{what}: expected {FORMS}; found shape {shape}")


def _orthogonality_error(out: Problem, R: Any) -> Any:
    """Return the largest entry of |R R^T - 1| for matrices (..., 3, 3)."""
    xp = out.xp
    return xp.amax(xp.abs(R @ xp.swapaxes(R, -1, -2) - _identity(out)), axis=(-2, -1))


def _identity(out: Problem) -> Any:
    return out.arrays.from_numpy(np.eye(3))


def _frame(out: Problem, name: Any) -> int:
    """Return the index of a frame; an unknown name is a fault of all samples."""
    try:
        return out.model.frame_index(name)
    except ModelError as error:
        out.add_fault(f"{error}, or '{CENTER_OF_MASS}'", out.arrays.full((), True))
        return 0  # any frame: only the shapes are used


# ------------------------------------------------------------------ one reader per target


def _pose(out: Problem, name: str, frame: int, target: Pose, what: str) -> None:
    T = _array(out, target.pose, what, (4, 4))
    out.note_dtype(target.pose)
    row = out.arrays.from_numpy(np.array((0.0, 0.0, 0.0, 1.0)))
    last = out.xp.amax(out.xp.abs(T[..., 3, :] - row), axis=-1)
    out.add_fault(
        f"the last row of target '{name}' is not (0, 0, 0, 1)", last > _LAST_ROW_TOLERANCE
    )
    weight, angular = _weight(out, target.weight, what), _weight(out, target.angle_weight, what)
    R = _rotation(out, T[..., :3, :3], name)
    p = _finite(out, T[..., :3, 3], name)
    out.add(name, OrientationGoal(frame), weight * angular, _flat(R))
    out.add(name, PositionGoal(frame), weight, p)


def _position(out: Problem, name: str, frame: int, target: Position, what: str) -> None:
    p = _finite(out, _array(out, target.position, what, (3,)), name)
    out.note_dtype(target.position)
    weight, axes = _weight(out, target.weight, what), axis_indices(target.axes)
    if frame < 0:
        out.add(name, CenterOfMassGoal(axes), weight, p)
    elif target.at is None:
        out.add(name, PositionGoal(frame, axes), weight, p)
    else:
        point = _finite(out, _array(out, target.at, f"{what}: at", (3,)), name)
        out.add(name, PositionGoal(frame, axes, True), weight, p, point)


def _orientation(out: Problem, name: str, frame: int, target: Orientation, what: str) -> None:
    x = out.arrays.array(target.orientation, what)
    out.note_dtype(target.orientation)
    if tuple(x.shape[-1:]) == (4,):
        R = _from_quaternion(out, _finite(out, x, name), name)
    elif tuple(x.shape[-2:]) == (3, 3):
        R = _rotation(out, x, name)
    else:
        raise ArgumentError(
            f"{what}: expected a rotation (..., 3, 3) or a quaternion (..., 4), found shape"
            f" {tuple(x.shape)}"
        )
    out.add(name, OrientationGoal(frame), _weight(out, target.weight, what), _flat(R))


def _direction(out: Problem, name: str, frame: int, target: Direction, what: str) -> None:
    d = _unit(out, _array(out, target.direction, what, (3,)), f"the direction of target '{name}'")
    out.note_dtype(target.direction)
    axis = _array(out, parse_axis(target.axis), f"{what}: axis", (3,))
    z = _unit(out, axis, f"the axis of target '{name}'")
    out.add(name, DirectionGoal(frame), _weight(out, target.weight, what), d, _frame_about(out, z))


_PARSERS: dict[type, Callable[..., None]] = {
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
        expected = ", ".join(("...", *map(str, core)))
        raise ArgumentError(f"{what} must have shape ({expected}), found {shape}")
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
    """Replace the numbers of samples that are not finite by zeros, and record the fault."""
    sound = out.xp.all(out.xp.isfinite(x), axis=-1)
    out.add_fault(f"target '{name}' is not finite", ~sound)
    return out.xp.where(sound[..., None], x, 0.0)


def _unit(out: Problem, x: Any, what: str) -> Any:
    """Return unit vectors; the z axis for those that are zero or not finite."""
    xp = out.xp
    x = x / xp.amax(xp.abs(x), axis=-1, keepdims=True)  # squares do not overflow
    x = x / xp.linalg.norm(x, axis=-1, keepdims=True)
    sound = xp.all(xp.isfinite(x), axis=-1)
    out.add_fault(f"{what} is zero or not finite", ~sound)
    return xp.where(sound[..., None], x, out.arrays.from_numpy(np.array((0.0, 0.0, 1.0))))


def _rotation(out: Problem, R: Any, name: str) -> Any:
    """Return the nearest rotations; the identity for matrices that are not rotations."""
    xp, identity = out.xp, _identity(out)
    finite = xp.all(xp.isfinite(R), axis=(-2, -1))
    out.add_fault(f"target '{name}' is not finite", ~finite)
    R = xp.where(finite[..., None, None], R, identity)
    error = _orthogonality_error(out, R)
    cross = xp.cross(R[..., 1, :], R[..., 2, :], axis=-1)
    sound = (error <= UNIT_TOLERANCE) & (xp.sum(R[..., 0, :] * cross, axis=-1) > 0.0)  # det R
    out.add_fault(f"the orientation of target '{name}' is not a rotation matrix", ~sound)
    R, inexact = xp.where(sound[..., None, None], R, identity), sound & (error > ROTATION_ROUND_OFF)
    if not out.arrays.any(inexact):
        return R
    return xp.where(inexact[..., None, None], orthonormalize(xp, R, identity), R)


def orthonormalize(xp: Any, R: Any, identity: Any) -> Any:
    """Return the rotations nearest to almost orthogonal matrices (..., 3, 3).

    Newton-Schulz iteration, as in `math.lie.nearest_rotation`.
    """
    for _ in range(4):
        R = R @ (1.5 * identity - 0.5 * xp.swapaxes(R, -1, -2) @ R)
    return R


def _from_quaternion(out: Problem, q: Any, name: str) -> Any:
    nonzero = out.xp.any(q != 0.0, axis=-1)
    out.add_fault(f"the quaternion of target '{name}' is zero", ~nonzero)
    identity = out.arrays.from_numpy(np.array((1.0, 0.0, 0.0, 0.0)))
    return lie.quaternion.Ad(out.xp.where(nonzero[..., None], q, identity))


def _frame_about(out: Problem, z: Any) -> Any:
    """Rotation matrices (..., 9), row by row, whose third column is the unit vector z."""
    xp = out.xp
    other = _identity(out)[xp.argmin(xp.abs(z), axis=-1)]
    x = xp.cross(other, z, axis=-1)
    x = x / xp.linalg.norm(x, axis=-1, keepdims=True)
    return _flat(xp.stack((x, xp.cross(z, x, axis=-1), z), axis=-1))
