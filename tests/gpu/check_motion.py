"""Rollouts on CUDA with forces and policies, computed on the device, compared with the CPU."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tests.gpu.check_inverse_kinematics import Moved, cupy, jax, torch
from tests.gpu.support import close, mechanisms, raises, robots

STEPS, H = 12, 1e-3


def states(robot: Any, n: int = 6) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return configurations, velocities, and forces (n, STEPS, nv)."""
    rng = np.random.default_rng(0)
    v, taus = rng.normal(size=(n, robot.nv)), rng.normal(size=(n, STEPS, robot.nv))
    return robot.random(1, n), v, taus


def _rolls(moved: Moved) -> None:
    for name in ("iiwa14_mueller_kumar2021", "floating", "toro25"):
        robot = robots()[name]
        q, v, taus = states(robot)
        expected = robot.rollout(q, v, taus, H)
        found = robot.rollout(moved(q), moved(v), moved(taus), H)
        assert type(found[0]) is type(moved(q))
        close(found, expected, what=name, tolerance=1e-10)  # errors grow with steps


def check_cupy() -> None:
    """Forces over time."""
    _rolls(cupy)


def check_torch() -> None:
    """Forces over time, on tensors."""
    _rolls(torch)


def check_jax() -> None:
    """Forces over time, by scan."""
    with import_module("jax").enable_x64(True):
        robot = robots()["iiwa14_mueller_kumar2021"]
        q, v, taus = states(robot)
        found = robot.rollout(jax(q), jax(v), jax(taus), H)
        close(found, robot.rollout(q, v, taus, H), tolerance=1e-10)


def check_policies() -> None:
    """Forces from a function of the state, on the device."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, _ = states(robot)
    policy = lambda k, q, v: -2.0 * v - 0.1 * k * q  # noqa: E731
    expected = robot.rollout(q, v, h=H, policy=policy, steps=STEPS)
    seen: list[type] = []

    def watched(k: int, q: Any, v: Any) -> Any:
        seen.append(type(q))
        return policy(k, q, v)

    for moved in (cupy, torch):
        seen.clear()
        found = robot.rollout(moved(q), moved(v), h=H, policy=watched, steps=STEPS)
        close(found, expected, tolerance=1e-10)
        assert seen == [type(moved(q))] * STEPS


def check_methods_and_wrenches() -> None:
    """Other integrators, friction, and wrenches on a frame."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, taus = states(robot)
    push = np.random.default_rng(1).normal(size=(STEPS, 6))
    pushed = {"wrenches": {"tool": push}}
    choices: list[dict[str, Any]] = [{"method": "rk4"}, {"friction": True}, pushed]
    for options in choices:
        expected = robot.rollout(q, v, taus, H, **options)
        for moved in (cupy, torch):
            given = dict(options)
            if "wrenches" in given:
                given["wrenches"] = {"tool": moved(push)}
            found = robot.rollout(moved(q), moved(v), moved(taus), H, **given)
            close(found, expected, what=f"{options}", tolerance=1e-10)


def check_float32() -> None:
    """float32 states stay float32."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, taus = (x.astype(np.float32) for x in states(robot))
    found = robot.rollout(cupy(q), cupy(v), cupy(taus), H)
    assert found[0].dtype == np.float32
    close(found, robot.rollout(q, v, taus, H), "float", tolerance=1e-4)


def check_mechanism() -> None:
    """A robot with closed loops."""
    closed = mechanisms()["five_bar"]
    rng = np.random.default_rng(0)
    q = closed.random(0, 4)
    v, taus = 0.1 * rng.normal(size=(4, closed.nv)), rng.normal(size=(4, STEPS, closed.nv))
    found = closed.rollout(cupy(q), cupy(v), cupy(taus), H)
    close(found, closed.rollout(q, v, taus, H), tolerance=1e-9)


def check_refusals() -> None:
    """Errors for options that only NumPy has say what to do."""
    robot = robots()["iiwa14_mueller_kumar2021"]
    q, v, taus = states(robot)
    lam = np.zeros((6, STEPS + 1, robot.nv))
    given = cupy(q), cupy(v), cupy(taus), H
    raises(TypeError, ("robot.torch.rollout",), lambda: robot.rollout.vjp(*given, lam, lam))
    for call in (robot.limits.contains, robot.limits.clip):
        raises(TypeError, ("copy it to the CPU", ".get()"), lambda f=call: f(given[0]))
