"""A joint kind is one row: kinds that are added here, in one file, get all that a robot has.

Among them are kinds of several motions, with one, two, fixed and no axes, and one made of an
elementary motion that the library does not know. Formulas run on floats and on complex numbers, and
kernels are interpreted, so little is compiled. Tolerance: 1e-12 of the largest entry, 2e-15 cond(M)
if that is more where M is solved.
"""

from __future__ import annotations

import inspect
import math
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from identities import test_floors as papers_file
from identities import test_identities as identities_file
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.quantities import QUANTITIES
from jounce.errors import ArgumentError, ModelError, ModelWarning
from jounce.export.pinocchio import PinocchioMap, to_pinocchio
from jounce.formulas.motions import configuration_jets
from jounce.identification.base_parameters import base_parameters
from jounce.identification.excitation.limits import Limits
from jounce.io.urdf import read_urdf
from jounce.math.jets import Jet, rates_of
from jounce.math.scalar import array
from jounce.math.spatial import skew
from jounce.model import joints
from jounce.model.joints import HELICAL, PRISMATIC, REVOLUTE, SPHERICAL, ElementaryMotion, Kind
from jounce.model.model import Joint, Model
from jounce.robot import Robot
from jounce.runtime.trace import core_shape
from support.c_libraries import call, function_names, library, needs_compiler
from support.helpers import (
    as_twist,
    assert_close,
    chain,
    formula_result,
    interpreted,
    joined,
    numbers,
    objects,
    offered,
    parts_of,
    quantity,
    random_arguments,
    with_frames,
)
from support.robots import rate

STEP = 1e-30


class Table(ElementaryMotion):
    """A slide along x and y."""

    name = "table"
    rows = (3, 4)
    units = ("m", "m")
    words = ("x, y", "vx, vy")

    def displacement(self, q: Any, pitch: Any = 0.0) -> Any:
        return None, array((q[0], q[1], 0.0))


NEW = {
    kind.name: kind
    for kind in (
        Kind("ball_and_slide", (SPHERICAL, PRISMATIC)),
        Kind("slide_and_ball", (PRISMATIC, SPHERICAL), ("axis2", None)),
        Kind("turn_slide_turn", (REVOLUTE, PRISMATIC, REVOLUTE), ("axis", "axis2", "axis")),
        Kind("two_balls", (SPHERICAL, SPHERICAL), ("axis", "axis2")),
        Kind("gimbal", (REVOLUTE,) * 3, ((1, 0, 0), (0, 1, 1), (0, 0, 2))),
        Kind("table", (Table(),)),
        Kind("screw_on_table", (Table(), HELICAL), (None, "axis")),
    )
}


@pytest.fixture(autouse=True, scope="module")
def added() -> Iterator[None]:
    for kind in NEW.values():
        joints.add(kind)
    yield
    for name in NEW:
        joints.remove(name)
    assert not joints.KINDS.keys() & NEW.keys()


each_kind = pytest.mark.parametrize("name", list(NEW))


@cache
def model_of(name: str) -> Model:
    """Three joints, the first and last one of the kind, with drives, friction and a tool."""
    return with_frames(chain((name, "revolute", name), len(name)), np.random.default_rng(1))


@cache
def robot_of(name: str) -> Robot:
    return Robot(model_of(name))


# ------------------------------------------------------------------ identities


@each_kind
def test_identities(name: str) -> None:
    case = identities_file.Case(model_of(name), 3)
    for identity in identities_file.IDENTITIES:
        identity(case)


@each_kind
def test_formulas_are_those_of_the_papers(name: str) -> None:
    tests = [x for key, x in vars(papers_file).items() if key.startswith("test_")]
    tests = [x for x in tests if list(inspect.signature(x).parameters) == ["floors"]]
    assert len(tests) > 10
    floors = papers_file.Floors(model_of(name))
    for compare in tests:
        compare(floors)


# ------------------------------------------------------------------ every derivative of every row


