"""Jain and Rodriguez's operators, their sensitivities, and the Christoffel symbols.

The truth is the complex step of the operators themselves, along one velocity at a time
(so, for joints with several degrees of freedom, along the quasi-velocity), and at 50 digits the
same with mpmath's complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

from jounce.formulas import dynamics, tensors
from jounce.formulas.equations import coriolis_matrix
from jounce.io.gallery import planar_2r
from jounce.math.scalar import identity, zeros
from jounce.math.spatial import ad, cross
from jounce.model.model import Model
from jounce.model.tree import lower
from jounce.papers import garofalo2013
from jounce.papers import jain_rodriguez as jain
from jounce.papers.jain_rodriguez import Operator, SpatialOperators
from jounce.papers.jain_rodriguez.operator import Leaf, diagonal
from support.case import Case
from support.digits import digits
from support.helpers import assert_close, chain, objects, quiet_read, slope, with_two_roots
from support.robots import ALL_KINDS, SINGLE, random_model, random_state


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(5)
    return {
        "chain, revolute": replace(chain(("revolute",) * 4), gravity=np.array((1.0, 2.0, -3.0))),
        "chain": random_model(rng, 4, SINGLE, branching=False, armature=False),
        "branching": random_model(rng, 6, SINGLE),
        "two roots": with_two_roots(random_model(rng, 5, SINGLE)),
        "mimic": random_model(rng, 5, SINGLE, mimic=True),
        "universal": random_model(rng, 3, ("universal", "cylindrical", "revolute")),
        "kuka": quiet_read("iiwa14_mueller_kumar2021"),
        "floating": random_model(rng, 3, ("spherical", "prismatic"), floating=True),
        "planar, free inside": chain(("planar", "free", "helical")),
        "every kind": random_model(np.random.default_rng(6), len(ALL_KINDS)),
    }


MODELS = _models()
ONE_DOF = ["chain, revolute", "chain", "branching", "two roots", "mimic", "universal", "kuka"]


class Hinges(Case):
    """A case with its operators; first, second: v and a of its hinges."""

    def __init__(self, model: Model) -> None:
        super().__init__(model, 8)
        self.o = SpatialOperators(self.tree, self.q, [joint.name for joint in model.joints])
        self.first, self.second = self.o.E @ self.v, self.o.E @ self.a
        self.bodies = range(len(self.tree.nodes))
        self.coordinates = range(self.o.hinges.dimension)


def _unmimicked(model: Model) -> Model:
    return replace(model, joints=tuple(replace(j, mimic=None) for j in model.joints))


@cache
def made(name: str) -> Hinges:
    # operators treat followers as hinges of their own: free them to step along each
    free = name == "mimic"
    return Hinges(_unmimicked(MODELS[name]) if free else MODELS[name])


@pytest.fixture(params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Hinges:
    return made(request.param)


@pytest.fixture(params=ONE_DOF)
def single(request: pytest.FixtureRequest) -> Hinges:
    return made(request.param)


@pytest.fixture(params=["chain, revolute", "chain"])
def serial(request: pytest.FixtureRequest) -> Hinges:
    return made(request.param)


def close(actual: Any, expected: Any, what: str = "", tolerance: float = 1e-11) -> None:
    actual, expected = (x.dense() if isinstance(x, Operator) else x for x in (actual, expected))
    assert_close(actual, expected, tolerance, what, floor=1.0)


def unit_vector(n: int, i: int) -> np.ndarray:
    return identity(n)[i]


# ------------------------------------------------------------------ section 1


def test_operators_and_recursions(case: Hinges) -> None:
    """(1.3), (1.4), and what the operators do to vectors without being formed."""
    o = case.o
    close(o.phi_by_inverse(), o.phi, "(1.3)")
    close(o.phi @ (o.I - o.E_phi), o.I, "(1.3)")
    close(o.E_phi_by_shift(), o.E_phi, "(3.29)")
    for i, j in product(case.bodies, case.bodies):
        parent = case.tree.nodes[j].parent == i
        close(o.E_phi[i, j], o.link(i, j) if parent else zeros(6, 6), "(1.4)")
    close(o.phi_tilde, o.E_phi @ o.phi)
    close(o.phi_tilde, o.phi @ o.E_phi)
    close(o.psi @ (o.I - o.E_psi), o.I, "psi")
    close(o.E_psi, o.E_phi - o.K @ o.H, "E_psi")
    x = objects(np.random.default_rng(1).normal(size=6 * len(case.bodies)))
    for operator in (o.phi, o.phi_tilde, o.psi):
        close(operator @ x, operator.dense() @ x, operator.name)
        close(operator.T @ x, operator.dense().T @ x, operator.T.name)


def test_equations_of_motion(case: Hinges) -> None:
    """(1.1), (1.2), Identity 1.1 and (5.45) against the formulas."""
    o, (tree, q, v, a) = case.o, case.state
    expected = dynamics.inverse_dynamics(tree, q, v, a)
    close(o.inverse_dynamics(case.first, case.second), expected, "(1.2)")
    g = dynamics.gravity_forces(tree, q)
    close(o.coriolis_forces(case.first), dynamics.bias_forces(tree, q, v) - g, "C")
    V = case.along(lambda x: SpatialOperators(tree, x).velocities(case.first), v)
    still = np.concatenate([(0, 0, 0, *-tree.gravity)] * len(case.bodies))
    close(o.accelerations(case.first, zeros(len(case.first))) - still, V, "alpha = dV/dt")
    M = dynamics.mass_matrix(tree, q)
    forms = o.mass_matrix(), o.mass_matrix_factorized(), o.mass_matrix_composite()
    for form in forms:
        close(form, M, form.name)
        close(form @ case.first, M @ case.first, f"({form.name}) x")
    factor, inverse = o.innovations_factor(), o.innovations_factor_inverse()
    close(inverse @ factor, o.I_hinges, "(I - H psi K)(I + H phi K)")
    condition = np.linalg.cond(M.astype(float))
    close(o.mass_matrix_inverse() @ o.mass_matrix(), o.I_hinges, "M^-1 M", 1e-14 * condition)
    found = o.forward_dynamics(case.first, o.inverse_dynamics(case.first, case.second))
    close(found, case.second, "forward dynamics", 1e-13 * condition)
    for i, j in product(case.bodies, case.bodies):
        rows, columns = o.hinges.slices[i], o.hinges.slices[j]
        close(o.mass_matrix_block(i, j), M[rows, columns], "(5.46)")


def test_followers_are_hinges_of_their_own() -> None:
    """E joins them to their leaders: M, tau and dM/dq of the robot."""
    case = Hinges(MODELS["mimic"])
    o, tree, q = case.o, case.tree, case.q
    assert o.hinges.dimension > tree.nv
    close(o.E.T @ o.mass_matrix() @ o.E, dynamics.mass_matrix(tree, q), "M")
    tau = dynamics.inverse_dynamics(tree, q, case.v, case.a)
    close(o.E.T @ o.inverse_dynamics(case.first, case.second), tau, "tau")
    E = o.E.dense()
    dM = np.stack([o.mass_matrix_sensitivity(i).dense() for i in case.coordinates], axis=-1)
    dM = np.einsum("ijk,ia,jb,kc->abc", *(x.astype(float) for x in (dM, E, E, E)))
    close(dM, tensors.mass_matrix_dq(tree, q), "dM/dq")
    C = E.T @ o.coriolis_matrix(case.first) @ E
    close(C, coriolis_matrix(tree, q, case.v), "C")


# ------------------------------------------------------------------ section 2


def test_shift_operator(serial: Hinges) -> None:
    """Lemma 2.1, of chains."""
    o, rng = serial.o, np.random.default_rng(2)
    S = o.S
    A, B = (
        diagonal(name, o.bodies, o.bodies, {k: objects(rng.normal(size=(6, 6))) for k in range(4)})
        for name in "AB"
    )
    close((S @ A @ S.T) @ S @ B, S @ A @ B)
    close((S.T @ A @ S) @ S.T @ B, S.T @ A @ B)
    close(A @ S.T @ (S @ B @ S.T), A @ B @ S.T)
    close(A @ S @ (S.T @ B @ S), A @ B @ S)
    close((S @ A @ S.T) @ (S @ B @ S.T), S @ A @ B @ S.T)
    close((S.T @ A @ S) @ (S.T @ B @ S), S.T @ A @ B @ S)
    for X in (S, S.T):
        close((X @ X.T) @ X @ A, X @ A)
        close(X @ A @ (X.T @ X), X @ A)
        close((X @ X.T) @ A @ X, A @ X)
        close(A @ (X @ X.T) @ X, A @ X)
    close(o.shift(A), S.T @ A @ S)


def test_shift_operator_of_trees(case: Hinges) -> None:
    """What the lemma becomes where links branch."""
    o, rng = case.o, np.random.default_rng(2)
    blocks = {k: objects(rng.normal(size=(6, 6))) for k in case.bodies}
    A = diagonal("A", o.bodies, o.bodies, blocks)
    close(A @ o.S, o.S @ o.shift(A))
    close(o.S.T @ A, o.shift(A) @ o.S.T)


def test_six_vectors() -> None:
    """(2.5) to (2.10)."""
    rng = np.random.default_rng(3)
    A, B, X = (objects(rng.normal(size=6)) for _ in range(3))
    l = objects(rng.normal(size=3))
    close(jain.cross_product(A, B), np.concatenate((cross(A[:3], B[:3]), (ad(A) @ B)[3:])))
    close(jain.cross_product_swapped(A, B), jain.cross_product(A, B), "(2.6)")
    close(jain.cross_product_swapped(A, A), zeros(6), "(2.6)")
    close(jain.cross_product(A, A), zeros(6), "(2.6)")
    close(jain.s_matrix(A), -jain.cross_matrix(A).T, "(2.7)")
    close(jain.q_matrix(A), -jain.q_matrix(A).T, "(2.8)")
    close(jain.cross_matrix(A).T @ B, jain.q_matrix(B) @ A, "(2.9)")
    close(jain.s_product(A, B), jain.s_matrix(A) @ B, "(2.9)")
    phi = jain.rigid(l)
    close(jain.moved_Q(l, X), jain.q_matrix(phi @ X), "(2.10)")
    close(jain.moved_S(l, X), jain.s_matrix(phi.T @ X), "(2.10)")
    close(jain.moved_cross(l, X), jain.cross_matrix(phi.T @ X), "(2.10)")
    close(jain.cross_matrix(phi.T @ X) @ phi.T, phi.T @ jain.cross_matrix(X), "(2.10)")


def test_hinges_in_operators(case: Hinges) -> None:
    """(2.11) to (2.18)."""
    o, rates = case.o, case.first
    sums = [o.Omega(rates) * 0.0, o.Omega(rates) * 0.0, o.Omega(rates) * 0.0, o.slides(rates) * 0.0]
    for i in case.coordinates:
        IH, IH_s, IH_delta = o.IH(i), o.IH_s(i), o.IH_delta(i)
        close(o.hinge(i), o.turn(i) + o.slide(i), "(2.11)")
        close(IH, IH_s + IH_delta, "(2.14)")
        close(IH_s, o.shift(IH), "(2.14)")
        close(o.F_delta(i), IH_delta + o.T_delta(i))
        node = o.place(i)[0]
        for k in case.bodies:
            inside = k == node or o.inboard(node, k)
            close(IH[k, k], o.turn(i) if inside else zeros(6, 6), "(2.13)")
        for n, term in enumerate((IH, IH_s, IH_delta, o.T_delta(i))):
            sums[n] = sums[n] + term * rates[i]
    close(o.Omega(rates), sums[0], "(2.16)")
    close(o.Omega_s(rates), sums[1], "(2.18)")
    close(o.Omega_delta(rates), sums[2], "(2.18)")
    close(o.slides(rates), sums[3], "T")
    V, turning = (x.reshape(-1, 6) for x in (o.velocities(rates), o.turning(rates)))
    close(turning[:, :3], V[:, :3], "(2.17)")
    close(turning[:, 3:], 0.0 * V[:, 3:], "(2.17)")


@pytest.mark.parametrize("name", ["chain", "branching", "floating"])
def test_composition_with_matrices(name: str) -> None:
    """Lemma 2.4, (2.15): all seven, of full matrices, against the products themselves."""
    case = made(name)
    o, rng = case.o, np.random.default_rng(6)
    X, Y = (
        Leaf(
            name,
            o.bodies,
            o.bodies,
            {at: objects(rng.normal(size=(6, 6))) for at in product(case.bodies, case.bodies)},
        )
        for name in "XY"
    )
    for i in case.coordinates:
        between = X @ o.IH_delta(i) @ Y
        whole = {"s": o.IH_s(i), "": o.IH(i), "delta": o.IH_delta(i)}
        rows = {which: IH @ X for which, IH in whole.items()}
        columns = {which: X @ IH for which, IH in whole.items()}
        for k, j in product(case.bodies, case.bodies):
            close(o.product_block(X, i, Y, k, j), between[k, j], "(2.15), between")
            for which in whole:
                close(o.selected_rows(i, X, k, j, which), rows[which][k, j], f"IH_{which} X")
                close(o.selected_columns(X, i, k, j, which), columns[which][k, j], f"X IH_{which}")


# ------------------------------------------------------------------ sections 3 and 4

OPERATORS = ("Delta_phi", "E_phi", "phi", "M", "R", "P", "D", "G", "K", "psi")


def test_sensitivities(case: Hinges) -> None:
    """Lemmas 3.2, 3.4, 3.5, 4.1 to 4.3, 5.2 and 5.3, for every coordinate."""
    o, n = case.o, len(case.coordinates)
    for i in case.coordinates:
        there = SpatialOperators(case.tree, case.moved("q", unit_vector(n, i)))

        def step(X: Operator) -> np.ndarray:
            return slope(X.dense())

        for name in OPERATORS:
            found = getattr(o, f"{name}_sensitivity")(i)
            close(found, step(getattr(there, name)), f"[{name}]_{i}", 1e-9)
        close(o.H_sensitivity(i), step(there.H.T), "(3.39)")
        close(o.H_phi_sensitivity(i), step(there.H @ there.phi), "(3.41)")
        close(o.phi_M_phi_sensitivity(i), step(there.phi @ there.M @ there.phi.T), "(4.42)")
        dM = step(there.mass_matrix())
        close(o.mass_matrix_sensitivity(i), dM, "(4.43)")
        close(o.mass_matrix_sensitivity_articulated(i), dM, "lemma 4.3")
        close(o.mass_matrix_sensitivity_composite(i), dM, "(5.51)")
        close(o.mass_matrix_sensitivity(i) @ case.first, dM @ case.first, "(4.43) x")
        inverse = step(there.mass_matrix_inverse())
        close(o.mass_matrix_inverse_sensitivity(i), inverse, "[M^-1]_i", 1e-8)
        phi = o.phi_sensitivity(i)
        for k in case.bodies:
            Delta, H, M = o.Delta_phi_sensitivity(i), o.H_sensitivity(i), o.M_sensitivity(i)
            close(o.phi_link_sensitivity(k, i), Delta[k, k], "(3.25)")
            close(o.H_link_sensitivity(k, i), H[k, k], "(3.26)")
            close(o.M_link_sensitivity(k, i), M[k, k], "(3.27)")
            for j in case.bodies:
                close(o.phi_sensitivity_block(i, k, j), phi[k, j], "(3.38)")
                block = dM[o.hinges.slices[j], o.hinges.slices[k]]
                close(o.mass_matrix_sensitivity_block(i, j, k), block, "(5.52)")
                close(o.mass_matrix_sensitivity_block_I(i, j, k), block, "(5.52)")


def test_rates(case: Hinges) -> None:
    """Lemmas 3.1, 3.3 and 3.5: derivatives in time, and sum of the sensitivities."""
    o, rates = case.o, case.first
    there = SpatialOperators(case.tree, case.moved("q", case.v))

    def step(X: Operator) -> np.ndarray:
        return slope(X.dense())

    for name in ("Delta_phi", "E_phi", "phi", "M"):
        close(getattr(o, f"{name}_rate")(rates), step(getattr(there, name)), name)
    close(o.phi_rate_by_tilde(rates), step(there.phi), "(3.34)")
    close(o.H_rate(rates), step(there.H.T), "(3.32)")
    close(o.H_phi_rate(rates), step(there.H @ there.phi), "(3.41)")
    Mdot = o.mass_matrix_rate(rates)
    close(Mdot, step(there.mass_matrix()), "Mdot")
    total = sum(o.mass_matrix_sensitivity(i).dense() * rates[i] for i in case.coordinates)
    close(Mdot, total, "sum dM/dq_k v_k")
    for k in case.bodies:
        phi, H, M = o.link_rates_by_parts(k, rates)
        at = o.bodies.slices[k]
        close(o.phi_link_rate(k, rates), step(there.Delta_phi)[at, at])
        close(phi, o.phi_link_rate(k, rates), "(3.22)")
        close(H, o.H_link_rate(k, rates), "(3.23)")
        close(M, o.M_link_rate(k, rates), "(3.24)")
        close(o.M_link_rate(k, rates), o.M_rate(rates)[k, k], "(3.19)")
        close(o.H_link_rate(k, rates), o.H_rate(rates)[k, k], "(3.20)")


def test_as_printed_for_revolute_joints() -> None:
    """The paper's own expressions, where its assumptions hold."""
    case = made("chain, revolute")
    o, rates = case.o, case.first
    H, phi, M, K, P, R, tilde = o.H, o.phi, o.M, o.K, o.P, o.R, o.phi_tilde
    close(o.slides(rates), o.slides(rates) * 0.0, "no slide")
    close(o.H_rate(rates), o.Omega_s(rates) @ H.T, "(3.32)")
    Omega, Omega_s = o.Omega(rates), o.Omega_s(rates)
    close(o.E_phi_rate(rates), Omega @ o.E_phi - o.E_phi @ Omega_s, "(3.31)")
    close(o.H_phi_rate(rates), H @ phi @ (o.Omega_delta(rates) @ phi - Omega), "(3.41)")
    for k, node in enumerate(o.tree.nodes):
        if node.parent >= 0:
            turned = Omega[node.parent, node.parent] @ H[k, k].T
            close(o.H_link_rate(k, rates), turned, "(3.20)")
    for i in case.coordinates:
        IH, IH_s, IH_d = o.IH(i), o.IH_s(i), o.IH_delta(i)
        close(IH, -IH.T, "skew")
        close(IH_s, o.S.T @ IH @ o.S, "(2.14)")
        close(o.phi_sensitivity(i), phi @ IH_d @ phi - phi @ IH + IH_s @ phi, "(3.37)")
        close(o.H_sensitivity(i), IH_s @ H.T, "(3.39)")
        close(o.H_phi_sensitivity(i), H @ phi @ (IH_d @ phi - IH), "(3.41)")
        left, right = phi @ IH_d + IH_s, IH_d @ phi.T + IH_s
        pMp = phi @ M @ phi.T
        close(o.phi_M_phi_sensitivity(i), left @ pMp - pMp @ right, "(4.42)")
        dM = o.mass_matrix_sensitivity(i)
        close(dM, H @ phi @ (IH_d @ phi @ M - M @ phi.T @ IH_d) @ phi.T @ H.T, "(4.43)")
        inner = phi @ (IH_d @ R - R @ IH_d) @ phi.T + phi @ IH_d @ tilde @ R
        close(dM, H @ (inner - R @ tilde.T @ IH_d @ phi.T) @ H.T, "(5.51)")
    bare = Hinges(replace(case.model, joints=tuple(_bare(j) for j in case.model.joints))).o
    H, phi, M, K, P = bare.H, bare.phi, bare.M, bare.K, bare.P
    gain = bare.I + phi @ K @ H
    close(phi @ M @ phi.T @ H.T, gain @ P @ phi.T @ H.T, "lemma 4.3")
    for i in case.coordinates:
        IH_d = bare.IH_delta(i)
        inner = IH_d @ gain @ P - P @ gain.T @ IH_d
        close(bare.mass_matrix_sensitivity(i), H @ phi @ inner @ phi.T @ H.T, "lemma 4.3")


