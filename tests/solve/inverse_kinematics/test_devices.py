"""Searches on devices: with stand-ins, whose arrays lie in the processor's memory after all."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import Direction, Orientation, Pose, Position
from jounce.solve.inverse_kinematics import array_libraries as arrays
from jounce.solve.inverse_kinematics.array_libraries import Device, to_numpy
from solve.inverse_kinematics.test_inverse_kinematics import TOOL, arm, poses
from support import device_arrays
from support.helpers import quiet_read
from support.mechanisms import mechanism

#: What makes an array of NumPy one of a library, by the library's name.
Moved = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few lanes, so that samples leave batches, and several attempts are made at a time."""
    monkeypatch.setattr(Device, "_least", 8)
    monkeypatch.setattr(Device, "lanes", 64)


def cupy() -> Iterator[Moved]:
    with device_arrays.installed() as module:
        yield module.asarray


def _said_to_be(kind: type) -> Iterator[None]:
    """Arrays of a kind are said to lie on a device."""
    with pytest.MonkeyPatch.context() as patch:
        real = arrays.on_cuda
        patch.setattr(arrays, "on_cuda", lambda x: isinstance(x, kind) or real(x))
        yield


def torch() -> Iterator[Moved]:
    module = pytest.importorskip("torch")
    for _ in _said_to_be(module.Tensor):
        yield lambda x: module.tensor(np.asarray(x))


def jax() -> Iterator[Moved]:
    module = pytest.importorskip("jax")
    for _ in _said_to_be(module.Array):
        with module.enable_x64(True):
            yield module.numpy.asarray


LIBRARIES = {
    "cupy": cupy,
    "torch": torch,
    "jax": pytest.param(jax, marks=pytest.mark.slow),  # which compiles for seconds
}


@pytest.fixture(params=LIBRARIES.values(), ids=[*LIBRARIES])
def moved(request: pytest.FixtureRequest) -> Iterator[Moved]:
    yield from request.param()


def assert_same(found: Any, expected: Any, like: Any) -> None:
    """What is found on a device is what the processor finds; arrays are of the device's kind."""
    for name in ("q", "success", "distances", "angles", "gap", "iterations", "restarts"):
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert type(ours) is type(like), name
        # what is solved takes further steps that lead nowhere, which may round
        np.testing.assert_allclose(to_numpy(ours), theirs, rtol=0.0, atol=1e-12, err_msg=name)
    assert found.targets == expected.targets
    np.testing.assert_array_equal(found.reason, expected.reason)
    assert str(found) == str(expected)


def test_poses_are_found_as_on_the_processor(moved: Moved) -> None:
    goal = poses(60).copy()
    goal[7, :3, 3] = (3.0, 0.0, 0.0)
    expected = arm().inverse_kinematics({TOOL: goal}, restarts=20)
    assert expected.restarts.max() == 20
    found = arm().inverse_kinematics({TOOL: moved(goal)}, restarts=20)
    assert_same(found, expected, moved(goal))
    assert not found.success[7]
    batch = arm().inverse_kinematics({TOOL: moved(goal[:6].reshape(2, 3, 4, 4))}, restarts=2)
    assert tuple(batch.q.shape) == (2, 3, 7)
    one = arm().inverse_kinematics({TOOL: moved(goal[0])}, q0=moved(arm().neutral()))
    assert_same(one, arm().inverse_kinematics({TOOL: goal[0]}, arm().neutral()), moved(goal))
    assert bool(one.success)


def test_every_kind_of_target(moved: Moved) -> None:
    T, robot = poses(12), arm()
    quaternions = 2.0 * jounce.lie.quaternion.from_rotation(T[:, :3, :3])

    def targets(at: Moved) -> list[dict[str, Any]]:
        return [
            {TOOL: [Position(at(T[:, :3, 3])), Direction(T[:, :3, 2], axis=(0.1, 0.2, -0.4))]},
            {TOOL: Position(at(T[:, :3, 3]), weight=at(np.linspace(0.5, 1.0, 12)), axes="xz")},
            {TOOL: Position(T[:, :3, 3], at=at(np.array((0.1, -0.2, 0.3))))},
            {TOOL: Orientation(at(T[:, :3, :3] + 1e-9))},
            {TOOL: Orientation(at(quaternions))},
            {TOOL: Direction(at(T[:, :3, 0]), axis="-x"), "link4": Position((9.0, 0, 0), weight=0)},
            {TOOL: Pose(at(T), angle_weight=0.5), "center_of_mass": Position((0, 0, 0), weight=0)},
        ]

    pairs = zip(targets(moved), targets(lambda x: x), strict=True)
    for ours, theirs in pairs:
        found = robot.inverse_kinematics(ours, restarts=4)
        expected = robot.inverse_kinematics(theirs, restarts=4)
        np.testing.assert_allclose(to_numpy(found.q), expected.q, atol=1e-6)
        np.testing.assert_array_equal(to_numpy(found.success), expected.success)


