"""Batches that go straight to the kernel do what NumPy does with them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.robot import Robot
from jounce.runtime import batches, fastcall, gufunc
from support.helpers import quiet_read

pytestmark = pytest.mark.skipif(not fastcall.is_available(), reason="no shortcut here")


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot(quiet_read("planar_2r"))


class Straight:
    """A quantity, and whether its calls went straight to the kernel."""

    def __init__(self, item: BoundQuantity) -> None:
        self.item = item.warmup()
        if item.definition.optional:
            item(*(np.zeros(x) for x in item.full_kernel.inputs))
        self.slow: list[tuple[Any, ...]] = []
        several = item.returns_tuple or len(item.kernel.outputs) > 1
        names = item.full_kernel.arguments if item.definition.optional else item.kernel.arguments
        shapes = item.full_kernel.inputs if item.definition.optional else item.kernel.inputs
        defaults = {x: item.default_value(x) for x in item.definition.optional}
        inputs = dict(zip(names, shapes, strict=True))
        self.shortcut = fastcall.Shortcut(
            inputs, defaults, item.kernel.outputs, several, self._ordinary
        )
        self.shortcut.serve(item.kernel.compile("d"), full=False)
        if item.definition.optional:
            self.shortcut.serve(item.full_kernel.compile("d"), full=True)
        assert isinstance(self.shortcut.call, BuiltinFunctionType)

    def _ordinary(self, *args: Any, **options: Any) -> Any:
        self.slow.append(args)
        return self.item._evaluate(*args, **options)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.shortcut.call(*args, **options)

    def check(self, *args: Any, straight: bool = True, **options: Any) -> Any:
        """The result, which is NumPy's to the last bit."""
        self.slow.clear()
        wanted = self.item._evaluate(*args, **{k: x for k, x in options.items() if k != "out"})
        found = self(*args, **options)
        assert not self.slow if straight else len(self.slow) == 1
        pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for x, y in pairs:
            assert type(x) is type(y)
            assert (x.shape, x.dtype) == (y.shape, y.dtype)
            np.testing.assert_array_equal(x, y)
        return found


def states(item: BoundQuantity, batch: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.normal(size=(*batch, *shape)) for shape in item.kernel.inputs]


NAMES = ("inverse_dynamics", "mass_matrix", "kinetic_energy", "inverse_dynamics.derivatives")
BATCHES: tuple[tuple[int, ...], ...] = ((), (1,), (7,), (64,), (3, 5), (2, 1, 4), (1, 2, 3, 4))


@pytest.mark.parametrize("name", [*NAMES, "momentum.rates(1)"])
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_batches_go_straight_to_the_kernel(robot: Robot, name: str, batch: tuple[int, ...]) -> None:
    item = robot.quantity(name)
    f, given = Straight(item), states(item, batch)
    found = f.check(*given)
    several = isinstance(found, tuple)
    out = tuple(np.full_like(x, np.nan) for x in (found if several else (found,)))
    if batch or item.kernel.outputs[0]:
        to = out if several else out[0]
        assert f.check(*given, out=to) is to


def test_arguments_without_a_batch_serve_all_samples(robot: Robot) -> None:
    f = Straight(robot.inverse_dynamics)
    q, v, a = states(f.item, (9,))
    f.check(q[0], v, a)
    f.check(q, v[0], a[0])
    f.check(q[0], v[0], a[:1])
    f.check(q[0], v[0], a, out=np.empty((9, 2)))
    f.check(q, v, a, wrenches=np.random.default_rng(0).normal(size=(2, 6)))
    f.check(q, v, a, wrenches=np.random.default_rng(0).normal(size=(9, 2, 6)))
    f.check(q, v=v, a=a, wrenches=None)
    k = Straight(robot.kinetic_energy)
    k.check(q, v[0])


