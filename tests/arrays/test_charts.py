"""Arguments and results that are configurations or poses, and their tangents."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.catalog import charts, tables
from jounce.catalog.arguments import Argument, configuration
from jounce.catalog.quantity import Quantity, Result, Signature, Traits
from jounce.errors import ArgumentError
from jounce.formulas.kinematics import coordinates, joint_poses
from jounce.model.tree import lower
from jounce.robot import Robot
from support.helpers import assert_close, numbers, objects, random_robot
from support.robots import ALL_KINDS, random_pose

MODEL = random_robot(5, len(ALL_KINDS), mimic=True)
ROBOT, TREE = Robot(MODEL), lower(MODEL)
POSES = {"pose": charts.POSE, "placements": charts.PLACEMENTS, "screws": charts.SCREWS}


def place(chart: charts.Chart) -> np.ndarray:
    rng = np.random.default_rng(3)
    if chart is charts.CONFIGURATION:
        return ROBOT.random(rng)
    if chart is charts.POSE:
        return random_pose(rng)
    return np.array([random_pose(rng) for _ in range(TREE.nb)])


@pytest.mark.parametrize("chart", [charts.CONFIGURATION, *POSES.values()])
def test_tangents_and_rates_of_entries(chart: charts.Chart) -> None:
    """The tangent of what is pushed is itself; pulling and weighing are the transposed."""
    rng = np.random.default_rng(4)
    x = objects(place(chart))
    sizes = {"nv": TREE.nv, "nb": TREE.nb}
    t, lam = (objects(rng.normal(size=[sizes.get(str(n), n) for n in chart.shape])) for _ in "12")
    g = objects(rng.normal(size=x.shape))
    rates = chart.push(TREE, x, t)
    assert_close(numbers(chart.to_tangent(TREE, x, rates)), numbers(t))
    assert_close((g * rates).sum(), (chart.pull(TREE, x, g) * t).sum())
    assert_close(
        (chart.pull_weights(TREE, x, lam) * g).sum(), (lam * chart.to_tangent(TREE, x, g)).sum()
    )


def halfway(tree, q0, h):
    """A result that is a configuration: of q0, with its displacements times h."""
    out = coordinates(tree, q0).copy()
    for node in tree.nodes:
        if node.motion.name == "prismatic":
            out[node.qs] = out[node.qs] * h
    return out, joint_poses(tree, q0)[-1].r


@pytest.fixture(scope="module", autouse=True)
def _offered():
    own = {"q0": configuration("where it starts"), "h": Argument((), "share", axis=True)}
    tables.add(
        Quantity(
            "halfway",
            halfway,
            Signature(("q0", "h"), definitions=own),
            (Result(("nq",), "q", charts.CONFIGURATION), Result((3,), "r")),
            "A configuration between.",
            "rad, m",
            traits=Traits(geometry=False),
        )
    )
    yield
    tables.remove("halfway")


def test_a_result_that_is_a_configuration() -> None:
    q, h = ROBOT.random(1), 0.6
    row = ROBOT.halfway
    assert {"dq0", "dh", "jvp", "vjp"} <= {*dir(row)}
    by_q, r_by_q = row.dq0(q, h)
    slides = np.zeros(ROBOT.nv, dtype=bool)
    at = np.zeros(ROBOT.nv)
    for node in TREE.nodes:
        if node.motion.name == "prismatic":
            slides[node.vs], at[node.vs] = True, q[node.qs]
    assert slides.any()
    assert_close(by_q, np.diag(np.where(slides, h, 1.0)))
    by_h, r_by_h = row.dh(q, h)
    assert_close(by_h, at)
    assert not r_by_h.any()
    rng = np.random.default_rng(5)
    dq, lam, mu = rng.normal(size=ROBOT.nv), rng.normal(size=ROBOT.nv), rng.normal(size=3)
    pushed, r_pushed = row.jvp(q, h, dq, 0.3)
    assert_close(pushed, by_q @ dq + 0.3 * by_h)
    assert_close(r_pushed, r_by_q @ dq)
    in_q, in_h = row.vjp(q, h, lam, mu)
    assert_close(in_q, lam @ by_q + mu @ r_by_q)
    assert_close(in_h, lam @ by_h)
    assert_close(row.dq0h(q, h)[0], np.diag(slides * 1.0))
    assert_close(row.dh.dq0(q, h)[0], np.diag(slides * 1.0))


def test_time_moves_configurations_along_velocities() -> None:
    q, v = ROBOT.random(1), np.random.default_rng(6).normal(size=ROBOT.nv)
    rate, speed = ROBOT.halfway.dt(q, v, 1.0, 0.0)
    expected = charts.CONFIGURATION.push(TREE, objects(q), objects(v))
    assert_close(rate, numbers(expected))
    assert_close(speed, ROBOT.halfway.dq0(q, 1.0)[1] @ v)


def test_arguments_that_nobody_knows_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"unknown argument 'q2'; .*definitions="):
        tables.add(Quantity("lost", halfway, Signature(("q2",)), (Result(()),), "", ""))
