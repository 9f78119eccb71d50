"""The drives of a robot: which velocities have one, and whether their numbers can be true."""

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

#: How many vectors of numbers are remembered as right.
_REMEMBERED = 64


class ElasticMotion(NamedTuple):
    """What the motors do; every array is (..., nv), in rad or m and N m or N.

    Where a velocity belongs to no drive (free, spherical and planar joints) motor_position is NaN,
    the motor's velocity and acceleration are the joint's, and its torque is link_torque: the force
    that something else must provide.
    """

    motor_position: np.ndarray
    motor_velocity: np.ndarray
    motor_acceleration: np.ndarray
    motor_torque: np.ndarray
    link_torque: np.ndarray


def stored_motion(found: tuple[np.ndarray, ...], out: Any, title: str) -> ElasticMotion:
    """The results in the arrays that are given for them."""
    if out is None:
        return ElasticMotion(*found)
    check_out(out, title)
    return ElasticMotion(
        *(store_result(x, place, title) for x, place in zip(found, out, strict=True))
    )


def check_out(out: Any, title: str) -> None:
    """Refuse anything but a place for each result."""
    count = len(ElasticMotion._fields)
    if not isinstance(out, tuple) or len(out) != count:
        found = f"{len(out)} entries" if isinstance(out, tuple) else type(out).__name__
        raise TypeError(f"{title}: out must be a tuple of {count} arrays or None, found {found}")
    for one in out:
        if one is not None:
            check_out_type(one, title)


class Drives:
    """Which velocities of a robot or mechanism have a drive, and checked numbers of the drives."""

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
        #: vectors that were found right, as bytes, by name
        self.right: dict[str, set[bytes]] = {name: set() for name in DRIVES}
        self._vectors: dict[tuple[str, float], np.ndarray] = {}

    def number(self, what: str, value: Any) -> np.ndarray:
        """The same as `numbers`, quickly where it can be: for a number, or a vector (nv,)."""
        if type(value) is float:
            found = self._vectors.get((what, value))
            if found is None:
                found = self.numbers(what, value)
                found.flags.writeable = False
                _keep(self._vectors)[what, value] = found
            return found
        if type(value) is np.ndarray and value.shape == (self.nv,) and value.dtype == float:
            least, rest = np.nextafter(0.0, 1.0) if what == "stiffness" else 0.0, _rest(what)
            most = np.inf if what == "stiffness" else sys.float_info.max
            if what.endswith("dstiffness"):
                least = -most
            for x, driven in zip(value.tolist(), self._driven, strict=True):
                if not (least <= x <= most if driven else x == rest):
                    return self.numbers(what, value)  # says what is wrong
            _keep(self.right[what]).add(value.tobytes())
            return value
        return self.numbers(what, value)

    def numbers(self, what: str, value: Any, where: np.ndarray | None = None) -> np.ndarray:
        """A drive's number for each velocity, (..., nv), in double precision.

        what: "stiffness" (infinite where there is no drive), "damping", ... (zero there). value:
        such an array, or a number for every drive. where: which velocities can have it, by default
        those with a drive.
        """
        of = self.driven if where is None else where
        given = np.asarray(plain(value, printable(f"{self.name}: {what}")), dtype=float)
        if given.ndim == 0:
            given = np.where(of, given, _rest(what))
        if given.shape[-1] != self.nv:
            raise ArgumentError(
                f"{self.name}: {what} must have shape ({self.nv},) or be a number,"
                f" found shape {given.shape}; leading axes broadcast"
            )
        return self._checked(what, given, of)

    def _checked(self, what: str, given: np.ndarray, where: np.ndarray) -> np.ndarray:
        if what == "stiffness":
            right = given > 0.0
        elif what.endswith("stiffness"):
            right = np.isfinite(given)
        else:
            right = (given >= 0.0) & (given < np.inf)
        right &= where | (given == _rest(what))
        if not right.all():
            self._refuse(what, given, tuple(np.argwhere(~right)[0].tolist()), where)
        return given

    def _refuse(self, what: str, given: np.ndarray, at: tuple[int, ...], where: np.ndarray) -> None:
        """Say what is wrong with the number at an index."""
        i, x, rest = at[-1], given[at], _rest(what)
        found = f"found {x} at index {i if len(at) == 1 else at}"
        joint = f"{self.name}: {what} of joint '{self.names[i]}'"
        if not where[i] and x != rest:
            why = "is rigid" if self.driven[i] else f"has no drive (it is {self.kinds[i]})"
            raise ArgumentError(f"{joint}, which {why}, must be {rest}; {found}")
        wanted = "be finite and >= 0"
        if what.endswith("stiffness"):
            wanted = "be > 0 (np.inf: rigid)" if what == "stiffness" else "be finite"
        raise ArgumentError(f"{joint} must {wanted}, {found}")

    def motion(
        self,
        state: Sequence[np.ndarray],
        tau: np.ndarray,
        spring: tuple[np.ndarray, ...],
        damping: Any,
        motor_inertia: Any,
    ) -> tuple[np.ndarray, ...]:
        """The motors' side, from link torques and deflections with their two derivatives."""
        d, J = (
            self.numbers(what, 0.0 if x is None else x)
            for what, x in (("damping", damping), ("motor_inertia", motor_inertia))
        )
        shape = np.broadcast_shapes(tau.shape, *(x.shape for x in (*spring, d, J)))
        wide = np.broadcast_to(tau, shape).astype(float)
        found = motors(self.places, state[:3], wide, spring, d, J)
        found[0][..., ~self.driven] = np.nan
        # double precision within; float32 states get float32 back
        return tuple(x.astype(tau.dtype, copy=False) for x in found)


def _keep(memory: Any) -> Any:
    """What is remembered, emptied if it is much."""
    if len(memory) >= _REMEMBERED:
        memory.clear()
    return memory


def _rest(what: str) -> float:
    """What stands where there is no drive."""
    return np.inf if what == "stiffness" else 0.0
