"""Inverse kinematics on CUDA with CuPy, PyTorch, JAX and others, checked by forward kinematics."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import jounce
from jounce.errors import ArgumentError, ModelError
from tests.gpu.support import host, mechanisms, raises, robots

ARM, TOOL = "iiwa14_mueller_kumar2021", "tool"

#: Function that copies a NumPy array to the device.
Moved = Callable[[Any], Any]


def cupy(x: Any) -> Any:
    """Return a CuPy array."""
    return import_module("cupy").asarray(x)


def torch(x: Any) -> Any:
    """Return a PyTorch tensor."""
    return import_module("torch").tensor(np.asarray(x), device="cuda")


def jax(x: Any) -> Any:
    """Return a JAX array."""
    module = import_module("jax")
    return module.device_put(x, module.devices("cuda")[0])


def poses(n: int, seed: int = 1) -> np.ndarray:
    """Return reachable poses (n, 4, 4)."""
    robot = robots()[ARM]
    return robot.frame(TOOL).pose(robot.random(seed, n))


def missed(robot: Any, frame: str, q: Any, goal: np.ndarray) -> float:
    """Return the largest difference between poses of a frame and goals."""
    return float(np.abs(robot.frame(frame).pose(host(q).astype(float)) - goal).max())


def alike(found: Any, expected: Any, like: Any) -> None:
    """Assert that arrays equal those of the CPU, up to rounding that changes a few searches."""
    for name in ("q", "success", "distances", "angles", "gap", "iterations", "restarts"):
        ours, theirs = getattr(found, name), np.asarray(getattr(expected, name))
        assert type(ours) is type(like), f"{name} is a {type(ours)}"
        assert host(ours).shape == theirs.shape, f"{name}: {host(ours).shape}, not {theirs.shape}"
    assert found.targets == expected.targets
    paths = host(found.iterations) == expected.iterations
    assert np.mean(paths) >= 0.9, f"{np.mean(paths):.3f} of the searches take as many steps"
    same = np.asarray(paths & (host(found.restarts) == expected.restarts))
    gap = np.abs(host(found.q) - expected.q).max(axis=-1)
    assert np.all(gap[same] < 1e-5), f"configurations differ by {gap[same].max():.1e}"
    assert np.mean(host(found.success) == expected.success) >= 0.99


def _finds(moved: Moved, n: int) -> None:
    robot, goal = robots()[ARM], poses(n)
    found = robot.inverse_kinematics({TOOL: moved(goal)})
    alike(found, robot.inverse_kinematics({TOOL: goal}), moved(goal))
    good = host(found.success)
    assert good.mean() >= 0.999, str(found)
    assert missed(robot, TOOL, host(found.q)[good], goal[good]) < 3e-6
    assert robot.limits.contains(host(found.q)).all()
    one = robot.inverse_kinematics({TOOL: moved(goal[0])}, q0=moved(robot.neutral()))
    assert host(one.q).shape == (robot.nq,)
    assert one.reason == ""


def check_cupy() -> None:
    """Poses, batched and single."""
    _finds(cupy, 2000)


def check_torch() -> None:
    """The same on tensors."""
    _finds(torch, 2000)


def check_jax_in_float64() -> None:
    """The same on JAX arrays."""
    with import_module("jax").enable_x64(True):
        _finds(jax, 500)


def check_jax_in_float32() -> None:
    """JAX in float32: the search uses float64, results are float32."""
    robot, goal = robots()[ARM], poses(500)
    found = robot.inverse_kinematics({TOOL: jax(goal.astype(np.float32))})
    assert str(found.q.dtype) == str(found.distances.dtype) == "float32"
    assert host(found.success).mean() > 0.99
    assert missed(robot, TOOL, found.q, goal) < 1e-4


def check_every_kind_of_target() -> None:
    """Positions, orientations, directions, weights, points, several frames."""
    T, robot = poses(200), robots()[ARM]
    quaternions = 2.0 * jounce.lie.quaternion.from_rotation(T[:, :3, :3])
    for moved in (cupy, torch):
        p, R = moved(T[:, :3, 3]), moved(T[:, :3, :3])
        weights = moved(np.linspace(0.5, 1.0, 200))
        for goal in (
            {TOOL: p},
            {TOOL: [jounce.Position(p, weight=weights), jounce.Direction(R[:, :, 2], axis="z")]},
            {TOOL: jounce.Position(p, axes="xz")},
            {TOOL: jounce.Orientation(R)},
            {TOOL: jounce.Orientation(moved(quaternions))},
            {TOOL: jounce.Direction(moved(T[:, :3, 0]), axis=(1.0, 0.0, 0.0))},
            {TOOL: jounce.Pose(moved(T), angle_weight=0.3)},
        ):
            found = robot.inverse_kinematics(goal)
            assert host(found.success).mean() >= 0.99, f"{goal}: {found}"
        turned = robot.inverse_kinematics({TOOL: jounce.Orientation(R)})
        reached = robot.frame(TOOL).pose(host(turned.q))[:, :3, :3]
        assert np.abs(reached - T[:, :3, :3]).max() < 3e-6


def check_posture_start_and_limits() -> None:
    """Arguments that may be on the device, and those that may not."""
    robot, places = robots()[ARM], poses(200)[:, :3, 3]
    home = 0.5 * robot.random(5)
    for moved in (cupy, torch):
        found = robot.inverse_kinematics({TOOL: places}, posture=moved(home))
        alike(found, robot.inverse_kinematics({TOOL: places}, posture=home), moved(home))
        loose = robot.inverse_kinematics({TOOL: moved(places)}, home, limits=False, restarts=0)
        theirs = robot.inverse_kinematics({TOOL: places}, home, limits=False, restarts=0)
        alike(loose, theirs, moved(home))


def check_reports() -> None:
    """Samples with NaN, unreachable targets, and empty batches."""
    _reports(cupy)
    _reports(torch)


def check_reports_of_jax() -> None:
    """The same on JAX arrays."""
    _reports(jax)


def _reports(moved: Moved) -> None:
    T = np.repeat(poses(1), 6, axis=0)
    T[1, 0, 3] = np.nan
    T[2, :3, :3] *= 2.0
    T[3, 3, 0] = 0.5
    T[4, :3, 3] = (9.0, 0.0, 0.0)
    robot = robots()[ARM]
    expected = robot.inverse_kinematics({TOOL: T}, restarts=3)
    found = robot.inverse_kinematics({TOOL: moved(T)}, restarts=3)
    assert list(host(found.success)) == [True, False, False, False, False, True]
    for ours, theirs in zip(found.reason, expected.reason, strict=True):
        assert ours[:40] == theirs[:40], f"{ours} for {theirs}"
    assert np.isnan(host(found.distances)[1:4]).all()
    strict = lambda: robot.inverse_kinematics({TOOL: moved(T)}, strict=True)  # noqa: E731
    raises(ModelError, ("sample (1,)", "is not finite"), strict)
    empty = robot.inverse_kinematics({TOOL: moved(np.zeros((0, 4, 4)))})
    assert tuple(empty.q.shape) == (0, robot.nq)


def check_float32() -> None:
    """float32 targets give float32 configurations."""
    robot, goal = robots()[ARM], poses(200)
    for moved in (cupy, torch):
        found = robot.inverse_kinematics({TOOL: moved(goal.astype(np.float32))})
        assert host(found.q).dtype == np.float32
        assert missed(robot, TOOL, found.q, goal) < 1e-4


def check_mechanisms() -> None:
    """Loops stay closed, also if a target cannot be reached."""
    closed = mechanisms()["five_bar"]
    places = closed.frame("tool").pose(closed.random(0, 50))[:, :3, 3]
    places[3] = (9.0, 0.0, 0.0)
    expected = closed.inverse_kinematics({"tool": places}, restarts=4)
    for moved in (cupy, torch):
        found = closed.inverse_kinematics({"tool": moved(places)}, restarts=4)
        alike(found, expected, moved(places))
        assert closed.gap(host(found.q)).max() <= closed.tolerance
        assert not host(found.success)[3]


def check_humanoid() -> None:
    """A floating base, two feet and the center of mass."""
    robot = robots()["toro25"]
    steps = 0.2 * np.random.default_rng(0).normal(size=(64, robot.nv))
    q = robot.limits.clip(robot.integrate(robot.neutral(), steps))
    goal: dict[str, Any] = {x: robot.frame(x).pose(q) for x in ("left_sole", "right_sole")}
    goal["center_of_mass"] = robot.center_of_mass(q)
    found = robot.inverse_kinematics({k: cupy(x) for k, x in goal.items()}, robot.neutral())
    good = host(found.success)
    assert good.mean() > 0.95, str(found)
    for name in ("left_sole", "right_sole"):
        assert missed(robot, name, host(found.q)[good], goal[name][good]) < 3e-6


def check_streams_and_slices() -> None:
    """CuPy's current stream, and arrays that are not contiguous."""
    module, robot = import_module("cupy"), robots()[ARM]
    goal = poses(300)
    with module.cuda.Stream(non_blocking=True):
        given = module.asarray(np.concatenate([goal, goal], axis=-1))[..., :4]
        found = robot.inverse_kinematics({TOOL: given[::2]}, restarts=0)
        q = host(found.q)
    expected = robot.inverse_kinematics({TOOL: goal[::2]}, restarts=0)
    same = host(found.iterations) == expected.iterations
    assert same.mean() > 0.9
    assert np.abs(q - expected.q)[same].max() < 1e-5


