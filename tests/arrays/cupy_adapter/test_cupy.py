"""Quantities called with CuPy's arrays, simulated in host memory: values, copies, streams."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays import kinds
from jounce.arrays.cupy_adapter.functions import CudaFunction
from jounce.arrays.lie import so3
from jounce.errors import ArgumentError, ModelError
from jounce.solve.elastic import ElasticMotion
from support.mechanisms import mechanism
from support.robots import random_model
from support.simulated_cuda import Simulated
from support.simulated_cupy import STATE

pytestmark = pytest.mark.cuda

MODEL = jounce.load("planar_2r").model
ROBOT = jounce.Robot(MODEL)
Q, V, A = np.random.default_rng(0).standard_normal((3, 4, 3, 2))


@pytest.fixture(autouse=True)
def new_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot without launchers of another test's driver."""
    monkeypatch.setitem(globals(), "ROBOT", jounce.Robot(MODEL))


def close(found: Any, expected: Any) -> None:
    """Equal values of one precision."""
    values = found.get()
    assert type(found).__module__ == "cupy"
    assert values.dtype == np.asarray(expected).dtype
    assert values.shape == np.shape(expected)
    np.testing.assert_allclose(
        values, expected, rtol=0, atol=1e-12 if values.dtype == np.float64 else 1e-4
    )


def on(cupy: Any, *arrays: Any) -> list[Any]:
    return [cupy.asarray(x) for x in arrays]


