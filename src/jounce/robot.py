"""The robot as users meet it: its quantities, its frames and its configurations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce import io
from jounce.backends import llvm
from jounce.catalog.rows import ROBOT, Row
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.singular import explanation
from jounce.math.lie import quaternion_normalise
from jounce.model import configurations
from jounce.model.model import Joint, Model
from jounce.model.tree import Tree, lower
from jounce.process.once import once_property
from jounce.quantities.arrays import floating, precision, shaped, stored, together
from jounce.quantities.quantity import Quantity
from jounce.quantities.signatures import explained
from jounce.quantities.tables import Morphable, Parametric, WithFrames

if TYPE_CHECKING:
    from jounce.check import Finding
    from jounce.design import DesignGradient, LinkMesh
    from jounce.elastic import ElasticMotion
    from jounce.interop.casadi import CasadiRobot
    from jounce.interop.sympy import SymbolicRobot
    from jounce.io.packages import Folders
    from jounce.mechanism.robot import ClosedRobot
    from jounce.model.model import Body
    from jounce.papers.jain_rodriguez import SpatialOperators


@dataclass(frozen=True)
class JointView:
    """A joint by name: its kind and where it sits in q and v (its leader's place, if it mimics)."""

    name: str
    kind: str
    q: slice
    v: slice
    joint: Joint


class Robot(WithFrames):
    """A robot: what it is, its configurations, and every quantity of the catalog as a callable.

    target: the processor its kernels are compiled for: "native", "x86-64-v2", "x86-64-v3" or
    "x86-64-v4", as far as this machine has it; by default what JOUNCE_TARGET says, else native.
    """

    def __init__(self, model: Model, *, target: str | None = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"expected a jounce.Model, found {type(model).__name__}")
        if model.nv == 0:
            raise ModelError(f"robot '{model.name}' has no movable joint")
        self.model = model
        if target is not None:
            llvm.target(target)  # refuses what this machine does not have
        self.target = target

    def _like(self, model: Model) -> Robot:
        """Another robot, compiled for the same processor."""
        return Robot(model, target=self.target)

    def _table(self) -> Mapping[str, Row]:
        return ROBOT

    def _make(self, row: Row) -> Quantity:
        return Quantity(self.name, row, self)

    def _singular(self) -> str:
        return explanation(self.tree, self.labels("v", "{}[{}]"))

    def __reduce__(self) -> Any:
        return _restored, (self.model, self.target)

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
        sizes = {"nq": self.model.nq, "nv": nv, "nb": self.model.nb, "3nv": 3 * nv}
        return {**sizes, "10nb": ten, "10nb+3nv": ten + 3 * nv}

    @property
    def nq(self) -> int:
        """Length of a configuration."""
        return self.sizes["nq"]

    @property
    def nv(self) -> int:
        """Length of a velocity."""
        return self.sizes["nv"]

    @property
    def nb(self) -> int:
        """Number of moving bodies."""
        return self.sizes["nb"]

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
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name: joints["elbow"].q and .v are slices into q and v."""
        views = {}
        for i, joint in zip(self.tree.node_of_body, self.model.joints, strict=True):
            node = self.tree.nodes[i]
            # a two-motion joint starts at the node before its last
            q = slice(node.qs.stop - joint.nq, node.qs.stop)
            v = slice(node.vs.stop - joint.nv, node.vs.stop)
            views[joint.name] = JointView(joint.name, joint.kind, q, v, joint)
        return MappingProxyType(views)

    def labels(self, of: Literal["q", "v"], numbered: str = "{}_{}", start: int = 0) -> list[str]:
        """Names of the entries of q or v: the joint's, numbered from `start` if it has several."""
        names = [""] * self.sizes[f"n{of}"]
        for view in self.joints.values():
            if view.joint.mimic is None:
                at: slice = getattr(view, of)
                several = at.stop - at.start > 1
                for k in range(at.start, at.stop):
                    names[k] = (
                        numbered.format(view.name, k - at.start + start) if several else view.name
                    )
        return names

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
        try:
            numbers = np.array(parameters)
            if numbers.dtype.kind not in "fiu":
                raise TypeError
        except (TypeError, ValueError):
            raise ModelError(
                f"robot '{self.name}': parameters must be real numbers of shape ({self.nb}, 10)"
            ) from None
        model = self.model.with_parameters(numbers.astype(float))
        for what, values in (("armature", armature), ("damping", damping), ("friction", friction)):
            if values is not None:
                model = self._with_drives(model, what, self._array(values, what, self.nv))
        return self._like(model)

    def with_geometry(
        self, *, screws: ArrayLike | None = None, placements: ArrayLike | None = None
    ) -> Robot:
        """The same robot with its joints displaced, (nb, 6) each; see `jounce.design`."""
        from jounce.design import displaced

        return self._like(displaced(self.model, screws=screws, placements=placements))

    def design_gradient(
        self,
        cost_gradient: ArrayLike,
        *arguments: ArrayLike,
        quantity: str = "inverse_dynamics",
        meshes: Mapping[str, LinkMesh] | None = None,
        **forces: ArrayLike,
    ) -> DesignGradient:
        """Gradient of a cost in parameters, screws, placements, vertices; see `jounce.design`."""
        from jounce.design import design_gradient

        return design_gradient(
            self, cost_gradient, *arguments, quantity=quantity, meshes=meshes, **forces
        )

    def _with_drives(self, model: Model, what: str, values: np.ndarray) -> Model:
        """The model with other numbers of the joints that lead; followers get zeros."""
        found = []
        for joint in model.joints:
            own = np.zeros(joint.nv) if joint.mimic else values[self.joints[joint.name].v]
            found.append(replace(joint, **{what: own}))
        return replace(model, joints=tuple(found))

    # -------------------------------------------------------------- configurations

    def _array(self, x: ArrayLike, name: str, size: int) -> np.ndarray:
        return shaped(x, f"{printable(self.name)}: argument '{name}'", (size,)).astype(float)

    @explained
    def neutral(
        self, *, dtype: DTypeLike = np.float64, out: np.ndarray | None = None
    ) -> np.ndarray:
        """The configuration (nq,) of zero angles and displacements and identity quaternions."""
        q = configurations.neutral(self.tree).astype(floating(dtype))
        return stored(q, out, f"{self.name}.neutral")

    @explained
    def random(
        self,
        rng: np.random.Generator | int | None = None,
        n: int | None = None,
        *,
        dtype: DTypeLike = np.float64,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Random configurations (n, nq), or (nq,) without n, within the joints' limits.

        Unlimited angles are uniform in [-pi, pi], displacements in [-1, 1] m, orientations uniform.
        rng: a generator, or what makes one: a seed, or None for one that no two runs share.
        """
        title = printable(f"{self.name}.random")
        shape = () if n is None else (_count(n, title),)
        rng = _generator(rng, title)
        q = np.empty((*shape, self.nq))
        for view in self.joints.values():
            if view.joint.mimic is None:
                q[..., view.q] = _random_coordinates(rng, view.joint, shape)
        return stored(q.astype(floating(dtype), copy=False), out, title)

    @explained
    def integrate(self, q: ArrayLike, v: ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
        """Configuration (..., nq) reached from q by the velocity v held for one unit of time.

        Leading axes broadcast; the result is float32 if an argument is and none is wider.
        """
        sizes = {"q": self.nq, "v": self.nv}
        return self._step("integrate", configurations.integrate, {"q": q, "v": v}, sizes, out)

    @explained
    def difference(
        self, q0: ArrayLike, q1: ArrayLike, *, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Velocity (..., nv) that leads from q0 to q1 in one unit of time.

        Leading axes broadcast; the result is float32 if an argument is and none is wider.
        """
        sizes = {"q0": self.nq, "q1": self.nq}
        given = {"q0": q0, "q1": q1}
        return self._step("difference", configurations.difference, given, sizes, out)

    def _step(
        self,
        name: str,
        formula: Callable[..., np.ndarray],
        given: Mapping[str, ArrayLike],
        sizes: Mapping[str, int],
        out: np.ndarray | None,
    ) -> np.ndarray:
        """A step between configurations, in double precision inside."""
        title = printable(f"{self.name}.{name}")
        batch, arrays = together(title, given, {key: (size,) for key, size in sizes.items()})
        wide = (np.broadcast_to(x.astype(float), (*batch, x.shape[-1])) for x in arrays)
        return stored(formula(self.tree, *wide).astype(precision(arrays), copy=False), out, title)

    # -------------------------------------------------------------- built on the quantities

    @explained
    def elastic_inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        j: ArrayLike,
        s: ArrayLike,
        stiffness: ArrayLike,
        *,
        damping: ArrayLike | None = None,
        motor_inertia: ArrayLike | None = None,
        wrenches: ArrayLike | None = None,
        dwrenches: ArrayLike | None = None,
        ddwrenches: ArrayLike | None = None,
        out: tuple[np.ndarray | None, ...] | None = None,
    ) -> ElasticMotion:
        """Motor motion and torque of elastic drives; see `jounce.elastic`."""
        from jounce.elastic import elastic_inverse_dynamics

        drive = {"damping": damping, "motor_inertia": motor_inertia}
        push = {"wrenches": wrenches, "dwrenches": dwrenches, "ddwrenches": ddwrenches}
        return elastic_inverse_dynamics(self, q, v, a, j, s, stiffness, **drive, **push, out=out)

    def export_c(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        simd: bool = False,
        name: str | None = None,
    ) -> list[Path]:
        """Dependency-free C99 of quantities by name, with a self-test; see `jounce.export`."""
        from jounce.export import export_c

        return export_c(self, folder, quantities, dtype=dtype, simd=simd, name=name)

    def export_matlab(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        name: str | None = None,
    ) -> list[Path]:
        """One MATLAB or Octave function per quantity; see `jounce.export`."""
        from jounce.export import export_matlab

        return export_matlab(self, folder, quantities, name=name)

    def operators(self, q: ArrayLike) -> SpatialOperators:
        """The spatial operators of Jain and Rodriguez at q (nq,); for teaching and research."""
        from jounce.papers.jain_rodriguez import SpatialOperators

        return SpatialOperators(self.tree, np.asarray(q), self.joint_names)

    def symbolic(
        self,
        parameters: Mapping[str, Any] | None = None,
        *,
        time: Any = None,
        names: Literal["numbers", "joints"] = "numbers",
    ) -> SymbolicRobot:
        """The same quantities on SymPy symbols, parameters included; see `jounce.interop.sympy`."""
        from jounce.interop.sympy import SymbolicRobot

        return SymbolicRobot(self, parameters, time=time, names=names)

    def casadi(self) -> CasadiRobot:
        """The same quantities as CasADi Functions; see `jounce.interop.casadi`."""
        from jounce.interop.casadi import casadi_functions

        return casadi_functions(self)

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

    def write_urdf(self, path: str | os.PathLike[str]) -> Path:
        """Write a URDF file that reads back as this robot; see `jounce.io.urdf.write`."""
        from jounce.io.urdf.write import write_urdf

        return write_urdf(self.model, path)

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
    ) -> ClosedRobot:
        """The mechanism with its loops closed, and its quantities; see `jounce.mechanism.robot`."""
        from jounce.mechanism.robot import ClosedRobot

        return ClosedRobot(self, active, q0, tolerance)


