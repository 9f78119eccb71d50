"""Robots of the papers, by name."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import TreeBuilder, Vector, base_kind, placement, rotation_from_rpy
from jounce.io.screws import from_screws
from jounce.math.spatial import INERTIA_ENTRIES
from jounce.model import Model

#: Robots by name. The data of all but planar_2r lie in jounce/data.
_ROBOTS = {
    "kuka_iiwa14": "KUKA LBR iiwa 14 R820, 7 joints, of Mueller and Kumar 2021 (Stuerz 2017)",
    "franka": "Franka Emika Panda, 7 joints, of Mueller and Kumar 2021 (Gaz 2019)",
    "planar_2r": "planar 2R arm, point masses at the link ends, of Mueller and Kumar 2021",
    "toro25": "humanoid of TORO's topology, 25 joints on a free base, of Garofalo et al. 2013",
}
_FILES = [name for name in _ROBOTS if name != "planar_2r"]


def gallery() -> dict[str, str]:
    """Names of the robots that come with the library, each with a one-line description."""
    return dict(_ROBOTS)


def gallery_data(name: str) -> dict[str, Any]:
    """The facts of a robot: geometry and inertia; for the arms trajectory and reference results."""
    if name not in _FILES:
        raise ModelError(f"no data called '{name}'; choose one of {', '.join(_FILES)}")
    return json.loads((files("jounce") / "data" / f"{name}.json").read_text("utf-8"))


def read_gallery(name: str, *, base: str | None = None, gravity: Vector | None = None) -> Model:
    """The robot called `name`.

    base: "fixed" or "floating"; None: the robot's own, "floating" for toro25 and "fixed" for the
    arms. gravity: acceleration (3,) in m/s^2; None: the one it was published with.
    """
    if name not in _ROBOTS:
        raise ModelError(f"the gallery has no robot '{name}'; choose one of {', '.join(_ROBOTS)}")
    base = ("floating" if name == "toro25" else "fixed") if base is None else base
    if name == "planar_2r":
        return planar_2r(base=base, gravity=(0.0, -9.81, 0.0) if gravity is None else gravity)
    data = gallery_data(name)
    pull: Vector = data["gravity"] if gravity is None else gravity
    if name == "toro25":
        return _humanoid(data, base, pull)
    return from_screws(
        data["X"],
        data["B"],
        mass=data["mass"],
        com=data["com"],
        inertia=[_matrix(row, data["inertia_order"]) for row in data["inertia"]],
        tool=np.eye(4),
        name=name,
        gravity=pull,
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


# ------------------------------------------------------------------ the humanoid

#: Mirror image in the sagittal plane: of vectors, and of turns about the axes.
_MIRROR = np.array((1.0, -1.0, 1.0))


def _humanoid(data: dict[str, Any], base: str, gravity: Vector) -> Model:
    """Pelvis, torso, two legs and two arms, the right limbs mirror images of the left ones."""
    builder = TreeBuilder(data["name"], gravity, source="gallery")
    builder.add("pelvis", base_kind(base), joint_name="base", **_box(data["pelvis"]))
    _limb(builder, data["torso"], "pelvis")
    for side in ("left", "right"):
        _limb(builder, data["leg"], "pelvis", side)
    for side in ("left", "right"):
        _limb(builder, data["arm"], "torso", side)
    for name, seat in data["frames"].items():
        for prefix in ("",) if seat["link"] == "torso" else ("left_", "right_"):
            builder.frame(prefix + name, prefix + seat["link"], placement(seat["xyz"]))
    return builder.build()


def _limb(builder: TreeBuilder, links: list[dict[str, Any]], parent: str, side: str = "") -> None:
    """Add a chain of links; side="right" mirrors it, side="" leaves the names alone."""
    prefix = f"{side}_" if side else ""
    sign = _MIRROR if side == "right" else np.ones(3)
    for link in links:
        axis = np.array(link["axis"], dtype=float)
        # a mirrored joint keeps its axis, so turns about x and z change their sense
        sense = float(axis @ (sign[1], 1.0, sign[1]))
        lower, upper = sorted(sense * limit for limit in link["limits"])
        builder.add(
            prefix + link["name"],
            "revolute",
            parent,
            joint_name=prefix + link["joint"],
            xyz=sign * link["xyz"],
            axis=axis,
            lower=lower,
            upper=upper,
            effort_limit=link["effort"],
            velocity_limit=link["speed"],
            **_box(link, sign),
        )
        parent = prefix + link["name"]


def _box(link: dict[str, Any], sign: Any = 1.0) -> dict[str, Any]:
    """Mass, centre of mass and inertia of a link that is a homogeneous, tilted box."""
    mass, squares = link["mass"], np.square(link["size"])
    R = rotation_from_rpy(link["tilt"])
    about = R @ np.diag(mass / 12.0 * (squares.sum() - squares)) @ R.T
    about = (about + about.T) / 2.0 * np.outer(sign, sign)
    return {"mass": mass, "com": sign * np.array(link["com"]), "inertia_com": about}