def _bare(joint: Any) -> Any:
    return replace(joint, armature=np.zeros(joint.nv))


# ------------------------------------------------------------------ section 5


def test_composite_bodies(case: Hinges) -> None:
    """(5.44) to (5.50)."""
    o = case.o
    whole = o.phi @ o.M @ o.phi.T
    close(whole, o.R + o.phi_tilde @ o.R + o.R @ o.phi_tilde.T, "phi M phi^T")
    X = objects(np.random.default_rng(4).normal(size=6))
    for i in case.coordinates:
        k, column = o.place(i)
        p = o.link(-1, k)
        close(o.hinge_I(i), p @ o.hinge(i) @ o.link(k, -1), "(5.48)")
        close(o.hinge_I_times(i, X), o.hinge_I(i) @ X, "(5.49)")
        screw, l = o.H_I(k)[column], p[:3, 3:]
        close(screw[:3], o.screw(i)[:3], "(5.47)")
        close(screw[3:], l @ o.screw(i)[:3] + o.screw(i)[3:], "(5.47)")
        close(o.R_I(k), p @ whole[k, k] @ p.T, "(5.50)")


def test_christoffel_symbols(single: Hinges) -> None:
    """(5.53) to (5.55), their symmetries, and the Coriolis matrix and forces."""
    o, n = single.o, len(single.bodies)
    C = o.christoffel()
    close(C, o.christoffel_by_definition(), "(5.55) = (5.53)")
    close(C, tensors.christoffel(single.tree, single.q), "the other floor")
    close(C, C.transpose(0, 2, 1), "C_i(j, k) = C_i(k, j)")
    dM = np.stack([o.mass_matrix_sensitivity(k).dense() for k in range(n)], axis=-1)
    close(dM, C + C.transpose(1, 0, 2), "dM_ij/dq_k = C_i(j, k) + C_j(i, k)")
    for i, j, k in product(range(n), range(n), range(n)):
        above = (j == i or o.inboard(j, i)) and (j == k or o.inboard(j, k))
        if above:
            close(C[i, j, k], -C[k, j, i], "C_i(j, k) = -C_k(j, i)")
        if j == i or o.inboard(j, i):
            close(C[i, j, i], 0.0, "C_i(j, i) = 0")
            close(o.Y(i, j, i), 0.0, "Y(i, j, i) = 0")
        if o.inboard(j, i) and o.inboard(j, k):
            close(o.christoffel_about_joints(i, j, k), C[i, j, k], "lemma 5.4")
    coriolis = o.coriolis_matrix(single.first)
    close(coriolis, coriolis_matrix(single.tree, single.q, single.v), "C")
    close(coriolis @ single.first, o.coriolis_forces(single.first), "C v")
    close(coriolis + coriolis.T, o.mass_matrix_rate(single.first), "C + C^T = Mdot")


