"""No message shows a terminal what it would obey, whatever things are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from jounce.solve.design import design_gradient

HOSTILE = "a\x1b[31mb\nc\u202ed"


def robot() -> Robot:
    builder = jounce.TreeBuilder(HOSTILE)
    for k in range(2):
        parent = f"link0{HOSTILE}" if k else None
        builder.add(
            f"link{k}{HOSTILE}",
            "revolute",
            parent,
            axis=(0, 0, 1),
            mass=1.0,
            com=(0.1, 0, 0),
            inertia_com=0.1 * np.eye(3),
        )
    return jounce.Robot(builder.build())


WRONG: dict[str, Callable[[Robot], Any]] = {
    "shape": lambda r: r.mass_matrix(np.zeros(7)),
    "dtype": lambda r: r.mass_matrix(np.zeros(2, complex)),
    "count": lambda r: r.mass_matrix(np.zeros(2), np.zeros(2), np.zeros(2)),
    "option": lambda r: r.mass_matrix(np.zeros(2), nonsense=1),
    "out": lambda r: r.mass_matrix(np.zeros(2), out=[1.0]),
    "quantity": lambda r: r.nonsense,
    "derivative": lambda r: r.mass_matrix.dnonsense,
    "name": lambda r: r.quantity("1 + 1"),
    "frame": lambda r: r.frame("nowhere"),
    "of a frame": lambda r: r.frame(r.model.frame_names[-1]).nonsense,
    "order": lambda r: r.mass_matrix.rates(-1),
    "configuration": lambda r: r.integrate(np.zeros(5), np.zeros(2)),
    "parameters": lambda r: r.edit.with_parameters(np.zeros(3)),
    "geometry": lambda r: r.edit.with_geometry(screws=np.zeros(3)),
    "lock": lambda r: r.edit.lock({"nowhere": 1.0}),
    "design": lambda r: design_gradient(r, np.zeros(3), np.zeros(2)),
    "elastic": lambda r: r.elastic_inverse_dynamics(*np.zeros((5, 2)), np.zeros(5)),
    "loops": lambda r: r.closed(),
    "argument": lambda r: r.closed(nonsense=1),
    "limit": lambda r: r.coriolis_matrix.warmup(limit=5),
}


@pytest.mark.parametrize("what", list(WRONG))
def test_errors_are_printable(what: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011  (each of its own kind)
        WRONG[what](robot())
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) > 20


def test_texts_are_printable() -> None:
    arm = robot()
    frame = arm.frame(arm.model.frame_names[-1])
    for thing in (arm, arm.model, frame, arm.mass_matrix, frame.pose, arm.parametric):
        assert repr(thing).isprintable()
    assert arm.name == HOSTILE