class State:
    """A row's own formula on a robot at a random state, and what its derivatives should be."""

    def __init__(self, robot: Robot, row: Any) -> None:
        self.robot, self.quantity = robot, quantity(robot, row, "tool" if row.of_frame else None)
        self.kernel, self.tree = self.quantity.kernel, robot.tree
        given = random_arguments(self.kernel, robot, np.random.default_rng(7))
        self.at = dict(zip(self.kernel.arguments, given, strict=True))
        self.value = self.formula()

    def formula(self, tree: Any = None, kernel: Any = None, **changed: Any) -> np.ndarray:
        kernel = self.kernel if kernel is None else kernel
        given = [changed.get(x, objects(self.at[x])) for x in kernel.arguments]
        return formula_result(kernel, self.tree if tree is None else tree, *given)

    def moved(self, name: str, direction: np.ndarray) -> dict[str, np.ndarray]:
        """The argument one complex step along a direction."""
        at = objects(self.at[name])
        moves = self.kernel.quantity.argument(name).chart is CONFIGURATION
        step = rate(self.robot.model, at, objects(direction)) if moves else direction
        return {name: at + complex(0.0, STEP) * objects(step)}

    def along(self, name: str, direction: np.ndarray, kernel: Any = None) -> np.ndarray:
        found = self.formula(kernel=kernel, **self.moved(name, direction))
        return self.tangent(found.astype(complex).imag / STEP, kernel)

    def tangent(self, change: np.ndarray, kernel: Any = None) -> np.ndarray:
        """A change of poses (4, 4) as twists, of configurations as velocities."""
        row = self.kernel.quantity
        if not row.has_charts or kernel is not None:
            return change
        if len(row.shapes) == 1:
            return self._tangent(row.charts[0], self.value, change)
        ends = np.cumsum([math.prod(core_shape(x, self.robot.sizes)) for x in row.shapes])[:-1]
        parts = zip(row.charts, np.split(self.value, ends), np.split(change, ends), strict=True)
        return np.concatenate([self._tangent(*part) for part in parts])

    def _tangent(self, chart: Any, value: np.ndarray, change: np.ndarray) -> np.ndarray:
        if chart is CONFIGURATION:
            return numbers(chart.to_tangent(self.tree, value, objects(change)))
        return change if chart is None else as_twist(value.astype(float), change)

    def displaced(self, body: int, twist: np.ndarray, screw: bool) -> np.ndarray:
        E = objects(np.eye(4))
        rates = np.zeros((4, 4))
        rates[:3, :3], rates[:3, 3] = skew(twist[:3]), twist[3:]
        for index in np.ndindex(3, 4):
            E[index] = Jet((E[index], rates[index]))
        tree = self.tree.with_joint_moved(body, E, screw=screw)
        return self.tangent(np.asarray(rates_of(self.formula(tree), 1)[1]).astype(float))

    def derivative(self, name: str) -> Any:
        return getattr(self.quantity, name).kernel

    def check(self, name: str, truth: Callable[[np.ndarray], np.ndarray], shape: Any) -> None:
        """A derivative's kernel along a random direction of its last axes."""
        kernel = self.derivative(name)
        known = {**dict.fromkeys(("wrenches", "w"), np.zeros((self.robot.nb, 6))), **self.at}
        given = [known[x] for x in kernel.arguments]
        tensors = parts_of(kernel.quantity, interpreted(kernel, *given))
        direction = np.random.default_rng(5).normal(size=shape)
        found = joined(tuple(np.tensordot(x, direction, axes=direction.ndim) for x in tensors))
        floor = max(float(np.abs(self.value.astype(float)).max()), 1e-9)
        title = f"{self.kernel.quantity.name}.{name}"
        assert_close(found, truth(direction), self.tolerance, title, floor=floor)

    @property
    def tolerance(self) -> float:
        if not self.kernel.quantity.solves:
            return 1e-12
        M = State(self.robot, self.robot.mass_matrix.kernel.quantity).value.astype(float)
        return max(1e-12, 1e-14 * float(np.linalg.cond(M)))

    def check_all(self, second: bool) -> set[str]:
        """Check every listed derivative of a quantity; return those without a check."""
        nv, nb, names = self.robot.nv, self.robot.nb, set(dir(self.quantity))
        row = self.kernel.quantity
        for x in row.axes:
            directions = core_shape(row.argument(x).tangent_shape, self.robot.sizes)
            self.check(f"d{x}", lambda d, x=x: self.along(x, d), directions)
        for x, y in re.findall(r"\bd(q|v|a|tau)(q|v|a|tau)\b", " ".join(names if second else ())):
            first, unit = self.derivative(f"d{x}"), np.random.default_rng(6).normal(size=nv)
            kernel = self.derivative(f"d{x}{y}")
            found = interpreted(kernel, *(self.at[n] for n in kernel.arguments)) @ unit
            truth = self.along(y, unit, first)
            assert_close(found, truth, 10 * self.tolerance, f"{self.kernel.quantity.name}.d{x}{y}")
        if "dpi" in names:
            self.check("dpi", self.by_parameters, (10 * nb,))
        for suffix in ("dscrew", "dplacement"):
            if suffix in names:
                self.check(suffix, lambda d, s=suffix: self.by_geometry(d, s), (nb, 6))
        return names

    def by_parameters(self, direction: np.ndarray) -> np.ndarray:
        pi = self.robot.model.parameters + complex(0.0, STEP) * direction.reshape(-1, 10)
        found = self.formula(self.tree.with_inertias(objects(pi)))
        return self.tangent(found.astype(complex).imag / STEP)

    def by_geometry(self, directions: np.ndarray, suffix: str) -> np.ndarray:
        screw = suffix == "dscrew"
        return sum(self.displaced(b, twist, screw) for b, twist in enumerate(directions))


