"""Derivatives as users meet them: names, shapes, errors, machine code."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.compiler.targets import interpreter
from jounce.errors import ModelError
from jounce.robot import Robot
from support.c_libraries import call, function_names, library, needs_compiler
from support.case import Case
from support.helpers import (
    assert_close,
    formula_result,
    kernel_of,
    objects,
    random_argument,
    random_robot,
    small_model,
)
from support.robots import random_model, random_state


@cache
def small_robot() -> Robot:
    return Robot(random_robot(12, 3, ("revolute", "spherical", "prismatic")))


def reference_of(robot: Robot, name: str, *arguments: np.ndarray) -> tuple[np.ndarray, ...]:
    """A derivative on a batch (one axis), by the interpreter."""
    kernel = robot.quantity(name).kernel
    columns = [
        x
        for a, core in zip(arguments, kernel.inputs, strict=True)
        for x in a.reshape(len(a), math.prod(core)).T
    ]
    flat = np.stack(
        [np.broadcast_to(x, len(arguments[0])) for x in interpreter.run(kernel.tape, columns)],
        axis=-1,
    )
    sizes = np.cumsum([math.prod(core) for core in kernel.outputs])[:-1]
    parts = np.split(flat, sizes, axis=-1)
    return tuple(x.reshape(-1, *core) for x, core in zip(parts, kernel.outputs, strict=True))


NAMES = (
    "inverse_dynamics.derivatives",
    "forward_dynamics.derivatives",
    "inverse_dynamics.dqq",
    "inverse_dynamics.hessian",
    "mass_matrix.dq",
    "christoffel",
)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_batches_and_dtypes(name: str) -> None:
    robot = small_robot()
    quantity = robot.quantity(name)
    rng = np.random.default_rng(1)
    given = [random_argument(x, robot, rng, (11,)) for x in quantity.kernel.arguments]
    expected = reference_of(robot, name, *given)
    results = quantity(*given)
    results = results if isinstance(results, tuple) else (results,)
    single = quantity(*(x[3] for x in given))
    single = single if isinstance(single, tuple) else (single,)
    halves = quantity(*(x.astype(np.float32) for x in given))
    halves = halves if isinstance(halves, tuple) else (halves,)
    broadcast = quantity(given[0][:, None], *given[1:])
    broadcast = broadcast if isinstance(broadcast, tuple) else (broadcast,)
    for k, wanted in enumerate(expected):
        assert results[k].dtype == np.float64
        assert_close(results[k], wanted, 1e-11)
        assert_close(single[k], wanted[3], 1e-11)
        assert halves[k].dtype == np.float32
        assert_close(halves[k], wanted, 2e-3 if "forward" in name else 1e-4)
        if len(given) > 1:
            assert broadcast[k].shape == (11, *results[k].shape)
            assert_close(broadcast[k][range(11), range(11)], wanted, 1e-11)


def test_results_into_given_arrays() -> None:
    robot = small_robot()
    rng = np.random.default_rng(2)
    given = [random_argument(x, robot, rng, (5,)) for x in ("q", "v", "a")]
    n = robot.nv
    derivatives = robot.inverse_dynamics.derivatives
    out = (np.empty((5, n)), np.empty((5, n, n)), np.zeros((5, n, n, 2))[..., 0], None)
    results = derivatives(*given, out=out)
    assert all(x is y for x, y in zip(results[:3], out, strict=False))
    for x, y in zip(results, derivatives(*given), strict=True):
        np.testing.assert_array_equal(x, y)
    one = np.empty((5, n, n))
    assert robot.inverse_dynamics.dq(*given, out=one) is one
    assert_close(one, results[1])
    with pytest.raises((TypeError, ValueError)):
        derivatives(*given, out=out[:2])


def test_named_arguments() -> None:
    robot = small_robot()
    q, v, a, lam = (random_argument(x, robot, robot_rng()) for x in ("q", "v", "a", "lam"))
    hessian = robot.inverse_dynamics.hessian
    np.testing.assert_array_equal(hessian(q, v, lam=lam, a=a), hessian(q, v, a, lam))
    with pytest.raises(TypeError, match="argument 'lam' is missing"):
        hessian(q, v, a=a)
    with pytest.raises(ValueError, match=r"'lam' must have shape"):
        hessian(q, v, a, lam[:-1])


def robot_rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_unknown_derivatives_name_the_valid_ones() -> None:
    robot = small_robot()
    with pytest.raises(AttributeError, match=r"dt, dtt, dq, dqq, dpi, .*, rates\(order\)$"):
        robot.mass_matrix.dv  # noqa: B018
    with pytest.raises(AttributeError, match=r"dq, dv, da, dqq, dqv, dvv, daq, derivatives, hess"):
        robot.inverse_dynamics.dtau  # noqa: B018
    with pytest.raises(ValueError, match=r"no 'dqa'.* dt, dtt, dq, dv, dpi, dscrew"):
        robot.quantity("coriolis_matrix.dqa")
    with pytest.raises(AttributeError, match="dt, dtt, dq, "):
        robot.mass_matrix.dq.dv  # noqa: B018
    assert {"dq", "dv", "da", "dqq", "derivatives"} <= set(dir(robot.inverse_dynamics))
    with pytest.raises(ModelError, match="nowhere"):
        robot.quantity("frame(nowhere).jacobian.dq")


def test_quantities_by_name() -> None:
    robot = small_robot()
    assert robot.quantity("inverse_dynamics.dq") is robot.inverse_dynamics.dq
    assert robot.quantity("inverse_dynamics.derivatives") is robot.inverse_dynamics.derivatives
    tool = robot.frame("tool").jacobian.dq
    assert robot.quantity("frame(tool).jacobian.dq") is tool
    q = robot.random(0)
    state = Case(robot.model, lumped=True)
    state.at["q"] = q
    assert_close(tool(q), state.value("jacobian.dq"))
    n = robot.nv
    assert robot.inverse_dynamics.dqq.kernel.outputs == ((n, n, n),)
    assert robot.inverse_dynamics.hessian.kernel.outputs == ((3 * n, 3 * n),)
    assert "Garofalo (24a)" in (robot.mass_matrix.dq.__doc__ or "")
    assert "(..., nv, nv, nv)" in (robot.mass_matrix.dq.__doc__ or "")


@needs_compiler
def test_exported_c(tmp_path: Path) -> None:
    robot = small_robot()
    names = ["inverse_dynamics.dq", "inverse_dynamics.derivatives", "mass_matrix.dqq"]
    paths = robot.export.c(tmp_path, names)
    built = library(tmp_path, paths)
    rng = np.random.default_rng(3)
    for name, function in zip(names, function_names(paths), strict=True):
        kernel = robot.quantity(name).kernel
        given = [random_argument(x, robot, rng, (1,)) for x in kernel.arguments]
        found = [np.full((1, *shape), np.nan) for shape in kernel.outputs]
        call(built[function], *given, *found)
        for x, y in zip(found, reference_of(robot, name, *given), strict=True):
            assert_close(x, y, what=name)


def test_casadi() -> None:
    pytest.importorskip("casadi")
    robot = small_robot()
    rng = np.random.default_rng(4)
    functions = robot.export.casadi()
    q, v, a = (random_argument(x, robot, rng) for x in ("q", "v", "a"))
    expected = reference_of(robot, "inverse_dynamics.derivatives", q[None], v[None], a[None])
    inverse = functions.inverse_dynamics
    assert_close(np.array(inverse.dq(q, v, a)), expected[1][0])
    assert_close(np.array(inverse.dv(q, v, a)), expected[2][0])
    several = functions.function("inverse_dynamics.derivatives")
    assert several.name_in() == ["q", "v", "a"]
    assert len(set(several.name_out())) == 4
    for x, y in zip(several(q, v, a), expected, strict=True):
        assert_close(np.array(x).reshape(y[0].shape), y[0])
    (tensor,) = reference_of(robot, "mass_matrix.dqq", q[None])
    n = robot.nv  # later axes are laid side by side
    assert_close(np.array(functions.mass_matrix.dqq(q)).reshape(n, n, n, n), tensor[0])
    with pytest.raises(AttributeError, match="dq"):
        functions.mass_matrix.dv  # noqa: B018


def test_kernels_of_lumped_trees_are_those_of_the_plain_one() -> None:
    """What `value` compares is what the kernel traces."""
    state = Case(small_model(), lumped=True)
    row = derivative(ROBOT["inverse_dynamics"], "dq")
    kernel = kernel_of(state.robot, row)
    given = [objects(state.at[x]) for x in row.arguments]
    plain = formula_result(kernel, state.robot.tree, *given).astype(float)
    assert_close(state.value("inverse_dynamics.dq"), plain)
    columns = [state.at[x][None] for x in row.arguments]
    (traced,) = reference_of(state.robot, row.name, *columns)
    assert_close(traced[0], plain)


def test_gallery_derivatives_compile() -> None:
    robot = jounce.load("franka")
    rng = np.random.default_rng(6)
    q, v, a = (random_argument(x, robot, rng, (4,)) for x in ("q", "v", "a"))
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    for x, y in (
        (tau, robot.inverse_dynamics(q, v, a)),
        (tau_v, 2.0 * robot.coriolis_matrix(q, v)),
        (M, robot.mass_matrix(q)),
        (tau_q, robot.inverse_dynamics.dq(q, v, a)),
    ):
        assert_close(x, y)


def test_wrenches_move_with_their_bodies() -> None:
    """Derivatives with wrenches= are those without, less the derivatives of J^T w."""
    rng = np.random.default_rng(11)
    model = random_model(rng, 4, floating=True)
    robot = Robot(model)
    q, v, a = random_state(model, rng)
    w = rng.standard_normal((robot.nb, 6))
    inverse, forward = robot.inverse_dynamics, robot.forward_dynamics
    without = inverse.dq(q, v, a) - robot.external_forces.dq(q, w)
    assert_close(inverse.dq(q, v, a, wrenches=w), without)
    tau, by_q, by_v, M = inverse.derivatives(q, v, a, wrenches=w)
    assert_close(tau, inverse(q, v, a, wrenches=w))
    assert_close(by_q, without)
    assert_close(by_v, inverse.dv(q, v, a))
    found, a_q, a_v, inverse_M = forward.derivatives(q, v, tau, wrenches=w)
    bound = 1e-14 * np.linalg.cond(M)  # M is solved
    assert_close(found, a, bound)
    assert_close(a_q, -inverse_M @ by_q, bound)
    assert_close(a_v, -inverse_M @ by_v, bound)
    lam = rng.standard_normal(robot.nv)
    second = inverse.hessian(q, v, a, lam, wrenches=w)[: robot.nv, : robot.nv]
    assert_close(second, np.einsum("i,ijk->jk", lam, inverse.dqq(q, v, a, wrenches=w)))
