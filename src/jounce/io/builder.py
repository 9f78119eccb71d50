"""Build a Model link by link; every other reader goes through here.

`TreeBuilder` owns the one rule that is easy to get wrong: a link held by a fixed joint becomes a
frame of the body it is fixed to, and its inertia and meshes move there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from jounce.errors import ModelError, suggest
from jounce.math.spatial import parameters_from, shift_inertia
from jounce.model.constraints import Loop
from jounce.model.joints import FLOATING, kind_of
from jounce.model.links import weld_bodies
from jounce.model.model import (
    Body,
    Frame,
    Joint,
    Link,
    Mesh,
    Mimic,
    Model,
    Solid,
)
from jounce.model.numbers import Floats, freeze_array, rigid_pose

if TYPE_CHECKING:
    from typing import Self, Unpack

Vector = Sequence[float] | Floats

DEFAULT_GRAVITY = (0.0, 0.0, -9.81)

BASES = ("fixed", "floating")

#: Links and frames a robot may have: what is larger comes from a hostile file.
MAX_FRAMES = 10_000

#: What gives the size of a simple shape in formats of XML, and how many numbers each holds.
SOLIDS = {
    "box": (("size",), 3),
    "sphere": (("radius",), 1),
    "cylinder": (("radius", "length"), 1),
    "capsule": (("radius", "length"), 1),
    "ellipsoid": (("radii",), 3),
}


class JointOptions(TypedDict, total=False):
    """Optional facts of a joint; see `jounce.model.model.Joint` for shapes and units."""

    axis: Vector
    axis2: Vector
    point: Vector
    pitch: float
    lower: float | Vector
    upper: float | Vector
    velocity_limit: float | Vector
    effort_limit: float | Vector
    damping: float | Vector
    friction: float | Vector
    stribeck_friction: float | Vector
    stribeck_velocity: float | Vector
    load_friction: float | Vector
    friction_smoothing: float | Vector
    load_smoothing: float | Vector
    armature: float | Vector
    stiffness: float | Vector
    spring_reference: float | Vector


def base_kind(base: str) -> str:
    """Return the kind of the joint that holds a root link.

    Parameters
    ----------
    base : {"fixed", "floating"}
        Kind of the base.

    Returns
    -------
    str
        "fixed" or "free".

    Raises
    ------
    ValueError
        For other bases.
    """
    if base not in BASES:
        raise ValueError(f"base: expected one of {', '.join(BASES)}, found {base!r}")
    return "fixed" if base == "fixed" else FLOATING


def unique_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number appended if it is taken, and add it to `taken`."""
    out, k = name, 2
    while out in taken:
        out, k = f"{name}_{k}", k + 1
    taken.add(out)
    return out


def base_joint_name(taken: Iterable[str]) -> str:
    """Return the name of the free joint of a floating base: "base", unless it is taken."""
    taken = set(taken)
    return "base" if "base" not in taken else unique_name("base_joint", taken)


def rotation_from_rpy(rpy: Vector) -> Floats:
    """Return the rotation matrix Rz(yaw) Ry(pitch) Rx(roll) of three angles in radians."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    return np.array(
        (
            (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr),
        )
    )


def placement(xyz: Vector = (0.0, 0.0, 0.0), rpy: Vector = (0.0, 0.0, 0.0)) -> Floats:
    """Return a pose from position and roll, pitch, yaw angles as URDF defines them.

    Parameters
    ----------
    xyz : sequence of float (3,)
        Position in m.
    rpy : sequence of float (3,)
        Angles in rad: R = Rz(yaw) Ry(pitch) Rx(roll).

    Returns
    -------
    ndarray (4, 4)
        The pose.
    """
    T = np.eye(4)
    T[:3, :3] = rotation_from_rpy(floats(rpy, (3,), "rpy"))
    T[:3, 3] = floats(xyz, (3,), "xyz")
    return T


def inertia_from_com(mass: float, com: Vector, inertia_about_com: Any) -> Floats:
    """Return ten inertial parameters about the body frame's origin.

    Parameters
    ----------
    mass : float
        Mass in kg.
    com : sequence of float (3,)
        Center of mass in m, in the body frame.
    inertia_about_com : array_like (3, 3)
        Symmetric inertia about the center of mass in kg m^2, in body axes.

    Returns
    -------
    ndarray (10,)
        m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz.

    Raises
    ------
    ModelError
        If the inertia is not symmetric.
    """
    about = floats(inertia_about_com, (3, 3), "inertia about the center of mass")
    if np.abs(about - about.T).max() > 1e-9 * np.abs(about).max():
        raise ModelError(
            f"inertia about the center of mass: expected a symmetric matrix, found {about.tolist()}"
        )
    com = floats(com, (3,), "com")
    shifted, h = shift_inertia(about, np.zeros(3), mass, com)
    return parameters_from(mass, h, shifted).astype(float)


def floats(value: Any, shape: tuple[int, ...], what: str) -> Floats:
    """Return a new array of finite floats of the given shape; errors name `what`."""
    return freeze_array(value, shape, what, np.inf).copy()


@dataclass(frozen=True, eq=False)
class _Seat:
    """Position of a link: its body (-1: the world) and its pose in that body's frame."""

    body: int
    T: Floats


