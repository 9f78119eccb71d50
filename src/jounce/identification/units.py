"""Units of columns: parse "lbf ft", split it off "tau_1 [lbf ft]", and find factors to SI units.

Only units of robot logs are supported: times, angles, lengths, forces and their products. Angles
are a separate dimension, so that rad and counts, or rpm and Hz, are not confused.

The unit in the name of a column takes precedence; a unit of another dimension, or an unknown one,
is an error. An option with the same factor is not applied twice; one with another factor is an
error, since either may be wrong. A torque in N m may have any `torque_scale`, which also describes
signs and gears, and so may a torque in an unknown unit such as A or counts.
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
from jounce.identification.subject import MechanismAdapter, Subject, angular_mask

_DEGREE, _TURN = pi / 180.0, 2.0 * pi
_GRAVITY = 9.80665  # m/s^2, by definition of the kilogram-force
_POUND = 0.45359237 * _GRAVITY

#: Exponents of time, angle, length and force.
Dimension = tuple[int, ...]

_TIME, _ANGLE, _LENGTH, _FORCE = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
_TORQUE = (0, 0, 1, 1)

#: Descriptions of the dimensions of a robot's state, with examples of units.
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

#: Prefixes. Upper-case M (mega) does not occur in logs, so "MS" and "MNm" are unknown.
_PREFIXES = {
    **dict.fromkeys(("k", "K", "kilo"), 1e3),
    **dict.fromkeys(("c", "C", "centi"), 1e-2),
    **dict.fromkeys(("m", "milli"), 1e-3),
    **dict.fromkeys(("u", "U", "micro"), 1e-6),
    **dict.fromkeys(("n", "nano"), 1e-9),
}
_PREFIXED = {name for name, unit in _UNITS.items() if unit.factor == 1.0} | {"deg", "rpm"}

#: Lengths that may be written before a force, as in "ft lb"; "mN" is not a meter newton.
_IMPERIAL = {"in", "inch", "ft", "foot"}

#: Maximum length of a unit, and of a name with a unit, against hostile input.
_MAX_UNIT, _MAX_NAME = 30, 1000

_PRODUCTS = str.maketrans(dict.fromkeys("·⋅∙•×*_", " "))
_FACTOR = re.compile(
    r"(/|per\b)?\s*([a-z]+)(?:(?:\s*\^\s*)?\(?([+-]?\d)\)?)?\s*(?:[.-](?=\s*[a-z]))?", re.I
)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*(?=[^\d\s])", re.I)


def parse(text: str) -> list[Unit]:
    """Return the possible meanings of a text as a unit; empty if it is not a unit.

    Most units have one meaning; "nm" is nanometers or, written carelessly, newton meters.
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
        base = name[len(prefix) :]
        if word.startswith(prefix) and base in _PREFIXED:
            return [_multiply(scale, [_UNITS[base]])]
    return []


def _multiply(scale: float, units: Sequence[Unit], power: int = 1) -> Unit:
    factor = prod((unit.factor**power for unit in units), start=scale)
    exponents = zip(*(unit.dimension for unit in units), strict=True)
    return Unit(factor, tuple(power * sum(x) for x in exponents))


# ------------------------------------------------------------------ in names of columns

#: Brackets, possibly nested, as "(rad/(s^2))"; and the number of an array's column.
_BRACKETS = re.compile(r"\[([^\[\]]*)\]|\{([^{}]*)\}|\(((?:[^()]|\([^()]*\))*)\)")
_INDEX = re.compile(r"\s*(?:\[\s*\d+\s*\]|\(\s*\d+\s*\))\s*$")
_BREAK = re.compile(r"[\s_.,:/-]+")
_MAX_WORDS = 4

#: Words at the end of a name that are units only in brackets or with other units: "torque_in".
_AMBIGUOUS = re.compile(r"in|inch|ft|foot|feet|min|turns?|revs?|kp|pounds?", re.I)

#: Units at the end of a name that cannot be converted.
_NOT_CONVERTIBLE = re.compile(r"ma|amps?|amperes?|volts?|counts|ticks|pulses", re.I)

#: Remarks in brackets that are not units.
_REMARKS = re.compile(r"si|meas|measured|actual|est|estimated|filt|filtered", re.I)


class Stated(NamedTuple):
    """A name without its unit, the unit as it is written, and its possible meanings."""

    name: str
    unit: str = ""
    meanings: tuple[Unit, ...] = ()


