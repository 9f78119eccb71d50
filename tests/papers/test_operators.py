"""Spatial operators as objects: how they print, multiply, and refuse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.math.scalar import zeros
from jounce.model.model import Body, Model
from jounce.model.tree import lower
from jounce.papers.jain_rodriguez import Operator, SpatialOperators, spatial_operators
from jounce.robot import Robot
from support.case import Case
from support.helpers import assert_close, chain, objects
from support.robots import SINGLE, random_model


def operators(model: Model) -> SpatialOperators:
    case = Case(model, 8)
    return spatial_operators(case.robot, case.at["q"])


def close(actual: Any, expected: Any) -> None:
    actual, expected = (x.dense() if isinstance(x, Operator) else x for x in (actual, expected))
    assert_close(actual, expected, 1e-12, floor=1.0)


def test_operators_print_and_multiply() -> None:
    o = operators(random_model(np.random.default_rng(5), 6, SINGLE))
    mass = o.H @ o.phi @ o.M @ o.phi.T @ o.H.T
    assert mass.name == "H phi M phi^T H^T"
    assert repr(mass) == "<H phi M phi^T H^T: hinges x hinges>"
    assert mass.T.name == mass.name
    assert (o.I - o.E_phi).T.name == "I - E_phi^T"
    assert (o.H @ (o.I - o.E_phi)).name == "H (I - E_phi)"
    assert (2.5 * o.phi - o.I).name == "2.5 phi - I"
    assert (-o.phi).name == "-phi"
    assert o.phi.T.T.name == "phi"
    assert o.mass_matrix_factorized().name == "(I + H phi K) D (I + K^T phi^T H^T)"
    assert o.mass_matrix_inverse().name == "(I - K^T psi^T H^T) D^-1 (I - H psi K)"
    close(mass.T, mass.dense().T)
    close(2.5 * o.phi - o.I, 2.5 * o.phi.dense() - np.eye(36))
    close(mass.rename("X")[0, 1], mass.dense()[:1, 1:2])
    close(o.phi[1, 0], np.zeros((6, 6)))
    x = objects(np.random.default_rng(0).normal(size=(36, 2)))
    close(o.phi @ x, o.phi.dense() @ x)
    close(x.T @ o.phi, x.T @ o.phi.dense())
    lines = str(o.phi).splitlines()
    assert lines[0].startswith("phi: bodies x bodies,")
    assert lines[1].split() == [f"joint{i}" for i in range(6)]
    assert lines[2].split()[:2] == ["joint0", "1"]
    assert all("." in line for line in lines[3:])
    assert f"{mass.dense()[0, 0]:.4g}" in str(mass)
    with pytest.raises(ValueError, match=r"cannot multiply H \(hinges x bodies\) by H"):
        o.H @ o.H
    with pytest.raises(ValueError, match=r"cannot add H \(hinges x bodies\) and phi"):
        o.H + o.phi
    with pytest.raises(ValueError, match="length 36"):
        o.phi @ zeros(6)
    with pytest.raises(ValueError, match="phi is not block diagonal"):
        o.phi.inverse()
    with pytest.raises(ValueError, match=r"choose one of 0\.\.5"):
        o.mass_matrix_sensitivity(6)
    with pytest.raises(ValueError, match="shape"):
        SpatialOperators(o.tree, zeros(2))
    with pytest.raises(TypeError):
        o.phi + 1.0  # type: ignore[operator]
    model = chain(("revolute", "revolute"))
    empty = Model("empty", (model.bodies[0], Body("tip", np.zeros(10))), model.joints)
    empty = replace(empty, joints=tuple(replace(j, armature=0.0) for j in empty.joints))
    with pytest.raises(ValueError, match="joint '1' moves no inertia"):
        SpatialOperators(lower(empty), zeros(2)).mass_matrix_inverse()


def test_masks_are_refused() -> None:
    robot = Robot(chain(("revolute", "revolute")))
    with pytest.raises(TypeError, match=r"operators: argument 'q' .*1 of its 2 numbers masked"):
        spatial_operators(robot, np.ma.array([0.1, 0.2], mask=[True, False]))


def test_names_of_two_motion_joints() -> None:
    kinds = ("universal", "cylindrical", "revolute")
    o = operators(random_model(np.random.default_rng(5), 3, kinds))
    assert len(set(o.hinges.labels)) == len(o.tree.nodes)
    assert any(label.endswith("'") for label in o.hinges.labels)
