"""Units in names of columns: parse "lbf ft" or "deg/s^2", and split them off "tau_1 [lbf ft]".

Only what a log of a robot is measured in: times, angles, lengths, forces and their products. Angles
are a dimension of their own, so that rad and counts, or rpm and Hz, are not mixed up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

DEGREE = np.pi / 180.0
_GRAVITY = 9.80665  # m/s^2, by definition of the kilogram-force
_POUND = 0.45359237 * _GRAVITY
_TURN = 2.0 * np.pi

#: Exponents of time, angle, length and force.
Dimension = tuple[int, int, int, int]

TIME, ANGLE, LENGTH, FORCE = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
SPEED, VELOCITY, TORQUE = (-1, 1, 0, 0), (-1, 0, 1, 0), (0, 0, 1, 1)

#: What entries of a robot's state measure, in words, with units that may be meant.
MEASURES: dict[Dimension, str] = {
    TIME: "time such as s, ms or ns",
    ANGLE: "angle such as rad or deg",
    SPEED: "angular velocity such as rad/s, deg/s or rpm",
    (-2, 1, 0, 0): "angular acceleration such as rad/s^2 or deg/s^2",
    LENGTH: "length such as m or mm",
    VELOCITY: "velocity such as m/s or mm/s",
    (-2, 0, 1, 0): "acceleration such as m/s^2",
    TORQUE: "torque such as N m, mN m, kgf cm or lbf ft",
    FORCE: "force such as N, kN or lbf",
}


class Unit(NamedTuple):
    """A unit as a factor to SI units (radians for angles) and a dimension."""

    factor: float
    dimension: Dimension


#: Names in lower case with their factors. "g", "kg", "lb" and "oz" mean weights, as in "kg cm".
_NAMES: dict[Dimension, dict[float, str]] = {
    TIME: {1.0: "s sec secs second seconds", 60.0: "min minute minutes", 3600.0: "h hour hours"},
    ANGLE: {
        1.0: "rad rads radian radians",
        DEGREE: "deg degs degree degrees",
        DEGREE / 60.0: "arcmin",
        DEGREE / 3600.0: "arcsec",
        _TURN: "rev revs revolution revolutions turn turns",
    },
    LENGTH: {1.0: "m meter meters metre metres", 0.0254: "in inch inches", 0.3048: "ft foot feet"},
    FORCE: {
        1.0: "n newton newtons",
        _GRAVITY: "kgf kp kg",
        1e-3 * _GRAVITY: "gf g",
        _POUND: "lbf lb lbs pound pounds",
        _POUND / 16.0: "ozf oz ounce ounces",
    },
    SPEED: {_TURN / 60.0: "rpm", DEGREE: "dps"},
    VELOCITY: {1.0: "mps"},
}
_UNITS = {
    name: Unit(factor, dimension)
    for dimension, rows in _NAMES.items()
    for factor, names in rows.items()
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
_LONGEST_UNIT, _LONGEST_NAME = 30, 1000

_PRODUCTS = str.maketrans(dict.fromkeys("·⋅∙•×*_", " "))
_FACTOR = re.compile(
    r"(/|per\b)?\s*([a-z]+)(?:(?:\s*\^\s*)?\(?([+-]?\d)\)?)?\s*(?:[.-](?=\s*[a-z]))?", re.I
)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*(?=[^\d\s])", re.I)


def parse(text: str) -> list[Unit]:
    """Return the units that a text may mean, none if it is no unit.

    Most have one meaning; "nm" is nanometers or, written carelessly, newton meters.
    """
    if len(text) > _LONGEST_UNIT:
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
        choices.append([_multiply(1.0, [unit], power) for unit in _word(match[2])])
    if end < len(plain) or not choices or not 0.0 < scale < np.inf:
        return []
    return list(dict.fromkeys(_multiply(scale, factors) for factors in product(*choices)))


def _word(word: str) -> list[Unit]:
    """Return meanings of a word: a unit, or a force and a length written as one word."""
    out = _single(word)
    for k in range(1, len(word)):
        for pair in product(_single(word[:k]), _single(word[k:])):
            dimensions = tuple(unit.dimension for unit in pair)
            imperial = dimensions == (LENGTH, FORCE) and word[:k].lower() in _IMPERIAL
            if imperial or dimensions == (FORCE, LENGTH):
                out = [*out, _multiply(1.0, pair)]
    return out


def _single(word: str) -> list[Unit]:
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
    for unit in units:
        scale *= unit.factor**power
    a, b, c, d = (power * sum(x) for x in zip(*(unit.dimension for unit in units), strict=True))
    return Unit(scale, (a, b, c, d))


# ------------------------------------------------------------------ in names of columns

#: Brackets, which may have others in them, as "(rad/(s^2))"; and the number of an array's column.
_BRACKETS = re.compile(r"\[([^\[\]]*)\]|\{([^{}]*)\}|\(((?:[^()]|\([^()]*\))*)\)")
_INDEX = re.compile(r"\s*(?:\[\s*\d+\s*\]|\(\s*\d+\s*\))\s*$")
_BREAK = re.compile(r"[\s_.,:/-]+")
_MOST_WORDS = 4

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
    if len(name) > _LONGEST_NAME:
        return Stated(name)
    for found in reversed(list(_BRACKETS.finditer(name))):
        unit = (found[1] or found[2] or found[3] or "").strip()
        if found.start() > 0 and re.search(r"[^\d\s,;:]", unit):
            rest = name[: found.start()].rstrip(" _.,:/-") + name[found.end() :]
            remark = _REMARKS.fullmatch(unit)
            return Stated(rest) if remark else Stated(rest, unit, tuple(parse(unit)))
    body = _INDEX.sub("", name)
    for at in list(_BREAK.finditer(body))[-_MOST_WORDS:]:
        words = body[at.end() :].strip()
        meanings = _parse_words(words)
        if at.start() > 0 and meanings is not None:
            return Stated(body[: at.start()] + name[len(body) :], words, tuple(meanings))
    return Stated(name)


def _parse_words(text: str) -> list[Unit] | None:
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
    return [unit for unit in found if unit.dimension in MEASURES] or None
