"""Inertial parameters as arguments, robots with other ones, and regressors as users call them.

What the kernels compute is compared with the formulas on robots made by `with_parameters`, which
know nothing of parameters as arguments; the formulas themselves are held right by
`test_parameters`. Tolerance: 1e-12 of the largest entry, 2e-15 cond(M) if that is more where M is
solved.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import PARAMETRIC, ROBOT
from jounce.errors import ModelError, ModelWarning
from jounce.model.model import Model
from jounce.robot import Robot
from support.c_libraries import call, function_names, library, needs_compiler
from support.helpers import (
    assert_close,
    chain,
    interpreted,
    kernel_of,
    objects,
    quiet_read,
    random_argument,
    small_model,
    with_friction,
)
from support.robots import ALL_KINDS, random_inertia, random_model

pytestmark = pytest.mark.sweeps

ARM = "iiwa14_mueller_kumar2021"


def consistent(robot: Robot, seed: int, *batch: int) -> np.ndarray:
    """Random parameters of bodies that can be: (*batch, nb, 10)."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(batch, dtype=int)) * robot.nb
    return np.array([random_inertia(rng) for _ in range(count)]).reshape(*batch, robot.nb, 10)


def motion(robot: Robot, seed: int, *batch: int) -> list[np.ndarray]:
    """Random q, v, a and j."""
    rng = np.random.default_rng(seed)
    return [random_argument(name, robot, rng, batch) for name in "qvaj"]


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(with_friction(quiet_read(ARM), np.random.default_rng(0)))


# ------------------------------------------------------------------ formulas

MODELS: dict[str, Callable[[], Model]] = {
    "every kind": lambda: random_model(np.random.default_rng(1), len(ALL_KINDS)),
    "floating, mimic": lambda: random_model(
        np.random.default_rng(2), 5, ("revolute", "prismatic"), mimic=True, floating=True
    ),
}


@cache
def state_of(name: str) -> tuple[Robot, Robot, dict[str, np.ndarray]]:
    """A robot, one with other parameters and gravity, and arguments of all quantities."""
    robot = Robot(MODELS[name]())
    gravity = np.array((1.0, -2.0, 3.0))
    other = Robot(robot.edit.with_parameters(consistent(robot, 3)).model.with_gravity(gravity))
    rng = np.random.default_rng(4)
    names = ("q", "v", "a", "j", "tau", "dtau", "lam", "wrenches", "dwrenches")
    at = {"wrenches": rng.normal(size=(robot.nb, 6)), "dwrenches": rng.normal(size=(robot.nb, 6))}
    at |= {x: random_argument(x, robot, rng) for x in names if x not in at}
    at |= {
        "pi": other.model.parameters,
        "gravity": gravity,
        "h": np.array(0.01),
        "dh": np.array(0.3),
    }
    return robot, other, {x: objects(value) for x, value in at.items()}


def check_row(name: str, constant: AnyQuantity, row: AnyQuantity) -> None:
    """A row with parameters as its argument is the one of the robot that has them."""
    robot, other, at = state_of(name)
    assert row.arguments == (*constant.arguments, "pi")
    assert row.optional == (*constant.optional, "gravity")
    given = [at[x] for x in (*row.arguments, *row.optional)]
    found = row.formula(robot.tree, *given)
    expected = constant.formula(
        other.tree, *(at[x] for x in (*constant.arguments, *constant.optional))
    )
    limit = 1e-12
    if constant.name.startswith(("forward_dynamics", "mass_matrix_inverse")):
        M = ROBOT["mass_matrix"].formula(other.tree, at["q"]).astype(float)
        limit = max(limit, 2e-15 * np.linalg.cond(M))
    several = isinstance(found, (list, tuple))
    pairs = zip(found, expected, strict=True) if several else [(found, expected)]
    for ours, truth in pairs:
        assert_close(ours, truth, limit, what=constant.name, floor=1e-3)


