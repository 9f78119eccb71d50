"""Laws of joint friction: viscous, Coulomb, Stribeck and load-dependent.

With the velocity v of a joint and its load r, the force that its drive passes on to the links
(M a + C v + g, minus external forces), the friction is

    f(v, r) = d v + [c + b / (1 + (v / w)^2) + mu (sqrt(r^2 + e^2) - e)] s(v),

with the viscous coefficient d (`damping`), Coulomb friction c (`friction`), the excess b of the
friction at breakaway (`stribeck_friction`), which has halved at the speed w (`stribeck_velocity`;
the Stribeck curve of Hess and Soom), and mu < 1 (`load_friction`). s(v) = v / sqrt(v^2 + n^2), with
n = `friction_smoothing`, and e = `load_smoothing`; for n = 0 s is the sign of v, and for e = 0 the
load is |r|, both with derivative 0 at 0. Friction dissipates: v f >= 0.

The forces of the motors are tau = r + f(v, r). Since mu |s| < 1 they determine r, by a quadratic
equation for each joint: with m = mu s(v) and t = tau - f(v, 0) + m e,

    r = (t - m sqrt(t^2 + (1 - m^2) e^2)) / (1 - m^2).

In a mechanism only the motors of independent joints have loads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jounce.formulas.kinematics import collect, joint_rates
from jounce.math.scalar import Array, is_zero, sign, sqrt, zeros
from jounce.model.tree import Node, Tree


def joint_friction(tree: Tree, v: Array) -> Array:
    """Return the friction f(v, 0) (nv,) of unloaded joints."""
    return collect(
        tree,
        [
            _friction_without_load(n, x)[0]
            for n, x in zip(tree.nodes, joint_rates(tree, v), strict=True)
        ],
    )


def joint_friction_dv(tree: Tree, v: Array) -> Array:
    """Return the derivative (nv,) of the friction of each unloaded joint in its velocity."""
    slopes = [
        node.gain * _friction_without_load(node, x)[1]
        for node, x in zip(tree.nodes, joint_rates(tree, v), strict=True)
    ]
    return collect(tree, slopes)


def breakaway_friction(tree: Tree, v: Array, tau: Array) -> Array:
    """Return the jumps (nv,) of the friction at rest, in the direction of v; 0 if it is smooth."""
    forces = []
    for node, x in zip(tree.nodes, joint_rates(tree, v), strict=True):
        force, motors = zeros(len(x)), tau[node.vs]
        for k, smoothing in enumerate(node.friction_smoothing):
            if is_zero(smoothing):
                load = node.load_friction[k] * sign(motors[k]) * motors[k]
                dry = node.friction[k] + node.stribeck_friction[k] + load
                force[k] = dry if is_zero(dry) else dry * sign(x[k])
        forces.append(force)
    return collect(tree, forces)


def _friction_without_load(node: Node, v: Array) -> tuple[Array, Array]:
    """Return friction and slope for the velocities of a node, without load."""
    force, slope = node.damping * v, node.damping + zeros(len(v))
    for k, (dry, excess) in enumerate(zip(node.friction, node.stribeck_friction, strict=True)):
        if is_zero(dry) and is_zero(excess):
            continue
        s, s_v = _smooth_sign(v[k], node.friction_smoothing[k])
        dry_v: Any = 0.0
        if not is_zero(excess):
            x = v[k] / node.stribeck_velocity[k]
            share = 1.0 / (1.0 + x * x)
            dry = dry + excess * share
            dry_v = -2.0 * excess * x * share * share / node.stribeck_velocity[k]
        force[k] = force[k] + dry * s
        slope[k] = slope[k] + dry * s_v + dry_v * s
    return force, slope


def _smooth_sign(v: Any, smoothing: Any) -> tuple[Any, Any]:
    """Return s(v) = v / sqrt(v^2 + smoothing^2) and its derivative."""
    if is_zero(smoothing):
        return sign(v), 0.0
    inverse = 1.0 / sqrt(v * v + smoothing * smoothing)
    return v * inverse, smoothing * smoothing * inverse * inverse * inverse


# ------------------------------------------------------------------ load


class Load(NamedTuple):
    """Load-dependent friction of one velocity: m = mu s(v), its derivative in v, and e."""

    velocity: int
    m: Any
    m_v: Any
    smoothing: Any

    def size(self, r: Any) -> tuple[Any, Any]:
        """Return sqrt(r^2 + e^2) - e and its derivative in r."""
        if is_zero(self.smoothing):
            return sign(r) * r, sign(r)
        root = sqrt(r * r + self.smoothing * self.smoothing)
        return root - self.smoothing, r / root

    def solve(self, force: Any) -> Any:
        """Return r with r + m (sqrt(r^2 + e^2) - e) = force."""
        rest = 1.0 - self.m * self.m
        t = force + self.m * self.smoothing
        if is_zero(self.smoothing):
            return (t - self.m * (sign(t) * t)) / rest
        e = self.smoothing
        return (t - self.m * sqrt(t * t + rest * (e * e))) / rest


def loads(tree: Tree, v: Array) -> list[Load]:
    """Return the load-dependent friction of all velocities that have any."""
    out = []
    for node in tree.nodes:
        for k, mu in enumerate(node.load_friction):
            if not is_zero(mu):
                s, s_v = _smooth_sign(v[node.v + k], node.friction_smoothing[k])
                out.append(Load(node.v + k, mu * s, mu * s_v, node.load_smoothing[k]))
    return out


class Friction(NamedTuple):
    """Motor forces for a load r, with their derivatives in v and r; (nv,) each."""

    forces: Array
    by_v: Array
    by_load: Array


def add_friction(tree: Tree, v: Array, r: Array) -> Friction:
    """Return the motor forces r + f(v, r) and their derivatives."""
    forces, by_v = r + joint_friction(tree, v), joint_friction_dv(tree, v)
    by_load = zeros(len(v)) + 1.0
    for load in loads(tree, v):
        i = load.velocity
        size, slope = load.size(r[i])
        forces[i] = forces[i] + load.m * size
        by_v[i] = by_v[i] + load.m_v * size
        by_load[i] = by_load[i] + load.m * slope
    return Friction(forces, by_v, by_load)


def passed_forces(tree: Tree, v: Array, tau: Array) -> Array:
    """Return the forces r that drives with friction pass on: r + f(v, r) = tau."""
    r = tau - joint_friction(tree, v)
    for load in loads(tree, v):
        r[load.velocity] = load.solve(r[load.velocity])
    return r


def load_friction(tree: Tree, v: Array, r: Array) -> Array:
    """Return the part f(v, r) - f(v, 0) (nv,) of the friction that is due to the load."""
    out = zeros(len(v))
    for load in loads(tree, v):
        out[load.velocity] = load.m * load.size(r[load.velocity])[0]
    return out