@pytest.mark.parametrize(
    "name",
    [
        "table",
        pytest.param("ball_and_slide", marks=pytest.mark.slow),
        *(pytest.param(x, marks=pytest.mark.slow) for x in ("slide_and_ball", "two_balls")),
        pytest.param("turn_slide_turn", marks=pytest.mark.slow),
        *(pytest.param(x, marks=pytest.mark.slow) for x in ("gimbal", "screw_on_table")),
    ],
)
def test_every_quantity_and_derivative(name: str) -> None:
    model = with_frames(chain(("revolute", name), len(name)), np.random.default_rng(1))
    robot = Robot(model)
    for row in QUANTITIES:
        if not offered(robot, row, "tool"):
            continue
        state = State(robot, row)
        names = state.check_all(second=name == "ball_and_slide")
        # the tape, whose tree may be lumped, says the same as the formula
        found = joined(interpreted(state.kernel, *state.at.values()))
        floor = max(float(np.abs(state.value.astype(float)).max()), 1e-9)
        assert_close(found, state.value, state.tolerance, row.name, floor=floor)
        if state.kernel.arguments == ("q",) and "dt" in names:
            v = np.random.default_rng(9).normal(size=robot.nv)
            jets = configuration_jets(robot.tree, objects(state.at["q"]), [objects(v)])
            truth = np.asarray(rates_of(state.formula(q=jets), 1)[1])
            moving = joined(interpreted(state.derivative("dt"), state.at["q"], v))
            assert_close(moving, truth, state.tolerance, f"{row.name}.dt", floor=floor)


# ------------------------------------------------------------------ configurations and names


@each_kind
def test_configurations(name: str) -> None:
    robot, kind = robot_of(name), NEW[name]
    rng = np.random.default_rng(1)
    q, v = robot.random(rng, 20), 0.4 * rng.uniform(-1.0, 1.0, (20, robot.nv))
    assert_close(robot.difference(q, robot.integrate(q, v)), v, floor=1.0)
    assert_close(robot.integrate(q, np.zeros(robot.nv)), q)
    rates = [objects(v[0]), *(objects(np.zeros(robot.nv)) for _ in range(11))]
    series = [x.c for x in configuration_jets(robot.tree, objects(q[0]), rates)]
    expected = [sum(c * 0.5**k for k, c in enumerate(x)) for x in series]
    assert_close(robot.integrate(q[0], 0.5 * v[0]), expected)
    view = robot.joints["joint2"]
    assert (view.kind, view.q.stop - view.q.start, view.v.stop - view.v.start) == (
        name,
        kind.nq,
        kind.nv,
    )
    np.testing.assert_array_equal(robot.neutral()[view.q], kind.neutral())
    pose = robot.frame("body0").pose.kernel
    at_rest = interpreted(pose, robot.neutral())
    assert_close(at_rest, robot.model.joints[0].placement)
    labels = robot.labels("q")
    assert labels[view.q] == [f"joint2_{k}" for k in range(kind.nq)]
    assert len(set(robot.labels("v"))) == robot.nv


@each_kind
def test_random_coordinates_keep_to_limits(name: str) -> None:
    kind = NEW[name]
    upper = np.linspace(0.1, 0.4, kind.nv)
    joint = replace(model_of(name).joints[0], lower=-0.2, upper=upper)
    q = kind.random(np.random.default_rng(2), (300,), joint.lower, joint.upper)
    for at in kind.unit_vectors:
        np.testing.assert_allclose(np.linalg.norm(q[:, at], axis=-1), 1.0)
    for i, k in kind.limited:
        assert -0.2 <= q[:, i].min() < -0.1
        assert upper[k] - 0.1 < q[:, i].max() <= upper[k]
    covered = {i for i, _ in kind.limited} | {
        i for at in kind.unit_vectors for i in range(at.start, at.stop)
    }
    assert covered == set(range(kind.nq))


