"""Factors to SI units of columns whose names state a unit: "q1 [deg]", "tau_elbow (lbf ft)".

What a file says of itself holds, column by column; a unit of something else, or one that is not
known, is refused. An option that says the same is not applied again, and one that says something
else is refused: either may be the mistake. A torque in N m may have any `torque_scale`, which is a
matter of signs and gears too, and so may one in a unit that is not known, such as A or counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import component_labels, plain_quantity, without_label
from jounce.identification.subject import Closed, Subject, turning
from jounce.identification.unit_names import (
    ANGLE,
    DEGREE,
    FORCE,
    LENGTH,
    TIME,
    TORQUE,
    Dimension,
    Stated,
    parse,
    parse_words,
    rate,
    split_unit,
)

#: What entries measure, by dimension: in words, with units that may be meant.
_MEASURES: dict[Dimension, str] = {
    TIME: "time such as s, ms or ns",
    ANGLE: "angle such as rad or deg",
    rate(ANGLE, 1): "angular velocity such as rad/s, deg/s or rpm",
    rate(ANGLE, 2): "angular acceleration such as rad/s^2 or deg/s^2",
    LENGTH: "length such as m or mm",
    rate(LENGTH, 1): "velocity such as m/s or mm/s",
    rate(LENGTH, 2): "acceleration such as m/s^2",
    TORQUE: "torque such as N m, mN m, kgf cm or lbf ft",
    FORCE: "force such as N, kN or lbf",
}

#: Options that tell the factor of a unit that is not known.
_OPTIONS = {TORQUE: "torque_scale= (N m", FORCE: "torque_scale= (N", TIME: "time_scale= (s"}

#: What is in brackets besides units, in lower case.
_REMARKS = frozenset(["si", "meas", "measured", "actual", "est", "estimated", "filt", "filtered"])

_NUMBER = re.compile(r"[\s_./-]+\d+\s*$|\s*[\[(]\s*\d*\s*[\])]\s*$")

#: The times of "rostopic echo -p" are in ns; all its other columns begin like this.
_ROS, _FIELD = "%time", "field."


class Overall(NamedTuple):
    """What holds for all columns, unless they say so themselves."""

    degrees: bool = False
    torque_scale: float = 1.0
    time_scale: float = 1.0


def scales(
    robot: Subject, places: Mapping[str, Sequence[str | None]], source: str, options: Overall
) -> dict[str, np.ndarray]:
    """Factors to SI units of t, q, v, a and tau, entry by entry. places: their columns, or None."""
    for name in ("torque_scale", "time_scale"):
        factor = getattr(options, name)
        if not (np.isfinite(factor) and factor != 0.0):
            raise ValueError(f"{name}: expected a factor such as 1e-3, found {factor!r}")
    ros = any(x and x.startswith(_FIELD) for columns in places.values() for x in columns)
    out = {}
    for quantity, columns in places.items():
        labels, dimensions = _entries(robot, quantity)
        factors = np.ones(len(columns))
        for k, (column, label, wanted) in enumerate(zip(columns, labels, dimensions, strict=True)):
            asked = _asked(options, wanted)
            factors[k] = asked[1] or 1.0
            if column is not None:
                stated = (
                    Stated(column, "ns", True) if ros and column == _ROS else _stated(column, label)
                )
                factors[k] = _agreed(f"{source}: column '{column}'", stated, wanted, asked)
        out[quantity] = factors
    return out


def _entries(robot: Subject, quantity: str) -> tuple[list[str], list[Dimension | None]]:
    """Return names and dimensions of the entries of a quantity; None: a number without a unit."""
    if quantity == "t":
        return [""], [TIME]
    own = robot.bodies if isinstance(robot, Closed) and quantity in ("q", "tau") else robot
    labels = component_labels(own, quantity)
    if quantity == "q":
        dimensions: list[Dimension | None] = [None] * robot.nq
        for view in robot.joints.values():
            if view.joint.mimic is None:
                units = view.joint.row.units
                dimensions[view.q] = [{"rad": ANGLE, "m": LENGTH}.get(unit) for unit in units]
        return labels, dimensions
    turns = turning(robot)
    if isinstance(robot, Closed) and quantity != "tau":
        turns = turns[robot.active]
    order = {"v": 1, "a": 2}.get(quantity, 0)
    angular, linear = (TORQUE, FORCE) if quantity == "tau" else (ANGLE, LENGTH)
    return labels, [rate(angular if turn else linear, order) for turn in turns]


def _asked(options: Overall, wanted: Dimension | None) -> tuple[str, float | None]:
    """Return what the options say of a dimension: in words, and as a factor; None: nothing."""
    degrees, torque, time = options
    if degrees and wanted is not None and wanted[1] == 1:
        return "degrees=True", DEGREE
    if wanted == TIME and time != 1.0:
        return f"time_scale={time:g}", time
    if wanted in (TORQUE, FORCE) and torque != 1.0:
        return f"torque_scale={torque:g}", torque
    return "", None


def _stated(column: str, label: str) -> Stated:
    """Return the unit that the name of a column states, wherever the joint's name stands in it."""
    rest = without_label(column, label) if label else None
    name = column if rest is None else f"joint{rest}".rstrip(" _./-")
    while not (found := split_unit(name)).unit and (shorter := _NUMBER.sub("", name)) != name:
        name = shorter  # "tau_mNm_1"
    return found


def _agreed(
    column: str, stated: Stated, wanted: Dimension | None, asked: tuple[str, float | None]
) -> float:
    """Return the factor of a column, from the unit it states and what an option says."""
    option, scale = asked
    unit = stated.unit
    if unit.lower() in _REMARKS or (len(unit) > 2 and plain_quantity(unit)) or not unit:
        return 1.0 if scale is None else scale
    meant = parse(unit) if stated.brackets else parse_words(unit) or []
    factor = next((x.factor for x in meant if x.dimension == wanted), None)
    if factor is None and not stated.brackets and wanted is not None:  # "vel_deg", per second
        factor = next(
            (x.factor for x in meant if x.dimension == (0, *wanted[1:]) and wanted[0] < 0), None
        )
    if factor is None:
        if not meant and wanted is None:
            return 1.0
        if not meant and wanted in _OPTIONS and scale is not None:
            return scale
        raise _refused(column, unit, wanted, not meant)
    if scale is None:
        return factor
    drive = wanted in (TORQUE, FORCE)  # of which the sign may differ, and N m is no contradiction
    if np.isclose(abs(scale) if drive else scale, factor, rtol=1e-6) or (drive and factor == 1.0):
        return scale
    raise DataError(
        f"{column} is in '{unit}', a factor of {factor:.4g}, and {option} says something else; omit"
        " the option, or rename the column"
    )


def _refused(column: str, unit: str, wanted: Dimension | None, unknown: bool) -> DataError:
    """Return the error about a column in a unit that is not known, or of something else."""
    if wanted is None:
        expected = "a number without a unit (an entry of a quaternion)"
    else:
        expected = f"a unit of {_MEASURES[wanted]}"
    mend = "convert it and rename the column" if unknown else "correct the name of the column"
    if unknown and wanted in _OPTIONS:
        mend += f", or pass {_OPTIONS[wanted]} per {unit})"
    return DataError(f"{column} is in '{unit}', expected {expected}; {mend}")
