"""Names of other libraries lead to those of jounce."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jounce
from jounce import cli
from jounce.catalog import synonyms
from jounce.catalog.synonyms import FUNCTIONS, SYNONYMS, find_synonym, squash

ARM: Any = jounce.load("kuka_iiwa14")
FOUR_BAR: Any = jounce.load("four_bar").closed()
HUMANOID: Any = jounce.load("toro25").edit.with_contact("left_sole", "point")
CONTACTS: Any = HUMANOID.contacts()


OWNERS = {"frame": ARM.frame("tool"), "mechanism": FOUR_BAR, "contacts": CONTACTS}
EXPRESSIONS = [(receiver, x) for receiver, words in synonyms.RECEIVER_WORDS.items() for x in words]


@pytest.mark.parametrize(
    ("receiver", "expression"),
    [*(("robot", x) for x in sorted({*SYNONYMS.values()})), *EXPRESSIONS],
)
def test_expressions_exist(receiver: str, expression: str) -> None:
    owner: Any = OWNERS.get(receiver, ARM)
    if expression.startswith("frame(name)"):
        owner, expression = ARM.frame("tool"), expression[len("frame(name)") :].lstrip(".")
    path = re.sub(r"\([^()]*\)(\[.*\])?$", "", expression)
    for name in path.split(".") if path else ():
        owner = getattr(owner, name)


def test_derivatives_exist() -> None:
    for word, name in synonyms.DERIVATIVE_SYNONYMS.items():
        assert not hasattr(ARM.inverse_dynamics, word)
        getattr(ARM.inverse_dynamics, name)


def test_no_synonym_hides_a_name_of_a_robot() -> None:
    names = {squash(name): name for name in dir(ARM) if not name.startswith("_")}
    assert not {word for word in SYNONYMS if word in names}


@pytest.mark.parametrize("expression", sorted({*FUNCTIONS.values()}))
def test_functions_of_other_packages_exist(expression: str) -> None:
    value: Any = jounce
    for name in expression.partition("(")[0].split(".")[1:]:
        value = getattr(value, name)
    assert callable(value) or "(" not in expression


def test_robots_and_mechanisms_name_functions_of_other_packages() -> None:
    with pytest.raises(AttributeError, match=r"use jounce.control.pd_plus\(robot, kp, kd\)$"):
        _ = ARM.pd_control
    with pytest.raises(AttributeError, match=r"use jounce.planning.retime\(mechanism, "):
        _ = FOUR_BAR.retime


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
        (FOUR_BAR, "rnea", "use mechanism.inverse_dynamics(q, v, a)"),
        (FOUR_BAR, "constraint_jacobian", "use mechanism.loop_jacobian(q)"),
        (CONTACTS, "jacobian", "use contacts.contact_jacobian(q)"),
        (CONTACTS, "rnea", "use contacts.robot.inverse_dynamics(q, v, a)"),
        (ARM.frame("tool"), "position", "use frame.pose(q)[:3, 3]"),
        (ARM.inverse_dynamics, "gradient", "use .derivatives"),
        (ARM.mass_matrix, "dot", "use .dt"),
        (ARM.model, "jacobian", "its quantities are attributes of jounce.Robot(model)"),
        (jounce, "forward_kinematics", "use jounce.load(path).frame(name).pose(q)"),
        (jounce, "rnea", "use jounce.load(path).inverse_dynamics(q, v, a)"),
        (ARM, "x" * 10**6, "see dir(robot) or `jounce info ROBOT --quantities`"),
    ],
)
def test_hints(owner: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"; {re.escape(hint)}$") as caught:
        getattr(owner, name)
    assert len(str(caught.value)) < 200 or len(name) > 200


@pytest.mark.parametrize(
    ("robot", "name", "hint"),
    [
        (ARM, "iiwa_Link_7", "did you mean 'link7'? Choose one of "),
        (HUMANOID, "leftHand", "did you mean 'left_hand'?"),
        (HUMANOID, "hand", "did you mean 'left_hand' or 'right_hand'?"),
    ],
)
def test_frames(robot: Any, name: str, hint: str) -> None:
    with pytest.raises(jounce.ModelError, match=f"has no frame '{name}'; {re.escape(hint)}"):
        robot.frame(name)
    with pytest.raises(TypeError, match="expected the name of a frame, found int"):
        robot.frame(3)


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["exprt"])
    assert "did you mean 'export'?" in capsys.readouterr().err