@pytest.mark.parametrize("quantity", list(PARAMETRIC))
@pytest.mark.parametrize("name", list(MODELS))
def test_quantities(name: str, quantity: str) -> None:
    check_row(name, ROBOT[quantity], PARAMETRIC[quantity])


@pytest.mark.parametrize("quantity", [x for x in PARAMETRIC if x != "christoffel"])
def test_derivatives(quantity: str) -> None:
    name = "floating, mimic"
    constant, row = ROBOT[quantity], PARAMETRIC[quantity]
    assert derivative_names(row) == derivative_names(constant)
    second = {"dtt", "dqq", "dqv", "dvv", "daq", "dqtau", "hessian", "design_product", *PRODUCTS}
    for suffix in set(derivative_names(row)) - second:
        given = [derivative(x, suffix) for x in (constant, row)]
        check_row(name, *given)
    check_row(name, derivative(constant, "rates(1)"), derivative(row, "rates(1)"))


def test_derivatives_of_the_regressor() -> None:
    name = "floating, mimic"
    rows = [derivative(x["inverse_dynamics"], "dpi") for x in (ROBOT, PARAMETRIC)]
    for suffix in ("dt", "dq", "dv", "da"):
        check_row(name, *(derivative(row, suffix) for row in rows))


def test_every_quantity_with_parameters_is_there() -> None:
    assert set(PARAMETRIC) == {
        name for name, row in ROBOT.items() if "dpi" in derivative_names(row)
    }


# ------------------------------------------------------------------ batches of robots


def loop(robot: Robot, row: AnyQuantity, pi: np.ndarray, *given: np.ndarray) -> np.ndarray:
    """A quantity of one robot after the other, without a compiler."""
    others = map(robot.edit.with_parameters, pi)
    return np.array([interpreted(kernel_of(other, row), *given) for other in others])


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix", "kinetic_energy"])
def test_parameters_broadcast_against_states(arm: Robot, quantity: str) -> None:
    pi = consistent(arm, 1, 4)
    row = ROBOT[quantity]
    given = motion(arm, 2, 6)[: len(row.arguments)]
    found = getattr(arm.parametric, quantity)(*given, pi[:, None])
    assert found.shape[:2] == (4, 6)
    assert_close(found, loop(arm, row, pi, *given))


def test_parameters_of_each_sample(arm: Robot) -> None:
    """Ten thousand robots, one kernel."""
    q, v, a, _ = motion(arm, 3, 10_000)
    scale = np.random.default_rng(4).uniform(0.5, 2.0, (len(q), arm.nb, 1))
    pi = scale * consistent(arm, 5, 1)
    found = arm.parametric.inverse_dynamics(q, v, a, pi)
    for i in (0, 4_999, 9_999):
        expected = loop(arm, ROBOT["inverse_dynamics"], pi[i : i + 1], q[i], v[i], a[i])[0]
        assert_close(found[i], expected)


def test_wrenches_and_gravity(arm: Robot) -> None:
    q, v, a, _ = motion(arm, 6, 5)
    pi = consistent(arm, 7, 3)
    rng = np.random.default_rng(8)
    w, gravity = rng.normal(size=(5, arm.nb, 6)), rng.normal(size=(3, 3))
    tau_of, row = arm.parametric.inverse_dynamics, ROBOT["inverse_dynamics"]
    given = (q, v, a, pi[:, None])
    pushed = tau_of(*given, wrenches=w)
    fallen = tau_of(*given, gravity=gravity[:, None])
    full = tau_of(*given, wrenches=w, gravity=gravity[:, None])
    pushes = interpreted(kernel_of(arm, ROBOT["external_forces"]), q, w)
    for i, other in enumerate(map(arm.edit.with_parameters, pi)):
        robots = (other, Robot(other.model.with_gravity(gravity[i])))
        tau, tau_elsewhere = (interpreted(kernel_of(x, row), q, v, a) for x in robots)
        assert_close(pushed[i], tau - pushes)
        assert_close(fallen[i], tau_elsewhere)
        assert_close(full[i], tau_elsewhere - pushes)


