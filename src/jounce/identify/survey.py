"""A first look at each partition, and comparisons between them: what does not fit the others.

A look opens a file and reads its first rows. What a partition alone cannot tell, such as torques in
mN m beside a robot that is not known well, shows beside the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jounce.identify.checks import (
    PLAUSIBLE,
    Sight,
    compared,
    told_degrees,
    told_rates,
    told_torques,
)
from jounce.identify.columns import component_labels, listed
from jounce.identify.subject import Closed, Subject

if TYPE_CHECKING:
    from jounce.identify.data import Recording, Samples

#: Rows at the beginning of a partition that its units are judged by.
HEAD = 5000

#: Torques of robots without masses that are so many times those of the others are in mN m.
_TORQUE = (200.0, 5000.0)

#: Speeds of angles (rad/s) beyond this, and so many times those of the others, are in degrees.
_FAST, _SPEED = 10.0, (20.0, 170.0)

#: Torques smaller than this share of the others' that agree with nothing may be those at rest.
_SMALL = 0.1

#: Torques that are this many times as large as nearly all of the same joint are outliers.
_ALONE = 10.0

#: Torques that agree with those expected (-1 to 1) like this are trusted, and like that are not.
_AGREES, _DIFFERS = 0.9, 0.5

#: Partitions up to which each is compared with the others only.
_FEW = 100


@dataclass(frozen=True, eq=False)
class Units:
    """What tells the units of some samples.

    degrees, rates: what is odd about angles and rates, in words. torque: ratio to those expected,
    and how well they agree; None where nothing is expected. speed: of angles, size: of torques,
    root mean squares.
    """

    degrees: str
    rates: str
    torque: tuple[float, float] | None
    speed: float
    size: float

    @classmethod
    def of(cls, recording: Recording, head: Samples, expected: np.ndarray | None) -> Units:
        """expected (n, nv): torques of the robot as it was loaded."""
        sight, robot, measured = Sight(), recording.robot, recording.measured
        sight.watch(robot, recording.has, head)
        usual = _usual(head.tau[:, measured])
        tau = head.tau[usual][:, measured]
        with np.errstate(all="ignore"):
            torque = None if expected is None else compared(tau, expected[usual][:, measured])
            speed = np.sqrt(np.mean(head.v[:, _turning(robot)] ** 2)) if len(head) else 0.0
            size = np.sqrt(np.mean(tau**2))
        degrees = told_degrees(robot, sight)
        return cls(degrees, told_rates(sight.rates), torque, float(speed), float(size))


def _usual(tau: np.ndarray) -> np.ndarray:
    """Mask (n,) of the rows without single torques that are far too large."""
    large = np.quantile(np.abs(tau), 0.9, axis=0)
    return np.all(np.abs(tau) <= np.where(large > 0.0, _ALONE * large, np.inf), axis=1)


def _turning(robot: Subject) -> np.ndarray:
    """Mask (nv,) of the velocities that are angles' rates; all where there are none."""
    turns = np.zeros(robot.tree.nv, dtype=bool)
    for view in robot.joints.values():
        if view.joint.mimic is None:
            turns[view.v] = view.joint.row.turns
    turns = turns[robot.active] if isinstance(robot, Closed) else turns
    return turns if turns.any() else ~turns


@dataclass(frozen=True, eq=False)
class Facts:
    """What a first look at a partition tells. broken: why it cannot be used; nothing otherwise.

    stamp: what changes when its file does, nothing where it is no file.
    """

    length: int = 0
    measured: tuple[bool, ...] = ()
    stamp: str = ""
    units: Units | None = None
    broken: str = ""


def common_torques(facts: Sequence[Facts]) -> tuple[bool, ...]:
    """Torques that most partitions have."""
    masks = [x.measured for x in facts if not x.broken]
    return max(dict.fromkeys(masks), key=masks.count)


def odd_columns(robot: Subject, facts: Sequence[Facts], usual: tuple[bool, ...]) -> dict[int, str]:
    """Partitions with torques of other joints than most."""
    labels = component_labels(robot, "tau")
    out = {}
    for k, x in enumerate(facts):
        if not x.broken and x.measured != usual:
            own, others = (
                listed([f"tau_{name}" for name, there in zip(labels, mask, strict=True) if there])
                for mask in (x.measured, usual)
            )
            out[k] = f"it has other torques, {own}, than the others, {others}"
    return out


