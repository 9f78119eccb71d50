"""The robot as users meet it: its quantities, its frames and its configurations."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce import backends, io
from jounce.errors import ModelError, explain_call, explain_methods, name_file, printable
from jounce.formulas.singular import explanation
from jounce.inertia.parameters import PARAMETERS
from jounce.inverse_kinematics.reaching import Reaching
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.process.once import entry, once_property
from jounce.process.residents import content_of, resident
from jounce.quantities.arrays import plain, refuse_other_order
from jounce.quantities.configurations import Configurations
from jounce.quantities.declared import RobotQuantities
from jounce.quantities.tables import Morphable, Parametric, parameter_labels
from jounce.system import Driven

if TYPE_CHECKING:
    from jounce.check import Finding
    from jounce.contacts.robot import Contacts
    from jounce.io.packages import Folders
    from jounce.mechanism.robot import Mechanism
    from jounce.model.model import Body
    from jounce.papers.jain_rodriguez import SpatialOperators


@explain_methods
class Robot(RobotQuantities, Configurations, Driven, Reaching):
    """A robot: what it is, its configurations, and every quantity of the catalog as a callable.

    target: the processor its kernels are compiled for: "native", "x86-64-v2", "x86-64-v3" or
    "x86-64-v4", as far as this machine has it; by default what JOUNCE_TARGET says, else native.
    """

    def __init__(self, model: Model, *, target: str | None = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f"expected a jounce.Model, found {type(model).__name__}; jounce.load makes a robot"
                " from a file or a name"
            )
        if model.nv == 0:
            raise ModelError(
                f"robot '{model.name}' has no movable joint, and quantities need one;"
                " base='floating' adds a free joint, and jounce.read returns the model alone"
            )
        self.model = model
        if target is not None:
            backends.get_host_target(target)  # refuses what this machine does not have
        self.target = target

    def _like(self, model: Model) -> Robot:
        """Another robot, compiled for the same processor."""
        return Robot(model, target=self.target)

    def explain_singularity(self) -> str:
        """Say why the mass matrix is singular; '' if it is not known to be."""
        return explanation(self.tree, self.labels("v", "{}[{}]"))

    @once_property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return content_of("robot", self.model, self.target)

    @once_property
    def _packed(self) -> bytes:
        return pickle.dumps(self.model, protocol=5)

    def __reduce__(self) -> Any:
        return _restored, (self.content_hash, self._packed, self.target)

    def __repr__(self) -> str:
        return printable(f"<robot '{self.name}': {self.nb} joints, nq = {self.nq}, nv = {self.nv}>")

    # -------------------------------------------------------------- what it is

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.model.name

    @once_property
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""
        return lower(self.model)

    @once_property
    def sizes(self) -> dict[str, int]:
        """nq, nv and nb, as the catalog's shapes name them."""
        nv = self.model.nv
        ten = 10 * self.model.nb
        sizes = {"nq": self.model.nq, "nv": nv, "nb": self.model.nb}
        return {
            **sizes,
            "2nv": 2 * nv,
            "3nv": 3 * nv,
            "nt": nv,
            "10nb": ten,
            "10nb+3nt": ten + 3 * nv,
        }

    @property
    def nb(self) -> int:
        """Number of moving bodies."""
        return self.sizes["nb"]

    @property
    def velocities(self) -> Sequence[int]:
        """Which velocities of all joints v has: every one."""
        return range(self.nv)

    @property
    def gravity(self) -> np.ndarray:
        """Gravitational acceleration (3,), m/s^2."""
        return self.model.gravity

    @property
    def parameters(self) -> np.ndarray:
        """Inertial parameters (nb, 10): m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz per body."""
        return self.model.parameters

    @property
    def joint_names(self) -> list[str]:
        """Joints in order."""
        return [joint.name for joint in self.model.joints]

    @property
    def body_names(self) -> list[str]:
        """Moving bodies in order; body i is moved by joint i."""
        return [body.name for body in self.model.bodies]

    @property
    def frame_names(self) -> list[str]:
        """Frames: one per link, fixed ones and the base included."""
        return [frame.name for frame in self.model.frames]

    @once_property
    def parametric(self) -> Parametric:
        """The same quantities with the inertial parameters as an argument."""
        return Parametric(self)

    @once_property
    def morphable(self) -> Morphable:
        """The same quantities with parameters, joint placements and screws as arguments."""
        return Morphable(self)

    def with_parameters(
        self,
        parameters: ArrayLike,
        *,
        armature: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        friction: ArrayLike | None = None,
    ) -> Robot:
        """The same robot with other inertial parameters (nb, 10), flat or as `parameters`.

        armature, damping, friction: also those of the joints, (nv,) as seen at each entry of v.
        """
        title = printable(f"robot '{self.name}': parameters")
        numbers = plain(parameters, title)
        if numbers.ndim == 1:
            refuse_other_order(parameters, parameter_labels(self.model), title)
        else:
            refuse_other_order(parameters, PARAMETERS, title)
            refuse_other_order(parameters, self.body_names, title, axis=-2)
        model = self.model.with_parameters(np.array(numbers, dtype=float))
        for what, values in (("armature", armature), ("damping", damping), ("friction", friction)):
            if values is not None:
                given = self._array(values, "v", f"{self.name}.with_parameters: argument '{what}'")
                model = self._with_drives(model, what, given)
        return self._like(model)

    def with_geometry(
        self, *, screws: ArrayLike | None = None, placements: ArrayLike | None = None
    ) -> Robot:
        """The same robot with its joints displaced, (nb, 6) each; see `jounce.design`."""
        from jounce.design import displaced

        return self._like(displaced(self.model, screws=screws, placements=placements))

    def _with_drives(self, model: Model, what: str, values: np.ndarray) -> Model:
        """The model with other numbers of the joints that lead; followers get zeros."""
        found = []
        for joint in model.joints:
            own = np.zeros(joint.nv) if joint.mimic else values[self.joints[joint.name].v]
            found.append(replace(joint, **{what: own}))
        return replace(model, joints=tuple(found))

    # -------------------------------------------------------------- built on the quantities

    def operators(self, q: ArrayLike) -> SpatialOperators:
        """The spatial operators of Jain and Rodriguez at q (nq,); for teaching and research.

        q: of numbers or of symbols, whatever can be added and multiplied.
        """
        from jounce.papers.jain_rodriguez import SpatialOperators

        if isinstance(q, np.ma.MaskedArray):
            q = plain(q, printable(f"{self.name}.operators: argument 'q'"))
        return SpatialOperators(self.tree, np.asarray(q), self.joint_names)

    # -------------------------------------------------------------- other robots from this one

    def lock(self, values: Mapping[str, ArrayLike]) -> Robot:
        """This robot with joints held at coordinates by name; see `jounce.edit.lock`."""
        from jounce import edit

        return self._like(edit.lock(self.model, values))

    def subtree(self, link: str) -> Robot:
        """What hangs on a link, with the link as its fixed base; see `jounce.edit.subtree`."""
        from jounce import edit

        return self._like(edit.subtree(self.model, link))

    def attach(
        self,
        other: Robot | Model | Body | ArrayLike,
        frame: str,
        placement: ArrayLike | None = None,
        *,
        prefix: str = "",
        weld: bool = True,
    ) -> Robot:
        """This robot with a robot, body or payload (10,) mounted; see `jounce.edit.attach`."""
        from jounce import edit

        load = other.model if isinstance(other, Robot) else other
        return self._like(edit.attach(self.model, load, frame, placement, prefix=prefix, weld=weld))

    def with_frame(
        self, name: str, frame: str | None = None, placement: ArrayLike | None = None
    ) -> Robot:
        """This robot with one more frame, at a pose in another; see `jounce.edit.with_frame`."""
        from jounce import edit

        return self._like(edit.with_frame(self.model, name, frame, placement))

    def check(self) -> list[Finding]:
        """Everything suspicious in the model, worst first; see `jounce.check`."""
        from jounce import check as checks

        return checks.check(self.model)

    def write_urdf(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a URDF file that reads back as this robot; see `jounce.io.urdf.write`.

        overwrite: replace a file that exists; FileExistsError otherwise.
        """
        from jounce.io.urdf.write import write_urdf

        return write_urdf(self.model, path, overwrite=overwrite)

    def with_meshes(
        self,
        *,
        density: float | Mapping[str, float] | None = None,
        mass: float | Mapping[str, float] | Literal["file"] | None = None,
        purpose: str = "auto",
        links: Iterable[str] | None = None,
        package_dirs: Folders = (),
        repair: bool = False,
        hull: bool = False,
    ) -> Robot:
        """This robot with inertias from its file's meshes and shapes; see `jounce.meshes`."""
        from jounce.meshes import with_meshes

        how = {"purpose": purpose, "links": links, "package_dirs": package_dirs}
        how |= {"density": density, "mass": mass, "repair": repair, "hull": hull}
        return self._like(with_meshes(self.model, **how))

    # -------------------------------------------------------------- closed loops

    def with_loop(
        self,
        frame_a: str | tuple[str, ArrayLike],
        frame_b: str | tuple[str, ArrayLike],
        kind: str | Sequence[bool] = "weld",
        name: str | None = None,
    ) -> Robot:
        """This robot with one more loop between two frames; see `jounce.Model.with_loop`."""
        return self._like(self.model.with_loop(frame_a, frame_b, kind, name))

    def closed(
        self,
        active: Sequence[str | int] | None = None,
        q0: ArrayLike | None = None,
        tolerance: float = 1e-9,
    ) -> Mechanism:
        """The mechanism with its loops closed, and its quantities; see `jounce.mechanism.robot`."""
        from jounce.mechanism.robot import Mechanism

        return Mechanism(self, active, q0, tolerance)

    # -------------------------------------------------------------- contacts

    def with_contact(
        self,
        frame: str | tuple[str, ArrayLike],
        kind: str = "point",
        name: str | None = None,
        *,
        axis: ArrayLike = (1.0, 0.0, 0.0),
    ) -> Robot:
        """This robot with one more contact with the world; see `jounce.Model.with_contact`."""
        return self._like(self.model.with_contact(frame, kind, name, axis))

    def contacts(self, *names: str) -> Contacts:
        """The robot while contacts of these names hold (none: all); see `jounce.contacts.robot`.

        Made once for each set of names, and kept.
        """
        from jounce.contacts.robot import Contacts

        for name in names:
            if not isinstance(name, str):
                raise TypeError(
                    f"{self.name}.contacts: names must be strings, one by one, as contacts('left',"
                    f" 'right'), found {name!r}"
                )
        return entry(self._in_contact, names, lambda: Contacts(self, names))

    @once_property
    def _in_contact(self) -> dict[tuple[str, ...], Contacts]:
        return {}


def _restored(content: str, packed: bytes, target: str | None) -> Robot:
    """A robot from what it is pickled as; the same one each time that it comes to a process."""
    return resident(content, lambda: Robot(pickle.loads(packed), target=target))


@explain_call
def load(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Sequence[float] | None = None,
    package_dirs: io.Folders = (),
    xacro_args: Mapping[str, Any] | None = None,
    target: str | None = None,
) -> Robot:
    """A robot from a file, from the gallery by name, or from robot_descriptions by name.

    Files: URDF (.urdf), MJCF (.mjcf, needs mujoco), SDF (.sdf, .world), .xml by its root element
    <robot>, <mujoco> or <sdf>, and .xacro (needs xacro). Names: those of `jounce.gallery`, and
    those of the package robot_descriptions where it is installed, such as "panda_description".

    base: "fixed", or "floating" to add a free joint named "base" first; by default the robot's
    own: what an MJCF file says, "floating" for the gallery's toro25, "fixed" for all else.
    gravity: acceleration (3,) in m/s^2; by default the robot's own, (0, 0, -9.81) where the file
    says nothing. package_dirs: folders with packages, in which package://..., model://... and
    included files are searched first; see `jounce.io.resolve_mesh`. Missing meshes do not matter.
    xacro_args: values of a xacro file's arguments. target: the processor to compile for; see
    `Robot`.
    """
    model = io.read(
        path_or_name,
        base=base,
        gravity=gravity,
        package_dirs=package_dirs,
        xacro_args=xacro_args,
    )
    with name_file(model.source):
        return Robot(model, target=target)
