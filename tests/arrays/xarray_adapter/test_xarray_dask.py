"""Named arrays of Dask's: they stay lazy, in their chunks, and keep their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.robot import Robot
from support.helpers import quiet_read

xr: Any = pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")
dask: Any = pytest.importorskip("dask", reason="Dask is an extra: pip install 'jounce[dask]'")
da: Any = pytest.importorskip("dask.array")

pytestmark = pytest.mark.scale

RNG = np.random.default_rng(8)


@pytest.fixture(scope="module")
def arm() -> Any:
    return Robot(quiet_read("planar_2r"))


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("something was computed")


def over_time(x: np.ndarray, chunks: Any) -> Any:
    return xr.DataArray(da.from_array(x, chunks=chunks), dims=("time", "joint"))


def test_nothing_is_computed(arm: Any) -> None:
    q, v, a = RNG.normal(size=(3, 6, 2))
    names = arm.labels("v")
    with dask.config.set(scheduler=never):
        named = over_time(q[:, ::-1], (2, 1)).assign_coords(joint=names[::-1])
        tau, dq, dv, M = arm.inverse_dynamics.derivatives(named, over_time(v, (2, 2)).T, a)
    assert tau.chunks == ((2, 2, 2), (2,))
    assert tau.dims == ("time", "joint")
    assert tau.joint.values.tolist() == names
    expected = arm.inverse_dynamics.derivatives(q, v, a)
    for x, y in zip(dask.compute(tau, dq, dv, M, scheduler="sync"), expected, strict=True):
        np.testing.assert_array_equal(x, y)
        assert x.dims == ("time", "joint", "joint_2")[: y.ndim]


def test_batches_broadcast_by_name(arm: Any) -> None:
    q, loads = RNG.normal(size=(6, 2)), np.linspace(1.0, 2.0, 3)
    factors = xr.DataArray(da.from_array(loads, chunks=1), dims="load")
    pi = xr.DataArray(arm.model.parameters, dims=("body", "parameter")) * factors
    found = arm.parametric.mass_matrix(over_time(q, (4, 2)), pi)
    assert found.dims == ("time", "load", "joint", "joint_2")
    assert found.chunks == ((4, 2), (1, 1, 1), (2,), (2,))
    expected = arm.parametric.mass_matrix(q[:, None], arm.model.parameters * loads[:, None, None])
    np.testing.assert_array_equal(found.compute(scheduler="sync"), expected)


def test_arrays_of_dask_beside_names(arm: Any) -> None:
    """Whichever comes first, the names stay."""
    q, v = RNG.normal(size=(2, 6, 2))
    expected = arm.inverse_dynamics(q, v, v)
    lazy = da.from_array(v, chunks=(3, 2))
    named = xr.DataArray(q, dims=("time", "joint"))
    for found in (
        arm.inverse_dynamics(named, lazy, v),
        arm.inverse_dynamics(q, xr.DataArray(v, dims=("time", "joint")), lazy),
        arm.inverse_dynamics(da.from_array(q, chunks=(3, 2)), over_time(v, (6, 2)), lazy),
    ):
        assert found.dims == ("time", "joint")
        assert found.chunks == ((3, 3), (2,))
        np.testing.assert_array_equal(found.compute(scheduler="sync"), expected)


def test_rollouts_limits_and_wrenches(arm: Any) -> None:
    q, taus, w = RNG.normal(size=(6, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(6, 6))
    starts = over_time(q, (3, 1)).rename(time="start")
    with dask.config.set(scheduler=never):
        states, _ = arm.rollout(starts, np.zeros(2), over_time(taus, (2, 2)), 0.01)
        inside = arm.limits.contains(starts)
        push = {"tool": xr.DataArray(da.from_array(w, chunks=2), dims=("start", "component"))}
        pushed = arm.gravity_forces(starts) + arm.external_forces(starts, push)
    assert states.dims == ("start", "time", "joint")
    found = [x.compute(scheduler="sync") for x in (states, inside, pushed)]
    np.testing.assert_array_equal(found[0], arm.rollout(q, np.zeros(2), taus, 0.01)[0])
    np.testing.assert_array_equal(found[1], arm.limits.contains(q))
    wrenches = arm.external_forces(q, {"tool": w})
    np.testing.assert_array_equal(found[2], arm.gravity_forces(q) + wrenches)
    np.testing.assert_allclose(found[0].time, np.arange(5) * 0.01)


def test_data_sets_are_mapped_in_blocks(arm: Any) -> None:
    """As xarray maps functions over chunks, the template being what the quantity gives lazily."""
    logs = xr.Dataset({x: over_time(RNG.normal(size=(6, 2)), (2, 2)) for x in "qva"})
    template = arm.inverse_dynamics(logs.q, logs.v, logs.a)
    found = logs.map_blocks(
        lambda part: arm.inverse_dynamics(part.q, part.v, part.a), template=template
    )
    expected = arm.inverse_dynamics(*(logs[x].values for x in "qva"))
    np.testing.assert_array_equal(found.compute(scheduler="sync"), expected)
