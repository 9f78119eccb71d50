"""Loop constraints and how joints follow each other: identities, complex steps, Taylor series."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.compiler.targets import interpreter
from jounce.errors import ModelError
from jounce.formulas.dynamics import external_forces, inverse_dynamics
from jounce.formulas.kinematics import Motion
from jounce.formulas.mechanism import loops
from jounce.formulas.wrt_time import rates
from jounce.math.jets import Jet, coefficients, from_rates, rates_of
from jounce.math.linear import Orthogonal
from jounce.math.scalar import zeros
from jounce.math.spatial import skew
from jounce.model.constraints import LOOPS
from jounce.model.tree import lower
from support.helpers import OF_FREE_FRAMES, STEP, assert_close, objects, slope
from support.mechanisms import (
    MECHANISMS,
    State,
    free_motion,
    mechanism,
    stepped,
    with_random_loops,
)
from support.robots import random_model, random_pose, random_state, rate

ALL_LOCKS = [locked for locked in product((False, True), repeat=6) if any(locked)]

SMALL = ("four_bar", "five_bar", "massless", "bennett", "mixed")


# ------------------------------------------------------------------ least squares on any scalar


def tall(rng: np.random.Generator) -> np.ndarray:
    """A matrix of full column rank with blocks of zeros, and zeros where others would pivot."""
    A = rng.normal(size=(7, 4))
    A[:3, 0] = A[5:, 1] = A[0, 2] = 0.0
    return A


def test_orthogonal_solves_in_both_directions():
    rng = np.random.default_rng(0)
    A, b, c = tall(rng), rng.normal(size=(7, 2)), rng.normal(size=4)
    system = Orthogonal(objects(A))
    assert_close(system.solve(objects(b)), np.linalg.lstsq(A, b)[0])
    assert_close(system.solve(objects(b[:, 0])), np.linalg.lstsq(A, b[:, 0])[0])
    assert_close(system.solve_transposed(objects(c)), np.linalg.pinv(A.T) @ c)


def test_orthogonal_keeps_blocks_apart():
    """Two blocks side by side, traced: no operation mixes them."""
    graph = Graph()
    A = zeros(6, 4)
    A[:3, :2], A[3:, 2:] = graph.inputs_like((3, 2)), graph.inputs_like((3, 2))
    b = graph.inputs_like((6,))
    both = len(record(graph, list(Orthogonal(A).solve(b))))
    one = len(record(graph, list(Orthogonal(A[:3, :2]).solve(b[:3]))))
    assert both == 2 * one


def test_orthogonal_where_a_leading_entry_is_zero_at_run_time():
    A = np.array(((0.0, 1.0), (2.0, 3.0), (-1.0, 0.5)))
    graph = Graph()
    entries = graph.inputs_like((3, 2))
    tape = record(graph, list(Orthogonal(entries).solve(objects((1.0, 2.0, 3.0)))))
    found = interpreter.run(tape, [np.array([x]) for x in A.ravel()])
    assert_close(np.ravel(found), np.linalg.lstsq(A, np.array((1.0, 2.0, 3.0)))[0])


def test_orthogonal_on_series():
    """A(t) = T(t) B(t) has dependent rows at all times; truth: products of the series."""
    rng = np.random.default_rng(1)

    def series(*shape: int) -> np.ndarray:
        return from_rates([objects(rng.normal(size=shape)) for _ in range(4)])

    A, x, c = series(7, 4) @ series(4, 4), series(4), series(4)
    system = Orthogonal(A)
    # every derivative solves with A once more; seen: 4 eps cond^(k + 1)
    loss = np.linalg.cond(rates_of(A, 0)[0].astype(float))
    y = system.solve_transposed(c, shortest=True)
    other = system.solve_transposed(c)
    pairs = {
        "solve": (system.solve(A @ x), x),
        "solve_transposed": (A.T @ other, c),
        "shortest": (A.T @ y, c),
        "in the range of A": (A @ system.solve(y), y),
    }
    for what, (found, known) in pairs.items():
        for k, levels in enumerate(zip(rates_of(found, 3), rates_of(known, 3), strict=True)):
            assert_close(*levels, 20 * np.finfo(float).eps * loss ** (k + 1), f"{what}, {k}")


def test_orthogonal_names_a_column_without_entries():
    with pytest.raises(ModelError, match="column 1"):
        Orthogonal(objects(((1.0, 0.0), (2.0, 0.0))))


# ------------------------------------------------------------------ what a loop locks


@pytest.mark.parametrize("locked", ALL_LOCKS, ids=lambda x: "".join(str(int(y)) for y in x))
def test_closed_loops_leave_no_residual(locked):
    rng = np.random.default_rng(2)
    for _ in range(3):
        T = free_motion(locked, rng)
        rows = loops._rows(locked, objects(T[:3, :3]), objects(T[:3, 3]))
        assert len(rows) == sum(locked)
        assert_close(rows, np.zeros(len(rows)), floor=1.0)


@pytest.mark.parametrize("locked", ALL_LOCKS, ids=lambda x: "".join(str(int(y)) for y in x))
def test_rows_are_velocities_where_the_frames_coincide(locked):
    """At R = 1, p = 0 the rate of each row is the relative velocity about or along its axis."""
    V = np.random.default_rng(3).normal(size=6)
    turn = np.array(((0.0, -V[2], V[1]), (V[2], 0.0, -V[0]), (-V[1], V[0], 0.0)))
    np.testing.assert_allclose(
        np.array(loops._rows(locked, turn, V[3:])), V[list(locked)], rtol=1e-15
    )


KINDS = [*LOOPS, ALL_LOCKS[0], ALL_LOCKS[7], ALL_LOCKS[31], ALL_LOCKS[40], ALL_LOCKS[24]]


@pytest.mark.parametrize("seed", range(3))
def test_jacobian_and_its_rate(seed):
    """Against complex steps, away from closed loops, with every joint and loop kind."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 9, mimic=seed == 1, floating=seed == 2)
    for k, kind in enumerate(KINDS):
        ends = rng.choice(9, 2, replace=False)
        a = "world" if k % 3 == 2 else f"body{ends[0]}"
        model = model.with_loop((a, random_pose(rng)), (f"body{ends[1]}", random_pose(rng)), kind)
    tree = lower(model)
    q, v, a = random_state(model, rng)
    q, v, a = objects(q), objects(v), objects(a)
    moved = q + 1j * STEP * rate(model, q.astype(float), v.astype(float))
    G, dG = loops.loop_jacobian(tree, q), loops.loop_jacobian_rate(tree, q, v)
    assert_close(G @ v, slope(loops.loop_residual(tree, moved)), what="G v")
    assert_close(dG, slope(loops.loop_jacobian(tree, moved)), what="dG/dt")
    assert_close(loops.loop_bias(tree, q, v), dG @ v, what="dG/dt v")
    second = rates(loops.loop_residual, tree, {"q": [q, v, a]}, 2)[2]
    assert_close(second, G @ a + dG @ v, what="second derivative of the residual")
    T, J = loops.loop_geometry(tree, q)
    dT = slope(loops.loop_geometry(tree, moved)[0])
    for pose, change, rates_of_pose in zip(T, dT, J @ v, strict=True):
        assert_close(change[:3, :3], skew(rates_of_pose[:3]) @ pose[:3, :3])
        assert_close(change[:3, 3], rates_of_pose[3:])