def test_postures_starts_and_limits(moved: Moved) -> None:
    robot, places = arm(), poses(20)[:, :3, 3]
    home = np.array((0.3, 0.4, -0.3, -1.8, 0.2, 1.6, 0.5))
    expected = robot.inverse_kinematics({TOOL: places}, posture=home)
    found = robot.inverse_kinematics({TOOL: places}, posture=moved(home))
    assert_same(found, expected, moved(home))
    beyond = robot.limits.upper + 1.0
    expected = robot.inverse_kinematics({TOOL: places}, beyond, limits=False, restarts=0)
    found = robot.inverse_kinematics({TOOL: places}, moved(beyond), limits=False, restarts=0)
    assert_same(found, expected, moved(home))


def test_bad_samples_are_reported(moved: Moved) -> None:
    T = np.repeat(poses(1), 6, axis=0)
    T[1, 0, 3] = np.nan
    T[2, :3, :3] *= 2.0
    T[3, :3, 0] *= -1.0
    T[4, 3, 0] = 0.5
    q0 = np.tile(arm().limits.clip(arm().neutral()), (6, 1))
    q0[5, 2] = np.inf
    expected = arm().inverse_kinematics({TOOL: T}, q0)
    assert_same(arm().inverse_kinematics({TOOL: moved(T)}, moved(q0)), expected, moved(T))
    with pytest.raises(jounce.ModelError, match=r"sample \(1,\): target 'link7' is not finite"):
        arm().inverse_kinematics({TOOL: moved(T)}, strict=True)
    nowhere = arm().inverse_kinematics({TOOL: Direction(moved(np.zeros(3)))})
    assert nowhere.reason == "the direction of target 'link7' is zero or not finite"
    missing = arm().inverse_kinematics({"hand": moved(T)})
    assert "has no frame 'hand'" in missing.reason[0]
    with pytest.raises(jounce.ArgumentError, match="this one is a rotation matrix"):
        arm().inverse_kinematics({TOOL: moved(np.eye(3))})
    with pytest.raises(jounce.ArgumentError, match=r"argument 'q0' must have shape \(..., 7\)"):
        arm().inverse_kinematics({TOOL: moved(T)}, moved(np.zeros(3)))
    with pytest.raises(jounce.ArgumentError, match=r"do not broadcast: link7 \(6,\), q0 \(2,\)"):
        arm().inverse_kinematics({TOOL: moved(T)}, moved(np.zeros((2, 7))))
    with pytest.raises(jounce.ArgumentError, match="weights must be finite"):
        arm().inverse_kinematics({TOOL: Position((0, 0, 0), weight=moved(np.full(3, -1.0)))})


def test_no_samples_and_float32(moved: Moved) -> None:
    empty = arm().inverse_kinematics({TOOL: moved(np.zeros((0, 4, 4)))})
    assert tuple(empty.q.shape) == (0, 7)
    assert str(empty).startswith("0 of 0 solved")
    T = poses(20).astype(np.float32)
    found = arm().inverse_kinematics({TOOL: moved(T)})
    assert to_numpy(found.q).dtype == np.float32
    np.testing.assert_allclose(to_numpy(found.q), arm().inverse_kinematics({TOOL: T}).q, atol=1e-6)
    wide = arm().inverse_kinematics({TOOL: moved(T)}, arm().neutral())
    assert to_numpy(wide.q).dtype == np.float64
    with pytest.raises(TypeError, match="must be real float64 or float32, found"):
        arm().inverse_kinematics({TOOL: moved(T.astype(complex))})