def test_what_the_coordinates_are() -> None:
    kind = joints.kind_of("ball_and_slide")
    assert (kind.nq, kind.nv, kind.units) == (5, 4, ("", "", "", "", "m"))
    assert (kind.limited, kind.rates) == (((4, 3),), ((4, 3),))
    assert kind.turns == (True, True, True, False)
    assert kind.coordinates[0] == "quaternion w, x, y, z, displacement"
    assert joints.kind_of("gimbal").coordinates == ("angle 1, angle 2, angle 3", "rates")


# ------------------------------------------------------------------ other robots from this one


@each_kind
def test_locked_cut_and_mounted(name: str) -> None:
    robot = robot_of(name)
    rng = np.random.default_rng(3)
    q, v, a = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    first = robot.joints["joint0"]
    locked = robot.edit.lock({"joint0": q[first.q]})
    rest = slice(first.v.stop, None)
    v[first.v] = a[first.v] = 0.0
    tau = interpreted(robot.inverse_dynamics.kernel, q, v, a)
    held = interpreted(locked.inverse_dynamics.kernel, q[first.q.stop :], v[rest], a[rest])
    assert_close(held, tau[rest])
    part = robot.edit.subtree("body1")
    assert [joint.kind for joint in part.model.joints] == [name]
    arm = jounce.load("planar_2r")
    both = arm.edit.attach(part, arm.model.frame_names[-1], prefix="new_")
    assert both.nv == arm.nv + part.nv
    state = (both.random(rng), *rng.normal(size=(2, both.nv)))
    M = interpreted(both.mass_matrix.kernel, state[0])
    assert np.linalg.eigvalsh(M).min() > 0.0


def test_limits_of_parts_are_looked_at() -> None:
    robot = robot_of("ball_and_slide")
    joint = replace(robot.model.joints[0], lower=-0.5, upper=[3.0, 3.0, 3.0, 0.5])
    model = replace(robot.model, joints=(joint, *robot.model.joints[1:]))
    with pytest.warns(ModelWarning, match="beyond its limits"):
        Robot(model).edit.lock({"joint0": [1.0, 0.0, 0.0, 0.0, 0.7]})
    odd = replace(joint, lower=-2000.0, upper=2000.0)
    model = replace(robot.model, joints=(odd, *robot.model.joints[1:]))
    names = [finding.code for finding in Robot(model).model.check()]
    assert "limits-in-millimeters" in names


@each_kind
def test_design(name: str) -> None:
    robot = robot_of(name)
    rng = np.random.default_rng(4)
    shift = np.zeros((robot.nb, 6))
    shift[0, 3:] = 0.1, 0.2, 0.3
    moved = robot.edit.with_geometry(screws=shift)
    np.testing.assert_allclose(
        moved.model.joints[0].point - robot.model.joints[0].point, shift[0, 3:], atol=1e-15
    )
    q = robot.random(rng)
    h = 1e-4
    change = interpreted(robot.potential_energy.dscrew.kernel, q)[0, 3:] @ shift[0, 3:]
    ends = [
        interpreted(robot.edit.with_geometry(screws=s * shift).potential_energy.kernel, q)
        for s in (h, -h)
    ]
    assert_close((ends[0] - ends[1]) / (2 * h), change, 1e-6, floor=1e-3)
    turn = np.zeros((robot.nb, 6))
    turn[0, 1] = 0.3
    if NEW[name].axial:
        assert robot.edit.with_geometry(screws=turn).nv == robot.nv
    else:
        with pytest.raises(ModelError, match=f"a {name} joint has the axes of its body"):
            robot.edit.with_geometry(screws=turn)


