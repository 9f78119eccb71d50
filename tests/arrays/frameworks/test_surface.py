"""A robot seen through a library: the same names and numbers, here with NumPy as the library."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.frameworks.inertia import from_log_cholesky
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.frameworks.surface import Function, Surface
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.helpers import assert_close, chain, quiet_read, with_frames
from support.mechanisms import State, mechanism


class Numbers:
    """NumPy as a library that could differentiate."""

    name = "numbers"

    def array(self, x: Any, what: str) -> np.ndarray:
        found = np.asarray(x)
        if found.dtype.kind not in "fi":
            raise TypeError(f"{what} must be numbers")
        return found

    def alike(self, arrays: Sequence[Any], sure: Sequence[bool], title: str) -> list[np.ndarray]:
        typed = {x.dtype for x, y in zip(arrays, sure, strict=True) if y}
        return [x.astype(np.float32 if typed == {np.dtype("f")} else float) for x in arrays]

    def batch(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return np.broadcast_shapes(*shapes)

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[np.ndarray, ...]:
        return operator(*arrays)

    def constant(self, x: Any, like: Any) -> np.ndarray:
        return np.asarray(x, like.dtype)

    def product(self, x: Any, matrix: Any) -> np.ndarray:
        return x @ self.constant(matrix, x)


ROBOT = Robot(with_frames(chain(("revolute", "spherical")), np.random.default_rng(1)))
SURFACE = Surface(ROBOT, Numbers())
RNG = np.random.default_rng(0)
Q = ROBOT.random(RNG, 3)
V, A = RNG.normal(size=(2, 3, ROBOT.nv))
TOOL = ROBOT.model.body_names[-1]


def test_the_same_names_and_numbers() -> None:
    assert_close(SURFACE.inverse_dynamics(Q, V, A), ROBOT.inverse_dynamics(Q, V, A))
    assert_close(SURFACE.inverse_dynamics(q=Q, a=A, v=V), ROBOT.inverse_dynamics(Q, V, A))
    assert_close(SURFACE.inverse_dynamics.dq(Q, V, A), ROBOT.inverse_dynamics.dq(Q, V, A))
    assert_close(SURFACE.frame(TOOL).pose(Q), ROBOT.frame(TOOL).pose(Q))
    assert_close(SURFACE.frame(TOOL).jacobian.dt(Q, V), ROBOT.frame(TOOL).jacobian.dt(Q, V))
    assert_close(
        SURFACE.parametric.bias_forces(Q, V, ROBOT.model.parameters), ROBOT.bias_forces(Q, V)
    )
    assert_close(SURFACE.morphable.mass_matrix(Q, *ROBOT.morphable.now), ROBOT.mass_matrix(Q))
    assert_close(SURFACE.quantity("mass_matrix.dt")(Q, V), ROBOT.mass_matrix.dt(Q, V))
    every = {*ROBOT.definitions, "parametric", "morphable", "frame", "tangent", "quantity"}
    assert every <= {*dir(SURFACE)}
    assert {"dq", "rates", "choose"} <= {*dir(SURFACE.inverse_dynamics)}


def test_several_results_are_a_tuple() -> None:
    for found, expected in (
        (SURFACE.mass_matrix.rates(1)(Q, V), ROBOT.mass_matrix.rates(1)(Q, V)),
        (
            SURFACE.inverse_dynamics.derivatives(Q, V, A),
            ROBOT.inverse_dynamics.derivatives(Q, V, A),
        ),
        (SURFACE.inverse_dynamics.vjp(Q, V, A, V), ROBOT.inverse_dynamics.vjp(Q, V, A, V)),
    ):
        assert isinstance(found, tuple)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    assert isinstance(SURFACE.mass_matrix.rates(0)(Q), tuple)


def test_options_and_optional_arguments() -> None:
    h, tau = 0.01, A
    for options in ({"method": "rk4"}, {"friction": True}, {}):
        found = SURFACE.step(Q, V, tau, h, **options)
        for one, other in zip(found, ROBOT.step(Q, V, tau, h, **options), strict=True):
            assert_close(one, other)
    w = RNG.normal(size=(3, 6))
    pushed = {TOOL: w, ROBOT.model.body_names[0]: w[0]}
    for given in ({"wrenches": pushed}, {"base_twist": w}, {"wrenches": {}}):
        assert_close(
            SURFACE.inverse_dynamics(Q, V, A, **given), ROBOT.inverse_dynamics(Q, V, A, **given)
        )
    gradients = SURFACE.inverse_dynamics.vjp(Q, V, A, V, wrenches=pushed)
    for one, other in zip(
        gradients, ROBOT.inverse_dynamics.vjp(Q, V, A, V, wrenches=pushed), strict=True
    ):
        assert_close(one, other)
    assert_close(
        SURFACE.inverse_dynamics.jvp(Q, V, A, Q, V, A, coordinates=True),
        ROBOT.inverse_dynamics.jvp(Q, V, A, Q, V, A, coordinates=True),
    )
    assert_close(
        SURFACE.inverse_dynamics.dpi(Q, V, A, extended=True, smoothing=0.1),
        ROBOT.inverse_dynamics.dpi(Q, V, A, extended=True, smoothing=0.1),
    )


def test_elastic_drives() -> None:
    arm = jounce.load("planar_2r")
    x = RNG.normal(size=(5, 2))
    expected = arm.elastic_inverse_dynamics(*x, 1e3, damping=0.5)
    for stiffness in (1e3, np.full(2, 1e3)):
        found = Surface(arm, Numbers()).elastic_inverse_dynamics(*x, stiffness, damping=0.5)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    with pytest.raises(TypeError, match="too many positional"):
        arm.elastic_inverse_dynamics(*x, np.full(2, 1e3), 0.5)


def test_a_mechanism() -> None:
    closed = mechanism("four_bar")
    q, v = State(closed).q, RNG.normal(size=closed.nv)
    surface = Surface(closed, Numbers())
    assert_close(surface.mass_matrix(q), closed.mass_matrix(q))
    assert_close(surface.inverse_dynamics(q, v, v), closed.inverse_dynamics(q, v, v))
    assert_close(surface.tangent.mass_matrix(q, 0.0 * v), closed.mass_matrix(q))


def test_tangents_move_configurations() -> None:
    dq = RNG.normal(size=V.shape)
    expected = ROBOT.inverse_dynamics(ROBOT.integrate(Q, dq), V, A)
    assert_close(SURFACE.tangent.inverse_dynamics(Q, V, A, dq), expected)
    assert_close(SURFACE.tangent.inverse_dynamics(Q, V, A, dq=dq), expected)
    pushed = {TOOL: RNG.normal(size=6)}
    expected = ROBOT.inverse_dynamics(ROBOT.integrate(Q, dq), V, A, wrenches=pushed)
    assert_close(SURFACE.tangent.inverse_dynamics(Q, V, A, dq, pushed), expected)
    assert_close(
        SURFACE.tangent.difference(Q, Q, dq, 0.0 * dq),
        ROBOT.difference(ROBOT.integrate(Q, dq), Q),
    )
    with pytest.raises(TypeError, match="argument 'dq' is missing"):
        SURFACE.tangent.inverse_dynamics(Q, V, A)


def test_functions_are_made_once() -> None:
    tau = SURFACE.inverse_dynamics
    assert SURFACE.inverse_dynamics is tau
    assert tau.rates(1) is tau.rates(1)
    assert tau.derivative("dq") is tau.derivative("dq")
    assert SURFACE.step.choose(method="rk4") is SURFACE.step.choose(method="rk4")
    assert SURFACE.quantity("mass_matrix.dt") is SURFACE.quantity("mass_matrix.dt")
    assert not hasattr(tau, "ufunc")


def test_python_numbers_bring_no_precision() -> None:
    q, v, a = (x.astype(np.float32) for x in (Q, V, A))
    assert SURFACE.inverse_dynamics(q, v, a).dtype == np.float32
    assert SURFACE.inverse_dynamics(q, v, a[0].tolist()).dtype == np.float32
    assert SURFACE.inverse_dynamics(q, v, A).dtype == np.float64
    assert SURFACE.inverse_dynamics(q, v, a, wrenches={TOOL: [0.0] * 6}).dtype == np.float32


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: SURFACE.inverse_dynamic, AttributeError, "did you mean 'inverse_dynamics'"),
        (lambda: SURFACE.mass_matrix.dz, AttributeError, "has no 'dz'; its derivatives: dt"),
        (lambda: SURFACE.mass_matrix(), TypeError, "argument 'q' is missing"),
        (lambda: SURFACE.mass_matrix(None), TypeError, "argument 'q' must be an array, found None"),
        (lambda: SURFACE.mass_matrix(Q, out=Q), TypeError, "takes no 'out', an option for NumPy"),
        (lambda: SURFACE.mass_matrix(Q, color=1), TypeError, "takes no 'color'"),
        (
            lambda: SURFACE.mass_matrix(Q[:, 1:]),
            ArgumentError,
            r"numbers\.mass_matrix: argument 'q' must have shape \(\.\.\., \d+\), found \(3, \d+\)",
        ),
        (lambda: SURFACE.bias_forces(Q, V[:2]), ArgumentError, "batch axes do not broadcast: q"),
        (
            lambda: SURFACE.inverse_dynamics(Q, V, A, wrenches={"nowhere": V}),
            ArgumentError,
            r"must have shape \(\.\.\., 6\)|no frame 'nowhere'",
        ),
        (lambda: SURFACE.frame("nowhere"), ValueError, "nowhere"),
        (
            lambda: SURFACE.inverse_dynamics(Q, V, A, wrenches={TOOL: None}),
            TypeError,
            "found None; omit it",
        ),
        (lambda: SURFACE.step(Q, V, A, 0.1, method="leap"), ArgumentError, "must be one of"),
    ],
)
def test_mistakes(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


# ------------------------------------------------------------------ operators


def test_operators_are_made_once_and_known_by_content() -> None:
    quantity = ROBOT.inverse_dynamics
    one = operator(quantity)
    assert operator(quantity) is one
    assert one.vjp((0, 1)) is one.vjp((0, 1))
    assert one.jvp((0,)).transpose is one.vjp((0,))
    assert one.vjp((0,)).transpose is one.jvp((0,))
    again = operator(Robot(ROBOT.model).inverse_dynamics)
    assert again is not one
    assert again.key == one.key
    other = ROBOT.edit.with_parameters(1.5 * ROBOT.model.parameters)
    keys = {one.key, operator(other.inverse_dynamics).key, one.jvp((0,)).key, one.jvp((1,)).key}
    assert len(keys) == 4
    with pytest.raises(ValueError, match="linear in none"):
        one.transpose  # noqa: B018


def test_operators_serve_the_kernel_that_is_there() -> None:
    arm = jounce.load("planar_2r")
    assert operator(arm.mass_matrix).kernel is arm.mass_matrix.kernel
    floating = Robot(quiet_read("planar_2r", base="floating"))
    assert operator(floating.mass_matrix).kernel is floating.mass_matrix.kernel


def test_surfaces_can_be_pickled() -> None:
    surface = pickle.loads(pickle.dumps(SURFACE))
    assert_close(surface.mass_matrix(Q), ROBOT.mass_matrix(Q))
    function = pickle.loads(pickle.dumps(SURFACE.frame(TOOL).pose))
    assert isinstance(function, Function)
    assert_close(function(Q), ROBOT.frame(TOOL).pose(Q))


def test_log_cholesky_coordinates() -> None:
    theta = RNG.normal(size=(4, 10))
    found = np.stack(from_log_cholesky(tuple(theta.T), np.exp), axis=-1)
    assert_close(found, jounce.inertia.from_log_cholesky(theta))
