"""Ways to call quantities with Dask's arrays: mixed, broadcast, of unknown size, and refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.dask_adapter.tasks import BlockCall
from jounce.errors import ArgumentError
from jounce.solve.elastic import ElasticMotion
from support.mechanisms import mechanism

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
dask: Any = pytest.importorskip("dask")
cloudpickle: Any = pytest.importorskip("cloudpickle")

pytestmark = pytest.mark.scale

ROBOT = jounce.load("planar_2r")
TOOL = ROBOT.model.frame_names[-1]
RNG = np.random.default_rng(5)
Q, V, A, TAU = RNG.normal(size=(4, 10, 2))


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    with dask.config.set(scheduler="synchronous"):
        yield


def lazy(x: np.ndarray, *chunks: Any) -> Any:
    return da.from_array(x, chunks=chunks or (4, -1))


def same(found: Any, expected: Any) -> None:
    """Lazy arrays that become the expected ones, of which they knew shape and dtype."""
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    found = found if isinstance(found, tuple) else (found,)
    truths = expected if isinstance(expected, tuple) else (expected,)
    assert len(found) == len(truths)
    for x, y, truth in zip(found, da.compute(*found), truths, strict=True):
        assert isinstance(x, da.Array)
        assert all(np.isnan(n) or n == m for n, m in zip(x.shape, np.shape(truth), strict=True))
        assert x.dtype == y.dtype == np.asarray(truth).dtype
        np.testing.assert_array_equal(y, truth)


# ------------------------------------------------------------------ blocks


def test_core_axes_in_pieces_are_merged_and_only_these() -> None:
    found = ROBOT.inverse_dynamics(lazy(Q, 4, 1), lazy(V, 5, 2), lazy(A, 10, 1))
    assert found.chunks == ((4, 1, 3, 2), (2,))
    same(found, ROBOT.inverse_dynamics(Q, V, A))
    q = Q.reshape(5, 2, 2)
    found = ROBOT.mass_matrix(lazy(q, 2, 1, 1))
    assert found.chunks == ((2, 2, 1), (1, 1), (2,), (2,))
    same(found, ROBOT.mass_matrix(q))


def test_batch_axes_broadcast() -> None:
    v, q = V.reshape(2, 5, 2), Q[:5]
    found = ROBOT.bias_forces(lazy(q, 3, 2), lazy(v, 1, 2, 2))
    assert found.chunks == ((1, 1), (2, 1, 1, 1), (2,))
    same(found, ROBOT.bias_forces(q, v))
    same(ROBOT.bias_forces(lazy(Q[:1], 1, 2), lazy(V)), ROBOT.bias_forces(Q[:1], V))
    same(ROBOT.bias_forces(lazy(Q), lazy(V[:1], 1, 2)), ROBOT.bias_forces(Q, V[:1]))
    same(ROBOT.bias_forces(lazy(Q[0], 1), lazy(V)), ROBOT.bias_forces(Q[0], V))
    same(
        ROBOT.bias_forces(lazy(Q[:, None], 4, 1, 2), lazy(V[None], 1, 5, 2)),
        ROBOT.bias_forces(Q[:, None], V[None]),
    )


def test_one_axis_of_one_sample_in_several_blocks() -> None:
    one = da.concatenate((lazy(Q[:0]), lazy(Q[:1], 1, 2), lazy(Q[:0])))
    same(ROBOT.bias_forces(one, lazy(V)), ROBOT.bias_forces(Q[:1], V))


def test_samples_without_a_batch_and_batches_without_samples() -> None:
    same(ROBOT.mass_matrix(lazy(Q[0], 1)), ROBOT.mass_matrix(Q[0]))
    same(ROBOT.potential_energy(lazy(Q[0], 1)), ROBOT.potential_energy(Q[0]))
    same(
        ROBOT.inverse_dynamics.derivatives(lazy(Q[0], 1), V[0], A[0]),
        ROBOT.inverse_dynamics.derivatives(Q[0], V[0], A[0]),
    )
    same(ROBOT.bias_forces(lazy(Q[:0]), V[:0]), ROBOT.bias_forces(Q[:0], V[:0]))
    same(ROBOT.bias_forces(lazy(Q[:0]), lazy(V[:1], 1, 2)), ROBOT.bias_forces(Q[:0], V[:1]))


def test_numpy_and_lists_beside_them() -> None:
    expected = ROBOT.inverse_dynamics(Q, V, A)
    same(ROBOT.inverse_dynamics(Q, lazy(V), A), expected)
    same(ROBOT.inverse_dynamics(Q.tolist(), V, a=lazy(A)), expected)
    same(
        ROBOT.inverse_dynamics(lazy(Q), [0.5, 1.0], A[0]),
        ROBOT.inverse_dynamics(Q, [0.5, 1.0], A[0]),
    )
    same(ROBOT.bias_forces(Q[None, :1], lazy(V)), ROBOT.bias_forces(Q[None, :1], V))


def test_blocks_of_unknown_size() -> None:
    q, v = lazy(Q), lazy(V)
    few, keep = q[:, 0] > 0, Q[:, 0] > 0
    found = ROBOT.inverse_dynamics(q[few], v[few], A[0])
    assert np.isnan(found.shape[0])
    assert found.shape[1:] == (2,)
    same(found, ROBOT.inverse_dynamics(Q[keep], V[keep], A[0]))
    same(ROBOT.mass_matrix(lazy(Q, 4, 1)[few]), ROBOT.mass_matrix(Q[keep]))
    same(ROBOT.bias_forces(q[few], v[few].compute_chunk_sizes()), ROBOT.bias_forces(Q, V)[keep])
    same(ROBOT.bias_forces(q[few], lazy(V[:1], 1, 2)), ROBOT.bias_forces(Q[keep], V[:1]))
    same(
        ROBOT.bias_forces(lazy(Q, 10, 2)[lazy(Q, 10, 2)[:, 0] > 0], V[keep]),
        ROBOT.bias_forces(Q, V)[keep],
    )
    same(
        ROBOT.inverse_dynamics.derivatives(q[few], v[few], v[few]),
        ROBOT.inverse_dynamics.derivatives(Q[keep], V[keep], V[keep]),
    )


def test_precision_is_that_of_the_arguments() -> None:
    single = np.float32
    q, v = Q.astype(single), V.astype(single)
    same(ROBOT.bias_forces(lazy(q), lazy(v)), ROBOT.bias_forces(q, v))
    same(ROBOT.bias_forces(lazy(q), v), ROBOT.bias_forces(q, v))
    same(ROBOT.bias_forces(lazy(q), V), ROBOT.bias_forces(q, V))
    same(ROBOT.bias_forces(lazy(q), [0.1, 0.2]), ROBOT.bias_forces(q, [0.1, 0.2]))
    whole = np.arange(20).reshape(10, 2)
    same(ROBOT.mass_matrix(lazy(whole)), ROBOT.mass_matrix(whole))
    same(ROBOT.bias_forces(lazy(q), lazy(whole)), ROBOT.bias_forces(q, whole))
    same(ROBOT.mass_matrix(lazy(Q), dtype=single), ROBOT.mass_matrix(Q, dtype=single))
    same(ROBOT.step(lazy(q), v, v, 0.01), ROBOT.step(q, v, v, 0.01))
    same(ROBOT.step(lazy(q), v, v, np.array(0.01)), ROBOT.step(q, v, v, np.array(0.01)))


def test_several_results_come_of_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """However they are reduced, if they are asked for together."""
    calls, real = [], BlockCall.__call__

    def counted(call: BlockCall, *blocks: Any) -> Any:
        calls.append(len(blocks))
        return real(call, *blocks)

    monkeypatch.setattr(BlockCall, "__call__", counted)
    norms = [(x**2).sum() for x in ROBOT.inverse_dynamics.derivatives(*map(lazy, (Q, V, A)))]
    da.compute(*norms)
    assert calls == [3, 3, 3]
    sum(norms).compute()
    assert calls[3:] == [3, 3, 3]


# ------------------------------------------------------------------ what is called


def test_options_and_optional_arguments() -> None:
    q, v, tau = lazy(Q), lazy(V), lazy(TAU)
    w = RNG.normal(size=(10, 2, 6))
    same(ROBOT.inverse_dynamics(q, v, A, w), ROBOT.inverse_dynamics(Q, V, A, w))
    same(
        ROBOT.inverse_dynamics(q, v, A, wrenches=lazy(w, 5, 1, 3)),
        ROBOT.inverse_dynamics(Q, V, A, w),
    )
    for method in ("euler", "rk4"):
        same(ROBOT.step(q, v, tau, 0.01, method=method), ROBOT.step(Q, V, TAU, 0.01, method=method))
    same(
        ROBOT.step.choose(method="rk4").derivatives(q, v, tau, lazy(np.full(10, 0.1), 4)),
        ROBOT.step.choose(method="rk4").derivatives(Q, V, TAU, np.full(10, 0.1)),
    )
    same(
        ROBOT.slotine_li_regressor(q, v, V, A, extended=True, smoothing=lazy(V[:, 0] ** 2, 5)),
        ROBOT.slotine_li_regressor(Q, V, V, A, extended=True, smoothing=V[:, 0] ** 2),
    )
    pull, pi = [0, 0, 1.0], ROBOT.model.parameters
    same(
        ROBOT.parametric.gravity_forces(q, pi, gravity=pull),
        ROBOT.parametric.gravity_forces(Q, pi, gravity=pull),
    )
    same(ROBOT.integrate(q, v), ROBOT.integrate(Q, V))
    same(ROBOT.difference(q, Q[0]), ROBOT.difference(Q, Q[0]))


def test_wrenches_by_frame() -> None:
    w = RNG.normal(size=(10, 6))
    expected = ROBOT.inverse_dynamics(Q, V, A, wrenches={TOOL: w})
    same(ROBOT.inverse_dynamics(Q, V, A, wrenches={TOOL: lazy(w, 5, 2)}), expected)
    same(ROBOT.inverse_dynamics(lazy(Q), V, A, wrenches={TOOL: w}), expected)
    one = {TOOL: w[0]}
    same(ROBOT.inverse_dynamics(lazy(Q), V, A, one), ROBOT.inverse_dynamics(Q, V, A, one))
    with pytest.raises(ArgumentError, match="no frame 'hand'; choose one of"):
        ROBOT.inverse_dynamics(lazy(Q), V, A, wrenches={"hand": w})
    with pytest.raises(ArgumentError, match=rf"'wrenches'\['{TOOL}'\] must have shape \(\.\.\., 6"):
        ROBOT.inverse_dynamics(lazy(Q), V, A, wrenches={TOOL: lazy(w[:, :3], 5, 3)})


def test_pushforwards_and_pullbacks() -> None:
    q, v, a = lazy(Q), lazy(V), lazy(A)
    for x in ("jvp", "vjp"):
        f = getattr(ROBOT.inverse_dynamics, x)
        rest = [RNG.normal(size=(10, *core)) for core in f.kernel.inputs[3:]]
        same(f(q, v, a, *rest), f(Q, V, A, *rest))
        same(f(q, v, a, *rest, coordinates=True), f(Q, V, A, *rest, coordinates=True))
    w = RNG.normal(size=(10, 2, 6))
    f = ROBOT.inverse_dynamics.vjp
    found = f(q, v, a, TAU, wrenches=w)
    assert len(found) == len(f(Q, V, A, TAU)) + 1
    same(found, f(Q, V, A, TAU, wrenches=w))


def test_calls_with_options_can_be_pickled() -> None:
    """And give what they announce, after the way to a worker."""
    q, v, a = (lazy(x.astype("f4")) for x in (Q, V, A))
    w = RNG.normal(size=(10, 2, 6)).astype("f4")
    table = ROBOT.parametric.inverse_dynamics
    for found in (
        ROBOT.slotine_li_regressor(q, v, v, a, extended=True, smoothing=0.1),
        ROBOT.step(q, v, a, 0.1, method="rk4")[1],
        ROBOT.inverse_dynamics.vjp(q, v, a, TAU, coordinates=True)[0],
        table.vjp(q, v, a, ROBOT.model.parameters.astype("f4"), V.astype("f4"), wrenches=w)[-1],
    ):
        again = cloudpickle.loads(cloudpickle.dumps(found)).compute()
        assert again.dtype == found.dtype
        np.testing.assert_array_equal(again, found.compute())


def test_tables_frames_and_a_moving_base() -> None:
    q, v, a = lazy(Q), lazy(V), lazy(A)
    pi = ROBOT.model.parameters * RNG.uniform(0.9, 1.1, (10, 1, 1))
    same(
        ROBOT.parametric.inverse_dynamics(q, v, a, lazy(pi, 5, 1, 10)),
        ROBOT.parametric.inverse_dynamics(Q, V, A, pi),
    )
    now = ROBOT.morphable.now
    same(ROBOT.morphable.mass_matrix(q, *now), ROBOT.morphable.mass_matrix(Q, *now))
    frame = ROBOT.frame(TOOL)
    same(frame.pose(q), frame.pose(Q))
    same(frame.jacobian.dt(q, v), frame.jacobian.dt(Q, V))
    base = {x: RNG.normal(size=6) for x in ROBOT.inverse_dynamics.definition.base}
    same(ROBOT.inverse_dynamics(q, v, a, **base), ROBOT.inverse_dynamics(Q, V, A, **base))


def test_limits() -> None:
    robot = jounce.load("kuka_iiwa14")
    q = np.concatenate((robot.random(1, 5), 9 + robot.random(2, 5)))
    same(robot.limits.contains(lazy(q, 3, 3)), robot.limits.contains(q))
    same(robot.limits.contains(lazy(q), tolerance=9.5), robot.limits.contains(q, tolerance=9.5))
    same(robot.limits.clip(lazy(q, 3, 3)), robot.limits.clip(q))
    same(robot.limits.clip(lazy(q.astype("f4"))), robot.limits.clip(q.astype("f4")))
    closed = mechanism("five_bar")
    at = closed.reference[None].repeat(4, 0)
    same(closed.limits.contains(lazy(at)), closed.limits.contains(at))
    with pytest.raises(
        ArgumentError, match=r"contains: argument 'q' must have shape \(\.\.\., 7\)"
    ):
        robot.limits.contains(lazy(Q))
    with pytest.raises(TypeError, match=r"clip: 'out' is an option"):
        robot.limits.clip(lazy(q), out=q)
    for given in (q, lazy(q)):
        with pytest.raises(TypeError, match=r"contains: tolerance \(dask.Array\) is lazy"):
            robot.limits.contains(given, tolerance=da.asarray(0.1))


def test_elastic_drives() -> None:
    robot = jounce.load("planar_2r", base="floating")
    state = RNG.uniform(0.2, 0.5, (5, 6, 8))
    q = np.concatenate((state[0], np.ones((6, 1))), axis=-1)
    rest, K = [q, *state[1:]], np.array([np.inf] * 6 + [1e3, 2e3])
    expected = robot.elastic_inverse_dynamics(*rest, K, damping=np.r_[np.zeros(6), 1, 2])
    for given in (
        [lazy(x) for x in rest],
        [rest[0], *(lazy(x) for x in rest[1:])],
        [*rest[:4], lazy(rest[4])],
    ):
        found = robot.elastic_inverse_dynamics(*given, K, damping=np.r_[np.zeros(6), 1, 2])
        assert type(found) is ElasticMotion
        same(found, expected)
    many = K * np.ones((6, 1))
    same(
        robot.elastic_inverse_dynamics(*rest, lazy(many)), robot.elastic_inverse_dynamics(*rest, K)
    )
    same(
        robot.elastic_inverse_dynamics(*map(lazy, rest), many),
        robot.elastic_inverse_dynamics(*rest, K),
    )
    w = RNG.normal(size=(6, robot.nb, 6))
    same(
        robot.elastic_inverse_dynamics(*rest, K, wrenches=lazy(w, 4, 1, 6)),
        robot.elastic_inverse_dynamics(*rest, K, wrenches=w),
    )
    narrow = [x.astype("f4") for x in rest]
    same(
        robot.elastic_inverse_dynamics(*map(lazy, narrow), K),
        robot.elastic_inverse_dynamics(*narrow, K),
    )


# ------------------------------------------------------------------ rollouts


def test_rollouts_are_merged_in_time() -> None:
    taus = RNG.normal(size=(10, 3, 2))
    found = ROBOT.rollout(lazy(Q), V, lazy(taus, 4, 1, 1), 0.01)
    assert [x.chunks for x in found] == [((4, 4, 2), (4,), (2,))] * 2
    same(found, ROBOT.rollout(Q, V, taus, 0.01))
    same(
        ROBOT.rollout(Q[0], V[0], lazy(taus[0], 1, 2), 0.01, method="rk4"),
        ROBOT.rollout(Q[0], V[0], taus[0], 0.01, method="rk4"),
    )
    policy = lambda k, q, v: -v  # noqa: E731
    same(
        ROBOT.rollout(lazy(Q), lazy(V), policy=policy, steps=4, h=0.01),
        ROBOT.rollout(Q, V, policy=policy, steps=4, h=0.01),
    )
    w = RNG.normal(size=(3, 6))
    same(
        ROBOT.rollout(lazy(Q), V, taus, 0.01, wrenches={TOOL: w}),
        ROBOT.rollout(Q, V, taus, 0.01, wrenches={TOOL: w}),
    )
    narrow = [x.astype("f4") for x in (Q, V, taus)]
    h = np.array(0.01)
    for x in (h, h.astype("f4"), 0.01):
        same(
            ROBOT.rollout(*map(lazy, narrow[:2]), narrow[2], da.asarray(x)),
            ROBOT.rollout(*narrow, np.asarray(x)),
        )


def test_numbers_have_no_say_in_the_precision_of_rollouts() -> None:
    """Lists and tables, with batch axes too, which come in blocks."""
    pd: Any = pytest.importorskip("pandas")
    q, v, taus = (x.astype("f4") for x in (Q, V, RNG.normal(size=(10, 3, 2))))
    for given in (
        (v, taus, [0.01] * 10),
        (v, taus, (0.01,) * 10),
        (v, taus, pd.Series([0.01] * 10)),
        (v, taus, np.int64(1)),
        (v.tolist(), taus, 0.01),
        (pd.DataFrame(V), taus, 0.01),
        (v, taus.tolist(), 0.01),
    ):
        found = ROBOT.rollout(lazy(q), *given)
        assert found[0].dtype == np.float32
        same(found, ROBOT.rollout(q, *given))
    wide = ROBOT.rollout(lazy(q), V.tolist(), taus.astype(float), [0.01] * 10)
    same(wide, ROBOT.rollout(q, V.tolist(), taus.astype(float), [0.01] * 10))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "eular"}, "step: method must be one of .*, found 'eular'"),
        ({"friction": 3}, "step: friction must be one of .*, found 3"),
        ({"limits": "foo"}, "limits must be True, or some of 'effort', .* found 'foo'"),
        ({"limits": 3}, "limits must be True, or some of 'effort', .* found 3"),
        ({"taus": None, "policy": 3, "steps": 2}, r"policy must be a function policy\(k, q, v\)"),
    ],
)
def test_options_of_rollouts_are_refused_at_the_call(options: Any, message: str) -> None:
    for q in (lazy(Q), Q):
        with pytest.raises((ArgumentError, TypeError), match=message):
            ROBOT.rollout(q, V, **{"taus": np.zeros((3, 2)), "h": 0.1, **options})


def test_rollouts_that_are_refused() -> None:
    taus = lazy(RNG.normal(size=(10, 3, 2)), 4, 1, 2)
    with pytest.raises(ArgumentError, match=r"argument 'v0' must have shape \(\.\.\., 2\)"):
        ROBOT.rollout(lazy(Q), V[:, :1], taus, 0.01)
    with pytest.raises(TypeError, match="argument 'h' is missing, the time step in seconds"):
        ROBOT.rollout(lazy(Q), V, taus)
    with pytest.raises(TypeError, match="either taus, or a policy"):
        ROBOT.rollout(lazy(Q), V, h=0.1)
    with pytest.raises(TypeError, match=r"rollout: 'out' is an option"):
        ROBOT.rollout(lazy(Q), V, taus, 0.01, out=(Q, V))
    some = taus[:, taus[0, :, 0] > 0]
    with pytest.raises(ArgumentError, match=r"number of steps; call its compute_chunk_sizes"):
        ROBOT.rollout(lazy(Q), V, some, 0.01)
    with pytest.raises(TypeError, match=r"is lazy; pass its \.compute\(\)"):
        ROBOT.rollout.vjp(lazy(Q), V, np.zeros((3, 2)), 0.01, np.zeros((4, 2)), np.zeros((4, 2)))


# ------------------------------------------------------------------ refused


def unknown_core() -> Any:
    x = lazy(Q.T)
    return x[x[:, 0] > -9].T


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "shape": (
        lambda: ROBOT.mass_matrix(lazy(Q[:, :1], 4, 1)),
        ArgumentError,
        r"mass_matrix: argument 'q' must have shape \(\.\.\., 2\), found \(10, 1\) of float64",
    ),
    "too few axes": (
        lambda: ROBOT.parametric.mass_matrix(Q, lazy(Q[0], 2)),
        ArgumentError,
        r"argument 'pi' must have shape \(\.\.\., 2, 10\), found \(2,\)",
    ),
    "batches": (
        lambda: ROBOT.bias_forces(lazy(Q), V[:3]),
        ArgumentError,
        r"bias_forces: batch axes do not broadcast: q \(10,\), v \(3,\)",
    ),
    "unknown core": (
        lambda: ROBOT.mass_matrix(unknown_core()),
        ArgumentError,
        r"found \(10, nan\) .* call its compute_chunk_sizes\(\) first",
    ),
    "unknown batches": (
        lambda: ROBOT.bias_forces(lazy(Q)[lazy(Q)[:, 0] > 0], lazy(V, 5, 2)),
        ArgumentError,
        r"must have equally many blocks, found q \(\(nan, nan, nan\),\), v \(\(5, 5\),\); call",
    ),
    "complex": (lambda: ROBOT.mass_matrix(lazy(Q * 1j)), TypeError, "must be real float64 or"),
    "missing": (lambda: ROBOT.bias_forces(lazy(Q)), TypeError, "argument 'v' is missing"),
    "nothing": (lambda: ROBOT.bias_forces(lazy(Q), None), TypeError, "'v' must be real float64"),
    "out": (
        lambda: ROBOT.mass_matrix(lazy(Q), out=Q),
        TypeError,
        "'out' is an option for NumPy arrays",
    ),
    "axes": (
        lambda: ROBOT.mass_matrix(lazy(Q), axes=[(0,), (0, 1)]),
        TypeError,
        "'axes' is an option",
    ),
    "dtype": (lambda: ROBOT.mass_matrix(lazy(Q), dtype=int), ArgumentError, "dtype must be float"),
    "name": (lambda: ROBOT.mass_matrix(lazy(Q), x=lazy(Q)), TypeError, "takes no 'x'; valid names"),
    "delayed": (
        lambda: ROBOT.mass_matrix(dask.delayed(np.zeros)(2)),
        TypeError,
        r"argument 'q' \(Delayed\) is a delayed value; pass dask\.array\.from_delayed",
    ),
    "list": (
        lambda: ROBOT.mass_matrix([lazy(Q[0], 2), lazy(Q[1], 2)]),
        TypeError,
        r"argument 'q' .* is lazy; .* one array of the whole list, with dask.array.st",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_at_the_call(case: str) -> None:
    call, error, message = REFUSED[case]
    with pytest.raises(error, match=f"(?s){message}"):
        call()


CLOSED = mechanism("five_bar")


@pytest.mark.parametrize("name", ["gap", "assemble", "track", "report"])
def test_mechanisms_that_need_values_say_so(name: str) -> None:
    q = lazy(CLOSED.reference[None].repeat(4, 0))
    with pytest.raises(TypeError, match=rf"five_bar.closed\(\)\.{name}: argument 'q' .*map_blocks"):
        getattr(CLOSED, name)(q)


def test_tables_and_bags_of_dask_are_refused() -> None:
    bag: Any = pytest.importorskip("dask.bag")
    with pytest.raises(TypeError, match=r"\(Bag\) is a bag; pass an array"):
        ROBOT.mass_matrix(bag.from_sequence([1.0]))
    frames: Any = pytest.importorskip("dask.dataframe")
    table = frames.from_dict({"a": [0.1, 0.2], "b": [0.3, 0.4]}, npartitions=1)
    with pytest.raises(TypeError, match=r"a table; .*to_dask_array\(lengths=True\)"):
        ROBOT.mass_matrix(table)
    with pytest.raises(TypeError, match=r"a column; .*to_dask_array\(lengths=True\)"):
        ROBOT.mass_matrix(table["a"])
    q = table.to_dask_array(lengths=True)
    same(ROBOT.mass_matrix(q), ROBOT.mass_matrix(np.array([[0.1, 0.3], [0.2, 0.4]])))
    few = table.to_dask_array()
    same(ROBOT.mass_matrix(few), ROBOT.mass_matrix(np.array([[0.1, 0.3], [0.2, 0.4]])))


_PLANNED = """
import dask.array as da, numpy as np, jounce
robot, x = jounce.load("planar_2r"), np.ones((5, 2))
q = da.from_array(x, chunks=(2, 1))
assert "_array_expr" in type(q).__module__
for found, truth in zip(
    (robot.mass_matrix(q), robot.potential_energy(q), *robot.step(q, x, q, 0.1)),
    (robot.mass_matrix(x), robot.potential_energy(x), *robot.step(x, x, x, 0.1)),
    strict=True,
):
    assert found.shape == truth.shape
    assert np.array_equal(found.compute(scheduler="synchronous"), truth)