# ------------------------------------------------------------------ how joints follow


@pytest.mark.parametrize("name", MECHANISMS)
def test_velocities_keep_the_loops_closed(name):
    state = State(mechanism(name))
    G = state.value("loop_jacobian")
    assert_close(G @ state.E, np.zeros((len(G), state.closed.nv)), floor=np.abs(state.E).max())
    assert_close(state.E[list(state.closed.active)], np.eye(state.closed.nv))
    assert_close(state.value("velocity"), state.full())
    J_p = state.value("passive_jacobian")
    assert_close(J_p, state.E[list(state.closed.tree.passive)])


@pytest.mark.parametrize("name", [n for n in MECHANISMS if n != "stewart"])
def test_dependent_joints_follow_to_any_order(name):
    """Along a motion of the independent joints the residual vanishes with its derivatives."""
    state = State(mechanism(name))
    levels = [objects(state[x]) for x in ("v", "a", "j")]
    tree = state.closed.tree
    moving = loops.close_loops(tree, Motion(objects(state.q), from_rates(levels)))
    scale = max(np.abs(coefficients(moving.v, 2)[2].astype(float)).max(), 1.0)
    series = loops.loop_residual(tree, moving)
    for k, level in enumerate(coefficients(series, 3)):
        assert_close(level, np.zeros(len(level)), floor=scale, what=f"order {k}")
    for k, x in zip(tree.active, levels[0], strict=True):
        assert moving.v[k].c[0] == x
    _, acceleration, jerk = rates_of(moving.v, 2)
    given = {"q": [objects(state.q), *levels[:2]], "v": levels}
    _, found_a, found_j = rates(loops.velocity, tree, given, 2)
    assert_close(found_a, acceleration)
    assert_close(found_j, jerk)


