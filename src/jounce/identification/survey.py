"""A first look at each partition, and comparisons between them: what does not fit the others.

A look opens a file and reads its first rows. What a partition alone cannot tell, such as torques in
mN m beside a robot that is not known well, shows beside the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jounce.identification.checks import (
    PLAUSIBLE,
    Sight,
    compared,
    told_degrees,
    told_rates,
    told_torques,
)
from jounce.identification.columns import component_labels, listed
from jounce.identification.subject import Closed, Subject, turning

if TYPE_CHECKING:
    from jounce.identification.data import Recording, Samples

#: Rows at the beginning of a partition that its units are judged by.
HEAD = 5000

#: Torques that are so many times those of the others are in mN m, unless more is known.
_TORQUE = (200.0, 5000.0)

#: Share of the others' speed at which torques of the same size are to be expected.
_MOVES = 0.2

#: What times may be in, and how far the ratio of steps may be from it, as a factor.
_TIMES = {1e3: "ms", 1e6: "us", 1e9: "ns"}
_NEAR = 2.0

#: Rows from which on a torque should have changed, and a share of torques that is none.
_ROWS, _NOTHING = 10, 1e-6

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
    root mean squares. step: between samples, s; NaN where there are no times. still: torques (nv,)
    that never change though they should, by their value; NaN for those that do. rows: so many
    were looked at.
    """

    degrees: str
    rates: str
    torque: tuple[float, float] | None
    speed: float
    size: float
    step: float
    still: tuple[float, ...]
    rows: int

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
        told = told_degrees(robot, sight), told_rates(sight.rates)
        still = tuple(float(x) for x in _still(head, measured, expected))
        return cls(*told, torque, float(speed), float(size), _step(head), still, len(head))


def _step(head: Samples) -> float:
    """The usual time between samples, or NaN."""
    steps = np.diff(head.t) if head.t is not None else np.empty(0)
    steps = steps[steps > 0.0]
    return float(np.median(steps)) if len(steps) else np.nan


def _still(head: Samples, measured: np.ndarray, expected: np.ndarray | None) -> np.ndarray:
    """Torques (nv,) that never change though their joints move, or others are expected.

    Of joints at rest they may be constant, but hardly zero where the robot has to be held.
    """
    out = np.full(head.tau.shape[1], np.nan)
    if len(head) < _ROWS:
        return out
    due = np.ptp(head.v, axis=0) > 0.0
    if expected is not None:
        large = np.abs(expected).max()
        due |= np.ptp(expected, axis=0) > _NOTHING * large
        due |= ~head.tau.any(axis=0) & (np.abs(expected).max(axis=0) > _NOTHING * large)
    constant = measured & due & (np.ptp(head.tau, axis=0) == 0.0)
    out[constant] = head.tau[0, constant]
    return out


def _usual(tau: np.ndarray) -> np.ndarray:
    """Mask (n,) of the rows without single torques that are far too large."""
    large = np.quantile(np.abs(tau), 0.9, axis=0)
    return np.all(np.abs(tau) <= np.where(large > 0.0, _ALONE * large, np.inf), axis=1)


def _turning(robot: Subject) -> np.ndarray:
    """Mask (nv,) of the velocities that are angles' rates; all where there are none."""
    turns = turning(robot)[robot.active] if isinstance(robot, Closed) else turning(robot)
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


def odd_units(robot: Subject, facts: Sequence[Facts]) -> dict[int, str]:
    """Partitions whose units seem to differ from those of the others, and why."""
    known = {k: x.units for k, x in enumerate(facts) if x.units is not None and not x.broken}
    if len(known) < 2:
        return {}
    places, units = list(known), list(known.values())
    checks = (_fewer("rates"), _odd_steps, _fewer("degrees"), _odd_torques, _odd_sizes, _odd_speeds)
    out: dict[int, str] = {}
    for found in (_dead(robot, units), *(check(units) for check in checks)):
        for k, told in zip(places, found, strict=True):
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


def _dead(robot: Subject, units: Sequence[Units]) -> list[str]:
    """Torques that never change, but do in most of the others: sensors that are off."""
    labels, still = component_labels(robot, "tau"), np.array([x.still for x in units])
    dead = ~np.isnan(still)
    dead &= 2 * dead.sum(axis=0) <= len(units)
    out = []
    for x, mask in zip(units, dead, strict=True):
        columns = listed(f"tau_{labels[i]}" for i in np.flatnonzero(mask))
        what = columns if x.size > 0.0 else "all torques"
        alike = "alike" if np.array(x.still)[mask].any() else "0"
        hint = "is a sensor off?"
        told = f"the first {x.rows:,} rows of {what} are all {alike}; {hint}"
        out.append(told if mask.any() else "")
    return out


def _odd_steps(units: Sequence[Units]) -> list[str]:
    """Steps in time that are a thousand times those of the others, or a millionth part of them."""
    steps = np.array([x.step for x in units])
    timed = np.isfinite(steps)
    ratios = np.ones(len(steps))
    if timed.sum() > 1:
        ratios[timed] = steps[timed] / _others(steps[timed])
    factors = [
        next((f for f in _TIMES if 1.0 / _NEAR < max(x, 1.0 / x) / f < _NEAR), 0.0) for x in ratios
    ]
    short = [bool(f) and x < 1.0 for f, x in zip(factors, ratios, strict=True)]
    out = []
    for step, ratio, factor, less in zip(steps, ratios, factors, short, strict=True):
        hint = ""
        if factor and not less:
            hint = f"are they in {_TIMES[factor]}? Then use time_scale={1.0 / factor:.0e} for them"
        elif factor and 2 * sum(short) < len(short):
            hint = f"are those of the others in {_TIMES[factor]}?"
        told = f"the times rise by {step:.3g}, {ratio:.3g} times the usual; {hint}"
        out.append(told if hint else "")
    return out


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
    """Torques far larger or smaller than the others', where no parameters tell what to expect.

    They are compared where all move: at rest, and beside it, there may be any.
    """
    trusted = _others([0.0 if x.torque is None else x.torque[1] for x in units])
    sizes, speeds = (_others([getattr(x, name) for x in units]) for name in ("size", "speed"))
    out = []
    for x, trust, size, speed in zip(units, trusted, sizes, speeds, strict=True):
        ratio, told = x.size / size if size > 0.0 else 1.0, ""
        if abs(trust) <= _DIFFERS and _MOVES * x.speed <= speed and x.speed >= _MOVES * speed:
            if _TORQUE[0] < ratio < _TORQUE[1]:
                told = "are they in mN m? Then use torque_scale=1e-3 for them"
            elif _TORQUE[0] < 1.0 / max(ratio, _NOTHING) < _TORQUE[1]:
                told = "are they in kN m? Then use torque_scale=1e3 for them"
        out.append(f"the torques are {ratio:.3g} times the usual; {told}" if told else "")
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
