"""The drives of a robot: which velocities have one, and whether their numbers can be true."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.arrays.arrays import check_out_type, plain, stored
from jounce.catalog.elastic import DRIVES
from jounce.errors import ArgumentError, printable
from jounce.formulas.elastic import coordinates, motors

if TYPE_CHECKING:
    from jounce.robot.system import System


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
    return ElasticMotion(*(stored(x, place, title) for x, place in zip(found, out, strict=True)))


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
        self.name, self.nv = printable(robot.name), tree.dof
        self.places = coordinates(tree)
        self.driven = np.array([place is not None for place in self.places])
        names, kinds = [""] * tree.nv, [""] * tree.nv
        for view in robot.joints.values():
            if view.joint.mimic is None:
                for i in range(view.v.start, view.v.stop):
                    names[i], kinds[i] = view.name, view.kind
        self.names = [names[i] for i in robot.velocities]
        self.kinds = [kinds[i] for i in robot.velocities]
        self._ranges = {what: self._range(what, self.driven) for what in DRIVES}

    def _range(self, what: str, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the least and the largest value of each velocity; where: which can have any."""
        least, most = 0.0, sys.float_info.max
        if what == "stiffness":
            least, most = np.nextafter(0.0, 1.0), np.inf
        elif what.endswith("stiffness"):
            least = -most
        return np.where(where, least, _rest(what)), np.where(where, most, _rest(what))

    def numbers(self, what: str, value: Any, where: np.ndarray | None = None) -> np.ndarray:
        """A drive's number for each velocity, (..., nv), in double precision.

        what: "stiffness" (infinite where there is no drive), "damping", ... (zero there). value:
        such an array, or a number for every drive. where: which velocities can have it, by default
        those with a drive.
        """
        of = self.driven if where is None else where
        given = np.asarray(plain(value, f"{self.name}: {what}"), dtype=float)
        if given.ndim == 0:
            given = np.where(of, given, _rest(what))
        if given.shape[-1] != self.nv:
            raise ArgumentError(
                f"{self.name}: {what} must have shape ({self.nv},) or be a number,"
                f" found shape {given.shape}; leading axes broadcast"
            )
        least, most = self._ranges[what] if where is None else self._range(what, where)
        right = (least <= given) & (given <= most)
        if not right.all():
            self._refuse(what, given, tuple(np.argwhere(~right)[0].tolist()), of)
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


def _rest(what: str) -> float:
    """What stands where there is no drive."""
    return np.inf if what == "stiffness" else 0.0
