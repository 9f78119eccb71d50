"""Robots, mechanisms and states for tests of controllers."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import jounce
from jounce.robot import Robot
from support.zoo import MODELS

#: An arm, every kind of joint, a floating base with mimic joints, closed loops.
ROBOTS = ("arm", "every kind", "floating, mimic", "closed")


@cache
def robot_of(name: str) -> Any:
    """Return a robot or mechanism by name."""
    if name == "arm":
        return jounce.load("kuka_iiwa14")
    if name == "spherical":
        builder = jounce.TreeBuilder("top")
        inertia = np.diag((0.2, 0.3, 0.4))
        builder.add("top", "spherical", mass=2.0, com=(0.0, 0.0, 0.1), inertia_com=inertia)
        return Robot(builder.build())
    if name == "floating":
        builder = jounce.TreeBuilder("boom")
        inertia = np.diag((0.2, 0.3, 0.4))
        builder.add("base", "free", mass=3.0, com=(0.1, 0.0, 0.0), inertia_com=inertia)
        builder.add("boom", "revolute", mass=1.0, com=(0.3, 0.1, 0.0), inertia_com=0.2 * inertia)
        return Robot(builder.build())
    return jounce.load("five_bar").closed() if name == "closed" else Robot(MODELS[name]())


def random_state(robot: Any, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Return q, v, q_d, v_d, a_d; q_d is near q."""
    rng = np.random.default_rng(seed)
    q = robot.reference if hasattr(robot, "reference") else robot.random(rng)
    v, v_d, a_d, step = rng.standard_normal((4, robot.nv))
    return q, v, robot.integrate(q, 0.2 * step), v_d, a_d


def run_as_c(controller: Any, values: Any, folder: Path, dtype: Any = np.float64) -> list[Any]:
    """Return the results of a controller's function from compiled C code."""
    controller.export.c(folder, controller.call, name="law", dtype=dtype, overwrite=True)
    assert "malloc" not in (folder / "law.c").read_text()
    library = folder / f"{np.dtype(dtype)}.so"
    options = ["-std=c99", "-O1", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, folder / "law.c", "-o", library, "-lm"], check=True)
    inputs = [np.asarray(x, dtype=dtype, order="C") for x in values]
    results = controller.function(*inputs)
    results = results if controller.arguments["state"] else (results,)
    outputs = [np.empty(x.shape, dtype) for x in results]
    function = getattr(ctypes.CDLL(str(library)), f"law_{controller.call}")
    function(*(ctypes.c_void_p(x.ctypes.data) for x in (*inputs, *outputs)))
    return outputs
