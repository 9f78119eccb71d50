"""Changing a robot's shape: displaced joints, and gradients in all design variables at once.

The displacement of joint i (six numbers, rotation first, in the axes of its body's frame at the
neutral configuration) moves different parts of a robot, as docs/guide/design.md shows:

* `screws`: only the joint's axis; bodies, inertias, frames and other joints stay at neutral.
* `placements`: the joint, its body and its whole subtree, relative to the parent.
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
_MAX_CHUNK_SIZE = 4_000_000


def displaced(
    model: Model,
    *,
    screws: ArrayLike | None = None,
    placements: ArrayLike | None = None,
    frames: Mapping[str, ArrayLike] | None = None,
    loops: Mapping[str, ArrayLike] | None = None,
    contacts: Mapping[str, ArrayLike] | None = None,
) -> Model:
    """Return the model with joints, frames, loops and contacts displaced.

    Parameters
    ----------
    model : Model
    screws, placements : array_like (nb, 6), optional
        Displacements of joints, rotation first, in the axes of the bodies' frames at neutral.
    frames, contacts : mapping of str to array_like (6,), optional
        Displacements of frames and contacts by name, in their own axes.
    loops : mapping of str to array_like (2, 6), optional
        Displacements of the frames a and b of loops by name, in their own axes.

    Returns
    -------
    Model
    """
    moved = [_rows(x, name, model) for x, name in ((screws, "screws"), (placements, "placements"))]
    joints = []
    for joint, screw, placement in zip(model.joints, *moved, strict=True):
        joint = replace(joint, placement=joint.placement @ exp_pose(placement))
        joints.append(_with_screw(joint, screw) if np.any(screw) else joint)
    model = replace(model, joints=tuple(joints))
    for field, shape, values in (
        ("frames", (6,), frames),
        ("loops", (2, 6), loops),
        ("contacts", (6,), contacts),
    ):
        model = _with_parts(model, field, shape, {} if values is None else values)
    return model


def _with_parts(
    model: Model, field: str, shape: tuple[int, ...], values: Mapping[str, ArrayLike]
) -> Model:
    """Return the model with some frames, loops or contacts displaced."""
    parts, title = list(getattr(model, field)), printable(f"robot '{model.name}': {field}")
    names = [part.name for part in parts]
    if not isinstance(values, Mapping):
        raise TypeError(f"{title}: expected displacements by name, found {type(values).__name__}")
    for name, value in values.items():
        if name not in names:
            raise ArgumentError(f"{title}: no '{name}'; {suggest(name, names)}")
        twists = np.asarray(plain(value, title), dtype=float)
        if twists.shape != shape or not np.isfinite(twists).all():
            raise ArgumentError(
                f"{title}: the displacement of '{name}' must be finite and of shape {shape}, found"
                f" shape {twists.shape}"
            )
        k = names.index(name)
        ends = ("placement_a", "placement_b") if field == "loops" else ("placement",)
        changes = {
            end: getattr(parts[k], end) @ exp_pose(twist)
            for end, twist in zip(ends, twists.reshape(-1, 6), strict=True)
        }
        parts[k] = replace(parts[k], **changes)
    return replace(model, **{field: tuple(parts)})


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
            f"joint '{joint.name}': a {joint.kind} joint has the axes of its body; rotate its"
            " placement instead, or pass a screw without rotation"
        )
    E = exp_pose(screw)
    R, p = E[:3, :3], E[:3, 3]
    changes = {name: R @ getattr(joint, name) for name in joint.row.fields}
    return replace(joint, point=R @ joint.point + p, **changes)


@dataclass(frozen=True)
class LinkMesh:
    """Closed surface of a body, in its frame: vertices (V, 3), faces (F, 3), density kg/m^3."""

    vertices: np.ndarray
    faces: np.ndarray
    density: float = 1000.0


@dataclass(frozen=True)
class DesignGradient:
    """Gradient of a scalar with respect to all design variables.

    parameters (nb, 10), screws and placements (nb, 6); vertices (V, 3) of each link with a mesh.
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
        Derivative of the cost with respect to the quantity's result, of the same shape; (..., nv)
        for inverse dynamics.
    *arguments : array_like
        Arguments of the quantity. Batch axes broadcast and are summed over.
    quantity : str
        Name of the quantity.
    meshes : mapping of str to LinkMesh
        Meshes by link, which determine the parameters of these bodies.
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

    Examples
    --------
    >>> import numpy as np
    >>> import jounce
    >>> robot = jounce.load("planar_2r")
    >>> q, v, a = [0.1, 0.2], [1.0, 0.0], [0.0, 0.0]
    >>> tau = robot.inverse_dynamics(q, v, a)
    >>> gradient = jounce.design.design_gradient(robot, tau, q, v, a)  # of |tau|^2 / 2
    >>> np.allclose(gradient.parameters.ravel(), tau @ robot.inverse_dynamics.dpi(q, v, a))
    True
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
            raise ArgumentError(f"{robot.name}: meshes: no link '{name}'; {suggest(name, names)}")
        if not isinstance(mesh, LinkMesh):
            raise TypeError(
                f"{robot.name}: mesh of link '{name}': expected a jounce.design.LinkMesh, found"
                f" {type(mesh).__name__}"
            )
    bound = _require_differentiable(robot, quantity)
    weights, inputs, force_arrays = _flatten(robot, bound, cost_gradient, arguments, forces)
    parameters, screws, placements = _pull_back(robot, bound, weights, inputs, force_arrays)
    vertices = {}
    for name, mesh in meshes.items():
        gradient = parameters[names.index(name)]
        vertices[name] = vertex_vjp(mesh.vertices, mesh.faces, mesh.density, gradient)
    return DesignGradient(parameters, screws, placements, vertices)


