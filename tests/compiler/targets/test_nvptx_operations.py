"""Operations and memory of kernels for GPUs, as the processor runs them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache

import mpmath
import numpy as np
import pytest

from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import ANGLES as SINE_AND_COSINE
from jounce.compiler.graph.ops import ATAN2, DIV, MAXIMUM, MINIMUM, OPS, SIGN, SIN
from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import interpreter, nvptx
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.nvptx.hosted import call, run
from jounce.compiler.targets.nvptx.plan import plan_kernel
from support.machine_code import ANGLES, exactly, sincos_tape, ulps, ulps_allowed, wide_tape

pytestmark = pytest.mark.cuda

DTYPES = {"double": np.float64, "float": np.float32}
BOTH = pytest.mark.parametrize("scalar", list(DTYPES))

#: Bytes of shared memory of a block.
SHARED = 99 << 10


def expected(tape: Tape, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Entries of all results (samples, entries), by the interpreter."""
    with np.errstate(all="ignore"):
        values = interpreter.run(tape, columns)
    n, dtype = len(columns[0]), columns[0].dtype
    return np.stack([np.broadcast_to(np.asarray(x, dtype), n) for x in values], axis=-1)


# ------------------------------------------------------------------ operations

SPECIAL = (0.0, -0.0, 1.0, -2.5, 0.3, 1e-40, -1e-310, 3e38, 1e300, np.inf, -np.inf, np.nan)


def all_operations() -> Tape:
    """Each operation of the package on two inputs."""
    n = len(OPS)
    unary = [OPS[op].arity == 1 for op in range(n)]
    rhs = [0 if x else 1 for x in unary]
    return Tape(2, [], list(range(n)), [0] * n, rhs, list(range(2, 2 + n)))


@BOTH
def test_every_operation_on_every_special_number(scalar: str) -> None:
    tape, dtype = all_operations(), DTYPES[scalar]
    with np.errstate(over="ignore"):
        x, y = np.array(list(itertools.product(SPECIAL, SPECIAL))).T.astype(dtype)
    (found,) = nvptx.compile_hosted(tape, ((), ()), ((len(OPS),),), scalar)(x, y)
    truth = expected(
        expand_operations(tape, "llvm"), (x, y)
    )  # arctangents of two infinities are composed
    for op, row in enumerate(OPS):
        finite = np.isfinite(truth[:, op])
        same = finite & np.isfinite(found[:, op])
        np.testing.assert_array_equal(found[~same, op], truth[~same, op], row.name)
        if op in (ATAN2, *SINE_AND_COSINE, DIV):  # to a few of the last places
            apart = np.abs(found[same, op] - truth[same, op])
            assert (apart <= 4 * np.spacing(np.abs(truth[same, op]))).all(), row.name
        else:
            np.testing.assert_array_equal(found[same, op], truth[same, op], row.name)
        if op not in (MINIMUM, MAXIMUM, SIGN, SIN):  # whose zeros may have either sign
            signs = np.signbit(found[finite, op]), np.signbit(truth[finite, op])
            np.testing.assert_array_equal(*signs, row.name)


@BOTH
def test_arctangents_all_around(scalar: str) -> None:
    dtype, turns = DTYPES[scalar], np.linspace(-np.pi, np.pi, 129)
    length = np.geomspace(1e-20, 1e20, 129)
    y, x = (length * np.sin(turns)).astype(dtype), (length * np.cos(turns)).astype(dtype)
    tape = Tape(2, [], [ATAN2], [0], [1], [2])
    (found,) = nvptx.compile_hosted(tape, ((), ()), ((),), scalar)(y, x)
    exact = np.arctan2(y.astype(float), x.astype(float))
    assert (np.abs(found - exact) <= 4 * np.spacing(np.abs(exact).astype(dtype))).all()


