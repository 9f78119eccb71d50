"""Rollouts of arrays on devices reach who serves them; what the processor does alone says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from support import device_arrays
from support.device_arrays import CALLS, Array
from support.mechanisms import mechanism

ROBOT = jounce.load("planar_2r")
STEPS, H = 3, 1e-3
Q, V = ROBOT.random(0, 4), np.ones((4, 2))
TAUS = np.random.default_rng(0).normal(size=(4, STEPS, 2))


@pytest.fixture(autouse=True)
def moved() -> Iterator[Callable[[Any], Array]]:
    with device_arrays.installed() as module:
        yield module.asarray


def test_forces_over_time(moved: Any) -> None:
    found: Any = ROBOT.rollout(moved(Q), V, moved(TAUS), H)
    for ours, theirs in zip(found, ROBOT.rollout(Q, V, TAUS, H), strict=True):
        assert type(ours) is Array
        np.testing.assert_array_equal(ours.get(), theirs)
    assert CALLS == ["rollout(method)"]


def test_policies_and_options(moved: Any) -> None:
    policy = lambda k, q, v: -v  # noqa: E731
    found: Any = ROBOT.rollout(moved(Q), moved(V), h=H, policy=policy, steps=STEPS, method="rk4")
    expected = ROBOT.rollout(Q, V, h=H, policy=policy, steps=STEPS, method="rk4")
    np.testing.assert_array_equal(found[0].get(), expected[0])
    assert CALLS == ["rollout(policy, steps, method)"]


def test_mechanisms(moved: Any) -> None:
    closed = mechanism("five_bar")
    q, v = closed.random(0, 2), np.zeros((2, closed.nv))
    taus = np.ones((2, STEPS, closed.nv))
    found: Any = closed.rollout(moved(q), moved(v), moved(taus), H)
    np.testing.assert_array_equal(found[0].get(), closed.rollout(q, v, taus, H)[0])


def test_gradients_are_for_libraries_that_differentiate(moved: Any) -> None:
    lam = np.zeros((4, STEPS + 1, 2))
    for given in ((moved(Q), V, TAUS, H, lam, lam), (Q, V, TAUS, H, lam, moved(lam))):
        with pytest.raises(TypeError, match=r"robot\.torch\.rollout or robot\.jax\.rollout, or"):
            ROBOT.rollout.vjp(*given)


def test_a_policy_gives_arrays_of_the_same_kind(moved: Any) -> None:
    with pytest.raises(TypeError, match=r"what policy gives at step 0 .* copy it to the CPU"):
        ROBOT.rollout(Q, V, h=H, policy=lambda k, q, v: moved(v), steps=STEPS)


CLOSED = mechanism("five_bar")


@pytest.mark.parametrize(
    ("call", "q"),
    [
        (ROBOT.limits.contains, Q),
        (ROBOT.limits.clip, Q),
        (CLOSED.assemble, CLOSED.reference),
        (CLOSED.track, CLOSED.reference[None]),
        (CLOSED.gap, CLOSED.reference),
        (CLOSED.report, CLOSED.reference),
        (ROBOT.edit.with_parameters, ROBOT.model.parameters),
    ],
)
def test_what_the_processor_does_alone(call: Any, q: np.ndarray, moved: Any) -> None:
    with pytest.raises(TypeError, match=r"is on .*; copy it to the CPU with \.cpu\(\)"):
        call(moved(q))
    call(q)
