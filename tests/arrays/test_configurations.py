"""Configurations are called as quantities are: arrays, broadcasting, precision, out, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.robot import Robot
from support.helpers import assert_close, quiet_read, small_model
from support.mechanisms import pendulum


@pytest.fixture(scope="module")
def small() -> Robot:
    """With every kind of joint and one that mimics."""
    return Robot(small_model())


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def test_precision_follows_the_arguments(small: Robot) -> None:
    q, v = small.random(0, 5), np.ones((5, small.nv))
    single, more = q.astype("f"), v.astype("f")
    assert small.integrate(single, more).dtype == np.float32
    assert small.difference(single, single).dtype == np.float32
    assert small.integrate(single, v).dtype == np.float64
    assert small.integrate(single, v.astype("e")).dtype == np.float32
    assert small.integrate(q.astype("e"), v.astype("e")).dtype == np.float64
    assert small.integrate(np.ones(small.nq, np.int8), np.ones(small.nv, np.int8)).dtype == "d"
    assert_close(small.integrate(single, more), small.integrate(q, v), 1e-6)
    assert small.neutral(dtype="f").dtype == small.random(0, 2, dtype="f").dtype == np.float32
    np.testing.assert_array_equal(small.random(0, 2, dtype="f"), small.random(0, 2).astype("f"))


def test_leading_axes_broadcast(small: Robot) -> None:
    q, v = small.random(1, 3)[:, None], np.linspace(0.0, 1.0, 4 * small.nv).reshape(4, small.nv)
    moved = small.integrate(q, v)
    assert moved.shape == (3, 4, small.nq)
    assert_close(moved[2, 1], small.integrate(q[2, 0], v[1]))
    back = small.difference(q, moved)
    assert back.shape == (3, 4, small.nv)
    assert_close(back, np.broadcast_to(v, back.shape), 1e-11)  # turns up to nearly pi
    assert small.integrate(np.empty((0, small.nq)), v[0]).shape == (0, small.nq)


def test_results_go_where_out_says(small: Robot) -> None:
    q, v = small.random(2, 3), np.ones(small.nv)
    expected = small.integrate(q, v)
    for out in (np.empty_like(q), np.empty((3, 2 * small.nq))[:, ::2], np.empty(q.shape, "f")):
        assert small.integrate(q, v, out=out) is out
        np.testing.assert_array_equal(out, expected.astype(out.dtype))
    place = np.empty_like(q)
    assert small.integrate(q, v, out=(place,)) is place
    again = q.copy()
    assert small.integrate(again, v, out=again) is again  # in place
    np.testing.assert_array_equal(again, expected)
    out = np.empty((3, small.nv))
    assert small.difference(q, expected, out=out) is out
    np.testing.assert_array_equal(out, small.difference(q, expected))
    one = np.empty(small.nq)
    assert small.neutral(out=one) is one
    assert small.random(0, out=one) is one
    np.testing.assert_array_equal(one, small.random(0))


def test_results_do_not_go_into_masked_arrays(arm: Robot) -> None:
    q = arm.random(4, 3)
    rows, one = np.ma.array(np.zeros((3, 2)), mask=True), np.ma.zeros((3, 2))
    motion = (np.zeros((3, 3, 2)), np.ma.zeros((3, 3, 2)))
    for call in (
        lambda: arm.integrate(q, q, out=rows),
        lambda: arm.mass_matrix(q, out=np.ma.zeros((3, 2, 2))),
        lambda: arm.random(0, 3, out=one),
        lambda: arm.limits.clip(q, out=one),
        lambda: arm.elastic_inverse_dynamics(q, q, q, q, q, 1e3, out=(one, *[None] * 4)),
        lambda: arm.rollout(q, q, np.zeros((2, 2)), 1e-3, out=motion),
    ):
        with pytest.raises(TypeError, match=r"out must be an array without a mask.*\.data"):
            call()
    assert rows.mask.all()


def test_one_joint_is_not_spread_over_out() -> None:
    one = Robot(pendulum(1.0).build())
    with pytest.raises(ValueError, match=r"out must have shape \(1,\), found \(3,\)"):
        one.integrate([0.1], [0.2], out=np.empty(3))
    many = one.integrate([0.1], [0.2], out=np.empty((3, 1)))
    assert_close(many, np.full((3, 1), 0.3), 1e-12)


def test_elastic_results_go_where_out_says(arm: Robot) -> None:
    state = np.linspace(0.1, 1.0, 30).reshape(5, 3, 2)
    expected = arm.elastic_inverse_dynamics(*state, 1e3, motor_inertia=0.1)
    out = tuple(np.empty((3, 2)) for _ in expected)
    found = arm.elastic_inverse_dynamics(*state, 1e3, motor_inertia=0.1, out=(*out[:4], None))
    for one, place in zip(found[:4], out, strict=False):
        assert one is place
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(TypeError, match="out must be a tuple of 5 arrays or None, found ndarray"):
        arm.elastic_inverse_dynamics(*state, 1e3, out=out[0])  # pyright: ignore


CALLS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any], type[Exception], str]] = {
    "few": (
        "integrate",
        (np.zeros(2),),
        {},
        TypeError,
        r"planar_2r\.integrate: argument 'dv' is missing; it is called as"
        r" planar_2r\.integrate\(q, dv, \*, out=None\)",
    ),
    "many": ("integrate", (np.zeros(2),) * 3, {}, TypeError, r"takes 2 positional .* found 3"),
    "name": ("difference", (), {"q": 1}, TypeError, r"takes no 'q'; valid names: q0, q1, out"),
    "neutral": ("neutral", (3,), {}, TypeError, r"neutral\(\*, dtype='float64', out=None\)"),
    "random": ("random", (1, 2, 3), {}, TypeError, r"random\(rng=None, n=None, \*, dtype="),
    "elastic": (
        "elastic_inverse_dynamics",
        (np.zeros(2),) * 7,
        {},
        TypeError,
        r"\(q, v, a, j, s, stiffness, \*, damping=None, .*wrenches=None, .*out=None\)",
    ),
    "shape": (
        "difference",
        (np.zeros(2), np.zeros((4, 3), "f")),
        {},
        ValueError,
        r"planar_2r\.difference: argument 'q1' must have shape \(\.\.\., 2\), found \(4, 3\)",
    ),
    "batch": (
        "integrate",
        (np.zeros((2, 2)), np.zeros((3, 2))),
        {},
        ValueError,
        r"batch axes do not broadcast: q \(2,\), dv \(3,\)",
    ),
    "dtype": ("integrate", (["a", "b"], np.zeros(2)), {}, TypeError, "argument 'q' must be real"),
    "out": ("integrate", (np.zeros(2),) * 2, {"out": [0, 0]}, TypeError, r"out must be a numpy\."),
    "out shape": (
        "integrate",
        (np.zeros((3, 2)), np.zeros(2)),
        {"out": np.zeros(2)},
        ValueError,
        r"out must have shape \(3, 2\), found \(2,\)",
    ),
    "out dtype": (
        "neutral",
        (),
        {"out": np.zeros(2, int)},
        TypeError,
        "out must have a dtype that holds float64, found int",
    ),
    "count": ("random", (0, -1), {}, ValueError, "n must be a whole number >= 0 or None, found -1"),
    "half": ("random", (0, 1.5), {}, ValueError, "n must be a whole number"),
    "seed": ("random", ("x",), {}, ValueError, "rng must be a numpy.random.Generator, a seed"),
    "float16": ("random", (), {"dtype": "e"}, ValueError, "dtype must be float64 or float32"),
}


@pytest.mark.parametrize("case", CALLS)
def test_wrong_calls_say_what_is_wrong(arm: Robot, case: str) -> None:
    name, args, named, error, message = CALLS[case]
    with pytest.raises(error, match=message):
        getattr(arm, name)(*args, **named)


def test_errors_inside_are_not_about_the_call(arm: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise TypeError("something else")

    monkeypatch.setattr("jounce.model.manifold.neutral", broken)
    with pytest.raises(TypeError, match=r"^something else$"):
        arm.neutral()


def test_what_is_not_a_number_stays_in_its_sample(small: Robot) -> None:
    q, v = small.random(3, 4), np.ones((4, small.nv))
    expected = small.integrate(q, v)
    v[2] = np.nan
    found = small.integrate(q, v)
    assert np.isnan(found[2]).all()
    np.testing.assert_array_equal(np.delete(found, 2, 0), np.delete(expected, 2, 0))
