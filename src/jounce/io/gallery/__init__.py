"""Robots by name: a common arm, and those of the papers.

Data are JSON and URDF files in this folder; a robot is an entry of `_ROBOTS` and a function that
builds its model. Start with `read_gallery`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np

from jounce.errors import ModelError, suggest
from jounce.io.builder import (
    DEFAULT_GRAVITY,
    TreeBuilder,
    Vector,
    base_kind,
    inertia_from_com,
    placement,
    rotation_from_rpy,
)
from jounce.io.gallery.machines import quadruped, stewart
from jounce.io.gallery.shapes import shapes_of, with_shapes
from jounce.io.screws import from_screws
from jounce.io.urdf import read_urdf
from jounce.math.spatial import INERTIA_ENTRIES
from jounce.model.model import Model

__all__ = ["gallery", "gallery_data", "read_gallery"]

#: Robots by name.
_ROBOTS = {
    "kuka_iiwa14": "KUKA LBR iiwa 14 R820, 7 joints, with limits and shapes",
    "iiwa14_mueller_kumar2021": "the same arm, data of Mueller and Kumar 2021 (Stuerz 2017)",
    "franka": "Franka Emika Panda, 7 joints, of Mueller and Kumar 2021 (Gaz 2019)",
    "planar_2r": "planar 2R arm, point masses at the link ends, of Mueller and Kumar 2021",
    "two_mass_link": "bent link with two point masses, turning about the vertical, of Fakhari",
    "planar_rp": "planar RP arm, a bar that turns and one that slides on it, of Fakhari",
    "cartesian_ppp": "Cartesian robot, 3 prismatic joints at right angles, of Fakhari",
    "four_bar": "planar four-bar linkage, a crank, a coupler and a rocker; one closed loop",
    "five_bar": "spherical five-bar linkage driven by two motors, one closed loop, of Kwon",
    "stewart": "Stewart platform, six legs with universal, prismatic and ball joints; five loops",
    "quadruped": "quadruped with 12 joints on a free base, and four feet as contacts",
    "toro25": "humanoid of TORO's topology, 25 joints on a free base, of Garofalo et al. 2013",
}
#: Those that are URDF files in this folder.
_URDF = ("kuka_iiwa14",)
#: Those on a free base.
_FLOATING = ("quadruped", "toro25")
#: Those whose data are files in this folder.
_FILES = ("iiwa14_mueller_kumar2021", "franka", "five_bar", "toro25")


def gallery() -> dict[str, str]:
    """Return the robots that come with the library.

    Returns
    -------
    dict of str to str
        One-line descriptions by name.

    Examples
    --------
    >>> import jounce
    >>> "kuka_iiwa14" in jounce.gallery()
    True
    """
    return dict(_ROBOTS)


def gallery_data(name: str) -> dict[str, Any]:
    """Return geometry and inertia of a robot; for arms a trajectory and reference results."""
    if name not in _FILES:
        raise ModelError(f"no data called '{name}'; {suggest(name, _FILES)}")
    return json.loads((files("jounce.io.gallery") / f"{name}.json").read_text("utf-8"))


def read_gallery(name: str, *, base: str | None = None, gravity: Vector | None = None) -> Model:
    """Return the model of a robot of the gallery.

    base: "fixed" or "floating"; None: the robot's own, "floating" for robots with legs and "fixed"
    for others. gravity: acceleration (3,) in m/s^2; None: the published one.
    """
    if name not in _ROBOTS:
        raise ModelError(f"the gallery has no robot '{name}'; {suggest(name, _ROBOTS)}")
    base = ("floating" if name in _FLOATING else "fixed") if base is None else base
    if name in _URDF:
        text = (files("jounce.io.gallery") / f"{name}.urdf").read_text("utf-8")
        return read_urdf(text, base=base, gravity=gravity, source=f"{name}.urdf")
    data = gallery_data(name) if name in _FILES else {}
    model = _build(name, data, base, gravity)
    shapes = shapes_of(name, model, data)
    return with_shapes(model, shapes) if shapes else model


def _build(name: str, data: dict[str, Any], base: str, gravity: Vector | None) -> Model:
    """Return the model of a robot that is no URDF file."""
    if name in _TEXTBOOK:
        build = _TEXTBOOK[name]
        return build(base=base) if gravity is None else build(base=base, gravity=gravity)
    pull: Vector = data["gravity"] if gravity is None else gravity
    if name == "toro25":
        return _humanoid(data, base, pull)
    if name == "five_bar":
        return _five_bar(data, base, pull)
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


def two_mass_link(
    l1: float = 1.0,
    l2: float = 1.0,
    m1: float = 1.0,
    m2: float = 1.0,
    phi: float = np.pi / 4.0,
    *,
    base: str = "fixed",
    gravity: Vector = DEFAULT_GRAVITY,
) -> Model:
    """A rigid link turning about the vertical axis z: Fakhari's example 1.

    It reaches l1 (m) along x to the point mass m1 (kg), then l2 at the angle phi (rad) above the
    horizontal to the point mass m2: (m1 l1^2 + m2 (l1 + l2 cos phi)^2) a = tau.
    """
    far = np.array((l1 + l2 * np.cos(phi), 0.0, l2 * np.sin(phi)))
    masses = [inertia_from_com(m, p, np.zeros((3, 3))) for m, p in ((m1, (l1, 0, 0)), (m2, far))]
    return from_screws(
        [(0.0, 0.0, 1.0, 0.0, 0.0, 0.0)],
        [np.eye(4)],
        parameters=[np.sum(masses, axis=0)],
        tool=placement(far),
        name="two_mass_link",
        gravity=gravity,
        base=base,
    )


def planar_rp(
    L1: float = 0.5,
    m1: float = 1.0,
    m2: float = 1.0,
    I1: float = 0.1,
    I2: float = 0.1,
    *,
    base: str = "fixed",
    gravity: Vector = (0.0, -9.81, 0.0),
) -> Model:
    """A bar turning about z and one that slides along it: Fakhari's example 3.

    The center of mass of bar 1 is at the distance L1 (m) from the joint, that of bar 2 at q2; the
    bars are thin, with masses m1, m2 (kg) and moments of inertia I1, I2 (kg m^2) about their
    centers: tau1 = (I1 + I2 + m1 L1^2 + m2 q2^2) a1 + 2 m2 q2 v1 v2 + (m1 L1 + m2 q2) g cos q1,
    tau2 = m2 (a2 - q2 v1^2 + g sin q1).
    """
    return from_screws(
        [(0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)],
        [np.eye(4)] * 2,
        mass=(m1, m2),
        com=((L1, 0.0, 0.0), (0.0, 0.0, 0.0)),
        inertia=[np.diag((0.0, moment, moment)) for moment in (I1, I2)],
        tool=np.eye(4),
        name="planar_rp",
        gravity=gravity,
        base=base,
    )


def cartesian_ppp(
    m1: float = 1.0,
    m2: float = 1.0,
    m3: float = 1.0,
    *,
    base: str = "fixed",
    gravity: Vector = DEFAULT_GRAVITY,
) -> Model:
    """Three prismatic joints along z, x and y with masses (kg) at rest: Fakhari's example 4.

    tau1 = (m1 + m2 + m3) (a1 + g), tau2 = (m2 + m3) a2, tau3 = m3 a3.
    """
    axes = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    return from_screws(
        [(0.0, 0.0, 0.0, *axis) for axis in axes],
        [np.eye(4)] * 3,
        mass=(m1, m2, m3),
        com=np.zeros((3, 3)),
        inertia=np.zeros((3, 3, 3)),
        tool=np.eye(4),
        name="cartesian_ppp",
        gravity=gravity,
        base=base,
    )


def four_bar(
    crank: float = 0.1,
    coupler: float = 0.35,
    rocker: float = 0.25,
    ground: float = 0.3,
    density: float = 2.0,
    *,
    base: str = "fixed",
    gravity: Vector = (0.0, -9.81, 0.0),
) -> Model:
    """Three thin bars (lengths in m, density in kg/m) that turn about z, and the ground along x.

    Crank and rocker stand on the ground's ends, the coupler joins them: a joint ("pin") of the
    crank leads to it, and a loop of kind "revolute" holds it to the rocker. With the default
    lengths the crank turns round. At q = 0 the loop is closed and the crank points along y.
    """
    end, far = np.array((0.0, crank)), np.array((ground, 0.0))
    span = np.hypot(*(far - end))
    along = (span**2 + coupler**2 - rocker**2) / (2.0 * span)
    if not min(crank, coupler, rocker, ground) > 0.0 or not abs(along) <= coupler:
        lengths = f"crank {crank}, coupler {coupler}, rocker {rocker}, ground {ground}"
        raise ModelError(f"four_bar: links of these lengths cannot form a closed loop: {lengths}")
    axis = (far - end) / span
    joint = end + along * axis + np.sqrt(coupler**2 - along**2) * np.array((-axis[1], axis[0]))
    angles = [float(np.arctan2(*(tip - foot)[::-1])) for tip, foot in ((joint, end), (joint, far))]
    builder = TreeBuilder("four_bar", gravity, source="gallery")
    builder.add("ground", base_kind(base), joint_name="base")
    turn = np.pi / 2.0
    bars = (
        ("crank", "ground", (0.0, 0.0, 0.0), turn, crank),
        ("coupler", "crank", (crank, 0.0, 0.0), angles[0] - turn, coupler),
        ("rocker", "ground", (ground, 0.0, 0.0), angles[1], rocker),
    )
    for link, parent, xyz, yaw, length in bars:
        mass = density * length
        about = np.diag((0.0, 1.0, 1.0)) * mass * length**2 / 12.0
        body: Any = {"mass": mass, "com": (length / 2.0, 0.0, 0.0), "inertia_com": about}
        seat: Any = {"xyz": xyz, "rpy": (0.0, 0.0, yaw)}
        name = "pin" if link == "coupler" else f"{link}_joint"
        builder.add(link, "revolute", parent, joint_name=name, **seat, **body)
    tips = (placement((coupler, 0.0, 0.0)), placement((rocker, 0.0, 0.0)))
    builder.loop("tip", "coupler", "rocker", "revolute", *tips)
    return builder.frame("tool", "coupler", tips[0]).build()


_TEXTBOOK: dict[str, Callable[..., Model]] = {
    "four_bar": four_bar,
    "stewart": stewart,
    "quadruped": quadruped,
    "planar_2r": planar_2r,
    "two_mass_link": two_mass_link,
    "planar_rp": planar_rp,
    "cartesian_ppp": cartesian_ppp,
}


def _matrix(entries: list[float], order: list[str]) -> np.ndarray:
    """Symmetric 3x3 matrix from its six entries, named "xx", "xy", ... by `order`."""
    values = dict(zip(order, entries, strict=True))
    out = np.zeros((3, 3))
    for i, j in INERTIA_ENTRIES:
        out[i, j] = out[j, i] = values["xyz"[i] + "xyz"[j]]
    return out


# ------------------------------------------------------------------ the five-bar


def _five_bar(data: dict[str, Any], base: str, gravity: Vector) -> Model:
    """Branches of joints 1, 2, 3 and of joint 4; joint 5 between links 4 and 3 closes the loop.

    All axes pass through the origin, where all links have their frames when the joints are at zero.
    """
    builder = TreeBuilder(data["name"], gravity, source="gallery")
    builder.add("base", base_kind(base), joint_name="base")
    links = zip(data["axes"][:4], data["parents"], data["parameters"], strict=False)
    for i, (axis, parent, inertia) in enumerate(links, 1):
        above = "base" if parent < 0 else f"link{parent + 1}"
        body: Any = {"axis": axis, "inertia": inertia}
        builder.add(f"link{i}", "revolute", above, joint_name=f"joint{i}", **body)
    z = np.array(data["axes"][4])
    x = np.cross(z, (1.0, 0.0, 0.0)) / np.hypot(z[1], z[2])
    seat = np.eye(4)
    seat[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    builder.loop("joint5", "link3", "link4", "revolute", seat, seat)
    handle = 0.22 * np.array(data["axes"][2])
    return builder.frame("tool", "link3", placement(handle)).build()


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
    """Mass, center of mass and inertia of a link that is a homogeneous, tilted box."""
    mass, squares = link["mass"], np.square(link["size"])
    R = rotation_from_rpy(link["tilt"])
    about = R @ np.diag(mass / 12.0 * (squares.sum() - squares)) @ R.T
    about = (about + about.T) / 2.0 * np.outer(sign, sign)
    return {"mass": mass, "com": sign * np.array(link["com"]), "inertia_com": about}
