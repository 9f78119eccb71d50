"""Elastic drives of a robot: the driven velocities, and checks of the drives' numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.arrays.validation import check_out_type, plain, store_result
from jounce.catalog.elastic import DRIVES
from jounce.errors import ArgumentError, printable
from jounce.formulas.elastic import coordinates, motors

if TYPE_CHECKING:
    from jounce.robot.system import System

#: Maximum number of checked vectors that are cached.
_MAX_CACHED = 64


class ElasticMotion(NamedTuple):
    """Motion and torque of the motors; every array is (..., nv), in rad or m and N m or N.

    For velocities without drive (free, spherical and planar joints) motor_position is NaN, the
    motor's velocity and acceleration are the joint's, and its torque is link_torque, the required
    force.
    """

    motor_position: np.ndarray
    motor_velocity: np.ndarray
    motor_acceleration: np.ndarray
    motor_torque: np.ndarray
    link_torque: np.ndarray


def stored_motion(results: tuple[np.ndarray, ...], out: Any, title: str) -> ElasticMotion:
    """Store the results in the arrays of `out`, if any."""
    if out is None:
        return ElasticMotion(*results)
    check_out(out, title)
    return ElasticMotion(
        *(store_result(x, place, title) for x, place in zip(results, out, strict=True))
    )


def check_out(out: Any, title: str) -> None:
    """Raise a TypeError unless `out` has an array or None for each result."""
    count = len(ElasticMotion._fields)
    if not isinstance(out, tuple) or len(out) != count:
        actual = f"{len(out)} entries" if isinstance(out, tuple) else type(out).__name__
        raise TypeError(f"{title}: out must be a tuple of {count} arrays or None, found {actual}")
    for array in out:
        if array is not None:
            check_out_type(array, title)


class Drives:
    """Driven velocities of a robot or mechanism, and checks of the drives' numbers."""

    def __init__(self, robot: System) -> None:
        tree = robot.tree
        self.name, self.nv = robot.name, tree.dof
        self.places = coordinates(tree)
        self.driven = np.array([place is not None for place in self.places])
        names, kinds = [""] * tree.nv, [""] * tree.nv
        for view in robot.joints.values():
            if view.joint.mimic is None:
                for i in range(view.v.start, view.v.stop):
                    names[i], kinds[i] = view.name, view.kind
        self.names = [names[i] for i in robot.velocities]
        self.kinds = [kinds[i] for i in robot.velocities]
        self._driven: list[bool] = self.driven.tolist()
        #: valid vectors, as bytes, by name
        self.right: dict[str, set[bytes]] = {name: set() for name in DRIVES}
        self._vectors: dict[tuple[str, float], np.ndarray] = {}

    def number(self, what: str, value: Any) -> np.ndarray:
        """Return `numbers`, with a fast path for a number or a vector (nv,)."""
        if type(value) is float:
            vector = self._vectors.get((what, value))
            if vector is None:
                vector = self.numbers(what, value)
                vector.flags.writeable = False
                _bounded_cache(self._vectors)[what, value] = vector
            return vector
        if type(value) is np.ndarray and value.shape == (self.nv,) and value.dtype == float:
            lowest, rigid = (
                np.nextafter(0.0, 1.0) if what == "stiffness" else 0.0,
                _rigid_value(what),
            )
            highest = np.inf if what == "stiffness" else sys.float_info.max
            if what.endswith("dstiffness"):
                lowest = -highest
            for x, driven in zip(value.tolist(), self._driven, strict=True):
                if not (lowest <= x <= highest if driven else x == rigid):
                    return self.numbers(what, value)  # raises the error
            _bounded_cache(self.right[what]).add(value.tobytes())
            return value
        return self.numbers(what, value)

    def numbers(self, what: str, value: Any, where: np.ndarray | None = None) -> np.ndarray:
        """Return a checked number of the drives for each velocity, (..., nv), in float64.

        what: "stiffness" (infinite without a drive), "damping", ... (zero without a drive). value:
        such an array, or a number for every drive. where: velocities that can have it, by default
        those with a drive.
        """
        allowed = self.driven if where is None else where
        values = np.asarray(plain(value, printable(f"{self.name}: {what}")), dtype=float)
        if values.ndim == 0:
            values = np.where(allowed, values, _rigid_value(what))
        if values.shape[-1] != self.nv:
            raise ArgumentError(
                f"{self.name}: {what} must have shape ({self.nv},) or be a number,"
                f" found shape {values.shape}; leading axes broadcast"
            )
        return self._check(what, values, allowed)

    def _check(self, what: str, values: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        if what == "stiffness":
            valid = values > 0.0
        elif what.endswith("stiffness"):
            valid = np.isfinite(values)
        else:
            valid = (values >= 0.0) & (values < np.inf)
        valid &= allowed | (values == _rigid_value(what))
        if not valid.all():
            self._raise_invalid(what, values, tuple(np.argwhere(~valid)[0].tolist()), allowed)
        return values

    def _raise_invalid(
        self, what: str, values: np.ndarray, index: tuple[int, ...], allowed: np.ndarray
    ) -> None:
        """Raise an error about the number at an index."""
        i, x, rigid = index[-1], values[index], _rigid_value(what)
        actual = f"found {x} at index {i if len(index) == 1 else index}"
        joint = f"{self.name}: {what} of joint '{self.names[i]}'"
        if not allowed[i] and x != rigid:
            why = "is rigid" if self.driven[i] else f"has no drive (it is {self.kinds[i]})"
            raise ArgumentError(f"{joint}, which {why}, must be {rigid}; {actual}")
        wanted = "be finite and >= 0"
        if what.endswith("stiffness"):
            wanted = "be > 0 (np.inf: rigid)" if what == "stiffness" else "be finite"
        raise ArgumentError(f"{joint} must {wanted}, {actual}")

    def motion(
        self,
        state: Sequence[np.ndarray],
        tau: np.ndarray,
        spring: tuple[np.ndarray, ...],
        damping: Any,
        motor_inertia: Any,
    ) -> tuple[np.ndarray, ...]:
        """Return the `ElasticMotion` entries from link torques and deflections with derivatives."""
        d, J = (
            self.numbers(what, 0.0 if x is None else x)
            for what, x in (("damping", damping), ("motor_inertia", motor_inertia))
        )
        shape = np.broadcast_shapes(tau.shape, *(x.shape for x in (*spring, d, J)))
        torques = np.broadcast_to(tau, shape).astype(float)
        results = motors(self.places, state[:3], torques, spring, d, J)
        results[0][..., ~self.driven] = np.nan
        # computed in float64; float32 states give float32 results
        return tuple(x.astype(tau.dtype, copy=False) for x in results)


def _bounded_cache(memory: Any) -> Any:
    """Return a cache, emptied if it is full."""
    if len(memory) >= _MAX_CACHED:
        memory.clear()
    return memory


def _rigid_value(what: str) -> float:
    """Return the value for velocities without drive."""
    return np.inf if what == "stiffness" else 0.0
