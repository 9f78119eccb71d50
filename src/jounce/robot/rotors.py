"""Rotors of geared motors as bodies that spin on the link that carries them.

A rotor follows the joints that it drives: its angle is the sum of gear_ratio q. Its twist is that
of its carrier plus the spin, so its gyroscopic torques are those of a body, where armature has only
the kinetic energy of the spin itself. A rotor of several joints (a differential) is a chain of
massless bodies on one axis, each of which follows one joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, suggest
from jounce.io.builder import floats, unique_name
from jounce.math.lie import norm
from jounce.model import inertia as parameters
from jounce.model.model import Body, Joint, Mimic, Model
from jounce.model.numbers import Floats

#: Default mass of a rotor, relative to the mass of its carrier.
_MASS_SHARE = 0.01


def with_rotors(
    model: Model,
    joint: str | Sequence[str],
    inertia: ArrayLike,
    gear_ratio: ArrayLike,
    *,
    axis: ArrayLike | None = None,
    mass: float | None = None,
    position: ArrayLike | None = None,
    link: str | None = None,
    included: bool = True,
) -> Model:
    """Return the model with one rotor per row of gear_ratio (k, n); see `robot.with_rotor`."""
    joints = (joint,) if isinstance(joint, str) else tuple(joint)
    J = np.atleast_1d(np.asarray(inertia, dtype=float))
    ratios = np.asarray(gear_ratio, dtype=float).reshape(-1, len(joints) or 1)
    if not joints or J.ndim != 1 or len(J) != len(ratios):
        raise ModelError(
            f"rotor: expected gear_ratio of shape (k, {len(joints)}) for k inertias, found shapes"
            f" {np.shape(gear_ratio)} and {np.shape(inertia)}"
        )
    if not (np.isfinite(ratios).all() and np.isfinite(J).all() and (J > 0.0).all()):
        raise ModelError("rotor: inertia must be positive, and gear_ratio finite")
    names = [joint.name for joint in model.joints]
    for name in joints:
        if name not in names:
            raise ModelError(f"robot '{model.name}' has no joint '{name}'; {suggest(name, names)}")
        if not model.joints[names.index(name)].row.single:
            kind = model.joints[names.index(name)].kind
            raise ModelError(
                f"joint '{name}': a rotor needs a joint with one degree of freedom, found a {kind}"
                " joint"
            )
    first = model.joints[names.index(joints[0])]
    carrier, direction = first.parent, first.placement[:3, :3] @ first.axis
    if link is not None:
        carrier = model.frames[model.frame_index(link)].body
    if axis is not None:
        direction = floats(axis, (3,), "rotor: axis")
        if not norm(direction) > 0.0:
            raise ModelError("rotor: axis must not be zero")
    elif link is not None and carrier != first.parent:
        raise ModelError(f"rotor on link '{link}': give its axis in the axes of that link")
    direction = direction / np.linalg.norm(direction)
    leaders = [replace(j, armature=0.0) if j.name in joints else j for j in model.joints]
    model = replace(model, joints=tuple(leaders))
    for moment, row in zip(J, ratios, strict=True):
        rotor = _rotor_parameters(model, carrier, float(moment), direction, mass, position)
        model = _add_rotor(model, joints, row, carrier, direction, rotor, included)
    return model


def _rotor_parameters(
    model: Model,
    carrier: int,
    J: float,
    axis: Floats,
    mass: float | None,
    position: ArrayLike | None,
) -> Floats:
    """Return the inertial parameters (10,) of a rotor, in the frame of its carrier."""
    body = model.bodies[carrier] if carrier >= 0 else model.ground
    place = np.zeros(3)
    if body.inertia[0] > 0.0:
        place = body.inertia[1:4] / body.inertia[0]
    if position is not None:
        place = floats(position, (3,), "rotor: position")
    if mass is None:  # of no effect if the link includes it; a positive one is feasible
        mass = _MASS_SHARE * float(body.inertia[0]) or J
    if not (np.isfinite(mass) and mass >= 0.0):
        raise ModelError(f"rotor: mass must be finite and >= 0, found {mass}")
    about = 0.5 * J * (np.eye(3) + np.outer(axis, axis))  # a disc
    return parameters.from_com(mass, place, about)


def _add_rotor(
    model: Model,
    joints: tuple[str, ...],
    ratios: Floats,
    carrier: int,
    axis: Floats,
    rotor: Floats,
    included: bool,
) -> Model:
    """Return the model with one rotor: a chain of joints that follow `joints`."""
    driven = [(name, float(r)) for name, r in zip(joints, ratios, strict=True) if r != 0.0]
    if not driven:
        raise ModelError("rotor: a row of gear_ratio is zero; each motor must drive some joint")
    taken = {x.name for x in (*model.bodies, *model.frames, *model.joints)}
    bodies, added = list(model.bodies), []
    if included and carrier >= 0:
        body = bodies[carrier]
        bodies[carrier] = replace(body, inertia=body.inertia - rotor, links=())
    T = np.eye(4)
    T[:3, 3] = rotor[1:4] / rotor[0] if rotor[0] > 0.0 else 0.0
    at_joint = parameters.translate(rotor, -T[:3, 3])
    parent = carrier
    for name, ratio in driven:
        inertia = at_joint if name == driven[-1][0] else np.zeros(10)
        rotor_name = unique_name(f"{name}_rotor", taken)
        bodies.append(Body(rotor_name, inertia))
        joint_name = unique_name(f"{rotor_name}_joint", taken)
        follow = Mimic(name, ratio)
        added.append(Joint(joint_name, "revolute", parent, T, axis=axis, mimic=follow))
        parent, T = len(bodies) - 1, np.eye(4)
    return replace(model, bodies=tuple(bodies), joints=(*model.joints, *added))
