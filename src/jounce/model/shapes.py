"""Shapes of links from files: meshes and simple solids. Dynamics does not use them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from jounce.model.numbers import Floats, rigid_pose
from jounce.utils.deprecation import renamed_field


@renamed_field("colour", "color")
@dataclass(frozen=True, eq=False)
class Mesh:
    """A mesh of a link; dynamics does not use it.

    path: as written in the file; file: its path on disk, empty if it was not found. link: name of
    its link. color: red, green, blue, opacity from 0 to 1; None if the file has none.
    """

    path: str
    purpose: str
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    placement: Floats = field(default_factory=lambda: np.eye(4))
    link: str = ""
    file: str = ""
    color: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        pose = rigid_pose(self.placement, f"mesh '{self.path}': placement")
        object.__setattr__(self, "placement", pose)


@renamed_field("colour", "color")
@dataclass(frozen=True, eq=False)
class Solid:
    """A simple shape of a link, centered in its placement; dynamics does not use it.

    shape and size (m): "box" (x, y, z), "sphere" (radius,), "ellipsoid" (half axes x, y, z),
    "cylinder" and "capsule" (radius, length; along z, a capsule's length without its caps).
    link: name of its link. color: as for `Mesh`.
    """

    shape: str
    purpose: str
    size: tuple[float, ...]
    placement: Floats = field(default_factory=lambda: np.eye(4))
    link: str = ""
    color: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        pose = rigid_pose(self.placement, f"{self.shape} of link '{self.link}': placement")
        object.__setattr__(self, "placement", pose)


@dataclass(frozen=True, eq=False)
class Link:
    """A link that is part of a body, with its share of the inertia, (10,) in the body frame."""

    name: str
    inertia: Floats
