"""Constraints on a tree: loops between two of its frames, contacts of a frame with the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.errors import ModelError, suggest
from jounce.model.numbers import Floats, freeze_array, rigid_pose, unit_axis

#: Kinds of loop constraints: which of (wx, wy, wz, vx, vy, vz), in the axes of frame a, are locked.
LOOPS: dict[str, tuple[bool, ...]] = {
    "weld": (True, True, True, True, True, True),
    "revolute": (True, True, False, True, True, True),
    "spherical": (False, False, False, True, True, True),
    "point": (False, False, False, True, True, True),
    "planar": (True, True, False, False, False, True),
}


@dataclass(frozen=True, eq=False)
class Loop:
    """A constraint that closes a kinematic loop between two frames fixed in bodies (-1: the world).

    kind: one of LOOPS, or six booleans that say which relative motions (wx, wy, wz, vx, vy, vz) of
    frame b are locked, in the axes of frame a. The free axis of "revolute" and the normal of
    "planar" are z of frame a; "point" is another word for "spherical". Positions: the locked
    coordinates of b's origin in a are zero. Orientations: with three locked turns the axes of a and
    b coincide; with two, those of the free turn point the same way; with one, as in a universal
    joint, the next axis of b (in the order x, y, z, x) stays normal to the one after it of a: for a
    locked turn about z, x of b is normal to y of a.
    """

    name: str
    body_a: int
    body_b: int
    placement_a: Floats = field(default_factory=lambda: np.eye(4))
    placement_b: Floats = field(default_factory=lambda: np.eye(4))
    kind: str | Sequence[bool] = "weld"

    def __post_init__(self) -> None:
        what = f"loop '{self.name}'"
        put = object.__setattr__
        put(self, "placement_a", rigid_pose(self.placement_a, f"{what}: placement_a"))
        put(self, "placement_b", rigid_pose(self.placement_b, f"{what}: placement_b"))
        if isinstance(self.kind, str):
            if self.kind not in LOOPS:
                raise ModelError(
                    f"{what}: unknown kind '{self.kind}'; {suggest(self.kind, LOOPS)},"
                    " or six booleans for (wx, wy, wz, vx, vy, vz)"
                )
            return
        try:
            locked = tuple(bool(x) for x in self.kind)
        except TypeError:
            locked = ()
        if len(locked) != 6 or not any(locked):
            raise ModelError(
                f"{what}: expected one of {', '.join(LOOPS)}, or six booleans of which one is true,"
                f" found {self.kind!r}"
            )
        put(self, "kind", locked)

    @property
    def locked(self) -> tuple[bool, ...]:
        """For each of (wx, wy, wz, vx, vy, vz), True if the loop locks it."""
        return LOOPS[self.kind] if isinstance(self.kind, str) else tuple(self.kind)


#: Kinds of contacts: which of (wx, wy, wz, vx, vy, vz), in the axes of the contact, are locked.
CONTACTS: dict[str, tuple[bool, ...]] = {
    "point": (False, False, False, True, True, True),
    "surface": (True, True, True, True, True, True),
    "line": (False, True, True, True, True, True),
}


@dataclass(frozen=True, eq=False)
class Contact:
    """A frame fixed in a body that touches the world: while it does, it keeps its place there.

    kind: one of CONTACTS. A "point" is held but free to turn, a "surface" is held altogether, and a
    "line", the x axis of the frame, is free to roll about itself.
    """

    name: str
    body: int
    placement: Floats = field(default_factory=lambda: np.eye(4))
    kind: str = "point"

    def __post_init__(self) -> None:
        what = f"contact '{self.name}'"
        if not isinstance(self.name, str) or not self.name:
            raise ModelError(f"a contact needs a name, found {self.name!r}")
        placement = rigid_pose(self.placement, f"{what}: placement")
        object.__setattr__(self, "placement", placement)
        if not isinstance(self.kind, str) or self.kind not in CONTACTS:
            raise ModelError(f"{what}: unknown kind {self.kind!r}; {suggest(self.kind, CONTACTS)}")

    @property
    def locked(self) -> tuple[bool, ...]:
        """For each of (wx, wy, wz, vx, vy, vz), True if the contact locks it."""
        return CONTACTS[self.kind]


def turned_to(placement: Floats, axis: Any, kind: str, what: str) -> Floats:
    """Return a pose rotated the shortest way so that its x axis has a direction given in it.

    Only lines have a direction; for other kinds of contacts it must be the x axis.
    """
    x = unit_axis(freeze_array(axis, (3,), f"{what}: axis"), f"{what}: axis")
    if np.array_equal(x, (1.0, 0.0, 0.0)):
        return placement
    if kind != "line":
        raise ModelError(f"{what}: only a line has an axis, this is a {kind}; omit axis")
    if x[0] < -1.0 + 1e-12:  # straight back: half a turn about z
        R = np.diag((-1.0, -1.0, 1.0))
    else:  # Rodrigues with the axis (1, 0, 0) x (x, y, z) = (0, -z, y)
        K = np.array(((0.0, -x[1], -x[2]), (x[1], 0.0, 0.0), (x[2], 0.0, 0.0)))
        R = np.eye(3) + K + K @ K / (1.0 + x[0])
    turned = placement.copy()
    turned[:3, :3] = placement[:3, :3] @ R
    return turned