def test_nothing_follows_where_nothing_moves():
    closed = mechanism("five_bar")
    q = objects(closed.reference)
    still = loops.close_loops(closed.tree, q)
    assert not any(isinstance(x, Jet) for x in still.v)
    idle = loops.close_loops(closed.tree, Motion(q, zeros(closed.nv)))
    assert all(x == 0.0 for x in idle.v)


# ------------------------------------------------------------------ dynamics


@pytest.mark.parametrize("name", MECHANISMS)
def test_identities_of_the_dynamics(name):
    state = State(mechanism(name))
    v, a = state["v"], state["a"]
    M, C, g = (state.value(n) for n in ("mass_matrix", "coriolis_matrix", "gravity_forces"))
    tau = state.value("inverse_dynamics")
    size = np.abs(M).max() + np.abs(C).max() + np.abs(g).max()
    assert_close(tau, M @ a + C @ v + g, floor=size)
    assert_close(state.value("bias_forces"), C @ v + g, floor=size)
    assert np.linalg.eigvalsh(M).min() > 0.0
    assert_close(state.value("kinetic_energy"), 0.5 * v @ M @ v)
    given = {"q": [objects(state.q), objects(v)]}
    rate_of_M = rates(MECHANISM["mass_matrix"].formula, state.closed.tree, given, 1)[1]
    assert_close(rate_of_M, C + C.T, floor=size, what="dM/dt = C + C^T")
    state.levels["tau"] = tau
    # solving with M loses what its condition number takes
    slack = 1e-14 * np.linalg.cond(M)
    assert_close(state.value("forward_dynamics"), a, max(slack, 1e-12), what="forward dynamics")


@pytest.mark.parametrize("name", MECHANISMS)
def test_energy_is_what_the_forces_do(name):
    """d/dt (T + U) = tau . v."""
    state = State(mechanism(name))
    tree = state.closed.tree
    q, v, a = (objects(state[x]) for x in ("q", "v", "a"))
    gains = rates(MECHANISM["kinetic_energy"].formula, tree, {"q": [q, v], "v": [v, a]}, 1)[1]
    falls = rates(MECHANISM["potential_energy"].formula, tree, {"q": [q, v]}, 1)[1]
    power = state.value("inverse_dynamics") @ state["v"]
    size = abs(gains) + abs(falls)
    assert_close(float(gains + falls), power, floor=size)


@pytest.mark.parametrize("name", MECHANISMS)
def test_multipliers_agree_with_the_reduced_equations(name):
    """M a + C v + g = tau + G^T lam with v, a of all joints; lam the shortest where it is free."""
    state = State(mechanism(name))
    closed, robot = state.closed, state.robot
    q, v, tau = (objects(state[x]) for x in ("q", "v", "tau"))
    a = state.value("forward_dynamics")
    given = {"q": [q, v], "v": [v, objects(a)]}
    whole_v, whole_a = rates(loops.velocity, closed.tree, given, 1)
    forces = zeros(robot.nv)
    forces[list(closed.active)] = tau
    state.levels |= {"whole": whole_v, "forces": forces}
    found = state.value("constrained_dynamics", "q", "whole", "forces")
    assert_close(found, whole_a, 1e-11, what="accelerations")  # two inverses of ill conditioning
    G, lam = state.value("loop_jacobian"), state.value("constraint_forces")
    missing = (inverse_dynamics(robot.tree, q, whole_v, whole_a) - forces).astype(float)
    size = np.abs(missing).max() + np.abs(lam).max()
    assert_close(G.T @ lam, missing, 1e-11, floor=size, what="constraint forces")
    shortest = np.linalg.pinv(G.T, rcond=1e-10) @ missing
    assert_close(lam, shortest, 1e-10, what="least length")  # as the pseudo-inverse has it


