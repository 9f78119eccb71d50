"""The graph of Dask's arrays on Ray, unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
ray: Any = pytest.importorskip("ray", reason="Ray is an extra: pip install 'jounce[scale]'")

pytestmark = pytest.mark.scale


@pytest.fixture(scope="module")
def get() -> Iterator[Any]:
    """Dask's scheduler on two processes of Ray."""
    from ray.util.dask import ray_dask_get

    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    yield ray_dask_get
    ray.shutdown()


def test_the_same_graph(get: Any) -> None:
    robot = jounce.load("planar_2r")
    given = np.random.default_rng(0).normal(size=(3, 60, 2))
    lazy = [da.from_array(x, chunks=(20, 2)) for x in given]
    tau, *derivatives = robot.inverse_dynamics.derivatives(*lazy)
    expected = robot.inverse_dynamics.derivatives(*given)
    np.testing.assert_array_equal(tau.compute(scheduler=get), expected[0])
    total = sum((x**2).sum() for x in derivatives).compute(scheduler=get)
    assert abs(total - sum((x**2).sum() for x in expected[1:])) <= 1e-12 * total
