"""Garofalo's derivatives in the state, (17) to (24) and (30) to (33).

The truth is the complex step of the matrices themselves, along one velocity at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.formulas import tensors, wrt_state
from jounce.math.scalar import identity
from jounce.math.spatial import ad
from jounce.model.model import Model
from jounce.papers import garofalo2013 as paper
from support.case import Case
from support.helpers import STEP, assert_close, chain, quiet_read, slope, with_two_roots
from support.robots import ALL_KINDS, SINGLE, random_model, rate


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(5)
    return {
        "branching": random_model(rng, 6, SINGLE),
        "two roots": with_two_roots(random_model(rng, 5, SINGLE)),
        "mimic": random_model(rng, 5, SINGLE, mimic=True),
        "universal": random_model(rng, 3, ("universal", "cylindrical", "revolute")),
        "kuka": quiet_read("iiwa14_mueller_kumar2021"),
        "floating": random_model(rng, 3, ("spherical", "prismatic"), floating=True),
        "floating, mimic": random_model(
            rng, 5, ("revolute", "universal"), mimic=True, floating=True
        ),
        "planar, free inside": chain(("planar", "free", "helical")),
        "every kind": random_model(rng, len(ALL_KINDS)),
    }


MODELS = _models()


@pytest.fixture(scope="module", params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(MODELS[request.param])


def close(actual: Any, expected: Any, what: str = "") -> None:
    """To 1e-11: what cancels in these sums is larger than they are."""
    assert_close(actual, expected, 1e-11, what, floor=1.0)


def derivatives(case: Case, f: Callable[[Any], Any]) -> np.ndarray:
    """D_h f(q) for every h, the last axis."""
    n = case.tree.nv
    return np.stack([case.along(f, identity(n)[h]) for h in range(n)], axis=-1)


def test_jacobians(case: Case) -> None:
    """(30) to (33)."""
    tree, q, v, _ = case.state
    dJ = np.stack(paper.jacobians_dq(tree, q))
    close(dJ, derivatives(case, lambda x: np.stack(paper.body_jacobians(tree, x))), "(31)")
    Jdot = derivatives(case, lambda x: np.stack(paper.jacobian_rates(tree, x, v)))
    close(np.stack(paper.jacobian_rates_dq(tree, q, v)), Jdot, "(32)")
    found = np.stack(paper.jacobian_rates_dv(tree, q))
    for h, e in enumerate(identity(tree.nv)):
        step = slope(np.stack(paper.jacobian_rates(tree, q, v + STEP * 1j * e)))
        close(found[..., h], step, "(30)")
    Gamma = paper.velocity_map(tree, q)
    close(Gamma @ v, rate(case.model, q, v), "dq/dt = Gamma v")
    steps = []
    for i in range(tree.nq):
        moved = q + STEP * 1j * identity(tree.nq)[i]
        J = np.stack(paper.body_jacobians(tree, moved))
        steps.append(slope(J))
    partials = np.stack(steps, -1)
    close(np.stack(paper.jacobian_rates_dw(tree, q, list(partials))), found, "(33)")


def test_brackets(case: Case) -> None:
    """(17) to (23)."""
    tree, q, v, _ = case.state
    J, Ad = paper.body_jacobians(tree, q), paper.world_adjoints(tree, q)
    nu = paper.body_twists(tree, q, v)
    W = paper.bracket_selector()
    assert W.shape == (6, 36)
    assert set(W.flat) == {-1.0, 0.0, 1.0}, "W selects entries of the twist"
    for twist in nu:
        (w, u), e = (twist[:3], twist[3:]), identity(3)
        turned = [np.cross(w, x) for x in e], [np.cross(u, x) for x in e]
        w_, u_ = (np.stack(columns, 1) for columns in turned)
        adj = np.block([[w_, np.zeros((3, 3))], [u_, w_]])
        close(paper.factored_bracket(twist), adj, "(17), by cross products")
    dAd = paper.world_adjoints_dq(tree, q)
    close(
        np.stack(dAd), derivatives(case, lambda x: np.stack(paper.world_adjoints(tree, x))), "(18)"
    )

    def brackets(x: Any) -> Any:
        return np.stack([ad(twist) for twist in paper.body_twists(tree, x, v)])

    close(np.stack(paper.brackets_dq(tree, q, v)), derivatives(case, brackets), "(20)")
    rates = case.along(lambda x: np.stack(paper.world_adjoints(tree, x)), v)
    close(np.stack(paper.world_adjoint_rates(tree, q, v)), rates, "(21)")
    for k, dv in enumerate(paper.brackets_dv(tree, q)):
        close(paper.factored_bracket(nu[k]), ad(nu[k]), "(17)")
        close(paper.bracket_by_columns(J[k], v), ad(nu[k]), "(22)")
        for h in (0, tree.nv - 1):
            close(paper.world_adjoint_dq_factored(J[k], Ad[k], h), dAd[k][..., h], "(23)")
        close(np.stack([dv[..., h] * v[h] for h in range(tree.nv)]).sum(0), ad(nu[k]), "(19)")


def test_matrices(case: Case) -> None:
    """(24a) to (24d), for every kernel, and the identities between them."""
    tree, q, v, a = case.state
    dM = paper.mass_matrix_dq(tree, q)
    close(dM, derivatives(case, lambda x: paper.mass_matrix(tree, x)), "(24a)")
    close(dM, tensors.mass_matrix_dq(tree, q), "the other floor, M")
    close(dM @ v, paper.mass_matrix_rate(tree, q, v), "sum dM/dq_k v_k = Mdot")
    dg = paper.gravity_dq(tree, q)
    close(dg, derivatives(case, lambda x: paper.gravity_forces(tree, x)), "(24d)")
    close(dg, derivative(ROBOT["gravity_forces"], "dq").formula(tree, q), "the other floor, g")
    _, dq, dv, _ = wrt_state.inverse_dynamics_derivatives(tree, q, v, a)
    for kernel in paper.KERNELS:

        def C(x: Any, w: Any = v, kernel: str = kernel) -> Any:
            return paper.coriolis_matrix(tree, x, w, kernel)

        close(paper.coriolis_dq(tree, q, v, kernel), derivatives(case, C), f"(24b), {kernel}")
        Gamma = paper.coriolis_dv(tree, q, kernel)
        close(Gamma @ v, C(q), f"(24c), {kernel}: C is linear in v")
        last = identity(tree.nv)[-1]
        close(Gamma[..., -1], C(q, last), f"(24c), {kernel}")
        close(paper.inverse_dynamics_dq(tree, q, v, a, kernel), dq, f"dtau/dq, {kernel}")
        close(paper.inverse_dynamics_dv(tree, q, v, kernel), dv, f"dtau/dv, {kernel}")
        if kernel != "newton_euler":
            close(dM, Gamma + Gamma.transpose(1, 0, 2), "dM_ij/dq_k = Gamma_ijk + Gamma_jik")
        if kernel == "christoffel":
            close(Gamma, tensors.christoffel(tree, q), "the other floor, Christoffel")
            if all(node.S.shape[1] == 1 for node in tree.nodes):
                close(dv, 2.0 * C(q), "dtau/dv = 2 C")
                close(Gamma, Gamma.transpose(0, 2, 1), "symmetric")


def test_refuses_unknown_kernels() -> None:
    case = Case(chain(SINGLE))
    for f, extra in ((paper.coriolis_dq, (case.v,)), (paper.coriolis_dv, ())):
        with pytest.raises(ValueError, match="christoffel"):
            f(case.tree, case.q, *extra, kernel="other")
