"""Calls do what the printed signature says: every quantity, every derivative, every way to call.

Which argument ends up where is a matter of names and shapes alone, so most tests here put a formula
in the place of a quantity's own that shows it: each result is a weighted sum over all arguments.
"""

from __future__ import annotations

import copy
import ctypes
import functools
import gc
import inspect
import pickle
import pydoc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.differentiable import DifferentiableQuantity, Rates
from jounce.arrays.tables import Quantities
from jounce.catalog.derivative import derivative_names
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import AnyQuantity, redefine
from jounce.compiler.targets.inner_loop import InnerLoop
from jounce.errors import ModelError
from jounce.robot import Robot
from jounce.runtime import fastcall, gufunc, recycling
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.kernel import Kernel
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import quiet_read, with_frames
from support.robots import random_model

pytestmark = pytest.mark.sweeps

# ------------------------------------------------------------------ all there is


def owner(kind: str, seed: int) -> Quantities:
    """A random robot, or what it offers under a name."""
    if kind.startswith("closed"):
        closed = Robot(quiet_read("four_bar")).closed()
        return closed if kind == "closed" else closed.frame(closed.robot.model.frame_names[-1])
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "prismatic") if seed % 2 else ("cylindrical", "spherical")
    robot = Robot(with_frames(random_model(rng, 2, kinds), rng))
    found = {
        "robot": robot,
        "frame": robot.frame("tool"),
        "parametric": robot.parametric,
        "morphable": robot.morphable,
        "morphable frame": robot.morphable.frame("tool"),
    }
    return found[kind]


OWNERS = ("robot", "frame", "parametric", "morphable", "morphable frame", "closed", "closed frame")


def evaluables(of: Quantities) -> Iterator[BoundQuantity]:
    """Every quantity, every derivative, time derivatives of several orders, and those of these.

    Pushforwards and pullbacks, which everything has, are called in `test_pullbacks`, elastic drives
    in `test_elastic`.
    """
    for name in of.definitions:
        quantity = getattr(of, name)
        if isinstance(quantity, DifferentiableQuantity):
            yield from with_derivatives(quantity)


def with_derivatives(quantity: DifferentiableQuantity) -> Iterator[BoundQuantity]:
    yield quantity
    for order in range(3):
        yield quantity.rates(order)
    for name in derivative_names(quantity.definition):
        if name not in PRODUCTS:
            found = quantity.derivative(name)
            yield found
            if name not in ("dt", "dtt") and isinstance(
                found, DifferentiableQuantity
            ):  # else dt is dtt, dttt
                yield found.dt
                yield found.rates(1)


# ------------------------------------------------------------------ formulas that show arguments


def shown(values: list[Any]) -> Any:
    """A number from which one can tell which argument is which."""
    return sum((k + 1.0) * np.sum(x) for k, x in enumerate(values))


def probe(item: BoundQuantity) -> BoundQuantity:
    """The same quantity, whose results are `shown` of its arguments, plus 0, 1, 2, ..."""
    row: AnyQuantity = item.definition
    outputs = item.kernel.outputs

    def formula(tree: Any, *inputs: Any) -> Any:
        total = shown(list(inputs[:-1] if row.of_frame else inputs))
        results = []
        for r, shape in enumerate(outputs):
            result: Any = total + float(r)
            if shape:
                result = np.full(shape, result, dtype=object)
            results.append(result)
        return results if len(results) > 1 else results[0]

    traits = replace(row.traits, joint_space=False, solves=False)
    changed = redefine(row, formula=formula, traits=traits)
    return type(item)(item.owner_name, changed, item.robot, item.frame_index)


_LOOP = ctypes.CFUNCTYPE(ctypes.c_int, *(ctypes.POINTER(ctypes.c_ssize_t),) * 3, ctypes.c_void_p)