@lru_cache(maxsize=4096)
def split_unit(name: str) -> Stated:
    """Split the unit off a name: "tau1 [lbf ft]", "q (deg)[0]", "vel_elbow_deg_s", "t/ms".

    Text in brackets is taken as a unit unless it is a number or a remark; words at the end of the
    name only if they are a known unit.
    """
    if len(name) > _MAX_NAME:
        return Stated(name)
    for match in reversed(list(_BRACKETS.finditer(name))):
        unit = (match[1] or match[2] or match[3] or "").strip()
        if match.start() > 0 and re.search(r"[^\d\s,;:]", unit):
            plain = name[: match.start()].rstrip(" _.,:/-") + name[match.end() :]
            remark = _REMARKS.fullmatch(unit)
            return Stated(plain) if remark else Stated(plain, unit, tuple(parse(unit)))
    body = _INDEX.sub("", name)
    for separator in list(_BREAK.finditer(body))[-_MAX_WORDS:]:
        words = body[separator.end() :].strip()
        meanings = _parse_ending(words)
        if separator.start() > 0 and meanings is not None:
            return Stated(body[: separator.start()] + name[len(body) :], words, tuple(meanings))
    return Stated(name)


def _parse_ending(text: str) -> list[Unit] | None:
    """Return the possible meanings of words at the end of a name; None if they are not a unit."""
    if _NOT_CONVERTIBLE.fullmatch(text):
        return []
    words = [word for word in re.split(r"[\s_]+", text) if word]
    letters = all(re.fullmatch(r"[a-z]", word, re.I) for word in words)
    if letters or _AMBIGUOUS.fullmatch(text) or not re.match(r"[a-z°º]", text, re.I):
        return None
    meanings = parse(" ".join(words))
    if len(words) > 1 and "per" not in words and "/" not in text:  # "deg_s2", "rev_min"
        meanings += parse(" ".join(words[:-1]) + "/" + words[-1])
    return [unit for unit in meanings if unit.dimension in _MEASURES] or None


# ------------------------------------------------------------------ factors of columns

#: Options that define the factor of an unknown unit.
_OPTIONS = {_TORQUE: "torque_scale= (N m", _FORCE: "torque_scale= (N", _TIME: "time_scale= (s"}


def dimensions(robot: Subject, quantity: str) -> list[Dimension | None]:
    """Return dimensions of the entries of t, q, v, a or tau; None: a number without a unit.

    For a mechanism, q and tau have entries for all joints, v and a for the independent ones.
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
    turns = angular_mask(robot)
    if isinstance(robot, MechanismAdapter) and quantity != "tau":
        turns = turns[robot.active]
    order = {"v": 1, "a": 2}.get(quantity, 0)
    angular, linear = (_TORQUE, _FORCE) if quantity == "tau" else (_ANGLE, _LENGTH)
    return [(-order, *(angular if turn else linear)[1:]) for turn in turns]


@dataclass(frozen=True)
class UnitOptions:
    """Units of columns whose names contain none; see `jounce.identification.read_log`."""

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
        """Return the option that applies to an entry, as text and factor; None: no option.

        keys: names of the entry in `units`, such as q_elbow and q.
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
    """Refuse units= for unknown columns, or with units of another dimension.

    known: by quantity, names and dimensions of its entries.
    """
    for key, text in units.items():
        entry_dimensions = [
            x for k, pairs in known.items() for name, x in pairs if key in (k, name)
        ]
        meanings = parse(text) if isinstance(text, str) else []
        if not entry_dimensions:
            raise DataError(
                f"units: '{key}' is no measurement in the data; choose among"
                f" {', '.join(known)}, or one of them with a joint, such as q_<joint>"
            )
        if not any(unit.dimension in entry_dimensions for unit in meanings):
            raise _unit_error(f"units: '{key}'", str(text), entry_dimensions[0], not meanings)


def column_factor(
    column: str, stated: Stated, wanted: Dimension | None, option: tuple[str, float | None]
) -> float:
    """Return the factor of a column, from the unit in its name and an option."""
    description, scale = option
    if not stated.unit:
        return 1.0 if scale is None else scale
    factor = next((x.factor for x in stated.meanings if x.dimension == wanted), None)
    if factor is None:
        unknown = not stated.meanings
        if unknown and wanted is None:  # "q_ball_0 [-]"
            return 1.0
        if unknown and wanted in _OPTIONS and scale is not None:
            return scale
        raise _unit_error(column, stated.unit, wanted, unknown)
    drive = wanted in (_TORQUE, _FORCE)  # its sign may differ, and N m never contradicts an option
    if scale is None:
        return factor
    if np.isclose(abs(scale) if drive else scale, factor, rtol=1e-6) or (drive and factor == 1.0):
        return scale
    raise DataError(
        f"{column} is in '{stated.unit}', a factor of {factor:.4g}, which contradicts"
        f" {description}; omit the option, or rename the column"
    )


def _unit_error(what: str, unit: str, wanted: Dimension | None, unknown: bool) -> DataError:
    """Return the error about a unit that is unknown or of another dimension."""
    expected = "a number without a unit (an entry of a quaternion)"
    if wanted is not None:
        expected = f"a unit of {_MEASURES[wanted]}"
    hint = "convert it and rename the column" if unknown else "correct the name of the column"
    if unknown and wanted in _OPTIONS:
        hint += f", or pass {_OPTIONS[wanted]} per {unit})"
    return DataError(f"{what} is in '{unit}', expected {expected}; {hint}")
