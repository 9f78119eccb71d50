"""Quantities are pickled by what they are, those without a name of their own as well."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.frameworks.operators import operator
from jounce.errors import ArgumentError

ROBOT = jounce.load("planar_2r")
Q = np.array([0.3, -0.7])


def unnamed() -> dict[str, Any]:
    """Quantities that no name leads to."""
    forces = {"wrenches": np.ones((2, 6))}
    pulled = ROBOT.inverse_dynamics.vjp.bind((Q, Q, Q, Q), forces)
    smooth = {"extended": True, "smoothing": 0.1}
    return {
        "extended": ROBOT.slotine_li_regressor.bind((Q, Q, Q, Q), {"extended": True}).quantity,
        "smooth": ROBOT.inverse_dynamics.dpi.bind((Q, Q, Q), smooth).quantity,
        "jvp of an operator": operator(ROBOT.inverse_dynamics).jvp((0,)).evaluable,
        "all arguments": operator(ROBOT.inverse_dynamics, optional=True).evaluable,
        "gradients in optional arguments": pulled.quantity,
        "frame": operator(ROBOT.frame("tool").pose, tangent=True).evaluable,
    }


@pytest.mark.parametrize("name", list(unnamed()))
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_unnamed_quantities(name: str, duplicate: Any) -> None:
    quantity = unnamed()[name]
    found = duplicate(quantity)
    assert found.definition == quantity.definition
    assert found.kernel.arguments == quantity.kernel.arguments
    rng = np.random.default_rng(0)
    given = [rng.uniform(0.1, 1.0, shape) for shape in quantity.kernel.inputs]
    results = [x if isinstance(x, tuple) else (x,) for x in (found(*given), quantity(*given))]
    for x, truth in zip(*results, strict=True):
        np.testing.assert_array_equal(x, truth)
    assert found.__dask_tokenize__() == quantity.__dask_tokenize__()


def test_variants_have_tokens_of_their_own() -> None:
    quantity = ROBOT.inverse_dynamics
    every: Any = (operator(quantity, optional=True).evaluable, quantity, quantity.dq, quantity.vjp)
    assert len({x.__dask_tokenize__() for x in every}) == len(every)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("elastic_inverse_dynamics.dq", "has no derivatives"),
        ("parametric.frame(tool).pose", "has no frames"),
        ("step(method=rk4,method=euler)", "given twice"),
    ],
)
def test_names_of_what_is_not_there(name: str, message: str) -> None:
    with pytest.raises((ArgumentError, ValueError), match=message):
        ROBOT.quantity(name)