class TreeBuilder:
    """Builder of models, link by link.

    >>> arm = TreeBuilder("pendulum")
    >>> arm = arm.add("rod", "revolute", axis=(0, 1, 0), mass=1.0, com=(0, 0, -0.5))
    >>> arm.frame("tip", "rod", placement(xyz=(0, 0, -1.0))).build().nv
    1
    """

    def __init__(
        self, name: str, gravity: Vector = DEFAULT_GRAVITY, *, source: str = "builder"
    ) -> None:
        self.name = name
        self.gravity = floats(gravity, (3,), f"robot '{name}': gravity")
        self.source = source
        self._seats: dict[str, _Seat] = {}
        self._bodies: list[Body] = []
        self._joints: list[Joint] = []
        self._frames: list[Frame] = []
        self._frame_names: set[str] = set()
        self._loops: list[Loop] = []
        self._ground = Body("world", np.zeros(10))

    def add(
        self,
        link: str,
        kind: str,
        parent: str | None = None,
        *,
        joint_name: str | None = None,
        placement: Any = None,
        xyz: Vector | None = None,
        rpy: Vector | None = None,
        inertia: Vector | None = None,
        mass: float | None = None,
        com: Vector | None = None,
        inertia_com: Any = None,
        mimic: Mimic | Sequence[Any] | str | None = None,
        meshes: Iterable[Mesh] = (),
        solids: Iterable[Solid] = (),
        **joint: Unpack[JointOptions],
    ) -> Self:
        """Add a link and the joint that moves it.

        Parameters
        ----------
        link : str
            Name of the link, new.
        kind : str
            One of `jounce.model.joints.KINDS`, or "fixed".
        parent : str, optional
            Name of a link added before; None is the world.
        joint_name : str, optional
            Name of the joint; by default that of the link and "_joint".
        placement : array_like (4, 4), optional
            Pose of the joint in the parent link.
        xyz, rpy : sequence of float (3,), optional
            The same as position in m and roll, pitch, yaw angles in rad.
        inertia : sequence of float (10,), optional
            Inertial parameters in the link's frame; massless by default.
        mass, com, inertia_com : optional
            The same as mass in kg, center of mass (3,) in m, and inertia (3, 3) about it in kg m^2.
        mimic : Mimic, str or tuple (leader, multiplier, offset), optional
            Joint that this one follows.
        meshes, solids : iterable of Mesh, of Solid
            Shapes, placed in the link's frame.
        **joint
            Axes, limits and drive; see `JointOptions`.

        Returns
        -------
        TreeBuilder
            The builder itself.
        """
        what = f"link '{link}'"
        if not isinstance(link, str) or not link or link in self._seats:
            raise ModelError(f"robot '{self.name}': {_name_problem(link)}")
        if kind != "fixed":
            kind_of(str(kind), what, ("fixed",))
        unknown = joint.keys() - JointOptions.__annotations__.keys()
        if unknown:
            hint = suggest(min(unknown), JointOptions.__annotations__)
            raise ModelError(f"{what}: unknown option '{min(unknown)}'; {hint}")
        seat = _Seat(-1, np.eye(4)) if parent is None else self._seat(parent, what)
        T = seat.T @ _pose(placement, xyz, rpy, what)
        body = _body(link, _inertia(inertia, mass, com, inertia_com, what), meshes, solids)
        if kind == "fixed":
            if joint or mimic is not None:
                raise ModelError(f"{what}: a fixed joint takes no joint options and no mimic")
            T = rigid_pose(T, f"{what}: placement")
            if seat.body < 0:
                self._ground = weld_bodies(self._ground, body, T)
            else:
                self._bodies[seat.body] = weld_bodies(self._bodies[seat.body], body, T)
            seat = _Seat(seat.body, T)
        else:
            name = joint_name or f"{link}_joint"
            options: Any = joint
            self._joints.append(Joint(name, kind, seat.body, T, mimic=_mimic(mimic), **options))
            self._bodies.append(body)
            seat = _Seat(len(self._bodies) - 1, np.eye(4))
        self._seats[link] = seat
        self._add_frame(Frame(link, seat.body, seat.T))
        return self

    def frame(self, name: str, link: str | None = None, placement: Any = None) -> Self:
        """Add a frame.

        Parameters
        ----------
        name : str
            Name of the frame, new.
        link : str, optional
            Link it is fixed in; None is the world.
        placement : array_like (4, 4), optional
            Pose in the link.

        Returns
        -------
        TreeBuilder
            The builder itself.
        """
        what = f"frame '{name}'"
        seat = _Seat(-1, np.eye(4)) if link is None else self._seat(link, what)
        if name in self._frame_names:
            raise ModelError(f"robot '{self.name}': two frames or links are called '{name}'")
        self._add_frame(Frame(name, seat.body, seat.T @ _pose(placement, None, None, what)))
        return self

    def _add_frame(self, frame: Frame) -> None:
        if len(self._frames) == MAX_FRAMES:
            raise ModelError(f"robot '{self.name}': expected at most {MAX_FRAMES} links and frames")
        self._frames.append(frame)
        self._frame_names.add(frame.name)

    def loop(
        self,
        name: str,
        link_a: str | None,
        link_b: str | None,
        kind: str | Sequence[bool] = "weld",
        placement_a: Any = None,
        placement_b: Any = None,
    ) -> Self:
        """Close a loop between a frame of link a and one of link b.

        Parameters
        ----------
        name : str
            Name of the loop.
        link_a, link_b : str or None
            Links; None is the world.
        kind : str or sequence of bool
            Kind of the loop, or the motions it locks; see `jounce.Loop`.
        placement_a, placement_b : array_like (4, 4), optional
            Poses of the frames in their links.

        Returns
        -------
        TreeBuilder
            The builder itself.
        """
        what = f"loop '{name}'"
        ends = []
        for link, T in ((link_a, placement_a), (link_b, placement_b)):
            seat = _Seat(-1, np.eye(4)) if link is None else self._seat(link, what)
            ends.append(_Seat(seat.body, seat.T @ _pose(T, None, None, what)))
        a, b = ends
        locked = kind if isinstance(kind, str) else tuple(kind)
        self._loops.append(Loop(name, a.body, b.body, a.T, b.T, locked))
        return self

    def same_body(self, link_a: str | None, link_b: str | None) -> bool:
        """Return whether two links are connected by fixed joints only.

        Parameters
        ----------
        link_a, link_b : str or None
            Links; None is the world.

        Returns
        -------
        bool
            True if they belong to the same body.
        """
        a, b = (-1 if x is None else self._seat(x, "same_body").body for x in (link_a, link_b))
        return a == b

    def build(self) -> Model:
        """Return the model.

        Returns
        -------
        Model
            Joints in the order they were added, and a frame for every link.
        """
        return Model(
            self.name,
            tuple(self._bodies),
            tuple(self._joints),
            tuple(self._frames),
            self.gravity,
            self.source,
            tuple(self._loops),
            self._ground,
        )

    def _seat(self, link: str, what: str) -> _Seat:
        if link not in self._seats:
            hint = suggest(link, self._seats)
            raise ModelError(f"{what}: no link '{link}' was added before; {hint}")
        return self._seats[link]


