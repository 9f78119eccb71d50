"""Pushforwards and pullbacks: dual to each other, and equal to what the derivatives say."""

from __future__ import annotations

import copy
import pickle
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from jounce.catalog.arguments import STATE_ARGUMENTS
from jounce.catalog.derivative import derivative, derivative_names, with_optional_gradients
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import TREE, Tables
from jounce.formulas.motions import configuration_rate
from jounce.model.tree import lower
from jounce.robot import Robot
from jounce.runtime.trace import core_shape
from support import PROJECT
from support.digits import digits
from support.helpers import (
    STEP,
    assert_close,
    close,
    numbers,
    objects,
    quiet_read,
    random_robot,
    slope,
)
from support.mechanisms import State, mechanism
from support.robots import ALL_KINDS, random_pose

# ------------------------------------------------------------------ places to be at


class Place:
    """A robot or mechanism at a state, with random values of whatever rows take.

    Formulas run on Python's floats, without a compiler.
    """

    def __init__(self, owner: Any, q: np.ndarray, tables: Tables, seed: int = 0) -> None:
        self.owner, self.q, self.tables = owner, q, tables
        self.rng = np.random.default_rng(seed)
        pi, placements, screws = owner.morphable.now
        if tables is TREE:  # loops would open
            screws = np.array([random_pose(self.rng) for _ in placements])
        self.fixed = {"q": q, "pi": pi, "placements": placements, "screws": screws}

    def of(self, row: AnyQuantity) -> Any:
        """Whose quantity a row is."""
        return self.owner.find_owner(row)

    def value(self, row: AnyQuantity, name: str) -> np.ndarray:
        """A value of an argument of a row."""
        if name in self.fixed and name not in row.argument_definitions:
            return objects(self.fixed[name])
        shape = core_shape(row.argument(name).shape, self.of(row).sizes)
        return objects(self.rng.normal(size=shape))

    def run(self, row: AnyQuantity, given: list[Any]) -> list[np.ndarray]:
        """All results of a row's formula."""
        owner = self.of(row)
        frame = [len(owner.model.frames) - 2] if row.of_frame else []  # not the world's
        found = row.formula(owner.tree, *given, *frame)
        return list(found) if len(row.shapes) > 1 else [np.asarray(found, dtype=object)]


def _tree(seed: int, n: int, **options: Any) -> Place:
    robot = Robot(random_robot(seed, n, **options))
    return Place(robot, robot.random(seed), TREE, seed)


@cache
def place(name: str) -> Place:
    """A tree or a mechanism at a state."""
    match name:
        case "kinds":
            return _tree(3, len(ALL_KINDS))
        case "small":
            return _tree(5, 3, kinds=("spherical", "planar", "helical"))
        case "round":
            return _tree(4, 4, kinds=("spherical", "planar", "universal", "helical"))
        case "floating, mimic":
            return _tree(5, 4, kinds=("revolute", "prismatic"), floating=True, mimic=True)
        case _:
            closed = mechanism(name)
            return Place(closed, State(closed).q, CLOSED)


def names(tables: Tables) -> list[str]:
    """The tables' rows, as parameters of tests."""
    kinds = (kind for kind in tables._fields if kind != "traits")
    return [f"{kind}.{name}" for kind in kinds for name in getattr(tables, kind)]


def row_of(tables: Tables, name: str) -> AnyQuantity:
    """The row of one of `names`."""
    kind, _, quantity = name.partition(".")
    return getattr(tables, kind)[quantity]


# ------------------------------------------------------------------ identities


def inner(xs: list[Any], ys: list[Any]) -> float:
    """Sum of products of entries."""
    return sum(float(np.sum(numbers(x) * numbers(y))) for x, y in zip(xs, ys, strict=True))