def odd_units(facts: Sequence[Facts]) -> dict[int, str]:
    """Partitions whose units seem to differ from those of the others, and why."""
    known = {k: x.units for k, x in enumerate(facts) if x.units is not None and not x.broken}
    if len(known) < 2:
        return {}
    places, units = list(known), list(known.values())
    checks = (_fewer("rates"), _fewer("degrees"), _odd_torques, _odd_sizes, _odd_speeds)
    out: dict[int, str] = {}
    for check in checks:
        for k, told in zip(places, check(units), strict=True):
            if told:
                out.setdefault(k, f"{told} (unlike the other files)")
    return out


def _fewer(name: str) -> Callable[[Sequence[Units]], list[str]]:
    """What is odd about some, unless it is about most of them."""

    def check(units: Sequence[Units]) -> list[str]:
        told = [getattr(x, name) for x in units]
        return told if 2 * sum(map(bool, told)) <= len(told) else [""] * len(told)

    return check


def _others(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """For each the median of the others; of all where there are many."""
    x = np.array(values)
    if len(x) > _FEW:
        return np.full(len(x), np.median(x))
    return np.array([np.median(np.delete(x, k)) for k in range(len(x))])


def _odd_torques(units: Sequence[Units]) -> list[str]:
    """Torques beside those expected, where those of the others are as expected, or alike."""
    if any(x.torque is None for x in units):
        return [""] * len(units)
    ratios, agreements = zip(*(x.torque for x in units if x.torque is not None), strict=True)
    usual, trusted, out = _others(np.abs(ratios)), _others(agreements), []
    sizes = np.array([x.size for x in units])
    small = sizes < _SMALL * _others(sizes)
    for k, (ratio, agreement) in enumerate(zip(ratios, agreements, strict=True)):
        trust, told = float(trusted[k]), ""
        sign = 1.0 if trust >= 0.0 else -1.0
        relative = sign * ratio / usual[k] if usual[k] > 0.0 else 1.0
        if small[k] and abs(agreement) < _DIFFERS:
            out.append("")  # it may stand still
            continue
        if abs(trust) > _DIFFERS:
            told = told_torques(relative, sign * agreement, PLAUSIBLE)
        if not told and abs(trust) > _AGREES and 0.0 != agreement * sign < _DIFFERS:
            told = (
                "the torques do not fit those expected from the robot's own parameters (agreement"
                f" {agreement:.2g}, elsewhere {trust:.2g}): are angles or torques in other units,"
                " or columns those of other joints?"
            )
        out.append(told)
    return _of_no_majority(out, ratios, agreements)


def _of_no_majority(
    told: list[str], ratios: Sequence[float], agreements: Sequence[float]
) -> list[str]:
    """Where half of all differ from the other half, those that fit the robot itself are right."""
    fits = [
        agreement > _AGREES and PLAUSIBLE[0] < ratio < PLAUSIBLE[1]
        for ratio, agreement in zip(ratios, agreements, strict=True)
    ]
    if 2 * sum(map(bool, told)) < len(told) or all(fits):
        return told
    return ["" if fit else words for words, fit in zip(told, fits, strict=True)]


def _odd_sizes(units: Sequence[Units]) -> list[str]:
    """Torques far larger than the others', of robots without masses."""
    out = []
    for x, other in zip(units, _others([x.size for x in units]), strict=True):
        ratio = x.size / other if other > 0.0 else 1.0
        odd = x.torque is None and _TORQUE[0] < ratio < _TORQUE[1]
        hint = "are they in mN m? Then use torque_scale=1e-3 for them"
        out.append(f"the torques are {ratio:.3g} times the usual; {hint}" if odd else "")
    return out


def _odd_speeds(units: Sequence[Units]) -> list[str]:
    """Angles that turn far faster than the others', unless torques say that they do."""
    out = []
    for x, other in zip(units, _others([x.speed for x in units]), strict=True):
        ratio = x.speed / other if other > 0.0 else 1.0
        odd = x.speed > _FAST and _SPEED[0] < ratio < _SPEED[1]
        odd &= x.torque is None or abs(x.torque[1]) < _AGREES
        hint = "are angles in degrees? See degrees=True"
        out.append(f"velocities are {ratio:.3g} times the usual; {hint}" if odd else "")
    return out
