"""Derivatives in the geometry: joint screws and placements, against series, models, identities."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas import wrt_screws
from jounce.math.jets import rates_of
from jounce.math.lie import exp_pose
from jounce.model.model import Model
from jounce.model.tree import lower
from jounce.papers import kwon
from jounce.robot import Robot
from support.helpers import (
    as_twist,
    assert_close,
    in_tangents,
    joined,
    objects,
    own_argument,
    parts_of,
    quiet_read,
    random_argument,
    random_robot,
    with_two_roots,
)
from support.robots import ALL_KINDS

NAMES = ("dscrew", "dplacement")
#: By first-order series alone: their closed forms are those of what they are made of.
GENERIC = [r for r in QUANTITIES if r.geometry and "dscrew" not in r.forms]
OWN_FORM = [r.name for r in QUANTITIES if "dscrew" in r.forms]
MODELS = {
    "every kind": lambda: random_robot(1, len(ALL_KINDS)),
    "serial": lambda: random_robot(2, 5, branching=False),
    "floating": lambda: random_robot(3, 4, floating=True),
    "two roots, mimic": lambda: with_two_roots(random_robot(5, 6, ("revolute",), mimic=True)),
    "franka": lambda: quiet_read("franka"),
}
#: For what goes by rule: its tool can move in six directions.
SHORT = {"short": lambda: random_robot(1, 3, ("revolute", "universal"), floating=True)}


class Sample:
    """A robot at a random state."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self.model, self.robot, self.seed = model, Robot(model), seed
        self.tree = self.robot.tree
        rng = np.random.default_rng(seed)
        names = ("q", "v", "a", "tau", "w")
        self.at = {n: objects(random_argument(n, self.robot, rng)) for n in names}
        self.frame = len(self.tree.frames) - 2

    def inputs(self, row: AnyQuantity) -> tuple[Any, ...]:
        own = {
            n: objects(own_argument(n, row, self.robot, self.seed))
            for n in row.argument_definitions
        }
        known = self.at | own
        return (*(known[n] for n in row.arguments), *((self.frame,) if row.of_frame else ()))

    def evaluate(self, row: AnyQuantity, model: Model | None = None, axes: int = 0) -> np.ndarray:
        """A row as numbers; axes: that stay, of several results that are joined."""
        tree = self.tree if model is None else lower(model)
        found = parts_of(row, row.formula(tree, *self.inputs(row)))
        return joined(found, axes=axes).astype(float)

    def floor(self, row: AnyQuantity) -> float:
        return max(float(np.abs(self.evaluate(row)).max()), 1e-9)


@cache
def sample_of(name: str) -> Sample:
    return Sample((MODELS | SHORT)[name](), len(name))


def exact(sample: Sample, row: AnyQuantity, body: int, unit: np.ndarray, screw: bool) -> np.ndarray:
    """The derivative along one displacement, by first-order series of the tree's numbers."""
    tree = wrt_screws.displace_joint(sample.tree, body, objects(unit), screw)
    found = parts_of(row, row.formula(tree, *sample.inputs(row)))
    values, rates = zip(*(rates_of(x, 1) for x in found), strict=True)
    return in_tangents(row, sample.tree, values, rates)


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("quantity", OWN_FORM)
def test_closed_forms(name: str, quantity: str) -> None:
    sample = sample_of(name)
    row = (ROBOT | FRAME)[quantity]
    # where M is inverted, digits go in proportion to its condition number
    solving = row.solves
    condition = np.linalg.cond(sample.evaluate(ROBOT["mass_matrix"])) if solving else 1.0
    tolerance = 1e-12 * max(1.0, condition / 100)
    rng = np.random.default_rng(len(name) * len(quantity))
    bodies = {0, sample.robot.nb - 1, *rng.integers(sample.robot.nb, size=2).tolist()}
    for suffix in NAMES:
        found = sample.evaluate(derivative(row, suffix), axes=2)
        for body in bodies:
            unit = rng.normal(size=6)
            truth = exact(sample, row, body, unit, suffix == "dscrew")
            title = f"{quantity}.{suffix}, joint {body}"
            assert_close(found[..., body, :] @ unit, truth, tolerance, title, sample.floor(row))


