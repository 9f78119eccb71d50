"""The robots, what is measured of them, and their states."""

from __future__ import annotations

import math
import warnings
from functools import cache
from typing import Any

import numpy as np

import jounce
from benchmarks.files import path
from jounce.errors import ModelWarning

ROBOTS = ("ur5", "panda", "g1")
QUANTITIES = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "inverse_dynamics.derivatives",
    "forward_dynamics.derivatives",
)
SCALARS = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}

#: Samples whose results are compared; a batch repeats them.
COMPARED = 4096


def load(name: str) -> jounce.Robot:
    """A robot by its name in ROBOTS, of which nothing is compiled."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return jounce.load(path(name))


@cache
def robot(name: str) -> jounce.Robot:
    """A robot by its name in ROBOTS, always the same."""
    return load(name)


def states(quantity: Any, count: int) -> list[np.ndarray]:
    """Arguments (count, core) of a quantity of a robot, in float32, which float64 holds too."""
    rng = np.random.default_rng(2024)
    owner = quantity.robot
    return [
        np.asarray(
            owner.random(rng, count) if name == "q" else rng.normal(size=(count, *core)), np.float32
        )
        for name, core in zip(quantity.kernel.arguments, quantity.kernel.inputs, strict=True)
    ]


def batch(quantity: Any, scalar: str, most: int, bytes_: int) -> int:
    """Samples of a batch: `most`, or what fits, in whole multiples of those compared."""
    kernel = quantity.kernel
    entries = sum(map(math.prod, (*kernel.inputs, *kernel.outputs)))
    fits = bytes_ // (entries * SCALARS[scalar].itemsize)
    return max(min(most, fits) // COMPARED, 1) * COMPARED
