"""Robots inside JAX's transformations: NumPy's numbers, and derivatives of any order."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support import PROJECT
from support.helpers import assert_close, quiet_read, small_model
from support.mechanisms import State, mechanism

jax: Any = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks
jnp: Any = jax.numpy
check_grads: Any = pytest.importorskip("jax.test_util").check_grads


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    """Most is about float64."""
    with jax.enable_x64(True):
        yield


ARM = Robot(quiet_read("planar_2r"))
TREE = Robot(small_model())


def states(robot: Robot, batch: tuple[int, ...] = (), seed: int = 0) -> list[Any]:
    """q, v, a as arrays of JAX."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(batch))
    q = robot.random(rng, count).reshape(*batch, robot.nq)
    return [jnp.asarray(x) for x in (q, *rng.normal(size=(2, *batch, robot.nv)))]


def squares(q: Any, v: Any, a: Any) -> Any:
    return (ARM.jax.inverse_dynamics(q, v, a) ** 2).sum()


# ------------------------------------------------------------------ transformations


def test_values_are_those_of_numpy() -> None:
    """The same bits: the same machine code runs, called by XLA."""
    x = states(ARM, (5,))
    truth = ARM.inverse_dynamics(*map(np.asarray, x))
    tau = ARM.jax.inverse_dynamics
    for found in (tau(*x), jax.jit(tau)(*x), jax.vmap(tau)(*x), jax.jit(jax.vmap(tau))(*x)):
        assert isinstance(found, jax.Array)
        assert np.array_equal(found, truth)


def test_jit_of_the_quantity_itself() -> None:
    x = states(ARM, (3,))
    truth = ARM.inverse_dynamics(*map(np.asarray, x))
    assert isinstance(ARM.inverse_dynamics(*x), jax.Array)
    assert np.array_equal(jax.jit(ARM.inverse_dynamics)(*x), truth)
    named = jax.jit(lambda a: ARM.inverse_dynamics(*map(np.asarray, x[:2]), a=a))
    assert np.array_equal(named(x[2]), truth)
    gradient = jax.grad(lambda q: ARM.inverse_dynamics(q, *x[1:]).sum())(x[0])
    assert gradient.shape == x[0].shape


@pytest.mark.parametrize("axes", [(0, 0, 0), (1, 0, None), (None, None, 0), (0, None, 1)])
def test_vmap_maps_any_axes(axes: tuple[Any, ...]) -> None:
    x = [
        jnp.moveaxis(y, 0, k) if k is not None else y[0]
        for y, k in zip(states(ARM, (4,)), axes, strict=True)
    ]
    found = jax.vmap(ARM.jax.inverse_dynamics, axes, out_axes=1)(*x)
    rows = [np.moveaxis(y, k, 0) if k is not None else y for y, k in zip(x, axes, strict=True)]
    assert np.array_equal(found.T, ARM.inverse_dynamics(*map(np.asarray, rows)))


def test_vmap_makes_one_call() -> None:
    """However deep, and of arguments that are mapped at different depths."""
    q, v, a = states(ARM, (3,))
    once = jax.vmap(ARM.jax.inverse_dynamics, (None, 0, None))
    twice = jax.vmap(once, (0, None, None))
    text = str(jax.make_jaxpr(twice)(q, v, a[0]))
    assert text.count("jounce[") == 1
    assert "scan" not in text
    truth = ARM.inverse_dynamics(*map(np.asarray, (q[:, None], v[None], a[0])))
    assert np.array_equal(twice(q, v, a[0]), truth)


def test_gradients_are_pullbacks() -> None:
    x = states(ARM, (6,))
    found = jax.jit(jax.grad(squares, (0, 1, 2)))(*x)
    tau = ARM.inverse_dynamics(*map(np.asarray, x))
    truth = ARM.inverse_dynamics.vjp(*map(np.asarray, x), 2.0 * tau)
    for g, expected in zip(found, truth, strict=True):
        assert_close(g, expected)
    value, _ = jax.value_and_grad(squares)(*x)
    assert_close(value, (tau**2).sum())


def test_only_what_moves_costs() -> None:
    """A gradient in a is the product with the mass matrix, without those in q and v."""
    x = states(ARM)
    text = str(jax.make_jaxpr(jax.grad(squares, 2))(*x))
    assert "vjp(a)(2),(2),(2),(2)->(2)>]" in re.sub(r"\s", "", text)


