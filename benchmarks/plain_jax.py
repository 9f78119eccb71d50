"""A hand-written Newton-Euler recursion in jax.numpy, for comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from jounce.robot import Robot


def plain_newton_euler(robot: Robot, dtype: DTypeLike = np.float64) -> Callable[..., Any]:
    """Inverse dynamics of one sample, body by body; joints are revolute or prismatic.

    dtype: of its numbers, which arguments shall have too.
    """
    import jax.numpy as jnp

    model, cross = robot.model, jnp.cross
    numbers, gains, offsets = _bodies(robot, dtype)
    axes = [np.asarray(joint.axis, dtype) for joint in model.joints]
    places = [np.asarray(joint.placement, dtype) for joint in model.joints]
    eye, gravity = np.eye(3, dtype=dtype), np.asarray(model.gravity, dtype)

    def body_pose(k: int, q: Any) -> tuple[Any, Any]:
        """Rotation and position of a body in its parent."""
        joint, T = model.joints[k], places[k]
        x, y, z = axes[k]
        if joint.kind == "prismatic":
            return jnp.asarray(T[:3, :3]), T[:3, 3] + T[:3, :3] @ (axes[k] * q)
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], dtype)
        return T[:3, :3] @ (eye + jnp.sin(q) * K + (1.0 - jnp.cos(q)) * K @ K), T[:3, 3]

    def forces(q: Any, v: Any, a: Any) -> Any:
        q, v, a = gains @ q + offsets, gains @ v, gains @ a
        still = (jnp.zeros(3, dtype), jnp.zeros(3, dtype), -jnp.asarray(gravity))
        motions, poses, pushes = [], [], []
        for k, joint in enumerate(model.joints):
            R, p = body_pose(k, q[k])
            w, dw, acc = motions[joint.parent] if joint.parent >= 0 else still
            acc = R.T @ (acc + cross(dw, p) + cross(w, cross(w, p)))
            w, dw = R.T @ w, R.T @ dw
            along, rate = axes[k] * v[k], axes[k] * a[k]
            if joint.kind == "prismatic":
                acc = acc + rate + 2.0 * cross(w, along)
            else:
                dw, w = dw + rate + cross(w, along), w + along
            m, h, I = numbers[k]
            force = m * acc + cross(dw, h) + cross(w, cross(w, h))
            turn = I @ dw + cross(w, I @ w) + cross(h, acc)
            motions.append((w, dw, acc))
            poses.append((R, p))
            pushes.append([force, turn])
        out = [jnp.zeros((), dtype)] * model.nb
        for k in reversed(range(model.nb)):
            joint, (force, turn), (R, p) = model.joints[k], pushes[k], poses[k]
            out[k] = axes[k] @ (force if joint.kind == "prismatic" else turn)
            if joint.parent >= 0:
                outer = R @ force
                pushes[joint.parent][0] += outer
                pushes[joint.parent][1] += R @ turn + cross(p, outer)
        return gains.T @ jnp.stack(out)

    return forces


def _bodies(
    robot: Robot, dtype: DTypeLike
) -> tuple[list[tuple[float, np.ndarray, np.ndarray]], np.ndarray, np.ndarray]:
    """Mass, first moments and inertia of bodies; entries of joints as gains of q, and offsets."""
    numbers = []
    for m, hx, hy, hz, xx, yy, zz, xy, xz, yz in robot.morphable.now[0]:
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype)
        numbers.append((float(m), np.array([hx, hy, hz], dtype), I))
    gains, offsets = np.zeros((robot.nb, robot.nv), dtype), np.zeros(robot.nb, dtype)
    places = {joint.name: k for k, joint in enumerate(robot.model.joints)}
    free = [joint.name for joint in robot.model.joints if joint.mimic is None]
    for name, k in places.items():
        mimic = robot.model.joints[k].mimic
        leader = name if mimic is None else mimic.leader
        gains[k, free.index(leader)] = 1.0 if mimic is None else mimic.multiplier
        offsets[k] = 0.0 if mimic is None else mimic.offset
    return numbers, gains, offsets
