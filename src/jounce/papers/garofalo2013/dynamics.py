"""II: the equation of motion of one body, and of the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.math.scalar import Array, zeros
from jounce.math.spatial import ad, adjoint_inverse, adstar, spatial_inertia
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import (
    armature_christoffel,
    armature_matrix,
    block_diagonal,
    minus_gravity,
    product,
)
from jounce.papers.garofalo2013.kinematics import (
    body_jacobians,
    body_twists,
    jacobian_rates,
    world_adjoints,
)

Kernel = Callable[[Array, Array], Array]

# ------------------------------------------------------------------ II. one body


@equation("1")
def spatial_momentum(R: Array, p: Array, Lambda: Array, nu: Array) -> Array:
    """Ad_{0,k}^-T Lambda_k nu_k, whose time derivative is Ad_{0,k}^-T f_k; (R, p) = T_{0,k}."""
    return adjoint_inverse(R, p).T @ (Lambda @ nu)


@equation("1")
def spatial_wrench(R: Array, p: Array, f: Array) -> Array:
    """Return Ad_{0,k}^-T f_k: the body wrench about the world's origin."""
    return adjoint_inverse(R, p).T @ f


@equation("2")
def body_wrench(Lambda: Array, nu: Array, nu_dot: Array) -> Array:
    """Return f_k = Lambda_k nu_dot_k - adj_{0,k}^T Lambda_k nu_k."""
    return Lambda @ nu_dot - ad(nu).T @ (Lambda @ nu)


@equation("3")
def skew_kernel(Lambda: Array, nu: Array) -> Array:
    """Return Psi_k = Lambda_k adj_{0,k} - adj_{0,k}^T Lambda_k, skew symmetric; linear in nu."""
    return Lambda @ ad(nu) - ad(nu).T @ Lambda


@equation("3")
def body_wrench_skew(Lambda: Array, nu: Array, nu_dot: Array) -> Array:
    """Return f_k = Lambda_k nu_dot_k + Psi_k nu_k: the same as (2), since adj_{0,k} nu_k = 0."""
    return Lambda @ nu_dot + skew_kernel(Lambda, nu) @ nu


def newton_euler_kernel(Lambda: Array, nu: Array) -> Array:
    """Return B of C_0, the matrix of Mueller-Kumar (22) and of the Newton-Euler closed form."""
    return -(ad(nu).T @ Lambda)


def christoffel_kernel(Lambda: Array, nu: Array) -> Array:
    """Return B of C_2, the matrix of the Christoffel symbols; in no paper. Skew, like Psi."""
    return 0.5 * (skew_kernel(Lambda, nu) - adstar(Lambda @ nu))


#: The body kernels B(Lambda, nu) of the Coriolis matrices: C_1 (the paper's), C_2 and C_0.
KERNELS: dict[str, Kernel] = {
    "garofalo": skew_kernel,
    "christoffel": christoffel_kernel,
    "newton_euler": newton_euler_kernel,
}


def body_inertias(tree: Tree) -> list[Array]:
    """Return Lambda_k of every body: 6 x 6, constant, in its own frame."""
    return [spatial_inertia(node.inertia) for node in tree.nodes]


# ------------------------------------------------------------------ II. the equation of motion


@equation("4")
def projected_equations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """tau = J^T [Lambda J a + (Psi J + Lambda Jdot) v] + J^T Lambda gamma, all bodies stacked."""
    J = np.concatenate(body_jacobians(tree, q))
    Jdot = np.concatenate(jacobian_rates(tree, q, v))
    Lambda = block_diagonal(body_inertias(tree))
    nu = body_twists(tree, q, v)
    kernels = zip(body_inertias(tree), nu, strict=True)
    Psi = block_diagonal([skew_kernel(Lambda_k, nu_k) for Lambda_k, nu_k in kernels])
    gamma_0 = minus_gravity(tree)
    gamma = np.concatenate([Ad @ gamma_0 for Ad in world_adjoints(tree, q)])
    forces = Lambda @ (J @ a) + Psi @ (J @ v) + Lambda @ (Jdot @ v)
    return J.T @ forces + J.T @ (Lambda @ gamma) + armature_matrix(tree) @ a


@equation("5")
def inverse_dynamics(tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo") -> Array:
    """Return tau = M a + C v + g; the same for any C."""
    M, C = mass_matrix(tree, q), coriolis_matrix(tree, q, v, kernel)
    return M @ a + C @ v + gravity_forces(tree, q)


@equation("6a")
def mass_matrix(tree: Tree, q: Array) -> Array:
    """Return M = sum J_k^T Lambda_k J_k plus armature on the diagonal."""
    M = armature_matrix(tree)
    for J, Lambda in zip(body_jacobians(tree, q), body_inertias(tree), strict=True):
        M = M + J.T @ (Lambda @ J)
    return M


@equation("6b")
def coriolis_matrix(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """Return C = sum J_k^T [(Lambda_k adj_{0,k} - adj_{0,k}^T Lambda_k) J_k + Lambda_k Jdot_k].

    kernel: matrix in the parentheses, a key of `KERNELS`. "garofalo" as printed (C_1);
    "christoffel" gives the matrix of the Christoffel symbols (C_2), and both satisfy
    Mdot = C + C^T; "newton_euler" omits the first term (C_0) and does not. Only C_2, which M
    determines, has an armature term.
    """
    B = kernel_called(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    C = rotors(tree, v, kernel)
    for J_k, Jdot_k, Lambda in zip(J, Jdot, body_inertias(tree), strict=True):
        C = C + J_k.T @ (B(Lambda, J_k @ v) @ J_k + Lambda @ Jdot_k)
    return C


def rotors(tree: Tree, v: Array, kernel: str) -> Array:
    """Return the armature contribution to C of a kernel (nv x nv), linear in v."""
    return armature_christoffel(tree, v) if kernel == "christoffel" else zeros(tree.nv, tree.nv)


def kernel_called(name: str, table: dict[str, Kernel] = KERNELS) -> Kernel:
    """Return the kernel of that name; raise ValueError for an unknown name."""
    if name not in table:
        raise ValueError(f"no kernel is called '{name}'; choose one of {', '.join(table)}")
    return table[name]


@equation("6c")
def gravity_forces(tree: Tree, q: Array) -> Array:
    """g = sum J_k^T Lambda_k Ad_{0,k}^-1 gamma_0; gamma_0 is minus the acceleration of gravity."""
    gamma_0 = minus_gravity(tree)
    g = zeros(tree.nv)
    bodies = zip(body_jacobians(tree, q), body_inertias(tree), world_adjoints(tree, q), strict=True)
    for J, Lambda, Ad in bodies:
        g = g + J.T @ (Lambda @ (Ad @ gamma_0))
    return g


def total_mass(tree: Tree) -> Any:
    """Return the mass of all moving bodies."""
    mass: Any = 0.0
    for node in tree.nodes:
        mass = mass + node.inertia[0]
    return mass


@equation("7")
def com_jacobian(tree: Tree, q: Array) -> Array:
    """J_CoM = (1/m) P^T Lambda J (3 x nv): velocity of the center of mass in the world frame.

    P: the columns of col(Ad_{0,k}^-1) that multiply the linear part of gamma_0.
    """
    P = np.concatenate([Ad[:, 3:] for Ad in world_adjoints(tree, q)])
    J = np.concatenate(body_jacobians(tree, q))
    Lambda = block_diagonal(body_inertias(tree))
    return P.T @ product(Lambda, J) / total_mass(tree)
