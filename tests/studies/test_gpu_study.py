"""Studies on GPUs, with NumPy in place of CuPy: devices by number, a thread for each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.studies import devices as devices_module
from jounce.studies import engine, study

pytestmark = pytest.mark.cuda


class _Device:
    """A device that notes what is done on it."""

    used: ClassVar[list[int]] = []

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> None:
        self.used.append(self.number)

    def __exit__(self, *error: Any) -> None:
        pass


@pytest.fixture
def two_devices(monkeypatch: pytest.MonkeyPatch) -> type[_Device]:
    """NumPy under CuPy's name, with two devices."""
    runtime = SimpleNamespace(getDeviceCount=lambda: 2)
    module = SimpleNamespace(**vars(np), cuda=SimpleNamespace(runtime=runtime, Device=_Device))
    monkeypatch.setattr(devices_module, "import_cupy", lambda: module)
    _Device.used.clear()
    return _Device


def _case(name: str = "planar_2r", points: int = 40) -> tuple[jounce.Robot, Any]:
    robot = jounce.load(name)
    rng = np.random.default_rng(0)
    v, a = rng.normal(size=(2, points, robot.nv))
    return robot, (robot.random(rng, points), v, a)


@pytest.mark.parametrize("devices", ["all", [0, 1], [1], 0])
def test_devices_do_what_threads_do(two_devices, devices, monkeypatch):
    monkeypatch.setattr(engine, "MAX_CHUNK", 1024)  # so that there are many chunks
    robot, arguments = _case()
    how: dict[str, Any] = {"vary": {"inertia": "5%", "screw": "1mm"}, "samples": 120_000}
    current = study(robot, arguments, **how, threads=1)
    result = study(robot, arguments, **how, devices=devices)
    np.testing.assert_allclose(result.quantiles, current.quantiles, rtol=1e-12)
    # standard errors near zero are small differences of large sums
    names = {"mean": 1e-12, "covariance": 1e-12, "low": 0.0, "first": 1e-11, "total": 1e-11}
    for name, digits in {**names, "first_error": 1e-6, "total_error": 1e-6}.items():
        ours, theirs = getattr(current, name), getattr(result, name)
        np.testing.assert_allclose(theirs, ours, digits, digits * np.abs(ours).max(), err_msg=name)
    assert [x.sample for x in result.worst] == [x.sample for x in current.worst]
    expected = {0, 1} if devices in ("all", [0, 1]) else {1} if devices == [1] else {0}
    assert {*two_devices.used} == expected


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        ([2], "expected CUDA devices from 0 to 1, found 2"),
        ([-1], "found -1"),
        ([True], "found True"),
        ([], "must be 'all' or numbers"),
        ("both", "must be 'all' or numbers"),
        (1.5, "must be 'all' or numbers"),
    ],
)
def test_devices_that_are_not_there_are_refused(two_devices, devices, words):
    robot, arguments = _case()
    with pytest.raises(ArgumentError, match=words):
        study(robot, arguments, vary={"mass": "5%"}, samples=10, devices=devices)


def test_without_cupy_a_sentence_says_what_to_install():
    robot, arguments = _case()
    with pytest.raises(ArgumentError, match="studies on GPUs need CuPy"):
        study(robot, arguments, vary={"mass": "5%"}, samples=10, devices=[0])


def test_blocks_on_devices_are_bounded(monkeypatch):
    """On a GPU each point has a copy of the robot's numbers."""
    robot, arguments = _case("franka", 50)
    result = study(robot, arguments, vary={"mass": "5%"}, samples=64).problem
    monkeypatch.setattr(engine, "_CPU_NUMBERS", 10_000)
    x = result.draw(0)
    full = result.evaluation(result.variation, x)
    sizes = []
    numbers = type(result.variation).numbers
    monkeypatch.setattr(
        type(result.variation),
        "numbers",
        lambda self, x: (sizes.append(len(x)), numbers(self, x))[1],
    )
    parts = result.evaluation(result.variation, x)
    assert max(sizes) * sum(part.size for part in result.variation.nominal) <= 10_000
    assert sum(sizes) == 64
    np.testing.assert_allclose(parts, full, rtol=1e-12)