# ------------------------------------------------------------------ what is displaced


def displaced_model(model: Model, body: int, twist: np.ndarray, screw: bool) -> Model:
    """The model with a joint moved by a finite displacement, built anew."""
    E = exp_pose(twist)
    joint = model.joints[body]
    if screw:
        R, p = E[:3, :3], E[:3, 3]
        moved = {"axis": R @ joint.axis, "point": R @ joint.point + p}
        if joint.kind == "universal":
            moved["axis2"] = R @ joint.axis2
        joint = replace(joint, **moved)
    else:
        joint = replace(joint, placement=joint.placement @ E)
    joints = list(model.joints)
    joints[body] = joint
    return replace(model, joints=tuple(joints))


def differenced(
    sample: Sample, row: AnyQuantity, body: int, unit: np.ndarray, screw: bool
) -> np.ndarray:
    """Fourth-order central difference over rebuilt models."""
    h = 5e-4

    def at(step: float) -> np.ndarray:
        return sample.evaluate(row, displaced_model(sample.model, body, step * unit, screw))

    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


@pytest.mark.parametrize("suffix", NAMES)
def test_the_displacements_are_those_of_the_model(suffix: str) -> None:
    """A joint moved in the model itself: axis and point for a screw, placement for a placement.

    The error of the difference is about h^4, so 1e-8 is all it can show. An orientation of a joint
    without axes cannot be written in a model, so the screws of those are not tried.
    """
    screw = suffix == "dscrew"
    sample = sample_of("every kind")
    rng = np.random.default_rng(7)
    for quantity in ("inverse_dynamics", "potential_energy", "pose"):
        row = (ROBOT | FRAME)[quantity]
        found = sample.evaluate(derivative(row, suffix))
        for body, joint in enumerate(sample.model.joints):
            if screw and joint.kind in ("spherical", "free", "planar"):
                continue
            unit = rng.normal(size=6)
            truth = differenced(sample, row, body, unit, screw)
            if quantity == "pose":
                truth = as_twist(sample.evaluate(row), truth)
            assert_close(found[..., body, :] @ unit, truth, 1e-8, joint.kind, sample.floor(row))


@pytest.mark.parametrize("row", GENERIC, ids=lambda row: row.name)
def test_every_other_quantity_has_them_too(row: AnyQuantity) -> None:
    """By series: against a difference over rebuilt models, which shows 1e-8."""
    sample = sample_of("short")
    rng = np.random.default_rng(3)
    for suffix in NAMES:
        assert suffix in derivative_names(row)
        by = derivative(row, suffix)
        unit = rng.normal(size=6)
        body = next(i for i, j in enumerate(sample.model.joints) if j.nv == 1)
        tensors = parts_of(by, by.formula(sample.tree, *sample.inputs(by)))
        found = joined(tuple(x[..., body, :] @ unit for x in tensors))
        truth = differenced(sample, row, body, unit, suffix == "dscrew")
        assert_close(found, truth, 1e-8, row.name, sample.floor(row))


# ------------------------------------------------------------------ identities


def own_screw(sample: Sample, body: int) -> np.ndarray:
    """The screw of a joint with one degree of freedom, in the axes of its body."""
    node = sample.tree.nodes[sample.tree.node_of_body[body]]
    R, p = node.R_user.astype(float), node.p_user.astype(float)
    w, u = node.S[:3, 0].astype(float), node.S[3:, 0].astype(float)
    return np.concatenate((R.T @ w, R.T @ (u + np.cross(w, p))))


def test_a_joint_moved_along_itself() -> None:
    """Along its own screw an axis stays what it is, and a placement adds to the coordinate."""
    sample = sample_of("every kind")
    seen = set()
    for quantity in ("inverse_dynamics", "mass_matrix", "coriolis_matrix", "jacobian"):
        row = (ROBOT | FRAME)[quantity]
        screw, placement = (sample.evaluate(derivative(row, n)) for n in NAMES)
        by_q = sample.evaluate(derivative(row, "dq"))
        for body, view in enumerate(sample.robot.joints.values()):
            if view.joint.nv != 1:
                continue
            seen.add(view.kind)
            A = own_screw(sample, body)
            floor = sample.floor(row)
            assert_close(screw[..., body, :] @ A, 0 * by_q[..., 0], 1e-12, view.kind, floor)
            expected = by_q[..., view.v.start]
            assert_close(placement[..., body, :] @ A, expected, 1e-12, view.kind, floor)
    assert seen == {"revolute", "prismatic", "helical"}


