"""Names of axes: every result and argument of the catalog has them, and as many as it needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.quantity import AnyQuantity
from jounce.robot import Robot
from jounce.runtime.trace import core_shape
from support.contacts import Standing, with_contacts
from support.helpers import quiet_read, small_model
from support.mechanisms import mechanism
from support.robots import random_model

pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

from jounce.arrays.xarray_adapter.axes import axes, system_of

pytestmark = pytest.mark.scale


def standing() -> Any:
    rng = np.random.default_rng(2)
    model = random_model(rng, 6, ("revolute", "spherical"), floating=True)
    return Standing(with_contacts(model, rng, "surface", "point")).contacts


SYSTEMS = {
    "arm": lambda: Robot(quiet_read("planar_2r")),
    "mimics and quaternions": lambda: Robot(small_model()),
    "mechanism": lambda: mechanism("five_bar"),
    "contacts": standing,
}


def rows(system: Any) -> Iterator[tuple[Any, AnyQuantity]]:
    """All rows of a system, each with whose quantity it is."""
    for table in (system, system.parametric, system.morphable):
        for row in table.definitions.values():
            yield table._make(row).robot, row
        for row in table.frame_definitions.values():
            yield table, row


def with_derivatives(row: AnyQuantity) -> Iterator[AnyQuantity]:
    yield row
    for name in (*derivative_names(row), "rates(1)") if row.differentiable else ():
        yield derivative(row, name)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_axis_has_a_name_of_its_own(name: str) -> None:
    system = SYSTEMS[name]()
    count = 0
    for owner, row in (
        (owner, row) for owner, one in rows(system) for row in with_derivatives(one)
    ):
        names = (*row.arguments, *row.optional, *row.base)
        for shape in (*row.shapes, *(row.argument(x).shape for x in names)):
            found = axes(owner, shape, row.all_joints)
            assert tuple(x.size for x in found) == core_shape(shape, owner.sizes), row.name
            assert len({x.name for x in found}) == len(shape), row.name
            assert all(x.name.isidentifier() for x in found)
            for axis, n in zip(found, shape, strict=True):
                assert (axis.labels is None) == (n in (2, 4, "nl")), (row.name, n)
                assert axis.labels is None or len({*axis.labels}) == axis.size, (row.name, axis)
        count += 1
    assert count > 300


def test_names_are_those_of_the_robot() -> None:
    closed: Any = mechanism("five_bar")
    q, v, t = (axes(closed, (n,))[0] for n in ("nq", "nv", "nt"))
    assert (q.name, v.name, t.name) == ("coordinate", "joint", "tree_joint")
    assert q.labels == t.labels == tuple(closed.labels("t"))
    assert v.labels == tuple(closed.labels("v"))
    arm = Robot(quiet_read("planar_2r"))
    assert axes(arm, ("nq", "nv", "nt")) == tuple(
        type(axis)(name, 2, tuple(arm.labels("v")), also)
        for axis, name, also in zip(
            axes(arm, ("nv",) * 3),
            ("joint", "joint_2", "joint_3"),
            (("coordinate",), (), ()),
            strict=True,
        )
    )
    assert axes(arm, ("2nv",))[0].labels == ("q_joint1", "q_joint2", "v_joint1", "v_joint2")
    assert system_of(arm.parametric) is arm
    assert axes(arm, (5,))[0] == type(q)("entry", 5)