@pytest.mark.parametrize("suffix", ["dq", "dt", "dpi"])
def test_derivatives_on_batches(arm: Robot, suffix: str) -> None:
    pi = consistent(arm, 9, 3)
    row = derivative(ROBOT["forward_dynamics"], suffix)
    given = motion(arm, 10, 4)[: len(row.arguments)]
    found = getattr(arm.parametric.forward_dynamics, suffix)(*given, pi[:, None])
    M = interpreted(kernel_of(arm, ROBOT["mass_matrix"]), given[0])
    limit = max(1e-12, 1e-14 * np.linalg.cond(M).max())
    assert_close(found, loop(arm, row, pi, *given), limit)


def test_rates_on_batches(arm: Robot) -> None:
    pi = consistent(arm, 11, 3)
    given = motion(arm, 12, 4)
    value, slope = arm.parametric.inverse_dynamics.rates(1)(*given, pi[:, None])
    assert_close(value, arm.parametric.inverse_dynamics(*given[:3], pi[:, None]))
    assert_close(slope, loop(arm, derivative(ROBOT["inverse_dynamics"], "dt"), pi, *given))


def test_linear_in_the_parameters(arm: Robot) -> None:
    """One kernel's forces are the other's regressor times the parameters."""
    q, v, a, _ = motion(arm, 13, 50)
    pi = np.random.default_rng(14).normal(size=(50, arm.nb, 10))
    Y = arm.inverse_dynamics.dpi(q, v, a)
    assert_close((Y @ pi.reshape(50, -1, 1))[..., 0], arm.parametric.inverse_dynamics(q, v, a, pi))


def test_single_precision(arm: Robot) -> None:
    given = [*motion(arm, 15, 8)[:3], consistent(arm, 16, 8)]
    single = [x.astype(np.float32) for x in given]
    for name in ("inverse_dynamics", "inverse_dynamics.dpi"):
        found = arm.quantity(f"parametric.{name}")(*single)
        assert found.dtype == np.float32
        assert_close(found, arm.quantity(f"parametric.{name}")(*given), 1e-5)


def test_what_is_not_given_does_not_decide_the_precision(arm: Robot) -> None:
    """Gravity is the robot's own here: 9.81, which no float32 is."""
    given = [*motion(arm, 15, 8)[:3], consistent(arm, 16, 8), np.ones((8, 7, 6))]
    *single, w = (x.astype(np.float32) for x in given)
    found = arm.parametric.inverse_dynamics(*single, wrenches=w)
    assert found.dtype == np.float32
    expected = arm.parametric.inverse_dynamics(*given[:4], wrenches=given[4])
    assert expected.dtype == np.float64
    assert_close(found, expected, 1e-5)


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = jounce.get_num_threads()
    jounce.set_num_threads(2)
    yield
    jounce.set_num_threads(before)


def test_large_batches_on_two_threads(arm: Robot, two_threads: None) -> None:
    q, v, a, _ = motion(arm, 17, 30_000)
    pi = consistent(arm, 18, 2)
    found = arm.parametric.inverse_dynamics(q, v, a, pi[:, None])
    options = {"extended": True, "smoothing": 0.1}
    regressor = arm.inverse_dynamics.dpi(q, v, a, **options)
    some = slice(0, None, 2_999)
    rest = (x[some] for x in (q, v, a))
    assert np.array_equal(found[:, some], arm.parametric.inverse_dynamics(*rest, pi[:, None]))
    rest = (x[some] for x in (q, v, a))
    assert np.array_equal(regressor[some], arm.inverse_dynamics.dpi(*rest, **options))


# ------------------------------------------------------------------ wrong arguments


