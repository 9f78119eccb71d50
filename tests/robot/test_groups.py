"""Groups of a robot's methods, and the old names of what moved there."""

from __future__ import annotations

import inspect
import pickle
import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.frameworks.surface import Surface
from jounce.arrays.limits import JointLimits
from jounce.identification import base_parameters, filtered_regressor, open_recording
from jounce.model.model import Model
from jounce.robot import Robot
from jounce.robot.groups import Edit, Export, RobotExport, View
from jounce.robot.system import System
from jounce.solve.contacts.robot import Contacts
from jounce.solve.design import design_gradient
from jounce.solve.mechanism.robot import Mechanism
from jounce.solve.motion.rollout import Rollout
from jounce.studies import read_trajectory
from support.docs_pages import pages

ARM = jounce.load("planar_2r")
Q = np.array((0.1, 0.2))


def test_robots_are_thin() -> None:
    """Few classes to look through, and not more than fits on a screen to complete."""
    assert [c.__name__ for c in Robot.__mro__[:4]] == [
        "Robot",
        "RobotQuantities",
        "System",
        "Quantities",
    ]
    assert len([name for name in dir(ARM) if not name.startswith("_")]) <= 90


@pytest.mark.parametrize("group", [Edit, Export, RobotExport, View, JointLimits])
def test_methods_say_what_they_take_and_return(group: type) -> None:
    for name, method in inspect.getmembers(group, inspect.isfunction):
        if not name.startswith("_") and name != "of":
            text = inspect.getdoc(method) or ""
            assert "\nReturns\n-------\n" in text, name
            several = len(inspect.signature(method).parameters) > 1
            assert not several or "\nParameters\n----------\n" in text, name


@pytest.mark.parametrize("name", ["closed", "contacts", "inverse_kinematics", "quantity", "frame"])
def test_methods_of_robots_say_what_they_take_and_return(name: str) -> None:
    text = inspect.getdoc(getattr(Robot, name)) or ""
    assert "\nParameters\n----------\n" in text
    assert "\nReturns\n-------\n" in text


@pytest.mark.parametrize(
    "function",
    [
        jounce.load,
        jounce.read,
        jounce.from_dh,
        jounce.from_screws,
        Mechanism.assemble,
        Mechanism.gap,
        Mechanism.random,
        Mechanism.report,
        Mechanism.track,
        Contacts.contact_forces,
        DifferentiableQuantity.derivative,
        DifferentiableQuantity.lower,
        DifferentiableQuantity.rates,
        DifferentiableQuantity.warmup,
        Model.with_contact,
        Model.with_gravity,
        Model.with_loop,
        Model.with_parameters,
        Rollout.vjp,
        Surface.frame,
        Surface.quantity,
        base_parameters,
        design_gradient,
        filtered_regressor,
        open_recording,
        read_trajectory,
    ],
    ids=lambda function: function.__qualname__,
)
def test_public_functions_say_what_they_take_and_return(function: Callable[..., Any]) -> None:
    text = inspect.getdoc(function) or ""
    described, returned = "\nParameters\n----------\n", "\nReturns\n-------\n"
    assert described in text
    assert returned in text
    listed = text[text.index(described) : text.index(returned)]
    missing = [
        name
        for name in inspect.signature(function).parameters
        if name != "self" and not re.search(rf"^([*\w]+, )*\**{name}\b.*$", listed, re.M)
    ]
    assert not missing


@pytest.mark.parametrize("name", ["rollout", "elastic_inverse_dynamics", "jax", "torch"])
def test_attributes_say_how_they_are_called(name: str) -> None:
    text = inspect.getdoc(inspect.getattr_static(Robot, name)) or ""
    assert f"{name}(" in text or f"robot.{name}." in text
    assert "; see `" not in text


@pytest.mark.parametrize("name", ["export", "edit", "view"])
def test_groups_list_their_methods(name: str) -> None:
    group = getattr(ARM, name)
    assert getattr(ARM, name) is group
    assert pickle.loads(pickle.dumps(group)).robot.model.name == ARM.name
    listed = [x for x in dir(group) if not x.startswith("_")]
    assert listed
    assert all(callable(getattr(group, x)) for x in listed)
    assert repr(group) == f"<planar_2r.{name}: {', '.join(sorted(listed))}>"


