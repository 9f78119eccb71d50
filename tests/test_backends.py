"""Machine code against the interpreter: every row of the catalog, batch sizes and layouts."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from helpers import assert_close, interpreted, kernels, quiet_read, random_arguments, small_model
from jounce.backends import llvm
from jounce.kernels import Kernel
from jounce.robot import Robot, load

#: The smallest robot has constants among its outputs and hardly any value between segments.
ROBOTS = {"planar_2r": lambda: quiet_read("planar_2r"), "small": small_model}

TOLERANCE = {"d": 1e-13, "f": 2e-5}


@cache
def compiled(name: str) -> tuple[Robot, dict[str, Kernel]]:
    robot = Robot(ROBOTS[name]())
    named = {
        kernel.row.name + "+" * (len(kernel.arguments) - len(kernel.row.arguments)): kernel
        for kernel in kernels(robot)
    }
    return robot, named


def batch_sizes(char: str) -> tuple[int, ...]:
    width = llvm.host().width("double" if char == "d" else "float")
    return (0, 1, 2, width - 1, width, width + 1, 1000)


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("row", list(compiled("planar_2r")[1]))
@pytest.mark.parametrize("name", list(ROBOTS))
def test_machine_code_is_the_interpreted_tape(name: str, row: str, char: str) -> None:
    robot, named = compiled(name)
    kernel = named[row]
    kernel.compile(char)
    for n in batch_sizes(char):
        given = random_arguments(kernel, robot, np.random.default_rng(n), (n,))
        given = [x.astype(char) for x in given]
        result = kernel.ufunc(*given)
        assert result.dtype == char
        expected = interpreted(kernel, *(x.astype(float) for x in given))
        tolerance = TOLERANCE[char]
        if row.startswith(("forward_dynamics", "mass_matrix_inverse")):
            # both solve with M and lose digits in proportion to its condition number
            M = interpreted(named["mass_matrix"], given[0].astype(float))
            tolerance *= 1.0 + np.linalg.cond(M).max(initial=0.0)
        assert_close(result, expected, tolerance, f"{row}, {n} samples", floor=1e-3)


@pytest.mark.parametrize("char", ["d", "f"])
def test_constant_outputs_survive_packing(char: str) -> None:
    """The last block of an input overhangs its slots; constants must not lie under it."""
    robot = load("planar_2r")
    q = np.zeros((100, 2), char)
    base, tool = robot.frame("base"), robot.frame("tool")
    np.testing.assert_array_equal(base.pose(q), np.broadcast_to(np.eye(4, dtype=char), (100, 4, 4)))
    for n in range(1, 100):
        np.testing.assert_array_equal(tool.pose(q[:n])[:, 3], np.tile((0, 0, 0, 1), (n, 1)))
        np.testing.assert_array_equal(robot.mass_matrix(q[:n])[:, 1, 1], np.ones(n))
