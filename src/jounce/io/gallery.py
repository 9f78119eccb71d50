"""Robots of the papers, by name."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import Vector, placement
from jounce.io.screws import from_screws
from jounce.math.spatial import INERTIA_ENTRIES
from jounce.model import Model

#: Robots whose data lie in jounce/data.
_FILES = {
    "kuka_iiwa14": "KUKA LBR iiwa 14 R820, 7 joints, of Mueller and Kumar 2021 (Stuerz 2017)",
    "franka": "Franka Emika Panda, 7 joints, of Mueller and Kumar 2021 (Gaz 2019)",
}
_PLANAR = "planar 2R arm, point masses at the link ends, of Mueller and Kumar 2021"


def gallery() -> dict[str, str]:
    """Names of the robots that come with the library, each with a one-line description."""
    return {**_FILES, "planar_2r": _PLANAR}


def gallery_data(name: str) -> dict[str, Any]:
    """The published facts of a robot: geometry, inertia, trajectory and reference results."""
    if name not in _FILES:
        raise ModelError(f"no data called '{name}'; choose one of {', '.join(_FILES)}")
    return json.loads((files("jounce") / "data" / f"{name}.json").read_text("utf-8"))


def read_gallery(name: str, *, base: str = "fixed", gravity: Vector | None = None) -> Model:
    """The robot called `name`; gravity=None keeps the one it was published with (m/s^2)."""
    if name == "planar_2r":
        return planar_2r(base=base, gravity=(0.0, -9.81, 0.0) if gravity is None else gravity)
    if name not in _FILES:
        raise ModelError(f"the gallery has no robot '{name}'; choose one of {', '.join(gallery())}")
    data = gallery_data(name)
    return from_screws(
        data["X"],
        data["B"],
        mass=data["mass"],
        com=data["com"],
        inertia=[_matrix(row, data["inertia_order"]) for row in data["inertia"]],
        tool=np.eye(4),
        name=name,
        gravity=data["gravity"] if gravity is None else gravity,
        base=base,
    )


def planar_2r(
    L1: float = 1.0,
    L2: float = 1.0,
    m1: float = 1.0,
    m2: float = 1.0,
    *,
    base: str = "fixed",
    gravity: Vector = (0.0, -9.81, 0.0),
) -> Model:
    """Two links along x (lengths in m), turning about z, a point mass (kg) at each link's end."""
    com = ((L1, 0.0, 0.0), (L2, 0.0, 0.0))
    return from_screws(
        [(0.0, 0.0, 1.0, 0.0, 0.0, 0.0)] * 2,
        (np.eye(4), placement(com[0])),
        mass=(m1, m2),
        com=com,
        inertia=np.zeros((2, 3, 3)),
        tool=placement(com[1]),
        name="planar_2r",
        gravity=gravity,
        base=base,
    )


def _matrix(entries: list[float], order: list[str]) -> np.ndarray:
    """Symmetric 3x3 matrix from its six entries, named "xx", "xy", ... by `order`."""
    values = dict(zip(order, entries, strict=True))
    out = np.zeros((3, 3))
    for i, j in INERTIA_ENTRIES:
        out[i, j] = out[j, i] = values["xyz"[i] + "xyz"[j]]
    return out