def test_quantities_and_derivatives(cupy: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    for name, given, plain in (
        ("inverse_dynamics", (q, v, a), (Q, V, A)),
        ("mass_matrix", (q,), (Q,)),
        ("mass_matrix.dt", (q, v), (Q, V)),
        ("forward_dynamics", (q, v, a), (Q, V, A)),
        ("integrate", (q, v), (Q, V)),
    ):
        close(ROBOT.quantity(name)(*given), ROBOT.quantity(name)(*plain))
    for name in ("derivatives", "rates(1)", "vjp"):
        quantity = ROBOT.inverse_dynamics.derivative(name)
        more = len(quantity.definition.arguments) - 3
        found = quantity(q, v, a, *(a,) * more)
        expected = quantity(Q, V, A, *(A,) * more)
        assert type(found) is tuple
        for x, y in zip(found, expected, strict=True):
            close(x, y)
    close(ROBOT.frame("tool").pose(q), ROBOT.frame("tool").pose(Q))


def test_frames_options_and_constants(cupy: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    w = np.random.default_rng(1).standard_normal((3, 6))
    expected = ROBOT.inverse_dynamics(Q, V, A, wrenches={"tool": w})
    for given in (w, cupy.asarray(w)):
        close(ROBOT.inverse_dynamics(q, v, a, wrenches={"tool": given}), expected)
    close(
        ROBOT.inverse_dynamics(Q, V, A, wrenches={"tool": cupy.asarray(w)}), expected
    )  # the only one
    base = np.ones(6), np.zeros(6)
    close(
        ROBOT.inverse_dynamics(q, v, a=A, base_twist=base[0], base_acceleration=base[1]),
        ROBOT.inverse_dynamics(Q, V, A, base_twist=base[0], base_acceleration=base[1]),
    )
    found = ROBOT.mass_matrix.vjp(q, cupy.asarray(np.ones((2, 2))), coordinates=True)
    close(found[0], ROBOT.mass_matrix.vjp(Q, np.ones((2, 2)), coordinates=True)[0])
    for method in ("euler", "rk4"):
        step = ROBOT.step(q, v, a, 0.01, method=method)
        for x, y in zip(step, ROBOT.step(Q, V, A, 0.01, method=method), strict=True):
            close(x, y)


def test_precision(cupy: Any) -> None:
    q, v, a = (x.astype(np.float32) for x in (Q, V, A))
    expected = ROBOT.inverse_dynamics(q, v, a)
    assert expected.dtype == np.float32
    close(ROBOT.inverse_dynamics(*on(cupy, q, v, a)), expected)
    close(ROBOT.inverse_dynamics(*on(cupy, q, v), [0.0, 0.0]), ROBOT.inverse_dynamics(q, v, 0 * a))
    close(ROBOT.inverse_dynamics(*on(cupy, q, v), A), ROBOT.inverse_dynamics(q, v, A))
    whole = np.ones((4, 3, 2), int)
    close(ROBOT.inverse_dynamics(*on(cupy, whole, q, v)), ROBOT.inverse_dynamics(whole, q, v))
    close(ROBOT.mass_matrix(cupy.asarray(whole)), ROBOT.mass_matrix(whole))


def test_broadcasting_and_slices_cost_no_copy(cupy: Any, api: Simulated) -> None:
    wide = np.random.default_rng(2).standard_normal((12, 5))
    q = cupy.asarray(wide)[:, 1:3]
    v, a = on(cupy, V[0, 0], np.asarray(A.reshape(12, 2)))
    ROBOT.inverse_dynamics.warmup(device=0)
    api.log.clear()
    close(ROBOT.inverse_dynamics(q, v, a), ROBOT.inverse_dynamics(wide[:, 1:3], V[0, 0], a.get()))
    (launch,) = api.launches()
    assert launch[-1][-4:] == [5, 0, 2, 12]
    assert STATE.copies == 0
    one = cupy.asarray(Q)[::2, :, :]
    close(ROBOT.mass_matrix(one), ROBOT.mass_matrix(Q[::2]))
    assert STATE.copies == 1  # samples are not equally far apart
    close(ROBOT.mass_matrix(cupy.asarray(Q)[::-1, 0]), ROBOT.mass_matrix(Q[::-1, 0]))
    assert STATE.copies == 1


def test_what_is_irregular_is_copied(cupy: Any) -> None:
    sideways = np.asfortranarray(Q[:, 0])
    q, v, a = on(cupy, Q[:, :1], V[0], A[0])
    close(
        ROBOT.mass_matrix(cupy.asarray(sideways.T).__getitem__(slice(None))[:, :2]),
        ROBOT.mass_matrix(sideways.T[:, :2]),
    )
    turned = cupy.moveaxis(cupy.asarray(np.ascontiguousarray(Q[:, 0].T)), 0, 1)
    close(ROBOT.mass_matrix(turned), ROBOT.mass_matrix(Q[:, 0]))
    # q repeats along the second axis, the others along the first
    close(ROBOT.inverse_dynamics(q, v, a), ROBOT.inverse_dynamics(Q[:, :1], V[0], A[0]))
    assert STATE.copies >= 2


def test_small_and_empty_batches(cupy: Any, api: Simulated) -> None:
    close(ROBOT.mass_matrix(cupy.asarray(Q[0, 0])), ROBOT.mass_matrix(Q[0, 0]))
    api.log.clear()
    close(ROBOT.mass_matrix(cupy.asarray(Q[:0])), ROBOT.mass_matrix(Q[:0]))
    assert not api.launches()


def test_streams_and_devices(cupy: Any, api: Simulated) -> None:
    q, v, a = on(cupy, Q, V, A)
    STATE.streams[0] = 4242
    try:
        ROBOT.inverse_dynamics(q, v, a)
    finally:
        STATE.streams[0] = 0
    assert api.launches()[-1][:2] == (4242, 500)
    with cupy.cuda.Device(1):
        there = on(cupy, Q, V, A)
    STATE.streams[1] = 99
    try:
        found = ROBOT.inverse_dynamics(*there)
    finally:
        STATE.streams[1] = 0
    assert found.device.id == 1
    assert api.launches()[-1][:2] == (99, 501)
    with pytest.raises(ArgumentError, match="arrays on CUDA devices 0 and 1"):
        ROBOT.inverse_dynamics(q, v, there[2])


def test_out(cupy: Any, api: Simulated) -> None:
    q, v, a = on(cupy, Q, V, A)
    expected = ROBOT.inverse_dynamics(Q, V, A)
    out = cupy.empty((4, 3, 2), np.float64)
    assert ROBOT.inverse_dynamics(q, v, a, out=out) is out
    close(out, expected)
    assert STATE.copies == 0
    wide = cupy.empty((4, 3, 5), np.float64)
    part = wide[..., 1:3]
    assert ROBOT.inverse_dynamics(q, v, a, out=(part,)) is part
    close(part, expected)
    assert STATE.copies == 1
    assert ROBOT.inverse_dynamics(q, v, a, out=q) is q  # on top of an argument
    close(q, expected)
    assert STATE.copies == 2
    q = cupy.asarray(Q)
    into = tuple(cupy.empty(x.shape, x.dtype) for x in ROBOT.step(Q, V, A, 0.01))
    assert ROBOT.step(q, v, a, 0.01, out=into)[1] is into[1]
    close(into[0], ROBOT.step(Q, V, A, 0.01)[0])
    found = ROBOT.step(q, v, a, 0.01, out=(None, into[1]))
    close(found[0], ROBOT.step(Q, V, A, 0.01)[0])
    assert found[1] is into[1]


def test_out_of_gradients_in_optional_arguments(cupy: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    w = np.ones((ROBOT.nb, 6))
    expected = ROBOT.inverse_dynamics.vjp(Q, V, A, A, wrenches=w)
    into = tuple(cupy.empty(x.shape, x.dtype) for x in expected)
    found = ROBOT.inverse_dynamics.vjp(q, v, a, a, wrenches=w, out=into)
    for one, other, y in zip(found, into, expected, strict=True):
        assert one is other
        close(one, y)


@pytest.mark.parametrize(
    ("out", "kind", "words"),
    [
        (lambda cp: np.empty((4, 3, 2)), TypeError, "be a cupy.ndarray"),
        (lambda cp: cp.empty((4, 2), float), ArgumentError, r"have shape \(4, 3, 2\) of float64"),
        (lambda cp: cp.empty((4, 3, 2), np.float32), ArgumentError, "found .* of float32"),
        (lambda cp: (cp.empty((4, 3, 2), float),) * 2, ArgumentError, "be a tuple of 1 arrays"),
    ],
)
def test_out_is_refused(cupy: Any, out: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=rf"inverse_dynamics: out must .*{words}"):
        ROBOT.inverse_dynamics(*on(cupy, Q, V, A), out=out(cupy))


def test_out_elsewhere_is_refused(cupy: Any) -> None:
    with cupy.cuda.Device(1):
        out = cupy.empty((4, 3, 2), np.float64)
    with pytest.raises(ArgumentError, match="on the device of the arguments, 0, found 1"):
        ROBOT.inverse_dynamics(*on(cupy, Q, V, A), out=out)
    with pytest.raises(TypeError, match="expected arguments on CUDA, as out is, found none"):
        ROBOT.inverse_dynamics(Q, V, A, out=cupy.empty((4, 3, 2), np.float64))


def test_refusals(cupy: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    with pytest.raises(ArgumentError, match=r"argument 'v' must have shape \(\.\.\., 2\), found"):
        ROBOT.inverse_dynamics(q, v[..., :1], a)
    with pytest.raises(ArgumentError, match="batch axes do not broadcast: q"):
        ROBOT.inverse_dynamics(q, v[:3], a)
    with pytest.raises(TypeError, match="'q' must be real float64 or float32, found complex128"):
        ROBOT.mass_matrix(cupy.asarray(Q + 0j))
    with pytest.raises(TypeError, match="'dtype' is for NumPy arrays, and arguments are on CUDA"):
        ROBOT.mass_matrix(q, dtype=np.float32)
    with pytest.raises(TypeError, match="argument 'a' is missing"):
        ROBOT.inverse_dynamics(q, v)
    with pytest.raises(TypeError, match="takes no 'b'"):
        ROBOT.inverse_dynamics(q, v, b=a)
    with pytest.raises(TypeError, match=r"is on .*all be of one library, and not in a list"):
        ROBOT.mass_matrix([q, q])
    huge = cupy.broadcast_to(cupy.asarray(Q[0, 0]), (1 << 30, 2))
    with pytest.raises(
        MemoryError, match=r"mass_matrix: cannot allocate 34,359,738,368 bytes on CUDA"
    ):
        ROBOT.mass_matrix(huge)


def test_calls_without_options_take_a_shortcut(cupy: Any, monkeypatch: Any) -> None:
    """Which gives the same, and leaves what it does not understand to the ordinary way."""
    q, v, a = on(cupy, Q, V, A)
    ROBOT.inverse_dynamics(q, v, a)
    ROBOT.inverse_dynamics.vjp(q, v, a, a)
    ROBOT.forward_dynamics.jvp(q, v, a, q, v, a)
    bound = CudaFunction.bind
    monkeypatch.setattr(CudaFunction, "bind", None)
    close(ROBOT.inverse_dynamics(q, v, a), ROBOT.inverse_dynamics(Q, V, A))
    found = ROBOT.inverse_dynamics.vjp(q, v, a, a)
    assert type(found) is tuple
    close(found[0], ROBOT.inverse_dynamics.vjp(Q, V, A, A)[0])
    close(
        ROBOT.forward_dynamics.jvp(q, v, a, q, v, a), ROBOT.forward_dynamics.jvp(Q, V, A, Q, V, A)
    )
    target = cupy.asarray(np.empty(A.shape))
    assert ROBOT.inverse_dynamics(q, v, a, out=target) is target
    close(target, ROBOT.inverse_dynamics(Q, V, A))
    monkeypatch.setattr(CudaFunction, "bind", bound)
    close(ROBOT.inverse_dynamics(q[0], v, a[1:2]), ROBOT.inverse_dynamics(Q[0], V, A[1:2]))
    assert ROBOT.inverse_dynamics(q, v, a, out=a) is a  # the kernel must not write to an argument
    close(a, ROBOT.inverse_dynamics(Q, V, A))
    a = cupy.asarray(A)
    half = a[..., :1], cupy.asarray(A.astype(np.float32)), cupy.asarray(np.ones((4, 3, 2), int))
    for other, words in ((half[0], "must have shape"), (q[:3], "do not broadcast")):
        with pytest.raises(ArgumentError, match=words):
            ROBOT.inverse_dynamics(q, v, other)
    for other in half[1:]:
        close(ROBOT.inverse_dynamics(q, v, other), ROBOT.inverse_dynamics(Q, V, other.get()))


def test_rollouts(cupy: Any) -> None:
    taus = np.random.default_rng(3).standard_normal((4, 1, 6, 2))
    expected = ROBOT.rollout(Q, V[0], taus, 0.01, method="rk4")
    found = ROBOT.rollout(*on(cupy, Q, V[0], taus), 0.01, method="rk4")
    for x, y in zip(found, expected, strict=True):
        close(x, y)
    w = np.random.default_rng(4).standard_normal((6, 6))
    for push in ({"tool": w}, np.multiply.outer(np.ones(6), np.ones((ROBOT.nb, 6)))):
        given = Q, V, taus, 0.01
        expected = ROBOT.rollout(*given, push)
        for x, y in zip(ROBOT.rollout(*on(cupy, *given[:3]), 0.01, push), expected, strict=True):
            close(x, y)

    def policy(k: int, q: Any, v: Any) -> Any:
        return -v if isinstance(v, np.ndarray) else cupy.asarray(-v.get())

    expected = ROBOT.rollout(Q, V, h=0.01, policy=policy, steps=3)
    found = ROBOT.rollout(*on(cupy, Q, V), h=0.01, policy=policy, steps=3)
    for x, y in zip(found, expected, strict=True):
        close(x, y)
    with pytest.raises(ArgumentError, match=r"what policy gives at step 0 must have shape"):
        ROBOT.rollout(*on(cupy, Q, V), h=0.01, policy=lambda k, q, v: v[..., :1], steps=1)
    with pytest.raises(TypeError, match="'limits' is for NumPy arrays"):
        ROBOT.rollout(*on(cupy, Q, V, taus), 0.01, limits=True)


def test_other_things_that_are_called(cupy: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    motion = ROBOT.elastic_inverse_dynamics(q, v, a, v, a, 1e3)
    expected = ROBOT.elastic_inverse_dynamics(Q, V, A, V, A, 1e3)
    assert type(expected) is ElasticMotion
    for x, y in zip(motion, expected, strict=True):
        close(x, y)
    pi = ROBOT.model.parameters * np.linspace(0.9, 1.1, 3)[:, None, None]
    close(
        ROBOT.parametric.inverse_dynamics(q, v, a, cupy.asarray(pi)),
        ROBOT.parametric.inverse_dynamics(Q, V, A, pi),
    )


def test_rotations_and_closed_loops(cupy: Any) -> None:
    turn = np.random.default_rng(5).standard_normal((4, 3))
    close(so3.exp(cupy.asarray(turn)), so3.exp(turn))
    loop = mechanism("four_bar")
    q = loop.random(0, 3)
    v = np.ones((3, loop.nv))
    close(loop.mass_matrix(cupy.asarray(q)), loop.mass_matrix(q))
    close(loop.bias_forces(*on(cupy, q, v)), loop.bias_forces(q, v))


def test_robots_without_accelerations_are_told(cupy: Any) -> None:
    builder = jounce.TreeBuilder("nothing")
    builder.add("tip", "revolute", axis=(0, 0, 1), mass=0.0)
    robot = jounce.Robot(builder.build())
    given = on(cupy, *np.zeros((3, 1)))
    with pytest.raises(ModelError, match=r"nothing\.forward_dynamics: "):
        robot.forward_dynamics(*given)


def test_nothing_is_imported_before_such_arrays_are_seen() -> None:
    code = (
        "import sys, numpy as np, jounce; r = jounce.load('planar_2r');"
        "r.mass_matrix(np.zeros(2)); r.mass_matrix([0.0, 0.0]); dir(r); dir(jounce);"
        "lazy = {'cuda', 'cupy', 'jounce.arrays.cupy_adapter', 'jounce.runtime.cuda'};"
        "sys.exit(bool(lazy & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("seed", range(4))
def test_random_trees(cupy: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = jounce.Robot(random_model(rng, 4, mimic=seed == 1, floating=seed == 2))
    q = robot.random(rng, 3)
    v, a = rng.standard_normal((2, 3, robot.nv))
    close(robot.inverse_dynamics(*on(cupy, q, v, a)), robot.inverse_dynamics(q, v, a))
    close(robot.integrate(*on(cupy, q, v)), robot.integrate(q, v))


def test_the_kind_is_found_by_the_package(cupy: Any) -> None:
    kind = kinds.find_kind((cupy.asarray(Q), V, None))
    assert kind is not None
    assert kind.name == "cuda"
    assert not kind.is_traced(cupy.asarray(Q))
    assert kinds.find_kind((Q, V)) is None
    again = pickle.loads(pickle.dumps(ROBOT.mass_matrix))
    close(again(cupy.asarray(Q)), ROBOT.mass_matrix(Q))


def test_numbers_are_not_copied_into_graphs(cupy: Any, api: Simulated, monkeypatch: Any) -> None:
    q, v, a = on(cupy, Q, V, A)
    wrench = cupy.asarray(np.ones(6))
    monkeypatch.setitem(STATE.streams, 0, 77)
    api.captured.add(77)
    for call in (
        lambda: ROBOT.inverse_dynamics(q, v, A),
        lambda: ROBOT.inverse_dynamics(q, v, a, wrenches={"tool": wrench}),
    ):
        with pytest.raises(RuntimeError, match="while a CUDA graph is captured: a replay would"):
            call()
    ROBOT.step(q, v, a, 0.01)  # which CuPy fills in by a kernel
    assert api.launches()[-1][0] == 77


def test_numbers_in_the_other_order_of_bytes(cupy: Any) -> None:
    q = on(cupy, Q)[0]
    close(ROBOT.mass_matrix(q), ROBOT.mass_matrix(Q))
    close(ROBOT.mass_matrix(cupy.asarray(Q.astype(">f8"))), ROBOT.mass_matrix(Q))
