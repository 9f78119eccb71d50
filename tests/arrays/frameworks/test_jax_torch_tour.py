"""What the tour shows of JAX and PyTorch runs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import jounce
from support import PROJECT

pytestmark = pytest.mark.frameworks


def test_the_tour_runs() -> None:
    tour = (PROJECT / "docs" / "guide" / "tour.md").read_text("utf-8")
    blocks = re.findall(r"```py\n(.*?)```", tour, flags=re.DOTALL)
    (block,) = (x for x in blocks if "import jax, torch" in x)  # others need a GPU
    robot, rng = jounce.load("kuka_iiwa14"), np.random.default_rng(0)
    v, a = rng.standard_normal((2, 4096, robot.nv))
    names: dict[str, Any] = {"jounce": jounce, "robot": robot, "q": robot.random(rng, 4096)}
    names |= {"v": v, "a": a}
    exec(block, names)
    gradients = robot.inverse_dynamics.vjp(
        names["q"], v, a, 2 * robot.inverse_dynamics(names["q"], v, a)
    )
    for found, expected in zip(names["gradient"], gradients, strict=True):
        scale = np.abs(expected).max()
        np.testing.assert_allclose(np.asarray(found), expected, atol=1e-4 * scale)  # in float32
    assert names["torques"].grad.shape == (4096, 50, 7)
