"""What identifies quantities and derivatives: objects, their names, and when they are defined."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import fields

import pytest

import jounce
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import Derivative, derivative, derivative_names, derive
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.names import Name, parse_name, parse_variable
from jounce.catalog.options import from_text, with_options
from jounce.catalog.quantity import (
    AnyQuantity,
    Form,
    Option,
    Options,
    Quantity,
    Result,
    Signature,
    Traits,
)
from jounce.catalog.tables import ROBOT, TREE, Tables
from jounce.catalog.variables import Jvp, Named, RobotParameter, State, Time, Variant, Vjp
from jounce.errors import ArgumentError

TABLES = {"trees": TREE, "mechanisms": CLOSED, "contacts": CONTACTED}


def descendants(of: AnyQuantity, depth: int) -> Iterator[AnyQuantity]:
    yield of
    if depth and of.differentiable:
        for name in (*derivative_names(of), "rates(2)", "dttt"):
            yield from descendants(derivative(of, name), depth - 1)


def lookup(tables: Tables, name: Name) -> AnyQuantity:
    """What a name stands for."""
    table = {
        (None, False): tables.quantities,
        (None, True): tables.frames,
        ("parametric", False): tables.parametric,
        ("morphable", False): tables.morphable,
        ("morphable", True): tables.morphable_frames,
    }[name.table, name.frame is not None]
    found: AnyQuantity = table[name.quantity]
    found = with_options(found, **from_text(found, dict(name.options)))
    for step in name.steps:
        found = derivative(found, step)
    return found


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("part", Tables._fields[:5])
def test_parsing_is_the_inverse_of_formatting(kind: str, part: str) -> None:
    for quantity in getattr(TABLES[kind], part).values():
        for of in descendants(quantity, 2):
            text = str(of)
            if of.of_frame:
                head, dot, rest = text.rpartition("morphable.")
                text = f"{head}{dot}frame(tool tip).{rest}"
            name = parse_name(text)
            assert str(name) == text
            assert lookup(TABLES[kind], name) is of


def test_frames_may_have_any_name() -> None:
    for frame in ("tool", "a).b", "left hand (2)", "x.y"):
        for steps in ((), ("rates(2)", "dt")):
            name = Name("jacobian", steps, frame=frame)
            assert parse_name(str(name)) == name
    assert parse_name("frame('tool').pose").frame == "tool"


def test_options_are_part_of_the_name() -> None:
    for of in (ROBOT["step"], derivative(derivative(ROBOT["step"], "dq"), "dt")):
        found = with_options(of, method="rk4", friction=True)
        name = parse_name(str(found))
        assert name.options == (("method", "rk4"), ("friction", "True"))
        assert lookup(TREE, name) == found
    assert parse_name("step( method = 'rk4' ).dq") == Name("step", ("dq",), (("method", "rk4"),))
    with pytest.raises(ArgumentError, match="expected an option name=value, found 'rk4'"):
        parse_name("step(rk4)")


@pytest.mark.parametrize(
    "text", ["", "a b", "mass_matrix.", ".dq", "rates(2", 7, "mass_matrix..dq"]
)
def test_other_text_is_no_name(text: str) -> None:
    with pytest.raises(ArgumentError, match="expected the name of a quantity"):
        parse_name(text)


def test_variables_have_the_names_of_derivatives() -> None:
    axes = ("q", "v", "tau", "dv", "qdot")
    for text, variable in {
        "dt": Time(1),
        "dttt": Time(3),
        "rates(12)": Time(12, every=True),
        "dqqdot": State(("q", "qdot")),
        "dtau": State(("tau",)),
        "ddv": State(("dv",)),
        "dpi": RobotParameter.INERTIAL,
        "dscrew": RobotParameter.SCREWS,
        "hessian": Named("hessian"),
        "jvp": Jvp(),
        "vjp_coordinates": Vjp(coordinates=True),
    }.items():
        assert parse_variable(text, axes) == variable
        assert str(variable) == text
    assert str(Jvp(True, ("q", "v"))) == "jvp(q,v)"


def test_derivatives_of_one_kind_are_one_derivative() -> None:
    tau = ROBOT["inverse_dynamics"]
    by_q = derive(tau, State(("q",)))
    assert derive(by_q, State(("v",))) is derive(tau, State(("q", "v")))
    assert derive(derive(tau, Time(1)), Time(2)) is derive(tau, Time(3))
    assert derive(by_q, Time(1)) == Derivative(by_q, Time(1))
    assert len({by_q, Derivative(tau, State(("q",))), derive(by_q, Time(1))}) == 2
    parametric = derive(tau, Variant.PARAMETRIC)
    assert derive(parametric, State(("q",))).arguments == ("q", "v", "a", "pi")
    assert (str(parametric), parametric.name) == ("parametric.inverse_dynamics", tau.name)


def test_no_class_has_many_fields() -> None:
    for kind in (Quantity, Derivative, Signature, Result, Traits, Form, Option, Options, Name):
        assert len(fields(kind)) <= 15, kind


def test_derivatives_are_defined_when_they_are_needed() -> None:
    found = Derivative(Derivative(ROBOT["mass_matrix"], State(("q",))), Time(1))
    assert (found.name, found.wrt, found.is_reverse_mode) == ("mass_matrix.dq.dt", (), False)
    assert "_definition" not in vars(found)
    assert found.arguments == ("q", "v")
    assert "_definition" in vars(found)
    with pytest.raises(AttributeError, match="no 'speed'"):
        _ = found.speed  # pyright: ignore[reportAttributeAccessIssue]


def test_a_robot_defines_no_elastic_drives_unasked() -> None:
    robot = jounce.load("planar_2r")
    elastic = robot.definitions["elastic_inverse_dynamics"]
    vars(elastic).pop("_definition", None)  # another test may have asked
    assert robot.mass_matrix(robot.neutral()).shape == (2, 2)
    assert "_definition" not in vars(robot.definitions["elastic_inverse_dynamics"])
    assert elastic.result_names[0] == "motor_position"


def test_pickled_quantities_come_back_by_their_names() -> None:
    robot = jounce.load("planar_2r")
    for name in (
        "step(method=rk4,friction=True).dq.dt",
        "inverse_dynamics.rates(2).dq",
        "step.vjp",
    ):
        quantity = robot.quantity(name)
        again = pickle.loads(pickle.dumps(quantity))
        assert again.definition == quantity.definition
