"""Drives of a compiled MuJoCo model: armature, damping, friction; unsupported forces."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce import errors
from jounce.model.numbers import Floats

#: mjtTrn: actuators that act on one joint. mjtGain and mjtBias: a force proportional to control.
_ON_JOINT = (0, 1)
_PLAIN = 0
#: mjtJoint: ball, then slide and hinge.
_BALL = 1
_SCALAR = (2, 3)
#: Differences of mass matrices this small, relative to the largest entry, are rounding.
_ZERO = 1e-12


class Warnings:
    """Collected warnings: one ModelWarning per unsupported feature, with the names that use it."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __call__(self, names: list[str], what: str) -> None:
        """Warn that `what` holds of `names`, unless there are none."""
        if names:
            shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
            text = f"{self._source}: {what}: {shown}"
            errors.warn(text, errors.ModelWarning)


@dataclass(frozen=True)
class Drives:
    """Armature, damping and friction per velocity (nv,), largest effort and stiffness per joint."""

    armature: Floats
    damping: Floats
    friction: Floats
    effort: Floats
    stiffness: Floats


def drives(mj: Any, mujoco: Any, joints: list[str], warn: Warnings) -> Drives:
    """The joints' own armature and damping and what actuators and tendons add to them."""
    damped = not is_disabled(mj, mujoco, "DAMPER")
    rubs = not is_disabled(mj, mujoco, "CONSTRAINT", "FRICTIONLOSS")
    pulls = not is_disabled(mj, mujoco, "SPRING")
    return Drives(
        np.array(mj.dof_armature) + _added_armature(mj, mujoco, joints, warn),
        _damping(mj, warn) * damped,
        np.array(mj.dof_frictionloss) * rubs,
        np.array([_effort(mj, j) for j in range(mj.njnt)]),
        np.array(mj.jnt_stiffness) * pulls,
    )


def is_disabled(mj: Any, mujoco: Any, *names: str) -> bool:
    """Return whether a <flag> of the file switches off one of these."""
    bits = [getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}") for name in names]
    return any(mj.opt.disableflags & int(bit) for bit in bits)


def _added_armature(mj: Any, mujoco: Any, joints: list[str], warn: Warnings) -> Floats:
    """Rotor inertia of actuators and tendons (nv,), where it is diagonal and constant.

    Their matrix A is the mass matrix less the one without them; its row sums are its diagonal if
    A x = (row sums) x for a random x, and constant if they are so in two configurations.
    """
    out = np.zeros(mj.nv)
    if not mj.nv or not (mj.actuator_armature.any() or mj.tendon_armature.any()):
        return out
    bare = copy.copy(mj)
    bare.actuator_armature[:] = 0.0
    bare.tendon_armature[:] = 0.0
    rng = np.random.default_rng(0)
    ones, x = np.ones(mj.nv), rng.normal(size=mj.nv)
    rows, good, scale = [], np.ones(mj.nv, dtype=bool), 0.0
    for step in (np.zeros(mj.nv), rng.normal(size=mj.nv)):
        (sums, product), (squares, square_product) = (
            _mass_times(m, mujoco, step, (ones, x)) for m in (mj, bare)
        )
        rows.append(sums - squares)
        scale = max(scale, np.abs(sums).max() + np.abs(product).max())
        good &= np.abs(product - square_product - rows[-1] * x) <= _ZERO * scale
    good &= np.abs(rows[0] - rows[1]) <= _ZERO * scale
    out[good] = np.where(np.abs(rows[0]) <= _ZERO * scale, 0.0, rows[0])[good]
    for j in np.flatnonzero(mj.jnt_type == _BALL):  # rounding makes no axis of a ball special
        dofs = slice(int(mj.jnt_dofadr[j]), int(mj.jnt_dofadr[j]) + 3)
        good[dofs] &= np.ptp(out[dofs]) <= _ZERO * scale
        out[dofs] = out[dofs].mean() * good[dofs]
    coupled = sorted(set(mj.dof_jntid[~good].tolist()))
    warn(
        [joints[j] for j in coupled],
        "armature of actuators or tendons that couples joints or varies is left out at",
    )
    return out