class Code:
    """A loop in Python that does what the formula of `probe` does; nothing is to be compiled."""

    def __init__(self, of: Kernel) -> None:
        self._shapes, self._inputs = (*of.inputs, *of.outputs), len(of.inputs)
        self._loop = _LOOP(self._run)
        self.address = ctypes.cast(self._loop, ctypes.c_void_p).value or 0

    def _run(self, args: Any, dims: Any, steps: Any, data: int) -> int:
        n, at, arrays = dims[0], len(self._shapes), []
        for k, shape in enumerate(self._shapes):
            first = np.ctypeslib.as_array((ctypes.c_double * 1).from_address(args[k]))
            strides = (steps[k], *steps[at : at + len(shape)])
            arrays.append(np.lib.stride_tricks.as_strided(first, (n, *shape), strides))
            at += len(shape)
        assert n == 1
        total = shown(arrays[: self._inputs])
        for r, result in enumerate(arrays[self._inputs :]):
            result[...] = total + r
        return 0


def install(item: BoundQuantity) -> list[Kernel]:
    """Have the kernels of a quantity run `Code`; the shortcut is still to be taken."""
    kernels = [item.kernel, *([item.full_kernel] if item.definition.optional else [])]
    for each in kernels:
        code = Code(each)
        loop = InnerLoop(code.address, code)
        each._compiled["d"] = CompiledKernel("", "", "d", each.inputs, each.outputs, 1, loop)
    return kernels


def whole(rng: np.random.Generator, shape: tuple[int, ...], dtype: str = "d") -> np.ndarray:
    """Whole numbers, which add up exactly in any order and precision."""
    return rng.integers(-4, 5, shape).astype(dtype)


class Probe:
    """A quantity that shows its arguments, numbers for all of them, and what is to come out."""

    def __init__(self, item: BoundQuantity, rng: np.random.Generator) -> None:
        self.item = probe(item)
        row = self.item.definition
        self.names = tuple(map(sys.intern, (*row.arguments, *row.optional)))
        self.needed = len(row.arguments)
        self.shapes = [
            *self.item.kernel.inputs,
            *(self.item.default_value(name).shape for name in row.optional),
        ]
        self.values = [whole(rng, shape) for shape in self.shapes]
        self.several = isinstance(item, Rates) or len(row.shapes) > 1

    def expected(self, given: set[str]) -> float:
        """The first result if these arguments are given."""
        values: list[Any] = []
        for name, x in zip(self.names, self.values, strict=True):
            values.append(x if name in given else self.item.default_value(name))
        pushed = any(name in given for name in self.names[self.needed :])
        return shown(values if pushed else values[: self.needed])

    def check(self, results: Any, given: set[str], batch: tuple[int, ...] = ()) -> None:
        """The results are right, in type, shape and number."""
        assert isinstance(results, tuple) == self.several
        results = results if self.several else (results,)
        outputs = self.item.kernel.outputs
        for r, (found, core) in enumerate(zip(results, outputs, strict=True)):
            assert found.shape == batch + core
            assert type(found) is (np.ndarray if batch + core else np.float64)
            assert np.abs(found - (self.expected(given) + r)).max() < 1e-9

    def outs(self) -> Any:
        """Arrays to write to."""
        arrays = tuple(np.full(shape, np.nan) for shape in self.item.kernel.outputs)
        return arrays if self.several else arrays[0]


def ways(x: Probe, full: bool) -> dict[str, Callable[..., Any]]:
    """Ways to call with all arguments, or with all that are needed."""
    f, values = x.item, x.values if full else x.values[: x.needed]
    names = x.names[: len(values)]
    named = dict(zip(names, values, strict=True))
    return {
        "positional": lambda **o: f(*values, **o),
        "by name": lambda **o: f(**named, **o),
        "backwards": lambda **o: f(**dict(reversed(named.items())), **o),
        "mixed": lambda **o: f(values[0], **dict(zip(names[1:], values[1:], strict=True)), **o),
        "None": lambda **o: f(*values, *[None] * (len(x.names) - len(values)), **o),
        "other words": lambda **o: f(**{"".join(list(k)): v for k, v in named.items()}, **o),
    }