def test_wrong_parameters_are_named(arm: Robot) -> None:
    q, v, a, _ = motion(arm, 19)
    pi = arm.model.parameters
    quantity = arm.parametric.inverse_dynamics
    wanted = r"argument 'pi' must have shape \(\.\.\., 7, 10\), found "
    for wrong, found in ((pi.ravel(), r"\(70,\)"), (pi[:6], r"\(6, 10\)"), (pi.T, r"\(10, 7\)")):
        with pytest.raises(ValueError, match=wanted + found):
            quantity(q, v, a, wrong)
        with pytest.raises(ValueError, match=wanted + found):
            quantity(q, v, a, pi=wrong, gravity=arm.model.gravity)
    with pytest.raises(
        TypeError,
        match=r"argument 'pi' is missing.*\(q, v, a, pi, wrenches=None, gravity=None, \*, out",
    ):
        quantity(q, v, a)
    with pytest.raises(TypeError, match="argument 'pi' must be real float64 or float32"):
        quantity(q, v, a, pi + 0j)
    with pytest.raises(TypeError, match="argument 'pi' is given twice"):
        quantity(q, v, a, pi, pi=pi)
    with pytest.raises(TypeError, match="argument 'pi' is missing"):
        quantity(q, v, a, gravity=arm.model.gravity)
    with pytest.raises(ValueError, match=r"argument 'gravity' must have shape \(\.\.\., 3\)"):
        quantity(q, v, a, pi, gravity=(0.0, -9.81))
    with pytest.raises(ValueError, match=r"argument 'wrenches' must have shape \(\.\.\., 7, 6\)"):
        quantity(q, v, a, pi, wrenches=np.zeros(6))
    with pytest.raises(TypeError, match=r"takes no 'mass'; valid names: q, v, a, pi, wrenches"):
        quantity(q, v, a, pi, mass=1.0)


def test_unknown_names_list_the_known(arm: Robot) -> None:
    with pytest.raises(AttributeError, match="did you mean 'inverse_dynamics'"):
        _ = arm.parametric.inverse_dynamic
    with pytest.raises(AttributeError, match=r"no 'joint_friction'; see dir\(robot\.parametric\)"):
        _ = arm.parametric.joint_friction
    assert "mass_matrix" in dir(arm.parametric)
    with pytest.raises(ValueError, match=r"no quantity 'pose'; did you mean 'frame\(name\)\.pose'"):
        arm.quantity("parametric.pose")
    with pytest.raises(ValueError, match="its derivatives: dt, dtt, dq, dv, da"):
        arm.quantity("parametric.inverse_dynamics.dtau")
    with pytest.raises(AttributeError, match=r"has no 'dpi'; .* not depend on the inertial param"):
        _ = arm.external_forces.dpi


def test_they_show_what_they_are(arm: Robot) -> None:
    assert "inverse_dynamics" in dir(arm.parametric)
    assert repr(arm.parametric.mass_matrix).startswith(
        f"<{ARM}.parametric.mass_matrix(q[7], pi[7x10]) -> (7, 7)"
    )
    text = arm.parametric.inverse_dynamics.__doc__
    assert text is not None
    assert "pi (..., nb, 10): inertial parameters (m, m c, I) of the bodies" in text
    assert "gravity (..., 3)" in text
    text = arm.inverse_dynamics.dpi.__doc__
    assert text is not None
    assert "(..., nv, 10nb)" in text


# ------------------------------------------------------------------ regressors


def driven(robot: Robot, seed: int) -> tuple[Robot, np.ndarray]:
    """The robot with other parameters and drives, and all of these in one vector."""
    rng = np.random.default_rng(seed)
    pi = consistent(robot, seed)
    drives = rng.uniform(0.1, 1.0, (3, robot.nv))
    for view in robot.joints.values():
        if view.kind in ("planar", "free"):
            drives[0, view.v] = 0.0
        if view.kind == "spherical":
            drives[0, view.v] = drives[0, view.v][0]
    names = ("armature", "damping", "friction")
    made = robot.edit.with_parameters(pi, **dict(zip(names, drives, strict=True)))
    return made, np.concatenate((pi.ravel(), drives.ravel()))


