"""Friction beyond viscous and Coulomb friction: Stribeck and load-dependent friction of a model.

The laws are those of `Robot.edit.with_friction`. Stribeck friction is linear in its amplitude,
which can be identified; its velocity, the load dependence and smoothing are those of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jounce.identification.subject import MechanismAdapter, Subject


class Stribeck(NamedTuple):
    """Stribeck friction of velocity k, of a joint that moves `gain` times as fast."""

    k: int
    gain: float
    amplitude: float
    speed: float
    smoothing: float

    def column(self, v: np.ndarray) -> np.ndarray:
        """Return the force (n,) on velocity k per unit of the amplitude."""
        x = self.gain * v[..., self.k]
        return self.gain * smooth_sign(x, self.smoothing) / (1.0 + (x / self.speed) ** 2)


class Load(NamedTuple):
    """Friction of velocity k in proportion to its load."""

    k: int
    factor: float
    speed_smoothing: float
    smoothing: float

    def friction(self, v: np.ndarray, load: np.ndarray) -> np.ndarray:
        """Return the friction (n,) for a load r."""
        size = np.hypot(load, self.smoothing) - self.smoothing
        return self.factor * smooth_sign(v, self.speed_smoothing) * size

    def solve(self, v: np.ndarray, force: np.ndarray) -> np.ndarray:
        """Return the load r (n,) with r + friction(v, r) = force."""
        m, e = self.factor * smooth_sign(v, self.speed_smoothing), self.smoothing
        t, reduction = force + m * e, 1.0 - m * m
        return (t - m * np.sqrt(t * t + reduction * e * e)) / reduction


def smooth_sign(v: np.ndarray, smoothing: float | np.ndarray) -> np.ndarray:
    """Return v / sqrt(v^2 + smoothing^2), and the sign of v where smoothing is 0."""
    size = np.hypot(v, smoothing)
    return np.divide(v, size, out=np.zeros_like(size), where=size > 0.0)


@dataclass(frozen=True)
class FrictionLaws:
    """Laws of a robot or mechanism.

    Speeds are those of all joints (n, nt). active: the independent velocities among them. smoothing
    (nt,): speed below which Coulomb friction fades. identified: friction whose amplitude can be
    identified, with k counted among the independent velocities. known: all other.
    """

    robot: Subject
    active: list[int]
    smoothing: np.ndarray
    identified: tuple[Stribeck, ...]
    known: tuple[Stribeck, ...]
    loads: tuple[Load, ...]

    @classmethod
    def of(cls, robot: Subject, identify: bool) -> FrictionLaws:
        """Return the laws of a robot or mechanism. identify: whether amplitudes are unknown."""
        tree, joints = robot.tree, robot.joints.values()
        is_mechanism = isinstance(robot, MechanismAdapter)
        active = robot.active.tolist() if is_mechanism else list(range(tree.nv))
        following = {k for x in joints if x.joint.mimic for k in range(x.v.start, x.v.stop)}
        smoothing, identified, known, loads = np.zeros(tree.nv), [], [], []
        for node in tree.nodes:
            gain = float(node.gain)
            for i, k in enumerate(range(node.vs.start, node.vs.stop)):
                n, w = float(node.friction_smoothing[i]), float(node.stribeck_velocity[i])
                smoothing[k] = max(smoothing[k], n / abs(gain))
                law = Stribeck(k, gain, float(node.stribeck_friction[i]), w, n)
                if identify and w > 0.0 and k in active and k not in following:
                    identified.append(law._replace(k=active.index(k)))
                elif law.amplitude > 0.0:
                    known.append(law)
                if (mu := float(node.load_friction[i])) > 0.0 and k in active:
                    loads.append(Load(active.index(k), mu, n, float(node.load_smoothing[i])))
        return cls(robot, active, smoothing, tuple(identified), tuple(known), tuple(loads))

    def column(self, v: np.ndarray) -> np.ndarray:
        """Return the identified friction (n, nv) per unit of its amplitudes."""
        out = np.zeros_like(v)
        for law in self.identified:
            out[..., law.k] = law.column(v)
        return out

    @property
    def amplitudes(self) -> np.ndarray:
        """Amplitudes (nv,) of the model where they are identified."""
        out = np.zeros(len(self.active))
        for law in self.identified:
            out[law.k] = law.amplitude
        return out

    def forces(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the known friction (n, nv) of all joints without load."""
        if not self.known or not isinstance(self.robot, MechanismAdapter):
            return self.own_forces(v)
        speed = self.robot.mechanism.velocity(q, v)
        out = np.zeros_like(speed)
        for law in self.known:
            out[..., law.k] += law.amplitude * law.column(speed)
        return self.robot.mechanism.independent_forces(q, out)

    def own_forces(self, v: np.ndarray) -> np.ndarray:
        """Return the known friction (n, nv) of the independent joints without load."""
        out = np.zeros_like(v)
        for law in self.known:
            if law.k in self.active:
                k = self.active.index(law.k)
                out[..., k] += law.amplitude * law._replace(k=k).column(v)
        return out

    def measured_loads(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return the loads (n, nv) at measured torques, with the coefficients of the model."""
        if not self.loads:
            return tau
        if isinstance(self.robot, MechanismAdapter):
            speed = self.robot.mechanism.velocity(q, v)
            out = tau - self.robot.bodies.joint_friction(speed)[..., self.active]
        else:
            out = tau - self.robot.joint_friction(v)
        for law in self.loads:
            out[..., law.k] = law.solve(v[..., law.k], out[..., law.k])
        return out

    def load_friction(self, v: np.ndarray, load: np.ndarray) -> np.ndarray:
        """Return the friction (n, nv) that is due to loads."""
        out = np.zeros_like(v)
        for law in self.loads:
            out[..., law.k] = law.friction(v[..., law.k], load[..., law.k])
        return out
