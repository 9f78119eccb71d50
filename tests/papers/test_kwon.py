"""Kwon's differential dynamics, (1) to (10) and Algorithm 1.

The truth is the complex step of V, Vdot, F and tau by every entry of lambda, the joint screws
displaced by e^[eta].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

from jounce.formulas import dynamics, wrt_state
from jounce.math.scalar import identity, zeros
from jounce.math.spatial import ad, adjoint
from jounce.model.model import Model
from jounce.model.tree import lower
from jounce.papers import common, garofalo2013, kwon, newton_euler
from support.case import Case
from support.digits import digits
from support.helpers import STEP, chain, close, objects, quiet_read, slope, with_two_roots
from support.robots import ALL_KINDS, SINGLE, random_model, random_pose, random_state


def _plain() -> Model:
    """A chain R-P-H-R whose frames all lie on the base's at home, as the note assumes."""
    model = chain(("revolute", "prismatic", "helical", "revolute"), seed=3)
    return replace(model, joints=tuple(replace(j, placement=np.eye(4)) for j in model.joints))


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(31)
    return {
        "as in the note": _plain(),
        "chain": chain(("revolute", "prismatic", "helical", "revolute")),
        "branching": random_model(rng, 6, SINGLE),
        "two roots": with_two_roots(random_model(rng, 5, SINGLE)),
        "mimic": random_model(rng, 5, SINGLE, mimic=True),
        "universal": random_model(rng, 3, ("universal", "cylindrical", "revolute")),
        "floating": random_model(rng, 4, ("spherical", "prismatic"), floating=True),
        "every kind": random_model(rng, len(ALL_KINDS)),
        "kuka": quiet_read("iiwa14_mueller_kumar2021"),
    }


MODELS = _models()


class Tooled(Case):
    """A case with a tool on its last body, and Algorithm 1 there."""

    def __init__(self, model: Model) -> None:
        super().__init__(model, 32)
        T, F = objects(random_pose(self.rng)), objects(self.rng.normal(size=6))
        self.tool = kwon.Tool(len(self.tree.nodes) - 1, T[:3, :3], T[:3, 3], F)
        self.found = kwon.differential_dynamics(*self.state, self.tool)

    def values(self, q: Any, v: Any, a: Any, eta: Any = None, tool: Any = None) -> np.ndarray:
        """V, Vdot and F of all nodes and tau, one after the other."""
        V, Vd = kwon.forward_iterations(self.tree, q, v, a, eta)
        F = kwon.backward_iterations(self.tree, q, V, Vd, eta, tool or self.tool)
        tau = kwon.inverse_dynamics(self.tree, q, v, a, eta, tool or self.tool)
        return np.concatenate((*V, *Vd, *F, tau))

    def jacobian(self) -> np.ndarray:
        """What Algorithm 1 says of their derivatives in lambda."""
        return np.concatenate((*self.found.P, *self.found.Q, *self.found.R, self.found.S))


@cache
def made(name: str) -> Tooled:
    return Tooled(MODELS[name])


