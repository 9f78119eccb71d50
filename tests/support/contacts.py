"""Robots in contact at random states, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jounce.formulas.contact.geometry import contact_poses
from jounce.model.constraints import Contact
from jounce.model.model import Model
from jounce.robot import Robot
from jounce.solve.contacts.robot import Contacts
from support.helpers import STEP, numbers, objects, slope
from support.robots import random_model, random_pose, random_state, rate


def with_contacts(model: Model, rng: np.random.Generator, *kinds: str) -> Model:
    """Contacts of these kinds, at random places of bodies far from each other, the last first."""
    made = [
        Contact(f"contact{k}", model.nb - 1 - 4 * k, random_pose(rng), kind)
        for k, kind in enumerate(kinds)
    ]
    return replace(model, contacts=tuple(made))


def foot(pose: np.ndarray, *points: tuple[float, float, float]) -> list[np.ndarray]:
    """Poses at points of a frame with this pose."""
    out = []
    for point in points:
        T = pose.copy()
        T[:3, 3] += pose[:3, :3] @ point
        out.append(T)
    return out


def redundant(rng: np.random.Generator, kind: str) -> Model:
    """A floating tree on contacts of which some follow from others."""
    model = random_model(rng, 5, ("revolute", "spherical", "prismatic"), floating=True)
    pose = random_pose(rng)
    if kind == "surfaces":
        placed = [(T, "surface") for T in foot(pose, (0.0, 0.0, 0.0), (0.1, 0.0, 0.2))]
    elif kind == "line of points":
        places = ((-0.1, 0.0, 0.0), (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
        placed = [(T, "point") for T in foot(pose, *places)]
    else:  # corners, and a point elsewhere
        places = ((0.1, 0.05, 0.0), (0.1, -0.05, 0.0), (-0.1, 0.05, 0.0), (-0.1, -0.05, 0.0))
        placed = [(T, "point") for T in foot(pose, *places)]
    made = [Contact(f"corner{k}", 4, T, kind) for k, (T, kind) in enumerate(placed)]
    if kind == "corners":
        made.append(Contact("elsewhere", 1, random_pose(rng), "point"))
    return replace(model, contacts=tuple(made))


class Standing:
    """A robot in contact at a random state, and its formulas on any scalar.

    h: a time step. given: the optional arguments of dynamics in contact, all of them.
    """

    h = 0.01

    def __init__(self, model: Model, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.robot = Robot(model)
        self.contacts: Contacts = self.robot.contacts()
        self.tree = self.contacts.tree
        self.q, self.v, _ = random_state(model, rng)
        nv = self.robot.nv
        self.tau, self.dtau = rng.normal(size=(2, nv))
        near = self.q + 0.2 * rng.normal(size=self.robot.nq)  # quaternions need no unit length
        anchors = numbers(contact_poses(self.tree, objects(near)))
        wrenches = rng.normal(size=(self.robot.nb, 6))
        self.given: tuple[Any, ...] = (wrenches, anchors, 30.0, 4.0, 0.05)

    def state(self, *names: str) -> list[np.ndarray]:
        """Arguments by name as object arrays."""
        return [objects(getattr(self, name)) for name in names]

    def options(self, given: bool) -> list[Any]:
        """All optional arguments, or none."""
        return [objects(x) for x in self.given] if given else []

    def along(self, f: Any, name: str, direction: np.ndarray) -> list[np.ndarray]:
        """Derivatives of the results of f(argument) along a direction, by complex steps."""
        at, step = objects(getattr(self, name)), objects(direction)
        if name == "q":
            step = rate(self.robot.model, at, step)
        found = f(at + complex(0.0, STEP) * step)
        return [slope(x) for x in (found if isinstance(found, tuple) else (found,))]