class Foreign:
    """An array on CUDA that only has an address."""

    def __init__(self, array: Any) -> None:
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.array, self.shape, self.dtype = array, array.shape, array.dtype


def check_others_and_mixtures() -> None:
    """Arrays without operations use CuPy; libraries cannot be mixed."""
    robot, goal = robots()[ARM], poses(50)
    found = robot.inverse_kinematics({TOOL: Foreign(cupy(goal))})
    assert type(found.q) is type(cupy(goal))
    assert host(found.success).all()
    mixed = lambda: robot.inverse_kinematics({TOOL: cupy(goal)}, torch(robot.neutral()))  # noqa: E731
    raises(ArgumentError, ("cupy's on cuda:0", "torch's on cuda:0"), mixed)
    lost = torch(goal).requires_grad_()
    raises(TypeError, (".detach()",), lambda: robot.inverse_kinematics({TOOL: lost}))


def check_large_batches() -> None:
    """Many poses in one call; prints the time of the second call."""
    robot, goal = robots()[ARM], poses(1 << 17, seed=3)
    for moved in (cupy, torch):
        given = moved(goal)
        robot.inverse_kinematics({TOOL: given})
        start = time.perf_counter()
        found = robot.inverse_kinematics({TOOL: given})
        share, seconds = host(found.success).mean(), time.perf_counter() - start
        rate = seconds / len(goal) * 1e6
        print(f"{type(given).__module__}: {share:.5f} solved, {rate:.3f} us a pose", flush=True)
        assert share > 0.999
