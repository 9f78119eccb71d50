"""Every quantity inside JAX: NumPy's values, and gradients that differences agree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.mechanism import MECHANISM
from jounce.catalog.tables import FRAME, ROBOT
from jounce.robot import Robot
from support.contacts import Standing, with_contacts
from support.helpers import (
    assert_close,
    offered,
    quiet_read,
    random_arguments,
    random_robot,
    small_model,
)
from support.mechanisms import State, mechanism
from support.robots import ALL_KINDS, random_model

jax: Any = pytest.importorskip("jax", reason="JAX is an extra: pip install 'jounce[jax]'")

pytestmark = pytest.mark.frameworks
jnp: Any = jax.numpy

#: Length of a step of central differences, and what they are good for.
STEP, DIFFERENCES = 1e-5, 2e-6


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def check(quantity: BoundQuantity, function: Any, given: Sequence[np.ndarray]) -> None:
    """Values are NumPy's; the gradient in all arguments agrees with a difference of values."""
    results = function(*given)
    expected = quantity(*given)
    assert isinstance(results, tuple) == isinstance(expected, tuple)
    leaves = jax.tree.leaves(results)
    truths = expected if isinstance(expected, tuple) else (expected,)
    for found, truth in zip(leaves, truths, strict=True):
        assert found.shape == truth.shape
        assert_close(found, truth, 1e-11, quantity.title)
    rng = np.random.default_rng(1)
    weights = [rng.normal(size=x.shape) for x in leaves]
    tangents = [rng.normal(size=x.shape) for x in given]

    def weighted(*x: Any) -> Any:
        found = jax.tree.leaves(function(*x))
        return sum((w * y).sum() for w, y in zip(weights, found, strict=True))

    places = tuple(range(len(given)))
    both = jax.jit(jax.value_and_grad(weighted, places))
    _, gradients = both(*given)
    slope = sum((g * t).sum() for g, t in zip(gradients, tangents, strict=True))
    ends = [
        both(*(x + s * STEP * t for x, t in zip(given, tangents, strict=True)))[0]
        for s in (1.0, -1.0)
    ]
    scale = sum(np.abs(g * t).sum() for g, t in zip(gradients, tangents, strict=True))
    size = max(float(scale), abs(float(ends[0])) * 1e-3, 1e-6)
    assert abs(float(slope) - float(ends[0] - ends[1]) / (2.0 * STEP)) <= DIFFERENCES * size


@cache
def robot(name: str) -> Robot:
    if name == "arm":
        return Robot(quiet_read("planar_2r"))
    if name == "small":
        return Robot(small_model())
    if name == "floating":
        return Robot(quiet_read("planar_2r", base="floating"))
    return Robot(random_robot(3, len(ALL_KINDS), mimic=True))


def check_on(owner: Robot, name: str) -> None:
    row = ROBOT[name] if name in ROBOT else FRAME[name]
    if not offered(owner, row):
        pytest.skip("the frame cannot move in all directions")
    table: Any = owner if name in ROBOT else owner.frame(owner.model.frame_names[-1])
    jaxed: Any = owner.jax if name in ROBOT else owner.jax.frame(owner.model.frame_names[-1])
    quantity = getattr(table, name)
    given = random_arguments(quantity.kernel, owner, np.random.default_rng(7))
    check(quantity, getattr(jaxed, name), given)


NAMES = [*ROBOT, *FRAME]


@pytest.mark.parametrize("name", NAMES)
def test_every_quantity_of_an_arm(name: str) -> None:
    check_on(robot("arm"), name)


@pytest.mark.parametrize(
    "name", ["forward_dynamics", "momentum", "pose", "integrate", "difference"]
)
def test_quaternions_and_followers(name: str) -> None:
    check_on(robot("small"), name)


@pytest.mark.parametrize("name", ["inverse_dynamics", "center_of_mass"])
def test_floating_bases(name: str) -> None:
    check_on(robot("floating"), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_quantity_of_a_tree(name: str) -> None:
    check_on(robot("small"), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "step", "jacobian", "pose"])
def test_every_kind_of_joint(name: str) -> None:
    check_on(robot("kinds"), name)


def check_mechanism(closed_name: str, name: str) -> None:
    """q moves along velocities, for the loops to stay closed."""
    state = State(mechanism(closed_name))
    closed = state.closed
    quantity = closed.quantity(name)
    given = [
        np.asarray(0.01) if x == "h" else np.asarray(state[x]) for x in quantity.kernel.arguments
    ]
    tangents = getattr(closed.jax.tangent, name)
    places = [k for k, x in enumerate(quantity.kernel.arguments) if x in ("q", "q0", "q1")]
    still = [np.zeros(closed.nv) for _ in places]
    fixed = [given[k] for k in places]

    def moved(*x: Any) -> Any:
        rest = iter(x[: len(x) - len(places)])
        at = iter(fixed)
        own = [next(at) if k in places else next(rest) for k in range(len(given))]
        return tangents(*own, *x[len(x) - len(places) :])

    free = [x for k, x in enumerate(given) if k not in places]

    class At:
        title = quantity.title

        def __call__(self, *_: Any) -> Any:
            return quantity(*given)

    truth: Any = At()
    check(truth, moved, [*free, *still])


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "step"])
def test_mechanisms(name: str) -> None:
    check_mechanism("four_bar", name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [x for x in MECHANISM if x not in ("difference", "interpolate")])
def test_every_quantity_of_mechanisms(name: str) -> None:
    check_mechanism("five_bar", name)


def test_contacts() -> None:
    rng = np.random.default_rng(2)
    model = random_model(rng, 3, ("revolute", "spherical"), floating=True)
    standing = Standing(with_contacts(model, rng, "point"))
    contacts = standing.contacts
    given = [standing.q, standing.v, standing.tau]
    names = contacts.jax.forward_dynamics.quantity.kernel.arguments
    assert names[:3] == ("q", "v", "tau")
    check(contacts.forward_dynamics, contacts.jax.forward_dynamics, given)
    anchored = contacts.jax.forward_dynamics(*given, anchors=standing.given[1], kp=3.0)
    truth = contacts.forward_dynamics(*given, anchors=standing.given[1], kp=3.0)
    for x, y in zip(jax.tree.leaves(anchored), jax.tree.leaves(truth), strict=True):
        assert_close(x, y, 1e-10)
