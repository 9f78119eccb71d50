"""Names of other libraries lead to those of jounce."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jounce
from jounce.catalog.synonyms import SYNONYMS, find_synonym, squash

ARM: Any = jounce.load("kuka_iiwa14")


@pytest.mark.parametrize("expression", sorted({*SYNONYMS.values()}))
def test_expressions_exist(expression: str) -> None:
    owner: Any = ARM
    if expression.startswith("frame(name)"):
        owner, expression = ARM.frame("tool"), expression[len("frame(name)") :].lstrip(".")
    path = re.sub(r"\([^()]*\)$", "", expression)
    for name in path.split(".") if path else ():
        owner = getattr(owner, name)


def test_no_synonym_hides_a_name_of_a_robot() -> None:
    names = {squash(name): name for name in dir(ARM) if not name.startswith("_")}
    assert not {word for word in SYNONYMS if word in names}


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("jacobian", "frame(name).jacobian(q)"),
        ("forward_kinematics", "frame(name).pose(q)"),
        ("fk", "frame(name).pose(q)"),
        ("ik", "inverse_kinematics({frame: pose})"),
        ("aba", "forward_dynamics(q, v, tau)"),
        ("crba", "mass_matrix(q)"),
        ("n_dof", "nv"),
        ("num_joints", "nb"),
        ("coriolis", "coriolis_matrix(q, v)"),
        ("inertia", "mass_matrix(q)"),
        ("regressor", "inverse_dynamics.dpi(q, v, a)"),
        ("com", "center_of_mass(q)"),
        ("M", "mass_matrix(q)"),
        ("nle", "bias_forces(q, v)"),
        ("computeGeneralizedGravity", "gravity_forces(q)"),
        ("ccrba", "centroidal_momentum_matrix(q)"),
        ("CalcBiasTerm", "bias_forces(q, v)"),
        ("mj_inverse", "inverse_dynamics(q, v, a)"),
        ("compute_jacobian", "frame(name).jacobian(q)"),
        ("getFrameJacobian", "frame(name).jacobian(q)"),
    ],
)
def test_names_of_other_libraries(name: str, expression: str) -> None:
    assert find_synonym(name) == expression
    message = f"robot 'kuka_iiwa14' has no '{name}'; use robot.{expression}"
    with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
        getattr(ARM, name)


@pytest.mark.parametrize(
    ("owner", "name", "hint"),
    [
        (ARM, "massMatrix", "did you mean 'mass_matrix'?"),
        (ARM, "CalcMassMatrix", "did you mean 'mass_matrix'?"),
        (ARM, "inverse_kinematcs", "did you mean 'inverse_kinematics'?"),
        (ARM, "forward_kinematic", "did you mean robot.frame(name).pose(q)?"),
        (ARM, "jacobain", "did you mean robot.frame(name).jacobian(q)?"),
        (ARM.frame("tool"), "J", "use frame.jacobian(q)"),
        (ARM.parametric, "rnea", "use robot.parametric.inverse_dynamics(q, v, a)"),
        (jounce.load("four_bar").closed(), "rnea", "use mechanism.inverse_dynamics(q, v, a)"),
        (ARM, "x" * 10**6, "see dir(robot) or `jounce info ROBOT --quantities`"),
    ],
)
def test_hints(owner: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"; {re.escape(hint)}$") as caught:
        getattr(owner, name)
    assert len(str(caught.value)) < 200 or len(name) > 200