@pytest.mark.parametrize("name", [ARM, "small"])
def test_extended_regressor(name: str) -> None:
    """tau + friction = Y (pi, armature, damping, friction); with a mimic, as seen at its leader."""
    robot = Robot(small_model() if name == "small" else quiet_read(name))
    other, parameters = driven(robot, 20)
    q, v, a, _ = motion(robot, 21, 9)
    v[0, 0] = 0.0
    forces = interpreted(kernel_of(other, ROBOT["inverse_dynamics"]), q, v, a)
    forces += interpreted(kernel_of(other, ROBOT["joint_friction"]), v)
    Y = robot.inverse_dynamics.dpi(q, v, a, extended=True)
    assert_close(Y @ parameters, forces)
    assert_close(Y[..., : 10 * robot.nb], robot.inverse_dynamics.dpi(q, v, a))
    smooth = robot.inverse_dynamics.dpi(q, v, a, extended=True, smoothing=1e-9)
    assert_close(smooth @ parameters, forces)


def test_extended_slotine_li_regressor(arm: Robot) -> None:
    other, parameters = driven(arm, 22)
    q, v, v_r, a_r = motion(arm, 23, 9)
    values = [
        interpreted(kernel_of(other, ROBOT[name]), *given)
        for name, given in (
            ("mass_matrix", (q,)),
            ("coriolis_matrix", (q, v)),
            ("gravity_forces", (q,)),
            ("joint_friction", (v,)),
        )
    ]
    M, C, g, friction = values
    expected = (M @ a_r[..., None] + C @ v_r[..., None])[..., 0] + g + friction
    Y = arm.slotine_li_regressor(q, v, v_r, a_r, extended=True)
    assert_close(Y @ parameters, expected)
    plain = arm.slotine_li_regressor(q, v, v_r, a_r)
    assert_close(Y[..., : 10 * arm.nb], plain)


def test_ways_to_call_a_regressor(arm: Robot) -> None:
    q, v, a, _ = motion(arm, 24, 5)
    dpi = arm.inverse_dynamics.dpi
    plain, wide = dpi(q, v, a), dpi(q, v, a, extended=True)
    assert plain.shape == (5, 7, 70)
    assert wide.shape == (5, 7, 91)
    assert np.array_equal(dpi(q, v, a, extended=False), plain)
    assert np.array_equal(dpi(q, v, a=a, extended=True), wide)
    out = np.empty_like(wide)
    assert dpi(q, v, a, extended=True, out=out) is out
    assert np.array_equal(out, wide)
    single = dpi(*(x[2].astype(np.float32) for x in (q, v, a)), extended=True)
    assert single.dtype == np.float32
    assert_close(single, wide[2], 1e-5)
    speeds = np.array([1.0, 0.1, 1e-3])
    smooth = dpi(q, v, a, extended=True, smoothing=speeds[:, None])
    assert smooth.shape == (3, 5, 7, 91)
    for k, speed in enumerate(speeds.tolist()):
        assert np.array_equal(smooth[k], dpi(q=q, v=v, a=a, extended=True, smoothing=speed))
    gaps = np.abs(smooth - wide).max(axis=(1, 2, 3))
    assert gaps[0] > gaps[1] > gaps[2] > 0.0


def test_what_has_no_drives_has_no_extension(arm: Robot) -> None:
    q, v, a, _ = motion(arm, 25)
    for quantity, given in (
        (arm.mass_matrix.dpi, (q,)),
        (arm.inverse_dynamics, (q, v, a)),
        (arm.parametric.inverse_dynamics.dpi, (q, v, a, arm.model.parameters)),
    ):
        with pytest.raises(TypeError, match="takes no 'extended'; valid names: q"):
            quantity(*given, extended=True)
    with pytest.raises(TypeError, match="smoothing requires extended=True"):
        arm.inverse_dynamics.dpi(q, v, a, smoothing=0.1)
    with pytest.raises(ValueError, match=r"argument 'v' must have shape \(\.\.\., 7\)"):
        arm.inverse_dynamics.dpi(q, v[:6], a, extended=True)
    with pytest.raises(TypeError, match="argument 'smoothing' must be real"):
        arm.inverse_dynamics.dpi(q, v, a, extended=True, smoothing="slow")


