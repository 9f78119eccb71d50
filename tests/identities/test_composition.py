"""Derivatives of derivatives, against differences with fifty digits, level by level."""

from __future__ import annotations

import pickle
import re
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
from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.errors import KernelTooLargeError
from jounce.formulas.mechanism.loops import Closure, loop_residual
from jounce.formulas.motions import configuration_rate
from jounce.math.scalar import identity, zeros
from jounce.math.spatial import skew
from jounce.model.joints import KINDS
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.robot import Robot
from jounce.runtime.trace import trace_formula
from support.digits import digits, with_unit_quaternions
from support.helpers import assert_close
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

    def evaluate(
        self, row: AnyQuantity, tree: Tree | None = None, **changed: np.ndarray
    ) -> list[Any]:
        names = (*row.arguments, *row.optional)
        given = [changed.get(name, self.value(name)) for name in names]
        extra = (self.frame,) if row.of_frame else ()
        results = row.formula(self.tree if tree is None else tree, *given, *extra)
        return list(results) if len(row.shapes) > 1 else [results]

    # -------------------------------------------------------------- differences

    def difference(self, row: AnyQuantity, step: str) -> list[np.ndarray]:
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

    def _two_sided(self, row: AnyQuantity, move: Any) -> list[np.ndarray]:
        h = mpmath.mpf(10) ** -12  # with fifty digits, so right to more than twenty
        ahead, behind = (self.evaluate(row, **move(s * h)) for s in (1, -1))
        return [(x - y) / (2 * h) for x, y in zip(ahead, behind, strict=True)]

    def _moves(self, row: AnyQuantity, step: str) -> list[Any]:
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


def compare(sample: Sample, row: AnyQuantity, steps: str) -> AnyQuantity:
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

#: Paths that are followed on every tree if there is time, and where they are usually, if at all.
PATHS = {
    "inverse_dynamics.dt.dq.dv": "mimic",
    "inverse_dynamics.dq.dt.dpi": "",
    "inverse_dynamics.dv.dscrew": "",
    "inverse_dynamics.rates(1).dq": "turning",
    "inverse_dynamics.derivatives.dt": "mimic",
    "mass_matrix.dq.dq.dq": "mimic",
    "mass_matrix.dscrew.dq.dt": "",
    "forward_dynamics.dtau.dpi": "floating",
    "forward_dynamics.dt.dpi": "floating",
    "forward_dynamics.dq.dt": "mimic",
    "forward_dynamics.dq.dq.dq": "",
    "kinetic_energy.dt.dplacement": "turning",
    "kinetic_energy.dq.dt.dv": "turning",
    "coriolis_matrix.dv.dq": "",
    "gravity_forces.dscrew.dscrew": "",
    "gravity_forces.dpi.dplacement": "cylindrical",
    "center_of_mass.dpi.dq": "floating",
    "center_of_mass.dpi.dpi": "floating",
    "external_forces.dq.dt.dscrew": "sliding",
    "christoffel.dq.dq": "cylindrical",
}


def steps_of(path: str) -> tuple[str, str]:
    name, _, steps = path.partition(".")
    return name, steps


@pytest.mark.parametrize("path", [path for path, tree in PATHS.items() if tree])
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


@pytest.mark.parametrize("path", ["jacobian.dq.dt", "twist_mixed.dt.dq", "pose.dt.dscrew"])
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


def follow(path: str) -> None:
    name, steps = steps_of(path)
    compare(five_bar()[0], MECHANISM[name], steps)


@pytest.mark.parametrize("path", ["velocity.dt.dq", "gravity_forces.dq.dt", "mass_matrix.dq.dq"])
def test_a_mechanism(path: str) -> None:
    follow(path)


@pytest.mark.slow
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
    ],
)
def test_more_of_a_mechanism(path: str) -> None:
    follow(path)


def test_a_frame_of_a_mechanism() -> None:
    compare(five_bar()[0], MECHANISM_FRAME["twist"], "dq.dt")


@pytest.mark.parametrize("path", ["loop_jacobian.dq.dt"])
def test_all_joints_of_a_mechanism(path: str) -> None:
    name, steps = steps_of(path)
    compare(five_bar()[1], ALL_JOINTS[name], steps)


# ------------------------------------------------------------------ as users meet them


def floating_arm() -> Robot:
    rng = np.random.default_rng(4)
    return Robot(random_model(rng, 2, ("spherical", "revolute"), floating=True))


def test_time_is_the_state_along_the_velocity() -> None:
    robot, rng = floating_arm(), np.random.default_rng(0)
    q = robot.random(rng)
    v, a, j = rng.normal(size=(3, robot.nv))
    assert_close(robot.mass_matrix.dq.dt(q, v), robot.mass_matrix.dqq(q) @ v, 1e-11)
    rate = robot.inverse_dynamics.dq.dt(q, v, a, j)
    parts = (("dqq", v), ("dqv", a), ("dqa", j))
    along = sum(getattr(robot.inverse_dynamics, name)(q, v, a) @ x for name, x in parts)
    assert_close(rate, along, 1e-11)


