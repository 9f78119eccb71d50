"""Garofalo's section III: derivatives in the inertial parameters, and regressors.

M, C and g are linear in pi, so the truth for their derivatives is their value for unit parameters,
and they themselves are reproduced from the tensors. Beside that: the fast formulas, SymPy (exact)
and Pinocchio's regressor.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.formulas import dynamics
from jounce.io.gallery import planar_2r
from jounce.math.scalar import array, identity, zeros
from jounce.math.spatial import INERTIA_ENTRIES, spatial_inertia
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.papers import common
from jounce.papers import garofalo2013 as paper
from support.case import Case
from support.helpers import STEP, assert_close, close, objects, quiet_read, slope, with_two_roots
from support.robots import ALL_KINDS, SINGLE, random_inertia, random_model, random_state


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(21)
    return {
        "every kind": random_model(rng, len(ALL_KINDS)),
        "serial": random_model(rng, len(ALL_KINDS), branching=False),
        "floating": random_model(rng, 6, floating=True),
        "floating, mimic": random_model(rng, 6, SINGLE, mimic=True, floating=True),
        "two roots": with_two_roots(random_model(rng, 6, SINGLE)),
        "kuka": quiet_read("iiwa14_mueller_kumar2021"),
    }


MODELS = _models()


@pytest.fixture(scope="module", params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(MODELS[request.param], 22)


def with_parameters(tree: Tree, pi: np.ndarray) -> Tree:
    """The same tree with the parameters pi (10 N) of its nodes."""
    rows = zip(tree.nodes, pi.reshape(-1, 10), strict=True)
    return replace(tree, nodes=tuple(replace(node, inertia=row) for node, row in rows))


def no_armature(tree: Tree) -> Tree:
    nodes = (replace(node, armature=0.0 * node.armature) for node in tree.nodes)
    return replace(tree, nodes=tuple(nodes))


# ------------------------------------------------------------------ one body


def test_momentum_is_linear_in_the_parameters() -> None:
    """(8), (10) to (12): Lambda nu = A(nu) pi."""
    rng = np.random.default_rng(1)
    for _ in range(5):
        pi, nu = objects(random_inertia(rng)), objects(rng.normal(size=6))
        close(paper.momentum_matrix(nu) @ pi, spatial_inertia(pi) @ nu, "(8)")
        close(paper.linear_rows(nu) @ pi, (spatial_inertia(pi) @ nu)[3:], "(10)")
        close(paper.angular_rows(nu) @ pi, (spatial_inertia(pi) @ nu)[:3], "(11)")
        about = spatial_inertia(pi)[:3, :3]
        close(paper.inertia_rows(nu[:3]) @ pi[4:], about @ nu[:3], "(12)")


def _central(pi: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """(m, r, I_c) from parameters about the origin, by Steiner's rule written out."""
    m, r = pi[0], pi[1:4] / pi[0]
    I = np.zeros((3, 3))
    for (i, j), x in zip(INERTIA_ENTRIES, pi[4:], strict=True):
        I[i, j] = I[j, i] = x
    return m, r, I - m * (r @ r * np.eye(3) - np.outer(r, r))


def test_parameters_are_about_the_origin() -> None:
    """(9): with the inertia about the centre of mass in pi, (8) fails; the chain rule between."""
    rng = np.random.default_rng(2)
    pi, nu = random_inertia(rng), objects(rng.normal(size=6))
    m, r, I_c = _central(pi)
    close(paper.body_parameters(m, objects(r), objects(I_c)), pi, "(9)")
    wrong = np.concatenate((pi[:4], [I_c[i, j] for i, j in INERTIA_ENTRIES]))
    off = paper.momentum_matrix(nu) @ wrong - spatial_inertia(objects(pi)) @ nu
    assert np.abs(off.astype(float)).max() > 1e-3
    # dpi/dx by complex step in x = (m, r, I_c)
    x = np.array([m, *r, *(I_c[i, j] for i, j in INERTIA_ENTRIES)])

    def parameters(x: np.ndarray) -> np.ndarray:
        I = zeros(3, 3)
        for (i, j), value in zip(INERTIA_ENTRIES, x[4:], strict=True):
            I[i, j] = I[j, i] = value
        return paper.body_parameters(x[0], x[1:4], I)

    columns = [parameters(objects(x) + 1j * STEP * e) for e in identity(10)]
    expected = slope(np.stack(columns, -1))
    close(paper.central_parameters_derivative(m, objects(r)), expected, "dpi/dx")


@pytest.mark.parametrize("kernel", paper.KERNELS)
def test_kernels_by_parameters(kernel: str) -> None:
    """B(Lambda, nu) x is linear in pi: `KERNEL_ROWS` are its columns."""
    rng = np.random.default_rng(3)
    pi, nu, x = (objects(rng.normal(size=n)) for n in (10, 6, 6))
    found = paper.KERNEL_ROWS[kernel](nu, x)
    units = [paper.KERNELS[kernel](spatial_inertia(e), nu) @ x for e in identity(10)]
    close(found, np.stack(units, -1), "unit parameters")
    close(found @ pi, paper.KERNELS[kernel](spatial_inertia(pi), nu) @ x, "random parameters")
    assert list(paper.KERNEL_ROWS) == list(paper.KERNELS)