def test_given_forces_and_wrenches_enter_like_the_trees():
    state = State(mechanism("five_bar"))
    closed = state.closed
    names = ("q", "v", "a", "wrenches", "joint_forces")
    with_forces = state.value("inverse_dynamics", *names)
    pushes = external_forces(closed.robot.tree, objects(state.q), objects(state["wrenches"]))
    expected = state.value("inverse_dynamics") - state.E.T @ (pushes + state["joint_forces"])
    assert_close(with_forces, expected)
    projected = state.value("independent_forces", "q", "joint_forces")
    assert_close(projected, state.E.T @ state["joint_forces"])
    state.levels["tau"] = with_forces
    again = state.value("forward_dynamics", "q", "v", "tau", "wrenches", "joint_forces")
    assert_close(again, state["a"])


@pytest.mark.parametrize("name", ["five_bar", "stewart"])
def test_coriolis_matrix_is_the_christoffel_one(name):
    """Gamma_ijk = (dM_ij/dk + dM_ik/dj - dM_jk/di) / 2 for coordinates that commute."""
    state = State(mechanism(name))
    tree, q, v = state.closed.tree, objects(state.q), objects(state["v"])
    by_q = derivative(MECHANISM["mass_matrix"], "dq").formula(tree, q).astype(float)
    gamma = 0.5 * (by_q + by_q.swapaxes(1, 2) - np.moveaxis(by_q, 2, 0))
    C = state.value("coriolis_matrix")
    assert_close(C, gamma @ state["v"], floor=np.abs(by_q).max())
    by_v = derivative(MECHANISM["coriolis_matrix"], "dv").formula(tree, q, v).astype(float)
    assert_close(by_v, gamma)


# ------------------------------------------------------------------ derivatives by complex step

#: Quantities of several results, each of which is a quantity by itself.
SEVERAL = [name for name, row in MECHANISM.items() if len(row.results) > 1]


def truth_along_q(state: State, name: str, arguments: list[np.ndarray]) -> np.ndarray:
    whole = name in ALL_JOINTS
    directions = np.eye(state.robot.nv) if whole else state.E.T
    formula = state.formula(name)
    return np.stack([slope(formula(state.moved(e), *arguments[1:])) for e in directions], axis=-1)


@pytest.mark.parametrize("quantity", [x for x in (*MECHANISM, *ALL_JOINTS) if x not in SEVERAL])
@pytest.mark.parametrize("name", ["five_bar", "mixed"])
def test_state_derivatives(name, quantity):
    state = State(mechanism(name))
    whole = quantity in ALL_JOINTS
    row = (ALL_JOINTS if whole else MECHANISM)[quantity]
    tree = state.closed._all_joints.tree if whole else state.closed.tree
    if whole:
        rng = np.random.default_rng(4)
        state.levels |= {"v": state.full(), "tau": rng.normal(size=state.robot.nv)}
    given = (*row.arguments, *row.optional)
    shares = {"s": np.array(0.3)}  # of ways, where it is not the jounce
    arguments = [
        objects(shares[x] if x in {*shares} & {*row.argument_definitions} else state[x])
        for x in given
    ]
    formula = state.formula(quantity)
    letters = {"dq": "q", "dv": "v", "da": "a", "dtau": "tau"}
    for name in derivative_names(row):
        if name not in letters:
            continue
        found = derivative(row, name).formula(tree, *arguments)
        at = given.index(letters[name])
        if name == "dq":
            expected = truth_along_q(state, quantity, arguments)
            for chart in row.charts:
                if chart is not None:
                    expected = chart.convert_derivatives(
                        tree, formula(*arguments), objects(expected)
                    )
        else:
            columns = []
            for e in np.eye(len(arguments[at])):
                moved = stepped(arguments[at], e)
                columns.append(slope(formula(*arguments[:at], moved, *arguments[at + 1 :])))
            expected = np.stack(columns, axis=-1)
        assert_close(found, expected, 1e-11, f"{quantity}.{derivative}")  # cond(g_p) to the second


