"""Correspondence between the joints of jounce and Pinocchio, for `pinocchio.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.model import Joint, Model
from jounce.model.joints import FLOATING, Counterpart, Part


def counterparts_of(joint: Joint) -> list[tuple[Counterpart, Part]]:
    """Return Pinocchio's joint for each motion of a joint."""
    counterparts = []
    for part in joint.row.parts:
        counterpart, axis = part.motion.pinocchio, part.direction(joint)
        if counterpart is None:
            raise ModelError(
                f"joint '{joint.name}' is {joint.kind}, but Pinocchio has no {part.motion} motion"
            )
        if "axis" not in counterpart.fields and axis is not None and axis[2] != 1.0:
            raise ModelError(
                f"joint '{joint.name}' has axis {axis.tolist()}, but Pinocchio's {part.motion}"
                " joint can only have [0.0, 0.0, 1.0]"
            )
        counterparts.append((counterpart, part))
    return counterparts


def velocity_indices(joint: Joint) -> list[int]:
    """Return the index in jounce's order of each of Pinocchio's velocities of a joint."""
    return [part.v.start + k for counterpart, part in counterparts_of(joint) for k in counterpart.v]


def create_joint(pin: Any, joint: Joint) -> Any:
    """Create Pinocchio's joint model of a joint, a composite if it has several motions."""
    models = []
    for counterpart, part in counterparts_of(joint):
        axis = part.direction(joint)
        fields = {"axis": np.array((0.0, 0.0, 1.0) if axis is None else axis), "pitch": joint.pitch}
        constructor = getattr(pin, f"JointModel{counterpart.name}")
        models.append(constructor(*(fields[name] for name in counterpart.fields)))
    if len(models) == 1:
        return models[0]
    series = pin.JointModelComposite()
    for model in models:
        series.addJoint(model)
    return series


def coordinate_sources(joint: Joint, pin_nq: int) -> tuple[list[int], list[int]]:
    """Return the source of each of Pinocchio's coordinates of a joint, and which are cosines.

    The index of an angle that Pinocchio stores as cosine and sine is listed twice.
    """
    counterparts = counterparts_of(joint)
    min_nq = sum(
        len(counterpart.q) + (counterpart.circle is True) for counterpart, _ in counterparts
    )
    unbounded = pin_nq > min_nq
    sources: list[int] = []
    cosines: list[int] = []
    for counterpart, part in counterparts:
        sources += [part.q.start + k for k in counterpart.q]
        if counterpart.circle is True or (unbounded and counterpart.circle == "maybe"):
            cosines.append(len(sources) - 1)
            sources.append(sources[-1])
    return sources, cosines


def match_joints(model: Model, pin_model: Any) -> list[int]:
    """Return the index of the Pinocchio joint of each of the model's joints."""
    ids = {name: i for i, name in enumerate(pin_model.names) if i > 0}
    model_names = {joint.name for joint in model.joints}
    indices: list[int] = []
    for joint in model.joints:
        index = ids.get(joint.name)
        # Pinocchio calls the joint of a floating base "root_joint"
        if index is None and joint.kind == FLOATING and joint.parent < 0 and len(ids) > 0:
            index = 1 if pin_model.names[1] not in model_names else None
        if index is None:
            raise ModelError(
                f"Pinocchio's model has no joint '{joint.name}'; it has {', '.join(ids)}"
            )
        indices.append(index)
    unmatched = [name for name, i in ids.items() if i not in indices]
    if unmatched:
        raise ModelError(
            f"Pinocchio's model has joints that robot '{model.name}' lacks: {', '.join(unmatched)}"
        )
    return indices


def check_kind(joint: Joint, pin_joint: Any) -> None:
    """Raise a ModelError unless two matched joints are of one kind."""
    counterparts = [counterpart for counterpart, _ in counterparts_of(joint)]
    min_nq = sum(len(counterpart.q) + (counterpart.circle is True) for counterpart in counterparts)
    max_nq = min_nq + sum(counterpart.circle == "maybe" for counterpart in counterparts)
    if pin_joint.nv != joint.nv or pin_joint.nq not in (min_nq, max_nq):
        raise ModelError(
            f"joint '{joint.name}' is {joint.kind} in jounce, but {pin_joint.shortname()} in"
            " Pinocchio"
        )
