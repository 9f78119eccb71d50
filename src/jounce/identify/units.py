"""Units that names of columns state, "q1 [deg]" or "tau_elbow (mNm)", as factors to SI units.

What a file says of itself holds, column by column. An option that says the same is not applied
again, and one that says something else is refused: either may be the mistake. A torque in N m may
have any `torque_scale`, which is a matter of signs and gears too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jounce.errors import DataError
from jounce.identify.columns import component_labels
from jounce.identify.subject import Closed, Subject, turning

DEGREE = np.pi / 180.0

#: Units by what they measure, as `_plain` spells them. Words that mean something else too, such as
#: "min", are none.
_UNITS: dict[str, dict[str, float]] = {
    "time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "angle": {"rad": 1.0, "mrad": 1e-3, "deg": DEGREE, "rpm": 2.0 * np.pi / 60.0},
    "length": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6},
    "torque": {"nm": 1.0, "knm": 1e3, "ncm": 1e-2, "nmm": 1e-3, "mnm": 1e-3, "unm": 1e-6},
    "force": {"n": 1.0, "kn": 1e3, "mn": 1e-3},
}

#: Other spellings: of whole words, and of letters.
_WORDS = {
    **dict.fromkeys(("degs", "degree", "degrees"), "deg"),
    **dict.fromkeys(("rads", "radian", "radians"), "rad"),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("msec", "msecs", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("usec", "usecs", "microsecond", "microseconds"), "us"),
    **dict.fromkeys(("nsec", "nsecs", "nanosecond", "nanoseconds"), "ns"),
}
_LETTERS = str.maketrans({"°": "deg", "µ": "u", "μ": "u", "²": "2", **dict.fromkeys(" ·⋅*.^_-")})

_COUNT = re.compile(r"[\[(]\s*\d+\s*[\])]\s*$")  # of an array's column
_BRACKETS = re.compile(r"[\[(]\s*([^\d\s\])][^\])]*)[\])]\s*$")
_INVERSE = re.compile(r"s\^?[-−]([12])$")  # as in "rad s^-1"
_RATE = re.compile(r"(?:/|per)s(?:ec)?[12]?(?:/s)?$")
_LAST = re.compile(
    r"[\s_.-](deg|degrees?|rad|mrad|rpm|ms|us|ns|mm|cm|k?nm|mnm|nmm|ncm)"
    r"(?:[\s_/]*(?:per)?[\s_]*s(?:ec)?[\s_^]*2?)?$",
    re.I,
)

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
        labels, sorts = _entries(robot, quantity)
        factors = np.ones(len(columns))
        for k, (column, label, sort) in enumerate(zip(columns, labels, sorts, strict=True)):
            asked = _asked(options, sort)
            factors[k] = asked[1] or 1.0
            if column is not None:
                unit = "ns" if ros and column == _ROS else _stated(column, quantity, label, sort)
                factors[k] = _agreed(source, column, unit, sort, asked)
        out[quantity] = factors
    return out


def _entries(robot: Subject, quantity: str) -> tuple[list[str], list[str]]:
    """Names of the entries of a quantity, and what each measures; nothing: a plain number."""
    if quantity == "t":
        return ["t"], ["time"]
    own = robot.bodies if isinstance(robot, Closed) and quantity in ("q", "tau") else robot
    labels = component_labels(own, quantity)
    if quantity == "q":
        sorts = [""] * robot.nq
        for view in robot.joints.values():
            if view.joint.mimic is None:
                units = view.joint.row.units
                sorts[view.q] = [{"rad": "angle", "m": "length"}.get(unit, "") for unit in units]
        return labels, sorts
    turns = turning(robot)
    if isinstance(robot, Closed) and quantity != "tau":
        turns = turns[robot.active]
    angular, linear = ("torque", "force") if quantity == "tau" else ("angle", "length")
    return labels, [angular if turn else linear for turn in turns]


def _asked(options: Overall, sort: str) -> tuple[str, float | None]:
    """What the options say about a sort of entry: in words, and as a factor; None: nothing."""
    degrees, torque, time = options
    if sort == "angle" and degrees:
        return "degrees=True", DEGREE
    if sort == "time" and time != 1.0:
        return f"time_scale={time:g}", time
    if sort in ("torque", "force") and torque != 1.0:
        return f"torque_scale={torque:g}", torque
    return "", None


def _plain(unit: str) -> str:
    """A unit in one spelling, without what makes a rate of it."""
    text = _INVERSE.sub(r"/s\1", unit.strip()).translate(_LETTERS)
    if text.startswith("MN"):  # mega is not milli
        return ""
    text = _RATE.sub("", text.lower())
    return _WORDS.get(text, text)


def _stated(column: str, quantity: str, label: str, sort: str) -> str:
    """The unit that the name of a column states, as it should be spelled, or nothing."""
    name = _COUNT.sub("", column).strip()
    if name == f"{quantity}_{label}" or name.lower().endswith(label.lower()):
        return ""
    if found := _BRACKETS.search(name):
        return _plain(found[1])
    last = _LAST.search(name)
    word = _plain(last[1]) if last else ""
    return word if word in _UNITS.get(sort, ()) else ""


def _agreed(
    source: str, column: str, unit: str, sort: str, asked: tuple[str, float | None]
) -> float:
    """The factor of a column that states a unit, beside what an option says."""
    option, scale = asked
    own = _UNITS.get(sort, {})
    if unit not in own:
        if any(unit in others and others[unit] != 1.0 for others in _UNITS.values()):
            what = (
                f"a unit of {sort} such as {', '.join(own)}" if own else "a number without a unit"
            )
            raise DataError(
                f"{source}: column '{column}' says '{unit}', expected {what}; correct the name"
            )
        return 1.0 if scale is None else scale
    stated = own[unit]
    if scale is None:
        return stated
    drive = sort in ("torque", "force")  # of which the sign may differ, and N m is no contradiction
    if np.isclose(abs(scale) if drive else scale, stated, rtol=1e-6) or (drive and stated == 1.0):
        return scale
    raise DataError(
        f"{source}: column '{column}' says '{unit}', a factor of {stated:.4g}, and {option} says"
        " something else; leave the option out, or rename the column"
    )