@cache
def angles(dtype: type) -> np.ndarray:
    """Angles of all sizes, up to the largest number."""
    rng = np.random.default_rng(2)
    parts = [np.asarray(make(rng, dtype)) for make in ANGLES.values()]
    parts += [np.array((1e6, -1e15, 1e22, 1e300 if dtype is np.float64 else 1e38))]
    return np.concatenate([x[:: max(len(x) // 250, 1)] for x in parts]).astype(dtype)


@BOTH
def test_sine_and_cosine_to_the_last_places(scalar: str) -> None:
    x = angles(DTYPES[scalar])
    made = nvptx.compile_hosted(sincos_tape(), ((),), ((), ()), scalar)
    for found, function in zip(made(x), (mpmath.sin, mpmath.cos), strict=True):
        assert (ulps(found, exactly(function, x)) <= ulps_allowed(x)).all()
    assert np.isnan(made(np.array((np.inf, -np.inf, np.nan)))).all()


@BOTH
def test_threads_whose_neighbors_have_large_angles(scalar: str) -> None:
    """One of a block that reduces exactly changes nothing for the others."""
    made = nvptx.compile_hosted(sincos_tape(), ((),), ((), ()), scalar)
    x = np.linspace(-3.0, 3.0, 33).astype(DTYPES[scalar])
    mixed = x.copy()
    mixed[::5] = 1e30
    for alone, together in zip(made(x), made(mixed), strict=True):
        keep = mixed == x
        np.testing.assert_array_equal(alone[keep], together[keep])
        assert (alone[~keep] != together[~keep]).all()


# ------------------------------------------------------------------ where samples lie

INPUTS: tuple[Shape, ...] = ((3,), (2, 2), (), (5,))
OUTPUTS: tuple[Shape, ...] = ((4,), (), (0,), (2, 3), (2,), (3,))


def mixed_tape() -> Tape:
    """Results that are computed, inputs, constants, twice the same; an input nobody reads."""
    graph = Graph()
    x, A, s = (graph.inputs_like(shape) for shape in INPUTS[:3])
    graph.inputs_like(INPUTS[3])
    s = s[()]
    y = A @ x[:2]
    first = [y[0], x[1], 2.5, y[1] * s]
    second = [x[2].sin() + s]
    fourth = [y[0], y[0], 0.0, s, s, y[1] - x[0]]
    fifth = [x[0] * s, x[1] * s]
    return record(graph, [*first, *second, *fourth, *fifth, x[0] + s, x[1] + s, x[2] + s])


def random_inputs(n: int, dtype: type) -> list[np.ndarray]:
    rng = np.random.default_rng(n)
    return [rng.normal(size=(n, *shape)).astype(dtype) for shape in INPUTS]


def split(flat: np.ndarray) -> list[np.ndarray]:
    """Entries of all results as arrays."""
    ends = np.cumsum([int(np.prod(shape)) for shape in OUTPUTS])
    parts = np.split(flat, ends[:-1], axis=-1)
    return [x.reshape(len(flat), *shape) for x, shape in zip(parts, OUTPUTS, strict=True)]


def truth(given: Sequence[np.ndarray]) -> list[np.ndarray]:
    n = max(len(x) for x in given)
    columns = [np.broadcast_to(column, n) for x in given for column in x.reshape(len(x), -1).T]
    return split(expected(mixed_tape(), columns))


@cache
def launch_of(scalar: str, threads: int) -> Callable[..., None]:
    plan = plan_kernel(mixed_tape(), INPUTS, OUTPUTS, scalar, SHARED, threads)
    assert plan.threads == threads
    return run(mixed_tape(), INPUTS, OUTPUTS, scalar, plan)


def matches(found: np.ndarray, right: np.ndarray) -> None:
    """Equal but for the rounding of a product that is fused with a sum."""
    tolerance = 4 * np.finfo(found.dtype).eps
    np.testing.assert_allclose(found, right, rtol=tolerance, atol=8 * tolerance)


@BOTH
@pytest.mark.parametrize("threads", [32, 64])
@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65])
def test_results_of_every_sort(n: int, threads: int, scalar: str) -> None:
    given = random_inputs(n, DTYPES[scalar])
    found = call(launch_of(scalar, threads), INPUTS, OUTPUTS, scalar, given)
    assert [x.shape for x in found] == [(n, *shape) for shape in OUTPUTS]
    for ours, right in zip(found, truth(given), strict=True):
        matches(ours, right)
    np.testing.assert_array_equal(found[0][:, 1], given[0][:, 1])
    np.testing.assert_array_equal(found[0][:, 2], 2.5)


@BOTH
def test_no_samples_are_no_launch(scalar: str) -> None:
    given = random_inputs(0, DTYPES[scalar])
    found = call(launch_of(scalar, 32), INPUTS, OUTPUTS, scalar, given)
    assert [x.shape for x in found] == [(0, *shape) for shape in OUTPUTS]


class Memory:
    """Arrays in buffers with other numbers around them: at any place, with any gaps."""

    def __init__(self, arrays: Sequence[np.ndarray], offset: int, gap: int) -> None:
        self.buffers, self.views, self.steps = [], [], []
        for x in arrays:
            size = x[0].size
            step = size + gap
            buffer = np.full(offset + len(x) * step + 8, 7.5, x.dtype)
            view = buffer[offset : offset + len(x) * step].reshape(len(x), step)[:, :size]
            view[:] = x.reshape(len(x), size)
            self.buffers.append(buffer)
            self.views.append(view)
            self.steps.append(step)

    @property
    def pointers(self) -> list[int]:
        return [x.ctypes.data for x in self.views]

    def around(self) -> np.ndarray:
        """The numbers that belong to no array."""
        others = []
        for buffer, view in zip(self.buffers, self.views, strict=True):
            start = (view.ctypes.data - buffer.ctypes.data) // buffer.itemsize
            inside = np.zeros(len(buffer), bool)
            for k in range(len(view)):
                at = start + k * (view.strides[0] // buffer.itemsize)
                inside[at : at + view.shape[1]] = True
            others.append(buffer[~inside])
        return np.concatenate(others)


@BOTH
@pytest.mark.parametrize("gap", [0, 1, 4])
@pytest.mark.parametrize("offset", [0, 1, 3])
@pytest.mark.parametrize("n", [5, 64, 65])
def test_samples_anywhere(n: int, offset: int, gap: int, scalar: str) -> None:
    """Gaps between samples, pointers of any alignment, and nothing is written beside results."""
    dtype = DTYPES[scalar]
    given = Memory(random_inputs(n, dtype), offset, gap)
    results = Memory([np.zeros((n, *shape), dtype) for shape in OUTPUTS], offset, 0)
    launch_of(scalar, 32)(n, [*given.pointers, *results.pointers], given.steps)
    for view, right in zip(results.views, truth(random_inputs(n, dtype)), strict=True):
        matches(view, right.reshape(n, -1))
    assert (results.around() == 7.5).all()
    for view, before in zip(given.views, random_inputs(n, dtype), strict=True):
        np.testing.assert_array_equal(view, before.reshape(n, -1))


@BOTH
@pytest.mark.parametrize("alone", [(0,), (1, 2), (0, 1, 2, 3)])
def test_one_sample_for_all(alone: tuple[int, ...], scalar: str) -> None:
    """A step of nothing."""
    n, dtype = 37, DTYPES[scalar]
    given = random_inputs(n, dtype)
    for k in alone:
        given[k] = given[k][:1]
    steps = [0 if k in alone else x[0].size for k, x in enumerate(given)]
    results = [np.full((n, *shape), np.nan, dtype) for shape in OUTPUTS]
    pointers = [x.ctypes.data for x in (*given, *results)]
    launch_of(scalar, 32)(n, pointers, steps)
    right = truth([np.broadcast_to(x, (n, *x.shape[1:])) for x in given])
    for ours, exact in zip(results, right, strict=True):
        matches(ours, exact)


@BOTH
def test_samples_that_overlap(scalar: str) -> None:
    """A window that moves by one number: a step that is less than a sample."""
    graph = Graph()
    x = graph.inputs_like((4,))
    tape = record(graph, [x[0] + 2.0 * x[3], x[1], x[2] * x[2]])
    plan = plan_kernel(tape, ((4,),), ((3,),), scalar, SHARED, 32)
    series = np.arange(68).astype(DTYPES[scalar])
    found = np.full((65, 3), np.nan, DTYPES[scalar])
    run(tape, ((4,),), ((3,),), scalar, plan)(65, [series.ctypes.data, found.ctypes.data], [1])
    start = np.arange(65.0)
    right = np.stack((3 * start + 6, start + 1, (start + 2) ** 2), axis=-1)
    np.testing.assert_array_equal(found, right)


@BOTH
def test_a_kernel_without_results(scalar: str) -> None:
    tape = Tape(3)
    (found,) = nvptx.compile_hosted(tape, ((3,),), ((0,),), scalar)(np.ones((40, 3)))
    assert found.shape == (40, 0)


@BOTH
def test_a_kernel_without_inputs(scalar: str) -> None:
    tape = Tape(0, [2.0, -0.5], [], [], [], [-1, -2, -1])
    (found,) = nvptx.compile_hosted(tape, (), ((3,),), scalar)()
    np.testing.assert_array_equal(found, [[2.0, -0.5, 2.0]])


@BOTH
def test_many_inputs(scalar: str) -> None:
    """More than any quantity has."""
    n = 70
    graph = Graph()
    xs = [graph.input() for _ in range(n)]
    tape = record(graph, [xs[k] * xs[(k + 1) % n] for k in range(n)])
    rng = np.random.default_rng(0)
    given = [rng.normal(size=33).astype(DTYPES[scalar]) for _ in range(n)]
    found = nvptx.compile_hosted(tape, ((),) * n, ((),) * n, scalar)(*given)
    for k in range(n):
        np.testing.assert_array_equal(found[k], given[k] * given[(k + 1) % n])


@BOTH
@pytest.mark.parametrize("size", [8, 31, 32, 37, 100, 1100])
def test_wide_results_with_repeated_numbers(size: int, scalar: str) -> None:
    """They wait in slots out of order, and their warps look up where."""
    tape, dtype = wide_tape(size), DTYPES[scalar]
    x = np.random.default_rng(size).normal(size=(65, 3)).astype(dtype)
    (found,) = nvptx.compile_hosted(tape, ((3,),), ((size,),), scalar)(x)
    matches(found, expected(tape, list(x.T)))
    np.testing.assert_array_equal(found[:, 3], x[:, 2])


def test_tapes_that_languages_do_not_spell_are_expanded() -> None:
    """What is run is what `expand_operations` gives."""
    tape = Tape(2, [], [ATAN2], [0], [1], [2])
    assert len(expand_operations(tape, "llvm")) > 1
    for given, right in (
        ((1.0, 0.0), np.pi / 2),
        ((0.0, -1.0), np.pi),
        ((-1.0, -1.0), -0.75 * np.pi),
    ):
        (found,) = nvptx.compile_hosted(tape, ((), ()), ((),), "double")(*given)
        assert found == pytest.approx(right, rel=1e-15)
