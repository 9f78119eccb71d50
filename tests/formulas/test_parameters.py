"""Derivatives in the inertial parameters, against what knows nothing of them.

The truth is the quantity's own formula at parameters that are complex numbers (a complex step), or
that have fifty digits: M, C, g, tau, energies and momenta are linear in the parameters, exactly.
Formulas run on floats here; what is compiled is in `test_parametric`. Tolerance: 1e-12 of the
largest entry, 2e-15 cond(M) if that is more where M is solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import mpmath
import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.formulas.motions import time_derivatives
from jounce.math.scalar import array, zeros
from jounce.model.tree import Tree, lower
from jounce.runtime.trace import core_shape
from support.digits import with_unit_quaternions
from support.helpers import assert_close, chain, joined, numbers, objects, parts_of, slope
from support.parameters import FEW, MODELS, Parameters, case_of
from support.robots import ALL_KINDS
from support.urdf_files import example_model

pytestmark = pytest.mark.sweeps

#: Quantities linear in the parameters, apart from what armature adds.
LINEAR = (
    "inverse_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "coriolis_matrix_garofalo",
    "coriolis_matrix_mueller_kumar",
    "christoffel",
    "gravity_forces",
    "bias_forces",
    "generalized_momentum",
    "momentum_forces",
    "kinetic_energy",
    "potential_energy",
    "momentum",
    "momentum_matrix",
    "joint_wrenches",
    "motor_forces",
    "subtree_inertias",
    "shaking_wrench",
)
#: The others, with the degree of the homogeneous function they are without armature.
HOMOGENEOUS = {
    "mass_matrix_inverse": -1,
    "center_of_mass": 0,
    "com_jacobian": 0,
    "centroidal_momentum": 1,
    "centroidal_momentum_matrix": 1,
    "subtree_centers": 0,
    "mass_matrix_factor": 0.5,
    "mass_matrix_factor_inverse": -0.5,
    "quasi_velocities": 0.5,
    "quasi_velocity_coriolis": 0.5,
}
#: Those that find accelerations.
SOLVED = ("forward_dynamics", "driven_dynamics", "step")
#: Neither: several results, or forces that do not depend on the parameters.
OTHERS = ("mass_matrix_ltdl", "normalized_forces", "state_matrices")
#: Quantities with a derivative in the parameters.
#: The equations of motion have three results; `test_coriolis` has them.
IN_PI = [name for name, row in ROBOT.items() if row.inertial and name != "equations_of_motion"]


def test_the_robots_have_what_they_are_for() -> None:
    kinds = {joint.kind for name in FEW for joint in case_of(name).model.joints}
    assert kinds == set(ALL_KINDS)
    for name in (*MODELS, *FEW):
        assert ("mimic" in name or name == "small") == case_of(name).tree.has_mimics, name


def test_every_row_is_tested() -> None:
    assert {*LINEAR, *HOMOGENEOUS, *SOLVED, *OTHERS} == set(IN_PI)


rows = pytest.mark.parametrize("name", IN_PI)
models = pytest.mark.parametrize("robot", list(MODELS))
few = pytest.mark.parametrize("robot", list(FEW))


COSTLY = (
    "christoffel",
    "state_matrices",
    "quasi_velocity_coriolis",
    "mass_matrix_factor",
    "mass_matrix_factor_inverse",
)


def pairs(names: Iterable[str], robots: Iterable[str], large: tuple[str, ...]) -> Any:
    """Every quantity on every robot; those that take long not on large ones."""
    found = [(r, n) for r in robots for n in names if n not in COSTLY or r not in large]
    return pytest.mark.parametrize(("robot", "name"), found)


LARGE = ("every kind", "serial", "floating", "two roots", "small")

some = pytest.mark.parametrize("robot", ["every kind", "floating, mimic", "small", "kuka"])

# ------------------------------------------------------------------ a complex step in pi


@rows
@few
def test_each_parameter(robot: str, name: str) -> None:
    case = case_of(robot)
    units = np.eye(case.pi.size)
    expected = np.stack([case.along_pi(name, unit) for unit in units], axis=-1)
    assert_close(case.dpi(name), expected, case.tolerance(name), what=name)


@pairs(IN_PI, MODELS, LARGE)
def test_all_parameters_at_once(robot: str, name: str) -> None:
    case = case_of(robot)
    direction = case.normal(case.pi.size)
    expected = case.along_pi(name, direction)
    assert_close(case.dpi(name) @ direction, expected, case.tolerance(name), what=name)


@rows
def test_panda(name: str) -> None:
    case = Parameters(example_model("panda"))
    for direction in case.normal(2, case.pi.size):
        expected = case.along_pi(name, direction)
        assert_close(case.dpi(name) @ direction, expected, case.tolerance(name), what=name)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize(
    "name",
    [
        "inverse_dynamics",
        "mass_matrix",
        "coriolis_matrix",
        "momentum_forces",
        "kinetic_energy",
        "com_jacobian",
        "centroidal_momentum_matrix",
    ],
)
def test_humanoid(name: str, base: str) -> None:
    case = Parameters(example_model("g1_29dof_rev_1_0", base))
    direction = case.normal(case.pi.size)
    assert_close(case.dpi(name) @ direction, case.along_pi(name, direction), what=name)


# ------------------------------------------------------------------ linear, exactly


@pairs(LINEAR, MODELS, LARGE)
def test_linear_quantities_follow_from_the_tensors(robot: str, name: str) -> None:
    """Also for parameters no body has; and the tensor does not depend on them."""
    case = case_of(robot)
    pi = case.normal(*case.pi.shape)
    tensor = numbers(case.dpi(name))
    own = case.number(name, case.with_pi(np.zeros_like(pi)))
    assert_close(tensor @ pi.ravel() + own, case.number(name, case.with_pi(pi)), what=name)
    assert_close(tensor @ case.pi.ravel() + own, case.number(name), what=name)
    assert_close(case.dpi(name, case.with_pi(pi)), tensor, what=name)


@models
def test_armature_is_all_that_is_left_without_bodies(robot: str) -> None:
    """And friction, of what motors give."""
    case = case_of(robot)
    empty = case.with_pi(np.zeros_like(case.pi))
    v, a, armature = case.at["v"], case.at["a"], case.armature
    units = [case.ball_rotors(unit) for unit in np.eye(case.robot.nv)]
    left = {
        "inverse_dynamics": armature * a,
        "mass_matrix": np.diag(armature),
        "coriolis_matrix": case.ball_rotors(v),
        "christoffel": np.stack(units, axis=-1),
        "generalized_momentum": armature * v,
        "kinetic_energy": np.array(0.5 * v @ (armature * v)),
        "motor_forces": armature * a + case.number("joint_friction"),
    }
    for name in LINEAR:
        found = case.number(name, empty)
        assert_close(found, left.get(name, np.zeros_like(found)), what=name, floor=1.0)


@pairs(HOMOGENEOUS, MODELS, LARGE)
def test_homogeneous_quantities(robot: str, name: str) -> None:
    """Euler: the derivative along the parameters themselves is the degree times the value."""
    case = case_of(robot).without_armature()
    value = case.number(name)
    found = numbers(case.dpi(name)) @ case.pi.ravel()
    size = np.abs(numbers(case.dpi(name))).max() * np.abs(case.pi).max()
    assert_close(found, HOMOGENEOUS[name] * value, case.tolerance(name), what=name, floor=size)


@models
def test_forward_dynamics_without_armature(robot: str) -> None:
    """A robot whose inertias grow needs forces that grow: da/dpi pi = -M^-1 tau."""
    case = case_of(robot).without_armature()
    tau = case.at["tau"]
    found = numbers(case.dpi("forward_dynamics")) @ case.pi.ravel()
    expected = -np.linalg.solve(case.number("mass_matrix"), tau)
    tolerance = case.tolerance("forward_dynamics")
    floor = np.abs(case.number("forward_dynamics")).max()
    assert_close(found, expected, tolerance, floor=floor)


def exact_case() -> tuple[Parameters, Tree]:
    """Every joint kind, in numbers of fifty digits."""
    case = Parameters(chain(ALL_KINDS, 4), 12)
    mp = np.vectorize(lambda x: mpmath.mpf(x) / 3, otypes=[object])
    case.at = {name: mp(x) for name, x in case.at.items()}
    case.at["q"] = with_unit_quaternions(case.robot, case.at["q"])
    return case, lower(case.robot.model, mpmath.mpf)


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in LINEAR if name != "christoffel"),
        pytest.param("christoffel", marks=pytest.mark.slow),
        "slotine_li_regressor",
    ],
)
def test_linear_to_forty_digits(name: str) -> None:
    with mpmath.workdps(50):
        case, tree = exact_case()
        entries = case.normal(*case.pi.shape).ravel().tolist()
        pi = array(mpmath.mpf(x) / 7 for x in entries)
        full = tree.with_inertias(pi.reshape(-1, 10))
        bare = tree.with_inertias(zeros(*case.pi.shape))
        if name in LINEAR:
            expected = case.formula(name, full) - case.formula(name, bare)
            found = case.dpi(name, tree) @ pi
        else:
            M = case.formula("mass_matrix", full) - case.formula("mass_matrix", bare)
            C = case.formula("coriolis_matrix", full) - case.formula("coriolis_matrix", bare)
            g = case.formula("gravity_forces", full)
            expected = M @ case.a_r + C @ case.v_r + g
            found = case.formula(name, tree) @ pi
        gap = max(abs(x) for x in np.atleast_1d(found - expected).flat)
        size = max(abs(x) for x in np.atleast_1d(expected).flat)
        assert size > 1e-2
        assert gap < mpmath.mpf("1e-40") * size


# ------------------------------------------------------------------ Slotine and Li, momenta


@models
def test_slotine_li_regressor(robot: str) -> None:
    """M a_r + C v_r + g = Y pi + what armature has in M and C, for the Christoffel C."""
    case = case_of(robot)
    Y = case.number("slotine_li_regressor")
    v_r, a_r = case.at["v_r"], case.at["a_r"]
    drives = case.armature * a_r + case.ball_rotors(case.at["v"]) @ v_r
    for pi in (case.pi, case.normal(*case.pi.shape)):
        M, C, g = (
            case.number(name, case.with_pi(pi))
            for name in ("mass_matrix", "coriolis_matrix", "gravity_forces")
        )
        assert_close(Y @ pi.ravel() + drives, M @ a_r + C @ v_r + g)


@models
def test_slotine_li_regressor_with_the_robots_own_motion(robot: str) -> None:
    case = case_of(robot)
    classic = case.formula("slotine_li_regressor", v_r=case.v, a_r=case.a)
    assert_close(classic, case.dpi("inverse_dynamics"))


@models
def test_slotine_li_regressor_is_affine_in_the_references(robot: str) -> None:
    case = case_of(robot)
    v_r, a_r = case.v_r, case.a_r

    def Y(x: float, y: float) -> np.ndarray:
        """At x times the reference velocity and y times the reference acceleration."""
        return numbers(case.formula("slotine_li_regressor", v_r=x * v_r, a_r=y * a_r))

    rest = Y(0.0, 0.0)
    assert_close(rest, case.dpi("gravity_forces"))
    assert_close(Y(3.0, -2.0) - rest, 3.0 * (Y(1.0, 0.0) - rest) - 2.0 * (Y(0.0, 1.0) - rest))
    C, M = case.dpi("coriolis_matrix"), case.dpi("mass_matrix")
    assert_close(Y(1.0, 0.0) - rest, np.tensordot(v_r, C, (0, 1)))
    assert_close(Y(0.0, 1.0) - rest, np.tensordot(a_r, M, (0, 1)))


def rate_of(case: Parameters, name: str, dpi: bool = False) -> np.ndarray:
    """The time derivative of a quantity, or of its derivative in the parameters."""
    row = derivative(ROBOT[name], "dpi") if dpi else ROBOT[name]
    row = derivative(row, "dt")
    return numbers(row.formula(case.tree, *case.given(row)))


@models
def test_momentum_form(robot: str) -> None:
    """d/dt (M v) = tau + C^T v - g, in forces and in regressors: what filtering builds on."""
    case = case_of(robot)
    v = case.at["v"]
    C, g = case.number("coriolis_matrix"), case.number("gravity_forces")
    assert_close(case.number("momentum_forces"), C.T @ v - g)
    assert_close(case.number("generalized_momentum"), case.number("mass_matrix") @ v)
    tau = case.number("inverse_dynamics")
    momentum_rate = rate_of(case, "generalized_momentum")
    assert_close(momentum_rate, tau + case.number("momentum_forces"))
    regressors = case.dpi("inverse_dynamics") + case.dpi("momentum_forces")
    assert_close(rate_of(case, "generalized_momentum", dpi=True), regressors)
    transposed = np.tensordot(v, numbers(case.dpi("coriolis_matrix")), (0, 0))
    assert_close(case.dpi("momentum_forces"), transposed - numbers(case.dpi("gravity_forces")))


@models
def test_each_parameter_keeps_the_power_balance(robot: str) -> None:
    """dM/dt = C + C^T, and the energies' rates are the powers, parameter by parameter."""
    case = case_of(robot)
    v = case.at["v"]
    C = numbers(case.dpi("coriolis_matrix"))
    assert_close(rate_of(case, "mass_matrix", dpi=True), C + C.swapaxes(0, 1))
    energy = rate_of(case, "kinetic_energy", dpi=True) + rate_of(case, "potential_energy", dpi=True)
    assert_close(energy, v @ numbers(case.dpi("inverse_dynamics")))


