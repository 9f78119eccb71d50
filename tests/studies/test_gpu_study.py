"""What studies do for GPUs, on the processor: devices by number, a thread for each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.studies import engines, problem, study

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
    for room in (engines, problem):
        monkeypatch.setattr(room, "cupy", lambda: module)
    _Device.used.clear()
    return _Device


def _case(name: str = "planar_2r", points: int = 40) -> tuple[jounce.Robot, Any]:
    robot = jounce.load(name)
    rng = np.random.default_rng(0)
    v, a = rng.normal(size=(2, points, robot.nv))
    return robot, (robot.random(rng, points), v, a)


@pytest.mark.parametrize("devices", ["all", [0, 1], [1], 0])
def test_devices_do_what_threads_do(two_devices, devices, monkeypatch):
    monkeypatch.setattr(problem, "_MOST", 1024)  # samples of a chunk, so that there are many
    robot, arguments = _case()
    how: dict[str, Any] = {"vary": {"inertia": "5%", "screw": "1mm"}, "samples": 120_000}
    here = study(robot, arguments, **how, threads=1)
    found = study(robot, arguments, **how, devices=devices)
    assert len(found.problem.shares) < len(found.problem.leaves)
    np.testing.assert_array_equal(found.quantiles, here.quantiles)
    # standard errors near zero are small differences of large sums
    names = {"mean": 1e-12, "covariance": 1e-12, "low": 0.0, "first": 1e-11, "total": 1e-11}
    for name, digits in {**names, "first_error": 1e-6, "total_error": 1e-6}.items():
        ours, theirs = getattr(here, name), getattr(found, name)
        np.testing.assert_allclose(theirs, ours, digits, digits * np.abs(ours).max(), err_msg=name)
    assert [x.sample for x in found.worst] == [x.sample for x in here.worst]
    expected = {0, 1} if devices in ("all", [0, 1]) else {1} if devices == [1] else {0}
    assert {*two_devices.used} == expected


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        ([2], "no CUDA device 2; there are 2"),
        ([-1], "no CUDA device -1"),
        ([True], "no CUDA device True"),
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


@pytest.mark.parametrize(
    ("quantity", "vary"),
    [
        ("inverse_dynamics", {"inertia": "5%", "placement": "1mm 1deg", "screw": "1mm"}),
        ("motor_forces", {"mass": "5%", "friction": "20%", "armature": "5%"}),
        ("driven_dynamics", {"mass": "5%", "damping": "20%"}),
        ("inverse_dynamics", {"friction": "20%"}),
    ],
)
@pytest.mark.parametrize("points", [3, 40])
def test_both_ways_to_evaluate_agree(quantity, vary, points):
    robot, arguments = _case("franka", points)
    drives = {name: np.linspace(0.5, 1.5, 7) for name in ("armature", "damping", "friction")}
    robot = robot.edit.with_parameters(robot.model.parameters, **drives)
    found = study(robot, arguments, quantity, vary, 60, wrenches=np.ones((7, 6))).problem
    numbers = found.variation.numbers(found.drawn(0))
    ours, theirs = np.full((2, 60, points, 7), np.nan)
    found.evaluation(numbers, ours)
    found.evaluation._on_device(numbers, theirs)
    np.testing.assert_allclose(theirs, ours, rtol=1e-12, atol=1e-12)


def test_blocks_on_devices_are_bounded():
    robot, arguments = _case("franka", 1000)
    found = study(robot, arguments, vary={"mass": "5%"}, samples=20, sobol=False).problem
    rows = found.rows(on_processor=False)
    assert rows * 1000 * 7 * 42 * 8 <= 1 << 29
    assert rows > 50
