"""Machine code against the interpreter: every row of the catalog, layouts, dtypes, shortcuts."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import cache, partial
from types import BuiltinFunctionType
from typing import Any

import mpmath
import numpy as np
import psutil
import pytest

from jounce.compiler.targets import interpreter, llvm
from jounce.compiler.targets.llvm import entry, modules, workspace
from jounce.robot import Robot, load
from jounce.runtime import fastcall
from jounce.runtime.kernel import Kernel
from support.helpers import (
    assert_close,
    compiled_tape,
    default_processor,
    interpreted,
    joined,
    named_kernels,
    quiet_read,
    random_arguments,
    small_model,
)
from support.machine_code import (
    ANGLES,
    LAYOUTS,
    TOLERANCE,
    backwards,
    exactly,
    read_only,
    sincos_tape,
    swapped,
    ulps,
    ulps_allowed,
    unaligned,
    wide_tape,
    with_steps,
)

pytestmark = pytest.mark.machine_code

#: The smallest robot has constants among its outputs and hardly any value between segments.
ROBOTS = {"planar_2r": lambda: quiet_read("planar_2r"), "small": small_model}


@cache
def compiled(name: str) -> tuple[Robot, dict[str, Kernel]]:
    robot = Robot(ROBOTS[name]())
    return robot, named_kernels(robot)


def batch_sizes(char: str) -> tuple[int, ...]:
    width = default_processor().width("double" if char == "d" else "float")
    return (0, 1, 2, width - 1, width, width + 1, 1000)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize(
    ("name", "row"), [(name, row) for name in ROBOTS for row in compiled(name)[1]]
)
def test_machine_code_is_the_interpreted_tape(name: str, row: str, char: str) -> None:
    robot, named = compiled(name)
    kernel = named[row]
    kernel.compile(char)
    for n in batch_sizes(char):
        given = random_arguments(kernel, robot, np.random.default_rng(n), (n,))
        given = [x.astype(char) for x in given]
        result = joined(kernel.ufunc(*given), 1)
        assert result.dtype == char
        expected = joined(interpreted(kernel, *(x.astype(float) for x in given)), 1)
        tolerance = TOLERANCE[char]
        if row.startswith(("forward_dynamics", "mass_matrix_inverse")):
            # both solve with M and lose digits in proportion to its condition number
            M = interpreted(named["mass_matrix"], given[0].astype(float))
            tolerance *= 1.0 + np.linalg.cond(M).max(initial=0.0)
        assert_close(result, expected, tolerance, f"{row}, {n} samples", floor=1e-3)


@pytest.mark.parametrize("char", ["d", "f"])
def test_constant_outputs_survive_packing(char: str) -> None:
    """The last block of an input overhangs its slots; constants must not lie under it."""
    robot = load("planar_2r")
    q = np.zeros((100, 2), char)
    base, tool = robot.frame("base"), robot.frame("tool")
    np.testing.assert_array_equal(base.pose(q), np.broadcast_to(np.eye(4, dtype=char), (100, 4, 4)))
    for n in range(1, 100):
        np.testing.assert_array_equal(tool.pose(q[:n])[:, 3], np.tile((0, 0, 0, 1), (n, 1)))
        np.testing.assert_array_equal(robot.mass_matrix(q[:n])[:, 1, 1], np.ones(n))


# ------------------------------------------------------------------ layouts


#: Rows with vectors, matrices and wrenches among their operands.
MOVED = ("inverse_dynamics+", "external_forces", "mass_matrix", "forward_dynamics")


def moved_kernel(row: str, char: str) -> tuple[Kernel, list[np.ndarray], np.ndarray]:
    robot, named = compiled("small")
    kernel = named[row]
    kernel.compile(char)
    given = random_arguments(kernel, robot, np.random.default_rng(7), (19,))
    given = [np.ascontiguousarray(x, char) for x in given]
    return kernel, given, kernel.ufunc(*given)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("row", MOVED)
@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_any_layout_gives_the_same_bits(layout: str, row: str, char: str) -> None:
    kernel, given, expected = moved_kernel(row, char)
    change = LAYOUTS[layout]
    np.testing.assert_array_equal(kernel.ufunc(*map(change, given)), expected)
    for k in range(len(given)):  # one argument alone
        some = [change(x) if i == k else x for i, x in enumerate(given)]
        np.testing.assert_array_equal(kernel.ufunc(*some), expected)
    if layout not in ("read only", "byte order"):
        out = change(np.full_like(expected, np.nan))
        assert kernel.ufunc(*given, out=out) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("row", MOVED)
def test_single_samples_have_the_bits_of_a_batch(row: str, char: str) -> None:
    kernel, given, expected = moved_kernel(row, char)
    for k in range(len(expected)):
        np.testing.assert_array_equal(kernel.ufunc(*(x[k] for x in given)), expected[k])
        np.testing.assert_array_equal(kernel.ufunc(*(x[k:] for x in given)), expected[k:])


@pytest.mark.parametrize("row", MOVED)
def test_strides_of_zero(row: str) -> None:
    kernel, given, expected = moved_kernel(row, "d")
    same = [np.broadcast_to(x[3], x.shape) for x in given]
    assert all(x.strides[0] == 0 for x in same)
    result = kernel.ufunc(*same)
    np.testing.assert_array_equal(result, np.broadcast_to(expected[3], expected.shape))
    flat = [np.broadcast_to(x.dtype.type(0.5), x.shape) for x in given]  # within the core, too
    np.testing.assert_array_equal(kernel.ufunc(*flat), kernel.ufunc(*(x.copy() for x in flat)))


@pytest.mark.parametrize("row", MOVED)
def test_leading_axes_broadcast(row: str) -> None:
    kernel, given, _ = moved_kernel(row, "d")
    batches = [(4, 1, 3), (2, 1), (3,), ()]
    some = []
    for k, x in enumerate(given):
        batch = batches[k % len(batches)]
        some.append(x[: int(np.prod(batch))].reshape(*batch, *x.shape[1:]))
    batch = np.broadcast_shapes(*batches[: len(given)])
    full = [
        np.broadcast_to(x, batch + core).reshape(-1, *core).copy()
        for x, core in zip(some, kernel.inputs, strict=True)
    ]
    expected = kernel.ufunc(*full).reshape(*batch, *kernel.outputs[0])
    np.testing.assert_array_equal(kernel.ufunc(*some), expected)
    empty = kernel.ufunc(*(x[:0] for x in given))
    assert empty.shape == (0, *kernel.outputs[0])


def test_results_may_replace_arguments() -> None:
    """Whatever `out` shares with the arguments, they are read before it is written."""
    robot = load("planar_2r")
    rng = np.random.default_rng(1)
    for n in (1, 2, 7, 8, 9, 100):
        q, v, a = robot.random(rng, n), *rng.normal(size=(2, n, 2))
        expected = robot.inverse_dynamics(q, v, a)
        for k in range(3):
            given = [x.copy() for x in (q, v, a)]
            assert robot.inverse_dynamics(*given, out=given[k]) is given[k]
            np.testing.assert_array_equal(given[k], expected)
        for shift in (-1, 1):  # one sample further
            memory = np.zeros((n + 1, 2))
            source, out = (memory[1:], memory[:-1]) if shift < 0 else (memory[:-1], memory[1:])
            source[...] = a
            robot.inverse_dynamics(q, v, source, out=out)
            np.testing.assert_array_equal(out, expected)
        memory = q[::-1].copy()
        robot.inverse_dynamics(memory[::-1], v, a, out=memory)
        np.testing.assert_array_equal(memory, expected)


# ------------------------------------------------------------------ dtypes


def test_dtypes() -> None:
    robot = load("planar_2r")
    q, v, a = np.array([[1, 2], [0, -1]]), np.array([[3, -1], [1, 1]]), np.array([[0, 1], [2, -3]])
    tau = robot.inverse_dynamics
    double = tau(*(x.astype("d") for x in (q, v, a)))
    single = tau(*(x.astype("f") for x in (q, v, a)))
    assert (double.dtype, single.dtype) == (np.float64, np.float32)
    assert_close(single, double, 1e-6)
    for char in "liLI":  # 32 bits of integer fit a double only
        result = tau(*(x.astype(char) if char in "li" else abs(x).astype(char) for x in (q, v, a)))
        assert result.dtype == np.float64
    np.testing.assert_array_equal(tau(q, v, a), double)
    np.testing.assert_array_equal(tau(q.tolist(), v.tolist(), a.tolist()), double)
    np.testing.assert_array_equal(tau(tuple(map(tuple, q.tolist())), v, a.astype("d")), double)
    np.testing.assert_array_equal(tau(q.astype("f"), v.astype("d"), a), double)
    np.testing.assert_array_equal(tau(q.astype("f"), v.astype("f"), a), double)
    for char in "bhe":  # float32 is for those who pass it
        result = tau(*(x.astype(char) for x in (q, v, a)))
        assert result.dtype == np.float64
        np.testing.assert_array_equal(result, double)
    np.testing.assert_array_equal(
        tau(q.astype("f"), v.astype("f"), a.astype("f"), dtype="d"), double
    )


def test_dtype_of_out() -> None:
    robot = load("planar_2r")
    q = np.array([0.3, -0.2])
    M = robot.mass_matrix(q)
    out = np.empty((2, 2), np.float32)
    assert robot.mass_matrix(q, out=out) is out  # as NumPy's functions: same kind
    np.testing.assert_array_equal(out, M.astype("f"))
    wide = np.empty((2, 2))
    robot.mass_matrix(q.astype("f"), out=wide)
    np.testing.assert_array_equal(wide, robot.mass_matrix(q.astype("f")))
    with pytest.raises(TypeError, match="out must have a dtype that holds float64, found int64"):
        robot.mass_matrix(q, out=np.empty((2, 2), int))


@pytest.mark.parametrize("derivative", ["dt", "dtt"])
def test_derivatives_of_wrenches_left_out_do_not_change_the_dtype(derivative: str) -> None:
    robot = load("planar_2r")
    item = getattr(robot.inverse_dynamics, derivative)
    state = np.zeros((len(item.kernel.arguments), 2), np.float32)
    result = item(*state, wrenches=np.ones((2, 6), np.float32))
    assert result.dtype == np.float32


# ------------------------------------------------------------------ what is not a number


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [*MOVED, "mass_matrix_inverse", "kinetic_energy", "pose"])
def test_a_bad_sample_stays_alone(row: str, bad: float, char: str) -> None:
    kernel, given, expected = moved_kernel(row, char)
    for k in range(len(given)):
        for sick in (0, 5, 18):
            some = [x.copy() for x in given]
            some[k][sick] = bad
            with np.errstate(all="ignore"):
                result = kernel.ufunc(*some)
            healthy = np.arange(19) != sick
            np.testing.assert_array_equal(result[healthy], expected[healthy])
            if k == 0:
                assert np.isnan(result[sick]).any()


def test_bad_numbers_follow_errstate() -> None:
    robot = load("planar_2r")
    q = np.array([[0.1, 0.2], [0.1, np.inf]])
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
        robot.mass_matrix(q)
    with pytest.warns(RuntimeWarning, match="invalid"):
        robot.mass_matrix(q)
    with np.errstate(invalid="ignore"):
        assert np.isnan(robot.mass_matrix(q)[1]).any()


# ------------------------------------------------------------------ sine and cosine


def sincos(char: str, **target: int) -> np.ufunc:
    return compiled_tape(sincos_tape(), ((),), ((), ()), char, **target)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("angles", list(ANGLES))
def test_sine_and_cosine_to_the_last_places(angles: str, dtype: type) -> None:
    x = np.asarray(ANGLES[angles](np.random.default_rng(2), dtype)).astype(dtype)
    s, c = host_sincos(np.dtype(dtype).char)(x)
    assert (ulps(s, exactly(mpmath.sin, x)) <= ulps_allowed(x)).all()
    assert (ulps(c, exactly(mpmath.cos, x)) <= ulps_allowed(x)).all()


@cache
def host_sincos(char: str) -> np.ufunc:
    return sincos(char)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sine_and_cosine_of_infinities(dtype: type) -> None:
    rng = np.random.default_rng(3)
    f = host_sincos(np.dtype(dtype).char)
    x = rng.uniform(-1e7, 1e7, 100).astype(dtype)
    clean = f(x)
    sick = rng.permutation(100)[:30]
    x[sick] = np.resize((np.inf, -np.inf, np.nan), 30)
    with np.errstate(invalid="ignore"):
        found = f(x)
    healthy = np.isfinite(x)
    for result, expected in zip(found, clean, strict=True):
        assert np.isnan(result[sick]).all()
        np.testing.assert_array_equal(result[healthy], expected[healthy])


@pytest.mark.parametrize("vector_bytes", [16, 32])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sine_and_cosine_on_narrow_vectors(dtype: type, vector_bytes: int) -> None:
    rng = np.random.default_rng(4)
    parts = [ANGLES[name](rng, dtype)[:500] for name in ("turns", "large", "huge", "denormal")]
    x = np.concatenate(parts).astype(dtype)
    char = np.dtype(dtype).char
    narrow, wide = sincos(char, vector_bytes=vector_bytes)(x), host_sincos(char)(x)
    np.testing.assert_array_equal(narrow, wide)


# ------------------------------------------------------------------ the processor


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("vector_bytes", [16, 32])
@pytest.mark.parametrize("row", ["inverse_dynamics+", "mass_matrix", "joint_friction"])
def test_vector_widths(row: str, vector_bytes: int, char: str) -> None:
    robot, named = compiled("small")
    kernel = named[row]
    shapes = kernel.inputs, kernel.outputs
    ufunc = compiled_tape(kernel.tape, *shapes, char, vector_bytes=vector_bytes)
    kernel.compile(char)
    width = vector_bytes // np.dtype(char).itemsize
    for n in (0, 1, width - 1, width, width + 1, 5 * width + 2):
        given = random_arguments(kernel, robot, np.random.default_rng(n), (n,))
        given = [x.astype(char) for x in given]
        expected = kernel.ufunc(*given)
        found = ufunc(*given)
        # narrow vectors have fewer registers: other products meet their sums in one
        assert_close(found, expected, 1e-13 if char == "d" else 2e-5)
        out = np.asfortranarray(np.full_like(expected, np.nan))
        np.testing.assert_array_equal(ufunc(*map(with_steps, given), out=out), found)


def test_large_workspaces_lie_on_the_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    robot, named = compiled("planar_2r")
    kernel = named["inverse_dynamics"]
    kernel.compile("d")
    monkeypatch.setattr(workspace, "STACK_BYTES", 0)
    ufunc = compiled_tape(kernel.tape, kernel.inputs, kernel.outputs)
    for n in (0, 1, 100):
        given = random_arguments(kernel, robot, np.random.default_rng(n), (n,))
        np.testing.assert_array_equal(ufunc(*given), kernel.ufunc(*given))


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("size", [31, 32, 33, 37, 40, 63, 64, 65, 100, 129])
def test_results_too_large_for_the_cache(
    size: int, char: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows streamed past the cache are the same, wherever they begin, and nothing around them."""
    tape = wide_tape(size)
    expected_of = compiled_tape(tape, ((3,),), ((size,),), char, vector_bytes=16)
    monkeypatch.setattr(entry, "UNCACHED_BYTES", 0)
    streamed = compiled_tape(tape, ((3,),), ((size,),), char)
    per_line = 64 // np.dtype(char).itemsize
    for n in (1, 7, 8, 9, 16, 17, 50):
        x = np.random.default_rng(n).normal(size=(n, 3)).astype(char)
        expected = expected_of(x)
        np.testing.assert_array_equal(streamed(x), expected)
        memory = np.empty((n + 2) * size + 4 * per_line, char)
        first = -memory.ctypes.data % 64 // memory.itemsize + per_line
        for shift in range(per_line):
            memory[:] = -123.0
            place = slice(first + shift, first + shift + n * size)
            streamed(x, out=memory[place].reshape(n, size))
            np.testing.assert_array_equal(memory[place].reshape(n, size), expected)
            memory[place] = -123.0
            assert (memory == -123.0).all()
        apart = np.full((n, size + 3), -123.0, char)  # rows that are not adjacent
        streamed(x, out=apart[:, 1:-2])
        np.testing.assert_array_equal(apart[:, 1:-2], expected)
        assert (apart[:, (0, -2, -1)] == -123.0).all()
        backwards = np.empty((n, size), char)
        streamed(x, out=backwards[::-1])
        np.testing.assert_array_equal(backwards[::-1], expected)