def test_what_is_not_simple_goes_to_numpy(robot: Robot) -> None:
    f = Straight(robot.inverse_dynamics)
    q, v, a = states(f.item, (8,))
    slowly = lambda *args, **options: f.check(*args, straight=False, **options)  # noqa: E731
    slowly(q[::2], v[::2], a[::2])
    slowly(np.asfortranarray(q), v, a)
    slowly(q[:, None], v[None], a[None])
    slowly(q[:1], v, a)
    slowly(q[:0], v[:0], a[:0])
    slowly(q.astype("f"), v.astype("f"), a.astype("f"))
    slowly(q.astype(">f8"), v, a)
    slowly(q.tolist(), v, a)
    slowly(q.reshape(1, 1, 1, 2, 4, 2), *(x.reshape(1, 1, 1, 2, 4, 2) for x in (v, a)))
    slowly(q, v, a, out=np.empty((2, 8)).T)
    assert f(q, v, a, out=np.empty((3, 8, 2))).shape == (3, 8, 2)  # NumPy repeats the samples
    for bad in (np.empty((7, 2)), np.empty((8, 3)), np.empty(2)):
        with pytest.raises(ValueError, match="out must have shape"):
            f(q, v, a, out=bad)
    locked = np.empty((8, 2))
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(q, v, a, out=locked)
    with pytest.raises(ValueError, match="broadcast"):
        f(q, v[:7], a)


def test_results_on_top_of_arguments_are_numpys_matter(robot: Robot) -> None:
    f = Straight(robot.inverse_dynamics)
    for part in (slice(0, 8), slice(1, 9), slice(4, 12)):
        room = np.random.default_rng(3).normal(size=(12, 2))
        _, v, a = states(f.item, (8,))
        wanted = f.item.ufunc(room[:8].copy(), v, a)
        f.slow.clear()
        out = room[part]
        assert f(room[:8], v, a, out=out) is out
        assert len(f.slow) == 1
        np.testing.assert_array_equal(out, wanted)
    room = np.random.default_rng(3).normal(size=(16, 2))
    f.check(room[:8], v, a, out=room[8:])
    pair = Straight(robot.momentum.rates(1))
    given, one = states(pair.item, (5,)), np.empty((5, *pair.item.kernel.outputs[0]))
    pair.slow.clear()
    pair(*given, out=(one, one))
    assert len(pair.slow) == 1


@pytest.mark.parametrize("out", [False, True])
def test_numpy_tells_of_invalid_operations(robot: Robot, out: bool) -> None:
    f = Straight(robot.mass_matrix)
    q = np.zeros((40, 2))
    q[17, 1] = np.inf
    options = {"out": np.empty((40, 2, 2))} if out else {}
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
        f(q, **options)
    with np.errstate(invalid="warn"), pytest.warns(RuntimeWarning, match="invalid"):
        f(q, **options)
    with np.errstate(all="ignore"):
        assert np.isnan(f(q, **options)[17]).any()
    assert len(f.slow) == 3
    np.divide(np.ones(1), np.zeros(1), where=[False], out=np.ones(1))
    with np.errstate(all="raise"):  # flags of before do not matter
        f.slow.clear()
        f(np.zeros((40, 2)), **options)
    assert not f.slow


def test_large_batches_take_the_ordinary_way(robot: Robot) -> None:
    f = Straight(robot.mass_matrix)
    kernel = f.item.kernel.compile("d")
    large = kernel.large
    try:
        kernel.large = 2 * 10
        f.check(np.ones((9, 2)))
        f.check(np.ones((10, 2)), straight=False)
    finally:
        kernel.large = large


def test_others_run_meanwhile(robot: Robot) -> None:
    """A long batch lets go of the interpreter lock, whoever holds it then."""
    f = Straight(robot.inverse_dynamics)
    kernel = f.item.kernel.compile("d")
    large, long = kernel.large, kernel.data.lengthy
    kernel.large, kernel.data.lengthy = 1 << 40, 1
    given = states(f.item, (500,))
    wanted, wrong = f.item.ufunc(*given), []

    def work() -> None:
        for _ in range(200):
            if not np.array_equal(f(*given), wanted):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    assert not f.slow
    kernel.large, kernel.data.lengthy = large, long


