"""Mechanisms have what trees have: quantities, numbers as arguments, symbols, code."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.catalog.autodiff.recording import as_list
from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import CLOSED, MECHANISM
from jounce.catalog.options import with_options
from jounce.catalog.tables import FRAME, ROBOT, add, remove
from jounce.formulas.wrt_time import rates
from jounce.io.gallery import four_bar
from jounce.math.linear import Cramer, Orthogonal, inverse
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.c_libraries import call, compile_c, function_names, library, needs_compiler
from support.helpers import assert_close, objects, slope, with_friction
from support.mechanisms import State, mechanism, stepped

NAMES = ("four_bar", "five_bar", "bennett", "leg", "revolute", "planar", "mixed", "floating")


def test_every_quantity_of_trees_is_offered() -> None:
    assert {*ROBOT} <= {*CLOSED.quantities}
    assert {*FRAME} == {*CLOSED.frames}
    for row in (*ROBOT.values(), *FRAME.values()):
        table = CLOSED.frames if row.of_frame else CLOSED.quantities
        if row.traits.lifts and not row.of_frame:
            assert table[row.name].arguments == row.arguments


def test_added_quantities_that_lift() -> None:
    """A row that says so is one of mechanisms too, until it is removed."""
    closed = mechanism("five_bar")
    row = replace(ROBOT["momentum"], name="push")
    add(row)
    try:
        state = State(closed)
        given = (state.q, state["v"])
        np.testing.assert_array_equal(closed.push(*given), closed.momentum(*given))
        assert "push" in CLOSED.parametric
    finally:
        remove("push")
    assert not any("push" in table for table in CLOSED)


# ------------------------------------------------------------------ identities


@pytest.mark.parametrize("name", NAMES)
def test_matrices(name: str) -> None:
    state = State(mechanism(name))
    v, tree = state["v"], state.closed.tree
    M, W, C = (state.value(x) for x in ("mass_matrix", "mass_matrix_inverse", "coriolis_matrix"))
    slack = max(1e-12, 1e-14 * np.linalg.cond(M))
    assert_close(M @ W, np.eye(len(M)), slack)
    assert_close(state.value("generalized_momentum"), M @ v)
    gamma = state.value("christoffel")
    assert_close(gamma @ v, C, floor=np.abs(gamma).max())
    size = np.abs(M).max() + np.abs(gamma).max()
    g = state.value("gravity_forces")
    assert_close(state.value("momentum_forces"), C.T @ v - g, floor=size)
    given = {"q": [objects(state.q), objects(v)]}
    rate = rates(MECHANISM["mass_matrix"].formula, tree, given, 1)[1]
    for kind in ("garofalo", "mueller_kumar"):
        other = state.value(f"coriolis_matrix_{kind}")
        assert_close(other @ v, C @ v, floor=size)
        if kind == "garofalo":
            assert_close(rate, other + other.T, floor=size)
    kinds = {"christoffel": "coriolis_matrix", "garofalo": "coriolis_matrix_garofalo"}
    for kind, name in kinds.items():
        row = with_options(MECHANISM["equations_of_motion"], coriolis=kind)
        at = [objects(state[x]) for x in "qv"]
        for ours, truth in zip(row.formula(tree, *at), (M, state.value(name), g), strict=True):
            assert_close(ours, truth, floor=size)
        columns = derivative(row, "dpi").formula(tree, *at)
        for ours, part in zip(columns, ("mass_matrix", name, "gravity_forces"), strict=True):
            truth = derivative(MECHANISM[part], "dpi")
            expected = truth.formula(tree, *at[: len(truth.arguments)])
            assert_close(ours, expected, floor=size, what=f"{part}.dpi")


def with_drives(closed: Mechanism, seed: int) -> Mechanism:
    """The same with armature, damping and friction of all joints."""
    rng = np.random.default_rng(seed)
    robot = Robot(with_friction(closed.model, rng))
    return robot.closed(closed.active, closed.reference)


@pytest.mark.parametrize("name", ["five_bar", "floating"])
def test_regressors_with_drives(name: str) -> None:
    """Y pi with the drives of all joints is M a_r + C v_r + g + friction."""
    closed = with_drives(mechanism(name), 1)
    state, robot = State(closed), closed.robot
    parts = []
    for what in ("armature", "damping", "friction"):
        values = np.zeros(robot.nv)
        for node in robot.tree.nodes:
            values[node.vs] = values[node.vs] + np.array(getattr(node, what), float)
        parts.append(values)
    pi = np.concatenate((robot.model.parameters.ravel(), *parts))
    M, C, g = (state.value(x) for x in ("mass_matrix", "coriolis_matrix", "gravity_forces"))
    friction = state.value("joint_friction")
    assert_close(friction, state.E.T @ robot.joint_friction(state.full()))
    expected = M @ state["a_r"] + C @ state["v_r"] + g
    size = np.abs(M).max() + np.abs(C).max() + np.abs(g).max()
    row = MECHANISM["slotine_li_regressor"]
    names = ("q", "v", "v_r", "a_r")
    Y = derivative(row, "extended").formula(closed.tree, *(objects(state[x]) for x in names))
    assert Y.shape == (closed.nv, 10 * robot.nb + 3 * robot.nv)
    assert_close(Y @ objects(pi), expected + friction, floor=size)
    row = derivative(MECHANISM["inverse_dynamics"], "dpi")
    Y = derivative(row, "extended").formula(closed.tree, *(objects(state[x]) for x in "qva"))
    assert_close(Y @ objects(pi), state.value("inverse_dynamics") + friction, floor=size)


def test_regressor_as_users_call_it() -> None:
    closed = mechanism("five_bar")
    state = State(closed)
    given = [state[x] for x in ("q", "v", "v_r", "a_r")]
    pi = closed.robot.model.parameters.ravel()
    expected = closed.mass_matrix(state.q) @ state["a_r"] + closed.gravity_forces(state.q)
    expected = expected + closed.coriolis_matrix(state.q, state["v"]) @ state["v_r"]
    assert_close(closed.slotine_li_regressor(*given) @ pi, expected)
    assert closed.slotine_li_regressor(*given, extended=True).shape == (2, 40 + 12)
    assert closed.inverse_dynamics.dpi(
        *given[:2], given[3], extended=True, smoothing=0.1
    ).shape == (
        2,
        52,
    )


SLOW = pytest.mark.slow


@pytest.mark.parametrize("name", ["four_bar", "five_bar", pytest.param("revolute", marks=SLOW)])
def test_hessian(name: str) -> None:
    """Complex steps of the weighted first derivatives; q moves along E."""
    state = State(mechanism(name))
    tree, row = state.closed.tree, MECHANISM["inverse_dynamics"]
    q, v, a, lam = (objects(state[x]) for x in ("q", "v", "a", "lam"))
    found = derivative(row, "hessian").formula(tree, q, v, a, lam)
    first = derivative(row, "derivatives").formula

    def gradient(*at: Any) -> np.ndarray:
        _, by_q, by_v, by_a = first(tree, *at)
        return np.concatenate((lam @ by_q, lam @ by_v, lam @ by_a))

    columns = [slope(gradient(state.moved(e), v, a)) for e in state.E.T]
    units = np.eye(state.closed.nv)
    columns += [slope(gradient(q, stepped(state["v"], e), a)) for e in units]
    columns += [slope(gradient(q, v, stepped(state["a"], e))) for e in units]
    assert_close(found, np.stack(columns, axis=1), 1e-11)  # cond(g_p) to the third


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics", "bias_forces"])
@pytest.mark.parametrize("name", ["four_bar", pytest.param("mixed", marks=SLOW)])
def test_together(name: str, quantity: str) -> None:
    """derivatives and design against the derivatives one by one, forces given."""
    state = State(mechanism(name))
    tree, row = state.closed.tree, MECHANISM[quantity]
    given = [objects(state[x]) for x in (*row.arguments, *row.optional)]
    count, lam = len(row.arguments), objects(state["lam"])
    if "derivatives" in row.forms:
        found = derivative(row, "derivatives").formula(tree, *given)
        names = ["", *(f"d{x}" for x in row.arguments)]
        for name, ours in zip(names, found, strict=True):
            truth = derivative(row, name) if name else row
            assert_close(ours, truth.formula(tree, *given), 1e-11, name)
    found = derivative(row, "design").formula(tree, *given[:count], lam, *given[count:])
    for name, ours in zip(("dpi", "dscrew", "dplacement"), found, strict=True):
        truth = derivative(row, name).formula(tree, *given)
        truth = np.tensordot(lam, truth, axes=1).reshape(ours.shape)
        assert_close(ours, truth, 1e-10, name)


@pytest.mark.slow
def test_frames() -> None:
    """Rates and inertias of a leg's frames, with the mechanism's own M."""
    state = State(mechanism("leg"))
    closed = state.closed
    foot = closed.frame("foot")
    q, v = state.q, state["v"]
    J, W = foot.jacobian(q), closed.mass_matrix_inverse(q)
    assert_close(foot.jacobian_rate(q, v), foot.jacobian.dt(q, v))
    inverse_ = J @ W @ J.T
    slack = 1e-14 * np.linalg.cond(inverse_) + 1e-11
    assert_close(foot.task_inertia_inverse(q), inverse_, 1e-11)
    assert_close(foot.task_inertia(q) @ inverse_, np.eye(6), slack)
    assert_close(J @ foot.task_jacobian_inverse(q), np.eye(6), slack)
    drift = foot.twist.dt(q, v, np.zeros(closed.nv))
    bias = W @ closed.bias_forces(q, v)
    assert_close(inverse_ @ foot.task_bias(q, v), J @ bias - drift, slack, floor=1.0)
    with pytest.raises(Exception, match="degrees of freedom"):
        mechanism("five_bar").frame("tool").task_inertia(mechanism("five_bar").reference)
    rate = closed.velocity_map(q) @ v
    assert_close(rate, closed.robot.velocity_map(q) @ closed.velocity(q, v))


# ------------------------------------------------------------------ numbers as arguments


@pytest.mark.parametrize(
    "quantity", [x for x, row in CLOSED.parametric.items() if len(row.results) == 1]
)
def test_parametric(quantity: str) -> None:
    """Against the formula on a tree with these parameters."""
    state = State(mechanism("five_bar"))
    row = CLOSED.quantities[quantity]
    own = state.closed.find_owner(row).tree
    if row.all_joints:
        state.levels |= {"v": state.full(), "tau": np.ones(state.robot.nv)}
    pi = state.robot.model.parameters * np.random.default_rng(0).uniform(0.8, 1.2, (4, 10))
    given = [objects(state[x]) for x in row.arguments]
    found = CLOSED.parametric[quantity].formula(own, *given, objects(pi))
    other = state.closed.find_owner(row).tree.with_inertias(objects(pi))
    truth = row.formula(other, *given)
    for ours, expected in zip(as_list(found), as_list(truth), strict=True):
        assert_close(ours, expected)


def test_parametric_steps() -> None:
    closed = mechanism("five_bar")
    pi = 1.2 * closed.robot.model.parameters
    other = closed.robot.edit.with_parameters(pi).closed(closed.active, closed.reference)
    state = closed.reference, np.array((0.3, -0.2)), np.array((1.0, 2.0)), 1e-3
    for found, expected in zip(closed.parametric.step(*state, pi), other.step(*state), strict=True):
        assert_close(found, expected)


@pytest.mark.slow
def test_parametric_and_morphable_of_a_leg() -> None:
    """A heavier leg of another shape, built anew and assembled; batches, float32 and pickles."""
    closed = mechanism("leg")
    rng = np.random.default_rng(1)
    placements = 0.01 * rng.normal(size=(closed.robot.nb, 6))
    pi = closed.robot.model.parameters * 1.2
    other = closed.robot.edit.with_geometry(placements=placements).edit.with_parameters(pi)
    other = other.closed(closed.active, closed.reference)
    q = other.reference
    v, a = rng.normal(size=(2, 3, closed.nv))
    _, _, still = closed.morphable.now
    shape = (pi, other.morphable.now[1], still)
    tau = other.inverse_dynamics(q, v, a)
    by_screw = closed.morphable.mass_matrix.dscrew(q, *shape)
    assert_close(by_screw, other.mass_matrix.dscrew(q), 1e-11)
    found = closed.morphable.inverse_dynamics(q, v, a, *shape)
    assert_close(found, tau, 1e-11)
    J = closed.morphable.frame("foot").jacobian(q, *shape[1:])
    assert_close(J, other.frame("foot").jacobian(q), 1e-11)
    assert_close(closed.morphable.loop_residual(q, *shape), np.zeros(6), floor=1.0)
    heavier = closed.parametric.mass_matrix(closed.reference, pi)
    assert_close(heavier, 1.2 * closed.mass_matrix(closed.reference))
    again = pickle.loads(pickle.dumps(closed.parametric.mass_matrix))
    np.testing.assert_array_equal(again(closed.reference, pi), heavier)
    small = closed.parametric.mass_matrix(closed.reference.astype("f"), pi.astype("f"))
    assert small.dtype == np.float32
    assert_close(small, heavier, 1e-5)
    assert closed.quantity("parametric.mass_matrix") is closed.parametric.mass_matrix


def test_morphable_of_another_four_bar() -> None:
    """The shape of one four-bar on the kernels of another; q closes the loops of the shape."""
    closed = mechanism("four_bar")
    other = Robot(four_bar(0.2, 0.5, 0.4, 0.45)).closed(closed.active)
    state = State(other)
    pi, placements, screws = other.morphable.now
    given = (state.q, np.stack((state["v"], 2.0 * state["v"])), state["a"])
    own = Robot(replace(other.model, loops=closed.model.loops)).closed(closed.active, state.q)
    found = closed.morphable.inverse_dynamics(own.reference, *given[1:], pi, placements, screws)
    assert_close(found, own.inverse_dynamics(own.reference, *given[1:]))
    small = closed.morphable.inverse_dynamics(
        *(x.astype("f") for x in (own.reference, *given[1:], pi, placements, screws))
    )
    assert small.dtype == np.float32
    assert_close(small, found, 1e-4)  # single precision


def test_all_joints_with_parameters() -> None:
    closed = mechanism("five_bar")
    state = State(closed)
    given = (state.q, state.full(), np.ones(4))
    pi = closed.robot.model.parameters
    found = closed.parametric.constrained_dynamics(*given, pi)
    assert_close(found, closed.constrained_dynamics(*given))
    again = pickle.loads(pickle.dumps(closed.parametric.constrained_dynamics))
    np.testing.assert_array_equal(again(*given, pi), found)


# ------------------------------------------------------------------ code


@needs_compiler
@pytest.mark.parametrize("name", ["five_bar", pytest.param("floating", marks=SLOW)])
def test_exported_c(name: str, tmp_path: Path) -> None:
    closed = mechanism(name)
    state = State(closed)
    quantities = ("inverse_dynamics.rates(1)", "mass_matrix", "loop_residual", "velocity")
    paths = closed.export.c(tmp_path, quantities)
    text = paths[0].read_text()
    assert "must close the loops" in text
    assert f"v has {closed.nv}" in text
    built = library(tmp_path, paths)
    for own, title in zip(function_names(paths), quantities, strict=True):
        quantity = closed.quantity(title)
        given = [state[x] for x in quantity.kernel.arguments]
        expected = quantity(*given)
        expected = expected if isinstance(expected, tuple) else (expected,)
        found = [np.full(x.shape, np.nan) for x in expected]
        call(built[own], *given, *found)
        for ours, truth in zip(found, expected, strict=True):
            assert_close(ours, truth, floor=1.0)
    compile_c(tmp_path, "-O1", "selftest.c", paths[1].name, "-lm", "-o", "selftest")
    done = subprocess.run([tmp_path / "selftest"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


def test_exported_matlab(tmp_path: Path) -> None:
    closed = mechanism("five_bar")
    (path,) = closed.export.matlab(tmp_path, "inverse_dynamics")
    text = path.read_text()
    assert "must close the loops" in text
    assert "'joint2' (revolute): q(2)" in text
    assert "determined by the loops" in text
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave is None:
        return  # the text is all there is to look at
    state = State(closed)
    given = ", ".join(str(state[x].tolist()) for x in "qva")
    code = f"addpath('{tmp_path}'); printf('%.17g ', {path.stem}({given}))"
    done = subprocess.run([octave, "--eval", code], capture_output=True, text=True, timeout=60)
    found = np.array(done.stdout.split(), dtype=float)
    assert_close(found, closed.inverse_dynamics(*(state[x] for x in "qva")))


def test_casadi() -> None:
    pytest.importorskip("casadi")
    closed = mechanism("five_bar")
    state, functions = State(closed), mechanism("five_bar").export.casadi()
    for title in ("inverse_dynamics", "mass_matrix_inverse", "frame(tool).twist", "loop_jacobian"):
        function = functions.function(title)
        given = [state[x] for x in closed.quantity(title).kernel.arguments]
        expected = closed.quantity(title)(*given)
        found = np.array(function(*given)).reshape(expected.shape)
        assert_close(found, expected)
    assert functions.frame("tool").pose.name_in() == ["q"]


def value(sympy: Any, state: State, sym: Any, title: str) -> np.ndarray:
    """A quantity on symbols, at the state."""
    row = CLOSED.quantities[title]
    own = sym._on(row)
    at = {s: x for n in row.arguments for s, x in zip(own.symbols(n), state[n].flat, strict=True)}
    symbols = [*at, *sym.values]
    function = sympy.lambdify(symbols, getattr(sym, title)().value, "numpy", cse=True)
    return np.array(function(*at.values(), *map(float, sym.values.values())), dtype=float)


def test_symbolic() -> None:
    sympy = pytest.importorskip("sympy")
    closed = mechanism("four_bar")
    state = State(closed)
    link = closed.robot.model.body_names[0]
    sym = closed.export.sympy({f"{link}.mass": "m"})
    assert [str(x) for x in sym.v] == ["v1"]
    for title in ("inverse_dynamics", "loop_jacobian"):
        expected = closed.quantity(title)(*(state[x] for x in CLOSED.quantities[title].arguments))
        found = value(sympy, state, sym, title).reshape(expected.shape)
        assert_close(found, expected, 1e-11)
    assert not sym.passive_jacobian().value.has(sympy.sqrt, sympy.sign)
    assert sym.frame(closed.robot.model.frame_names[-1]).pose().shape == (4, 4)
    two = mechanism("five_bar")
    assert [str(x) for x in two.export.sympy().v] == ["v1", "v4"]
    state = State(two)
    found = value(sympy, state, two.export.sympy(), "passive_jacobian")
    assert_close(found, state.value("passive_jacobian"))


# ------------------------------------------------------------------ linear algebra


def test_cramers_rule_is_the_other_one() -> None:
    rng = np.random.default_rng(0)
    whole = np.zeros((6, 4))
    whole[:2, :2], whole[2:4, 2:] = rng.normal(size=(2, 2, 2))
    whole[4:] = rng.normal(size=(2, 4)) @ whole[:4]
    rows = [0, 1, 2, 3]
    ours, truth = Cramer(objects(whole), rows), Orthogonal(objects(whole))
    x, c = rng.normal(size=(2, 4))
    assert_close(ours.solve(objects(whole @ x)), x)
    y = ours.solve_transposed(objects(c))
    assert_close(whole.T @ y.astype(float), c)
    for one in (ours, truth):
        assert_close(one.solve_transposed(objects(c), shortest=True), np.linalg.pinv(whole.T) @ c)
    A = whole[:4] @ whole[:4].T + np.eye(4)
    assert_close(inverse(objects(A)), np.linalg.inv(A))
