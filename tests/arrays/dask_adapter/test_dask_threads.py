"""Threads of kernels do not multiply with those of Dask's workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.utils import threads

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
dask: Any = pytest.importorskip("dask")

pytestmark = pytest.mark.scale

Q = np.random.default_rng(0).normal(size=(600, 2))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Threads that large batches have asked for, of four that they could have."""
    real, found, before = threads.map_slices, [], jounce.get_num_threads()

    def watched(n: int, count: int, work: Any) -> Any:
        found.append(count)
        return real(n, count, work)

    monkeypatch.setattr(threads, "map_slices", watched)
    jounce.set_num_threads(4)
    yield found
    jounce.set_num_threads(before)


@pytest.fixture(scope="module")
def robot() -> jounce.Robot:
    made = jounce.load("planar_2r")
    made.mass_matrix.kernel.compile("d").large = 1
    return made


def test_one_thread_in_a_task(robot: jounce.Robot, counts: list[int]) -> None:
    M = robot.mass_matrix(da.from_array(Q, chunks=(200, 2)))
    found = M.compute(scheduler="threads", num_workers=2)
    assert counts == [1, 1, 1]
    np.testing.assert_array_equal(found, robot.mass_matrix(Q))
    assert counts[3:] == [4]


def test_as_many_as_the_configuration_says(robot: jounce.Robot, counts: list[int]) -> None:
    q = da.from_array(Q, chunks=(300, 2))
    with dask.config.set({"jounce.threads": 3}):
        M = robot.mass_matrix(q)
    M.compute(scheduler="threads")  # the setting went along
    assert counts == [3, 3]
    M = robot.mass_matrix(q)
    with dask.config.set({"jounce.threads": 2}):  # as that of a worker
        M.compute(scheduler="threads")
    assert counts[2:] == [2, 2]


@pytest.mark.parametrize("n", [0, 1.5, True, "two"])
def test_what_is_no_number_of_threads(robot: jounce.Robot, n: Any) -> None:
    with (
        dask.config.set({"jounce.threads": n}),
        pytest.raises(ArgumentError, match=r"'jounce\.threads' must be a positive integer, found"),
    ):
        robot.mass_matrix(da.from_array(Q, chunks=(300, 2)))
