"""Names that would be lost are not lost in silence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.identification import identify
from jounce.studies import study

xr: Any = pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

pytestmark = pytest.mark.scale


def _named_arrays(names: list[str]) -> Any:
    return xr.DataArray([[0.1, 0.7]], dims=("time", "joint"), coords={"joint": names})


def test_studies_take_names_in_the_robots_order_only() -> None:
    robot = jounce.load("planar_2r")
    names = robot.labels("q")
    how: dict[str, Any] = {"vary": {"mass": "5%"}, "samples": 50}
    result = study(robot, (_named_arrays(names),), "gravity_forces", **how)
    expected = study(robot, (np.array([[0.1, 0.7]]),), "gravity_forces", **how)
    np.testing.assert_array_equal(result.nominal, expected.nominal)
    with pytest.raises(ArgumentError, match=r"argument 'q' must have .* along 'joint'"):
        study(robot, (_named_arrays(names[::-1]),), "gravity_forces", **how)


def test_identification_takes_names_in_the_robots_order_only() -> None:
    robot = jounce.load("planar_2r")
    q = _named_arrays(robot.labels("q")[::-1])
    with pytest.raises(ArgumentError, match="the data: 'q' must have"):
        identify(robot, {"t": [0.0], "q": q, "tau": q})
