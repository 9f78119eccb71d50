"""Memory of results that are gone serves the next ones; what waits is bounded."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest
from numpy._core.multiarray import get_handler_name

import jounce
from jounce.robot import Robot
from jounce.runtime import recycling
from jounce.runtime.recycling import MAX_BLOCKS, MIN_BLOCK_BYTES, Pool
from support.helpers import quiet_read


@pytest.fixture(scope="module")
def pools() -> Pool:
    """A pool of our own: it stays for ever, as every pool does."""
    return Pool(32 << 20)


@pytest.fixture
def pool(pools: Pool) -> Pool:
    pools.release()
    return pools


def empty(pool: Pool, size: int) -> np.ndarray:
    return pool.call(np.empty, size, np.uint8)


@pytest.mark.parametrize("size", [60_000, 100_001, 1 << 20, 3 << 19, 5_000_000, 9 << 20])
def test_results_do_not_share_memory(pool: Pool, size: int) -> None:
    first = empty(pool, size)
    first[:] = 1
    view, place = first[10:20], first.ctypes.data
    assert place % 64 == 0
    assert first.flags.owndata
    assert first.flags.writeable
    assert (first.base, get_handler_name(first)) == (None, "jounce")
    del first  # the view still needs it
    second = empty(pool, size)
    assert not np.shares_memory(view, second)
    second[:] = 2
    assert (view == 1).all()
    assert pool.free_bytes == 0
    del view
    assert size <= pool.free_bytes <= size + size // 4 + 64
    third = empty(pool, size - size // 16)  # used again, if it is not much too large
    assert third.ctypes.data == place
    fourth = empty(pool, size // 2)
    assert not np.shares_memory(second, fourth)
    third[:] = 3
    assert (second == 2).all()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(third[:5])), [3] * 5)


def test_the_newest_that_fits_is_used_first(pool: Pool) -> None:
    blocks = [empty(pool, size) for size in (100_000, 110_000, 400_000)]
    places = [x.ctypes.data for x in blocks]
    while blocks:
        del blocks[0]
    assert empty(pool, 99_000).ctypes.data == places[1]
    assert empty(pool, 300_000).ctypes.data not in places
    assert empty(pool, 350_000).ctypes.data == places[2]


def test_small_arrays_do_not_wait(pool: Pool) -> None:
    for size in (0, 1, 63, MIN_BLOCK_BYTES - 1024):
        assert empty(pool, size).size == size
    assert pool.free_bytes == 0


def test_what_waits_is_bounded(pool: Pool) -> None:
    blocks = [empty(pool, 10 << 20) for _ in range(5)]
    blocks += [empty(pool, 2 << 20) for _ in range(3)]
    last = blocks[-1].ctypes.data
    while blocks:
        del blocks[0]
        assert pool.free_bytes <= 32 << 20
    assert empty(pool, 2 << 20).ctypes.data == last
    assert empty(pool, 33 << 20).nbytes == 33 << 20  # more than may wait at all
    assert pool.free_bytes <= 32 << 20
    assert pool.release() > 20 << 20
    many = [empty(pool, MIN_BLOCK_BYTES) for _ in range(MAX_BLOCKS + 20)]
    del many
    assert pool.free_bytes == MAX_BLOCKS * MIN_BLOCK_BYTES
    assert pool.release() == MAX_BLOCKS * MIN_BLOCK_BYTES
    assert (pool.free_bytes, pool.release()) == (0, 0)


def test_arrays_can_be_resized_and_cleared(pool: Pool) -> None:
    x = pool.call(np.empty, 20_000)
    x[:] = np.arange(20_000)
    for size in (30_000, 200_000, 190_000, 100, 50_000):
        kept = x[: min(size, x.size)].copy()
        x.resize(size, refcheck=False)
        np.testing.assert_array_equal(x[: kept.size], kept)
        assert not x[kept.size :].any()
    x[:] = 1.0
    del x
    assert not pool.call(np.zeros, (100, 500)).any()


def test_only_the_call_has_the_handler(pool: Pool) -> None:
    def fail() -> None:
        assert get_handler_name() == "jounce"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool.call(fail)
    assert get_handler_name() == "default_allocator"
    found: list[str] = []

    def look() -> None:
        thread = threading.Thread(target=lambda: found.append(get_handler_name()))
        thread.start()
        thread.join()

    pool.call(look)
    assert found == ["default_allocator"]


def test_too_much_memory_is_an_exception(pool: Pool) -> None:
    with pytest.raises(MemoryError):
        empty(pool, 1 << 61)
    assert get_handler_name() == "default_allocator"


def test_threads_may_all_use_it(pool: Pool) -> None:
    wrong: list[int] = []

    def work(k: int) -> None:
        rng = np.random.default_rng(k)
        held: list[np.ndarray] = []
        for _ in range(300):
            x = empty(pool, int(rng.integers(MIN_BLOCK_BYTES, 8 * MIN_BLOCK_BYTES)))
            x[:] = k
            held.append(x)
            if len(held) > 5:
                if not (held[0] == k).all():
                    wrong.append(k)
                del held[0]

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    assert pool.free_bytes <= 32 << 20


@pytest.mark.parametrize("batch", [4000, 300_000])
@pytest.mark.parametrize("char", ["d", "f"])
def test_results_of_calls_are_recycled(batch: int, char: str) -> None:
    robot = Robot(quiet_read("planar_2r"))
    q = robot.random(0, batch).astype(char)
    expected = robot.mass_matrix(q).copy()  # and compiled
    jounce.release_memory()
    first = robot.mass_matrix(q)
    assert get_handler_name(first) == "jounce"
    place, gone = first.ctypes.data, weakref.ref(first)
    del first
    assert gone() is None
    second = robot.mass_matrix(q)
    assert second.ctypes.data == place
    np.testing.assert_array_equal(second, expected)
    strided = np.repeat(q, 2, axis=0)[::2]
    third = robot.mass_matrix(strided)
    assert get_handler_name(third) == "jounce"
    np.testing.assert_array_equal(third, expected)
    assert get_handler_name(robot.mass_matrix(q[:5])) == "default_allocator"
    del second, third
    assert jounce.release_memory() >= 2 * expected.nbytes
    assert recycling.pool().free_bytes == 0


PROGRAMS = {
    # results in reference cycles may be finalised anywhere
    "garbage": """
        class Cycle:
            pass

        def garbage():
            x = Cycle()
            x.itself, x.array = x, pool.call(np.empty, 1 << 20)

        gc.disable()
        for threshold in range(1, 100):
            gc.collect()
            garbage()
            garbage()
            gc.set_threshold(threshold)
            gc.enable()
            pool.call(np.empty, 1 << 20)
            gc.disable()
    """,
    "a forked child": """
        x, y = pool.call(np.ones, 1 << 20), pool.call(np.ones, 1 << 20)
        del y
        if hasattr(os, "fork"):
            child = os.fork()
            if not child:
                z = pool.call(np.zeros, 1 << 20)
                del x, z
                os._exit(0 if pool.release() >= 1 << 24 else 1)
            assert os.waitpid(child, 0)[1] == 0
        assert (x == 1).all()
        assert pool.release() >= 1 << 23
    """,
    "the end of the process": """
        sys.modules["kept"] = kept = [pool.call(np.ones, 1 << 20) for _ in range(5)]
        kept.append(kept)
    """,
}


@pytest.mark.parametrize("what", list(PROGRAMS))
def test_programs_end(what: str) -> None:
    start = """
        import faulthandler, gc, os, sys
        import numpy as np
        from jounce.runtime import recycling

        faulthandler.dump_traceback_later(60, exit=True)
        pool = recycling.pool()
    """
    code = textwrap.dedent(start) + textwrap.dedent(PROGRAMS[what])
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