def _require_differentiable(robot: Robot | Mechanism, quantity: str) -> DifferentiableQuantity:
    """Return a quantity, or raise if it is no single array with geometric derivatives."""
    bound = robot.quantity(quantity)
    several = len(bound.definition.shapes) > 1
    if several or not isinstance(bound, DifferentiableQuantity) or "dscrew" not in dir(bound):
        tables = (robot.definitions, robot.frame_definitions)
        names, frame_names = (
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
            f" choose one of {', '.join(names)}, or of a frame, as 'frame(NAME).{frame_names[0]}',"
            f" {', '.join(frame_names)}"
        )
    return bound


def _flatten(
    robot: Robot | Mechanism,
    bound: DifferentiableQuantity,
    cost_gradient: ArrayLike,
    arguments: Sequence[ArrayLike],
    forces: Mapping[str, ArrayLike | None],
) -> tuple[np.ndarray, list[np.ndarray], dict[str, np.ndarray]]:
    """Return weights, arguments and forces with one batch axis."""
    title = printable(f"{robot.name}.design_gradient")
    kernel, optional = bound.kernel, bound.kernel.quantity.optional
    if len(arguments) != len(kernel.inputs):
        raise TypeError(
            f"{title} of {kernel.quantity.name} takes ({', '.join(kernel.arguments)}) after the"
            f" cost's gradient, found {len(arguments)} arguments"
        )
    for name in forces:
        if name not in optional:
            takes = f"takes {', '.join(optional)} by name" if optional else "takes none by name"
            raise TypeError(f"{title} of {kernel.quantity.name}: no '{name}'; it {takes}")
    nonempty = {name: x for name, x in forces.items() if x is not None}
    force_arrays = {name: on_bodies(robot.model, name, x, title) for name, x in nonempty.items()}
    cores = dict(zip(kernel.arguments, kernel.inputs, strict=True))
    cores |= {name: core_shape(argument(name).shape, robot.sizes) for name in force_arrays}
    cores["cost_gradient"] = kernel.outputs[0]
    values = dict(zip(kernel.arguments, arguments, strict=True)) | force_arrays
    values["cost_gradient"] = cost_gradient
    batch, arrays = broadcast_arguments(title, values, cores)
    flat = {
        name: np.broadcast_to(x.astype(float), (*batch, *cores[name])).reshape(-1, *cores[name])
        for name, x in zip(values, arrays, strict=True)
    }
    inputs = [flat[name] for name in kernel.arguments]
    return flat["cost_gradient"], inputs, {name: flat[name] for name in force_arrays}


def _pull_back(
    robot: Robot | Mechanism,
    bound: DifferentiableQuantity,
    weights: np.ndarray,
    inputs: list[np.ndarray],
    forces: Mapping[str, np.ndarray],
) -> tuple[np.ndarray, ...]:
    """Return the sums over the batch of weights times the derivatives of the quantity."""
    row = bound.kernel.quantity
    if "design" in row.forms:  # a reverse pass, linear in the number of joints
        parts = bound.derivative("design")(*inputs, weights, **forces)
        return tuple(part.sum(axis=0) for part in parts)
    if row.has_charts:
        weights = _pose_to_twist_weights(bound(*inputs), weights)
    nb = robot.model.nb
    shapes = {"dpi": (nb, 10), "dscrew": (nb, 6), "dplacement": (nb, 6)}
    # a missing derivative means that the quantity does not depend on the parameters
    return tuple(
        _contract(bound.derivative(name), weights, inputs, forces).reshape(shape)
        if name in dir(bound)
        else np.zeros(shape)
        for name, shape in shapes.items()
    )


def _pose_to_twist_weights(T: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Convert weights (..., 4, 4) on poses to weights (..., 6) on twists X, dT = T X~."""
    W = T.swapaxes(-1, -2) @ weights
    pairs = ((2, 1), (0, 2), (1, 0))
    turn = np.stack([W[..., i, j] - W[..., j, i] for i, j in pairs], axis=-1)
    return np.concatenate((turn, W[..., :3, 3]), axis=-1)


def _contract(
    derivative: BoundQuantity,
    weights: np.ndarray,
    inputs: list[np.ndarray],
    forces: Mapping[str, np.ndarray],
) -> np.ndarray:
    """Return the sum over the batch of weights times a derivative, in chunks."""
    core = derivative.kernel.outputs[0]
    # a derivative that does not take some forces does not depend on them
    forces = {name: x for name, x in forces.items() if name in derivative.kernel.quantity.optional}
    total = np.zeros(core[weights.ndim - 1 :])
    size = max(1, _MAX_CHUNK_SIZE // int(np.prod(core)))
    for start in range(0, len(weights), size):
        part = slice(start, start + size)
        chunk = {name: x[part] for name, x in forces.items()}
        full = derivative(*(x[part] for x in inputs), **chunk)
        total += np.tensordot(weights[part], full, axes=weights.ndim)
    return total
