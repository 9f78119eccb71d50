"""Factors of columns to SI units, from what their names state ("q1 [deg]") or from options.

What a column states holds; a unit of something else, or one that is not known, is refused. An
option that says the same is not applied again, and one that says something else is refused: either
may be the mistake. A torque in N m may have any `torque_scale`, which is a matter of signs and
gears too, and so may one in a unit that is not known, such as A or counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import component_labels, quantity_of_label
from jounce.identification.subject import Closed, Subject, turning
from jounce.identification.unit_names import (
    ANGLE,
    DEGREE,
    FORCE,
    LENGTH,
    MEASURES,
    TIME,
    TORQUE,
    Dimension,
    Stated,
    parse,
    split_unit,
)

#: Options that tell the factor of a unit that is not known.
_OPTIONS = {TORQUE: "torque_scale= (N m", FORCE: "torque_scale= (N", TIME: "time_scale= (s"}

#: The times of "rostopic echo -p" are in ns; all its other columns begin like this.
_ROS, _FIELD = "%time", "field."


@dataclass(frozen=True)
class UnitOptions:
    """Units of columns whose names state none; see `jounce.identification.read_log`."""

    degrees: bool = False
    torque_scale: float = 1.0
    time_scale: float = 1.0
    units: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("torque_scale", "time_scale"):
            factor = getattr(self, name)
            if not (np.isfinite(factor) and factor != 0.0):
                raise ValueError(f"{name}: expected a factor such as 1e-3, found {factor!r}")

    def factor(self, keys: Sequence[str], wanted: Dimension | None) -> tuple[str, float | None]:
        """Return the option that holds for an entry, in words and as a factor; None: no option.

        keys: how `units` may call the entry, such as q_elbow and q.
        """
        for key in keys:
            text = self.units.get(key, "")
            for unit in parse(text):
                if unit.dimension == wanted:
                    return f"units={{'{key}': '{text}'}}", unit.factor
        if self.degrees and wanted is not None and wanted[1] == 1:
            return "degrees=True", DEGREE
        if wanted == TIME and self.time_scale != 1.0:
            return f"time_scale={self.time_scale:g}", self.time_scale
        if wanted in (TORQUE, FORCE) and self.torque_scale != 1.0:
            return f"torque_scale={self.torque_scale:g}", self.torque_scale
        return "", None


def scales(
    robot: Subject, places: Mapping[str, Sequence[str | None]], source: str, options: UnitOptions
) -> dict[str, np.ndarray]:
    """Return factors to SI units of t, q, v, a and tau, entry by entry.

    places: columns of the entries, None where there is none.
    """
    entries = {quantity: _entries(robot, quantity) for quantity in places}
    _check_keys(options.units, entries)
    ros = any(x and x.startswith(_FIELD) for columns in places.values() for x in columns)
    out = {}
    for quantity, columns in places.items():
        factors = np.ones(len(columns))
        for k, (label, wanted) in enumerate(entries[quantity]):
            keys = (f"{quantity}_{label}", quantity) if label else (quantity,)
            option = options.factor(keys, wanted)
            column = columns[k] or ""
            if ros and column == _ROS:
                stated = Stated(column, "ns", tuple(parse("ns")))
            else:
                stated = _stated(column, label)
            factors[k] = _agree(f"{source}: column '{column}'", stated, wanted, option)
        out[quantity] = factors
    return out


def _entries(robot: Subject, quantity: str) -> list[tuple[str, Dimension | None]]:
    """Return labels and dimensions of the entries of a quantity; None: a number without a unit."""
    if quantity == "t":
        return [("", TIME)]
    every = robot.bodies if isinstance(robot, Closed) and quantity in ("q", "tau") else robot
    labels = component_labels(every, quantity)
    dimensions: list[Dimension | None]
    if quantity == "q":
        dimensions = [None] * robot.nq
        for view in robot.joints.values():
            if view.joint.mimic is None:
                units = view.joint.row.units
                dimensions[view.q] = [{"rad": ANGLE, "m": LENGTH}.get(unit) for unit in units]
    else:
        turns = turning(robot)
        if isinstance(robot, Closed) and quantity != "tau":
            turns = turns[robot.active]
        order = {"v": 1, "a": 2}.get(quantity, 0)
        angular, linear = (TORQUE, FORCE) if quantity == "tau" else (ANGLE, LENGTH)
        dimensions = [(-order, *(angular if turn else linear)[1:]) for turn in turns]
    return list(zip(labels, dimensions, strict=True))


def _check_keys(
    units: Mapping[str, str], entries: Mapping[str, Sequence[tuple[str, Dimension | None]]]
) -> None:
    """Refuse units of what no column is, or that none can be in."""
    for key, text in units.items():
        found = [
            wanted
            for quantity, pairs in entries.items()
            for label, wanted in pairs
            if key in (quantity, f"{quantity}_{label}")
        ]
        meanings = parse(text) if isinstance(text, str) else []
        if not found:
            raise DataError(
                f"units: '{key}' is no measurement in the data; choose among"
                f" {', '.join(entries)}, or one of them with a joint, such as q_<joint>"
            )
        if not any(unit.dimension in found for unit in meanings):
            raise _refused(f"units: '{key}'", str(text), found[0], not meanings)


def _stated(column: str, label: str) -> Stated:
    """Return the unit that a column states; of a joint called arm_deg "pos_arm_deg" states none."""
    stated = split_unit(column)
    whole = label and quantity_of_label(column, label)
    return Stated(column) if whole and not quantity_of_label(stated.rest, label) else stated


def _agree(
    column: str, stated: Stated, wanted: Dimension | None, option: tuple[str, float | None]
) -> float:
    """Return the factor of a column, from the unit it states and what an option says."""
    told, scale = option
    if not stated.unit:
        return 1.0 if scale is None else scale
    factor = next((x.factor for x in stated.meanings if x.dimension == wanted), None)
    if factor is None:
        unknown = not stated.meanings
        if unknown and wanted is None:  # "q_ball_0 [-]"
            return 1.0
        if unknown and wanted in _OPTIONS and scale is not None:
            return scale
        raise _refused(column, stated.unit, wanted, unknown)
    drive = wanted in (TORQUE, FORCE)  # of which the sign may differ, and N m is no contradiction
    if scale is None:
        return factor
    if np.isclose(abs(scale) if drive else scale, factor, rtol=1e-6) or (drive and factor == 1.0):
        return scale
    raise DataError(
        f"{column} is in '{stated.unit}', a factor of {factor:.4g}, and {told} says something else;"
        " omit the option, or rename the column"
    )


def _refused(what: str, unit: str, wanted: Dimension | None, unknown: bool) -> DataError:
    """Return the error about a unit that is not known, or of something else."""
    if wanted is None:
        expected = "a number without a unit (an entry of a quaternion)"
    else:
        expected = f"a unit of {MEASURES[wanted]}"
    mend = "convert it and rename the column" if unknown else "correct the name of the column"
    if unknown and wanted in _OPTIONS:
        mend += f", or pass {_OPTIONS[wanted]} per {unit})"
    return DataError(f"{what} is in '{unit}', expected {expected}; {mend}")
