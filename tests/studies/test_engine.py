"""The engine of studies on threads: progress, interrupts, errors, memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import DataError
from jounce.studies import engine, study
from jounce.studies.engine import CHUNK_BYTES, MAX_CHUNK, Problem
from jounce.studies.statistics import Statistics

#: Many more chunks than are computed before an end.
_LONG = 10_000 * MAX_CHUNK


@pytest.fixture
def chunks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The chunks that were begun, in order."""
    chunks: list[int] = []
    draw = Problem.draw

    def note(self: Problem, chunk: int) -> np.ndarray:
        chunks.append(chunk)
        return draw(self, chunk)

    monkeypatch.setattr(Problem, "draw", note)
    return chunks


def _study(samples: int, threads: int) -> jounce.studies.Study:
    robot = jounce.load("planar_2r")
    point = ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0])
    return study(robot, point, vary={"mass": "5%"}, samples=samples, sobol=False, threads=threads)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_progress_counts_chunks(monkeypatch, threads):
    seen = []

    def watch(items: Any, title: str, **options: Any) -> Iterator[Any]:
        for item in items:
            yield item
            seen.append((item, title, threading.current_thread() is threading.main_thread()))

    monkeypatch.setattr(engine, "track", watch)
    _study(10 * MAX_CHUNK, threads)
    assert seen == [(k, f"study of {10 * MAX_CHUNK} samples", True) for k in range(10)]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_threads_between_chunks(monkeypatch, chunks, threads):
    def interrupt(items: Any, title: str, **options: Any) -> Iterator[Any]:
        yield from (0, 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "track", interrupt)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        _study(_LONG, threads)
    assert threading.active_count() == before
    assert len(chunks) < 1000


def test_an_error_on_one_thread_ends_the_others(monkeypatch, chunks):
    note = Problem.draw

    def fail(self: Problem, chunk: int) -> np.ndarray:
        if chunk == 5:
            raise DataError("this chunk is broken")
        return note(self, chunk)

    monkeypatch.setattr(Problem, "draw", fail)
    with pytest.raises(DataError, match="this chunk is broken"):
        _study(_LONG, 2)
    assert len(chunks) < 1000


def test_fewer_threads_work_where_memory_is_scarce(monkeypatch):
    problem = _study(100 * MAX_CHUNK // 50, 1).problem
    state = 8.0 * problem.layout.size
    held = sum(x.nbytes for x in vars(Statistics(problem.layout)).values() if hasattr(x, "nbytes"))
    assert 0.9 * state < held < 1.2 * state
    for fit, expected in ((0.5, 1), (1.5, 1), (np.inf, 2)):
        free = 2.0 * fit * (state + CHUNK_BYTES)
        monkeypatch.setattr(engine.memory, "available", lambda free=free: free)
        assert engine.count_threads(problem, 5) == expected  # of two chunks
