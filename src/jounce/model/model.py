"""The robot as immutable, validated data: bodies, joints, frames.

Joint i moves body i; its placement is the pose of the joint in the parent's body frame, and the
body frame coincides with the joint frame when q is neutral. Parents come before children. Body -1
is the world (the base link of a fixed-base robot is part of it).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import (
    ModelError,
    ModelWarning,
    SuggestsMembers,
    printable,
    suggest,
    warn,
)
from jounce.model.constraints import Contact, Loop, turned_to
from jounce.model.digest import digest
from jounce.model.inertia.consistency import problem as inertia_problem
from jounce.model.joint import Joint as Joint
from jounce.model.joint import Mimic as Mimic
from jounce.model.numbers import (
    LARGEST,
    Floats,
    freeze_array,
    rigid_pose,
)
from jounce.model.shapes import Link as Link
from jounce.model.shapes import Mesh as Mesh
from jounce.model.shapes import Solid as Solid
from jounce.utils.lazy import cached_property
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.robot.check import Finding


@dataclass(frozen=True, eq=False)
class Body:
    """A moving body. `inertia` is (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) in the body frame.

    h = m c is the first moment; I is about the body frame's origin. SI units. meshes, solids:
    shapes from a file, placed in the body frame. links: the links that the body consists of.
    """

    name: str
    inertia: Floats
    meshes: tuple[Mesh, ...] = ()
    solids: tuple[Solid, ...] = ()
    links: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        what = f"link '{self.name}': inertia"
        inertia = freeze_array(self.inertia, (10,), what, LARGEST**3)
        object.__setattr__(self, "inertia", inertia)
        if inertia[0] < 0:
            raise ModelError(f"link '{self.name}': mass must not be negative, found {inertia[0]}")
        if inertia[0] == 0 and np.any(inertia[1:4] != 0):
            raise ModelError(f"{what}: a massless body cannot have a first moment")


@dataclass(frozen=True, eq=False)
class Frame:
    """A named pose fixed in a body (-1: in the world)."""

    name: str
    body: int
    placement: Floats = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        placement = rigid_pose(self.placement, f"frame '{self.name}': placement")
        object.__setattr__(self, "placement", placement)


@dataclass(frozen=True, eq=False)
class Model(SuggestsMembers):
    """A tree of bodies and joints; joint i moves body i, and parents come before children.

    The placement of a joint is its pose in the parent's body frame. The frame of a body is that of
    its joint at the neutral configuration. ground: the body fixed to the world, such as the base
    link of a fixed arm. It affects no quantity, only a robot on which this one is mounted.
    """

    _LISTING = "dir(model); its quantities are attributes of jounce.Robot(model)"

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    frames: tuple[Frame, ...] = ()
    gravity: Floats = field(default_factory=lambda: np.array((0.0, 0.0, -9.81)))
    source: str = ""
    loops: tuple[Loop, ...] = ()
    ground: Body = field(default_factory=lambda: Body("world", np.zeros(10)))
    contacts: tuple[Contact, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "loops", tuple(self.loops))
        put(self, "contacts", tuple(self.contacts))
        put(self, "bodies", tuple(self.bodies))
        put(self, "joints", tuple(self.joints))
        put(self, "gravity", freeze_array(self.gravity, (3,), f"robot '{self.name}': gravity"))
        bodies = {body.name for body in self.bodies}
        known = {frame.name for frame in self.frames}
        extra = [Frame(b.name, i) for i, b in enumerate(self.bodies) if b.name not in known]
        put(self, "frames", (*self.frames, *extra))
        if len(self.bodies) != len(self.joints):
            raise ModelError(
                f"robot '{self.name}': {len(self.joints)} joints but {len(self.bodies)} bodies;"
                " joint i moves body i"
            )
        for what, items in (("joint", self.joints), ("link", self.bodies), ("frame", self.frames)):
            _reject_duplicates(self.name, what, [item.name for item in items])
        for i, joint in enumerate(self.joints):
            if not -1 <= joint.parent < i:
                raise ModelError(
                    f"joint '{joint.name}': parent must be -1 (the world) or a body before"
                    f" {i}, found {joint.parent}"
                )
        for frame in self.frames:
            if not -1 <= frame.body < len(bodies):
                raise ModelError(f"frame '{frame.name}': there is no body {frame.body}")
        self._check_loops()
        self._check_contacts()
        self._check_mimics()
        self._warn_about_inertias()

    def __repr__(self) -> str:
        sizes = f"{self.nb} joints, nq = {self.nq}, nv = {self.nv}"
        return f"<model '{printable(self.name)}': {sizes}>"

    def _check_loops(self) -> None:
        _reject_duplicates(self.name, "loop", [loop.name for loop in self.loops])
        for loop in self.loops:
            for body in (loop.body_a, loop.body_b):
                if not -1 <= body < len(self.bodies):
                    raise ModelError(f"loop '{loop.name}': there is no body {body}")
            if loop.body_a == loop.body_b:
                where = (
                    "the world" if loop.body_a < 0 else f"link '{self.bodies[loop.body_a].name}'"
                )
                raise ModelError(f"loop '{loop.name}': both of its frames are fixed in {where}")

    def _check_contacts(self) -> None:
        _reject_duplicates(self.name, "contact", [contact.name for contact in self.contacts])
        for contact in self.contacts:
            if contact.body < 0:
                raise ModelError(
                    f"contact '{contact.name}': its frame is fixed in the world, which cannot touch"
                    " itself; choose a frame of a link that moves"
                )
            if contact.body >= len(self.bodies):
                raise ModelError(f"contact '{contact.name}': there is no body {contact.body}")

    def _check_mimics(self) -> None:
        by_name = {joint.name: joint for joint in self.joints}
        fine: set[str] = set()
        for joint in self.joints:
            seen = {joint.name: None}  # a set in order
            current = joint
            while current.mimic is not None and current.name not in fine:
                leader = current.mimic.leader
                if leader not in by_name:
                    raise ModelError(
                        f"joint '{current.name}' mimics '{leader}', which is not a movable joint;"
                        f" {suggest(leader, by_name)}"
                    )
                if leader in seen:
                    raise ModelError(f"joints mimic each other in a circle: {' -> '.join(seen)}")
                if not np.isfinite((current.mimic.multiplier, current.mimic.offset)).all():
                    raise ModelError(f"joint '{current.name}': mimic numbers must be finite")
                current = by_name[leader]
                seen[leader] = None
            if current is not joint and not current.row.single:
                raise ModelError(
                    f"joint '{joint.name}' mimics '{current.name}', a {current.kind} joint; only"
                    " joints with one degree of freedom can lead"
                )
            fine.update(seen)

    def _warn_about_inertias(self) -> None:
        for body in self.bodies:
            if "_is_checked" in vars(body):
                continue  # in the model that this one was made of
            object.__setattr__(body, "_is_checked", True)
            problem = inertia_problem(body.inertia)
            if problem:
                warn(f"link '{body.name}': {problem}", ModelWarning)

    # -------------------------------------------------------------- sizes and look-up

    @property
    def nb(self) -> int:
        """Number of moving bodies, which is the number of joints (mimicking ones included)."""
        return len(self.bodies)

    @property
    def nq(self) -> int:
        """Length of a configuration q."""
        return sum(joint.nq for joint in self.joints if joint.mimic is None)

    @property
    def nv(self) -> int:
        """Length of a velocity v."""
        return sum(joint.nv for joint in self.joints if joint.mimic is None)

    @property
    def mass(self) -> float:
        """Mass of all bodies that move, kg."""
        return float(sum(body.inertia[0] for body in self.bodies))

    @property
    def parameters(self) -> Floats:
        """Inertial parameters of all bodies, (nb, 10)."""
        return np.array([body.inertia for body in self.bodies]).reshape(-1, 10)

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in order."""
        return [joint.name for joint in self.joints]

    @property
    def body_names(self) -> list[str]:
        """Names of the moving bodies, in order; body i is moved by joint i."""
        return [body.name for body in self.bodies]

    @property
    def frame_names(self) -> list[str]:
        """Names of the frames: one per link, fixed ones and the base included."""
        return [frame.name for frame in self.frames]

    def check(self) -> list[Finding]:
        """Look for suspicious values: masses, inertias, limits, frames, loops.

        Returns
        -------
        list of Finding
            Findings, worst first; see `jounce.check`.
        """
        return provide("check")(self)

    def frame_index(self, name: str) -> int:
        """Return the index of a frame.

        Parameters
        ----------
        name : str
            One of `frame_names`.

        Returns
        -------
        int
            Index in `frames`.

        Raises
        ------
        ModelError
            If there is no such frame.
        """
        index = self._frame_indices.get(name)
        if index is None:
            hint = suggest(name, self._frame_indices, listing="robot.model.frame_names")
            raise ModelError(f"robot '{self.name}' has no frame '{name}'; {hint}")
        return index

    @cached_property
    def _frame_indices(self) -> dict[str, int]:
        return {frame.name: i for i, frame in enumerate(self.frames)}

    def with_gravity(self, gravity: Sequence[float]) -> Model:
        """Return the model under another gravitational acceleration.

        Parameters
        ----------
        gravity : sequence of float (3,)
            Acceleration in m/s^2, in world axes.

        Returns
        -------
        Model
            The changed model.
        """
        return replace(self, gravity=np.asarray(gravity, dtype=float))

    def with_parameters(self, parameters: Floats) -> Model:
        """Return the model with other inertial parameters.

        Parameters
        ----------
        parameters : ndarray (nb, 10) or (10 nb,)
            m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz of each body.

        Returns
        -------
        Model
            The changed model.
        """
        if parameters.shape not in ((self.nb, 10), (10 * self.nb,)):
            raise ModelError(
                f"robot '{self.name}': expected parameters of shape ({self.nb}, 10) or"
                f" ({10 * self.nb},), found {parameters.shape}"
            )
        rows = zip(self.bodies, parameters.reshape(-1, 10), strict=True)
        return replace(self, bodies=tuple(replace(body, inertia=pi, links=()) for body, pi in rows))

    def with_loop(
        self,
        frame_a: str | tuple[str, Any],
        frame_b: str | tuple[str, Any],
        kind: str | Sequence[bool] = "weld",
        name: str | None = None,
    ) -> Model:
        """Return the model with one more loop, between two frames.

        Parameters
        ----------
        frame_a, frame_b : str, or tuple of str and array_like (4, 4)
            Names of frames (every link has one), "world", or a name with a pose in that frame.
        kind : str or sequence of bool
            Kind of the loop, or which motions it locks; see `Loop`.
        name : str
            Name of the loop; by default "loop0", "loop1", ...

        Returns
        -------
        Model
            The changed model.
        """
        taken = {loop.name for loop in self.loops}
        if name is None:
            name = next(n for n in map("loop{}".format, range(len(taken) + 1)) if n not in taken)
        return replace(self, loops=(*self.loops, self.loop_between(frame_a, frame_b, kind, name)))

    def loop_between(
        self,
        frame_a: str | tuple[str, Any],
        frame_b: str | tuple[str, Any],
        kind: str | Sequence[bool],
        name: str,
    ) -> Loop:
        """Return the loop that `with_loop` adds.

        Parameters
        ----------
        frame_a, frame_b : str, or tuple of str and array_like (4, 4)
            Names of frames, "world", or a name with a pose in that frame.
        kind : str or sequence of bool
            Kind of the loop, or the motions it locks; see `Loop`.
        name : str
            Name of the loop.

        Returns
        -------
        Loop
            The loop.
        """
        body_a, placement_a = self._seat(frame_a, f"loop '{name}': frame_a")
        body_b, placement_b = self._seat(frame_b, f"loop '{name}': frame_b")
        return Loop(name, body_a, body_b, placement_a, placement_b, kind)

    def with_contact(
        self,
        frame: str | tuple[str, Any],
        kind: str = "point",
        name: str | None = None,
        axis: Any = (1.0, 0.0, 0.0),
    ) -> Model:
        """Return the model with one more contact with the world.

        Parameters
        ----------
        frame : str, or tuple of str and array_like (4, 4)
            Name of a frame (every link has one), or a name with a pose in that frame.
        kind : {"point", "line", "surface"}
            Kind of the contact; see `Contact`.
        name : str
            Name of the contact; by default the frame's.
        axis : array_like (3,)
            Direction of a line, in the frame. The contact's own frame is turned the shortest way so
            that its x axis points along it.

        Returns
        -------
        Model
            The changed model.
        """
        name = (frame if isinstance(frame, str) else frame[0]) if name is None else name
        body, placement = self._seat(frame, f"contact '{name}': frame")
        placed = turned_to(placement, axis, kind, f"contact '{name}'")
        return replace(self, contacts=(*self.contacts, Contact(name, body, placed, kind)))

    def _seat(self, frame: str | tuple[str, Any], what: str) -> tuple[int, Floats]:
        """Return body and placement of a frame given by name, or by a name and a pose in it."""
        pair = (frame, np.eye(4)) if isinstance(frame, str) else frame
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)):
            raise ModelError(f"{what}: expected a name, or a name and a pose, found {frame!r}")
        name, pose = pair
        if name == "world" and name not in self._frame_indices:
            return -1, rigid_pose(pose, what)
        try:
            base = self.frames[self.frame_index(name)]
        except ModelError as error:
            raise ModelError(f"{what}: {error}, or 'world'") from error
        return base.body, base.placement @ rigid_pose(pose, what)

    def digest(self) -> str:
        """Return a hash of everything that determines results (not names, limits or meshes).

        Returns
        -------
        str
            Hexadecimal digits.
        """
        return digest(self)


def _reject_duplicates(robot: str, what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"robot '{robot}': two {what}s are called '{name}'")
        seen.add(name)


def checked_model(model: Any, title: str) -> Model:
    """Return the argument if it is a model.

    Parameters
    ----------
    model : Model
        The argument.
    title : str
        Beginning of the error message.

    Returns
    -------
    Model
        The same.

    Raises
    ------
    TypeError
        If it is anything else.
    """
    if isinstance(model, Model):
        return model
    hint = "; give its .model" if isinstance(getattr(model, "model", None), Model) else ""
    raise TypeError(f"{title}: expected a jounce.Model, found {type(model).__name__}{hint}")
