"""Units of columns: parse "lbf ft", split it off "tau_1 [lbf ft]", and find factors to SI units.

Only what a log of a robot is measured in: times, angles, lengths, forces and their products. Angles
are a dimension of their own, so that rad and counts, or rpm and Hz, are not mixed up.

What a column states holds; a unit of something else, or one that is not known, is refused. An
option that says the same is not applied again, and one that says something else is refused: either
may be the mistake. A torque in N m may have any `torque_scale`, which is a matter of signs and
gears too, and so may one in a unit that is not known, such as A or counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf, pi, prod
from typing import NamedTuple

import numpy as np

from jounce.errors import DataError
from jounce.identification.subject import Closed, Subject, turning

_DEGREE, _TURN = pi / 180.0, 2.0 * pi
_GRAVITY = 9.80665  # m/s^2, by definition of the kilogram-force
_POUND = 0.45359237 * _GRAVITY

#: Exponents of time, angle, length and force.
Dimension = tuple[int, ...]

_TIME, _ANGLE, _LENGTH, _FORCE = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
_TORQUE = (0, 0, 1, 1)

#: What entries of a robot's state measure, in words, with units that may be meant.
_MEASURES: dict[Dimension, str] = {
    _TIME: "time such as s, ms or ns",
    _ANGLE: "angle such as rad or deg",
    (-1, 1, 0, 0): "angular velocity such as rad/s, deg/s or rpm",
    (-2, 1, 0, 0): "angular acceleration such as rad/s^2 or deg/s^2",
    _LENGTH: "length such as m or mm",
    (-1, 0, 1, 0): "velocity such as m/s or mm/s",
    (-2, 0, 1, 0): "acceleration such as m/s^2",
    _TORQUE: "torque such as N m, mN m, kgf cm or lbf ft",
    _FORCE: "force such as N, kN or lbf",
}


class Unit(NamedTuple):
    """A unit as a factor to SI units (radians for angles) and a dimension."""

    factor: float
    dimension: Dimension


#: Names in lower case. "g", "kg", "lb" and "oz" mean weights, as in "kg cm".
_UNITS = {
    name: Unit(factor, dimension)
    for dimension, factor, names in (
        (_TIME, 1.0, "s sec secs second seconds"),
        (_TIME, 60.0, "min minute minutes"),
        (_TIME, 3600.0, "h hour hours"),
        (_ANGLE, 1.0, "rad rads radian radians"),
        (_ANGLE, _DEGREE, "deg degs degree degrees"),
        (_ANGLE, _DEGREE / 60.0, "arcmin"),
        (_ANGLE, _DEGREE / 3600.0, "arcsec"),
        (_ANGLE, _TURN, "rev revs revolution revolutions turn turns"),
        (_LENGTH, 1.0, "m meter meters metre metres"),
        (_LENGTH, 0.0254, "in inch inches"),
        (_LENGTH, 0.3048, "ft foot feet"),
        (_FORCE, 1.0, "n newton newtons"),
        (_FORCE, _GRAVITY, "kgf kp kg"),
        (_FORCE, 1e-3 * _GRAVITY, "gf g"),
        (_FORCE, _POUND, "lbf lb lbs pound pounds"),
        (_FORCE, _POUND / 16.0, "ozf oz ounce ounces"),
        ((-1, 1, 0, 0), _TURN / 60.0, "rpm"),
        ((-1, 1, 0, 0), _DEGREE, "dps"),
        ((-1, 0, 1, 0), 1.0, "mps"),
    )
    for name in names.split()
}

#: Prefixes: case tells milli from mega, which no log needs, so that "MS" and "MNm" are unknown.
_PREFIXES = {
    **dict.fromkeys(("k", "K", "kilo"), 1e3),
    **dict.fromkeys(("c", "C", "centi"), 1e-2),
    **dict.fromkeys(("m", "milli"), 1e-3),
    **dict.fromkeys(("u", "U", "micro"), 1e-6),
    **dict.fromkeys(("n", "nano"), 1e-9),
}
_PREFIXED = {name for name, unit in _UNITS.items() if unit.factor == 1.0} | {"deg", "rpm"}

#: Lengths that are written before a force, as in "ft lb"; "mN" is no meter newton.
_IMPERIAL = {"in", "inch", "ft", "foot"}

#: Characters of a unit and of a name that has one, at most; there are hostile ones.
_MAX_UNIT, _MAX_NAME = 30, 1000

_PRODUCTS = str.maketrans(dict.fromkeys("·⋅∙•×*_", " "))
_FACTOR = re.compile(
    r"(/|per\b)?\s*([a-z]+)(?:(?:\s*\^\s*)?\(?([+-]?\d)\)?)?\s*(?:[.-](?=\s*[a-z]))?", re.I
)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*(?=[^\d\s])", re.I)


def parse(text: str) -> list[Unit]:
    """Return the units that a text may mean, none if it is no unit.

    Most have one meaning; "nm" is nanometers or, written carelessly, newton meters.
    """
    if len(text) > _MAX_UNIT:
        return []
    plain = unicodedata.normalize("NFKC", text.replace("º", "°")).strip()
    plain = plain.replace("°", " deg ").replace("μ", "u").replace("−", "-").replace("**", "^")
    plain = re.sub(r"/\s*\(([^()\s]*)\)", r"/\1", plain.translate(_PRODUCTS)).strip()
    scale = 1.0
    if number := _NUMBER.match(plain):
        scale, plain = float(number[0]), plain[number.end() :]
    choices: list[list[Unit]] = []
    end = 0
    while match := _FACTOR.match(plain, end):
        end = match.end()
        power = int(match[3] or 1) * (-1 if match[1] else 1)
        choices.append([_multiply(1.0, [unit], power) for unit in _parse_word(match[2])])
    if end < len(plain) or not choices or not 0.0 < scale < inf:
        return []
    return list(dict.fromkeys(_multiply(scale, factors) for factors in product(*choices)))


def _parse_word(word: str) -> list[Unit]:
    """Return meanings of a word: a unit, or a force and a length written as one word."""
    out = _parse_single(word)
    for k in range(1, len(word)):
        for pair in product(_parse_single(word[:k]), _parse_single(word[k:])):
            dimensions = tuple(unit.dimension for unit in pair)
            imperial = dimensions == (_LENGTH, _FORCE) and word[:k].lower() in _IMPERIAL
            if imperial or dimensions == (_FORCE, _LENGTH):
                out = [*out, _multiply(1.0, pair)]
    return out


def _parse_single(word: str) -> list[Unit]:
    """Return the meaning of a word as one unit with or without a prefix."""
    name = word.lower()
    if name in _UNITS:
        return [_UNITS[name]]
    for prefix, scale in _PREFIXES.items():
        rest = name[len(prefix) :]
        if word.startswith(prefix) and rest in _PREFIXED:
            return [_multiply(scale, [_UNITS[rest]])]
    return []


def _multiply(scale: float, units: Sequence[Unit], power: int = 1) -> Unit:
    factor = prod((unit.factor**power for unit in units), start=scale)
    exponents = zip(*(unit.dimension for unit in units), strict=True)
    return Unit(factor, tuple(power * sum(x) for x in exponents))


# ------------------------------------------------------------------ in names of columns

#: Brackets, which may have others in them, as "(rad/(s^2))"; and the number of an array's column.
_BRACKETS = re.compile(r"\[([^\[\]]*)\]|\{([^{}]*)\}|\(((?:[^()]|\([^()]*\))*)\)")
_INDEX = re.compile(r"\s*(?:\[\s*\d+\s*\]|\(\s*\d+\s*\))\s*$")
_BREAK = re.compile(r"[\s_.,:/-]+")
_MAX_WORDS = 4

#: Words at the end of a name that are units only in brackets or beside others: "torque_in".
_OTHERWISE = re.compile(r"in|inch|ft|foot|feet|min|turns?|revs?|kp|pounds?", re.I)

#: Words at the end of a name that say that it is in no unit that can be converted.
_COUNTED = re.compile(r"ma|amps?|amperes?|volts?|counts|ticks|pulses", re.I)

#: What is in brackets besides units.
_REMARKS = re.compile(r"si|meas|measured|actual|est|estimated|filt|filtered", re.I)


class Stated(NamedTuple):
    """A name without its unit, the unit as it is written, and what it may mean."""

    rest: str
    unit: str = ""
    meanings: tuple[Unit, ...] = ()


@lru_cache(maxsize=4096)
def split_unit(name: str) -> Stated:
    """Split the unit off a name: "tau1 [lbf ft]", "q (deg)[0]", "vel_elbow_deg_s", "t/ms".

    What is in brackets is taken for a unit unless it is a number or a remark; words at the end only
    where they are one.
    """
    if len(name) > _MAX_NAME:
        return Stated(name)
    for found in reversed(list(_BRACKETS.finditer(name))):
        unit = (found[1] or found[2] or found[3] or "").strip()
        if found.start() > 0 and re.search(r"[^\d\s,;:]", unit):
            rest = name[: found.start()].rstrip(" _.,:/-") + name[found.end() :]
            remark = _REMARKS.fullmatch(unit)
            return Stated(rest) if remark else Stated(rest, unit, tuple(parse(unit)))
    body = _INDEX.sub("", name)
    for at in list(_BREAK.finditer(body))[-_MAX_WORDS:]:
        words = body[at.end() :].strip()
        meanings = _parse_ending(words)
        if at.start() > 0 and meanings is not None:
            return Stated(body[: at.start()] + name[len(body) :], words, tuple(meanings))
    return Stated(name)


def _parse_ending(text: str) -> list[Unit] | None:
    """Return the units that words at the end of a name may mean; None if they are none."""
    if _COUNTED.fullmatch(text):
        return []
    words = [word for word in re.split(r"[\s_]+", text) if word]
    letters = all(re.fullmatch(r"[a-z]", word, re.I) for word in words)
    if letters or _OTHERWISE.fullmatch(text) or not re.match(r"[a-z°º]", text, re.I):
        return None
    found = parse(" ".join(words))
    if len(words) > 1 and "per" not in words and "/" not in text:  # "deg_s2", "rev_min"
        found += parse(" ".join(words[:-1]) + "/" + words[-1])
    return [unit for unit in found if unit.dimension in _MEASURES] or None


# ------------------------------------------------------------------ factors of columns

#: Options that tell the factor of a unit that is not known.
_OPTIONS = {_TORQUE: "torque_scale= (N m", _FORCE: "torque_scale= (N", _TIME: "time_scale= (s"}


def dimensions(robot: Subject, quantity: str) -> list[Dimension | None]:
    """Return dimensions of the entries of t, q, v, a or tau; None: a number without a unit.

    Of a mechanism those of all joints, but v and a only of the independent ones.
    """
    if quantity == "t":
        return [_TIME]
    if quantity == "q":
        out: list[Dimension | None] = [None] * robot.nq
        for view in robot.joints.values():
            if view.joint.mimic is None:
                units = view.joint.row.units
                out[view.q] = [{"rad": _ANGLE, "m": _LENGTH}.get(unit) for unit in units]
        return out
    turns = turning(robot)
    if isinstance(robot, Closed) and quantity != "tau":
        turns = turns[robot.active]
    order = {"v": 1, "a": 2}.get(quantity, 0)
    angular, linear = (_TORQUE, _FORCE) if quantity == "tau" else (_ANGLE, _LENGTH)
    return [(-order, *(angular if turn else linear)[1:]) for turn in turns]


@dataclass(frozen=True)
class UnitOptions:
    """Units of columns whose names state none; see `jounce.identification.read_log`."""

    units: Mapping[str, str]
    degrees: bool
    torque_scale: float
    time_scale: float

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
            for unit in parse(self.units.get(key, "")):
                if unit.dimension == wanted:
                    return f"units={{'{key}': '{self.units[key]}'}}", unit.factor
        if self.degrees and wanted is not None and wanted[1] == 1:
            return "degrees=True", _DEGREE
        for name, of in (("time_scale", (_TIME,)), ("torque_scale", (_TORQUE, _FORCE))):
            if wanted in of and getattr(self, name) != 1.0:
                return f"{name}={getattr(self, name):g}", getattr(self, name)
        return "", None


def check_units(
    units: Mapping[str, str], known: Mapping[str, Sequence[tuple[str, Dimension | None]]]
) -> None:
    """Refuse units= of what no column is, or that none can be in.

    known: by quantity, names and dimensions of its entries.
    """
    for key, text in units.items():
        found = [x for k, pairs in known.items() for name, x in pairs if key in (k, name)]
        meanings = parse(text) if isinstance(text, str) else []
        if not found:
            raise DataError(
                f"units: '{key}' is no measurement in the data; choose among"
                f" {', '.join(known)}, or one of them with a joint, such as q_<joint>"
            )
        if not any(unit.dimension in found for unit in meanings):
            raise _refused(f"units: '{key}'", str(text), found[0], not meanings)


def column_factor(
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
    drive = wanted in (_TORQUE, _FORCE)  # of which the sign may differ, and N m is no contradiction
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
    expected = "a number without a unit (an entry of a quaternion)"
    if wanted is not None:
        expected = f"a unit of {_MEASURES[wanted]}"
    mend = "convert it and rename the column" if unknown else "correct the name of the column"
    if unknown and wanted in _OPTIONS:
        mend += f", or pass {_OPTIONS[wanted]} per {unit})"
    return DataError(f"{what} is in '{unit}', expected {expected}; {mend}")