def test_the_order_of_axes_matters_by_the_bracket_of_velocities() -> None:
    """Along two velocities X, Y: X Y f - Y X f = [X, Y] f, so .dq.dq is not symmetric."""
    robot = Robot(random_model(np.random.default_rng(2), 1, ("spherical",)))
    q = robot.random(np.random.default_rng(0))
    first, second = robot.gravity_forces.dq(q), robot.gravity_forces.dq.dq(q)
    e = np.eye(3)
    for k, l in ((0, 1), (1, 2), (2, 0)):
        # .dq.dq[..., k, l] is the derivative of .dq[..., k] along velocity l
        wanted = first @ np.cross(e[l], e[k])
        assert_close(second[..., k, l] - second[..., l, k], wanted, 1e-11)


def test_one_derivative_is_one_object() -> None:
    robot = jounce.load("planar_2r")
    for owner in (robot, robot.parametric, robot.morphable):
        tau = owner.inverse_dynamics
        assert tau.dqv is tau.dq.dv
        assert tau.dq.dv.da is tau.dqva
        assert tau.dt.dt is tau.dtt
        assert tau.dt.dtt is tau.dttt
        assert tau.dpi.dq.dq is tau.dpi.dqq
    assert robot.quantity("inverse_dynamics.dq.dv") is robot.inverse_dynamics.dqv
    assert robot.quantity("inverse_dynamics.dqv") is robot.inverse_dynamics.dq.dv
    item = robot.inverse_dynamics.dt.dq
    assert pickle.loads(pickle.dumps(item)) is not None
    assert item.__name__ == "inverse_dynamics.dt.dq"
    assert {"dt", "dq", "dj", "dpi", "dscrew"} <= set(dir(item))


def test_names_of_results_in_exports_differ() -> None:
    rows = [ROBOT["inverse_dynamics"]]
    for step in ("dt", "dtt", "dq", "dq.dt", "dt.dq", "dq.dpi", "dpi.dq", "dpi.dt", "dt.dpi"):
        row = rows[0]
        for name in step.split("."):
            row = derivative(row, name)
        rows.append(row)
    letters = [row.result_names for row in rows]
    assert len(set(letters)) == len(letters), letters


def test_several_results_are_differentiated_each() -> None:
    robot, rng = jounce.load("planar_2r"), np.random.default_rng(0)
    q, v, a, j, s = rng.normal(size=(5, 2))
    tau = robot.inverse_dynamics
    for x, y in zip(
        tau.rates(1).dq(q, v, a, j), (tau.dq(q, v, a), tau.dt.dq(q, v, a, j)), strict=True
    ):
        assert_close(x, y, 1e-12)
    assert isinstance(tau.rates(0).dq(q, v, a), tuple)
    parts = tau.derivatives.dt(q, v, a, j)
    wanted = (
        tau.dt(q, v, a, j),
        tau.dq.dt(q, v, a, j),
        tau.dv.dt(q, v, a, j),
        tau.da.dt(q, v, a, j),
    )
    for x, y in zip(parts, wanted, strict=True):
        assert_close(x, y, 1e-12)
    assert tau.hessian.dq(q, v, a, j).shape == (6, 6, 2)
    assert [x.shape for x in tau.design.dt(q, v, a, j, s, s)] == [(2, 10), (2, 6), (2, 6)]


def test_parameters_and_shape_as_arguments() -> None:
    robot, rng = jounce.load("planar_2r"), np.random.default_rng(0)
    q, v, a, j = rng.normal(size=(4, 2))
    numbers = robot.morphable.now
    for name, given in (
        ("dq.dt", (q, v, a, j)),
        ("dt.dpi", (q, v, a, j)),
        ("dscrew.dq", (q, v, a)),
    ):
        wanted = robot.quantity(f"inverse_dynamics.{name}")(*given)
        found = robot.quantity(f"morphable.inverse_dynamics.{name}")(*given, *numbers)
        assert_close(found, wanted, 1e-11)
        if "dscrew" not in name:
            found = robot.quantity(f"parametric.inverse_dynamics.{name}")(*given, numbers[0])
            assert_close(found, wanted, 1e-11)


# ------------------------------------------------------------------ size


@pytest.mark.parametrize("path", ["gravity_forces.dq.dq.dq", "inverse_dynamics.dt.dq.dv"])
def test_what_is_too_large_is_said_before_it_is_traced(path: str) -> None:
    robot = jounce.load("iiwa14_mueller_kumar2021")
    row, sizes = robot.quantity(path).kernel.quantity, robot.sizes
    true = len(trace_formula(row, robot.tree.lumped, sizes))
    with pytest.raises(
        KernelTooLargeError, match=r"about [\d,]+ operations, .* bytes per sample"
    ) as e:
        trace_formula(row, robot.tree.lumped, sizes, limit=2 * true // 3)
    expected = int(re.findall(r"about ([\d,]+) operations", str(e.value))[0].replace(",", ""))
    assert true / 2 < expected < 2 * true
    assert "warmup(limit=None)" in str(e.value)
    # a graph has nodes that no result needs; a look ahead may change a few by its order
    assert (
        abs(len(trace_formula(row, robot.tree.lumped, sizes, limit=2 * true)) - true) < 0.01 * true
    )