# ------------------------------------------------------------------ tensors


def test_tensors_reproduce_the_matrices(case: Case) -> None:
    """(13): M = dM/dpi pi + armature, C = dC/dpi pi for every kernel, g = dg/dpi pi; and (14).

    Armature is also in the Christoffel C, by Koszul's formula.
    """
    tree, q, v, pi = case.tree, case.q, case.v, paper.parameters(case.tree)
    dM = paper.mass_matrix_dpi(tree, q)
    assert dM.shape == (tree.nv, tree.nv, len(pi))
    M = paper.mass_matrix(tree, q)
    close(dM @ pi + common.armature_matrix(tree), M, "(13a)")
    close(dM, dM.transpose(1, 0, 2), "dM/dpi is symmetric")
    close(paper.gravity_dpi(tree, q) @ pi, paper.gravity_forces(tree, q), "(13c)")
    for kernel in paper.KERNELS:
        dC = paper.coriolis_dpi(tree, q, v, kernel)
        own = common.armature_christoffel(tree, v) if kernel == "christoffel" else 0.0
        close(dC @ pi + own, paper.coriolis_matrix(tree, q, v, kernel), f"(13b), {kernel}")
    bare = paper.mass_matrix(no_armature(tree), q)
    for j in (0, tree.nv - 1):
        close(paper.mass_matrix_column(tree, q, j), bare[:, j], "(14)")