def test_jacobians_and_hessians() -> None:
    q, v, a = states(ARM)
    tau = ARM.jax.inverse_dynamics
    truth = ARM.inverse_dynamics.dq(*map(np.asarray, (q, v, a)))
    assert_close(jax.jacfwd(tau)(q, v, a), truth)
    assert_close(jax.jacrev(tau)(q, v, a), truth)
    assert_close(jax.jit(jax.jacfwd(tau))(q, v, a), truth)
    lam = jnp.asarray([0.3, -1.2])
    second = jax.hessian(lambda q: lam @ tau(q, v, a))(q)
    whole = ARM.inverse_dynamics.hessian(*map(np.asarray, (q, v, a, lam)))
    assert_close(second, whole[:2, :2])
    third = jax.jacfwd(jax.jacfwd(jax.jacrev(lambda q: lam @ tau(q, v, a))))(q)
    assert_close(third, np.moveaxis(third, 0, 2))  # which is symmetric
    assert float(jnp.abs(third).max()) > 0.1


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix"])
def test_check_grads(name: str) -> None:
    function, x = getattr(ARM.jax, name), states(ARM)
    check_grads(function, x[: len(function.quantity.definition.arguments)], order=2, rtol=1e-5)


def test_broadcast_arguments_sum_their_gradients() -> None:
    q, v, a = states(ARM, (4,))
    shared = jax.grad(lambda a: (ARM.jax.inverse_dynamics(q, v, a) ** 2).sum())(a[0])
    single = jax.grad(lambda a: (ARM.jax.inverse_dynamics(q, v, a) ** 2).sum())
    assert_close(shared, single(jnp.broadcast_to(a[0], a.shape)).sum(0))
    wide = jax.grad(lambda q: ARM.jax.inverse_dynamics(q, v, a[:, None]).sum())(q)
    assert wide.shape == q.shape


def test_linear_functions_and_loops() -> None:
    q, v, a = states(ARM)
    step, h = ARM.jax.step, 1e-2
    tau, push = jax.linearize(lambda a: ARM.jax.inverse_dynamics(q, v, a), a)
    assert_close(push(v), np.asarray(ARM.mass_matrix(np.asarray(q))) @ np.asarray(v))
    backward = jax.linear_transpose(push, v)(tau)
    assert_close(backward[0], np.asarray(ARM.mass_matrix(np.asarray(q))) @ np.asarray(tau))

    def scanned(a: Any) -> Any:
        body = lambda state, _: (step(*state, a, h), None)  # noqa: E731
        return jax.lax.scan(jax.checkpoint(body), (q, v), None, 5)[0][0].sum()

    def looped(a: Any) -> Any:
        body = lambda _, state: step(*state, a, h)  # noqa: E731
        return jax.lax.fori_loop(0, 5, body, (q, v))[0].sum()

    until = jax.lax.while_loop(
        lambda x: x[2] < 5, lambda x: (*step(x[0], x[1], a, h), x[2] + 1), (q, v, 0)
    )
    assert_close(scanned(a), looped(a))
    assert_close(until[0].sum(), looped(a))
    assert_close(jax.grad(scanned)(a), jax.jacfwd(looped)(a))
    chosen = jax.jit(lambda x: jax.lax.cond(x, scanned, looped, a))
    assert_close(chosen(True), chosen(False))


def test_robots_side_by_side() -> None:
    """Two in one function, and one that is gone before its function runs again."""
    x, y = states(ARM), states(TREE)
    both = jax.jit(lambda x, y: (ARM.jax.inverse_dynamics(*x), TREE.jax.bias_forces(*y[:2])))
    found = both(x, y)
    assert_close(found[0], ARM.inverse_dynamics(*map(np.asarray, x)))
    assert_close(found[1], TREE.bias_forces(*map(np.asarray, y[:2])))
    gone = Robot(quiet_read("planar_2r")).edit.with_parameters(2.0 * ARM.morphable.now[0])
    heavy = jax.jit(gone.jax.inverse_dynamics).lower(*x).compile()
    del gone
    assert_close(heavy(*x), 2.0 * np.asarray(found[0]))