def check_every_way(x: Probe, but: str = "") -> None:
    """All results are right, and nothing is written to an argument."""
    before = [v.copy() for v in x.values]
    for full in (False, True) if len(x.names) > x.needed else (False,):
        given = set(x.names if full else x.names[: x.needed])
        for name, call in ways(x, full).items():
            if name == but:
                continue
            x.check(call(out=None) if name == "positional" else call(), given)
            out = x.outs()
            found = call(out=out)
            if x.several:
                assert all(a is b for a, b in zip(found, out, strict=True))
                x.check(tuple(a[()] for a in out), given)
            else:
                assert found is out
                x.check(out[()], given)
    for value, kept in zip(x.values, before, strict=True):
        np.testing.assert_array_equal(value, kept)


@pytest.mark.parametrize("kind", OWNERS)
def test_arguments_by_position_and_name(kind: str) -> None:
    """Every way, by the ordinary call and then by the shortcut, which then needs no other.

    Once for each list of arguments and results: calls see nothing else of a quantity.
    """

    def slow(*_: Any, **__: Any) -> None:
        raise AssertionError("the ordinary call")

    rng = np.random.default_rng(7)
    lists = {
        (x.arguments, x.optional, x.base, tuple(map(len, x.shapes))): item
        for item in evaluables(owner(kind, 3))
        for x in [item.definition]
    }
    assert len(lists) > 10
    for item in lists.values():
        x = Probe(item, rng)
        kernels = install(x.item)
        check_every_way(x)
        vars(x.item)["_evaluate"] = slow
        for each in kernels:
            x.item._prepare(each, "d")
        assert isinstance(x.item.__call__, BuiltinFunctionType)
        check_every_way(x, but="other words")  # only the ordinary call reads them by letters


@pytest.mark.parametrize("kind", ["robot", "parametric", "closed"])
def test_some_of_the_optional_arguments(kind: str) -> None:
    """Each by itself and all together; the others have their defaults, whole arrays or batches."""
    rng = np.random.default_rng(8)
    of = owner(kind, 5)
    for name in ("inverse_dynamics", "forward_dynamics"):
        quantity = getattr(of, name)
        for item in (
            quantity,
            quantity.dt,
            quantity.rates(2),
            quantity.dq,
            quantity.derivative("dv"),
        ):
            x = Probe(item, rng)
            needed, optional = x.values[: x.needed], dict(zip(x.names, x.values, strict=True))
            for size in range(1, len(x.names) - x.needed + 1):
                for some in combinations(x.names[x.needed :], size):
                    given = {*x.names[: x.needed], *some}
                    pushed = {n: optional[n] for n in some}
                    for _ in range(2):
                        x.check(x.item(*needed, **pushed), given)
                    places = [optional[n] if n in some else None for n in x.names[x.needed :]]
                    x.check(x.item(*needed, *places), given)
                    batch = [np.stack([v] * 3) for v in needed]
                    x.check(x.item(*batch, *places), given, (3,))


def test_batches_single_precision_and_threads() -> None:
    rng = np.random.default_rng(9)
    robot = owner("robot", 4)
    before = jounce.get_num_threads()
    for item in (robot.inverse_dynamics, robot.inverse_dynamics.derivatives, robot.mass_matrix.dt):
        x = Probe(item, rng)
        given = set(x.names)
        batches = [np.stack([v] * 50) for v in x.values]
        kept = [b.copy() for b in batches]
        x.check(x.item(*batches), given, (50,))
        kernels = (
            [x.item.kernel, x.item.full_kernel] if x.item.definition.optional else [x.item.kernel]
        )
        try:
            jounce.set_num_threads(2)
            for each in kernels:
                each.compile("d").large = 1
            x.check(x.item(*batches), given, (50,))
            x.check(x.item(*batches[:1], *x.values[1:]), given, (50,))
        finally:
            jounce.set_num_threads(before)
        for array, old in zip(batches, kept, strict=True):
            np.testing.assert_array_equal(array, old)
        single = [v.astype("f") for v in x.values]
        results = x.item(*single)
        for found in results if x.several else (results,):
            assert found.dtype == np.float32
        np.testing.assert_allclose((results if x.several else (results,))[0], x.expected(given))
        x.check(x.item(*(v.astype("i1") for v in x.values)), given)
        x.check(x.item(*(v.tolist() for v in x.values)), given)