def _restored(model: Model, target: str | None) -> Robot:
    """A robot from what it is pickled as."""
    return Robot(model, target=target)


def _count(n: Any, title: str) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise ArgumentError(f"{title}: n must be a whole number >= 0 or None, found {n!r}")
    return int(n)


def _generator(rng: Any, title: str) -> np.random.Generator:
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{title}: rng must be a numpy.random.Generator, a seed >= 0 or None, found {rng!r}"
        ) from None


def _random_coordinates(
    rng: np.random.Generator, joint: Joint, shape: tuple[int, ...]
) -> np.ndarray:
    if joint.kind in ("spherical", "free"):
        turn = quaternion_normalise(rng.standard_normal((*shape, 4)))
        if joint.kind == "spherical":
            return turn
        return np.concatenate((turn, rng.uniform(-1.0, 1.0, (*shape, 3))), axis=-1)
    translations = {
        "prismatic": (True,),
        "cylindrical": (False, True),
        "planar": (False, True, True),
    }
    moves = np.array(translations.get(joint.kind, (False,) * joint.nq))
    span = np.where(moves, 1.0, np.pi)
    # without a limit, a span about zero, or beyond the limit on the other side
    floor = np.where(np.isfinite(joint.upper), np.minimum(-span, joint.upper - 2 * span), -span)
    lower = np.where(np.isfinite(joint.lower), joint.lower, floor)
    ceiling = np.where(np.isfinite(joint.lower), np.maximum(span, joint.lower + 2 * span), span)
    upper = np.where(np.isfinite(joint.upper), joint.upper, ceiling)
    # halves, whose difference is finite, however far apart the limits are
    half = 0.5 * lower + (0.5 * upper - 0.5 * lower) * rng.random((*shape, joint.nq))
    return np.clip(2.0 * half, lower, upper)


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
    return Robot(model, target=target)