def check_dual(at: Place, row: AnyQuantity, suffix: str = "") -> None:
    """<lam, jvp> = <vjp, tangents>, with all optional arguments."""
    push = derivative(row, f"jvp{suffix}")
    pull = with_optional_gradients(derivative(row, f"vjp{suffix}"))
    n, m = len(row.arguments), len(row.optional)
    required = [at.value(row, name) for name in row.arguments]
    optional = [at.value(row, name) for name in row.optional]
    along = [at.value(push, name) for name in push.arguments[n:]]
    further = [at.value(push, name) for name in push.optional[m:]]
    lam = [at.value(pull, name) for name in pull.arguments[n : n + len(row.shapes)]]
    rates = at.run(push, [*required, *along, *optional, *further])
    gradients = at.run(pull, [*required, *lam, *optional])
    assert [x.shape for x in rates] == [x.shape for x in lam]
    assert [x.shape for x in gradients] == [x.shape for x in (*along, *further)]
    parts = [inner([g], [t]) for g, t in zip(gradients, (*along, *further), strict=True)]
    scale = sum(map(abs, parts)) + 1.0
    # rounding of both sides, magnified where the inertia of a task is inverted
    tolerance = 1e-9 if row.of_frame and row.solves else 1e-11
    assert abs(inner(lam, rates) - sum(parts)) <= tolerance * scale, row.name


@pytest.mark.parametrize("name", names(TREE))
def test_dual(name: str) -> None:
    check_dual(place("small"), row_of(TREE, name))


@pytest.mark.parametrize("name", [f"quantities.{x}" for x in TREE.quantities if x != "christoffel"])
def test_dual_in_coordinates(name: str) -> None:
    check_dual(place("small"), row_of(TREE, name), "_coordinates")


@pytest.mark.parametrize("name", [x for x in names(CLOSED) if "morphable_frames.task" not in x])
def test_dual_with_loops(name: str) -> None:
    row = row_of(CLOSED, name)
    all_directions = row.of_frame and row.solves  # what is inverted there needs six of them
    check_dual(place("leg" if all_directions else "four_bar"), row)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in names(TREE) if "christoffel" not in name])
@pytest.mark.parametrize("tree", ["kinds", "round", "floating, mimic"])
def test_dual_for_every_kind_of_joint(tree: str, name: str) -> None:
    for suffix in ("", "_coordinates"):
        check_dual(place(tree), row_of(TREE, name), suffix)


def test_entries_of_poses_may_leave_the_rigid_motions() -> None:
    # the equation of motion and its solution differ there; pushforward and pullback must not
    row = row_of(TREE, "morphable.forward_dynamics")
    check_dual(place("floating, mimic"), row, "_coordinates")


@pytest.mark.slow
@pytest.mark.parametrize("name", names(CLOSED))
@pytest.mark.parametrize("closed", ["leg", "floating"])
def test_dual_for_every_kind_of_loop(closed: str, name: str) -> None:
    check_dual(place(closed), row_of(CLOSED, name))


@pytest.mark.parametrize("suffix", ["dt", "dq", "rates(1)", "jvp", "vjp", "vjp_coordinates"])
def test_dual_of_derivatives(suffix: str) -> None:
    for quantity in ("inverse_dynamics", "gravity_forces"):
        row = derivative(TREE.quantities[quantity], suffix)
        check_dual(place("small"), row)
        check_dual(place("small"), row, "_coordinates")


#: Derivatives in the numbers of the robot, by argument.
IN_NUMBERS = {"pi": "dpi", "placements": "dplacement", "screws": "dscrew"}


def check_directional(at: Place, row: AnyQuantity) -> None:
    """The pushforward is the sum of the derivatives times tangents; of what has none they are 0."""
    push = derivative(row, "jvp")
    given = [at.value(row, name) for name in row.arguments]
    tangents, expected = [], np.zeros(core_shape(push.shape, at.of(row).sizes))
    for name, tangent in zip(row.arguments, push.arguments[len(given) :], strict=True):
        axis = f"d{name}" if name in STATE_ARGUMENTS else IN_NUMBERS.get(name, "")
        along = at.value(push, tangent)
        known = axis in derivative_names(row)
        tangents.append(along if known else 0.0 * along)
        if known:
            matrix = numbers(at.run(derivative(row, axis), given)[0])
            expected += matrix.reshape(*expected.shape, -1) @ numbers(along).ravel()
    (found,) = at.run(push, [*given, *tangents])
    assert_close(numbers(found), expected, 1e-11, row.name)  # two ways through the same sums


