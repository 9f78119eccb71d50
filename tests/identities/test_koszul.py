"""The Coriolis matrix and the Christoffel symbols from M alone, by Koszul's formula.

With the frame of velocities X_i on the configuration space, its structure constants
[X_i, X_j] = sum_k c_ijk X_k and the metric M,

    2 Gamma_ijk = X_k M_ij + X_j M_ik - X_i M_jk + <[X_k, X_j], X_i> - <[X_k, X_i], X_j>
                  - <[X_j, X_i], X_k>

has no choice left: two robots with the same M have the same Gamma, whatever M is made of. C v, and
dM/dt = C + C^T, are not enough to tell. Derivatives of M are by complex steps of its formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.errors import ModelError
from jounce.formulas import dynamics, equations, momenta, tensors
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.io import TreeBuilder
from jounce.model.model import Body, Joint, Model
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.case import Case
from support.helpers import (
    assert_close,
    chain,
    numbers,
    objects,
    slope,
    small_model,
    with_two_roots,
)
from support.mechanisms import State, mechanism, with_random_loops
from support.robots import ALL_KINDS, SINGLE, random_model

# ------------------------------------------------------------------ the truth


def brackets(model: Model) -> np.ndarray:
    """Structure constants c (nv, nv, nv) of a model's velocities: [X_i, X_j] = sum_k c_ijk X_k."""
    c = np.zeros((model.nv,) * 3)
    at = 0
    for joint in model.joints:
        if joint.mimic is not None:
            continue
        own = c[at : at + joint.nv, at : at + joint.nv, at : at + joint.nv]
        at += joint.nv
        if joint.kind == "planar":  # (w, x, y): a turn takes x to y and y to -x
            own[0, 1, 2], own[0, 2, 1] = 1.0, -1.0
            own[1, 0, 2], own[2, 0, 1] = -1.0, 1.0
        if joint.kind not in ("spherical", "free"):
            continue
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            own[i, j, k], own[j, i, k] = 1.0, -1.0
            if joint.kind == "free":
                own[i, j + 3, k + 3], own[j, i + 3, k + 3] = 1.0, -1.0
                own[j + 3, i, k + 3], own[i + 3, j, k + 3] = -1.0, 1.0
    return c


def koszul(M: np.ndarray, dM: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Gamma from M, dM with the direction last, and the structure constants."""
    low = np.einsum("ijl,lk->ijk", c, M)  # <[X_i, X_j], X_k>
    moved = dM + dM.swapaxes(1, 2) - np.moveaxis(dM, -1, 0)
    turned = np.einsum("kji->ijk", low) - np.einsum("kij->ijk", low) - np.einsum("jik->ijk", low)
    return 0.5 * (moved + turned)


class Connection(Case):
    """A case, and what follows from its M."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        super().__init__(model, seed)
        M = partial(dynamics.mass_matrix, self.tree)
        self.M = numbers(M(self.q))
        self.dM = np.stack([self.along(M, e) for e in np.eye(model.nv)], axis=-1)
        self.c = brackets(model)
        self.Gamma = koszul(self.M, self.dM, self.c)
        self.scale = np.abs(self.M).max()

    def close(self, found: Any, expected: Any, what: str = "") -> None:
        """To 1e-12 of the largest entry, or of M's, of which the terms are."""
        assert_close(numbers(found), expected, what=what, floor=self.scale)


def made(seed: int, *columns: Any, **options: Any) -> Model:
    return random_model(np.random.default_rng(seed), *columns, **options)


MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: made(1, len(ALL_KINDS)),
    "every kind, serial": lambda: made(2, len(ALL_KINDS), branching=False),
    "floating": lambda: made(3, 8, floating=True),
    "floating, mimic": lambda: made(4, 6, (*SINGLE, "spherical"), mimic=True, floating=True),
    "mimic, balls": lambda: made(5, 7, (*SINGLE, "spherical"), mimic=True),
    "two roots": lambda: with_two_roots(made(6, len(ALL_KINDS))),
    "small": small_model,
    "ball on ball": lambda: chain(("spherical", "spherical", "revolute", "spherical")),
    **{f"{kind} only": lambda kind=kind: made(7, 2, (kind,)) for kind in ALL_KINDS},
}


@pytest.fixture(params=list(MODELS), scope="module")
def case(request: pytest.FixtureRequest) -> Connection:
    return Connection(MODELS[request.param]())


# ------------------------------------------------------------------ trees


