"""Kinds of uncertain parameters, and their amounts: units and distributions."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np

from jounce.errors import ArgumentError

#: Units of amounts: the unit of storage, and the factor to convert to it.
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

#: Largest amounts by unit: a logarithm, an angle in rad, a length in m.
_MOST = {"relative": 3.0, "rad": 1.0, "m": 1e3}
_LARGEST = {"relative": "3 (300%)", "rad": "1 rad", "m": "1000 m"}


@dataclass(frozen=True)
class Normal:
    """Normal distribution about the nominal value.

    Examples
    --------
    >>> from jounce.studies import Normal
    >>> vary = {"mass": Normal("5%")}
    """

    #: Standard deviation: text with a unit such as "5%", or a number (relative, or in m).
    amount: str | float


@dataclass(frozen=True)
class Uniform:
    """Uniform distribution about the nominal value.

    Examples
    --------
    >>> from jounce.studies import Uniform
    >>> vary = {"mass": Uniform("5%")}
    """

    #: Half the width: text with a unit such as "5%", or a number (relative, or in m).
    amount: str | float


#: Amount of variation: text with units, a number, a distribution (`Normal`, `Uniform`, or a frozen
#: one of `scipy.stats`), or None for the default of the kind.
Amount: TypeAlias = Any

#: Quantile function: maps points of the unit interval to values of a distribution.
Quantile: TypeAlias = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Kind:
    """Kind of uncertain parameter, such as "mass" or "placement"."""

    #: Name in the keys of `vary`.
    name: str

    #: Whether each body or each joint has this parameter.
    of: Literal["body", "joint"]

    #: Count of independent numbers per body or joint, by unit of the amount ("relative", "m" or
    #: "rad"). Amounts without a unit have the first.
    numbers: Mapping[str, int]

    #: Amount that None stands for.
    default: str

    #: Effect of a sample x on the robot.
    doc: str

    @property
    def unit(self) -> str:
        """Unit of amounts without a unit: "relative" or "m"."""
        return next(iter(self.numbers))

    @property
    def takes(self) -> str:
        """Example of an amount."""
        return " ".join(_EXAMPLES[unit] for unit in self.numbers)


_EXAMPLES = {"relative": "5%", "m": "0.1mm", "rad": "0.05deg"}
_DISPLACED = {"m": 3, "rad": 3}

_ROWS = (
    Kind(
        "inertia",
        "body",
        {"relative": 10},
        "5%",
        "mass, center of mass and second moments about it, independently: standard deviations of"
        " the logarithm of the mass, of the second moments relative to them, and of the center of"
        " mass in radii of gyration",
    ),
    Kind("mass", "body", {"relative": 1}, "5%", "the density: all ten parameters times exp(x)"),
    Kind("com", "body", {"m": 3}, "1mm", "the center of mass, in each direction"),
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

#: Kinds of parameters that may vary, by name.
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ROWS}


@dataclass(frozen=True)
class Spread:
    """The distribution of one number of a sample: scale times quantile(u)."""

    scale: float
    quantile: Quantile


def normal_quantile(u: np.ndarray) -> np.ndarray:
    """Return the quantiles of the standard normal distribution."""
    from scipy.special import ndtri

    return ndtri(u)


def uniform_quantile(u: np.ndarray) -> np.ndarray:
    """Return the quantiles of the uniform distribution from -1 to 1."""
    return 2.0 * u - 1.0


def parse_key(key: str) -> tuple[Kind, list[str] | None]:
    """Return the kind of a key such as "placement[joint2, joint3]", and the names in it."""
    match = _KEY.fullmatch(key) if isinstance(key, str) else None
    if match is None or match[1].lower() not in KINDS:
        raise ArgumentError(
            f"vary: no kind {key!r}; choose among {', '.join(KINDS)}, alone or with names of bodies"
            " or joints, as 'inertia[link7]'"
        )
    names = None if match[2] is None else [name.strip() for name in match[2].split(",")]
    return KINDS[match[1].lower()], names


def parse_amount(kind: Kind, amount: Amount, key: str) -> dict[str, Spread]:
    """Return the distributions of an amount by unit, such as {"m": ..., "rad": ...}.

    key: the key in `vary`, for messages.
    """
    quantile = uniform_quantile if isinstance(amount, Uniform) else normal_quantile
    size = amount.amount if isinstance(amount, Normal | Uniform) else amount
    frozen: Any = getattr(amount, "ppf", None)
    if size is None:
        size = kind.default
    if isinstance(size, str):
        # NFKC: Unicode has two letters for micro
        text = unicodedata.normalize("NFKC", size).strip()
        within = _WITHIN.fullmatch(text)
        if within is not None:
            text, quantile = within[1] or within[2] or "", uniform_quantile
        parts = _parse_parts(kind, text, key)
    elif isinstance(size, Real) and not isinstance(size, bool):
        parts = {kind.unit: float(size)}
    elif frozen is not None:
        ends = np.ravel(frozen(np.array((0.16, 0.84))[:, None]))
        _check_size(kind.unit, np.ptp(ends) / 2.0 if len(ends) == 2 else 0.0, amount, key)
        return {kind.unit: Spread(1.0, frozen)}
    else:
        raise ArgumentError(
            f"vary: {key}: expected an amount such as '{kind.takes}', a number, Normal, Uniform or"
            f" a frozen distribution such as scipy.stats.norm(0, 0.05), found {size!r}"
        )
    for unit, value in parts.items():
        _check_size(unit, value, size, key)
    return {unit: Spread(value, quantile) for unit, value in parts.items()}


def _check_size(unit: str, value: float, amount: Amount, key: str) -> None:
    if not 0.0 < value <= _MOST[unit]:
        percent = isinstance(amount, str | Real) and "%" not in str(amount) and value > 0.0
        percent &= unit == "relative"
        hint = f" ({100.0 * value:g}%); for {value:g} percent write '{value:g}%'" * percent
        raise ArgumentError(
            f"vary: {key}: expected an amount above 0 and at most {_LARGEST[unit]}, found"
            f" {value:g}{hint}"
        )


def _parse_parts(kind: Kind, text: str, key: str) -> dict[str, float]:
    """Return the numbers of an amount by unit of storage."""
    units = [name for name, (unit, _) in UNITS.items() if unit in kind.numbers]
    error = ArgumentError(
        f"vary: {key}: expected an amount such as '{kind.takes}', found '{text}'; units are"
        f" {', '.join(units)}"
    )
    parts: dict[str, float] = {}
    end = 0
    for match in _PART.finditer(text):
        unit, scale = UNITS.get(match[2] or "", ("", 1.0))
        if match[2] is None:
            unit = kind.unit
        if text[end : match.start()].strip(" ,") or unit not in kind.numbers or unit in parts:
            raise error
        parts[unit] = float(match[1]) * scale
        end = match.end()
    if not parts or text[end:].strip():
        raise error
    return parts


def describe_amount(amount: Amount) -> str | float | None:
    """Return an amount as text or a number, for JSON and reports."""
    if isinstance(amount, Normal | Uniform):
        return repr(replace(amount, amount=describe_amount(amount.amount)))
    if hasattr(amount, "dist"):  # a frozen distribution of SciPy
        named = (f"{name}={x}" for name, x in amount.kwds.items())
        return f"{amount.dist.name}({', '.join((*map(str, amount.args), *named))})"
    if isinstance(amount, Real):
        return float(amount)
    return amount if amount is None else str(amount)