def test_batches_of_nothing() -> None:
    q, v, a = states(ARM, (4,))
    assert jax.jit(ARM.jax.inverse_dynamics)(q[:0], v[:0], a[0]).shape == (0, 2)
    gradient = jax.grad(lambda a: ARM.jax.inverse_dynamics(q[:0], v[:0], a).sum())(a[0])
    assert np.array_equal(gradient, [0.0, 0.0])


def test_several_results_of_which_one_is_used() -> None:
    """Weights of the others are zeros."""
    q, v, a = states(ARM)
    gradient = jax.grad(lambda q: ARM.jax.step(q, v, a, 0.1)[1].sum())(q)
    found = ARM.step.vjp(*map(np.asarray, (q, v, a)), 0.1, np.zeros(2), np.ones(2))[0]
    assert_close(gradient, found)


# ------------------------------------------------------------------ precision


def test_single_precision() -> None:
    with jax.enable_x64(False):
        x = states(ARM, (3,))
        assert x[0].dtype == jnp.float32
        tau = ARM.jax.inverse_dynamics
        assert np.array_equal(jax.jit(tau)(*x), ARM.inverse_dynamics(*map(np.asarray, x)))
        assert tau([0.1, 0.2], [0, 0], (1.0, 0)).dtype == jnp.float32
        found = jax.grad(squares)(*x)
        assert found.dtype == jnp.float32
    truth = jax.grad(squares)(*(jnp.asarray(np.asarray(y, np.float64)) for y in x))
    assert_close(found, truth, 1e-4)


def test_widest_decides_and_numbers_do_not() -> None:
    x = states(ARM)
    single = [y.astype(jnp.float32) for y in x]
    tau, step = ARM.jax.inverse_dynamics, ARM.jax.step
    assert tau(*single).dtype == jnp.float32
    assert tau(single[0], [0.0, 1.0], [0, 0]).dtype == jnp.float32
    assert tau(single[0], single[1], x[2]).dtype == jnp.float64
    assert tau(single[0], single[1], np.zeros(2, np.float32)).dtype == jnp.float32
    assert step(*single, 0.1)[0].dtype == jnp.float32
    assert jax.grad(lambda h: step(*single, h)[0].sum())(0.1).dtype == jnp.float64
    assert jax.jit(lambda h: step(*single, h))(0.1)[0].dtype == jnp.float32


# ------------------------------------------------------------------ surfaces


def test_names_are_those_of_the_robot() -> None:
    q, v, a = states(TREE)
    given = [np.asarray(x) for x in (q, v, a)]
    jaxed = TREE.jax
    assert jaxed is TREE.jax
    frame = TREE.model.frame_names[-1]
    close_to = [
        (jaxed.frame(frame).pose(q), TREE.frame(frame).pose(given[0])),
        (jaxed.gravity_forces.dq(q), TREE.gravity_forces.dq(given[0])),
        (jaxed.quantity("gravity_forces.dq")(q), TREE.gravity_forces.dq(given[0])),
        (jaxed.kinetic_energy.rates(1)(q, v, a)[1], TREE.kinetic_energy.rates(1)(*given)[1]),
    ]
    for found, truth in close_to:
        assert_close(found, truth)
    assert "inverse_dynamics" in dir(jaxed)
    assert "dq" in dir(jaxed.inverse_dynamics)
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        _ = jaxed.mass_matrx


def test_parameters_are_arguments() -> None:
    q, v, a = states(ARM)
    pi, placements, screws = map(jnp.asarray, ARM.morphable.now)
    truth = ARM.inverse_dynamics(*map(np.asarray, (q, v, a)))
    of_pi = jax.grad(lambda pi: ARM.jax.parametric.inverse_dynamics(q, v, a, pi)[0])(pi)
    assert_close(of_pi.ravel() @ pi.ravel(), truth[0])  # linear in them
    morphed = ARM.jax.morphable.inverse_dynamics
    found = jax.grad(lambda x: morphed(q, v, a, pi, x, screws).sum())(placements)
    assert found.shape == placements.shape
    assert_close(morphed(q, v, a, pi, placements, screws), truth)


