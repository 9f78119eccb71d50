"""What may be uncertain about a robot: a row for each kind, and amounts as users write them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, TypeAlias

from jounce.errors import ArgumentError

#: What an amount may be given in, as a multiple of the unit that it is kept in.
UNITS: dict[str, tuple[str, float]] = {
    "%": ("relative", 1e-2),
    "um": ("m", 1e-6),
    "\u03bcm": ("m", 1e-6),
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "m": ("m", 1.0),
    "mrad": ("rad", 1e-3),
    "rad": ("rad", 1.0),
    "deg": ("rad", math.pi / 180.0),
    "°": ("rad", math.pi / 180.0),
}

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_PART = re.compile(rf"±?\s*({_NUMBER})\s*([^\s\d.+,-]+)?")
_WITHIN = re.compile(r"uniform(?:\s*\((.*)\)|\s+(.*))", re.I)
_KEY = re.compile(r"\s*(\w+)\s*(?:\[(.+)\])?\s*")

#: Largest amounts that mean something: a logarithm, an angle in rad, a length in m.
_MOST = {"relative": 3.0, "rad": 1.0, "m": 1e3}
_LARGEST = {"relative": "3 (300%)", "rad": "1 rad", "m": "1000 m"}


@dataclass(frozen=True)
class Normal:
    """Numbers of a normal distribution; amount: their standard deviation, such as "5%"."""

    amount: str | float


@dataclass(frozen=True)
class Uniform:
    """Numbers between two bounds, all as likely; amount: how far the bounds are from nominal."""

    amount: str | float


Distribution: TypeAlias = Normal | Uniform
Amount: TypeAlias = str | float | Distribution | None


@dataclass(frozen=True)
class Kind:
    """A kind of parameter that may be uncertain.

    of: whether bodies or joints have it. numbers: how many are drawn for one of them, by the unit
    of the amounts it takes, the one that plain numbers are in first. default: the amount of None.
    doc: how a draw acts.
    """

    name: str
    of: Literal["body", "joint"]
    numbers: Mapping[str, int]
    default: str
    doc: str

    @property
    def unit(self) -> str:
        """What plain numbers are in: "relative", or "m"."""
        return next(iter(self.numbers))

    @property
    def takes(self) -> str:
        """How amounts of it are written."""
        return " ".join(_EXAMPLES[unit] for unit in self.numbers)


_EXAMPLES = {"relative": "5%", "m": "0.1mm", "rad": "0.05deg"}
_DISPLACED = {"m": 3, "rad": 3}

_ROWS = (
    Kind(
        "inertia",
        "body",
        {"relative": 10},
        "5%",
        "mass, centre of mass and second moments about it, independently: standard deviations of"
        " the logarithm of the mass, of the second moments relative to them, and of the centre of"
        " mass in radii of gyration",
    ),
    Kind("mass", "body", {"relative": 1}, "5%", "the density: all ten parameters times exp(x)"),
    Kind("com", "body", {"m": 3}, "1mm", "the centre of mass, in each direction"),
    Kind(
        "placement",
        "joint",
        _DISPLACED,
        "0.1mm",
        "the joint with all beyond it, displaced by exp(twist) on its parent: in each direction,"
        " about each axis",
    ),
    Kind(
        "screw",
        "joint",
        _DISPLACED,
        "0.1mm",
        "only the joint's axis, displaced by exp(twist); bodies and other joints stay at neutral",
    ),
    Kind("friction", "joint", {"relative": 1}, "20%", "Coulomb friction times exp(x)"),
    Kind("damping", "joint", {"relative": 1}, "20%", "viscous friction times exp(x)"),
    Kind("armature", "joint", {"relative": 1}, "5%", "the drive's inertia times exp(x)"),
)

#: What may vary, by name.
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ROWS}


@dataclass(frozen=True)
class Spread:
    """How far one kind of number is drawn from nominal, and whether within bounds."""

    amount: float
    bounded: bool


def kind_and_names(key: str) -> tuple[Kind, list[str] | None]:
    """The kind of a key such as "inertia" or "placement[joint2, joint3]", and the names in it."""
    found = _KEY.fullmatch(key) if isinstance(key, str) else None
    if found is None or found[1].lower() not in KINDS:
        raise ArgumentError(
            f"vary: no kind {key!r}; choose among {', '.join(KINDS)}, of all bodies or joints or"
            " of some, as 'inertia[link7]'"
        )
    names = None if found[2] is None else [name.strip() for name in found[2].split(",")]
    return KINDS[found[1].lower()], names


def spreads(kind: Kind, amount: Amount, key: str) -> dict[str, Spread]:
    """An amount by units, such as {"m": 0.1 mm, "rad": 0.05 deg}; key: as users call it."""
    bounded = isinstance(amount, Uniform)
    given: Any = amount.amount if isinstance(amount, Normal | Uniform) else amount
    if given is None:
        given = kind.default
    if isinstance(given, str):
        # letters that look the same are the same: two of Unicode's are a micro
        text = unicodedata.normalize("NFKC", given).strip()
        within = _WITHIN.fullmatch(text)
        if within is not None:
            text, bounded = within[1] or within[2] or "", True
        parts = _parts(kind, text, key)
    elif isinstance(given, Real) and not isinstance(given, bool):
        parts = {kind.unit: float(given)}
    else:
        raise ArgumentError(
            f"vary: {key}: expected an amount such as '{kind.takes}', a number, Normal or Uniform,"
            f" found {given!r}"
        )
    for unit, value in parts.items():
        if not 0.0 < value <= _MOST[unit]:
            percent = unit == "relative" and value > 0.0 and "%" not in str(given)
            hint = f" ({100.0 * value:g}%); for {value:g} percent write '{value:g}%'" * percent
            raise ArgumentError(
                f"vary: {key}: expected an amount above 0 and at most {_LARGEST[unit]}, found"
                f" {value:g}{hint}"
            )
    return {unit: Spread(value, bounded) for unit, value in parts.items()}


def _parts(kind: Kind, text: str, key: str) -> dict[str, float]:
    """The numbers of an amount by the unit that each is kept in."""
    parts: dict[str, float] = {}
    end = 0
    for found in _PART.finditer(text):
        unit, scale = UNITS.get(found[2] or "", ("", 1.0))
        if found[2] is None:
            unit = kind.unit
        if text[end : found.start()].strip(" ,") or unit not in kind.numbers or unit in parts:
            raise _unread(kind, text, key)
        parts[unit] = float(found[1]) * scale
        end = found.end()
    if not parts or text[end:].strip():
        raise _unread(kind, text, key)
    return parts


def _unread(kind: Kind, text: str, key: str) -> ArgumentError:
    units = [name for name, (unit, _) in UNITS.items() if unit in kind.numbers]
    return ArgumentError(
        f"vary: {key}: cannot read the amount '{text}'; expected such as '{kind.takes}', in"
        f" {', '.join(units)}"
    )