class Accepted(Exception):
    """Arguments are in their places."""


@pytest.mark.parametrize("kind", OWNERS)
def test_what_the_signature_says_is_what_is_accepted(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever `inspect` binds is taken, and nothing else: one too many prints the signature."""

    def accept(*_: Any) -> None:
        raise Accepted

    of = owner(kind, 3)
    monkeypatch.setattr(Kernel, "compile", accept)
    rng = np.random.default_rng(10)
    for item in evaluables(of):
        x = Probe(item, rng)
        shape = inspect.signature(item)
        extra = np.full(item.kernel.outputs[0], -1.0)
        calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
            ((), {}),
            (tuple(x.values[: x.needed - 1]), {}),
            (tuple(x.values), {}),
            ((*x.values, extra), {}),
            ((*x.values, extra, extra), {}),
            (tuple(x.values), {x.names[0]: x.values[0]}),
            (tuple(x.values[: x.needed]), {"colour": extra}),
            (tuple(x.values[: x.needed]), {"out": None, "dtype": None, "order": "K"}),
        ]
        for args, named in calls:
            try:
                shape.bind(*args, **named)
            except TypeError:
                with pytest.raises(TypeError) as raised:
                    x.item(*args, **named)
                if len(args) > len(x.names):
                    assert f"({', '.join(x.names[: x.needed])}" in str(raised.value)
                    assert ", *, out=None" in str(raised.value)
                    assert str(len(args)) in str(raised.value)
            else:
                with pytest.raises(Accepted):
                    x.item(*args, **named)
        assert (extra == -1.0).all()


def test_defaults_may_be_spelled_out() -> None:
    robot = owner("robot", 6)
    for item in (robot.mass_matrix, robot.slotine_li_regressor, robot.inverse_dynamics.dpi):
        x = Probe(item, np.random.default_rng(0))
        named = {
            name: p.default
            for name, p in inspect.signature(item).parameters.items()
            if p.kind is p.KEYWORD_ONLY
        }
        x.check(x.item(*x.values, **named), set(x.names))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("kind", OWNERS)
def test_nothing_is_ever_written_to_an_argument(kind: str, seed: int) -> None:
    """The quantities themselves, compiled: bits of all arguments stay, however they are given."""
    rng = np.random.default_rng(seed)
    for item in evaluables(owner(kind, seed)):
        row = item.definition
        try:
            item.warmup()
        except ModelError as error:  # the frame of a small robot has no inertia in all directions
            if "directions only" not in str(error):
                raise
            continue
        full = len(row.arguments) + len(row.optional) + len(row.shapes) <= 64
        shapes = item.full_kernel.inputs if full else item.kernel.inputs
        values = [rng.normal(size=shape) for shape in shapes]
        kept = [v.copy() for v in values]
        for n in {len(row.arguments), len(values)}:
            for batch in (False, True):
                given = [v[None] for v in values[:n]] if batch else values[:n]
                for _ in range(2):
                    with np.errstate(all="ignore"):
                        item(*given)
                    for value, old in zip(values, kept, strict=True):
                        np.testing.assert_array_equal(value, old)


# ------------------------------------------------------------------ the issue's own example


def test_wrenches_by_position_are_wrenches() -> None:
    """Of a robot with six bodies they have the shape of nothing else, yet were taken as out."""
    rng = np.random.default_rng(0)
    robot = Robot(random_model(rng, 6, ("revolute",)))
    q, v, a = rng.normal(size=(3, 6))
    wrenches = rng.normal(size=(6, 6))
    kept = wrenches.copy()
    expected = robot.inverse_dynamics(q, v, a) - robot.external_forces(q, wrenches)
    for _ in range(2):
        found = robot.inverse_dynamics(q, v, a, wrenches)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(wrenches, kept)
        np.testing.assert_array_equal(found, robot.inverse_dynamics(q, v, a, wrenches=wrenches))
    with pytest.raises(TypeError, match=r"\(q, v, a, wrenches=None, \*, .*\) takes 4 pos"):
        robot.inverse_dynamics(q, v, a, wrenches, np.empty(6))


# ------------------------------------------------------------------ several results


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def bad_outs() -> dict[str, Callable[[tuple[np.ndarray, ...]], Any]]:
    return {
        "an array": lambda out: out[0],
        "a list": list,
        "too few": lambda out: out[:-1],
        "too many": lambda out: (*out, out[0]),
        "wrong order": lambda out: out[::-1],
        "one small": lambda out: (*out[:-1], out[-1][:1]),
        "one locked": lambda out: (*out[:-1], locked(out[-1])),
        "one of integers": lambda out: (*out[:-1], out[-1].astype(int)),
        "one a list": lambda out: (*out[:-1], out[-1].tolist()),
    }


def locked(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


@pytest.mark.parametrize("name", list(bad_outs()))
def test_bad_outs_of_several_results_are_refused(arm: Robot, name: str) -> None:
    """With NumPy's errors or ours, as by the gufunc; and nothing is written."""
    f = arm.inverse_dynamics.derivatives.warmup()
    given = np.random.default_rng(0).normal(size=(3, 2))
    out = tuple(np.full(shape, -1.0) for shape in f.kernel.outputs)
    with pytest.raises((TypeError, ValueError)):
        f(*given, out=bad_outs()[name](out))
    assert all((x == -1.0).all() for x in out)


def test_odd_outs_of_several_results(arm: Robot) -> None:
    f = arm.inverse_dynamics.derivatives.warmup()
    given = np.random.default_rng(0).normal(size=(3, 2))
    expected = f.ufunc(*given)
    out = tuple(np.zeros(shape) for shape in f.kernel.outputs)
    for odd in (
        (None, *out[1:]),
        (*out[:-1], np.asfortranarray(out[-1])),
        (*out[:-1], out[-1].astype("f")),
        (*out[:-1], np.empty((4, 4))[::2, ::2]),
    ):
        for found, wanted in zip(f(*given, out=odd), expected, strict=True):
            np.testing.assert_array_equal(found, wanted.astype(found.dtype))


def test_rates_of_order_zero_are_a_tuple(arm: Robot) -> None:
    q, v = np.random.default_rng(1).normal(size=(2, 2))
    f = arm.kinetic_energy.rates(0)
    for _ in range(2):
        (found,) = f(q, v)
        assert type(found) is np.float64
        assert found == arm.kinetic_energy(q, v)
    out = np.empty(())
    for given in ((out,), out):
        out[...] = np.nan
        (found,) = f(q, v, out=given)
        assert found is out
        assert out == arm.kinetic_energy(q, v)
    (found,) = f(np.stack([q] * 3), v)
    assert found.shape == (3,)


def refused(error: type[Exception], call: Callable[..., Any], *args: Any) -> None:
    with pytest.raises(error):
        call(*args)


def test_no_reference_is_lost_or_kept(arm: Robot) -> None:
    q, v, a = np.random.default_rng(2).normal(size=(3, 2))
    w, f = np.zeros((2, 6)), arm.inverse_dynamics.derivatives
    out = tuple(np.empty(shape) for shape in f.kernel.outputs)
    e = arm.kinetic_energy.rates(1)
    calls: list[Callable[[], object]] = [
        lambda: f(q, v, a),
        lambda: f(q, v, a, w),
        lambda: f(q, v, a, None, out=out),
        lambda: f(q=q, v=v, a=a, wrenches=w, out=out),
        lambda: e(q, v, a),
        lambda: arm.kinetic_energy(q, v),
        lambda: refused(TypeError, f, q, v, a, w, q),
        lambda: refused(ValueError, f, q, v, a, q),
    ]
    things = (q, v, a, w, *out, out, None)
    for call in calls:
        call()
    gc.collect()
    before = [sys.getrefcount(x) for x in things[:-1]]
    for call in calls:
        for _ in range(50):
            call()
    gc.collect()
    assert [sys.getrefcount(x) for x in things[:-1]] == before
    results = f(q, v, a)
    assert all(sys.getrefcount(x) == 3 for x in results)  # the tuple, the loop, the call
    assert all(x.flags.owndata and x.flags.writeable and x.flags.c_contiguous for x in results)
    assert not any(np.shares_memory(x, y) for x, y in zip(results, f(q, v, a), strict=True))


# ------------------------------------------------------------------ the shortcut


def test_numpy_keeps_its_functions_where_its_headers_say() -> None:
    for table, name, place in (
        ("PyArray_API", "PyArray_New", fastcall.NEW_ARRAY),
        ("PyArray_API", "PyArray_Scalar", fastcall.NEW_SCALAR),
        ("PyArray_API", "PyDataMem_SetHandler", recycling.SET_HANDLER),
        ("PyUFunc_API", "PyUFunc_getfperr", gufunc.GET_STATUS),
    ):
        file = "__multiarray_api.h" if table == "PyArray_API" else "__ufunc_api.h"
        header = Path(np.get_include(), "numpy", file).read_text()
        lines = header.split(f"#define {name} \\\n")[1].splitlines()
        assert f"{table}[{place}])" in "".join(lines[:3])


def test_without_the_shortcut_calls_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastcall, "is_available", lambda: False)
    rng = np.random.default_rng(12)
    robot = owner("robot", 3)
    for item in (robot.inverse_dynamics, robot.inverse_dynamics.rates(1), robot.kinetic_energy):
        x = Probe(item, rng)
        for full in (False, True) if len(x.names) > x.needed else (False,):
            for call in ways(x, full).values():
                for _ in range(2):
                    x.check(call(), set(x.names if full else x.names[: x.needed]))
        assert not isinstance(x.item.__call__, BuiltinFunctionType)