def _body(link: str, inertia: Floats, meshes: Iterable[Mesh], solids: Iterable[Solid]) -> Body:
    """Return a body of one link, whose shapes refer to the link."""
    return Body(
        link,
        inertia,
        tuple(replace(mesh, link=link) for mesh in meshes),
        tuple(replace(solid, link=link) for solid in solids),
        (Link(link, inertia),),
    )


def _pose(T: Any, xyz: Vector | None, rpy: Vector | None, what: str) -> Floats:
    if T is None:
        zero = (0.0, 0.0, 0.0)
        return placement(zero if xyz is None else xyz, zero if rpy is None else rpy)
    if xyz is not None or rpy is not None:
        raise ModelError(f"{what}: give either placement or xyz and rpy, not both")
    return floats(T, (4, 4), f"{what}: placement")


def _name_problem(link: Any) -> str:
    """Return why a new link cannot have a name."""
    if isinstance(link, str) and link:
        return f"link '{link}' already exists; give it another name"
    return f"a link needs a name, found {link!r}"


def _inertia(
    inertia: Any, mass: float | None, com: Vector | None, inertia_com: Any, what: str
) -> Floats:
    if inertia is not None:
        if not mass is com is inertia_com is None:
            raise ModelError(f"{what}: give either inertia or mass, com and inertia_com, not both")
        if np.shape(inertia) == (3, 3):
            raise ModelError(
                f"{what}: inertia: expected ten parameters about the link's origin, found a matrix;"
                " one about the center of mass is given as inertia_com, with mass and com"
            )
        return floats(inertia, (10,), f"{what}: inertia")
    if mass is None:
        if com is not None or inertia_com is not None:
            raise ModelError(f"{what}: com and inertia_com need a mass")
        return np.zeros(10)
    try:
        return inertia_from_com(
            mass,
            (0.0, 0.0, 0.0) if com is None else com,
            np.zeros((3, 3)) if inertia_com is None else inertia_com,
        )
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None


def _mimic(mimic: Mimic | Sequence[Any] | str | None) -> Mimic | None:
    if mimic is None or isinstance(mimic, Mimic):
        return mimic
    return Mimic(mimic) if isinstance(mimic, str) else Mimic(*mimic)
