"""Derivatives of derivatives, against differences with fifty digits, level by level."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

import jounce
from jounce.catalog.arguments import argument, rate_name, rate_of
from jounce.catalog.derived import FRAME, ROBOT, derivative
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.catalog.row import GEOMETRY, Row
from jounce.formulas.mechanism.loops import Closure, loop_residual
from jounce.formulas.motions import configuration_rate
from jounce.math.scalar import identity, zeros
from jounce.math.spatial import skew
from jounce.model.joints import KINDS
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.robot import Robot
from support.digits import digits, with_unit_quaternions
from support.robots import random_model

pytestmark = pytest.mark.identities


@contextmanager
def fifty() -> Iterator[None]:
    with mpmath.workdps(50):
        yield


class Sample:
    """A tree on mpmath's numbers, and a value for every argument."""

    def __init__(self, tree: Tree, q: np.ndarray, model: Model, sizes: dict[str, int]) -> None:
        self.tree, self.sizes = tree, sizes
        self.parameters = digits(model.parameters)
        self.frame = len(model.frames) - 1
        self._values = {"q": q}
        self._rng = np.random.default_rng(1)

    def value(self, name: str) -> np.ndarray:
        if name not in self._values:
            shape = [self.sizes.get(str(n), n) for n in argument(name).shape]
            self._values[name] = digits(self._rng.normal(size=shape))
        return self._values[name]

    def evaluate(self, row: Row, tree: Tree | None = None, **changed: np.ndarray) -> list[Any]:
        names = (*row.arguments, *row.optional)
        given = [changed.get(name, self.value(name)) for name in names]
        extra = (self.frame,) if row.of_frame else ()
        results = row.formula(self.tree if tree is None else tree, *given, *extra)
        return list(results) if len(row.shapes) > 1 else [results]

    # -------------------------------------------------------------- differences

    def difference(self, row: Row, step: str) -> list[np.ndarray]:
        """The derivative of a row by central differences."""
        columns = [self._two_sided(row, move) for move in self._moves(row, step)]
        if step == "rates(1)":
            return [*self.evaluate(row), *columns[0]]
        if step == "dt":
            return columns[0]
        stacked = [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]
        if step in GEOMETRY:
            return [x.reshape(*x.shape[:-1], self.tree.nb, 6) for x in stacked]
        return stacked

    def _two_sided(self, row: Row, move: Any) -> list[np.ndarray]:
        h = mpmath.mpf(10) ** -12  # with fifty digits, so right to more than twenty
        ahead, behind = (self.evaluate(row, **move(s * h)) for s in (1, -1))
        return [(x - y) / (2 * h) for x, y in zip(ahead, behind, strict=True)]

    def _moves(self, row: Row, step: str) -> list[Any]:
        """What changes with a small number, for each direction."""
        q, tree = self.value("q"), self.tree
        if step in ("dt", "rates(1)"):
            # what accelerations are found for moves the state itself
            found = {} if row.rates is None else {"v": self.evaluate(row)[0]}
            names = (*row.arguments, *row.optional)
            return [lambda h: {name: self._later(name, h, found) for name in names}]
        if step == "dq":
            units = identity(tree.dof)
            return [lambda h, u=u: {"q": q + h * configuration_rate(tree, q, u)} for u in units]
        if step == "dpi":
            return [lambda h, k=k: {"tree": self._heavier(k, h)} for k in range(10 * tree.nb)]
        if step in GEOMETRY:
            at = [(body, k) for body in range(tree.nb) for k in range(6)]
            return [lambda h, at=at: self._moved(*at, h, step) for at in at]
        name = step.removeprefix("d")
        x = self.value(name)
        return [lambda h, u=u: {name: x + h * u} for u in identity(len(x))]

    def _later(self, name: str, h: Any, found: dict[str, np.ndarray]) -> np.ndarray:
        x = self.value(name)
        if name in found:
            return x + h * found[name]
        if name == "q":
            return x + h * configuration_rate(self.tree, x, self.value("v"))
        base, order = rate_of(name) or (name, 0)
        return x + h * self.value(rate_name(base, order + 1))

    def _heavier(self, k: int, h: Any) -> Tree:
        pi = self.parameters.copy()
        pi[k // 10, k % 10] += h
        return self.tree.with_inertias(pi)

    def _moved(self, body: int, k: int, h: Any, step: str) -> dict[str, Any]:
        twist = zeros(6)
        twist[k] = h
        E = identity(3) + skew(twist[:3]), twist[3:]
        tree = self.tree.with_joint_moved(body, E, screw=GEOMETRY[step])
        if tree.active is None:
            return {"tree": tree}
        v = zeros(tree.nv)  # the dependent joints close the loops again
        closure, q = Closure(self.tree, self.value("q")), self.value("q")
        gap = loop_residual(replace(tree, active=None), q)
        v[closure.passive] = -closure.factors.solve(gap)
        return {"tree": tree, "q": q + configuration_rate(replace(tree, active=None), q, v)}


def compare(sample: Sample, row: Row, steps: str) -> Row:
    """Each step of a path against differences of the step before; the last row."""
    with fifty():
        for step in steps.split("."):
            found = derivative(row, step)
            if step in ("derivatives",):  # whose parts are compared by themselves
                row = found
                continue
            wanted = sample.difference(row, step)
            results = sample.evaluate(found)
            for one, other in zip(results, wanted, strict=True):
                x, y = (np.asarray(z, dtype=object) for z in (one, other))
                assert x.shape == y.shape, (found.name, x.shape, y.shape)
                scale = max([abs(e) for e in y.flat] + [1])
                worst = max((abs(a - b) for a, b in zip(x.flat, y.flat, strict=True)), default=0)
                assert worst < 1e-15 * scale, (found.name, worst, scale)
            row = found
    return row


@cache
def tree_sample(kinds: tuple[str, ...], mimic: bool = False, floating: bool = False) -> Sample:
    rng = np.random.default_rng(len(kinds) + 2 * mimic)
    model = random_model(rng, len(kinds), kinds, mimic=mimic, floating=floating)
    robot = Robot(model)
    with fifty():
        q = with_unit_quaternions(robot, digits(robot.random(np.random.default_rng(0))))
        return Sample(lower(model, mpmath.mpf), q, model, robot.sizes)


@cache
def five_bar() -> tuple[Sample, Sample]:
    """The mechanism, and all of its joints."""
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    with fifty():
        exact = lower(closed.model, mpmath.mpf)
        tree = replace(exact, rows=closed.tree.rows, active=closed.active)
        q = digits(closed.random(3))
        for _ in range(6):
            v = zeros(tree.nv)
            closure = Closure(tree, q)
            v[closure.passive] = -closure.factors.solve(
                loop_residual(replace(tree, active=None), q)
            )
            q = q + v  # all of its joints turn
        every = replace(tree, active=None)
        return (
            Sample(tree, q, closed.model, closed.sizes),
            Sample(every, q, closed.model, {**closed.robot.sizes, "nl": closed.sizes["nl"]}),
        )


# ------------------------------------------------------------------ trees

TREES = {
    "turning": (("revolute", "spherical"), False, False),
    "sliding": (("planar", "helical"), False, False),
    "mimic": (("revolute", "prismatic", "revolute"), True, False),
    "floating": (("universal",), False, True),
    "cylindrical": (("cylindrical", "prismatic"), False, False),
}

#: Paths that are followed on every tree if there is time, and where they are usually.
PATHS = {
    "inverse_dynamics.dt.dq.dv": "mimic",
    "inverse_dynamics.dq.dt.dpi": "floating",
    "inverse_dynamics.dv.dscrew": "floating",
    "inverse_dynamics.rates(1).dq": "turning",
    "inverse_dynamics.derivatives.dt": "mimic",
    "mass_matrix.dq.dq.dq": "mimic",
    "mass_matrix.dscrew.dq.dt": "cylindrical",
    "forward_dynamics.dtau.dpi": "floating",
    "forward_dynamics.dt.dpi": "floating",
    "forward_dynamics.dq.dt": "mimic",
    "forward_dynamics.dq.dq.dq": "cylindrical",
    "kinetic_energy.dt.dplacement": "turning",
    "kinetic_energy.dq.dt.dv": "turning",
    "coriolis_matrix.dv.dq": "mimic",
    "gravity_forces.dscrew.dscrew": "turning",
    "gravity_forces.dpi.dplacement": "cylindrical",
    "center_of_mass.dpi.dq": "floating",
    "center_of_mass.dpi.dpi": "floating",
    "external_forces.dq.dt.dscrew": "sliding",
    "christoffel.dq.dq": "cylindrical",
}


def steps_of(path: str) -> tuple[str, str]:
    name, _, steps = path.partition(".")
    return name, steps


@pytest.mark.parametrize("path", PATHS)
def test_trees(path: str) -> None:
    name, steps = steps_of(path)
    compare(tree_sample(*TREES[PATHS[path]]), ROBOT[name], steps)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("tree", TREES)
def test_all_trees(tree: str, path: str) -> None:
    name, steps = steps_of(path)
    compare(tree_sample(*TREES[tree]), ROBOT[name], steps)


def test_every_kind_of_joint_is_met() -> None:
    met = {kind for kinds, _, _ in TREES.values() for kind in kinds} | {"free"}
    assert met == set(KINDS)


@pytest.mark.parametrize(
    "path", ["jacobian.dq.dt", "twist_mixed.dt.dq", "jacobian_world.dscrew.dq"]
)
def test_frames(path: str) -> None:
    name, steps = steps_of(path)
    compare(tree_sample(*TREES["turning"]), FRAME[name], steps)


def test_derivatives_of_a_pose_are_those_of_a_jacobian() -> None:
    with fifty():
        sample = tree_sample(*TREES["turning"])
        for step in ("dq", "dt", "dscrew"):
            one = derivative(derivative(FRAME["pose"], "dq"), step)
            other = derivative(FRAME["jacobian"], step)
            (x,), (y,) = sample.evaluate(one), sample.evaluate(other)
            assert max(abs(e) for e in (x - y).flat) < 1e-40


# ------------------------------------------------------------------ mechanisms


@pytest.mark.parametrize(
    "path",
    [
        "inverse_dynamics.dt.dq",
        "inverse_dynamics.dq.dv",
        "inverse_dynamics.dq.dpi",
        "forward_dynamics.dq.dt",
        "forward_dynamics.dq.dtau",
        "mass_matrix.dq.dq.dq",
        "gravity_forces.dscrew.dq",
        "gravity_forces.dplacement.dscrew",
        "center_of_mass.dpi.dq",
        "velocity.dt.dq",
    ],
)
def test_a_mechanism(path: str) -> None:
    name, steps = steps_of(path)
    compare(five_bar()[0], MECHANISM[name], steps)


def test_a_frame_of_a_mechanism() -> None:
    compare(five_bar()[0], MECHANISM_FRAME["twist"], "dq.dt")


@pytest.mark.parametrize("path", ["loop_jacobian.dq.dt", "constrained_dynamics.dv.dq"])
def test_all_joints_of_a_mechanism(path: str) -> None:
    name, steps = steps_of(path)
    compare(five_bar()[1], ALL_JOINTS[name], steps)
