"""Changing a robot's shape: displaced joints, and gradients in all design variables at once.

What moves with a displacement of joint i (six numbers, rotation first, in the axes of its body's
frame at the neutral configuration) is drawn in docs/guide/design.md:

* `screws`: only the joint's axis; bodies, inertias, frames and other joints stay at neutral.
* `placements`: the joint, its body and all beyond it, on their parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.validation import broadcast_arguments, plain
from jounce.arrays.wrenches import on_bodies
from jounce.catalog.arguments import argument
from jounce.catalog.derivative import derivative_names
from jounce.errors import ArgumentError, ModelError, printable, suggest
from jounce.math.lie import exp_pose
from jounce.model.model import Joint, Model
from jounce.runtime.trace import core_shape

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism

#: Numbers in one chunk of derivatives; bounds the memory of a gradient over a long trajectory.
_CHUNK = 4_000_000


def displaced(
    model: Model, *, screws: ArrayLike | None = None, placements: ArrayLike | None = None
) -> Model:
    """The model with its joints displaced by exp(screws) and exp(placements), (nb, 6) each."""
    moved = [_rows(x, name, model) for x, name in ((screws, "screws"), (placements, "placements"))]
    joints = []
    for joint, screw, placement in zip(model.joints, *moved, strict=True):
        joint = replace(joint, placement=joint.placement @ exp_pose(placement))
        joints.append(_with_screw(joint, screw) if np.any(screw) else joint)
    return replace(model, joints=tuple(joints))


def _rows(x: ArrayLike | None, name: str, model: Model) -> np.ndarray:
    if x is None:
        return np.zeros((model.nb, 6))
    rows = np.asarray(plain(x, printable(f"robot '{model.name}': {name}")), dtype=float)
    if rows.shape != (model.nb, 6):
        raise ArgumentError(
            f"robot '{model.name}': {name} must have shape ({model.nb}, 6), found {rows.shape}"
        )
    if not np.isfinite(rows).all():
        raise ArgumentError(f"robot '{model.name}': {name} must be finite")
    return rows


def _with_screw(joint: Joint, screw: np.ndarray) -> Joint:
    if not joint.row.axial and np.any(screw[:3]):
        raise ModelError(
            f"joint '{joint.name}': the axes of a {joint.kind} joint are those of its body; turn"
            " its placement instead, or give a screw without rotation"
        )
    E = exp_pose(screw)
    R, p = E[:3, :3], E[:3, 3]
    changes = {name: R @ getattr(joint, name) for name in joint.row.fields}
    return replace(joint, point=R @ joint.point + p, **changes)


@dataclass(frozen=True)
class LinkMesh:
    """The closed surface of a body, in its frame: vertices (V, 3), faces (F, 3), density kg/m^3."""

    vertices: np.ndarray
    faces: np.ndarray
    density: float = 1000.0


@dataclass(frozen=True)
class DesignGradient:
    """Derivatives of a scalar in everything a designer can change.

    parameters (nb, 10), screws and placements (nb, 6); vertices: per link with a mesh (V, 3).
    """

    parameters: np.ndarray
    screws: np.ndarray
    placements: np.ndarray
    vertices: Mapping[str, np.ndarray]


def design_gradient(
    robot: Robot | Mechanism,
    cost_gradient: ArrayLike,
    *arguments: ArrayLike,
    quantity: str = "inverse_dynamics",
    meshes: Mapping[str, LinkMesh] | None = None,
    **forces: ArrayLike | None,
) -> DesignGradient:
    """Return the gradient of a cost in inertial parameters, joint geometry and mesh vertices.

    Parameters
    ----------
    robot : Robot or Mechanism
        The loops of a mechanism stay closed.
    cost_gradient : array_like (..., nv)
        Derivative of the cost in the quantity's result, in the shape of the result; (..., nv) is
        that of inverse dynamics.
    *arguments : array_like
        Arguments of the quantity. Batch axes broadcast and are summed over.
    quantity : str
        Name of the quantity.
    meshes : mapping of str to LinkMesh
        Meshes by link; the parameters of these bodies are taken to be those of the mesh.
    **forces : array_like
        wrenches= and joint_forces=, if the quantity takes them.

    Returns
    -------
    DesignGradient
        `parameters` (nb, 10), `screws` (nb, 6), `placements` (nb, 6), and `vertices` (V, 3) by
        link.

    Raises
    ------
    ArgumentError
        If a mesh names an unknown link, or an array has another shape.

    Notes
    -----
    A reverse pass: the cost's gradient is pulled back through the dynamics to ten parameters and
    twelve displacements per body (for forces on a tree in time linear in the number of joints), and
    from the parameters through the mesh integrals to the vertices.
    """
    from jounce.model.inertia import vertex_vjp

    names = [body.name for body in robot.model.bodies]
    meshes = {} if meshes is None else meshes
    if not isinstance(meshes, Mapping):
        raise TypeError(
            f"{robot.name}: meshes: expected jounce.design.LinkMesh objects by link, found"
            f" {meshes!r}"
        )
    for name, mesh in meshes.items():
        if name not in names:
            raise ArgumentError(
                f"{robot.name}: no link '{name}' to give a mesh; {suggest(name, names)}"
            )
        if not isinstance(mesh, LinkMesh):
            raise TypeError(
                f"{robot.name}: mesh of link '{name}': expected a jounce.design.LinkMesh, found"
                f" {type(mesh).__name__}"
            )
    found = _differentiable(robot, quantity)
    weights, inputs, given = _flattened(robot, found, cost_gradient, arguments, forces)
    parameters, screws, placements = _pulled_back(robot, found, weights, inputs, given)
    vertices = {}
    for name, mesh in meshes.items():
        own = parameters[names.index(name)]
        vertices[name] = vertex_vjp(mesh.vertices, mesh.faces, mesh.density, own)
    return DesignGradient(parameters, screws, placements, vertices)


def _differentiable(robot: Robot | Mechanism, quantity: str) -> DifferentiableQuantity:
    """The quantity called `quantity`, if it is one array with derivatives in the geometry."""
    found = robot.quantity(quantity)
    several = len(found.definition.shapes) > 1
    if several or not isinstance(found, DifferentiableQuantity) or "dscrew" not in dir(found):
        tables = (robot.definitions, robot.frame_definitions)
        own, frames = (
            [
                name
                for name, row in table.items()
                if "dscrew" in derivative_names(row) and len(row.shapes) == 1
            ]
            for table in tables
        )
        lacks = "several results" if several else "no derivatives in screws and placements"
        raise ArgumentError(
            f"{robot.name}.design_gradient: {quantity} has {lacks};"
            f" choose one of {', '.join(own)}, or of a frame, as 'frame(NAME).{frames[0]}',"
            f" {', '.join(frames)}"
        )
    return found


def _flattened(
    robot: Robot | Mechanism,
    found: DifferentiableQuantity,
    cost_gradient: ArrayLike,
    arguments: Sequence[ArrayLike],
    forces: Mapping[str, ArrayLike | None],
) -> tuple[np.ndarray, list[np.ndarray], dict[str, np.ndarray]]:
    """Weights, arguments and forces with one batch axis."""
    title = printable(f"{robot.name}.design_gradient")
    kernel, optional = found.kernel, found.kernel.quantity.optional
    if len(arguments) != len(kernel.inputs):
        raise TypeError(
            f"{title} of {kernel.quantity.name} takes ({', '.join(kernel.arguments)}) after the"
            f" cost's gradient, found {len(arguments)} arguments"
        )
    for name in forces:
        if name not in optional:
            takes = f"takes {', '.join(optional)} by name" if optional else "takes none by name"
            raise TypeError(f"{title} of {kernel.quantity.name}: no '{name}'; it {takes}")
    pushed = {name: x for name, x in forces.items() if x is not None}
    given = {name: on_bodies(robot.model, name, x, title) for name, x in pushed.items()}
    cores = dict(zip(kernel.arguments, kernel.inputs, strict=True))
    cores |= {name: core_shape(argument(name).shape, robot.sizes) for name in given}
    cores["cost_gradient"] = kernel.outputs[0]
    values = dict(zip(kernel.arguments, arguments, strict=True)) | given
    values["cost_gradient"] = cost_gradient
    batch, arrays = broadcast_arguments(title, values, cores)
    flat = {
        name: np.broadcast_to(x.astype(float), (*batch, *cores[name])).reshape(-1, *cores[name])
        for name, x in zip(values, arrays, strict=True)
    }
    inputs = [flat[name] for name in kernel.arguments]
    return flat["cost_gradient"], inputs, {name: flat[name] for name in given}


def _pulled_back(
    robot: Robot | Mechanism,
    found: DifferentiableQuantity,
    weights: np.ndarray,
    inputs: list[np.ndarray],
    forces: Mapping[str, np.ndarray],
) -> tuple[np.ndarray, ...]:
    """Sums over the batch of weights times the derivatives of the quantity."""
    row = found.kernel.quantity
    if "design" in row.forms:  # a pass of its own, in time linear in the number of joints
        parts = found.derivative("design")(*inputs, weights, **forces)
        return tuple(part.sum(axis=0) for part in parts)
    if row.has_charts:
        weights = _on_twists(found(*inputs), weights)
    nb = robot.model.nb
    shapes = {"dpi": (nb, 10), "dscrew": (nb, 6), "dplacement": (nb, 6)}
    # what has no derivative in the parameters does not depend on them
    return tuple(
        _contracted(found.derivative(name), weights, inputs, forces).reshape(shape)
        if name in dir(found)
        else np.zeros(shape)
        for name, shape in shapes.items()
    )


def _on_twists(T: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weights (..., 4, 4) on poses as weights (..., 6) on body-fixed twists X, dT = T X~."""
    W = T.swapaxes(-1, -2) @ weights
    pairs = ((2, 1), (0, 2), (1, 0))
    turn = np.stack([W[..., i, j] - W[..., j, i] for i, j in pairs], axis=-1)
    return np.concatenate((turn, W[..., :3, 3]), axis=-1)


def _contracted(
    derivative: BoundQuantity,
    weights: np.ndarray,
    inputs: list[np.ndarray],
    forces: Mapping[str, np.ndarray],
) -> np.ndarray:
    """The sum over the batch of weights times a derivative, in chunks that bound the memory."""
    core = derivative.kernel.outputs[0]
    # a derivative that does not take some forces does not depend on them
    forces = {name: x for name, x in forces.items() if name in derivative.kernel.quantity.optional}
    total = np.zeros(core[weights.ndim - 1 :])
    size = max(1, _CHUNK // int(np.prod(core)))
    for start in range(0, len(weights), size):
        part = slice(start, start + size)
        given = {name: x[part] for name, x in forces.items()}
        full = derivative(*(x[part] for x in inputs), **given)
        total += np.tensordot(weights[part], full, axes=weights.ndim)
    return total