@pytest.mark.parametrize("quantity", MECHANISM_FRAME)
def test_state_derivatives_of_frames(quantity):
    # an inertia at a frame needs six degrees of freedom
    state = State(mechanism("leg" if quantity in OF_FREE_FRAMES else "mixed"))
    row, tree = MECHANISM_FRAME[quantity], state.closed.tree
    frame = len(state.robot.model.frame_names) - 1
    given = [objects(state[x]) for x in row.arguments]
    if quantity != "pose":  # whose derivative is a twist
        found = derivative(row, "dq").formula(tree, *given, frame)
        columns = [slope(row.formula(tree, state.moved(e), *given[1:], frame)) for e in state.E.T]
        assert_close(found, np.stack(columns, axis=-1), 1e-11)
    if "v" in row.arguments:
        found = derivative(row, "dv").formula(tree, *given, frame)
        moved = [stepped(state["v"], e) for e in np.eye(state.closed.nv)]
        columns = [slope(row.formula(tree, given[0], v, *given[2:], frame)) for v in moved]
        assert_close(found, np.stack(columns, axis=-1))


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "passive_jacobian", "coriolis_matrix"])
@pytest.mark.parametrize("name", SMALL)
def test_time_derivatives(name, quantity):
    """Each order is a complex step of the one before, along the motion."""
    state = State(mechanism(name))
    tree, row = state.closed.tree, MECHANISM[quantity]
    letters = ("q", "v", "a", "j", "s")
    for order in (1, 2):
        count = len(row.arguments) + order
        given = [objects(state[x]) for x in letters[:count]]
        found = derivative(row, "d" + order * "t").formula(tree, *given)
        before = row if order == 1 else derivative(row, "dt")
        moved = [state.moved(state.full())]
        for x, dx in pairwise(letters[1:count]):
            moved.append(stepped(state[x], state[dx]))
        assert_close(found, slope(before.formula(tree, *moved)), 1e-11, f"order {order}")


@pytest.mark.parametrize("quantity", ["forward_dynamics", "constraint_forces"])
@pytest.mark.parametrize("name", SMALL)
def test_time_derivatives_of_responses(name, quantity):
    """Accelerations follow from the forces, so that only those and their rates are given."""
    state = State(mechanism(name))
    tree, row = state.closed.tree, MECHANISM[quantity]
    a = state.value("forward_dynamics")
    moved = [state.moved(state.full()), stepped(state["v"], a)]
    tau, dtau, ddtau = (state[x] for x in ("tau", "dtau", "ddtau"))
    given = [objects(state[x]) for x in ("q", "v", "tau", "dtau", "ddtau")]
    first = derivative(row, "dt").formula(tree, *given[:4])
    assert_close(first, slope(row.formula(tree, *moved, stepped(tau, dtau))), 1e-11, "order 1")
    second = derivative(row, "dtt").formula(tree, *given)
    steps = (*moved, stepped(tau, dtau), stepped(dtau, ddtau))
    assert_close(second, slope(derivative(row, "dt").formula(tree, *steps)), 1e-11, "order 2")


@pytest.mark.parametrize("name", ["five_bar", "massless", "mixed"])
def test_time_derivatives_with_multipliers(name):
    state = State(mechanism(name))
    tree, row = state.closed._all_joints.tree, ALL_JOINTS["constrained_dynamics"]
    rng = np.random.default_rng(5)
    tau, dtau, v = rng.normal(size=state.robot.nv), rng.normal(size=state.robot.nv), state.full()
    q = objects(state.q)
    a = row.formula(tree, q, objects(v), objects(tau)).astype(float)
    found = derivative(row, "dt").formula(tree, q, objects(v), objects(tau), objects(dtau))
    steps = (state.moved(v), stepped(v, a), stepped(tau, dtau))
    assert_close(found, slope(row.formula(tree, *steps)), 1e-11)


def test_random_loops_are_closed_where_they_should_be():
    rng = np.random.default_rng(6)
    robot, q = with_random_loops(random_model(rng, 6), ["weld", "planar", ALL_LOCKS[0]], rng)
    assert_close(loops.loop_residual(robot.tree, objects(q)), np.zeros(10), floor=1.0)