def test_christoffel_symbols_follow_from_M(case: Connection) -> None:
    case.close(tensors.christoffel(case.tree, case.q), case.Gamma)
    case.close(tensors.christoffel(case.tree.lumped, case.q), case.Gamma, "lumped")


def test_coriolis_matrix_follows_from_M(case: Connection) -> None:
    C = case.Gamma @ case.at["v"]
    case.close(equations.coriolis_matrix(case.tree, case.q, case.v), C)
    assert_close(C + C.T, case.dM @ case.at["v"], floor=case.scale)


def test_derivatives_of_the_coriolis_matrix(case: Connection) -> None:
    """.dv is Gamma; .dq, .dt and .dpi of what M says, by complex steps and by linearity."""
    row = ROBOT["coriolis_matrix"]
    given = (case.tree, case.q, case.v)
    case.close(derivative(row, "dv").formula(*given), case.Gamma)
    v = case.at["v"]
    along = case.along(lambda q: equations.coriolis_matrix(case.tree, q, case.v), v)
    case.close(numbers(derivative(row, "dq").formula(*given)) @ v, along, "dq")
    total = along + case.Gamma @ case.at["a"]
    case.close(derivative(row, "dt").formula(*given, case.a), total, "dt")
    bare = without_armature(case.model)
    of_bodies = Connection(bare).Gamma @ v  # the same state
    pi = np.concatenate([body.inertia for body in case.model.bodies])
    case.close(numbers(derivative(row, "dpi").formula(*given)) @ pi, of_bodies, "dpi")


def without_armature(model: Model) -> Model:
    joints = (replace(joint, armature=np.zeros(joint.nv)) for joint in model.joints)
    return replace(model, joints=tuple(joints))


def test_forces_follow_from_the_kinetic_energy(case: Connection) -> None:
    """Hamel: d/dt p_i - X_i T + sum c_ijk v_j p_k, with p = M v, is all but gravity."""
    v, a = case.at["v"], case.at["a"]
    p = case.M @ v
    hamel = case.M @ a + (case.dM @ v) @ v - 0.5 * np.einsum("j,jki,k->i", v, case.dM, v)
    hamel += np.einsum("ijk,j,k->i", case.c, v, p)
    g = numbers(dynamics.gravity_forces(case.tree, case.q))
    case.close(dynamics.inverse_dynamics(case.tree, case.q, case.v, case.a), hamel + g)
    rest = numbers(momenta.momentum_forces(case.tree, case.q, case.v))
    case.close(rest, (case.Gamma @ v).T @ v - g, "momentum_forces")


def test_regressor_of_adaptive_control(case: Connection) -> None:
    """M a_r + C v_r + g with the armature's columns, for the drives the joints have."""
    rng = np.random.default_rng(1)
    v_r, a_r = rng.normal(size=(2, case.model.nv))
    g = numbers(dynamics.gravity_forces(case.tree, case.q))
    expected = case.M @ a_r + case.Gamma @ case.at["v"] @ v_r + g
    row = derivative(ROBOT["slotine_li_regressor"], "extended")
    Y = numbers(row.formula(case.tree, case.q, case.v, objects(v_r), objects(a_r)))
    armature = np.zeros(case.model.nv)
    for node in case.tree.nodes:
        armature[node.vs] += node.gain**2 * numbers(node.armature)
    pi = np.concatenate([body.inertia for body in case.model.bodies])
    parameters = np.concatenate((pi, armature, np.zeros(2 * case.model.nv)))
    case.close(Y @ parameters, expected)


# ------------------------------------------------------------------ balls


def ball(inertia: tuple[float, float, float], armature: float) -> Robot:
    body = Body("ball", np.array((2.0, 0.0, 0.0, 0.0, *inertia, 0.0, 0.0, 0.0)))
    return Robot(Model("ball", (body,), (Joint("joint", "spherical", armature=armature),)))