def test_without_gravity_the_place_of_the_robot_does_not_matter() -> None:
    sample = Sample(replace(MODELS["serial"](), gravity=np.zeros(3)))
    for quantity in ("inverse_dynamics", "mass_matrix", "coriolis_matrix"):
        found = sample.evaluate(derivative(ROBOT[quantity], "dplacement"))
        assert np.abs(found[..., 0, :]).max() <= 1e-12 * sample.floor(ROBOT[quantity])
        assert np.abs(found[..., 1, :]).max() > 1e-3


@pytest.mark.parametrize("name", list(MODELS))
def test_kwon(name: str) -> None:
    """The paper's algorithm gives the same derivatives of tau."""
    sample = sample_of(name)
    tree, (q, v, a) = sample.tree, (sample.at[n] for n in "qva")
    full = kwon.differential_dynamics(tree, q, v, a)
    columns = full.S[:, : 6 * len(tree.nodes)] @ kwon.joint_frames(tree)
    expected = columns.reshape(tree.nv, tree.nb, 6).astype(float)
    row = ROBOT["inverse_dynamics"]
    assert_close(sample.evaluate(derivative(row, "dscrew")), expected, floor=sample.floor(row))


@pytest.mark.parametrize("quantity", [name for name, row in ROBOT.items() if "design" in row.forms])
@pytest.mark.parametrize("name", list(MODELS))
def test_the_gradient_of_a_weighted_quantity(name: str, quantity: str) -> None:
    """lam . tau in all design variables, in linear time, is the contraction of the tensors."""
    sample, row = sample_of(name), ROBOT[quantity]
    w = objects(np.random.default_rng(1).normal(size=(sample.robot.nb, 6)))
    lam = objects(np.random.default_rng(2).normal(size=sample.robot.nv))
    given = sample.inputs(row)
    push = (w,) if row.optional else ()
    found = derivative(row, "design").formula(sample.tree, *given, lam, *push)
    shapes = [(sample.robot.nb, 10), (sample.robot.nb, 6), (sample.robot.nb, 6)]
    # where M is inverted, digits go in proportion to its condition number
    condition = np.linalg.cond(sample.evaluate(ROBOT["mass_matrix"])) if row.solves else 1.0
    for x, suffix, shape in zip(found, ("dpi", *NAMES), shapes, strict=True):
        of = derivative(row, suffix)  # what is linear in pi has no part of the wrenches
        full = of.formula(sample.tree, *given, *(push if of.optional else ()))
        expected = np.tensordot(lam, full, axes=1).reshape(shape).astype(float)
        tolerance = 1e-12 * max(1.0, condition / 100)
        assert_close(x.astype(float), expected, tolerance, suffix, floor=1.0)


# ------------------------------------------------------------------ compiled


def test_compiled() -> None:
    robot = Robot(quiet_read("planar_2r"))
    sample = Sample(robot.model)
    q, v, a = (sample.at[n].astype(float) for n in "qva")
    G = robot.inverse_dynamics.dscrew(np.stack([q, q]), v, a)
    assert G.shape == (2, 2, 2, 6)
    assert_close(G[0], sample.evaluate(derivative(ROBOT["inverse_dynamics"], "dscrew")))
    frame = robot.frame(robot.model.frame_names[-2])
    assert frame.pose.dplacement(q).shape == (6, 2, 6)
    assert frame.jacobian.dscrew(q).shape == (6, 2, 2, 6)
    wrenches = np.ones((2, 6))
    assert not np.allclose(
        robot.inverse_dynamics.dscrew(q, v, a),
        robot.inverse_dynamics.dscrew(q, v, a, wrenches=wrenches),
    )
    with pytest.raises(AttributeError, match="dpi, dscrew, dplacement"):
        robot.mass_matrix.dscrews  # noqa: B018
