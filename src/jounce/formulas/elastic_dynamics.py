"""Robots with elastic joints: dynamics, energy and time steps of links and motors.

    M(q) a + C v + g = tau_s,    J ddtheta + d dtheta + tau_s = tau,
    tau_s = K (theta - q) + D (dtheta - v)

Each motor is appended to the tree as a massless node whose armature is J, so that the formulas of
rigid robots hold for links and motors together, with coordinates (q, theta_e), e the velocities
with a spring. Rotors that are bodies of the tree turn with the motor's node instead of the link's,
which adds the inertial couplings of links and motors that Spong's model neglects. Other velocities
are rigid: their J is added to the armature, and theta and dtheta are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, dynamics, elastic, momenta, wrt_forward, wrt_inertia
from jounce.formulas.kinematics import refuse_series
from jounce.formulas.mechanism import configurations as loop_configurations
from jounce.formulas.mechanism import derivatives as loop_derivatives
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.formulas.mechanism.loops import Closure
from jounce.formulas.steps import tangent_rates
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, array, identity, is_zero, zeros
from jounce.math.spatial import dot
from jounce.model.drives import DRIVE_NUMBERS
from jounce.model.joints import PRISMATIC
from jounce.model.tree import DRIVES, Node, Tree

#: Parameter of the integrator, which makes it L-stable: 1 - 1 / sqrt(2).
_GAMMA = 1.0 - 0.5**0.5


class Equations(NamedTuple):
    """The equations of motion of a tree or a mechanism.

    derivatives: a, a_q, a_v, a_tau. dpi: a_pi. energy(tree, q, v).
    """

    forward_dynamics: Callable[..., Array]
    inverse_dynamics: Callable[..., Array]
    mass_matrix: Callable[[Tree, Any], Array]
    integrate: Callable[[Tree, Array, Array], Array]
    derivatives: Callable[..., tuple[Array, Array, Array, Array]]
    dpi: Callable[..., Array]
    energy: Callable[[Tree, Array, Array], Any]


def _energy(tree: Tree, q: Array, v: Array) -> Any:
    """Return kinetic and potential energy."""
    return momenta.kinetic_energy(tree, q, v) + momenta.potential_energy(tree, q)


def _closed_energy(tree: Tree, q: Array, v: Array) -> Any:
    """Return kinetic and potential energy of a mechanism."""
    closure = Closure(tree, q)
    return _energy(tree, closure.q, closure.velocity(v))


TREE = Equations(
    dynamics.forward_dynamics,
    dynamics.inverse_dynamics,
    dynamics.mass_matrix,
    configurations.integrate,
    wrt_forward.forward_dynamics_derivatives,
    wrt_inertia.forward_dynamics_dpi,
    _energy,
)
MECHANISM = Equations(
    loop_dynamics.forward_dynamics,
    loop_dynamics.inverse_dynamics,
    loop_dynamics.mass_matrix,
    loop_configurations.integrate,
    loop_derivatives.forward_dynamics_derivatives,
    loop_derivatives.forward_dynamics_dpi,
    _closed_energy,
)

# ------------------------------------------------------------------ links and motors


class Numbers(NamedTuple):
    """Numbers of the drives (dof,), see `ElasticDrives`: those of the tree, or arguments."""

    stiffness: Any
    damping: Any
    motor_inertia: Any
    spring_damping: Any

    @staticmethod
    def of(tree: Tree, named: dict[str, Any]) -> Numbers:
        """Return the numbers of the tree, replaced by arguments by name."""
        stored = tree.elastic
        values = []
        for name in DRIVE_NUMBERS:
            x = named.get(name)
            values.append(np.array(getattr(stored, name), dtype=object) if x is None else x)
        return Numbers(*values)


def append_motors(tree: Tree, motor_inertia: Any) -> Tree:
    """Return the tree with a node for each motor, and motor inertias as armature."""
    assert tree.elastic is not None
    nodes, active = list(tree.nodes), tree.active or tuple(range(tree.nv))
    places: dict[int, tuple[int, int]] = {}
    for i, (k, place) in enumerate(zip(active, elastic.coordinates(tree), strict=True)):
        inertia = motor_inertia[i]
        if i in tree.elastic.elastic:
            places[k] = tree.nq + len(places), tree.nv + len(places)
            nodes.append(_motor(*places[k], inertia))
        elif place is not None and not is_zero(inertia):
            j = _leader(tree, k)
            added = zeros(nodes[j].motion.nv)
            added[k - nodes[j].v] = inertia
            nodes[j] = replace(nodes[j], armature=nodes[j].armature + added)
    for j in tree.elastic.rotors:
        q, v = places[nodes[j].v]
        nodes[j] = replace(nodes[j], q=q, v=v)
    m = len(places)
    both = None if tree.active is None else (*active, *(v for _, v in places.values()))
    return replace(tree, nodes=tuple(nodes), nq=tree.nq + m, nv=tree.nv + m, active=both)


def _leader(tree: Tree, k: int) -> int:
    """Return the index of the node whose velocities include k, and that follows no other."""
    for j, node in enumerate(tree.nodes):
        if k in range(tree.nv)[node.vs] and node.gain == 1.0 and node.offset == 0.0:
            return j
    raise AssertionError(f"velocity {k} has no node")


def _motor(q: int, v: int, inertia: Any) -> Node:
    """Return the node of a motor: an armature without mass, fixed in the world."""
    none = {name: zeros(1) for name in DRIVES if name != "armature"}
    return Node(
        parent=-1,
        motion=PRISMATIC,
        R0=identity(3),
        p0=zeros(3),
        pitch=0.0,
        S=PRISMATIC.subspace(),
        q=q,
        v=v,
        gain=1.0,
        offset=0.0,
        armature=array([inertia]),
        **none,
        inertia=zeros(10),
        body=-1,
        R_user=identity(3),
        p_user=zeros(3),
    )


class ElasticSystem:
    """Links and motors of a robot at one sample of the drives' numbers.

    entries: velocities with a spring; places: their coordinates; n: number of velocities of the
    links. Positions and velocities of links and motors are stacked.
    """

    def __init__(self, of: Equations, tree: Tree, numbers: Numbers) -> None:
        assert tree.elastic is not None
        self.of, self.numbers, self.law = of, numbers, tree.elastic.law
        self.n, self.nq = tree.dof, tree.nq
        self.entries = tree.elastic.elastic
        self.coordinates = elastic.coordinates(tree)
        self.places = [place for k in self.entries if (place := self.coordinates[k]) is not None]
        self.tree = append_motors(tree, numbers.motor_inertia)
        self.rigid = [k for k in range(self.n) if k not in self.entries]

    def stack(self, q: Array, v: Array, theta: Array, dtheta: Array) -> tuple[Array, Array]:
        """Return positions and velocities of links and motors."""
        refuse_series(self.tree, (q, v, theta, dtheta))
        e = self.entries
        return np.concatenate((q, theta[e])), np.concatenate((v, dtheta[e]))

    def separate(self, x: Array) -> tuple[Array, Array]:
        """Return the parts (dof, ...) of links and motors; those of rigid joints are equal."""
        motors = x[: self.n].copy()
        motors[self.entries] = x[self.n :]
        return x[: self.n], motors

    def positions(self, Q: Array) -> tuple[Array, Array]:
        """Return q and theta, which is the coordinate of a rigid joint, or 0 without one."""
        theta = zeros(self.n)
        for k, place in enumerate(self.coordinates):
            theta[k] = 0.0 if place is None else Q[place]
        theta[self.entries] = Q[self.nq :]
        return Q[: self.nq], theta

    # -------------------------------------------------------------- springs and friction

    def deflection(self, Q: Array) -> Array:
        """Return theta - q of the springs."""
        return Q[self.nq :] - Q[self.places]

    def _of_law(self, function: Callable[[Array], Array], x: Array) -> Array:
        """Return a function of the deflections, which the law takes in its order."""
        assert self.law is not None
        order = [self.entries.index(k) for k in self.law.entries]
        out, ordered = zeros(len(x)), np.array(x[order].tolist())  # floats, or other scalars
        out[order] = function(ordered)
        return out

    def spring_torques(self, Q: Array, V: Array) -> Array:
        """Return the torques of springs on the links."""
        x, D = self.deflection(Q), self.numbers.spring_damping[self.entries]
        if self.law is None:
            static = self.numbers.stiffness[self.entries] * x
        else:
            static = self._of_law(self.law.force, x)
        return static + D * (V[self.n :] - V[self.entries])

    def slopes(self, Q: Array) -> Array:
        """Return the stiffness of the springs."""
        if self.law is None:
            return self.numbers.stiffness[self.entries]
        return self._of_law(self.law.slope, self.deflection(Q))

    def spring_energy(self, Q: Array) -> Any:
        """Return the energy of the springs."""
        x = self.deflection(Q)
        if self.law is None:
            return 0.5 * dot(self.numbers.stiffness[self.entries] * x, x)
        return sum(self._of_law(self.law.energy, x))

    def forces(self, Q: Array, V: Array, tau: Array) -> Array:
        """Return the generalized forces of springs, friction and motors on links and motors."""
        friction, e = self.numbers.damping, self.entries
        springs, out = self.spring_torques(Q, V), zeros(len(V))
        for k in self.rigid:
            driven = self.coordinates[k] is not None
            out[k] = tau[k] - friction[k] * V[k] if driven else tau[k]
        out[e] = springs
        out[self.n :] = tau[e] - friction[e] * V[self.n :] - springs
        return out

    def couplings(self, Q: Array) -> tuple[Array, Array]:
        """Return -dF/dx and -dF/dV of these forces, symmetric, x along velocities."""
        size = self.n + len(self.entries)
        K, D = zeros(size, size), zeros(size, size)
        friction, damping = self.numbers.damping, self.numbers.spring_damping
        for k in self.rigid:
            D[k, k] = 0.0 if self.coordinates[k] is None else friction[k]
        for i, (k, slope) in enumerate(zip(self.entries, self.slopes(Q), strict=True), self.n):
            for out, x in ((K, slope), (D, damping[k])):
                out[k, k] = out[i, i] = x
                out[k, i] = out[i, k] = -x
            D[i, i] = D[i, i] + friction[k]
        return K, D


def _system(
    of: Equations, tree: Tree, optional: tuple[Any, ...], names: tuple[str, ...]
) -> tuple[ElasticSystem, tuple[Any, ...]]:
    """Return the system and the wrenches, if any; names: those of the optional arguments."""
    named = dict(zip(names, optional, strict=False))
    pushes = () if named.get("wrenches") is None else (named["wrenches"],)
    return ElasticSystem(of, tree, Numbers.of(tree, named)), pushes


# ------------------------------------------------------------------ quantities

# Arguments: q, v, theta, dtheta, then tau (and h), then the optional ones, whose names are bound.


def forward_dynamics(
    of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, Array]:
    """Return the accelerations of links and motors."""
    *state, tau = inputs[:5]
    system, wrenches = _system(of, tree, inputs[5:], names)
    Q, V = system.stack(*state)
    forces = system.forces(Q, V, tau)
    return system.separate(of.forward_dynamics(system.tree, Q, V, forces, *wrenches))


def forward_dynamics_dpi(
    of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, Array]:
    """Return the derivatives of the accelerations in the inertial parameters."""
    *state, tau = inputs[:5]
    system, wrenches = _system(of, tree, inputs[5:], names)
    Q, V = system.stack(*state)
    forces = system.forces(Q, V, tau)
    return system.separate(of.dpi(system.tree, Q, V, forces, *wrenches))


def forward_dynamics_ddrives(
    of: Equations, names: tuple[str, ...], wrt: str, tree: Tree, *inputs: Any
) -> tuple[Array, Array]:
    """Return the derivatives of the accelerations in numbers of the drives, (dof, dof) each."""
    *state, tau = inputs[:5]
    system, wrenches = _system(of, tree, inputs[5:], names)
    (Q, V), n, e = system.stack(*state), system.n, system.entries
    a = of.forward_dynamics(system.tree, Q, V, system.forces(Q, V, tau), *wrenches)
    by, motors = zeros(len(V), n), range(n, len(V))
    if wrt in ("stiffness", "spring_damping"):
        x = system.deflection(Q) if wrt == "stiffness" else V[n:] - V[e]
        for i, k, xi in zip(motors, e, x, strict=True):
            by[k, k], by[i, k] = xi, -xi
    else:
        rates = a if wrt == "motor_inertia" else V
        for k in system.rigid:
            by[k, k] = 0.0 if system.coordinates[k] is None else -rates[k]
        for i, k in zip(motors, e, strict=True):
            by[i, k] = -rates[i]
    factors = factorize(of.mass_matrix(system.tree, Q))
    return system.separate(np.stack([solve_factorized(*factors, x) for x in by.T], axis=1))


def energy(of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any) -> Any:
    """Return the energy of links, motors and springs."""
    system, _ = _system(of, tree, inputs[4:], names)
    Q, V = system.stack(*inputs[:4])
    return of.energy(system.tree, Q, V) + system.spring_energy(Q)


def spring_torques(of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any) -> Array:
    """Return the torques of springs, zero at rigid joints."""
    system, _ = _system(of, tree, inputs[4:], names)
    out = zeros(system.n)
    out[system.entries] = system.spring_torques(*system.stack(*inputs[:4]))
    return out


def state_matrices(
    of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, Array]:
    """Return A and B of dx/dt = A x + B u in (q, v, theta, dtheta) and tau.

    At rigid joints theta and dtheta follow from q and v: their columns are zero.
    """
    *state, tau = inputs[:5]
    system, wrenches = _system(of, tree, inputs[5:], names)
    (Q, V), n, e = system.stack(*state), system.n, system.entries
    _, a_q, a_v, inverse = of.derivatives(system.tree, Q, V, system.forces(Q, V, tau), *wrenches)
    K, D = system.couplings(Q)
    a_q, a_v = a_q - inverse @ K, a_v - inverse @ D
    A, rates = zeros(4 * n, 4 * n), zeros(len(V), 4 * n)
    rates[:, :n], rates[:, n : 2 * n] = a_q[:, :n], a_v[:, :n]
    for i, k in enumerate(e, n):
        rates[:, 2 * n + k], rates[:, 3 * n + k] = a_q[:, i], a_v[:, i]
    A[:n, :n], A[:n, n : 2 * n] = -tangent_rates(tree, *state[:2]), identity(n)
    A[n : 2 * n], A[3 * n :] = system.separate(rates)
    for k in range(n):
        A[2 * n + k, (3 if k in e else 1) * n + k] = 1.0
    forced = zeros(len(V), n)
    for k in range(n):
        forced[:, k] = inverse[:, n + e.index(k) if k in e else k]
    B = zeros(4 * n, n)
    B[n : 2 * n], B[3 * n :] = system.separate(forced)
    return A, B


def step(
    of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, Array, Array, Array]:
    """Take a linearly implicit step over a time h, with constant tau.

    The W-method ROS2 of Verwer, with the springs and dampers at the start of the step as A:

        (1 - g h A) k1 = f(y),  (1 - g h A) k2 = f(y + h k1) - 2 k1,  y+ = y + (3 k1 + k2) h / 2

    It is of order 2 for any A and L-stable for the g used. In x and V, A is [[0, 1], [-M^-1 K,
    -M^-1 D]], which reduces each stage to one system with M + (g h)^2 K + g h D.
    """
    *state, tau, h = inputs[:6]
    h = np.asarray(h, dtype=object)[()]
    system, wrenches = _system(of, tree, inputs[6:], names)
    (Q, V), tree, part = system.stack(*state), system.tree, _GAMMA * h
    M, (K, D) = of.mass_matrix(tree, Q), system.couplings(Q)
    factors = factorize(M + (part * part) * K + part * D)

    def stage(momentum_rate: Array, velocity: Array) -> tuple[Array, Array]:
        """Return the solution k of (1 - g h A) k = r, from M r_V and r_x."""
        by_v = solve_factorized(*factors, momentum_rate - part * (K @ velocity))
        return velocity + part * by_v, by_v

    bias = of.inverse_dynamics(tree, Q, V, zeros(len(V)), *wrenches)
    x1, v1 = stage(system.forces(Q, V, tau) - bias, V)
    Q2, V2 = of.integrate(tree, Q, h * x1), V + h * v1
    a2 = of.forward_dynamics(tree, Q2, V2, system.forces(Q2, V2, tau), *wrenches)
    x2, v2 = stage(M @ (a2 - 2.0 * v1), V2 - 2.0 * x1)
    Q = of.integrate(tree, Q, (1.5 * h) * x1 + (0.5 * h) * x2)
    q, theta = system.positions(Q)
    v, dtheta = system.separate(V + (1.5 * h) * v1 + (0.5 * h) * v2)
    return q, v, theta, dtheta


# ------------------------------------------------------------------ inverse dynamics


def inverse_dynamics(
    formula: Callable[..., Any], names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, ...]:
    """Return motion and torque of the motors along a motion; see `formulas.elastic`.

    formula: takes the state, the numbers of the drives and forces. names: those of the optional
    arguments, forces and then numbers.
    """
    state, optional, count = inputs[:5], inputs[5:], names.index("stiffness")
    named = dict(zip(names, optional, strict=False))
    numbers = Numbers.of(tree, named)
    assert tree.elastic is not None
    K, e = np.full(tree.dof, np.inf, dtype=object), tree.elastic.elastic
    K[e] = numbers.stiffness[e]
    rates = []
    for name in ("dstiffness", "ddstiffness"):
        x = zeros(tree.dof)
        if named.get(name) is not None:
            x[e] = named[name][e]
        rates.append(x)
    drives = (K, numbers.damping, numbers.motor_inertia, *rates)
    return formula(tree, *state, *drives, *optional[:count])


def equilibrium(
    of: Equations, names: tuple[str, ...], tree: Tree, *inputs: Any
) -> tuple[Array, Array]:
    """Return the positions and torques of the motors that hold the links at rest."""
    named, none = dict(zip(names, inputs[1:], strict=False)), zeros(tree.dof)
    tau = of.inverse_dynamics(tree, inputs[0], none, none, named.get("wrenches"))
    theta, K = zeros(tree.dof), Numbers.of(tree, named).stiffness
    assert tree.elastic is not None
    for k, place in enumerate(elastic.coordinates(tree)):
        theta[k] = 0.0 if place is None else inputs[0][place]
    for k in tree.elastic.elastic:
        theta[k] = theta[k] + tau[k] / K[k]
    return theta, tau