def test_elastic_drives() -> None:
    """The slide has a motor, the ball none."""
    robot = robot_of("ball_and_slide")
    rng = np.random.default_rng(5)
    state = (robot.random(rng), *rng.normal(size=(4, robot.nv)))
    found = robot.elastic_inverse_dynamics(*state, 1e3)
    driven = np.isfinite(found.motor_position)
    assert driven.tolist() == [False] * 3 + [True] * 2 + [False] * 3 + [True]
    slide = robot.joints["joint0"]
    expected = state[0][slide.q][4] + found.link_torque[slide.v][3] / 1e3
    assert_close(found.motor_position[slide.v][3], expected)
    with pytest.raises(ArgumentError, match=r"has no drive \(it is ball_and_slide\)"):
        robot.elastic_inverse_dynamics(*state, np.full(robot.nv, 1e3))


def test_identification() -> None:
    for name in ("turn_slide_turn", "ball_and_slide", "table"):
        found = base_parameters(robot_of(name), armature=True)
        assert 0 < len(found.matrix) < 10 * 3 + robot_of(name).nv
    assert Limits.of(robot_of("turn_slide_turn")).upper.shape == (7,)
    with pytest.raises(ModelError, match="'joint0' is ball_and_slide, and excitation"):
        Limits.of(robot_of("ball_and_slide"))


# ------------------------------------------------------------------ compiled, exported, elsewhere


@needs_compiler
@pytest.mark.parametrize("name", ["ball_and_slide", "turn_slide_turn"])
def test_compiled_and_exported(name: str, tmp_path: Path) -> None:
    robot = robot_of(name)
    rng = np.random.default_rng(6)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    tau = robot.inverse_dynamics(q, v, a)
    assert_close(tau, interpreted(robot.inverse_dynamics.kernel, q, v, a))
    paths = robot.export.c(tmp_path, ["inverse_dynamics"])
    built, out = library(tmp_path, paths), np.zeros(robot.nv)
    call(built[function_names(paths)[0]], q, v, a, out)
    assert_close(out, tau)
    header = next(path for path in paths if path.suffix == ".h").read_text()
    assert f"({name}): q[0..{NEW[name].nq - 1}] {NEW[name].coordinates[0]}" in header
    text = robot.export.matlab(tmp_path / "m", ["inverse_dynamics"])[0].read_text()
    assert f"({name})" in text


def test_symbols() -> None:
    sympy = pytest.importorskip("sympy")
    for name in ("ball_and_slide", "screw_on_table"):
        robot = Robot(chain((name,), 2))
        sym = robot.export.sympy()
        rng = np.random.default_rng(7)
        for quantity_name, given in (("potential_energy", "q"), ("generalized_momentum", "qv")):
            kernel = getattr(robot, quantity_name).kernel
            numbers = random_arguments(kernel, robot, rng)
            symbols = [list(sym.symbols(x)) for x in given]
            expression = getattr(sym, quantity_name)().value
            value = sympy.lambdify(symbols, expression, cse=True)(*numbers)
            expected = interpreted(kernel, *numbers)
            assert_close(np.reshape(value, expected.shape), expected, 1e-11, quantity_name)


def test_casadi() -> None:
    pytest.importorskip("casadi")
    robot = robot_of("ball_and_slide")
    kernel = robot.inverse_dynamics.kernel
    given = random_arguments(kernel, robot, np.random.default_rng(8))
    found = np.array(robot.export.casadi().inverse_dynamics(*given)).ravel()
    assert_close(found, interpreted(kernel, *given), 1e-13)


@pytest.mark.parametrize("name", ["ball_and_slide", "slide_and_ball", "turn_slide_turn"])
def test_pinocchio_agrees(name: str) -> None:
    pin = pytest.importorskip("pinocchio")
    robot = robot_of(name)
    theirs = to_pinocchio(robot.model)
    between = PinocchioMap(robot.model, theirs)
    rng = np.random.default_rng(9)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    assert_close(between.q_from_pinocchio(between.q_to_pinocchio(q)), q)
    state = [between.q_to_pinocchio(q), between.v_to_pinocchio(v), between.v_to_pinocchio(a)]
    tau = pin.rnea(theirs, theirs.createData(), *state)
    # its composite joints leave armature out of the inverse dynamics
    bare = Robot(
        replace(robot.model, joints=tuple(replace(j, armature=0.0) for j in robot.model.joints))
    )
    armature = np.concatenate([j.armature for j in robot.model.joints])
    found = interpreted(bare.inverse_dynamics.kernel, q, v, a)
    assert_close(between.tau_from_pinocchio(tau), found + armature * a, 1e-11)


def test_pinocchio_has_no_table() -> None:
    with pytest.raises(ModelError, match="is table, but Pinocchio has no table motion"):
        PinocchioMap(model_of("table"), to_pinocchio(model_of("table")))