def test_too_many_arrays_for_the_shortcut_with_wrenches(arm: Robot) -> None:
    """Orders whose optional arguments do not fit still have it without them."""
    f = arm.inverse_dynamics.rates(20)
    given = np.zeros((len(f.kernel.arguments), 2))
    first, second = f(*given), f(*given)
    assert isinstance(f.__call__, BuiltinFunctionType)
    np.testing.assert_array_equal(first, second)
    with pytest.raises(ValueError, match="choose a lower order"):
        f(*given, np.zeros((2, 6)))


# ------------------------------------------------------------------ looking things up


def test_a_derivative_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Robot(quiet_read("planar_2r"))
    found = robot.inverse_dynamics.dq
    assert vars(robot.inverse_dynamics)["dq"] is found
    assert robot.inverse_dynamics.derivative("dq") is found
    assert robot.quantity("inverse_dynamics.dq") is found

    def never(self: Any, name: str) -> None:
        raise AssertionError(name)

    monkeypatch.setattr(DifferentiableQuantity, "__getattr__", never)
    assert robot.inverse_dynamics.dq is found


def test_nothing_is_made_on_the_way() -> None:
    """Neither the parent's gufunc, nor one for whoever wants only the tape or the text."""
    robot = Robot(quiet_read("planar_2r"))
    q = np.zeros(2)
    robot.inverse_dynamics.dq(q, q, q)
    assert "kernel" not in vars(robot.inverse_dynamics)
    item = robot.mass_matrix
    assert item.lower().operations == len(item.kernel.tape)
    assert not item.kernel._compiled
    assert not item.kernel._calls
    repr(item)
    pydoc.render_doc(item)
    assert not item.kernel._compiled
    assert not item.kernel._calls