def test_christoffel_symbols_depend_on_outboard_joints_only() -> None:
    """C_i(j, k) changes only with joints outboard of one of i, j, k: theta(1) .. theta(m - 1)."""
    case = made("branching")
    o, n = case.o, len(case.bodies)
    for moving in range(n):
        q = case.q.copy()
        q[moving] = q[moving] + 0.7
        change = SpatialOperators(case.tree, q).christoffel() - o.christoffel()
        for index in product(range(n), repeat=3):
            if not any(o.inboard(i, moving) for i in index):
                close(change[index], 0.0, f"C at {index} does not know joint {moving}")


def test_christoffel_symbols_need_single_joints() -> None:
    o = made("floating").o
    for f in (o.christoffel, o.christoffel_by_definition, lambda: o.Y(0, 0, 0)):
        with pytest.raises(ValueError, match=r"joint 'joint0' \(free\) has 6 degrees of freedom"):
            f()
    with pytest.raises(ValueError, match=r"lemma 5\.4 needs body 1 inboard"):
        made("chain").o.christoffel_about_joints(0, 1, 2)


# ------------------------------------------------------------------ 50 digits


def test_fifty_digits() -> None:
    """Sensitivities, Christoffel symbols and (24) against complex steps at 50 digits."""
    model = random_model(np.random.default_rng(9), 4, SINGLE)
    rng = np.random.default_rng(10)
    with mpmath.workdps(50):
        tree = lower(model, mpmath.mpf)
        q, v, a = (digits(x) for x in random_state(model, rng))
        h, tiny = mpmath.mpf(10) ** -30, mpmath.mpf(10) ** -40
        o, n = SpatialOperators(tree, q), tree.nv

        def error(found: Any, expected: Any) -> Any:
            return max(abs(x) for x in np.ravel(found - expected))

        def step(f: Callable[[Any], Any], i: int) -> Any:
            moved = q + mpmath.mpc(0, h) * unit_vector(n, i)
            imaginary = np.vectorize(lambda x: mpmath.im(x) / h, otypes=[object])
            return imaginary(f(moved))

        dM = np.stack([step(lambda x: dynamics.mass_matrix(tree, x), i) for i in range(n)], -1)
        Gamma = (dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1)) / 2
        assert error(o.christoffel(), Gamma) < tiny
        for i in range(n):
            forms = (
                o.mass_matrix_sensitivity(i),
                o.mass_matrix_sensitivity_articulated(i),
                o.mass_matrix_sensitivity_composite(i),
            )
            for form in forms:
                assert error(form.dense(), dM[..., i]) < tiny
            psi = step(lambda x: SpatialOperators(tree, x).psi.dense(), i)
            assert error(o.psi_sensitivity(i).dense(), psi) < tiny
        whole = o.mass_matrix_inverse() @ o.mass_matrix()
        assert error(whole.dense(), identity(n)) < tiny
        assert error(garofalo2013.mass_matrix_dq(tree, q), dM) < tiny
        tau = [step(lambda x: garofalo2013.inverse_dynamics(tree, x, v, a), i) for i in range(n)]
        found = garofalo2013.inverse_dynamics_dq(tree, q, v, a)
        assert error(found, np.stack(tau, -1)) < tiny


# ------------------------------------------------------------------ symbols


def test_symbols() -> None:
    """On SymPy: the sensitivity of the symbolic mass matrix is its derivative."""
    sympy = pytest.importorskip("sympy")
    q = sympy.symbols("q1 q2")
    tree = lower(planar_2r())
    o = SpatialOperators(tree, np.array(q, dtype=object), ["shoulder", "elbow"])
    M = sympy.Matrix(o.mass_matrix().dense())
    at = {q[0]: 0.3, q[1]: -1.1}
    assert "x" in str(o.mass_matrix())
    for i in range(2):
        found = sympy.Matrix(o.mass_matrix_sensitivity(i).dense()).subs(at)
        close(np.array(found).astype(float), np.array(M.diff(q[i]).subs(at)).astype(float))