_OTHER = """
import pickle, sys
from jounce.model.joints import KINDS, PRISMATIC, SPHERICAL, Kind, add
if {add}:
    add(Kind("ball_and_slide", (SPHERICAL, PRISMATIC)))
try:
    robot = pickle.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(pickle.dumps((robot.nv, robot.tree, robot)))
except Exception as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
"""


@pytest.mark.parametrize("add", [True, False])
def test_processes_exchange_pickles(add: bool) -> None:
    robot = robot_of("ball_and_slide")
    done = subprocess.run(
        [sys.executable, "-c", _OTHER.format(add=add)],
        input=pickle.dumps(robot),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(jounce.__file__).parents[1])},
        timeout=120,
        check=False,
    )
    if add:
        nv, tree, back = pickle.loads(done.stdout)
        assert nv == robot.nv == back.nv
        assert [node.motion for node in tree.nodes] == [node.motion for node in robot.tree.nodes]
    else:
        assert b"unknown kind 'ball_and_slide'; choose one of revolute" in done.stderr


# ------------------------------------------------------------------ files


def test_what_a_urdf_can_spell(tmp_path: Path) -> None:
    for name in ("ball_and_slide", "table"):
        with pytest.raises(ModelError, match=rf"no {name} joint.* only revolute, continuous"):
            robot_of(name).export.urdf(tmp_path / "no.urdf")
    for name in ("turn_slide_turn", "gimbal"):
        robot = robot_of(name)
        back = Robot(read_urdf(robot.export.urdf(tmp_path / f"{name}.urdf")))
        assert back.model.joint_names[0] == "joint0_1"
        q = robot.random(1)
        before, after = (
            interpreted(r.potential_energy.kernel, np.atleast_1d(q)) for r in (robot, back)
        )
        assert_close(after - before, 0.0 * before, floor=abs(float(before)))


def test_the_old_name_of_aliases_warns() -> None:
    with pytest.warns(DeprecationWarning, match="spelled= is deprecated; use aliases="):
        kind = Kind("hovering", (REVOLUTE,), **{"spelled": {"urdf": ("hover",)}})
    assert kind.aliases == {"urdf": ("hover",)}


def test_a_kind_that_a_format_spells() -> None:
    """Another word of a format is one more entry of the row."""
    kind = joints.add(Kind("hovering", (REVOLUTE, Table()), aliases={"urdf": ("hover",)}))
    try:
        text = """<robot name="r"><link name="a"/><link name="b"/>
            <joint name="j" type="hover"><parent link="a"/><child link="b"/></joint></robot>"""
        (joint,) = read_urdf(text).joints
        assert (joint.kind, joint.nv) == ("hovering", 3)
    finally:
        joints.remove(kind.name)
    with pytest.raises(ModelError, match="unknown joint type 'hover'; choose one of revolute"):
        read_urdf(text)


# ------------------------------------------------------------------ what is refused


def test_unknown_kinds_are_refused_with_those_that_are_known() -> None:
    with pytest.raises(ModelError, match=r"unknown kind 'ball'; did you mean 'ball_and_slide'"):
        Joint("j", "ball")
    with pytest.raises(ModelError, match=r"link 'a': .* 'ball'; did you mean 'ball_and_slide'"):
        jounce.TreeBuilder("r").add("a", "ball")


class Backwards(Table):
    def displacement(self, q: Any, pitch: Any = 0.0) -> Any:
        return None, array((-q[0], q[1], 0.0))


class Short(Table):
    units = ("m",)


class Lost(Table):
    def difference(self, q0: Any, q1: Any) -> Any:
        return q0 - q1


class Straight(type(joints.PLANAR)):
    """A planar motion whose drift leaves out that it turns while it moves."""

    name = "straight"
    drift = ElementaryMotion.drift


class Shifted(Table):
    def displacement(self, q, pitch=0.0):
        return None, array((q[0] + 1.0, q[1], 0.0))


