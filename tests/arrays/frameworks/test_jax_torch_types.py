"""Type checkers know the functions of `robot.jax` and `robot.torch` and what they return."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.type_checkers import basedpyright, lines, mypy

pytestmark = pytest.mark.frameworks

HEAD = """
import jax.numpy as jnp
import torch

import jounce

robot = jounce.load("iiwa14_mueller_kumar2021")
q = v = a = jnp.zeros(7)
x = torch.zeros(7)
"""

#: Expressions with the beginnings of their types.
SHOWN = {
    "robot.jax.inverse_dynamics": "DynamicOfQVA",
    "robot.torch.mass_matrix": "InertialOfQ[",
    "robot.jax.inverse_dynamics(q, v, a)": "Array",
    "robot.jax.inverse_dynamics.dq.dt(q, v, a, a)": "Array",
    "robot.jax.inverse_dynamics.vjp(q, v, a, a)": "tuple[Array",
    'robot.jax.frame("tool").pose(q)': "Array",
    "robot.jax.parametric.mass_matrix(q, robot.model.parameters)": "Array",
    "robot.jax.tangent.mass_matrix(q, v)": "Array",
    "robot.closed().jax.forward_dynamics(q, v, a)": "Array",
    "robot.contacts().torch.forward_dynamics(x, x, x)": "Tensor",
    "robot.torch.mass_matrix(x)": "Tensor",
    "robot.torch.step(x, x, x, 0.1)": "tuple[Tensor",
    "robot.torch.rollout(x, x)": "tuple[Tensor",
    'robot.jax.quantity("mass_matrix")(q)': "Array",
    'robot.torch.quantity("mass_matrix")(x)': "Tensor",
    # arrays of these libraries as arguments of the robot's own quantities
    "robot.mass_matrix(q)": "Array",
    "robot.mass_matrix.dq(x)": "Tensor",
    "robot.inverse_dynamics.derivatives(q, v, a)": "tuple[Array",
}

WRONG = ("robot.jax.massmatrix", "robot.torch.mass_matrix.dv", "robot.jax.inverse_dynamics(1.0)")
WRONG += ("robot.inverse_dynamics(q, v)",)


@pytest.mark.parametrize(("check", "severity"), [(basedpyright, "information"), (mypy, "note")])
def test_functions_are_typed(
    check: Callable[[Path], dict[str, list[str]]], severity: str, tmp_path: Path
) -> None:
    shown = "".join(f"reveal_type({expression})\n" for expression in SHOWN)
    text = HEAD + shown + "".join(f"{expression}\n" for expression in WRONG)
    (tmp_path / "use.py").write_text(text, "utf-8")
    found = check(tmp_path)
    count = text.count("\n")
    assert lines(found["error"]) == {*range(count - len(WRONG) + 1, count + 1)}, found["error"]
    types = [x.split(' is "', 1)[1] for x in found[severity] if ' is "' in x]
    for kind, expected in zip(types, SHOWN.values(), strict=True):
        assert re.sub(r"\b(\w+\.)+", "", kind).startswith(expected), (kind[:200], expected)