def test_wrong_arguments_name_the_group() -> None:
    with pytest.raises(TypeError, match=r"planar_2r\.export\.c takes no 'folders'; did you mean"):
        ARM.export.c(folders="x")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "export.latx",
            r"^planar_2r\.export has no 'latx'; did you mean 'latex'\? Valid names: c,",
        ),
        ("export.cc", r"^planar_2r\.export has no 'cc'; valid names: c, casadi, cuda"),
        ("view.shw", r"^planar_2r\.view has no 'shw'; did you mean 'show'"),
        ("edit.lok", r"^planar_2r\.edit has no 'lok'; did you mean 'lock'"),
        ("limits.clp", r"^planar_2r\.limits has no 'clp'; did you mean 'clip'"),
        ("model.joint_nmes", r"^<model 'planar_2r'.* has no .*; did you mean 'joint_names'"),
        ("with_parameter", r"has no 'with_parameter'; did you mean 'edit\.with_parameters'"),
        ("attch", r"has no 'attch'; did you mean 'edit\.attach'"),
        ("symbolc", r"has no 'symbolc'; did you mean 'export\.sympy'"),
        ("design_gradent", r"did you mean 'jounce\.design\.design_gradient\(robot, \.\.\.\)'"),
    ],
)
def test_unknown_names_suggest_others(path: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        attrgetter(path)(ARM)


def test_completion_lists_what_users_call() -> None:
    """Members for other packages are there, and not listed."""
    closed = jounce.load("four_bar").closed()
    for item, hidden in (
        (ARM.inverse_dynamics, {"bind", "convert", "default_value", "evaluate", "frame_index"}),
        (ARM.inverse_dynamics.dq, {"compile_kernel", "explain_missing", "full_kernel", "handle"}),
        (ARM.frame("tool"), {"definitions", "explain_singularity", "frame_definitions"}),
        (ARM.parametric, {"content_hash", "definitions", "sizes", "table_name", "target"}),
        (ARM.limits, {"bounded", "of_robot", "robot", "title"}),
        (ARM, {"content_hash", "definitions", "handle", "find_owner", "sizes"}),
        (closed, {"assembler", "close_loops", "definitions"}),
    ):
        assert all(hasattr(item, name) for name in hidden)
        assert not hidden & {*dir(item)}
    assert {"choose", "dq", "lower", "rates", "warmup"} <= {*dir(ARM.inverse_dynamics)}
    assert "pose" in dir(ARM.frame("tool"))
    with pytest.raises(AttributeError, match=r"has no 'poes'; did you mean 'pose'\?$"):
        ARM.frame("tool").poes  # type: ignore[attr-defined]  # noqa: B018


def test_groups_belong_to_mechanisms_and_contacts_too(tmp_path: Path) -> None:
    closed = jounce.load("four_bar").closed()
    assert len(closed.export.c(tmp_path, ["mass_matrix"])) == 3
    assert not hasattr(closed.export, "urdf")
    with pytest.raises(AttributeError, match=r"\.robot\.edit"):
        closed.edit  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ValueError, match="clipping joints one by one opens them"):
        closed.limits.clip(closed.reference)


# ------------------------------------------------------------------ old names


@pytest.mark.parametrize("old", sorted(Robot._RENAMED))
def test_old_names_warn_and_work(old: str) -> None:
    new = Robot._RENAMED[old]
    with pytest.warns(DeprecationWarning, match=rf"^\.{old} is deprecated; use ") as caught:
        value = getattr(ARM, old)
    assert [warning.filename for warning in caught] == [__file__]
    assert old not in dir(ARM)
    if ":" not in new:
        expected: Any = ARM
        for name in new.split("."):
            expected = getattr(expected, name)
        assert value == expected if not isinstance(value, np.ndarray) else (value == expected).all()


def test_pages_use_new_names() -> None:
    names = "|".join({*Robot._RENAMED} - {"design_gradient"})  # which is a function too
    old = re.compile(rf"\b(?:robot|closed)\.(?:{names})\b|`(?:{names})\(")
    for page in pages():
        text = re.sub(r"^```js$.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
        assert page.name == "CHANGELOG.md" or not old.findall(text), page


def test_old_names_of_functions() -> None:
    with pytest.warns(DeprecationWarning, match=r"use jounce\.design\.design_gradient\(robot"):
        found = ARM.design_gradient(Q, Q, Q, Q)  # type: ignore[attr-defined]
    assert found.parameters.shape == (2, 10)
    with pytest.warns(DeprecationWarning, match="spatial_operators"):
        operators = ARM.operators(Q)  # type: ignore[attr-defined]
    assert operators.mass_matrix_composite() is not None


@pytest.mark.parametrize("old", sorted(System._RENAMED))
def test_old_names_of_mechanisms(old: str) -> None:
    closed = jounce.load("four_bar").closed()
    with pytest.warns(DeprecationWarning, match=rf"^\.{old} is deprecated"):
        getattr(closed, old)