@pytest.mark.parametrize(
    "name",
    [
        "inverse_dynamics.dpi",
        "inverse_dynamics.dpi.dq",
        "inverse_dynamics.dpi.rates(1)",
        "mass_matrix.dpi.dt",
        "slotine_li_regressor",
        "parametric.inverse_dynamics",
        "parametric.mass_matrix.dq",
        "parametric.inverse_dynamics.rates(2)",
        "parametric.forward_dynamics.dpi",
    ],
)
def test_names_and_pickles(arm: Robot, name: str) -> None:
    quantity = arm.quantity(name)
    assert arm.quantity(name) is quantity
    again = pickle.loads(pickle.dumps(quantity))
    assert type(again).__name__ == type(quantity).__name__
    assert repr(again) == repr(quantity)
    assert name in repr(quantity)
    if name == "inverse_dynamics.dpi":
        given = motion(arm, 26)[:3]
        assert np.array_equal(again(*given), quantity(*given))
        assert again(*given, extended=True).shape == (7, 91)
    if name == "parametric.inverse_dynamics":
        given = (*motion(arm, 26)[:3], arm.model.parameters)
        assert np.array_equal(again(*given), quantity(*given))


def test_derivatives_of_the_regressor_compiled() -> None:
    """What the kernels give is what the formulas give."""
    robot = Robot(chain(("revolute", "prismatic", "helical")))
    q, v, a, j = motion(robot, 27)
    regressor = derivative(ROBOT["inverse_dynamics"], "dpi")
    for name, given in (("dq", (q, v, a)), ("dt", (q, v, a, j))):
        row = derivative(regressor, name)
        expected = row.formula(robot.tree, *map(objects, given))
        assert_close(robot.inverse_dynamics.dpi.derivative(name)(*given), expected)


# ------------------------------------------------------------------ other parameters


@pytest.mark.parametrize("shape", ["rows", "flat", "list"])
def test_with_parameters(shape: str) -> None:
    robot = Robot(small_model())
    pi = consistent(robot, 28)
    other = robot.edit.with_parameters({"rows": pi, "flat": pi.ravel(), "list": pi.tolist()}[shape])
    assert np.array_equal(other.model.parameters, pi)
    assert not np.array_equal(robot.model.parameters, pi)
    back = other.edit.with_parameters(robot.model.parameters)
    assert back.model.digest() == robot.model.digest() != other.model.digest()
    for view, same in zip(robot.joints.values(), other.joints.values(), strict=True):
        assert np.array_equal(view.joint.armature, same.joint.armature)
        assert np.array_equal(view.joint.friction, same.joint.friction)


def test_with_drives() -> None:
    robot = Robot(small_model())
    other, parameters = driven(robot, 29)
    drives = parameters[10 * robot.nb :].reshape(3, -1)
    assert np.array_equal(other.model.parameters.ravel(), parameters[: 10 * robot.nb])
    for view in other.joints.values():
        for name, values in zip(("armature", "damping", "friction"), drives, strict=True):
            found = getattr(view.joint, name)
            if view.joint.mimic is None:
                assert np.array_equal(found, values[view.v])
            else:  # all of it is seen at its leader
                assert not found.any()
    kept = robot.edit.with_parameters(robot.model.parameters, damping=np.zeros(robot.nv))
    assert all(not view.joint.damping.any() for view in kept.joints.values())
    assert any(view.joint.armature.any() for view in kept.joints.values())