"""


def test_where_dask_plans_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """An experiment of Dask's, whose arrays are other ones."""
    monkeypatch.setenv("DASK_ARRAY__QUERY_PLANNING", "True")
    done = subprocess.run([sys.executable, "-c", _PLANNED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_is_given_is_taken_as_it_is_now() -> None:
    """Whatever becomes of arrays without batch axes until the result is computed."""
    robot = jounce.load("planar_2r")
    q = np.random.default_rng(0).normal(size=(6, 2))
    lazy, v, found = da.from_array(q, chunks=(3, 2)), np.zeros(2), []
    for k in range(3):
        v[:] = k
        found.append(robot.inverse_dynamics(lazy, v, lazy))
    for k, tau in enumerate(found):
        np.testing.assert_array_equal(tau.compute(), robot.inverse_dynamics(q, np.full(2, k), q))


def test_blocks_of_unknown_size_that_differ_are_refused() -> None:
    """Also where one of them has one row, which would broadcast."""
    robot = jounce.load("planar_2r")
    q = da.from_array(np.random.default_rng(0).normal(size=(7, 2)), chunks=(3, 2))
    kept = da.from_array(np.array([1, 0, 0, 1, 1, 1, 1], dtype=bool), chunks=3)
    tau = robot.inverse_dynamics(q[kept], q, q)
    with pytest.raises(ArgumentError, match=r"dynamics: paired blocks of unknown size.*1, 3, 3"):
        tau.compute()
    again = robot.inverse_dynamics(q[kept], q[kept], q[kept]).compute()
    assert again.shape == (5, 2)


def test_computing_leaves_limits_of_kernels_alone() -> None:
    quantity = jounce.load("planar_2r").mass_matrix
    quantity.kernel.limit = 1e9
    lazy = quantity(da.zeros((4, 2), chunks=(2, 2)))
    quantity.kernel.limit = 5e8
    lazy.compute()
    assert quantity.kernel.limit == 5e8