def test_mechanisms_keep_their_loops_closed(moved: Moved) -> None:
    closed = mechanism("five_bar")
    places = closed.frame("tool").pose(closed.random(0, 10))[:, :3, 3]
    places[3] = (9.0, 0.0, 0.0)
    expected = closed.inverse_kinematics({"tool": places}, restarts=4)
    found = closed.inverse_kinematics({"tool": moved(places)}, restarts=4)
    assert_same(found, expected, moved(places))
    assert closed.gap(to_numpy(found.q)).max() <= closed.tolerance


def test_a_humanoid_on_both_feet() -> None:
    robot = jounce.Robot(quiet_read("toro25", base="floating"))
    rng, soles = np.random.default_rng(0), ("left_sole", "right_sole")
    q = robot.limits.clip(robot.integrate(robot.neutral(), 0.2 * rng.normal(size=(4, robot.nv))))
    goal = {name: robot.frame(name).pose(q) for name in soles}
    expected = robot.inverse_kinematics(goal, robot.neutral())
    for at in cupy():
        found = robot.inverse_kinematics({k: at(x) for k, x in goal.items()}, robot.neutral())
        assert_same(found, expected, at(q))


# ------------------------------------------------------------------ what lies where


def test_steps_are_taken_by_the_kind_that_serves_the_arrays() -> None:
    for at in cupy():
        found = arm().inverse_kinematics({TOOL: at(poses(20))}, restarts=0)
        assert set(device_arrays.CALLS) == {"inverse_kinematics"}
        assert len(device_arrays.CALLS) >= int(to_numpy(found.iterations).max())


def test_arrays_of_the_processor_stay_there() -> None:
    torch = pytest.importorskip("torch")
    found = arm().inverse_kinematics({TOOL: torch.tensor(poses(3))})
    assert type(found.q) is np.ndarray
    with pytest.raises(TypeError, match="requires a gradient"):
        arm().inverse_kinematics({TOOL: torch.tensor(poses(3), requires_grad=True)})


def test_arrays_of_several_libraries_or_devices_are_refused() -> None:
    class Other(device_arrays.Array):
        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 1

    tensor = pytest.importorskip("torch").tensor
    for at in cupy():
        goal = at(poses(2))
        message = r"one library and on one device, found cupy's on cuda:0 and cupy's on cuda:1"
        with pytest.raises(jounce.ArgumentError, match=message):
            arm().inverse_kinematics({TOOL: goal}, Other(np.zeros(7)))
        for _ in _said_to_be(pytest.importorskip("torch").Tensor):
            with pytest.raises(jounce.ArgumentError, match=r"cupy's on cuda:0 and torch's on"):
                arm().inverse_kinematics({TOOL: goal}, tensor(np.zeros(7)))


def test_gradients_would_be_lost() -> None:
    module = pytest.importorskip("torch")
    for at in torch():
        goal = at(poses(2)).requires_grad_()
        with pytest.raises(TypeError, match=r"requires a gradient.*\.detach\(\)"):
            arm().inverse_kinematics({TOOL: goal})
        assert isinstance(arm().inverse_kinematics({TOOL: goal.detach()}).q, module.Tensor)


class Foreign:
    """An array on a device of a library without operations."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.shape, self.dtype = values.shape, values.dtype

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {}


def test_arrays_without_operations_are_served_by_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    with device_arrays.installed() as module:
        asarray = module.asarray
        taken = lambda x, dtype=None: asarray(getattr(x, "values", x), dtype)  # noqa: E731
        module.asarray = taken  # pyright: ignore[reportAttributeAccessIssue]
        found = arm().inverse_kinematics({TOOL: Foreign(poses(5))})
        assert type(found.q) is device_arrays.Array
        assert to_numpy(found.success).all()
    monkeypatch.setattr(arrays, "find_spec", lambda name: None)
    with pytest.raises(TypeError, match=r"Foreign on CUDA is not supported .* install CuPy"):
        arm().inverse_kinematics({TOOL: Foreign(poses(5))})


def test_a_search_imports_no_library() -> None:
    code = (
        "import sys, jounce; r = jounce.load('planar_2r');"
        "r.inverse_kinematics({r.model.frame_names[-1]: (0.5, 0.5, 0.0)}, restarts=1);"
        "print(sorted({'cupy', 'torch', 'jax', 'cuda'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_solutions_on_devices_can_be_pickled() -> None:
    for at in torch():
        found = arm().inverse_kinematics({TOOL: at(poses(3))})
        again = pickle.loads(pickle.dumps(found))
        np.testing.assert_array_equal(to_numpy(again.q), to_numpy(found.q))