#: With numbers as arguments, some: their derivatives are those of the rows without.
DIRECT = (
    *(x for x in names(TREE) if x.startswith(("quantities", "frames"))),
    *(f"morphable.{x}" for x in ("inverse_dynamics", "mass_matrix", "center_of_mass")),
    *("parametric.forward_dynamics", "morphable_frames.pose", "morphable_frames.twist_mixed"),
)


@pytest.mark.parametrize("name", [name for name in DIRECT if "christoffel" not in name])
def test_along_tangents(name: str) -> None:
    row = row_of(TREE, name)
    if len(row.results) == 1:  # several are what their parts are
        check_directional(place("small"), row)


#: Of mechanisms, some of each table: their derivatives by series take long.
LOOPED = (
    "quantities.inverse_dynamics",
    "quantities.constraint_forces",
    "quantities.loop_residual",
    "frames.pose",
    "parametric.forward_dynamics",
    "morphable.inverse_dynamics",
    "morphable.potential_energy",
    "morphable_frames.pose",
)


@pytest.mark.parametrize("name", LOOPED)
def test_along_tangents_of_mechanisms(name: str) -> None:
    check_directional(place("four_bar"), row_of(CLOSED, name))


# ------------------------------------------------------------------ coordinates


@pytest.mark.parametrize(
    "name", ["quantities.inverse_dynamics", "morphable.inverse_dynamics", "morphable_frames.pose"]
)
def test_coordinates_against_complex_steps(name: str) -> None:
    """Every number by itself, quaternions of any length included."""
    at, row = place("small"), row_of(TREE, name)
    push = derivative(row, "jvp_coordinates")
    given = [at.value(row, name) for name in row.arguments]
    given[0] = given[0] * 1.25  # quaternions are normalised by the formula
    along = [at.value(push, name) for name in push.arguments[len(given) :]]
    assert [x.shape for x in along] == [x.shape for x in given]
    stepped = [x + 1j * STEP * t for x, t in zip(given, along, strict=True)]
    (found,) = at.run(push, [*given, *along])
    assert_close(numbers(found), slope(at.run(row, stepped)[0]), what=name)


def test_the_length_of_a_quaternion_has_no_gradient() -> None:
    at = place("small")
    pull = derivative(TREE.quantities["potential_energy"], "vjp_coordinates")
    q = at.value(pull, "q")
    gradient = at.run(pull, [q, objects(1.0)])[0]
    (at_unit,) = (view.q for view in at.owner.joints.values() if view.kind == "spherical")
    assert np.abs(numbers(gradient)[at_unit]).max() > 0.1
    close(numbers(q)[at_unit] @ numbers(gradient)[at_unit], 0.0)


# ------------------------------------------------------------------ fifty digits


@pytest.mark.parametrize("quantity", ["forward_dynamics", "mass_matrix"])
def test_fifty_digits(quantity: str) -> None:
    """Symmetric differences of the formula along a line in q's numbers, which dq is tangent to."""
    at, row = place("small"), TREE.quantities[quantity]
    push, in_numbers = (derivative(row, name) for name in ("jvp", "jvp_coordinates"))
    with mpmath.workdps(50):
        tree = lower(at.owner.model, mpmath.mpf)
        given = [digits(at.value(row, name)) for name in row.arguments]
        along = [digits(at.value(push, name)) for name in push.arguments[len(given) :]]
        rates = [configuration_rate(tree, given[0], along[0]), *along[1:]]
        h = mpmath.mpf(10) ** -15
        up, down = (
            row.formula(tree, *(x + step * t for x, t in zip(given, rates, strict=True)))
            for step in (h, -h)
        )
        slopes = ((up - down) / (2 * h)).ravel()
        for found in (
            push.formula(tree, *given, *along),
            in_numbers.formula(tree, *given, *rates),
        ):
            error = max(abs(x) for x in found.ravel() - slopes)
            assert error < mpmath.mpf(10) ** -26 * max(abs(x) for x in slopes)


# ------------------------------------------------------------------ calls


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot(random_robot(7, 3, kinds=("spherical", "revolute", "prismatic")))