def test_no_reference_is_lost_or_kept(robot: Robot) -> None:
    f = Straight(robot.inverse_dynamics.derivatives)
    given = states(f.item, (6,))
    big = states(f.item, (3000,))
    out = tuple(np.empty((6, *shape)) for shape in f.item.kernel.outputs)
    bad = [np.full_like(x, np.inf) for x in given]
    calls: list[Callable[[], object]] = [
        lambda: f(*given),
        lambda: f(*given, out=out),
        lambda: f(*big),
        lambda: f(*given[:2], given[2][0]),
    ]
    things = (*given, *big, *bad, *out, out)
    with np.errstate(all="ignore"):
        f(*bad)
        for call in calls:
            call()
        f.slow.clear()
        before = [sys.getrefcount(x) for x in things]
        for call in (*calls, lambda: f(*bad)):
            for _ in range(20):
                call()
    f.slow.clear()
    assert [sys.getrefcount(x) for x in things] == before
    assert all(sys.getrefcount(x) == 3 for x in f(*big))  # the tuple, the loop, the call


# ------------------------------------------------------------------ on several threads


@pytest.fixture
def blocks(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Every batch is a large one of small blocks; whether each was done without NumPy."""
    done: list[bool] = []
    real = batches._in_blocks

    def watched(*args: Any) -> bool:
        done.append(real(*args))
        return done[-1]

    monkeypatch.setattr(batches, "_in_blocks", watched)
    for item in (robot.inverse_dynamics, robot.mass_matrix):
        for char in "fd":
            compiled = item.kernel.compile(char)
            monkeypatch.setattr(compiled, "block", 0)
            monkeypatch.setattr(compiled, "large", 1)
    count = jounce.get_num_threads()
    jounce.set_num_threads(3)
    yield done
    jounce.set_num_threads(count)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 100, 1000])
@pytest.mark.parametrize("char", ["d", "f"])
def test_threads_take_blocks_until_none_is_left(
    robot: Robot, blocks: list[bool], n: int, char: str
) -> None:
    item = robot.inverse_dynamics
    q, v, a = (x.astype(char) for x in states(item, (n,)))
    expected = item.ufunc(q, v, a)
    for _ in range(5):
        np.testing.assert_array_equal(item(q, v, a), expected)
    np.testing.assert_array_equal(item(np.asfortranarray(q), v, a), expected)
    np.testing.assert_array_equal(item(np.repeat(q, 2, axis=0)[::2], v, a), expected)
    np.testing.assert_array_equal(item(q, v[0], a), item.ufunc(q, v[0], a))
    out = np.full((2, n), np.nan, char).T
    assert item(q, v, a, out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert blocks == [True] * 9


def test_numpy_does_what_blocks_cannot(robot: Robot, blocks: list[bool]) -> None:
    item = robot.inverse_dynamics
    q, v, a = states(item, (50,))
    expected = item.ufunc(q, v, a)
    np.testing.assert_array_equal(item(q.astype(">f8"), v, a), expected)
    single = np.empty((50, 2), np.float32)
    item(q, v, a, out=single, casting="same_kind")
    np.testing.assert_array_equal(single, expected.astype("f"))
    np.testing.assert_array_equal(item(q[:, None], v[:, None], a[:, None])[:, 0], expected)
    locked = np.empty((50, 2))
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        item(q, v, a, out=locked)
    q[13] = np.inf
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
        item(q, v, a)
    with np.errstate(invalid="warn"), pytest.warns(RuntimeWarning, match="invalid"):
        assert np.isnan(item(q, v, a)[13]).any()
    assert not any(blocks[-3:])


def test_blocks_without_memory_are_an_exception(
    robot: Robot, blocks: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gufunc, "share", lambda *_: lambda: 1)
    with pytest.raises(MemoryError, match="mass_matrix"):
        robot.mass_matrix(np.ones((40, 2)))
    assert not blocks
