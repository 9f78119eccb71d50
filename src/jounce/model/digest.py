"""Hash of the content of a model."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jounce.model.model import Model

#: Fields of a joint that do not affect the dynamics.
_NOT_NUMBERS = ("name", "lower", "upper", "velocity_limit", "effort_limit", "notes")


def digest(model: Model) -> str:
    """Return a hash of everything that determines results (not names, limits or meshes)."""
    sha = hashlib.sha256()
    leaders = {joint.name: i for i, joint in enumerate(model.joints)}
    for body, joint in zip(model.bodies, model.joints, strict=True):
        sha.update(body.inertia.tobytes())
        for item in fields(joint):
            value = getattr(joint, item.name)
            if item.name == "mimic" and value is not None:
                value = (leaders[value.leader], float(value.multiplier), float(value.offset))
            if item.name in _NOT_NUMBERS:
                continue
            sha.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    for frame in model.frames:
        sha.update(frame.body.to_bytes(4, "little", signed=True) + frame.placement.tobytes())
    for loop in model.loops:
        sha.update(repr((loop.body_a, loop.body_b, loop.locked)).encode())
        sha.update(loop.placement_a.tobytes() + loop.placement_b.tobytes())
    for contact in model.contacts:
        sha.update(repr((contact.body, contact.locked)).encode() + contact.placement.tobytes())
    sha.update(model.gravity.tobytes())
    return sha.hexdigest()