# ------------------------------------------------------------------ armature and friction


def moment_columns(v: np.ndarray, v_r: np.ndarray) -> np.ndarray:
    """Column k of C v_r for a free body with the inertia e_k e_k^T, by Koszul's formula."""
    columns = []
    for e in np.eye(3):
        terms = e * np.cross(v, v_r) - np.cross(e * v_r, v) - np.cross(e * v, v_r)
        columns.append(0.5 * terms)
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("name", ["inverse_dynamics.dpi", "slotine_li_regressor"])
@models
def test_extended_regressor(robot: str, name: str) -> None:
    """Columns a, v and sign(v), and what they are with a sign that fades.

    The armatures of a spherical joint have the columns of moments of inertia about its axes.
    """
    case = case_of(robot)
    row = ROBOT[name] if name in ROBOT else derivative(ROBOT["inverse_dynamics"], "dpi")
    given = case.given(row)
    n, v = case.robot.nv, case.at["v"].copy()
    v[0] = 0.0
    given[1] = objects(v)
    Y = numbers(row.formula(case.tree, *given))
    accelerations = np.diag(numbers(given[-1]))
    v_r = numbers(given[-2])  # v itself for inverse dynamics
    for view in case.robot.joints.values():
        if view.kind == "spherical":
            accelerations[view.v, view.v] += moment_columns(v[view.v], v_r[view.v])
    exact = numbers(derivative(row, "extended").formula(case.tree, *given))
    assert exact.shape == (n, case.pi.size + 3 * n)
    columns = np.hstack((Y, accelerations, np.diag(v), np.diag(np.sign(v))))
    assert_close(exact, columns, 1e-15)
    for smoothing in (0.5, 1e-9):
        smooth = numbers(derivative(row, "extended_smooth").formula(case.tree, *given, smoothing))
        assert_close(smooth[:, -n:], np.diag(v / np.hypot(v, smoothing)))
        assert np.array_equal(smooth[:, :-n], exact[:, :-n])
    assert_close(smooth, exact)  # of the last and smallest