def test_robots_with_the_same_mass_matrix_agree() -> None:
    """Compiled: inertia and armature, or the same in the inertia alone."""
    made_of_both = ball((0.1, 0.2, 0.25), 0.2)
    made_of_one = ball((0.3, 0.4, 0.45), 0.0)
    rng = np.random.default_rng(0)
    q, v, v_r, a_r = made_of_one.random(rng, 5), *rng.normal(size=(3, 5, 3))
    assert made_of_both.christoffel(q)[0, 0, 1, 2] == pytest.approx(-0.125, abs=1e-15)
    for name, given in {
        "mass_matrix": (q,),
        "christoffel": (q,),
        "coriolis_matrix": (q, v),
        "coriolis_matrix.dt": (q, v, a_r),
        "coriolis_matrix.dv": (q, v),
        "inverse_dynamics": (q, v, a_r),
        "momentum_forces": (q, v),
    }.items():
        one, both = (x.quantity(name)(*given) for x in (made_of_one, made_of_both))
        assert_close(both, one, what=name)
    Y = made_of_both.slotine_li_regressor(q, v, v_r, a_r, extended=True)
    drive = np.concatenate((made_of_both.model.parameters[0], np.full(3, 0.2), np.zeros(6)))
    expected = made_of_one.slotine_li_regressor(q, v, v_r, a_r) @ made_of_one.model.parameters[0]
    assert_close(Y @ drive, expected)
    pi = np.tile(made_of_both.model.parameters, (5, 1, 1))
    parametric = made_of_both.parametric.coriolis_matrix(q, v, pi)
    assert_close(parametric, made_of_one.coriolis_matrix(q, v))
    shape = np.eye(4)[None], np.eye(4)[None]
    morphable = made_of_both.morphable.coriolis_matrix(q, v, pi, *shape)
    assert_close(morphable, made_of_one.coriolis_matrix(q, v))


def test_columns_of_armature_are_those_of_moments_of_inertia() -> None:
    """A rotor with different moments about the joint's axes is a body: columns one by one."""
    robot = ball((0.1, 0.2, 0.25), 0.0)
    rng = np.random.default_rng(2)
    q, v, v_r, a_r = robot.random(rng, 5), *rng.normal(size=(3, 5, 3))
    Y = robot.slotine_li_regressor(q, v, v_r, a_r, extended=True)
    assert_close(Y[..., 10:13], Y[..., 4:7])
    Y = robot.inverse_dynamics.dpi(q, v, a_r, extended=True)
    assert_close(Y[..., 10:13], Y[..., 4:7])


def test_symbolic_armature_keeps_the_rules() -> None:
    robot = ball((0.1, 0.2, 0.25), 0.2)
    with pytest.raises(
        ModelError, match=r"the same about its three axes; found joint\.armature\.0 = A, "
    ):
        robot.export.sympy({"joint.armature.0": "A"})
    names = {f"joint.armature.{k}": "A" for k in range(3)}
    C = robot.export.sympy(names).coriolis_matrix()
    assert "A" in {str(x) for x in C.free_symbols}
    builder = TreeBuilder("floating")
    builder.add("base", "free", mass=1.0, inertia_com=np.eye(3))
    with pytest.raises(ModelError, match="a free joint has no drive, so no armature"):
        Robot(builder.build()).export.sympy({"base_joint.armature.3": "A"})


# ------------------------------------------------------------------ mechanisms


def passive_ball() -> Mechanism:
    """The first and the last joint are independent; a ball with armature follows them."""
    kinds = ("revolute", "prismatic", "helical", "revolute", "spherical", "universal")
    robot, q = with_random_loops(chain(kinds, 3), ["weld"], np.random.default_rng(8))
    return robot.closed(("joint0", "joint5"), q0=q)


@pytest.mark.parametrize("name", ["revolute", "planar", "floating", "leg", "passive ball"])
def test_mechanisms_follow_from_their_own_mass_matrix(name: str) -> None:
    """The frame is that of E; its brackets follow from the tree's and from how E changes."""
    state = State(passive_ball() if name == "passive ball" else mechanism(name))
    closed, E = state.closed, state.E
    mass, velocities = state.formula("mass_matrix"), state.formula("velocity_matrix")
    steps = [state.moved(E[:, k]) for k in range(closed.nv)]
    M, dM = numbers(mass(objects(state.q))), np.stack([slope(mass(x)) for x in steps], axis=-1)
    dE = np.stack([slope(velocities(x)) for x in steps])  # direction first
    turned = np.einsum("abc,ai,bj->ijc", brackets(closed.model), E, E)
    moved = np.einsum("icj->ijc", dE) - np.einsum("jci->ijc", dE)
    c = (turned + moved)[:, :, list(closed.active)]
    Gamma = koszul(M, dM, c)
    scale = np.abs(M).max()
    for k, unit in enumerate(np.eye(closed.nv)):
        C = loop_dynamics.coriolis_matrix(closed.tree, objects(state.q), objects(unit))
        # Rounding grows with the condition of the passive columns, here below 1e3.
        assert_close(numbers(C), Gamma[:, :, k], 1e-11, what=f"{name}, {k}", floor=scale)