def test_threads_look_up_the_same_derivative() -> None:
    robot = Robot(quiet_read("planar_2r"))
    start = threading.Barrier(8)

    def work(_: int) -> tuple[BoundQuantity, ...]:
        start.wait(30)
        f = robot.inverse_dynamics
        return f.dq, f.dpi, f.rates(2), f.dpi.dt

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(8)))) == 1


def test_names_of_derivatives_hide_nothing() -> None:
    for kind in OWNERS:
        for item in evaluables(owner(kind, 3)):
            if isinstance(item, DifferentiableQuantity):
                names = set(derivative_names(item.definition))
                assert not names & {
                    x for x in dir(DifferentiableQuantity) if not x.startswith("__")
                }


# ------------------------------------------------------------------ as Python sees them


def test_quantities_are_ordinary_callables(arm: Robot) -> None:
    q = np.zeros(2)
    for item, given in ((arm.mass_matrix, (q,)), (arm.mass_matrix.dt, (q, q))):
        for _ in range(2):
            assert callable(item)
            assert weakref.ref(item)() is item
            assert inspect.signature(item).parameters.keys() >= {"q", "out"}
            assert copy.copy(item) is item
            again = pickle.loads(pickle.dumps(item))
            assert again is not item
            np.testing.assert_array_equal(again(*given), item(*given))
            wrapped = functools.wraps(item)(lambda *x: item(*x))  # noqa: B023
            assert wrapped.__doc__ == item.__doc__
            assert wrapped.__name__ == item.definition.name
            assert inspect.signature(wrapped) == inspect.signature(item)
            np.testing.assert_array_equal(functools.partial(item)(*given), item(*given))
    kinds = {type(arm.mass_matrix), type(arm.inverse_dynamics), type(arm.frame("tool").pose)}
    assert kinds == {DifferentiableQuantity}
    assert (
        type(arm.mass_matrix.dq) is DifferentiableQuantity
    )  # a derivative is a quantity like any other