def state(robot: Robot, *batch: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    q = robot.random(rng, int(np.prod(batch))).reshape(*batch, robot.nq) if batch else None
    return [robot.random(rng) if q is None else q, *rng.normal(size=(2, *batch, robot.nv))]


def test_calls(robot: Robot) -> None:
    """Single samples, batches, broadcasting, out, names, float32: as any quantity."""
    x, (q, v, a) = robot.inverse_dynamics, state(robot, 5)
    lam = np.random.default_rng(2).normal(size=robot.nv)
    every = x.vjp(q, v, a, lam)
    assert isinstance(every, tuple)
    for matrix, gradient in zip((x.dq, x.dv, x.da), every, strict=True):
        close(gradient, np.einsum("...ij,i", matrix(q, v, a), lam))
    for single in (x.vjp(q[2], v[2], a[2], lam), x.vjp(q[2], v[2], lam=lam, a=a[2])):
        for one, all_of_them in zip(single, every, strict=True):
            close(one, all_of_them[2])
    out = tuple(np.empty_like(g) for g in every)
    assert all(one is given for one, given in zip(x.vjp(q, v, a, lam, out=out), out, strict=True))
    close(out[0], every[0])
    narrow = x.vjp(*(y.astype(np.float32) for y in (q, v, a, lam)))
    assert {g.dtype for g in narrow} == {np.dtype(np.float32)}
    assert_close(narrow[0], every[0], 1e-4)
    (alone,) = robot.mass_matrix.vjp(q[0], np.eye(robot.nv))
    assert alone.shape == (robot.nv,)
    assert isinstance(
        robot.mass_matrix.vjp.jvp(q[0], np.eye(robot.nv), lam, np.eye(robot.nv)), tuple
    )


def test_optional_arguments_have_gradients_if_they_are_given(robot: Robot) -> None:
    x, (q, v, a) = robot.inverse_dynamics, state(robot)
    rng = np.random.default_rng(2)
    lam, w, dw = rng.normal(size=robot.nv), *rng.normal(size=(2, robot.nb, 6))
    plain, pushed = x.vjp(q, v, a, lam), x.vjp(q, v, a, lam, wrenches=w)
    assert [len(plain), len(pushed)] == [3, 4]
    close(
        pushed[3].ravel() @ dw.ravel(),
        lam @ x.jvp(q, v, a, v, v, v, dwrenches=dw) - lam @ x.jvp(q, v, a, v, v, v),
    )
    assert len(x.vjp(q, v, a, lam, w)) == 4
    assert len(x.vjp(q, v, a, lam, None)) == 3
    assert len(x.vjp(q, v, a, lam, wrenches=w, coordinates=True)) == 4
    out = tuple(np.empty_like(g) for g in pushed)
    assert x.vjp(q, v, a, lam, w, out=out)[3] is out[3]
    close(out[3], pushed[3])
    given = robot.parametric.inverse_dynamics
    pi = robot.model.parameters
    shapes = [g.shape for g in given.vjp(q, v, a, pi, lam, gravity=robot.model.gravity)]
    assert shapes == [(robot.nv,)] * 3 + [(robot.nb, 10), (3,)]


def test_coordinates_are_attributes_names_and_an_option(robot: Robot) -> None:
    x, (q, v, a) = robot.inverse_dynamics, state(robot)
    assert robot.quantity("inverse_dynamics.vjp_coordinates") is x.vjp_coordinates
    assert robot.quantity("inverse_dynamics.vjp") is x.vjp
    by_option = x.vjp(q, v, a, v, coordinates=True)
    assert by_option[0].shape == (robot.nq,)
    for one, other in zip(by_option, x.vjp_coordinates(q, v, a, v), strict=True):
        close(one, other)
    with pytest.raises(TypeError, match="takes no 'coordinates'"):
        x.vjp_coordinates(q, v, a, v, coordinates=True)
    with pytest.raises(TypeError, match="takes no 'coordinates'"):
        x(q, v, a, coordinates=True)


def test_wrong_calls_are_explained(robot: Robot) -> None:
    x, (q, v, a) = robot.inverse_dynamics, state(robot)
    with pytest.raises(TypeError, match=r"vjp: argument 'lam' is missing"):
        x.vjp(q, v, a)
    with pytest.raises(ValueError, match=r"argument 'lam' must have shape"):
        x.vjp(q, v, a, v[:2])
    with pytest.raises(TypeError, match=r"takes no 'force'.*coordinates"):
        x.vjp(q, v, a, v, force=1)
    with pytest.raises(ValueError, match="out must be a tuple of 3"):
        x.vjp(q, v, a, v, out=(None, None))


def test_names_of_arguments(robot: Robot) -> None:
    """Tangents are dq, or d_tau where dtau is something else; weights are numbered on."""
    assert robot.inverse_dynamics.jvp.kernel.arguments == ("q", "v", "a", "dq", "dv", "da")
    rates = derivative(TREE.quantities["forward_dynamics"], "dt")
    assert derivative(rates, "jvp").arguments == (
        *("q", "v", "tau", "dtau"), *("dq", "dv", "d_tau", "ddtau")
    )  # fmt: skip
    twice = robot.inverse_dynamics.vjp.vjp
    assert twice.kernel.arguments == ("q", "v", "a", "lam", "lam_0", "lam_1", "lam_2")
    assert twice.vjp.kernel.arguments[-4:] == ("lam_3", "lam_4", "lam_5", "lam_6")
    hessian = derivative(TREE.quantities["inverse_dynamics"], "hessian")
    assert derivative(hessian, "vjp").arguments == ("q", "v", "a", "lam", "lam_0")


def test_they_are_quantities(robot: Robot) -> None:
    x, (q, v, a) = robot.inverse_dynamics, state(robot)
    for one in (x.vjp, x.jvp, x.vjp_coordinates, robot.frame("tool").pose.vjp):
        again = pickle.loads(pickle.dumps(one))
        assert repr(again) == repr(one)
        assert str(again.__signature__) == str(one.__signature__)
        assert copy.copy(one).kernel.arguments == one.kernel.arguments
    assert "coordinates=False" in str(x.vjp.__signature__)
    assert "Gradients of lam . inverse_dynamics in q, v, a" in x.vjp.__doc__
    assert "vjp" in dir(x)
    # the second derivatives of a weighted quantity: its Hessian times a direction
    lam, dq = np.random.default_rng(4).normal(size=(2, robot.nv))
    along = x.vjp.jvp(q, v, a, lam, dq, 0 * v, 0 * a, 0 * lam)
    full = x.hessian(q, v, a, lam)
    close(along[1], (full[robot.nv : 2 * robot.nv, : robot.nv]) @ dq)


def test_the_page_runs() -> None:
    page = (PROJECT / "docs" / "guide" / "gradients.md").read_text("utf-8")
    session: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "gradients.md", "exec"), session)
    assert "product" in session