def _mass_times(mj: Any, mujoco: Any, step: Floats, vectors: Any) -> list[Floats]:
    """Products of the mass matrix, a step away from the initial configuration, with vectors."""
    data = mujoco.MjData(mj)
    mujoco.mj_integratePos(mj, data.qpos, step, 1.0)
    for stage in ("mj_kinematics", "mj_comPos", "mj_tendon", "mj_transmission"):
        getattr(mujoco, stage)(mj, data)
    mujoco.mj_makeM(mj, data)
    out = []
    for vector in vectors:
        product = np.zeros(mj.nv)
        mujoco.mj_mulM(mj, data, product, vector)
        out.append(product)
    return out


def _damping(mj: Any, warn: Warnings) -> Floats:
    """Viscous damping (nv,): the joints' own and that of actuators on hinges and slides."""
    out = np.array(mj.dof_damping)
    others = []
    for i in np.flatnonzero(mj.actuator_damping):
        j = int(mj.actuator_trnid[i, 0])
        if mj.actuator_trntype[i] in _ON_JOINT and mj.jnt_type[j] in _SCALAR:
            out[mj.jnt_dofadr[j]] += mj.actuator_damping[i] * mj.actuator_gear[i, 0] ** 2
        else:
            others.append(mj.actuator(int(i)).name or f"number {i}")
    warn(others, "damping of actuators that do not act on one hinge or slide is left out")
    return out


def _effort(mj: Any, j: int) -> float:
    """The largest force or torque the actuators of a hinge or slide may exert; else infinity."""
    if mj.jnt_type[j] not in _SCALAR:
        return np.inf
    limits = [np.abs(mj.jnt_actfrcrange[j]).max()] if mj.jnt_actfrclimited[j] else []
    total, count = 0.0, 0
    for i in np.flatnonzero(mj.actuator_trnid[:, 0] == j):
        if mj.actuator_trntype[i] in _ON_JOINT:
            count += 1
            total += _force(mj, int(i)) * abs(float(mj.actuator_gear[i, 0]))
    if count and np.isfinite(total) and total > 0.0:
        limits.append(total)
    return float(min(limits, default=np.inf))


def _force(mj: Any, i: int) -> float:
    """The largest force of an actuator before its gear."""
    if mj.actuator_forcelimited[i]:
        return float(np.abs(mj.actuator_forcerange[i]).max())
    plain = mj.actuator_gaintype[i] == mj.actuator_biastype[i] == mj.actuator_dyntype[i] == _PLAIN
    if plain and mj.actuator_ctrllimited[i]:
        return float(np.abs(mj.actuator_gainprm[i, 0] * mj.actuator_ctrlrange[i]).max())
    return np.inf


# ------------------------------------------------------------------ what is left out


def warn_about_forces(mj: Any, bodies: list[str], joints: list[str], warn: Warnings) -> None:
    """Warn about forces that the equations of motion here do not have."""
    curved = np.flatnonzero(mj.jnt_stiffnesspoly.any(axis=1))
    warn([joints[j] for j in curved], "the nonlinear part of springs of joints is left out")
    yielding = np.flatnonzero(mj.jnt_springyield)
    warn(
        [joints[j] for j in yielding], "the yielding of springs (springyield) is left out at joints"
    )
    bent = np.unique(mj.dof_jntid[mj.dof_dampingpoly.any(axis=1)])
    warn([joints[j] for j in bent], "nonlinear damping of joints is left out")
    lifted = np.flatnonzero(mj.body_gravcomp)
    warn([bodies[b] for b in lifted], "gravity compensation (gravcomp) of bodies is left out")
    pulled = (mj.tendon_stiffness != 0) | (mj.tendon_damping != 0) | (mj.tendon_frictionloss != 0)
    tendons = [mj.tendon(int(t)).name or f"number {t}" for t in np.flatnonzero(pulled)]
    warn(tendons, "springs, damping and friction of tendons are left out")
    fluid = [name for name in ("density", "viscosity") if getattr(mj.opt, name) != 0]
    warn(fluid, "forces of the surrounding fluid are left out")
