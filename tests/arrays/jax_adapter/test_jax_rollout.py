"""Rollouts inside JAX: NumPy's states, and gradients through all of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jounce.errors import ArgumentError, ModelWarning
from jounce.robot import Robot
from support.helpers import assert_close, quiet_read, small_model
from support.mechanisms import State, mechanism

jax: Any = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks
jnp: Any = jax.numpy

ARM = Robot(quiet_read("planar_2r"))
STEPS = 6


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def start(batch: tuple[int, ...] = ()) -> tuple[np.ndarray, ...]:
    """q0, v0 and forces over time."""
    rng = np.random.default_rng(0)
    shapes = ((*batch, 2), (*batch, 2), (*batch, STEPS, 2))
    q, v, taus = (rng.normal(size=shape) for shape in shapes)
    return q, v, taus


@pytest.mark.parametrize("options", [{}, {"method": "rk4"}, {"friction": True}])
def test_states_are_those_of_numpy(options: dict[str, Any]) -> None:
    x = start((3,))
    found = jax.jit(lambda *x: ARM.jax.rollout(*x, 0.01, **options))(*x)
    for states, truth in zip(found, ARM.rollout(*x, 0.01, **options), strict=True):
        assert_close(states, truth)


def test_wrenches_on_frames_and_bodies() -> None:
    q, v, taus = start()
    frame = ARM.model.frame_names[-1]
    push = np.random.default_rng(1).normal(size=(STEPS, 6))
    bodies = np.random.default_rng(2).normal(size=(4, STEPS, ARM.nb, 6))
    for given in ({frame: push}, bodies):
        found = ARM.jax.rollout(q, v, taus, 0.01, given)
        for states, truth in zip(found, ARM.rollout(q, v, taus, 0.01, given), strict=True):
            assert_close(states, truth)


def test_gradients_go_back_through_all_steps() -> None:
    x = start()
    lam = np.random.default_rng(3).normal(size=(2, STEPS + 1, 2))

    def cost(*x: Any) -> Any:
        q, v = ARM.jax.rollout(*x)
        return (lam[0] * q).sum() + (lam[1] * v).sum()

    found = jax.jit(jax.grad(cost, (0, 1, 2, 3)))(*x, 0.01)
    for g, truth in zip(found, ARM.rollout.vjp(*x, 0.01, *lam), strict=True):
        assert_close(g, truth)


def test_policies_are_traced_and_learned() -> None:
    q, v, _ = start((3,))
    gains = jnp.asarray([2.0, 0.5])

    def policy(k: Any, q: Any, v: Any, gains: Any = gains) -> Any:
        return -gains[0] * q - gains[1] * v + 0.1 * k

    found = ARM.jax.rollout(q, v, h=0.01, policy=policy, steps=STEPS)
    plain = lambda k, q, v: np.asarray(policy(k, q, v))  # noqa: E731
    for states, truth in zip(
        found, ARM.rollout(q, v, h=0.01, policy=plain, steps=STEPS), strict=True
    ):
        assert_close(states, truth)

    def cost(gains: Any) -> Any:
        learned = lambda k, q, v: policy(k, q, v, gains)  # noqa: E731
        return (ARM.jax.rollout(q, v, h=0.01, policy=learned, steps=STEPS)[0] ** 2).sum()

    forward, backward = jax.jacfwd(cost)(gains), jax.grad(cost)(gains)
    assert_close(forward, backward)
    assert np.all(np.asarray(jnp.abs(backward)) > 1e-6)


def test_single_precision_and_no_steps() -> None:
    q, v, taus = (jnp.asarray(x, jnp.float32) for x in start())
    found = ARM.jax.rollout(q, v, taus, 0.01)
    assert [x.dtype for x in found] == [jnp.float32] * 2
    none = ARM.jax.rollout(q, v, taus[:0], 0.01)
    assert [x.shape for x in none] == [(1, 2), (1, 2)]


def test_mechanisms_and_quaternions() -> None:
    state = State(mechanism("four_bar"))
    closed, taus = state.closed, np.ones((STEPS, state.closed.nv))
    found = closed.jax.rollout(state.q, state["v"], taus, 0.001)
    for states, truth in zip(found, closed.rollout(state.q, state["v"], taus, 0.001), strict=True):
        assert_close(states, truth, 1e-10)
    tree = Robot(small_model())
    q, v, taus = tree.random(0), np.ones(tree.nv), np.ones((2, tree.nv))
    for states, truth in zip(
        tree.jax.rollout(q, v, taus, 0.01), tree.rollout(q, v, taus, 0.01), strict=True
    ):
        assert_close(states, truth)


def test_motions_that_diverge_are_reported_where_values_are_known() -> None:
    q, v, taus = start((3,))
    taus[1, 3], taus[2, 4] = np.nan, np.inf
    expected = r"planar_2r.jax.rollout: states are NaN or infinite from q\[..., 4, :\] on in 2 of 3"
    for call in (ARM.jax.rollout, lambda *x: ARM.rollout(*map(jnp.asarray, x))):
        with pytest.warns(ModelWarning, match=expected) as caught:
            call(q, v, taus, 0.01)
        assert {x.filename for x in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ARM.jax.rollout(q * np.nan, v, taus, 0.01)  # which is known already
        ARM.jax.rollout(q[0], v[0], taus[0], 0.01)
        roll = lambda taus: ARM.jax.rollout(q, v, taus, 0.01)[0].sum()  # noqa: E731
        assert np.isnan(jax.jit(roll)(taus))
        assert not np.isfinite(jax.grad(roll)(taus)).all()
        each = jax.vmap(lambda q, v, taus: ARM.jax.rollout(q, v, taus, 0.01)[0])
        assert np.isnan(each(q, v, taus)).any()


def test_mechanisms_start_with_closed_loops() -> None:
    closed = mechanism("four_bar")
    apart = jnp.array(closed.reference) + 0.5
    v, taus = jnp.zeros(closed.nv), jnp.zeros((STEPS, closed.nv))
    with pytest.raises(ArgumentError, match=r"jax\.rollout: argument 'q0': the loops are open by"):
        closed.jax.rollout(apart, v, taus, 0.001)
    jax.jit(closed.jax.rollout)(apart, v, taus, 0.001)  # there are no values to look at


def test_bad_calls() -> None:
    q, v, taus = start()
    roll = ARM.jax.rollout
    with pytest.raises(TypeError, match="argument 'h' is missing, the time step in seconds"):
        roll(q, v, taus)
    with pytest.raises(TypeError, match="either taus, or a policy"):
        roll(q, v, h=0.1)
    with pytest.raises(ArgumentError, match=r"'taus' must have shape \(..., T, 2\), found \(2,\)"):
        roll(q, v, taus[0], 0.1)
    with pytest.raises(
        ArgumentError, match="steps must be the number of rows of taus, 6, or omitted, found 5"
    ):
        roll(q, v, taus, 0.1, steps=5)
    with pytest.raises(ArgumentError, match="steps must be a whole number >= 0 with a policy"):
        roll(q, v, h=0.1, policy=lambda k, q, v: v, steps=1.5)
    with pytest.raises(ArgumentError, match=r"argument 'q0' must have shape \(..., 2\)"):
        roll(q[:1], v, taus, 0.1)
    with pytest.raises(ArgumentError, match=r"what policy gives must have shape \(2,\), found"):
        roll(q, v, h=0.1, policy=lambda k, q, v: jnp.ones(3), steps=2)
    with pytest.raises(ArgumentError, match="batch axes do not broadcast"):
        roll(np.tile(q, (2, 1)), np.tile(v, (3, 1)), taus, 0.1)
    for other in (ARM.jax.frame(ARM.model.frame_names[-1]), ARM.jax.tangent):
        with pytest.raises(AttributeError, match="has no 'rollout'"):
            _ = other.rollout
