"""Dask's arrays whose blocks are CuPy's, simulated in host memory: they stay on the device."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.cupy_adapter import cupy_library
from support import simulated_cupy
from support.simulated_cuda import Card, Simulated, install
from support.simulated_cupy import STATE

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
dask: Any = pytest.importorskip("dask")

pytestmark = pytest.mark.scale

Q, V, A = np.random.default_rng(0).normal(size=(3, 6, 2))


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[Any]:
    """What stands for CuPy, on a device that is none."""
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path / "cache"))
    install(monkeypatch, Simulated([Card()]))
    module = simulated_cupy.module()
    monkeypatch.setitem(sys.modules, "cupy", module)
    library = cupy_library.CupyLibrary()
    monkeypatch.setattr("jounce.arrays.cupy_adapter.kind.cupy_library", lambda: library)
    monkeypatch.setattr(STATE, "copies", 0)
    with dask.config.set(scheduler="synchronous"):
        yield module


def on_device(cupy: Any, x: np.ndarray) -> Any:
    meta = cupy.asarray(np.empty((0,) * x.ndim, x.dtype))
    return da.from_array(x, chunks=(4, 2)).map_blocks(cupy.asarray, meta=meta)


def same(found: Any, expected: np.ndarray) -> None:
    """Blocks on the device, as the result had said."""
    assert type(found._meta).__module__ == "cupy"
    assert found._meta.dtype == found.dtype == expected.dtype
    assert found._meta.ndim == found.ndim
    assert found.shape == expected.shape
    for place, part in enumerate((slice(0, 4), slice(4, 6))):
        block = found.blocks[place].compute()
        assert type(block).__module__ == "cupy"
        np.testing.assert_allclose(block.get(), expected[part], rtol=0, atol=1e-12)


def test_blocks_stay_where_they_are(cupy: Any) -> None:
    robot = jounce.load("planar_2r")
    q, v, a = (on_device(cupy, x) for x in (Q, V, A))
    same(robot.inverse_dynamics(q, v, a), robot.inverse_dynamics(Q, V, A))
    same(robot.kinetic_energy(q, v), robot.kinetic_energy(Q, V))
    for x, truth in zip(
        robot.inverse_dynamics.derivatives(q, v, a),
        robot.inverse_dynamics.derivatives(Q, V, A),
        strict=True,
    ):
        same(x, truth)
    assert STATE.copies == 0


def test_numpy_beside_them(cupy: Any) -> None:
    robot = jounce.load("planar_2r")
    q, v = on_device(cupy, Q), on_device(cupy, V)
    same(robot.inverse_dynamics(q, v, A[0]), robot.inverse_dynamics(Q, V, A[0]))
    same(robot.inverse_dynamics(q, V, A), robot.inverse_dynamics(Q, V, A))
    same(robot.step(q, v, A, 0.01)[0], robot.step(Q, V, A, 0.01)[0])


def test_what_is_refused_at_the_call(cupy: Any) -> None:
    robot = jounce.load("planar_2r")
    with pytest.raises(TypeError, match=r"contains: argument 'q' .*copy it to the CPU with"):
        robot.limits.contains(on_device(cupy, Q))
    with pytest.raises(TypeError, match="must be real float64 or float32, found complex128"):
        robot.mass_matrix(on_device(cupy, Q * 1j))