def test_wrong_parameters_name_the_body(arm: Robot) -> None:
    def changed(body: int, entry: int, value: float) -> np.ndarray:
        out = arm.model.parameters.copy()
        out[body, entry] = value
        return out

    for shape in ((6, 10), (7, 9), (10, 7), (69,), ()):
        with pytest.raises(ModelError, match=rf"shape \(7, 10\) or \(70,\), found .*{shape[:1]}"):
            arm.edit.with_parameters(np.ones(shape))
    with pytest.raises(TypeError, match=r"parameters .* has 70 of its 70 numbers masked"):
        arm.edit.with_parameters(np.ma.array(arm.model.parameters, mask=True))
    with pytest.raises(TypeError, match=r"parameters must be real .*, found complex128"):
        arm.edit.with_parameters(arm.model.parameters * 1j)
    name = arm.model.body_names[2]
    with pytest.raises(ModelError, match=f"'{name}': mass must not be negative, found -1"):
        arm.edit.with_parameters(changed(2, 0, -1.0))
    for value in (np.nan, np.inf):
        with pytest.raises(ModelError, match=f"'{name}': inertia: expected finite numbers"):
            arm.edit.with_parameters(changed(2, 5, value))
    with pytest.raises(ModelError, match=f"'{name}': inertia: a massless body cannot have"):
        arm.edit.with_parameters(changed(2, 0, 0.0))
    with pytest.warns(ModelWarning, match=f"'{name}': the inertia breaks the triangle inequality"):
        arm.edit.with_parameters(changed(2, 4, 50.0))


def test_wrong_drives_name_the_joint(arm: Robot) -> None:
    pi, joint = arm.model.parameters, arm.model.joint_names[0]
    with pytest.raises(ValueError, match=r"argument 'armature' must have shape \(\.\.\., 7\)"):
        arm.edit.with_parameters(pi, armature=np.ones(6))
    with pytest.raises(ModelError, match=f"'{joint}': friction must be finite and >= 0"):
        arm.edit.with_parameters(pi, friction=-np.ones(7))
    with pytest.raises(ModelError, match=f"'{joint}': damping: found NaN"):
        arm.edit.with_parameters(pi, damping=np.full(7, np.nan))
    floating = Robot(quiet_read(ARM, "floating"))
    with pytest.raises(ModelError, match="'base': a free joint has no drive, so no armature"):
        floating.edit.with_parameters(floating.model.parameters, armature=np.ones(13))


# ------------------------------------------------------------------ exports and other libraries

BRIDGED = ("inverse_dynamics.dpi", "parametric.inverse_dynamics", "slotine_li_regressor")


def arguments_of(robot: Robot, name: str) -> list[np.ndarray]:
    rng = np.random.default_rng(30)
    given = []
    for x in robot.quantity(name).kernel.arguments:
        given.append(consistent(robot, 31) if x == "pi" else random_argument(x, robot, rng))
    return given


@needs_compiler
def test_c(arm: Robot, tmp_path: Path) -> None:
    paths = arm.export.c(tmp_path, BRIDGED)
    built = library(tmp_path, paths)
    for name, own in zip(BRIDGED, function_names(paths), strict=True):
        quantity, given = arm.quantity(name), arguments_of(arm, name)
        found = np.full(quantity.kernel.outputs[0], np.nan)
        call(getattr(built, own), *given, found)
        assert_close(found, quantity(*given), 1e-14, what=name)


@pytest.mark.parametrize("name", BRIDGED)
def test_casadi(arm: Robot, name: str) -> None:
    pytest.importorskip("casadi")
    given = arguments_of(arm, name)
    function = arm.export.casadi().function(name)
    assert function.name_in() == list(arm.quantity(name).kernel.arguments)
    found = np.array(function(*given)).reshape(arm.quantity(name).kernel.outputs[0])
    assert_close(found, arm.quantity(name)(*given), 1e-13)


def test_sympy() -> None:
    """On symbols the regressor times the parameters is exactly tau."""
    sympy = pytest.importorskip("sympy")
    symbols = jounce.load("planar_2r").export.sympy({"gravity.y": "-g"})
    robot = jounce.load("planar_2r")
    pi = sympy.Matrix([sympy.nsimplify(x, rational=True) for x in robot.model.parameters.ravel()])
    Y = symbols.inverse_dynamics.dpi()
    assert Y.value.shape == (2, 20)
    gap = (Y * pi - symbols.inverse_dynamics()).simplified()
    assert gap == sympy.zeros(2, 1)
