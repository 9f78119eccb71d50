"""Rollouts of arrays with names: time is a dimension of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.helpers import quiet_read, small_model

xr: Any = pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

pytestmark = pytest.mark.scale

RNG = np.random.default_rng(6)


@pytest.fixture(scope="module")
def arm() -> Any:
    return Robot(quiet_read("planar_2r"))


def test_time_has_a_name(arm: Any) -> None:
    q, v, taus = RNG.normal(size=(3, 2)), RNG.normal(size=2), RNG.normal(size=(5, 2))
    starts = xr.DataArray(q, dims=("start", "joint"), coords={"start": list("abc")})
    forces = xr.DataArray(taus, dims=("time", "joint"), coords={"time": 2.0 + np.arange(5) * 0.01})
    found = arm.rollout(starts, v, forces.T, 0.01)
    for x, y, name in zip(found, arm.rollout(q, v, taus, 0.01), "qv", strict=True):
        assert x.dims == ("start", "time", "joint")
        assert x.name == name
        np.testing.assert_array_equal(x, y)
        np.testing.assert_allclose(x.time, 2.0 + np.arange(6) * 0.01)
        assert x.start.values.tolist() == list("abc")
        assert x.joint.values.tolist() == arm.labels("v")


def test_each_motion_its_own_steps(arm: Any) -> None:
    h = xr.DataArray([0.01, 0.02], dims="speed")
    q, v = arm.rollout(xr.DataArray(np.zeros(2), dims="joint"), [1.0, 0.0], np.ones((3, 2)), h)
    assert q.dims == v.dims == ("speed", "time", "joint")
    assert "time" not in q.coords
    expected = arm.rollout(np.zeros(2), [1.0, 0.0], np.ones((3, 2)), h.values)
    np.testing.assert_array_equal(v, expected[1])


@pytest.mark.parametrize("begin", ["2026-03-01T12:00", "stopwatch"])
def test_stamps_are_times_too(arm: Any, begin: str) -> None:
    """Dates, and times since something."""
    q = xr.DataArray(np.zeros(2), dims="joint")
    first = np.timedelta64(3, "s") if begin == "stopwatch" else np.datetime64(begin, "ns")
    stamps = first + (np.arange(6) * 250).astype("timedelta64[ms]").astype("timedelta64[ns]")
    taus = xr.DataArray(np.ones((5, 2)), dims=("time", "joint"), coords={"time": stamps[:5]})
    for x in arm.rollout(q, q, taus, 0.25):
        np.testing.assert_array_equal(x.time.values, stamps)
        assert "units" not in x.time.attrs  # which files give it
    with pytest.raises(ArgumentError, match=r"must be h = 0.1 s apart, found steps of 0.25 to 0.2"):
        arm.rollout(q, q, taus, 0.1)
    with pytest.raises(ArgumentError, match=r"found steps of 0.25 to 0.5; interpolate"):
        arm.rollout(q, q, taus[[0, 1, 3]], 0.25)


def test_the_time_of_the_first_state_counts_where_forces_have_none(arm: Any) -> None:
    day = np.datetime64("2026-03-01", "ns")
    q = xr.DataArray(np.zeros((2, 2)), dims=("time", "joint"), coords={"time": [1.5, 2.0]})
    taus = np.ones((2, 2))
    for x in arm.rollout(q[1], q.values[1], taus, 0.1):
        np.testing.assert_allclose(x.time, [2.0, 2.1, 2.2])
    for x in arm.rollout(q[1].assign_coords(time=day), q.values[1], taus, 0.1):
        assert x.time[0] == day
    forces = xr.DataArray(taus, dims=("time", "joint"), coords={"time": [7.0, 7.1]})
    for x in arm.rollout(q[1], q[0], forces, 0.1):
        np.testing.assert_allclose(x.time, [7.0, 7.1, 7.2])
    starts = q.rename(time="start").assign_coords(time=("start", [1.5, 2.0]))
    with pytest.raises(ArgumentError, match="coordinate 'time' along 'start'"):
        arm.rollout(starts, q.values[1], taus, 0.1)
    other = arm.rollout(q[1].assign_coords(time="noon"), q.values[1], taus, 0.1)[0]
    np.testing.assert_allclose(other.time, [0.0, 0.1, 0.2])


def test_policies_and_wrenches(arm: Any) -> None:
    start = xr.DataArray(RNG.normal(size=2), dims="joint")
    zero = np.zeros(2)
    push = RNG.normal(size=(4, 6))
    pushed = xr.DataArray(push, dims=("time", "component"))
    options: dict[str, Any] = {"policy": lambda k, q, v: -q - v, "steps": 4, "method": "rk4"}
    found = arm.rollout(start, zero, None, 0.05, {"tool": pushed}, **options)
    expected = arm.rollout(start.values, zero, None, 0.05, {"tool": push}, **options)
    for x, y in zip(found, expected, strict=True):
        assert x.dims == ("time", "joint")
        np.testing.assert_array_equal(x, y)
    np.testing.assert_allclose(found[0].time, np.arange(5) * 0.05)


def test_floating_bases() -> None:
    robot: Any = Robot(small_model())
    q = xr.DataArray(robot.random(1), dims="coordinate", coords={"coordinate": robot.labels("q")})
    taus = np.zeros((2, robot.nv))
    found = robot.rollout(q[::-1], np.zeros(robot.nv), taus, 0.01)
    expected = robot.rollout(q.values, np.zeros(robot.nv), taus, 0.01)
    assert [x.dims for x in found] == [("time", "coordinate"), ("time", "joint")]
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_array_equal(x, y)


def test_what_is_refused(arm: Any) -> None:
    q = xr.DataArray(np.zeros(2), dims="joint")
    taus = xr.DataArray(np.zeros((3, 2)), dims=("time", "joint"), coords={"time": [0, 1, 2]})
    with pytest.raises(TypeError, match=r"rollout: 'out' is an option for NumPy arrays"):
        arm.rollout(q, q, taus, 1.0, out=(np.zeros((4, 2)),) * 2)
    times = {"time": [1, 2, 3]}
    wrenches = xr.DataArray(np.zeros((3, 6)), dims=("time", "component"), coords=times)
    with pytest.raises(ArgumentError, match=r"taus and wrenches must have equal coordinates"):
        arm.rollout(q, q, taus, 1.0, {"tool": wrenches})
    with pytest.raises(ArgumentError, match=r"must be h = 0.5 s apart, found steps of 1 to 1;"):
        arm.rollout(q, q, taus, 0.5)
    with pytest.raises(ArgumentError, match=r"'q0' has a batch dimension 'time'"):
        arm.rollout(xr.DataArray(np.zeros((3, 2)), dims=("time", "joint")), q, taus, 1.0)
    with pytest.raises(ArgumentError, match=r"'taus' must have a dimension 'time', found"):
        arm.rollout(q, q, taus.rename(time="t"), 1.0)
