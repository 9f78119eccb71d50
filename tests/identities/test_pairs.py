"""Every derivative of every derivative, with and without optional arguments and a moving base."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import jounce
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.mechanism import MECHANISM, MECHANISM_FRAME
from jounce.catalog.options import with_options
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.errors import KernelTooLargeError
from jounce.robot import Robot
from support.contacts import Standing, with_contacts
from support.helpers import OF_FREE_FRAMES, with_friction
from support.mechanisms import State, mechanism
from support.pairs import Subject
from support.robots import random_model

pytestmark = [pytest.mark.identities, pytest.mark.sweeps]

TREES = {
    "sliding": {"kinds": ("planar", "revolute", "revolute"), "mimic": True},
    "turning": {"kinds": ("spherical", "helical")},
    "floating": {"kinds": ("revolute",), "floating": True},
}
SUBJECTS = (*TREES, "contact", "mechanism")

#: Steps by implicit methods, whose derivatives go by the implicit function theorem.
IMPLICIT = {
    f"step({method})": with_options(ROBOT["step"], method=method)
    for method in ("implicit_midpoint", "variational")
}


@cache
def subject(name: str) -> Subject:
    rng = np.random.default_rng(7)
    h = np.array(0.01)
    if name in TREES:
        options = TREES[name]
        model = random_model(rng, len(options["kinds"]), **options)
        robot = Robot(with_friction(model, rng))
        q, q1 = robot.random(1), robot.random(2)
        frame = len(robot.model.frames) - 1
        return Subject(robot.tree, robot.sizes, {"q": q, "q1": q1, "h": h}, frame)
    if name == "contact":
        model = random_model(rng, 2, ("revolute", "spherical"), floating=True)
        at = Standing(with_contacts(model, rng, "point"))
        return Subject(at.tree, at.contacts.sizes, {"q": at.q, "anchors": at.given[1]})
    closed = mechanism("five_bar")
    at = State(closed)
    values = {"q": at.q, "q1": at["q1"], "dv": at["dv"], "h": h}
    frame, forward = len(closed.model.frames) - 1, MECHANISM["forward_dynamics"]
    return Subject(closed.tree, closed.sizes, values, frame, forward)


def rows(name: str) -> dict[str, AnyQuantity]:
    """Rows that a subject has, those of frames with a dot before their name."""
    if name == "contact":
        return dict(CONTACTED.quantities)
    own, frames = (ROBOT, FRAME) if name in TREES else (MECHANISM, MECHANISM_FRAME)
    found = {f".{key}": row for key, row in frames.items()}
    if name != "floating":  # where frames cannot move in all directions
        found = {key: row for key, row in found.items() if row.name not in OF_FREE_FRAMES}
    return {**own, **found, **(IMPLICIT if name in TREES else {})}


def pairs(row: AnyQuantity) -> Iterator[tuple[str, str]]:
    for first in derivative_names(row):
        for second in derivative_names(derivative(row, first)):
            yield first, second


def check(name: str, row: AnyQuantity, steps: tuple[str, ...], limit: float) -> bool:
    """Whether the last derivative was small enough to be compared with steps of that before."""
    at, *earlier, last = subject(name), *steps
    if last == "dtt":
        earlier, last = [*earlier, "dt"], "dt"
    for step in earlier:
        row = derivative(row, step)
    found = derivative(row, last)
    for optional in (False, True) if row.optional or row.base else (False,):
        what = f"{name}: {found.name}{' with all arguments' * optional}"
        try:
            results = at.evaluate(found, optional, limit)
            if name == "mechanism" and {*steps} & {*GEOMETRY, "dloop", "design"}:
                assert all(np.isfinite(x).all() for x in results), what
                continue  # dependent joints move as well: see test_composition
            wanted = at.differences(row, last, optional)
        except KernelTooLargeError:
            return False
        for x, y in zip(results, wanted, strict=True):
            scale = max(np.abs(y).max(initial=0.0), 1.0)
            error = np.abs(x - y).max(initial=0.0) / scale
            assert error < 1e-11, f"{what}: {error:.1e}"
    return True


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("turning", "body_twists.dscrew.dv"),
        ("turning", "body_twists.dq.dscrew"),
        ("sliding", "body_twists.dplacement.dplacement"),
        ("sliding", "body_twists.dq.dt"),
        ("turning", "body_accelerations.dq.dt"),
        ("sliding", "inverse_dynamics.dq.dt"),
        ("turning", "inverse_dynamics.dpi.dtt"),
        ("turning", "inverse_dynamics.jvp.dt"),
        ("turning", "inverse_dynamics.dt.dq.dt"),
        ("mechanism", "inverse_dynamics.dv.dt"),
        ("floating", "velocity_from_rates.dt.dq.dt"),
        ("sliding", "velocity_from_rates.jvp.dtt"),
        ("turning", "interpolate.dt.dq0.dt"),
        ("turning", "interpolate.vjp.ds"),
        ("contact", "contact_dynamics.dt.dt"),
        ("contact", "impulse.dv.dpi"),
        ("turning", "step(implicit_midpoint).dpi.dh"),
        ("turning", "step(implicit_midpoint).vjp.dq"),
        ("sliding", "step(implicit_midpoint).dt.dt"),
        ("turning", "step(variational).dq.dtau"),
        ("sliding", "step(variational).dh.jvp"),
    ],
)
def test_what_once_failed(name: str, path: str) -> None:
    quantity, _, steps = path.partition(".")
    assert check(name, rows(name)[quantity], tuple(steps.split(".")), 100_000)


@pytest.mark.parametrize("name", SUBJECTS)
def test_some_pairs(name: str) -> None:
    """A few of all, drawn by chance, those that are small."""
    every = [(row, pair) for row in rows(name).values() for pair in pairs(row)]
    count = 40 if name == "contact" else 20  # most derivatives of steps in contact are large
    drawn = np.random.default_rng(1).permutation(len(every))[:count]
    assert sum(check(name, every[k][0], every[k][1], 5_000) for k in drawn) > 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "quantity"),
    [
        (name, quantity)
        for name in SUBJECTS
        for quantity in rows(name)
        if quantity not in IMPLICIT or name == "turning"  # the others are too large
    ],
)
def test_all_pairs(name: str, quantity: str) -> None:
    row = rows(name)[quantity]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit = 40_000 if quantity in IMPLICIT else 20_000
        done = [check(name, row, pair, limit) for pair in pairs(row)]
    assert any(done) or not row.differentiable


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_some_triples(name: str) -> None:
    rng, done = np.random.default_rng(2), 0
    every = [(row, pair) for row in rows(name).values() for pair in pairs(row)]
    for k in rng.permutation(len(every))[:60]:
        row, (first, second) = every[k]
        third = rng.choice(derivative_names(derivative(derivative(row, first), second)))
        done += check(name, row, (first, second, str(third)), 30_000)
    assert done > 10


def test_rates_of_a_rows_own_arguments_are_given_once() -> None:
    robot = jounce.load("planar_2r")
    quantity = robot.velocity_from_rates.dt.dq.dt
    assert quantity.kernel.arguments == ("q", "v", "a", "qdot", "dqdot", "ddqdot")
    again = quantity.dt.kernel
    assert again.arguments == ("q", "v", "a", "j", "qdot", "dqdot", "ddqdot", "d3qdot")
    # where dqdot is a tangent, the rates of qdot have other names, whatever the order
    tangent = robot.velocity_from_rates.jvp
    assert tangent.kernel.arguments == ("q", "qdot", "dq", "dqdot")
    assert {"d_qdot", "ddqdot"} <= {*tangent.dt.kernel.arguments}
    assert {"d_qdot", "dd_qdot", "ddqdot", "dddqdot"} <= {*tangent.dtt.kernel.arguments}
