"""Simulated measurements of mechanisms for the tests of identification."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jounce.identification.closing import Closing
from jounce.identification.drives import DriveParameters
from jounce.identification.subject import MechanismAdapter
from jounce.solve.mechanism.robot import Mechanism
from support.identify_data import Motion, changed


def changed_mechanism(closed: Mechanism, seed: int = 0, size: float = 0.2) -> Mechanism:
    """A mechanism whose every body could exist, with other masses, centres and inertias."""
    return _like(closed, changed(closed.robot, seed, size).model.parameters)


def with_all_drives(closed: Mechanism, seed: int = 0) -> Mechanism:
    """The same mechanism with armature and friction of all joints that can have some."""
    rng = np.random.default_rng(seed)
    model, joints = closed.model, []
    for joint in model.joints:
        drives = 0.1 * rng.uniform(0.3, 1.0, 3) * joint.row.single
        names = ("armature", "damping", "friction")
        numbers = {k: np.full(joint.nv, x) for k, x in zip(names, drives, strict=True)}
        joints.append(replace(joint, **numbers))
    robot = closed.robot.edit.with_model(replace(model, joints=tuple(joints)))
    return robot.closed(closed.active, closed.reference, closed.tolerance)


def _like(closed: Mechanism, parameters: np.ndarray) -> Mechanism:
    robot = closed.robot.edit.with_parameters(parameters)
    return robot.closed(closed.active, closed.reference, closed.tolerance)


def mechanism_motion(
    closed: Mechanism,
    samples: int,
    size: float,
    step: float = 0.01,
    seed: int = 0,
    noise: float = 0.0,
) -> Motion:
    """Smooth motions of the independent joints about the reference, the others following.

    size: amplitude, rad or m. noise: standard deviation of each torque relative to its mean size.
    """
    rng = np.random.default_rng(seed)
    t = step * np.arange(samples)
    q, v, a = np.zeros((3, samples, closed.nv))
    for k in range(1, 6):
        w = 2.0 * np.pi * k / 4.0
        sines, cosines = rng.normal(size=(2, closed.nv)) * size / k
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q += sines * s - cosines * c
        v += w * (sines * c + cosines * s)
        a += w * w * (cosines * c - sines * s)
    owner = MechanismAdapter(closed)
    whole = np.full((samples, closed.nq), np.nan)
    whole[:, owner.leading] = closed.reference[owner.leading] + q
    whole = Closing(owner, np.isfinite(whole[0]), "the motion")(whole, 0)
    tau = closed.inverse_dynamics(whole, v, a)
    own, speed = DriveParameters.of(closed.robot), closed.velocity(whole, v)
    friction = own.damping * speed + own.friction * np.sign(speed)
    tau = tau + closed.independent_forces(whole, friction)
    tau = tau + noise * np.abs(tau).mean(axis=0) * rng.normal(size=tau.shape)
    return Motion(t, whole, v, a, tau)
