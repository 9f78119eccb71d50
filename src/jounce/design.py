"""Changing a robot's shape: displaced joints, and gradients in all design variables at once.

What moves with a displacement of joint i (six numbers, rotation first, in the axes of its body's
frame at the neutral configuration) is drawn in docs/design.md:

* `screws`: only the joint's axis; bodies, inertias, frames and other joints stay at neutral.
* `placements`: the joint, its body and all beyond it, on their parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.math.lie import exp_pose
from jounce.model import Joint, Model

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Numbers in one chunk of derivatives; bounds the memory of a gradient over a long trajectory.
_CHUNK = 4_000_000

#: Joints whose model has no orientation of its own, so that only their point can move.
_WITHOUT_AXES = ("spherical", "free", "planar")


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
    rows = np.asarray(x, dtype=float)
    if rows.shape != (model.nb, 6):
        raise ValueError(
            f"robot '{model.name}': {name} must have shape ({model.nb}, 6), found {rows.shape}"
        )
    if not np.isfinite(rows).all():
        raise ValueError(f"robot '{model.name}': {name} must be finite")
    return rows


def _with_screw(joint: Joint, screw: np.ndarray) -> Joint:
    if joint.kind in _WITHOUT_AXES and np.any(screw[:3]):
        raise ModelError(
            f"joint '{joint.name}': the axes of a {joint.kind} joint are those of its body; turn"
            " its placement instead, or give a screw without rotation"
        )
    E = exp_pose(screw)
    R, p = E[:3, :3], E[:3, 3]
    changes: dict[str, Any] = {"point": R @ joint.point + p, "axis": R @ joint.axis}
    if joint.kind == "universal":
        changes["axis2"] = R @ joint.axis2
    return replace(joint, **changes)


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
    robot: Robot,
    cost_gradient: ArrayLike,
    *arguments: ArrayLike,
    quantity: str = "inverse_dynamics",
    meshes: Mapping[str, LinkMesh] | None = None,
) -> DesignGradient:
    """Gradient of a cost in inertial parameters, joint screws, placements and mesh vertices.

    cost_gradient: derivative of the cost in the quantity's result, of the result's shape
    (..., nv) for inverse dynamics; arguments: those of the quantity, batch axes broadcast and are
    summed over. meshes: by link; the parameters of those bodies are taken to be those of the mesh.

    A reverse pass: the cost's gradient is pulled back through the dynamics to ten parameters and
    twelve displacements per body (for forces in time linear in the number of joints), and from the
    parameters through the mesh integrals to the vertices.
    """
    from jounce.inertia import vertex_vjp

    meshes = {} if meshes is None else meshes
    unknown = [name for name in meshes if name not in robot.body_names]
    if unknown:
        raise ValueError(
            f"{robot.name}: no link '{unknown[0]}' to give a mesh; choose from {robot.body_names}"
        )
    weights, inputs = _flattened(robot, quantity, np.asarray(cost_gradient, float), arguments)
    parameters, screws, placements = _pulled_back(robot, quantity, weights, inputs)
    vertices = {}
    for name, mesh in meshes.items():
        own = parameters[robot.body_names.index(name)]
        vertices[name] = vertex_vjp(mesh.vertices, mesh.faces, mesh.density, own)
    return DesignGradient(parameters, screws, placements, vertices)


def _flattened(
    robot: Robot, quantity: str, weights: np.ndarray, arguments: Sequence[ArrayLike]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Weights and arguments with one batch axis."""
    kernel = robot.quantity(quantity).kernel
    if len(arguments) != len(kernel.inputs):
        wanted = ", ".join(kernel.arguments)
        raise TypeError(
            f"{robot.name}.design_gradient of {quantity} takes ({wanted}) after the cost's"
            f" gradient, found {len(arguments)} arguments"
        )
    arrays = [np.asarray(x, dtype=float) for x in arguments]
    cores = [*kernel.inputs, kernel.outputs[0]]
    names = [*kernel.arguments, "cost_gradient"]
    batches = []
    for name, array, core in zip(names, [*arrays, weights], cores, strict=True):
        split = array.ndim - len(core)
        if split < 0 or array.shape[split:] != core:
            raise ValueError(
                f"{robot.name}.design_gradient: '{name}' must have shape (..., {core}), found"
                f" {array.shape}"
            )
        batches.append(array.shape[:split])
    batch = np.broadcast_shapes(*batches)
    flat = [
        np.broadcast_to(x, (*batch, *core)).reshape(-1, *core)
        for x, core in zip([*arrays, weights], cores, strict=True)
    ]
    return flat[-1], flat[:-1]


def _pulled_back(
    robot: Robot, quantity: str, weights: np.ndarray, inputs: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums over the batch of weights times the derivatives of the quantity."""
    rest = np.zeros_like(weights)
    if quantity in ("inverse_dynamics", "bias_forces", "gravity_forces"):
        state = [*inputs, *[rest] * (3 - len(inputs))]
        parts = robot.quantity("inverse_dynamics.design")(*state, weights)
        return tuple(part.sum(axis=0) for part in parts)
    if quantity == "forward_dynamics":  # M da = -dtau at a
        q, v, _ = inputs
        a = robot.forward_dynamics(*inputs)
        lam = -np.linalg.solve(robot.mass_matrix(q), weights[..., None])[..., 0]
        parts = robot.quantity("inverse_dynamics.design")(q, v, a, lam)
        return tuple(part.sum(axis=0) for part in parts)
    found = []
    for name, shape in (
        ("dpi", (robot.nb, 10)),
        ("dscrew", (robot.nb, 6)),
        ("dplacement", (robot.nb, 6)),
    ):
        derivative = robot.quantity(f"{quantity}.{name}")
        size = max(1, _CHUNK // int(np.prod(derivative.kernel.outputs[0])))
        total = np.zeros(shape)
        for start in range(0, len(weights), size):
            part = slice(start, start + size)
            full = derivative(*(x[part] for x in inputs))
            axes = weights[part].ndim
            total += np.tensordot(weights[part], full, axes=axes).reshape(shape)
        found.append(total)
    return tuple(found)
