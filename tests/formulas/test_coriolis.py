"""M, C, g from one sweep with their rates, and the Coriolis matrices of the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.formulas import coriolis, dynamics, equations, wrt_inertia, wrt_time
from jounce.math.alternatives import selecting
from jounce.model.tree import Tree
from jounce.papers import garofalo2013, mueller_kumar2021
from jounce.robot import Robot
from support.helpers import assert_close, numbers, objects
from support.zoo import MODELS

pytestmark = pytest.mark.sweeps

MATRICES = {
    "garofalo": (coriolis.coriolis_matrix_garofalo, wrt_inertia.garofalo_columns),
    "newton_euler": (coriolis.coriolis_matrix_mueller_kumar, wrt_inertia.mueller_kumar_columns),
    "christoffel": (equations.coriolis_matrix, wrt_inertia.bias_columns),
}


def state_of(name: str, count: int) -> tuple[Robot, list[np.ndarray]]:
    """A robot with q and `count` vectors of velocities, as objects."""
    robot = Robot(MODELS[name]())
    rng = np.random.default_rng(len(name))
    vectors = (rng.normal(size=robot.nv) for _ in range(count))
    return robot, [objects(x) for x in (robot.random(rng), *vectors)]


@pytest.mark.parametrize("name", MODELS)
def test_matrices_are_those_of_the_papers(name):
    robot, (q, v) = state_of(name, 1)
    rate = numbers(garofalo2013.mass_matrix_rate(robot.tree, q, v))
    forces = numbers(equations.coriolis_matrix(robot.tree, q, v)) @ numbers(v)
    for kernel, (formula, _) in MATRICES.items():
        C = numbers(formula(robot.tree, q, v))
        assert_close(C, garofalo2013.coriolis_matrix(robot.tree, q, v, kernel), what=kernel)
        assert_close(C @ numbers(v), forces, what=f"{kernel}: forces")
        if kernel != "newton_euler":
            assert_close(C + C.T, rate, what=f"{kernel}: rate of M")
        power = numbers(v) @ (rate - C - C.T) @ numbers(v)
        assert abs(power) <= 1e-12 * max(np.abs(rate).max() * numbers(v) @ numbers(v), 1.0)


@pytest.mark.parametrize("name", ["mimic", "revolute only", "iiwa14_mueller_kumar2021"])
def test_mueller_and_kumars_own_operators(name):
    robot, (q, v) = state_of(name, 1)
    paper = mueller_kumar2021
    assert_close(
        coriolis.coriolis_matrix_mueller_kumar(robot.tree, q, v),
        paper.coriolis_matrix(robot.tree, q, v),
    )
    assert_close(
        coriolis.coriolis_matrix_garofalo(robot.tree, q, v),
        paper.passive_coriolis_matrix(robot.tree, q, v),
    )


def test_the_three_differ():
    robot, (q, v) = state_of("iiwa14_mueller_kumar2021", 1)
    found = [numbers(formula(robot.tree, q, v)) for formula, _ in MATRICES.values()]
    for i, C in enumerate(found):
        for other in found[:i]:
            assert np.abs(C - other).max() > 1e-2 * np.abs(C).max()
    rate = numbers(garofalo2013.mass_matrix_rate(robot.tree, q, v))
    assert np.abs(found[1] + found[1].T - rate).max() > 1e-2 * np.abs(rate).max()


@pytest.mark.parametrize("name", ["every kind", "floating, mimic", "two roots", "free only"])
def test_regressors_of_the_three(name):
    robot, (q, v, v_r, a_r) = state_of(name, 3)
    tree = robot.tree
    armature = numbers(dynamics.mass_matrix(tree, q)) - numbers(
        wrt_inertia.mass_matrix_dpi(tree, q) @ robot.model.parameters.ravel()
    )
    g = numbers(dynamics.gravity_forces(tree, q))
    M = numbers(dynamics.mass_matrix(tree, q)) - armature
    pi = robot.model.parameters.ravel()
    for kernel, (formula, columns) in MATRICES.items():
        C = numbers(wrt_inertia.coriolis_matrix_dpi(tree, q, v, columns) @ pi)
        own = numbers(formula(tree, q, v))
        if kernel == "christoffel":  # a spherical joint's rotor has a share in C
            own = own - numbers(equations.rotors(tree, v))
        assert_close(C, own, what=kernel)
        Y = numbers(wrt_inertia.slotine_li_regressor(tree, q, v, v_r, a_r, columns))
        assert_close(Y @ pi, M @ numbers(a_r) + C @ numbers(v_r) + g, what=kernel)


# ------------------------------------------------------------------ the equations of motion


@pytest.mark.parametrize("frames", ["joint frames", "common frame"])
@pytest.mark.parametrize("name", MODELS)
def test_equations_with_rates_are_their_parts(name, frames):
    robot, (q, v, a) = state_of(name, 2)
    tree, moving, both = robot.tree, {"q": [q, v]}, {"q": [q, v], "v": [v, a]}
    parts = [
        wrt_time.rates(dynamics.mass_matrix, tree, moving, 1),
        wrt_time.rates(equations.coriolis_matrix, tree, both, 1),
        wrt_time.rates(dynamics.gravity_forces, tree, moving, 1),
    ]
    other = [
        garofalo2013.coriolis_matrix(tree, q, v, "garofalo"),
        garofalo2013.coriolis_rate(tree, q, v, a, "garofalo"),
    ]
    for matrices, C in ((equations.Matrices, parts[1]), (coriolis.Garofalo, other)):
        truth = [parts[0], C, parts[2]]
        with selecting({"pairs of joints": frames}):
            value, rate = equations.rates(tree, 1, {"q": q, "v": v, "a": a}, matrices)
            once = equations.equations_of_motion(tree, q, v, matrices)
        for k, letter in enumerate("MCg"):
            assert_close(value[k], truth[k][0], what=letter)
            assert_close(rate[k], truth[k][1], what=f"d{letter}")
            assert_close(once[k], truth[k][0], what=letter)


@pytest.mark.parametrize("kind", ["christoffel", "garofalo"])
def test_the_choice_of_c(kind):
    robot = Robot(MODELS["floating, mimic"]())
    rng = np.random.default_rng(4)
    q, (v, a) = robot.random(rng, 3), rng.normal(size=(2, 3, robot.nv))
    f, C = robot.equations_of_motion, f"coriolis_matrix{'_garofalo' * (kind == 'garofalo')}"
    names = ("mass_matrix", C, "gravity_forces")
    parts = [getattr(robot, name) for name in names]

    def same(found: Any, step: str, *state: Any) -> None:
        for ours, part in zip(found, parts, strict=True):
            truth = part if not step else part.derivative(step)
            count = len(truth.kernel.arguments)
            assert_close(ours, truth(*state[:count]), what=f"{part.__name__} {step}")

    same(f(q, v, coriolis=kind), "", q, v)
    same(f.dt(q, v, a, coriolis=kind), "dt", q, v, a)
    same(f.dq(q, v, coriolis=kind), "dq", q, v)
    same(f.dpi(q, v, coriolis=kind), "dpi", q, v)
    by_M, by_C, by_g = f.dv(q, v, coriolis=kind)
    assert_close(by_C, parts[1].dv(q, v), what="C dv")
    assert not by_M.any()
    assert not by_g.any()
    chosen = f.choose(coriolis=kind)
    named = robot.quantity(f"equations_of_motion(coriolis={kind}).rates(1)")
    assert named is chosen.rates(1)
    pi = robot.model.parameters * rng.uniform(0.5, 1.5, size=(len(robot.model.parameters), 1))
    other = robot.edit.with_parameters(pi)
    for ours, truth in zip(
        robot.parametric.equations_of_motion(q, v, pi, coriolis=kind),
        other.equations_of_motion(q, v, coriolis=kind),
        strict=True,
    ):
        assert_close(ours, truth)
    with pytest.raises(ValueError, match="must be one of 'christoffel', 'garofalo', found 'x'"):
        f(q, v, coriolis="x")  # type: ignore[arg-type]


def test_the_choice_of_c_costs_less_than_its_parts():
    robot = Robot(MODELS["iiwa14_mueller_kumar2021"]())
    f = robot.equations_of_motion.choose(coriolis="garofalo")
    names = ("mass_matrix", "coriolis_matrix_garofalo", "gravity_forces")
    parts = [getattr(robot, name) for name in names]
    assert f.cost.operations < sum(part.cost.operations for part in parts)
    rates = sum(part.rates(1).cost.operations for part in parts)
    assert f.rates(1).cost.operations < rates
    assert f.dpi.cost.operations < sum(part.dpi.cost.operations for part in parts)


def test_rates_are_a_flat_tuple_order_after_order():
    robot = Robot(MODELS["revolute only"]())
    rng = np.random.default_rng(3)
    q, (v, a, j) = robot.random(rng, 5), rng.normal(size=(3, 5, robot.nv))
    f = robot.equations_of_motion
    assert [x.shape for x in f(q, v)] == [(5, 3, 3), (5, 3, 3), (5, 3)]
    assert len(f.rates(0)(q, v)) == 3
    found = f.rates(2)(q, v, a, j)
    parts = (
        robot.mass_matrix.rates(2)(q, v, a),
        robot.coriolis_matrix.rates(2)(q, v, a, j),
        robot.gravity_forces.rates(2)(q, v, a),
    )
    assert len(found) == 9
    for order in range(3):
        for k in range(3):
            assert_close(found[3 * order + k], parts[k][order], what=f"{order}, {'MCg'[k]}")
    for got, expected in zip(f.dt(q, v, a), found[3:6], strict=True):
        assert_close(got, expected)
    single = np.float32
    assert {x.dtype for x in f.rates(1)(q.astype(single), v.astype(single), a.astype(single))} == {
        np.dtype(single)
    }
    row = derivative(ROBOT["equations_of_motion"], "rates(1)")
    assert row.result_names == ("M", "C", "g", "dM", "dC", "dg")


def operations(tree: Tree, formula: Any, *sizes: int) -> int:
    """Operations of a formula once it is traced."""
    graph = Graph(10**7)
    results = formula(tree, *(graph.inputs_like((n,)) for n in sizes))
    return len(record(graph, [x for result in results for x in np.ravel(result)]))


@pytest.mark.parametrize("name", ["iiwa14_mueller_kumar2021", "toro25", "franka"])
def test_one_sweep_takes_no_more_than_its_parts_fused(name):
    robot = Robot(MODELS[name]())
    tree, sizes = robot.tree.lumped, (robot.nq, robot.nv)

    def parts(tree: Tree, q: Any, v: Any) -> Any:
        g = dynamics.gravity_forces(tree, q)
        return dynamics.mass_matrix(tree, q), equations.coriolis_matrix(tree, q, v), g

    def by_series(tree: Tree, q: Any, v: Any, a: Any) -> Any:
        series = {"q": [q, v], "v": [v, a]}
        return [x for level in wrt_time.rates(parts, tree, series, 1) for x in level]

    once = operations(tree, equations.equations_of_motion, *sizes)
    assert once <= operations(tree, parts, *sizes)
    rates = operations(tree, equations.equations_with_rates, *sizes, robot.nv)
    assert rates < operations(tree, by_series, *sizes, robot.nv)
