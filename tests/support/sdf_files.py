"""SDF texts made of parts, and where their frames are."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.kinematics import frame_pose
from jounce.io import placement
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import objects

#: Poses without any symmetry.
A = placement((1, 2, 3), (0.1, 0.2, 0.3))
B = placement((-1, 0.5, 2), (-0.4, 0.2, 1.3))
C = placement((0.3, -0.5, 0.2), (0.7, -0.2, 0.3))


def sdf(*parts: str, version: str = "1.9", model: str = '<model name="m">') -> str:
    body = "\n".join(parts)
    return f'<?xml version="1.0"?>\n<sdf version="{version}">\n{model}\n{body}\n</model></sdf>'


def link(name: str, pose: str = "", inside: str = "") -> str:
    return f'<link name="{name}">{pose}{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def axis(xyz: Any, inside: str = "", tag: str = "axis", attributes: str = "") -> str:
    return f"<{tag}><xyz {attributes}>{text(xyz)}</xyz>{inside}</{tag}>"


def text(x: Any) -> str:
    return x if isinstance(x, str) else " ".join(repr(float(value)) for value in np.ravel(x))


def six(T: np.ndarray) -> str:
    """x y z roll pitch yaw of a pose."""
    R = T[:3, :3]
    roll, yaw = np.arctan2(R[2, 1], R[2, 2]), np.arctan2(R[1, 0], R[0, 0])
    return text((*T[:3, 3], roll, np.arcsin(-R[2, 0]), yaw))


def pose(T: np.ndarray, relative_to: str = "", quaternion: bool = False) -> str:
    named = f' relative_to="{relative_to}"' if relative_to else ""
    return f"<pose{named}>{six(T)}</pose>"


def poses(model: Model, q: Any) -> dict[str, np.ndarray]:
    tree = lower(model)
    return {
        frame.name: frame_pose(tree, objects(q), i).astype(float)
        for i, frame in enumerate(model.frames)
    }


def at_rest(model: Model) -> np.ndarray:
    """The configuration of the file's poses."""
    parts = [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][: j.nq] if j.nq > 3 else [0.0] * j.nq
        for j in model.joints
        if j.mimic is None
    ]
    return np.array([x for part in parts for x in part])


def arm(*more: str, **options: Any) -> str:
    return sdf(
        link("base", pose(A)),
        link("arm", pose(B)),
        joint("j", "revolute", "base", "arm"),
        *more,
        **options,
    )