def test_quantities_can_be_subclassed(arm: Robot) -> None:
    class Own(DifferentiableQuantity):
        """One with more to say."""

        def twice(self, q: np.ndarray) -> np.ndarray:
            """Two times the value."""
            return 2.0 * self(q)

    item = Own("arm", arm.mass_matrix.definition, arm)
    q = np.ones(2)
    for _ in range(2):
        np.testing.assert_array_equal(item.twice(q), 2.0 * arm.mass_matrix(q))
    assert isinstance(item.__call__, BuiltinFunctionType)


@pytest.mark.parametrize("kind", OWNERS)
def test_help_shows_the_quantitys_own_text(kind: str) -> None:
    for item in evaluables(owner(kind, 3)):
        row = item.definition
        text = pydoc.render_doc(item, renderer=pydoc.plaintext)
        assert row.doc in text
        assert row.equation in text
        assert row.unit in text
        for name in (*row.arguments, *row.optional):
            assert f"{name} (...," in text or f"{name} (...)" in text or f"{name} (..., )" in text
        assert ", *, out=None" in text
        if isinstance(item, DifferentiableQuantity):
            assert all(f".{name}" in text for name in derivative_names(row))
    assert "A quantity of a robot" in str(DifferentiableQuantity.__doc__)
    assert "jounce.arrays.bound_quantity" in pydoc.render_doc(DifferentiableQuantity)


def test_mechanisms_push_on_bodies_and_joints() -> None:
    closed = Robot(quiet_read("four_bar")).closed()
    assert isinstance(closed, Mechanism)
    q = closed.reference
    v, a = np.full((2, closed.nv), 0.5)
    rng = np.random.default_rng(3)
    w, f = rng.normal(size=(closed.robot.nb, 6)), rng.normal(size=closed.robot.nv)
    tau = closed.inverse_dynamics
    for _ in range(2):
        both = tau(q, v, a, w, f)
        np.testing.assert_array_equal(both, tau(q, v, a, joint_forces=f, wrenches=w))
        pushed = tau(q, v, a, None, f) + tau(q, v, a, w) - tau(q, v, a)
        np.testing.assert_allclose(both, pushed, rtol=1e-12, atol=1e-12)
    with pytest.raises(
        TypeError, match=r"wrenches=None, joint_forces=None, \*, out=None, .*\) takes 5"
    ):
        tau(q, v, a, w, f, np.empty(closed.nv))
