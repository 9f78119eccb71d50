"""Plausible mistakes of users, and the sentences they get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import ArgumentError, ModelError
from jounce.errors import find_similar, suggest
from jounce.solve.design import design_gradient

ARM: Any = jounce.load("kuka_iiwa14")
LINKAGE: Any = jounce.load("five_bar")
Q = np.zeros(7)
TAUS = np.zeros((5, 7))

#: What is done, what is raised, and how the message reads.
NAMES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "quantity": (lambda: ARM.mass_matrx, AttributeError, "did you mean 'mass_matrix'"),
    "quantity of Pinocchio": (
        lambda: ARM.rnea,
        AttributeError,
        r"^robot 'kuka_iiwa14' has no 'rnea'; use robot\.inverse_dynamics\(q, v, a\)$",
    ),
    "string": (lambda: ARM.quantity("mass_matrx"), ArgumentError, "did you mean 'mass_matrix'"),
    "string of a frame": (
        lambda: ARM.quantity("frame(tool).jacobain"),
        ArgumentError,
        "did you mean 'jacobian'",
    ),
    "no string": (
        lambda: ARM.quantity(3),
        ArgumentError,
        r"expected the name of a quantity such as 'mass_matrix', .* found 3",
    ),
    "derivative": (lambda: ARM.mass_matrix.dqq2, AttributeError, "did you mean 'dqq'"),
    "derivative by name": (
        lambda: ARM.mass_matrix.derivative("dpii"),
        ValueError,
        "did you mean 'dpi'",
    ),
    "rates": (lambda: ARM.gravity_forces.rate, AttributeError, r"did you mean 'rates\(order\)'"),
    "frame": (lambda: ARM.frame("tol"), ModelError, "no frame 'tol'; did you mean 'tool'"),
    "frame in capitals": (lambda: ARM.frame("TOOL"), ModelError, "did you mean 'tool'"),
    "frame of a mechanism": (
        lambda: LINKAGE.closed(("joint1", "joint4")).frame("tol"),
        ModelError,
        "did you mean 'tool'",
    ),
    "quantity of a frame": (
        lambda: ARM.frame("tool").jacobain,
        AttributeError,
        "did you mean 'jacobian'",
    ),
    "joint": (lambda: ARM.edit.lock({"jont1": 0.0}), ModelError, "did you mean 'joint1'"),
    "independent joint": (
        lambda: LINKAGE.closed(("joint1", "jont4")),
        ModelError,
        "no joint 'jont4' that moves independently; did you mean 'joint4'",
    ),
    "kind of joint": (
        lambda: jounce.TreeBuilder("x").add("a", "revolut"),
        ModelError,
        "unknown kind 'revolut'; did you mean 'revolute'",
    ),
    "kind of contact": (
        lambda: ARM.edit.with_contact("tool", "pont"),
        ModelError,
        "unknown kind 'pont'; did you mean 'point'",
    ),
    "contact": (
        lambda: ARM.edit.with_contact("tool").contacts("tol"),
        ModelError,
        "no contact 'tol'; did you mean 'tool'",
    ),
    "wrenches": (
        lambda: ARM.inverse_dynamics(Q, Q, Q, wrenches={"tol": np.zeros(6)}),
        ArgumentError,
        "no frame 'tol'; did you mean 'tool'",
    ),
    "targets": (
        lambda: ARM.inverse_kinematics({"tol": np.eye(4)}, strict=True),
        ModelError,
        "no frame 'tol'; did you mean 'tool'",
    ),
    "DH column": (
        lambda: jounce.from_dh([{"alph": 1.0}]),
        ModelError,
        r"rows\[0\]: unknown 'alph'; did you mean 'alpha'",
    ),
}

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "rollout": (
        lambda: ARM.rollout(Q, Q, TAUS, dt=1e-3),
        r"kuka_iiwa14\.rollout takes no 'dt'; did you mean 'h'\? It is called as"
        r" kuka_iiwa14\.rollout\(q0, v0, taus=None, h=None",
    ),
    "gradient of a rollout": (
        lambda: ARM.rollout.vjp(Q, Q, TAUS, dt=1e-3),
        r"rollout\.vjp takes no 'dt'; did you mean 'h'",
    ),
    "missing": (
        lambda: ARM.rollout(Q),
        r"rollout: missing a required argument: 'v0'; it is called as kuka_iiwa14\.rollout\(q0, v0",
    ),
    "step": (lambda: ARM.step(Q, Q, Q, dt=1e-3), r"step takes no 'dt'; did you mean 'h'\? Valid"),
    "velocity": (lambda: ARM.inverse_dynamics(Q, qd=Q, qdd=Q), "takes no 'qd'; did you mean 'v'"),
    "wrench": (lambda: ARM.inverse_dynamics(Q, Q, Q, fext=1), "did you mean 'wrenches'"),
    "load": (
        lambda: jounce.load("franka", package_dir="x"),  # pyright: ignore[reportCallIssue]
        r"load takes no 'package_dir'; did you mean 'package_dirs'\? It is called as load",
    ),
    "closed": (
        lambda: LINKAGE.closed(joints=("joint1",)),
        r"five_bar\.closed takes no 'joints'; it is called as five_bar\.closed\(active",
    ),
    "export": (
        lambda: ARM.export.c("x", quantity=()),
        r"export\.c takes no 'quantity'; did you mean 'quantities'",
    ),
    "meshes": (
        lambda: ARM.edit.with_meshes(densty=1.0),
        "did you mean 'density'",
    ),
    "inverse kinematics": (
        lambda: ARM.inverse_kinematics({}, tol=1.0),
        "did you mean 'tolerance'",
    ),
    "table": (
        lambda: jounce.from_dh([], offsets=()),  # pyright: ignore[reportCallIssue]
        "from_dh takes no 'offsets'; did you mean 'offset'",
    ),
    "elastic": (
        lambda: ARM.elastic_inverse_dynamics(Q, Q, Q, Q, Q, k=1.0),
        "elastic_inverse_dynamics takes no 'k'; it is called as",
    ),
}

VALUES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "joint of a table": (lambda: ARM.joints["jont1"], KeyError, "no joint 'jont1'; did you mean"),
    "attached file": (
        lambda: ARM.edit.attach("gripper.urdf", "tool"),
        ModelError,
        r"expected a robot \(load files first, with jounce\.load\).* found an object of type str",
    ),
    "frame twice": (lambda: ARM.edit.with_frame("tool"), ModelError, "already has a frame 'tool'"),
    "active": (
        lambda: LINKAGE.closed(3),
        ArgumentError,
        "active must be a sequence of joint names",
    ),
    "meshes": (
        lambda: design_gradient(ARM, Q, Q, Q, Q, meshes=3),
        TypeError,
        r"expected jounce\.design\.LinkMesh objects by link, found 3",
    ),
    "robot": (lambda: jounce.Robot(ARM), TypeError, r"expected a jounce\.Model, found Robot"),
    "model": (
        lambda: jounce.check.check(ARM),
        TypeError,
        r"expected a jounce\.Model, found Robot; give its \.model",
    ),
    "option": (lambda: ARM.step.choose(metod="rk4"), ArgumentError, "did you mean 'method'"),
    "study": (
        lambda: jounce.study(ARM),  # pyright: ignore[reportCallIssue]
        TypeError,
        r"missing a required argument: 'arguments'; it is called as study\(robot, arguments",
    ),
}


@pytest.mark.parametrize("what", list(VALUES))
def test_wrong_values_say_what_was_expected(what: str) -> None:
    act, error, message = VALUES[what]
    with pytest.raises(error, match=message):
        act()


@pytest.mark.parametrize("what", list(NAMES))
def test_wrong_names_get_a_suggestion(what: str) -> None:
    act, error, message = NAMES[what]
    with pytest.raises(error, match=message):
        act()


@pytest.mark.parametrize("what", list(CALLS))
def test_wrong_arguments_get_the_signature(what: str) -> None:
    act, message = CALLS[what]
    with pytest.raises(TypeError, match=message):
        act()


def test_errors_inside_a_call_stay_what_they_are() -> None:
    def policy(k: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        raise TypeError("mine")

    with pytest.raises(TypeError, match=r"^mine$"):
        ARM.rollout(Q, Q, policy=policy, steps=2, h=1e-3)


def test_long_lists_of_names_are_not_part_of_messages() -> None:
    names = [f"joint_{k}_of_a_humanoid" for k in range(40)]
    assert suggest("joint_7_of_a_humanod", names) == "did you mean 'joint_7_of_a_humanoid'?"
    assert suggest("x", names).endswith(", joint_5_of_a_humanoid, ... (40)")
    assert suggest("x", names, listing="dir(robot)") == "see dir(robot)"


def test_names_that_resemble_nothing_are_only_listed() -> None:
    assert suggest("hand", ["base", "tool"]) == "choose one of base, tool"
    assert suggest("x", []) == "choose one of (there are none)"
    assert find_similar("x" * 10**6, ["x" * 10**6, "tool"]) is None
    assert find_similar("", ["tool"]) is None