def test_memory_does_not_grow() -> None:
    robot = load("planar_2r")
    q, out = np.zeros((16, 2)), np.empty((16, 2, 2))
    one, one_out = np.zeros(2), np.empty((2, 2))

    def calls(n: int) -> None:
        for _ in range(n):
            robot.mass_matrix(q)
            robot.mass_matrix(q, out=out)
            robot.mass_matrix(one, out=one_out)
            robot.mass_matrix(q=one, out=one_out)
            robot.mass_matrix(one)
        for _ in range(n // 20):
            with pytest.raises(ValueError, match="shape"):
                robot.mass_matrix(one[:1], out=one_out)
            robot.mass_matrix(q=[0.0, 0.0])

    calls(500)
    counts = [sys.getrefcount(x) for x in (q, out, one, one_out, robot.mass_matrix)]
    process = psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    calls(10_000)
    gc.collect()
    assert process.memory_info().rss - before < 2**20
    assert counts == [sys.getrefcount(x) for x in (q, out, one, one_out, robot.mass_matrix)]


# ------------------------------------------------------------------ the shortcut for single samples


class Subclass(np.ndarray):
    """An array type that NumPy hands through."""


def outcome(call: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, Any]:
    """What a call returns, or what kind of error it raises."""
    try:
        with np.errstate(all="ignore"):
            return call(*args, **options), None
    except (TypeError, ValueError) as error:
        return None, TypeError if isinstance(error, TypeError) else ValueError


@cache
def fast_robot() -> Robot:
    robot = compiled("small")[0]
    for row in ("inverse_dynamics", "mass_matrix", "kinetic_energy", "external_forces"):
        getattr(robot, row).warmup()
    return robot


@pytest.mark.parametrize(
    "row", ["inverse_dynamics", "mass_matrix", "kinetic_energy", "external_forces"]
)
def test_shortcut_gives_the_bits_of_the_ordinary_call(row: str) -> None:
    robot = fast_robot()
    item = getattr(robot, row)
    assert fastcall.is_available()
    assert isinstance(item.__call__, BuiltinFunctionType)
    for seed in range(20):
        given = random_arguments(item.kernel, robot, np.random.default_rng(seed))
        expected = item.ufunc(*given)
        out = np.full(item.kernel.outputs[0], np.nan)
        assert item(*given, out=out) is out
        np.testing.assert_array_equal(out, expected)
        alone = item(*given)
        assert type(alone) is type(expected)  # NumPy's scalar, if the core has no axes
        np.testing.assert_array_equal(alone, expected)
    first, second = item(*given), item(*given)
    if isinstance(first, np.ndarray):
        assert not np.shares_memory(first, second)
        assert first.flags.c_contiguous
        assert first.flags.writeable
        assert first.flags.owndata


def test_shortcut_with_numbers_that_are_none() -> None:
    robot = fast_robot()
    q, v, a = random_arguments(robot.inverse_dynamics.kernel, robot, np.random.default_rng(0))
    for bad in (np.nan, np.inf, 1e300, 5e-324):
        for x in (q, v, a):
            x, kept = x, x.copy()
            x[0] = bad
            with np.errstate(all="ignore"):
                expected = robot.inverse_dynamics(q, v, a)
                found = robot.inverse_dynamics(q, v, a, out=np.empty_like(expected))
            np.testing.assert_array_equal(found, expected)
            x[...] = kept


def odd_calls() -> dict[str, Callable[[np.ndarray, np.ndarray], tuple[tuple[Any, ...], dict]]]:
    """Arguments and options for mass_matrix, from a configuration and a place for the result."""
    return {
        "plain": lambda q, out: ((q,), {"out": out}),
        "no out": lambda q, out: ((q,), {}),
        "out is None": lambda q, out: ((q,), {"out": None}),
        "out in a tuple": lambda q, out: ((q,), {"out": (out,)}),
        "out in a list": lambda q, out: ((q,), {"out": [out]}),
        "out twice": lambda q, out: ((q, out), {"out": out}),
        "short q": lambda q, out: ((q[:-1],), {"out": out}),
        "long q": lambda q, out: ((np.append(q, 0.0),), {"out": out}),
        "scalar q": lambda q, out: ((q[0],), {"out": out}),
        "batch of q": lambda q, out: ((np.stack((q, q)),), {"out": np.stack((out, out))}),
        "batch of one": lambda q, out: ((q[None],), {"out": out[None]}),
        "batch of q only": lambda q, out: ((np.stack((q, q)),), {"out": out}),
        "batch of out only": lambda q, out: ((q,), {"out": np.stack((out, out))}),
        "small out": lambda q, out: ((q,), {"out": out[:-1]}),
        "flat out": lambda q, out: ((q,), {"out": out.ravel()}),
        "float32 q": lambda q, out: ((q.astype("f"),), {"out": out}),
        "float32 out": lambda q, out: ((q,), {"out": out.astype("f")}),
        "integer q": lambda q, out: ((q.astype(int),), {"out": out}),
        "integer out": lambda q, out: ((q,), {"out": out.astype(int)}),
        "complex q": lambda q, out: ((q + 0j,), {"out": out}),
        "complex out": lambda q, out: ((q,), {"out": out + 0j}),
        "object q": lambda q, out: ((q.astype(object),), {"out": out}),
        "swapped q": lambda q, out: ((swapped(q),), {"out": out}),
        "swapped out": lambda q, out: ((q,), {"out": swapped(out)}),
        "q with steps": lambda q, out: ((with_steps(q),), {"out": out}),
        "out with steps": lambda q, out: ((q,), {"out": with_steps(out)}),
        "reversed q": lambda q, out: ((backwards(q),), {"out": out}),
        "fortran out": lambda q, out: ((q,), {"out": np.asfortranarray(out)}),
        "unaligned q": lambda q, out: ((unaligned(q),), {"out": out}),
        "unaligned out": lambda q, out: ((q,), {"out": unaligned(out)}),
        "read-only q": lambda q, out: ((read_only(q),), {"out": out}),
        "read-only out": lambda q, out: ((q,), {"out": read_only(out)}),
        "subclass q": lambda q, out: ((q.view(Subclass),), {"out": out}),
        "subclass out": lambda q, out: ((q,), {"out": out.view(Subclass)}),
        "subclass, no out": lambda q, out: ((q.view(Subclass),), {}),
        "list q": lambda q, out: ((q.tolist(),), {"out": out}),
        "list out": lambda q, out: ((q,), {"out": out.tolist()}),
        "None q": lambda q, out: ((None,), {"out": out}),
        "text q": lambda q, out: (("q",), {"out": out}),
        "no arguments": lambda q, out: ((), {}),
        "only out": lambda q, out: ((), {"out": out}),
        "too many": lambda q, out: ((q, q, out), {}),
        "too many and out": lambda q, out: ((q, q), {"out": out}),
        "casting": lambda q, out: ((q,), {"out": out, "casting": "no"}),
        "dtype": lambda q, out: ((q,), {"out": out, "dtype": "d"}),
        "order": lambda q, out: ((q,), {"order": "F"}),
        "subok": lambda q, out: ((q.view(Subclass),), {"subok": False}),
        "unknown option": lambda q, out: ((q,), {"out": out, "colour": 1}),
        "another option": lambda q, out: ((q,), {"colour": out}),
    }


@pytest.mark.parametrize("name", list(odd_calls()))
def test_shortcut_stands_aside(name: str) -> None:
    """Called oddly, a quantity does what its gufunc does, error or result."""
    robot = fast_robot()
    item = robot.mass_matrix
    q = random_arguments(item.kernel, robot, np.random.default_rng(1))[0]
    results = []
    for call in (item, item.ufunc):
        args, options = odd_calls()[name](q.copy(), np.full(item.kernel.outputs[0], -1.0))
        value, error = outcome(call, *args, **options)
        written = options.get("out")
        results.append((value, error, written))
        if error is None and isinstance(written, np.ndarray):
            assert value is written
    (value, error, written), (expected, expected_error, expected_written) = results
    assert error is expected_error
    if error is None:
        assert type(value) is type(expected)
        assert value.dtype == expected.dtype
        np.testing.assert_array_equal(value, expected)
    elif isinstance(written, np.ndarray):
        np.testing.assert_array_equal(written, expected_written)  # left alone


def test_shortcut_when_out_shares_memory_with_an_argument() -> None:
    robot = load("planar_2r")
    robot.inverse_dynamics.warmup()
    rng = np.random.default_rng(5)
    expected = robot.inverse_dynamics.ufunc(*(given := rng.normal(size=(3, 2))))
    for k in range(3):
        some = [x.copy() for x in given]
        assert robot.inverse_dynamics(*some, out=some[k]) is some[k]
        np.testing.assert_array_equal(some[k], expected)
    # partly: the result starts inside an argument, and the other way round
    for shift in (0, 1, 2):
        memory = np.zeros(4)
        memory[1:3] = given[1]
        out = memory[shift : shift + 2]
        robot.inverse_dynamics(given[0], memory[1:3], given[2], out=out)
        np.testing.assert_array_equal(out, expected)


def test_shortcut_by_name_and_before_compiling() -> None:
    robot = load("planar_2r")
    out = np.empty((2, 2))
    assert robot.mass_matrix(np.zeros(2), out=out) is out  # compiles
    expected = out.copy()
    assert robot.mass_matrix(q=np.zeros(2), out=out) is out
    np.testing.assert_array_equal(out, expected)
    name = "".join(("o", "u", "t"))  # not the interned word
    assert robot.mass_matrix(np.zeros(2), **{name: out}) is out
    single = load("planar_2r")
    single.mass_matrix.warmup(np.float32)  # the other dtype: still to be compiled
    assert single.mass_matrix(np.zeros(2), out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_shortcut_is_open_to_every_way_of_calling() -> None:
    robot = load("planar_2r")
    item, q, out = robot.mass_matrix, np.zeros(2), np.empty((2, 2))
    expected = item(q)
    for call in (
        item.__call__,
        partial(item, out=out),
        lambda q: item(*[q], **{"out": out}),
        lambda q: next(map(item, [q])),
        lambda q: type(item).__call__.__get__(item)(q, out=out),
    ):
        np.testing.assert_array_equal(call(q), expected)


def test_long_tapes_in_several_modules_give_the_same_numbers(monkeypatch):
    """Segments in object files of their own, found through a table of addresses."""
    robot = Robot(small_model())
    kernel = robot.coriolis_matrix.kernel
    monkeypatch.setattr(modules, "SEGMENT_SIZE", 40)
    monkeypatch.setattr(modules, "SEGMENTS_PER_MODULE", 3)
    scalar, target = "double", default_processor()
    texts = llvm.module_texts(kernel.tape, kernel.inputs, kernel.outputs, scalar, target)
    assert len(texts) > 5
    ufunc = compiled_tape(kernel.tape, kernel.inputs, kernel.outputs, "d")
    rng = np.random.default_rng(3)
    q, v = robot.random(rng, 19), rng.standard_normal((19, robot.nv))
    assert_close(ufunc(q, v), robot.coriolis_matrix(q, v), 1e-13)


@pytest.mark.parametrize("name", ["inverse_dynamics.derivatives", "mass_matrix.rates(1)"])
def test_several_streamed_results_of_a_floating_robot(name, monkeypatch):
    """Rows whose length is no multiple of a vector, in several results, past the cache."""
    robot = load("toro25")
    kernel = robot.quantity(name).kernel
    monkeypatch.setattr(entry, "UNCACHED_BYTES", 0)
    ufunc = compiled_tape(kernel.tape, kernel.inputs, kernel.outputs, "d")
    rng = np.random.default_rng(4)
    batch = 5 * default_processor().width("double")
    arguments = [robot.random(rng, batch)]
    arguments += [rng.standard_normal((batch, robot.nv)) for _ in kernel.arguments[1:]]
    inputs = [x for a in arguments for x in a.T]
    values = iter(interpreter.run(kernel.tape, inputs))
    for result, shape in zip(ufunc(*arguments), kernel.outputs, strict=True):
        flat = [np.broadcast_to(next(values), batch) for _ in range(int(np.prod(shape)))]
        assert_close(result, np.stack(flat, axis=-1).reshape(batch, *shape), 1e-12)