class Feet(Table):
    units = ("m", "ft")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NEW["gimbal"], "'gimbal': this name is in use"),
        (lambda: Kind("fixed", (REVOLUTE,)), "'fixed': this name is in use"),
        (lambda: Kind("", (REVOLUTE,)), "expected a name and one motion or more"),
        (lambda: Kind("none", ()), "expected a name and one motion or more"),
        (lambda: Kind("word", ("revolute",)), "expected motions such as REVOLUTE, found 'rev"),  # pyright: ignore[reportArgumentType]
        (lambda: Kind("x", (REVOLUTE,) * 2, ("axis",)), "expected 2 axes, one per motion, found"),
        (lambda: Kind("x", (REVOLUTE,), names=("a", "b")), "expected 1 names, one per motion"),
        (lambda: Kind("x", (REVOLUTE,), ("axis3",)), "an axis must be 'axis', 'axis2', a direc"),
        (lambda: Kind("x", (REVOLUTE,), ((0, 0, 0),)), "an axis must be 'axis', 'axis2', a direc"),
        (lambda: Kind("x", (Backwards(),)), "motion 'table': displacement: its rate is not S v"),
        (lambda: Kind("x", (Short(),)), r"configuration_rate: expected shape \(1,\), found \(2,\)"),
        (lambda: Kind("x", (Lost(),)), "motion 'table': difference: it does not undo integrate"),
        (lambda: Kind("x", (Straight(),)), r"drift: it is not exp\(S v t\) to second order"),
        (lambda: Kind("x", (Shifted(),)), "displacement: it is not the identity at the neutral"),
        (lambda: Kind("x", (Feet(),)), "units: expected 'rad', 'm' or '', found 'ft'"),
        (
            lambda: Kind("x", (REVOLUTE,), aliases={"sdf": ("screw",)}),
            "'screw' already means a helical joint in sdf",
        ),
    ],
)
def test_bad_rows_are_refused(make: Callable[[], Kind], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        joints.add(make())
    assert "x" not in joints.KINDS


def test_what_is_built_in_stays() -> None:
    with pytest.raises(ModelError, match="'revolute': built-in kinds cannot be removed"):
        joints.remove("revolute")
    with pytest.raises(ModelError, match="unknown kind 'x'; choose one of"):
        joints.remove("x")


def test_joints_of_new_kinds_keep_the_rules_of_their_motions() -> None:
    with pytest.raises(ModelError, match="spherical part of a ball_and_slide joint must be the"):
        Joint("j", "ball_and_slide", armature=[1.0, 1.0, 2.0, 3.0])
    assert Joint("j", "ball_and_slide", armature=[1.0, 1.0, 1.0, 3.0]).armature[3] == 3.0
    with pytest.raises(ModelError, match="only joints with one degree of freedom can mimic"):
        Joint("j", "table", mimic=jounce.Mimic("k"))
    with pytest.raises(ModelError, match=r"a revolute joint has no pitch, found 0\.1"):
        Joint("j", "revolute", pitch=0.1)
    with pytest.raises(ModelError, match="two axes of a universal joint must not be parallel"):
        Joint("j", "universal", axis=(0, 0, 1), axis2=(0, 0, -1))


# ------------------------------------------------------------------ the rows of the library itself


def test_rows_of_the_library_hold_together() -> None:
    for kind in joints.KINDS.values():
        for motion in kind.motions:
            assert not joints.motion_check.problem(motion), motion
            again = pickle.loads(pickle.dumps(motion))
            assert again == motion
            assert hash(again) == hash(motion)


DOCS = Path(__file__).parents[2] / "docs" / "guide"


def test_tables_in_the_documentation_are_the_rows() -> None:
    page = (DOCS / "joints.md").read_text("utf-8")
    for text in (joints.__doc__ or "", page):
        assert joints.table() in text, "write there what jounce.model.joints.table() says"
    readers = (DOCS / "readers.md").read_text("utf-8")
    cells = next(line for line in readers.splitlines() if line.startswith("| joints ")).split("|")
    for form, cell in zip(("urdf", "mjcf", "sdf"), cells[2:5], strict=True):
        words = {word.strip() for word in cell.split(",")}
        assert set(joints.spellings(form)) <= words, form


def test_the_page_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "joints.md").read_text("utf-8"), re.DOTALL)
    for name in ("ball_and_slide", "gimbal", "table"):
        joints.remove(name)
    session: dict[str, Any] = {}
    try:
        for block in blocks:
            exec(block, session)
        assert session["tau_q"].shape == (4, 4)
        assert {"ball_and_slide", "scara", "gimbal", "table"} <= joints.KINDS.keys()
    finally:
        for name in ("ball_and_slide", "scara", "gimbal", "table"):
            if name in joints.KINDS:
                joints.remove(name)
        for name in ("ball_and_slide", "gimbal", "table"):
            joints.add(NEW[name])
