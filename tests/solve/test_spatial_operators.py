"""Compiled spatial operators: the paper's, as matrices, with derivatives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import jounce
from jounce.catalog.spatial_operators import OPERATORS
from jounce.formulas import spatial_operators as formulas
from jounce.papers.jain_rodriguez import Operator, spatial_operators
from jounce.robot import Robot
from support.helpers import assert_close
from support.zoo import MODELS, case_of

NAMES = tuple(OPERATORS.quantities)


def transposed(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2)


def printed(robot: Robot, q: np.ndarray, name: str) -> np.ndarray:
    """An operator of the paper's implementation."""
    found = getattr(spatial_operators(robot, q), name)
    operator = found if isinstance(found, Operator) else found()
    return operator.dense().astype(float)


@pytest.mark.parametrize("model", MODELS)
def test_operators_are_those_of_the_paper(model: str) -> None:
    case = case_of(model)
    for name in NAMES:
        found = getattr(formulas, name)(case.tree, case.q).astype(float)
        assert_close(found, printed(case.robot, case.q, name), floor=1.0)


@pytest.mark.parametrize("model", ["floating", "two roots, mimic", "universal only", "kuka_iiwa14"])
def test_compiled_operators_and_their_identities(model: str) -> None:
    robot = case_of(model).robot
    operators, q = robot.spatial_operators, robot.random(0, 3)
    assert len(operators.nodes) * 6 == operators.sizes["6nn"]
    found = {name: getattr(operators, name)(q) for name in NAMES}
    for name, values in found.items():
        for value, sample in zip(values, q, strict=True):
            assert_close(value, printed(robot, sample, name), floor=1.0)
    H, phi, M, P, D, G, K, psi = (found[name] for name in NAMES[:8])
    factor, inverse = found["innovations_factor"], found["innovations_factor_inverse"]
    one = np.eye(H.shape[1])
    bodies = H @ phi @ M @ transposed(phi) @ transposed(H)
    armature = np.diag([x for node in robot.tree.nodes for x in node.armature]).astype(float)
    assert_close(factor @ D @ transposed(factor), bodies + armature)
    assert_close(factor, one + H @ phi @ K)
    assert_close(inverse, one - H @ psi @ K)
    assert_close(factor @ inverse, np.broadcast_to(one, factor.shape))
    assert_close(H @ P @ transposed(H) + armature, D)
    assert_close(G @ D, P @ transposed(H))
    assert_close(np.linalg.inv(psi), np.linalg.inv(phi) + K @ H, 1e-11)
    if not robot.tree.has_mimics:
        assert_close(bodies + armature, robot.mass_matrix(q))
        solving = 1e-15 * np.linalg.cond(robot.mass_matrix(q)).max()
        expected = transposed(inverse) @ np.linalg.solve(D, inverse)
        assert_close(robot.mass_matrix_inverse(q), expected, max(1e-12, solving))


def test_derivatives_in_time_state_and_parameters() -> None:
    robot = case_of("revolute only").robot
    operators, (q, v) = robot.spatial_operators, (robot.random(4), np.ones(robot.nv))
    step = 1e-6
    for name in ("phi", "psi", "D", "K", "innovations_factor_inverse"):
        quantity = getattr(operators, name)
        ahead, behind = (quantity(robot.integrate(q, sign * step * v)) for sign in (1.0, -1.0))
        rate = quantity.dt(q, v)
        assert_close(rate, (ahead - behind) / (2 * step), 1e-7)
        assert_close(quantity.dq(q) @ v, rate)
    # D of the last joint is linear in its own parameters
    by_parameters = operators.D.dpi(q)[-1, -1].reshape(-1, 10)[-1]
    armature = float(robot.tree.nodes[-1].armature[0])
    own = by_parameters @ robot.model.parameters.reshape(-1, 10)[-1]
    assert_close(own + armature, operators.D(q)[-1, -1])


def test_it_is_one_object_of_a_robot() -> None:
    robot = jounce.load("kuka_iiwa14")
    operators, q = robot.spatial_operators, robot.random(0)
    assert operators is robot.spatial_operators
    assert operators.nodes[0] == "joint1"
    again = pickle.loads(pickle.dumps(operators))
    assert_close(again.psi(q), operators.psi(q))
    cardan = Robot(MODELS["universal only"]())
    assert cardan.spatial_operators.nodes[:2] == ("joint0'", "joint0")
    with pytest.raises(AttributeError, match="has no 'psy'"):
        operators.psy(q)
    with pytest.raises(AttributeError):
        _ = jounce.load("four_bar").closed().spatial_operators
    with pytest.raises(jounce.ArgumentError, match="'q' must have shape"):
        operators.phi(q[:3])
