"""Articulated bodies, and the derivatives of forward dynamics and of M^-1 that they give.

`test_state` holds all derivatives against complex steps; here are their parts, and what they save.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jounce import Robot, TreeBuilder
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.formulas import tensors, wrt_forward
from jounce.formulas.articulated import articulated_bodies, respond, root_frames, solves_by_bodies
from jounce.formulas.dynamics import forward_dynamics, mass_matrix
from jounce.formulas.kinematics import joint_poses
from jounce.math.scalar import zeros
from jounce.math.spatial import skew
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from support.case import Case
from support.helpers import assert_close, chain, numbers, objects, random_robot, with_two_roots
from support.robots import ALL_KINDS

MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: random_robot(11, len(ALL_KINDS)),
    "floating": lambda: random_robot(12, 7, floating=True),
    "free joints on the way": lambda: chain(("revolute", "free", "spherical", "free", "revolute")),
    "two free roots": lambda: with_two_roots(random_robot(13, 6, ("free", "revolute"))),
    "planar root": lambda: chain(("planar", "revolute", "helical", "revolute")),
}


@pytest.fixture(params=MODELS)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(MODELS[request.param](), 5)


def state(case: Case, *names: str) -> list[np.ndarray]:
    return [objects(case.at[name]) for name in names]


def test_forces_accelerate(case: Case) -> None:
    """M a = tau, and of a joint's force its rotor takes a share and the wrench the rest."""
    tree, (q, tau) = case.robot.tree, state(case, "q", "tau")
    poses = joint_poses(tree, q)
    found = respond(tree, poses, articulated_bodies(tree, poses), tau)
    assert_close(numbers(mass_matrix(tree, q) @ found.a), numbers(tau), 1e-11)  # cond(M)
    for i, node in enumerate(tree.nodes):
        passed = node.S.T @ found.F[i] + node.armature * found.a[node.vs]
        assert_close(numbers(passed), numbers(tau[node.vs]), what=f"node {i}")


def test_both_ways_agree(case: Case) -> None:
    """Articulated bodies, and the derivatives of inverse dynamics solved with M."""
    tree, given = case.robot.tree, state(case, "q", "v", "tau")
    assert solves_by_bodies(tree)
    found = wrt_forward.forward_dynamics_derivatives(tree, *given)
    expected = wrt_forward.derivatives_by_factors(tree, *given)
    assert_close(numbers(found[0]), numbers(forward_dynamics(tree, *given)))
    for name, x, y in zip(("a", "a_q", "a_v", "M^-1"), found, expected, strict=True):
        assert_close(numbers(x), numbers(y), 1e-11, name)  # both lose digits to cond(M)


def test_free_roots_have_closed_columns() -> None:
    """Of their pose gravity's direction alone matters, of their linear velocity w x u."""
    case = Case(MODELS["floating"](), 5)
    tree, given = case.robot.tree, state(case, "q", "v", "tau")
    w, R = given[1][:3], joint_poses(tree, given[0])[0].R
    _, by_q, by_v, _ = wrt_forward.forward_dynamics_derivatives(tree, *given)
    expected = zeros(tree.nv, 9)
    expected[3:6, :3], expected[3:6, 6:] = skew(R.T @ tree.gravity), -skew(w)
    found = np.hstack((by_q[:, :6], by_v[:, 3:6]))
    assert_close(numbers(found), numbers(expected), 1e-14)
    assert not found[expected == 0.0].any()  # nothing to compute


def test_roots_have_frames_of_their_own() -> None:
    tree = Case(MODELS["two free roots"](), 5).robot.tree
    R, p = root_frames(tree, joint_poses(tree, objects(np.linspace(0.1, 1.0, tree.nq))))
    roots = [i for i, node in enumerate(tree.nodes) if node.parent < 0]
    assert len(roots) == 2
    for i in roots:
        assert (R[i] == np.eye(3)).all()
        assert not p[i].any()


def test_inverse_follows_q(case: Case) -> None:
    tree, (q,) = case.robot.tree, state(case, "q")
    found = numbers(tensors.mass_matrix_inverse_dq(tree, q))
    by_products = tensors._inverse_dq_by_products(tree, q)
    assert_close(found, numbers(by_products), 1e-11)  # both lose digits to cond(M)
    assert (found == found.swapaxes(0, 1)).all()


# ------------------------------------------------------------------ operations


def quadruped(base: str) -> Robot:
    """A body and four legs of three joints."""
    rng, builder = np.random.default_rng(3), TreeBuilder("quadruped")
    inertia = {"mass": 1.0, "com": (0.1, 0.02, 0.05), "inertia_com": np.diag((0.1, 0.2, 0.15))}
    builder.add("trunk", base, **inertia)
    for leg in "abcd":
        parent = "trunk"
        for k, axis in enumerate(np.eye(3)[[0, 1, 1]]):
            name, xyz = f"{leg}{k}", rng.uniform(-0.3, 0.3, 3)
            builder.add(name, "revolute", parent, axis=axis, xyz=xyz, **inertia)
            parent = name
    return Robot(builder.build())


def operations(formula: Callable[..., object], tree: Tree, *sizes: int) -> int:
    graph = Graph()
    found = formula(tree, *(graph.inputs_like((n,)) for n in sizes))
    results = found if isinstance(found, tuple) else (found,)
    return len(record(graph, [x for result in results for x in np.ravel(result)]))


def test_floating_bases_cost_little() -> None:
    """The base adds six numbers per branch, not a dense block."""
    free, fixed = (lower(quadruped(base).model).lumped for base in ("free", "fixed"))
    sizes = (free.nq, free.nv, free.nv)
    found = operations(wrt_forward.forward_dynamics_derivatives, free, *sizes)
    assert found < operations(wrt_forward.derivatives_by_factors, free, *sizes)
    assert operations(tensors.mass_matrix_inverse_dq, free, free.nq) < operations(
        tensors._inverse_dq_by_products, free, free.nq
    )
    symbols = operations(tensors.christoffel, free, free.nq)
    assert symbols < 2.5 * operations(tensors.christoffel, fixed, fixed.nq)