def test_other_languages(tmp_path: Path) -> None:
    """C whose self-test passes where weights differ in size, and names of results elsewhere."""
    robot = Robot(quiet_read("planar_2r"))
    names = ["inverse_dynamics.vjp", "mass_matrix.vjp", "gravity_forces.jvp_coordinates"]
    robot.export.c(tmp_path, names, simd=True)
    compiler = shutil.which("cc")
    if compiler is not None:
        build = [compiler, "-std=c99", "-O1", "selftest.c", "planar_2r.c", "-lm", "-o", "selftest"]
        subprocess.run(build, cwd=tmp_path, check=True)
        subprocess.run([tmp_path / "selftest"], check=True, stdout=subprocess.DEVNULL)
    assert "tau_vjp_q[2]" in (tmp_path / "planar_2r.h").read_text()
    (page,) = robot.export.matlab(tmp_path, names[0])
    assert page.read_text().startswith("function [tau_vjp_q, tau_vjp_v, tau_vjp_a] = ")


def test_symbols() -> None:
    sympy = pytest.importorskip("sympy")
    sym = Robot(quiet_read("planar_2r")).export.sympy()
    gradient, rate = sym.gravity_forces.vjp(), sym.gravity_forces.jvp()
    q, lam, dq = sympy.symbols("q1:3"), sympy.symbols("lam1:3"), sympy.symbols("dq1:3")
    forces = sym.gravity_forces()
    for k in range(2):
        along = sum(sympy.diff(forces[k], x) * t for x, t in zip(q, dq, strict=True))
        assert sympy.simplify(rate[k] - along) == 0
        weighted = sum(sympy.diff(forces[i], q[k]) * lam[i] for i in range(2))
        assert sympy.simplify(gradient[k] - weighted) == 0
    assert len(sym.inverse_dynamics.vjp(wrenches=0)) == 4