def test_options_wrenches_and_a_moving_base() -> None:
    q, v, a = states(ARM)
    given = [np.asarray(x) for x in (q, v, a)]
    frame, w = ARM.model.frame_names[-1], jnp.arange(1.0, 7.0)
    push = {frame: np.asarray(w)}
    tau = ARM.jax.inverse_dynamics
    assert_close(tau(q, v, a, {frame: w}), ARM.inverse_dynamics(*given, push))
    of_w = jax.grad(lambda w: tau(q, v, a, {frame: w}).sum())(w)
    assert_close(of_w @ w, tau(q, v, a, {frame: w}).sum() - tau(q, v, a).sum())
    twist = np.arange(6.0)
    moved = ARM.inverse_dynamics(*given, base_twist=twist)
    assert_close(tau(q, v, a, base_twist=jnp.asarray(twist)), moved)
    assert jax.grad(lambda x: tau(q, v, a, base_twist=x).sum())(jnp.asarray(twist)).shape == (6,)
    for method in ("euler", "rk4"):
        found = ARM.jax.step(q, v, a, 0.1, method=method)
        for x, y in zip(found, ARM.step(*given, 0.1, method=method), strict=True):
            assert_close(x, y)
    found = ARM.jax.equations_of_motion(q, v, coriolis="garofalo")
    for x, y in zip(found, ARM.equations_of_motion(*given[:2], coriolis="garofalo"), strict=True):
        assert_close(x, y)


def test_coordinates_and_tangents() -> None:
    """Gradients in q are in its numbers; along velocities with a tangent, or by `gradient`."""
    q, v, a = states(TREE)
    given, lam = [np.asarray(x) for x in (q, v, a)], jnp.arange(1.0, TREE.nv + 1)
    in_numbers = jax.grad(lambda q: lam @ TREE.jax.inverse_dynamics(q, v, a))(q)
    truth = TREE.inverse_dynamics.vjp(*given, np.asarray(lam), coordinates=True)[0]
    assert in_numbers.shape == (TREE.nq,)
    assert_close(in_numbers, truth)
    longer = jax.grad(lambda q: lam @ TREE.jax.inverse_dynamics(q, v, a))(q * 1.0)
    assert_close(longer, in_numbers)
    along = TREE.inverse_dynamics.vjp(*given, np.asarray(lam))[0]
    tangents = TREE.jax.tangent
    still = jnp.zeros(TREE.nv)
    moved = jax.grad(lambda dq: lam @ tangents.inverse_dynamics(q, v, a, dq))(still)
    assert_close(moved, along)
    assert_close(tangents.gradient(q, in_numbers), along)
    batch = tangents.gradient(q, jnp.stack([in_numbers, 2.0 * in_numbers]))
    assert_close(batch[1], 2.0 * along)


def test_mechanisms() -> None:
    state = State(mechanism("four_bar"))
    closed = state.closed
    q, v, a = (jnp.asarray(state[x]) for x in ("q", "v", "a"))
    lam = jnp.ones(closed.nv)
    found = jax.grad(lambda dq: lam @ closed.jax.tangent.inverse_dynamics(q, v, a, dq))(0.0 * v)
    given = [np.asarray(x) for x in (q, v, a)]
    truth = closed.inverse_dynamics.vjp(*given, np.asarray(lam))[0]
    assert_close(found, truth)
    in_numbers = jax.grad(lambda q: lam @ closed.jax.inverse_dynamics(q, v, a))(q)
    assert in_numbers.shape == (closed.nq,)
    assert_close(closed.jax.tangent.gradient(q, in_numbers), truth)
    assert_close(jax.jit(closed.jax.inverse_dynamics)(q, v, a), closed.inverse_dynamics(*given))


def test_log_cholesky_coordinates() -> None:
    from jounce.arrays.jax_adapter import from_log_cholesky
    from jounce.model.inertia import log_cholesky

    pi = np.asarray(TREE.morphable.now[0])
    theta = jnp.asarray([log_cholesky(x) for x in pi])
    assert_close(from_log_cholesky(theta), pi)
    check_grads(jax.jit(from_log_cholesky), (theta[0],), order=1)
    with pytest.raises(ArgumentError, match=r"must have shape \(..., 10\), found \(3,\)"):
        from_log_cholesky(jnp.zeros(3))


