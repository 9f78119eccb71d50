"""Leaves on threads: bars that move with every chunk, and an end that does not wait for leaves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import DataError
from jounce.studies import engines, study
from jounce.studies.problem import CHUNK_BYTES, Problem, State
from jounce.studies.reducers import Moments

#: Chunks of a leaf, and samples that make it so many.
_CHUNKS = 4000
_LONG = _CHUNKS * 512 * (1 << 14)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The chunks that were begun, in order."""
    found: list[int] = []
    whole = Problem.drawn

    def noted(self: Problem, chunk: int) -> np.ndarray:
        found.append(chunk)
        return whole(self, chunk)

    monkeypatch.setattr(Problem, "drawn", noted)
    return found


def _study(samples: int, threads: int) -> jounce.studies.Study:
    robot = jounce.load("planar_2r")
    point = ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0])
    return study(robot, point, vary={"mass": "5%"}, samples=samples, sobol=False, threads=threads)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_bars_move_with_every_chunk(monkeypatch, threads):
    seen = []

    def watched(items: Any, words: str, **options: Any) -> Iterator[Any]:
        for item in items:
            yield item
            seen.append((item, words, threading.current_thread() is threading.main_thread()))

    monkeypatch.setattr(engines, "track", watched)
    found = _study(30 * (1 << 14), threads)
    assert len(found.problem.leaves) == 8
    assert seen == [(k, "study of 491520 samples", True) for k in range(30)]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_leaves_between_chunks(monkeypatch, drawn, threads):
    def interrupted(items: Any, words: str, **options: Any) -> Iterator[Any]:
        yield from (0, 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(engines, "track", interrupted)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        _study(_LONG, threads)
    assert threading.active_count() == before
    assert len(drawn) < _CHUNKS // 2


def test_an_error_in_one_leaf_ends_the_others(monkeypatch, drawn):
    noted = Problem.drawn

    def broken(self: Problem, chunk: int) -> np.ndarray:
        if chunk == _CHUNKS:  # the first of the second leaf
            raise DataError("its first chunk is broken")
        return noted(self, chunk)

    monkeypatch.setattr(Problem, "drawn", broken)
    with pytest.raises(DataError, match="its first chunk is broken"):
        _study(_LONG, 2)
    assert _CHUNKS - 1 not in drawn  # the last of the first one


def test_fewer_threads_work_at_once_where_memory_is_scarce(monkeypatch):
    sizes = []

    class Crew(engines._Crew):
        def __init__(self, problem: Problem, places: Any) -> None:
            sizes.append(len(places))
            super().__init__(problem, places)

    monkeypatch.setattr(engines, "_Crew", Crew)
    samples = 30 * (1 << 14)
    one = _study(samples, 1)
    state = 8.0 * one.problem.numbers
    held = [x for part in vars(State(one.problem)).values() for x in vars(part).values()]
    there = sum(x.nbytes for x in held if isinstance(x, np.ndarray))
    assert 0.9 * state < there < 1.2 * state
    merged = state * (len(one.problem.leaves).bit_length() + 1)
    for threads, expected in ((1.5, []), (3.5, [3]), (np.inf, [5])):
        sizes.clear()
        free = 2.0 * (merged + threads * (state + CHUNK_BYTES))
        monkeypatch.setattr(engines, "available", lambda free=free: free)
        found = _study(samples, 5)
        assert sizes == expected
        np.testing.assert_array_equal(found.mean, one.mean)


def test_blocks_are_large_enough_for_sums_of_many_values(monkeypatch):
    """Adding to covariances takes longer than computing those of one or two samples."""
    robot = jounce.load("toro25")
    q, v = np.tile(robot.neutral(), (300, 1)), np.ones((300, robot.nv))
    sizes = []
    whole = Moments.add
    monkeypatch.setattr(Moments, "add", lambda self, x: (sizes.append(len(x)), whole(self, x)))
    study(robot, (q, v, v), vary={"mass": "5%"}, samples=100, sobol=False, threads=1)
    assert sizes == [32, 32, 32, 4]