@pytest.fixture(params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Tooled:
    return made(request.param)


def eta_step(case: Tooled, i: int, c: int) -> np.ndarray:
    """eta with an infinitesimal imaginary displacement c of node i."""
    eta = zeros(len(case.tree.nodes), 6)
    eta[i, c] = 1j * STEP
    return eta


# ------------------------------------------------------------------ recursive dynamics


def test_recursive_dynamics(case: Tooled) -> None:
    """(1) to (5) against the lecture's recursion and the fast formula; F_ext."""
    tree, q, v, a, found = case.tree, case.q, case.v, case.a, case.found
    V, Vd = newton_euler.forward_iterations(tree, q, v, a)
    close(np.concatenate(found.V), np.concatenate(V), "(2)")
    close(np.concatenate(found.Vd), np.concatenate(Vd), "(3)")
    tool = case.tool
    tips = [zeros(6) for _ in tree.nodes]
    tips[tool.node] = newton_euler.tip_wrench(tool.R, tool.p, tool.wrench)
    F = newton_euler.backward_iterations(tree, q, V, Vd, tips)
    close(np.concatenate(found.F), np.concatenate(F), "(4)")
    close(found.tau, newton_euler.inverse_dynamics(tree, q, v, a, tips), "(5)")
    close(kwon.inverse_dynamics(tree, q, v, a), dynamics.inverse_dynamics(tree, q, v, a), "fast")
    for node in tree.nodes:
        for x, y in zip(kwon.relative_pose(node, q), common.relative_pose(node, q), strict=True):
            close(x, y, "(1)")


def test_eta_of_nothing(case: Tooled) -> None:
    state = case.q, case.v, case.a
    nowhere = zeros(len(case.tree.nodes), 6)
    close(case.values(*state, nowhere), case.values(*state))


# ------------------------------------------------------------------ joint screws


def test_displaced_screws() -> None:
    """(6) keeps kind, pitch and length; (7), (8) are its derivatives; (10) the reversed bracket."""
    rng = np.random.default_rng(33)
    w = rng.normal(size=3)
    w /= np.linalg.norm(w)
    eta, F, B = (objects(rng.normal(size=6)) for _ in range(3))
    for pitch in (0.0, 0.4):
        A = objects(np.concatenate((w, np.cross(rng.normal(size=3), w) + pitch * w)))
        moved = kwon.displaced_screw(A, eta).astype(float)
        assert abs(np.linalg.norm(moved[:3]) - 1.0) < 1e-14
        assert abs(moved[:3] @ moved[3:] - pitch) < 1e-13
        steps = [slope(kwon.displaced_screw(A, 1j * STEP * e)) for e in identity(6)]
        close(kwon.screw_derivative(A), np.stack(steps, -1), "(8)")
        close(ad(A).T @ F, kwon.dual_matrix(F) @ A, "(10)")
    R, p = kwon.exponential(eta)
    R_step, p_step = kwon.exponential(1j * STEP * B)
    moved = adjoint(R @ R_step, R @ p_step + p)  # T e^[B dt]
    close(kwon.adjoint_rate(R, p, B), slope(moved), "(7)")
    R, p = kwon.exponential(objects((0.0, 0.0, 0.0, 1.0, 2.0, 3.0)))
    close(R, np.eye(3))
    close(p, (1.0, 2.0, 3.0))


def test_exponential_of_the_screw_itself() -> None:
    """g e^[A_bar] theta g^-1 is e^[A] theta with A = Ad_g A_bar, from the matrix exponential."""
    linalg = pytest.importorskip("scipy.linalg")
    tree = lower(MODELS["chain"])
    rng = np.random.default_rng(34)
    q, eta = objects(rng.normal(size=tree.nq)), objects(rng.normal(size=(len(tree.nodes), 6)))
    for node, eta_i in zip(tree.nodes, eta, strict=True):
        A = kwon.displaced_screw(node.S[:, 0], eta_i).astype(float)
        hat = np.zeros((4, 4))
        hat[:3, :3] = ((0.0, -A[2], A[1]), (A[2], 0.0, -A[0]), (-A[1], A[0], 0.0))
        hat[:3, 3] = A[3:]
        T = linalg.expm(hat * float(q[node.q]))
        R, p = kwon.joint_exponential(node, q, eta_i)
        close(R, T[:3, :3])
        close(p, T[:3, 3])


@pytest.mark.parametrize("name", ["chain", "branching", "mimic", "universal"])
def test_displacements_of_the_model(name: str) -> None:
    """A model with its axes moved, bodies at home where they were, is the tree with eta."""
    model = MODELS[name]
    tree = lower(model)
    rng = np.random.default_rng(35)
    moved, etas = [], objects(0.5 * rng.normal(size=(model.nb, 6)))
    for joint, eta in zip(model.joints, etas, strict=True):
        R, p = (x.astype(float) for x in kwon.exponential(eta))
        options = {"axis": R @ joint.axis, "point": R @ joint.point + p}
        if joint.kind == "universal":
            options["axis2"] = R @ joint.axis2
        moved.append(replace(joint, **options))
    other = lower(replace(model, joints=tuple(moved)))
    q, v, a = (objects(x) for x in random_state(model, rng))
    eta = (kwon.joint_frames(tree) @ etas.ravel()).reshape(-1, 6)
    expected = dynamics.inverse_dynamics(other, q, v, a)
    close(kwon.inverse_dynamics(tree, q, v, a, eta), expected, tolerance=1e-11)


# ------------------------------------------------------------------ Algorithm 1


def test_algorithm_1_by_screws(case: Tooled) -> None:
    """P, Q, R and S by every eta."""
    found, state = case.jacobian(), (case.q, case.v, case.a)
    for i in range(len(case.tree.nodes)):
        at = case.found.columns.eta(i)
        steps = [slope(case.values(*state, eta_step(case, i, c))) for c in range(6)]
        close(found[:, at], np.stack(steps, -1), f"eta_{i}")


def test_algorithm_1_by_tool(case: Tooled) -> None:
    """The columns eta_{n+1}: the tool's pose is e^[eta] M."""
    tool, steps = case.tool, []
    for e in identity(6):
        R, p = kwon.exponential(1j * STEP * e)
        moved = replace(tool, R=R @ tool.R, p=R @ tool.p + p)
        steps.append(slope(case.values(case.q, case.v, case.a, tool=moved)))
    at = case.found.columns.eta(len(case.tree.nodes))
    close(case.jacobian()[:, at], np.stack(steps, -1))
    bare = kwon.differential_dynamics(case.tree, case.q, case.v, case.a)
    assert not bare.S[:, at].any()


def test_algorithm_1_by_state(case: Tooled) -> None:
    """P, Q, R and S by theta, theta-dot and theta-ddot, along the quasi-velocities."""
    q, v, a, n = case.q, case.v, case.a, case.tree.nv
    columns, found = case.found.columns, case.jacobian()
    moves: list[Callable[[Any], tuple[Any, Any, Any]]] = [
        lambda e: (case.moved("q", e), v, a),
        lambda e: (q, case.moved("v", e), a),
        lambda e: (q, v, case.moved("a", e)),
    ]
    for order, move in enumerate(moves):
        steps = [slope(case.values(*move(e))) for e in identity(n)]
        close(found[:, columns.rates(order)], np.stack(steps, -1), f"order {order}")
    assert columns.width == found.shape[1] == columns.rates(2).stop


def test_algorithm_1_and_the_fast_state_derivatives(case: Tooled) -> None:
    bare = kwon.differential_dynamics(case.tree, case.q, case.v, case.a)
    _, dq, dv, M = wrt_state.inverse_dynamics_derivatives(case.tree, case.q, case.v, case.a)
    close(bare.dtau(0), dq)
    close(bare.dtau(1), dv)
    close(bare.dtau(2), M)


def test_screws_that_stay(case: Tooled) -> None:
    """A joint's axis does not feel displacements along itself: dtau/deta_i A_i = 0."""
    gradient = case.found.dtau_deta()
    for i, node in enumerate(case.tree.nodes):
        if node.S.shape[1] > 1:
            continue
        A = node.S[:, 0]
        close(gradient[:, i] @ A, np.zeros(case.tree.nv), "along A")
        if node.motion.name == "prismatic":  # a direction has no place: it may go anywhere
            close(gradient[:, i, 3:], np.zeros((case.tree.nv, 3)), "translations")
        else:
            along = np.concatenate((zeros(3), A[:3]))
            close(gradient[:, i] @ along, np.zeros(case.tree.nv), "along the axis")


def test_moving_every_screw_and_the_base() -> None:
    """The whole robot and gravity displaced by one motion: tau stays, so the screws' share of the
    change, where all frames coincide at home, is what inertias and gravity undo.
    """
    model = _plain()
    tree = lower(model)
    q, v, a = (objects(x) for x in random_state(model, np.random.default_rng(1)))
    found = kwon.differential_dynamics(tree, q, v, a)
    X = kwon.joint_frames(tree)
    everywhere = np.concatenate([identity(6)] * model.nb)  # the same eta in every body frame
    by_screws = found.S[:, : 6 * model.nb] @ (X @ everywhere)
    Y = garofalo2013.regressor(tree, q, v, a) @ garofalo2013.frame_map(tree)
    by_inertia = zeros(tree.nv, 6)
    for b, body in enumerate(model.bodies):
        dphi = kwon.parameters_deta(objects(body.inertia))
        by_inertia = by_inertia + Y[:, 10 * b : 10 * b + 10] @ dphi

    def pulled(e: np.ndarray) -> np.ndarray:
        gravity = tree.gravity + 1j * STEP * np.cross(e[:3], tree.gravity.astype(float))
        return slope(dynamics.inverse_dynamics(replace(tree, gravity=gravity), q, v, a))

    by_gravity = np.stack([pulled(e.astype(float)) for e in identity(6)], -1)
    close(by_screws + by_inertia + by_gravity, np.zeros((tree.nv, 6)))


def test_fifty_digits() -> None:
    """dtau/dlambda of a chain against complex steps at 50 digits."""
    model = MODELS["chain"]
    rng = np.random.default_rng(36)
    with mpmath.workdps(50):
        tree = lower(model, mpmath.mpf)
        q, v, a = (digits(x) for x in random_state(model, rng))
        h, tiny = mpmath.mpf(10) ** -30, mpmath.mpf(10) ** -40
        S = kwon.differential_dynamics(tree, q, v, a).S
        for i in range(len(tree.nodes)):
            for c in range(6):
                eta = zeros(len(tree.nodes), 6)
                eta[i, c] = mpmath.mpc(0, h)
                step = [mpmath.im(x) / h for x in kwon.inverse_dynamics(tree, q, v, a, eta)]
                assert max(abs(x) for x in S[:, 6 * i + c] - step) < tiny


def test_wrong_arguments_are_refused() -> None:
    case = Tooled(MODELS["chain"])
    with pytest.raises(ValueError, match=r"eta: expected shape \(4, 6\), found \(3, 6\)"):
        kwon.inverse_dynamics(case.tree, case.q, case.v, case.a, zeros(3, 6))
    lost = replace(case.tool, node=7)
    with pytest.raises(ValueError, match="tool: expected a node from 0 to 3, found 7"):
        kwon.differential_dynamics(case.tree, case.q, case.v, case.a, lost)
