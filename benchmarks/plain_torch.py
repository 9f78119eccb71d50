"""A hand-written Newton-Euler recursion in PyTorch, for comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from jounce.model.inertia.parameters import split
from jounce.robot import Robot


def _gains(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """All joints' coordinates (nb,) = gains (nb, nv) q + offsets, followers included."""
    gains, offsets = np.zeros((robot.nb, robot.nv)), np.zeros(robot.nb)
    for k, joint in enumerate(robot.model.joints):
        leader = joint.name if joint.mimic is None else joint.mimic.leader
        gains[k, robot.joints[leader].v.start] = 1.0
        if joint.mimic is not None:
            gains[k] *= joint.mimic.multiplier
            offsets[k] = joint.mimic.offset
    return gains, offsets


def plain_newton_euler(
    robot: Robot, dtype: DTypeLike = np.float64, device: str = "cpu"
) -> Callable[..., Any]:
    """Inverse dynamics of a batch, body by body; joints are revolute or prismatic.

    dtype, device: of its numbers, which arguments shall have too.
    """
    import torch

    model = robot.model
    tensor = lambda x: torch.tensor(np.asarray(x, dtype), device=device)  # noqa: E731
    gains, offsets = (tensor(x) for x in _gains(robot))
    numbers = [tuple(map(tensor, split(body.inertia))) for body in model.bodies]
    armature = tensor([float(joint.armature[0]) for joint in model.joints])
    axes = [tensor(joint.axis) for joint in model.joints]
    places = [tensor(joint.placement) for joint in model.joints]
    eye, gravity = tensor(np.eye(3)), tensor(model.gravity)
    skews = [torch.linalg.cross(eye, axis.expand(3, 3)) for axis in axes]
    cross = torch.linalg.cross
    turn = lambda R, x: (R @ x.unsqueeze(-1)).squeeze(-1)  # noqa: E731

    def body_pose(k: int, q: Any) -> tuple[Any, Any]:
        """Rotation and position of a body in its parent."""
        R, p, K = places[k][:3, :3], places[k][:3, 3], skews[k]
        if model.joints[k].kind == "prismatic":
            return R.expand(len(q), 3, 3), p + q[:, None] * (R @ axes[k])
        s, c = torch.sin(q)[:, None, None], torch.cos(q)[:, None, None]
        return R @ (eye + s * K + (1.0 - c) * (K @ K)), p.expand(len(q), 3)

    def forces(q: Any, v: Any, a: Any) -> Any:
        q, v, a = q @ gains.T + offsets, v @ gains.T, a @ gains.T
        zeros = torch.zeros_like(gravity).expand(len(q), 3)
        still = zeros, zeros, zeros - gravity
        motions, poses, pushes = [], [], []
        for k, joint in enumerate(model.joints):
            R, p = body_pose(k, q[:, k])
            w, dw, acc = motions[joint.parent] if joint.parent >= 0 else still
            back = R.transpose(-1, -2)
            acc = turn(back, acc + cross(dw, p) + cross(w, cross(w, p)))
            w, dw = turn(back, w), turn(back, dw)
            along, rate = v[:, k, None] * axes[k], a[:, k, None] * axes[k]
            if joint.kind == "prismatic":
                acc = acc + rate + 2.0 * cross(w, along)
            else:
                dw, w = dw + rate + cross(w, along), w + along
            m, h, I = numbers[k]
            h = h.expand(len(q), 3)
            force = m * acc + cross(dw, h) + cross(w, cross(w, h))
            moment = dw @ I + cross(w, w @ I) + cross(h, acc)
            motions.append((w, dw, acc))
            poses.append((R, p))
            pushes.append([force, moment])
        out = [zeros] * model.nb
        for k in reversed(range(model.nb)):
            joint, (R, p), (force, moment) = model.joints[k], poses[k], pushes[k]
            out[k] = (force if joint.kind == "prismatic" else moment) @ axes[k]
            if joint.parent >= 0:
                force = turn(R, force)
                pushes[joint.parent][0] = pushes[joint.parent][0] + force
                moved_on = turn(R, moment) + cross(p, force)
                pushes[joint.parent][1] = pushes[joint.parent][1] + moved_on
        return (torch.stack(out, dim=-1) + armature * a) @ gains

    return forces