def test_tensors_are_derivatives(case: Case) -> None:
    """(13) against the matrices of robots with one unit parameter, of the last body and others."""
    pi = paper.parameters(case.tree)
    tree, q, v, n = no_armature(case.tree), case.q, case.v, len(pi)
    dM, dg = paper.mass_matrix_dpi(tree, q), paper.gravity_dpi(tree, q)
    dC = paper.coriolis_dpi(tree, q, v)
    for h in {0, n // 2 + 1, *range(n - 10, n)}:
        unit = with_parameters(tree, identity(n)[h])
        close(dM[..., h], paper.mass_matrix(unit, q), f"(13a), {h}")
        close(dC[..., h], paper.coriolis_matrix(unit, q, v), f"(13b), {h}")
        close(dg[:, h], paper.gravity_forces(unit, q), f"(13c), {h}")


def test_skew_symmetry_per_parameter(case: Case) -> None:
    """Mdot = C + C^T holds for each parameter on its own, with the rate of dM/dpi from (25a)."""
    pi = paper.parameters(case.tree)
    tree, q, v = no_armature(case.tree), case.q, case.v
    n = len(pi)
    for kernel in ("garofalo", "christoffel"):
        dC = paper.coriolis_dpi(tree, q, v, kernel)
        for h in (1, n - 1):
            unit = with_parameters(tree, identity(n)[h])
            Mdot = paper.mass_matrix_rate(unit, q, v)
            close(dC[..., h] + dC[..., h].T, Mdot, kernel)


# ------------------------------------------------------------------ regressors


def test_slotine_li(case: Case) -> None:
    """(15), (16): Y pi = M a_r + C v_r + g for the C of every kernel, armature apart."""
    pi = paper.parameters(case.tree)
    tree, q, v, v_r, a_r = case.tree, case.q, case.v, case.v_r, case.a_r
    bare = no_armature(tree)
    M, g = paper.mass_matrix(bare, q), paper.gravity_forces(tree, q)
    for kernel in paper.KERNELS:
        expected = M @ a_r + paper.coriolis_matrix(bare, q, v, kernel) @ v_r + g
        forces = paper.slotine_li_forces(tree, q, v, v_r, a_r, kernel)
        close(forces, expected, f"(15), {kernel}")
        Y = paper.slotine_li_regressor(tree, q, v, v_r, a_r, kernel)
        close(Y @ pi, expected, f"(16), {kernel}")
        # one parameter at a time: exactly linear, not only at this pi
        random = objects(np.random.default_rng(4).normal(size=len(pi)))
        other = no_armature(with_parameters(tree, random))
        changed = paper.mass_matrix(other, q) @ a_r + paper.gravity_forces(other, q)
        changed = changed + paper.coriolis_matrix(other, q, v, kernel) @ v_r
        close(Y @ random, changed, f"(16), any parameters, {kernel}")


def test_slotine_li_by_tensors(case: Case) -> None:
    """Y = dM/dpi a_r + dC/dpi v_r + dg/dpi."""
    tree, q, v, v_r, a_r = case.tree, case.q, case.v, case.v_r, case.a_r
    M = np.tensordot(paper.mass_matrix_dpi(tree, q), a_r, (1, 0))
    C = np.tensordot(paper.coriolis_dpi(tree, q, v), v_r, (1, 0))
    Y = paper.slotine_li_regressor(tree, q, v, v_r, a_r)
    close(Y, M + C + paper.gravity_dpi(tree, q), "(13), (16)")


def test_classic_regressor(case: Case) -> None:
    """tau = Y pi + armature a, with the fast inverse dynamics, and for the bodies' own frames."""
    pi = paper.parameters(case.tree)
    tree, q, v, a = case.state
    Y = paper.regressor(tree, q, v, a)
    tau = dynamics.inverse_dynamics(tree, q, v, a)
    drives = common.armature_matrix(tree) @ a
    close(Y @ pi + drives, tau, "nodes")
    X = paper.frame_map(tree)
    bodies = objects(case.model.parameters.ravel())
    close(X @ bodies, pi, "frames of the bodies")
    close(Y @ X @ bodies + drives, tau, "bodies")
    for kernel in paper.KERNELS:
        close(paper.slotine_li_regressor(tree, q, v, v, a, kernel), Y, f"{kernel} makes no odds")


def test_central_regressor() -> None:
    """dtau/d(m, r, I_c) = Y dpi/dx, by complex step of the inverse dynamics."""
    case = Case(MODELS["kuka"], 22)
    pi = paper.parameters(case.tree)
    tree, q, v, a = case.state
    m, r, I_c = _central(pi[-10:].astype(float))
    x = objects([m, *r, *(I_c[i, j] for i, j in INERTIA_ENTRIES)])

    def tau(x: np.ndarray) -> np.ndarray:
        I = zeros(3, 3)
        for (i, j), value in zip(INERTIA_ENTRIES, x[4:], strict=True):
            I[i, j] = I[j, i] = value
        moved = np.concatenate((pi[:-10], paper.body_parameters(x[0], x[1:4], I)))
        return dynamics.inverse_dynamics(with_parameters(tree, moved), q, v, a)

    steps = [tau(x + 1j * STEP * e) for e in identity(10)]
    expected = slope(np.stack(steps, -1))
    Y = paper.regressor(tree, q, v, a)[:, -10:]
    close(Y @ paper.central_parameters_derivative(m, objects(r)), expected)


def test_exactly_linear_in_symbols() -> None:
    """On SymPy, with symbols for the state and all parameters of a 2R arm: tau = Y pi, exactly."""
    sympy = pytest.importorskip("sympy")
    tree = lower(planar_2r())  # its geometry is whole numbers
    pi = array(sympy.symbols("pi0:20"))
    q, v, a = (array(sympy.symbols(f"{x}0:2")) for x in "qva")
    named = with_parameters(tree, pi)
    rest = paper.regressor(named, q, v, a) @ pi - dynamics.inverse_dynamics(named, q, v, a)
    for row in rest:
        polynomial = sympy.Poly(sympy.nsimplify(sympy.expand(row)), *pi, *v, *a)
        assert [sympy.trigsimp(c) for c in polynomial.coeffs()] == [0] * len(polynomial.coeffs())


def test_unknown_kernels_are_refused() -> None:
    case = Case(MODELS["kuka"], 22)
    with pytest.raises(ValueError, match="no kernel is called 'other'; choose one of garofalo"):
        paper.coriolis_dpi(case.tree, case.q, case.v, "other")
    with pytest.raises(ValueError, match="christoffel"):
        paper.slotine_li_regressor(case.tree, case.q, case.v, case.v, case.a, "other")


# ------------------------------------------------------------------ Pinocchio


@pytest.mark.parametrize(("robot", "base"), [("panda", "fixed"), ("solo12", "floating")])
def test_pinocchio_regressor(robot: str, base: str) -> None:
    """computeJointTorqueRegressor on real robots, orders mapped.

    It ignores armature, in their model and in its result: Y pi there is tau without the drives.
    """
    pin = pytest.importorskip("pinocchio")
    from jounce.export.pinocchio import PinocchioMap, parameters_to_pinocchio, to_pinocchio
    from support.urdf_files import good_files

    path = next(path for path in good_files() if path.stem == robot)
    model = quiet_read(path, base)
    joints = tuple(replace(j, armature=0.0 if j.kind == "free" else 0.1) for j in model.joints)
    model = replace(model, joints=joints)
    theirs = to_pinocchio(model)
    maps = PinocchioMap(model, theirs)
    q, v, a = random_state(model, np.random.default_rng(6))
    states = maps.q_to_pinocchio(q), maps.v_to_pinocchio(v), maps.v_to_pinocchio(a)
    wide = pin.computeJointTorqueRegressor(theirs, theirs.createData(), *states)
    tree = lower(model)
    q, v, a = objects(q), objects(v), objects(a)
    Y = paper.regressor(tree, q, v, a) @ paper.frame_map(tree)
    for b in range(model.nb):
        first = 10 * (maps.joint_ids[b] - 1)
        block = maps.tau_from_pinocchio(wide[:, first : first + 10].T).T
        ours = parameters_to_pinocchio(Y[:, 10 * b : 10 * b + 10].astype(float))
        assert_close(ours, block, what=model.bodies[b].name, floor=1.0)
    drives = common.armature_matrix(tree) @ a
    assert np.abs(drives.astype(float)).max() > 0.01
    tau = dynamics.inverse_dynamics(tree, q, v, a)
    close(Y @ objects(model.parameters.ravel()) + drives, tau)
