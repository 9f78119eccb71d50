"""Robots whose inertial parameters may be any, and what tests of derivatives in them ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.papers import common
from support.case import Case
from support.helpers import (
    STEP,
    joined,
    numbers,
    objects,
    parts_of,
    quiet_read,
    random_robot,
    slopes,
    small_model,
    with_two_roots,
)
from support.robots import ALL_KINDS, SINGLE


class Parameters(Case):
    """A case whose inertial parameters may be any."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        super().__init__(model, seed)
        self.pi = model.parameters

    def normal(self, *shape: int) -> np.ndarray:
        """Random numbers, the same at each call: tests run in any order."""
        return np.random.default_rng(self.seed + 1000).normal(size=shape)

    def with_pi(self, pi: Any) -> Tree:
        return self.tree.with_inertias(objects(pi))

    def formula(self, name: str, tree: Tree | None = None, **changed: Any) -> np.ndarray:
        """A quantity of the catalog, or of another tree or at other arguments; `joined`."""
        return joined(parts_of(ROBOT[name], self.evaluate(ROBOT[name], tree, **changed)))

    def number(self, name: str, tree: Tree | None = None) -> np.ndarray:
        return numbers(self.formula(name, tree))

    def dpi(self, name: str, tree: Tree | None = None, **changed: Any) -> np.ndarray:
        row = derivative(ROBOT[name], "dpi")
        return joined(parts_of(row, self.evaluate(row, tree, **changed)), axes=1)

    def along_pi(self, name: str, direction: np.ndarray) -> np.ndarray:
        """Derivative of a quantity along a direction of all parameters, by a complex step."""
        tree = self.with_pi(self.pi + 1j * STEP * direction.reshape(-1, 10))
        return slopes(ROBOT[name], self.tree, self.evaluate(ROBOT[name], tree))

    @property
    def armature(self) -> np.ndarray:
        """Armature as seen at each entry of v: followers add to their leader's."""
        out = np.zeros(self.robot.nv)
        for node in self.tree.nodes:
            out[node.vs] += node.gain**2 * node.armature.astype(float)
        return out

    def ball_rotors(self, v: np.ndarray) -> np.ndarray:
        """The share of armature in C: half armature v~ in spherical joints (see test_koszul)."""
        return numbers(common.armature_christoffel(self.tree, objects(v)))

    def without_armature(self) -> Parameters:
        """The same robot at the same state without armature."""
        drives = np.zeros(self.robot.nv)
        bare = Parameters(self.robot.edit.with_parameters(self.pi, armature=drives).model)
        bare.at = self.at
        return bare


MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: random_robot(1, len(ALL_KINDS)),
    "serial": lambda: random_robot(2, len(ALL_KINDS), branching=False, armature=False),
    "floating": lambda: random_robot(3, 6, floating=True),
    "two roots": lambda: with_two_roots(random_robot(4, len(ALL_KINDS))),
    "two roots, mimic": lambda: with_two_roots(random_robot(5, 6, SINGLE, mimic=True)),
    "floating, mimic": lambda: random_robot(7, 5, SINGLE, mimic=True, floating=True),
    "small": small_model,
    "kuka": lambda: quiet_read("iiwa14_mueller_kumar2021"),
}


#: Few bodies, every kind among them: for derivatives in each parameter on its own.
FEW: dict[str, Callable[[], Model]] = {
    "planar, universal": lambda: random_robot(8, 2, ("planar", "universal")),
    "cylindrical, spherical": lambda: random_robot(8, 2, ("cylindrical", "spherical")),
    "revolute, helical, mimic": lambda: random_robot(9, 3, ("revolute", "helical"), mimic=True),
    "free, prismatic": lambda: random_robot(10, 2, ("prismatic",), floating=True),
    "two free": lambda: with_two_roots(random_robot(11, 2, ("free",))),
}


@cache
def case_of(name: str) -> Parameters:
    return Parameters((MODELS | FEW)[name](), len(name))