def test_surfaces_are_pickled_and_copied() -> None:
    x = states(ARM)
    truth = ARM.jax.inverse_dynamics(*x)
    for there in (ARM.jax, ARM.jax.tangent, ARM.jax.inverse_dynamics, ARM.jax.rollout):
        again = pickle.loads(pickle.dumps(there))
        assert type(again) is type(there)
    again = pickle.loads(pickle.dumps(ARM.jax))
    assert np.array_equal(again.inverse_dynamics(*x), truth)
    assert np.array_equal(copy.deepcopy(ARM.jax.inverse_dynamics)(*x), truth)


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda q: q.astype(jnp.bfloat16), "must be float64 or float32, found bfloat16"),
        (lambda q: q.astype(jnp.float16), "found float16; convert it with .astype"),
        (lambda q: q.astype(int), "found int64; convert it"),
        (lambda q: q.astype(complex), "found complex128; convert it"),
        (lambda q: np.asarray(q, int), "found int64; convert it"),
        (lambda q: q[:1], r"must have shape \(..., 2\), found \(1,\) of float64"),
        (lambda q: "far", "must be an array of JAX or NumPy, or numbers, found str"),
        (lambda q: [[1.0], 2.0], "or lists of equally many numbers, found"),
        (lambda q: [1j, 0.0], "found complex128"),
    ],
)
def test_bad_arguments(bad: Any, message: str) -> None:
    q, v, a = states(ARM)
    what = f"planar_2r.jax.inverse_dynamics: argument 'q' .*{message}"
    with pytest.raises((TypeError, ArgumentError), match=what):
        ARM.jax.inverse_dynamics(bad(q), v, a)


def test_bad_calls() -> None:
    q, v, a = states(ARM, (3,))
    with pytest.raises(ArgumentError, match=r"batch axes do not broadcast: q \(3,\), v \(2,\)"):
        ARM.jax.inverse_dynamics(q, v[:2], a)
    with pytest.raises(TypeError, match="takes no 'out', an option for NumPy"):
        ARM.jax.inverse_dynamics(q, v, a, out=np.empty((3, 2)))
    out = np.empty((3, 2))
    assert ARM.inverse_dynamics(q, v, a, out=out) is out
    with pytest.raises(TypeError, match="is for NumPy arrays, and is not available inside jit"):
        jax.jit(lambda q: ARM.inverse_dynamics(q, v, a, out=out))(q)
    with pytest.raises(ArgumentError, match="dtype must be float64 or float32, found int32"):
        ARM.jax.inverse_dynamics.warmup("int32")


def test_tracers_that_outlive_their_trace() -> None:
    q, v, a = states(ARM)
    kept: list[Any] = []
    jax.jit(lambda q: kept.append(q) or q)(q)
    with pytest.raises(ArgumentError, match="found a leaked tracer of JAX"):
        ARM.jax.inverse_dynamics(kept[0], v, a)


def test_other_platforms_are_refused() -> None:
    q, v, a = states(ARM)
    traced = jax.jit(ARM.jax.inverse_dynamics).trace(q, v, a)
    with pytest.raises(
        NotImplementedError, match=r"runs on cpu and cuda, found platform rocm; move"
    ):
        traced.lower(lowering_platforms=("rocm",))


def test_jounce_does_not_import_jax() -> None:
    code = (
        "import sys, jounce\n"
        "r = jounce.load('planar_2r'); r.inverse_dynamics([0, 0], [0, 0], [0, 0])\n"
        "assert 'jax' not in sys.modules\n"
        "sys.modules['jax'] = None\n"
        "try: r.jax\n"
        "except ImportError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "robot.jax needs JAX, which is not installed: pip install 'jounce[jax]'"
    )


def test_the_page_runs() -> None:
    page = (PROJECT / "docs" / "guide" / "jax.md").read_text("utf-8")
    session: dict[str, object] = {}
    before = jax.config.jax_enable_x64
    try:
        for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
            exec(compile(block, "jax.md", "exec"), session)
    finally:
        jax.config.update("jax_enable_x64", before)
    assert "learned" in session


def test_step_by_step_without_jit() -> None:
    arm = jounce.load("planar_2r")
    q, v, a = np.random.default_rng(0).normal(size=(3, 4, 2))
    cost = lambda q: (arm.jax.inverse_dynamics(q, v, a) ** 2).sum()  # noqa: E731
    expected = jax.grad(cost)(q)
    with jax.disable_jit():
        np.testing.assert_array_equal(jax.grad(cost)(q), expected)