# ------------------------------------------------------------------ derivatives of derivatives


@pairs(IN_PI, list(FEW)[:-1], ("free, prismatic", "cylindrical, spherical"))
def test_state_derivatives_of_parameter_derivatives(robot: str, name: str) -> None:
    """.dpi.dq, .dpi.dv, ... by a complex step of .dpi, which complex steps in pi hold right."""
    case = case_of(robot)
    row = derivative(ROBOT[name], "dpi")
    given = case.given(row)
    floor = np.abs(numbers(case.dpi(name))).max()
    for argument in row.arguments:
        shape = core_shape(row.argument(argument).tangent_shape, case.robot.sizes)
        found = derivative(row, f"d{argument}").formula(case.tree, *given)
        columns = []
        for unit in np.eye(math.prod(shape)):
            moved = case.moved(argument, unit.reshape(shape), row)
            columns.append(slope(case.dpi(name, **{argument: moved})))
        expected = np.stack(columns, axis=-1).reshape(*columns[0].shape, *shape)
        found = joined(parts_of(row, found), axes=1 + len(shape))
        assert_close(found, expected, case.tolerance(name), what=argument, floor=floor)


@pytest.mark.parametrize("wrt", ["dq", "dv", "da"])
@some
def test_regressor_of_state_derivatives(robot: str, wrt: str) -> None:
    """Mixed derivatives commute: those of Y, times pi, are the closed forms of dtau/dq and so on.

    A wrong direction in pi cannot hide: the parameters are random, and not a body's.
    """
    case = case_of(robot)
    pi = case.normal(*case.pi.shape)
    row = ROBOT["inverse_dynamics"]
    given = case.given(row)
    of_Y = numbers(derivative(derivative(row, "dpi"), wrt).formula(case.tree, *given))
    of_tau = numbers(derivative(row, wrt).formula(case.with_pi(pi), *given))
    own = np.diag(case.armature) if wrt == "da" else 0.0
    assert_close(np.einsum("ikj,k->ij", of_Y, pi.ravel()) + own, of_tau)


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "slotine_li_regressor"])
@some
def test_time_derivatives(robot: str, name: str) -> None:
    """.dt, .dtt and .rates by Taylor series that expand the sines and quaternions themselves."""
    case = case_of(robot)
    row = ROBOT[name] if name.startswith("slotine") else derivative(ROBOT[name], "dpi")
    # along a motion with v_r = v and a_r = a, so that one series has all arguments
    motion = case.levels("q")[:5]
    known = dict(zip(("q", "v", "a", "j", "s"), motion, strict=True))
    for k, letters in enumerate(("v_r", "dv_r", "ddv_r")):
        known[letters] = motion[1 + k]
        known[letters.replace("v_r", "a_r")] = motion[2 + k]
    formulas: dict[str, Callable[..., Any]] = {
        "inverse_dynamics": lambda tree, q, v, a: row.formula(tree, q, v, a),
        "mass_matrix": lambda tree, q: row.formula(tree, q),
        "slotine_li_regressor": lambda tree, q, v, a: row.formula(tree, q, v, v, a),
    }
    levels = time_derivatives(formulas[name], case.tree, motion[0], motion[1:], 2)
    every = derivative(row, "rates(2)")
    found = every.formula(case.tree, *(known[x] for x in every.arguments))
    floor = np.abs(numbers(levels[0])).max()
    for k, (level, expected) in enumerate(zip(found, levels, strict=True)):
        assert_close(level, numbers(expected), what=f"derivative {k}", floor=floor)
    for k in (1, 2):
        alone = derivative(row, "d" + k * "t")
        level = alone.formula(case.tree, *(known[x] for x in alone.arguments))
        assert_close(level, numbers(levels[k]), what=alone.name, floor=floor)


@rows
def test_first_rate_of_every_row(name: str) -> None:
    """.dpi.dt is .dpi.dq v + .dpi.dv a + ..., for all quantities."""
    case = case_of("free, prismatic")
    row = derivative(ROBOT[name], "dpi")
    first = derivative(row, "dt")
    rates = {"q": "v", "v": "a", "a": "j", "tau": "dtau", "h": "dh"}
    known = dict(zip(first.arguments, case.given(first), strict=True))
    found = numbers(joined(parts_of(first, first.formula(case.tree, *known.values())), axes=1))
    given = [known[x] for x in row.arguments]
    expected = np.zeros_like(found)
    for argument in row.arguments:
        gradient = derivative(row, f"d{argument}").formula(case.tree, *given)
        rate = numbers(known[rates[argument]])
        gradient = numbers(joined(parts_of(row, gradient), axes=1 + rate.ndim))
        expected += np.tensordot(gradient, rate, axes=rate.ndim)
    assert_close(found, expected, case.tolerance(name), floor=np.abs(expected).max() + 1.0)
