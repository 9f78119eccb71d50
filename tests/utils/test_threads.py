"""Limits on threads: each thread of a program has its own, and batches keep to them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.utils import threads
from jounce.utils.threads import limit_threads


@pytest.fixture(autouse=True)
def _four() -> Iterator[None]:
    before = jounce.get_num_threads()
    jounce.set_num_threads(4)
    yield
    jounce.set_num_threads(before)


def test_limits_nest_and_end() -> None:
    with limit_threads(3):
        assert jounce.get_num_threads() == 3
        with limit_threads(np.int64(1)):
            assert jounce.get_num_threads() == 1
        with limit_threads(9):
            assert jounce.get_num_threads() == 3
            jounce.set_num_threads(2)
            assert jounce.get_num_threads() == 2
        jounce.set_num_threads(4)
    assert jounce.get_num_threads() == 4
    with pytest.raises(KeyError), limit_threads(1):
        raise KeyError
    assert jounce.get_num_threads() == 4


def test_limits_are_those_of_a_thread() -> None:
    inside, result = threading.Barrier(2), {}

    def work(n: int) -> None:
        with limit_threads(n):
            inside.wait(60)
            result[n] = jounce.get_num_threads()
            inside.wait(60)

    others = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]
    for thread in others:
        thread.start()
    for thread in others:
        thread.join()
    assert result == {1: 1, 2: 2}
    assert jounce.get_num_threads() == 4


def test_batches_keep_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    robot, seen = jounce.load("planar_2r"), []
    real = threads.map_slices

    def watch(n: int, count: int, work: Any) -> Any:
        def note(part: slice) -> Any:
            seen[-1].append(jounce.get_num_threads())
            return work(part)

        seen.append([])
        return real(n, count, note)

    monkeypatch.setattr(threads, "map_slices", watch)
    robot.mass_matrix.kernel.compile("d").large = 1
    q = np.random.default_rng(0).normal(size=(500, 2))
    expected = robot.mass_matrix(q)
    for n in (1, 2):
        with limit_threads(n):
            np.testing.assert_array_equal(robot.mass_matrix(q), expected)
            np.testing.assert_array_equal(robot.mass_matrix(q[None].repeat(4, 0))[3], expected)
    assert seen == [[4] * 4, [1], [1], [2] * 2, [2] * 2]


@pytest.mark.parametrize("n", [0, -1, pytest.param(-(10**5000), id="huge"), 1.5, True, None, "2"])
def test_what_is_no_number_of_threads(n: Any) -> None:
    message = "the number of threads must be a positive integer, found"
    with pytest.raises(ValueError, match=message), limit_threads(n):
        pytest.fail("it was taken")
    with pytest.raises(ValueError, match=message):
        jounce.set_num_threads(n)
    assert jounce.get_num_threads() == 4


@pytest.mark.parametrize("n", [threads.MAX_THREADS + 1, 10**6, 2**63, np.uint64(2**63), 2**64])
def test_more_threads_than_a_machine_can_use_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"at most {threads.MAX_THREADS} on this machine, found"):
        jounce.set_num_threads(n)
    assert jounce.get_num_threads() == 4
    with limit_threads(n):  # an upper limit, which holds
        assert jounce.get_num_threads() == 4


def test_the_largest_number_of_threads_computes_all_samples() -> None:
    robot, q = jounce.load("planar_2r"), np.random.default_rng(0).normal(size=(1000, 2))
    expected = robot.mass_matrix(q)
    robot.mass_matrix.kernel.compile("d").large = 1
    jounce.set_num_threads(threads.MAX_THREADS)
    np.testing.assert_array_equal(robot.mass_matrix(q), expected)


@pytest.mark.parametrize(
    "text", ["1000000", str(2**63), str(2**64), pytest.param("9" * 5000, id="huge")]
)
def test_the_environment_cannot_ask_for_more_either(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_NUM_THREADS", text)
    message = f"JOUNCE_NUM_THREADS must be an integer from 1 to {threads.MAX_THREADS}, found '"
    with pytest.raises(jounce.ArgumentError, match=message):
        threads._default_count()
