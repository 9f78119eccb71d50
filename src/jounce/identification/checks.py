"""What looks wrong about measured data: columns that never change, units that do not fit together.

Nothing here stops an identification; each finding is a DataWarning that says what to do about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from jounce.identification.columns import component_labels, listed
from jounce.identification.data import DataSummary, Samples
from jounce.identification.robust import FAR, Outliers
from jounce.identification.subject import Closed, Subject, turning

#: How far a ratio may be from a suspected factor, as a factor itself.
_NEAR = 1.6

#: Angles beyond this many turns are no robot's.
_TURNS = 8.0

#: Residuals of this share of a torque explain nothing of it.
_UNEXPLAINED = 0.9

#: Sums of squares beyond this compare nothing, and their products overflow.
_HUGE = 1e150

#: Ratios of measured to predicted torques that are not worth a word.
PLAUSIBLE = (0.05, 20.0)


#: Loops that measurements leave open by more than this (rad, m) are worth a word.
_GAP = 0.01


#: Samples whose rates are compared.
_FIRST = 5000

#: Steps in time over which changes are compared with the integrals of rates; noise fades in long
#: ones. Relative errors that are larger at every lag do not fit; without any correlation they are
#: 1.4 for rates of the right size.
_LAGS = (1, 4, 16, 64, 256)
_MISFIT = 0.7

#: Changes and integrals (rad, m), root mean squares, from which on a joint is said to move; ten
#: times as much for changes of velocities.
_MOVES, _MOVES_BY_RATES = 0.02, 0.2


@dataclass(eq=False)
class Sight:
    """What can be seen of samples as they pass; a monoid under +.

    low, high: least and largest values of q, v and tau. rates: how much faster positions change
    than velocities say, and velocities than accelerations, each with how well they agree; of the
    first samples that tell. misfits: relative errors (nv,) of changes of positions beside
    velocities, and of velocities beside accelerations. gap: the most by which loops are left open,
    rad or m.
    """

    low: dict[str, np.ndarray] = field(default_factory=dict)
    high: dict[str, np.ndarray] = field(default_factory=dict)
    rates: tuple[tuple[float, float], ...] = ()
    gap: float = 0.0
    misfits: tuple[tuple[float, ...], ...] = ()

    def watch(self, robot: Subject, has: frozenset[str], samples: Samples) -> None:
        """Take in a piece. has: which of t, v and a were measured; others fit anyway."""
        if len(samples) == 0:
            return
        if not self.low and "v" in has:
            self.compare_rates(robot, has, samples)
        for name in ("q", "v", "tau"):
            x = getattr(samples, name)
            self._widen(name, x.min(axis=0), x.max(axis=0))

    def compare_rates(self, robot: Subject, has: frozenset[str], samples: Samples) -> None:
        """Compare positions with velocities, and these with accelerations, of the first samples."""
        self.rates = rates(robot, samples[:_FIRST])
        self.misfits = misfits(robot, samples[:_FIRST], "a" in has)

    def describe_rates(self, robot: Subject) -> str:
        """Return what is odd about velocities and accelerations, in words; "" if nothing is."""
        return told_rates(self.rates) or told_misfits(robot.labels("v"), self.misfits)

    def _widen(self, name: str, low: np.ndarray, high: np.ndarray) -> None:
        self.low[name] = np.minimum(self.low[name], low) if name in self.low else low
        self.high[name] = np.maximum(self.high[name], high) if name in self.high else high

    def __add__(self, other: Sight) -> Sight:
        """That of both."""
        gap = max(self.gap, other.gap)
        first = self if self.rates else other
        out = Sight(dict(self.low), dict(self.high), first.rates, gap, first.misfits)
        for name in other.low:
            out._widen(name, other.low[name], other.high[name])
        return out


def rates(robot: Subject, first: Samples) -> tuple[tuple[float, float], ...]:
    """Differences of positions beside velocities, and of velocities beside accelerations.

    Ratio and agreement of both; empty where there is too little to tell.
    """
    good = _steady(first)
    if first.t is None or good.sum() < 5:
        return ()
    steps = np.diff(first.t)[:, None]
    with np.errstate(all="ignore"):  # times may hardly differ
        slope = robot.difference(first.q[:-1], first.q[1:])[good] / steps[good]
        bend = np.diff(first.v, axis=0)[good] / steps[good]
    middle, force = (0.5 * (x[:-1] + x[1:])[good] for x in (first.v, first.a))
    return compared(slope, middle), compared(bend, force)


def _steady(first: Samples) -> np.ndarray:
    """Return the mask (n - 1,) of steps in time that are about as long as usual."""
    if first.t is None or len(first) < 10:
        return np.zeros(0, dtype=bool)
    steps = np.diff(first.t)
    return (steps > 0.0) & (steps < 3.5 * np.median(steps))


def misfits(robot: Subject, first: Samples, measured: bool) -> tuple[tuple[float, ...], ...]:
    """Compare changes of positions with velocities (nv,), and of velocities with accelerations.

    Relative errors; NaN for joints that hardly move. measured: whether accelerations were. Empty
    where there are too few times.
    """
    good = _steady(first)
    if first.t is None or good.sum() < 5:
        return ()
    turns = turning(robot)[robot.active] if isinstance(robot, Closed) else turning(robot)

    def turned(lag: int) -> np.ndarray:
        change = robot.difference(first.q[:-lag], first.q[lag:])
        return np.where(turns & (np.abs(change) > np.pi), np.nan, change)  # angles begin anew

    def sped_up(lag: int) -> np.ndarray:
        return first.v[lag:] - first.v[:-lag]

    with np.errstate(all="ignore"):
        pairs = [_misfit(turned, first.v, first.t, good, 1.0)]
        if measured:
            pairs.append(_misfit(sped_up, first.a, first.t, good, 10.0))
    return tuple(tuple(float(x) for x in pair) for pair in pairs)


def _misfit(
    change: Callable[[int], np.ndarray],
    rate: np.ndarray,
    t: np.ndarray,
    good: np.ndarray,
    size: float,
) -> np.ndarray:
    """Compare changes with the integral of a rate (n, nv): the relative error, NaN at rest.

    The least over several lags. good: mask of the steps in time without a gap. size: of changes
    that are motions, relative.
    """
    steps = np.where(good, np.diff(t), 0.0)[:, None]
    area = np.vstack((0.0 * rate[:1], np.cumsum(0.5 * (rate[:-1] + rate[1:]) * steps, axis=0)))
    gaps = np.concatenate(([0], np.cumsum(~good)))
    least, moves = np.full(rate.shape[1], np.inf), np.zeros(rate.shape[1], dtype=bool)
    for lag in (k for k in _LAGS if 2 * k < len(t)):
        whole = gaps[lag:] == gaps[:-lag]
        x, y = change(lag)[whole], (area[lag:] - area[:-lag])[whole]
        if not len(x):
            continue
        x, y = np.where(np.isfinite(x), (x, y), 0.0)
        changed, expected, off = (np.sqrt(np.mean(z**2, axis=0)) for z in (x, y, x - y))
        least = np.fmin(least, off / np.maximum(changed, expected))
        moves |= changed > size * _MOVES
        moves |= expected > size * _MOVES_BY_RATES
    return np.where(moves, least, np.nan)


def told_misfits(labels: Sequence[str], found: tuple[tuple[float, ...], ...]) -> str:
    """Return which rates do not fit, in words; "" if all do."""
    pairs = (("velocities", "positions"), ("accelerations", "velocities"))
    for (rate, of), values in zip(pairs, found, strict=False):
        odd = [
            f"{label} (off by {100.0 * x:.0f} %)"
            for label, x in zip(labels, values, strict=True)
            if x > _MISFIT
        ]
        if odd:
            return (
                f"the {rate} of {listed(odd)} do not fit the changes of {of}; check which column is"
                " which joint's, the units, signs and times"
            )
    return ""


def told_rates(found: tuple[tuple[float, float], ...]) -> str:
    """What is odd about rates, in words; nothing where they are as they should be."""
    pairs = (("positions", "velocities"), ("velocities", "accelerations"))
    for (one, other), (ratio, agreement) in zip(pairs, found, strict=False):
        if abs(agreement) >= 0.8 and not 1.0 / _NEAR < ratio < _NEAR:
            return f"{one} change {ratio:.3g} times as fast as the {other} say; {_reason(ratio)}"
    return ""


class Inspector:
    """Speaks of what was seen, when all samples have passed."""

    def __init__(self, robot: Subject, measured: np.ndarray, summary: DataSummary) -> None:
        """measured: mask (nv,) of the torques there are. summary: takes the warnings."""
        self.robot, self.measured, self.summary = robot, measured, summary

    def report(self, sight: Sight, tau: np.ndarray, predicted: np.ndarray | None) -> None:
        """Warn about what was seen.

        tau, predicted (n, nv): measured torques and those of the robot as it was loaded, at some
        samples (None: it has no masses).
        """
        self._rows()
        self._loops(sight.gap)
        self._constant(sight)
        if told := told_degrees(self.robot, sight):
            self.summary.warn(told)
        if told := sight.describe_rates(self.robot):
            self.summary.warn(told)
        if predicted is not None:
            self._torques(tau[:, self.measured], predicted[:, self.measured])

    def outliers(self, found: Outliers) -> None:
        """Warn about torques that a fit should not have trusted."""
        self.summary.outliers = found.rows
        if found.rows:
            self.summary.warn(
                f"{found.rows} of {self.summary.rows} rows have torques more than"
                f" {FAR:g} times as far from the model as usual, which pull the parameters:"
                f" {found.describe(self.robot.labels('v'))}, rows counted from 0; correct or remove"
                " them, or pass robust='huber' (--robust)"
            )

    def fit(self, rms: np.ndarray, tau: np.ndarray, unexcited: list[str], parameters: int) -> None:
        """Warn about what a fit leaves unexplained, and what it says nothing about.

        rms (nv,): of the residuals. tau (n, nv): measured torques at some samples. unexcited: of so
        many parameters.
        """
        if unexcited:
            self.summary.warn(
                f"the motion does not excite {len(unexcited)} of {parameters}"
                f" base parameters, which keep their prior values: {'; '.join(unexcited)}"
            )
        whole = np.sqrt(np.mean(tau**2, axis=0))
        poor = np.flatnonzero(self.measured & (rms > _UNEXPLAINED * whole) & (whole > 0.0))
        if len(poor) and not self.summary.outliers:
            labels = self.robot.labels("v")
            told = listed(f"{labels[i]} ({100 * rms[i] / whole[i]:.0f} %)" for i in poor)
            self.summary.warn(
                f"the fit explains almost nothing of the torques of {told}: what"
                " is left is about as large as they are. Check which column is which joint's, the"
                " units, signs and times; or there is nothing but noise in them"
            )

    def _rows(self) -> None:
        if self.summary.missing:
            self.summary.warn(
                f"{self.summary.missing} of {self.summary.rows} rows have missing values"
                f" (NaN or infinity) and are left out{self._missing_in()}"
            )
        if self.summary.jumps:
            self.summary.warn(
                f"time does not rise at {self.summary.jumps} of {self.summary.rows} rows;"
                " each such row is taken as the start of another recording"
            )

    def _missing_in(self) -> str:
        """Which partitions they are in, where there are several."""
        named = self.summary.missing_in
        if not named or self.summary.partitions == 1:
            return ""
        more = ", ..." if sum(named.values()) < self.summary.missing else ""
        return ": " + ", ".join(f"{count} of {name}" for name, count in named.items()) + more

    def _loops(self, gap: float) -> None:
        """Dependent joints that were measured, but not quite where the loops put them."""
        if gap > _GAP:
            self.summary.warn(
                f"the joints as measured leave the loops of {self.robot.name} open by up to"
                f" {gap:.2g} (m or rad); the independent ones are trusted. Check the zeros and the"
                " geometry"
            )

    def _constant(self, sight: Sight) -> None:
        still = {name: sight.low[name] == sight.high[name] for name in ("q", "v", "tau")}
        if still["q"].all() and still["v"].all():
            self.summary.warn(
                f"q and v are the same in all {self.summary.used} rows, so that almost nothing can"
                " be identified; record a motion"
            )
            return
        still["tau"] &= self.measured
        columns = [
            f"{name}_{component_labels(self.robot, name)[k]}"
            for name, mask in still.items()
            for k in np.flatnonzero(mask)
        ]
        if columns:
            self.summary.warn(f"constant columns, which excite nothing: {', '.join(columns)}")

    def _torques(self, tau: np.ndarray, predicted: np.ndarray) -> None:
        """Measured torques beside those of the robot's own parameters."""
        if told := told_torques(*compared(tau, predicted), PLAUSIBLE):
            self.summary.warn(told)


def told_degrees(robot: Subject, sight: Sight) -> str:
    """Angles far beyond their limits, but within them as degrees, in words; or nothing."""
    for view in robot.joints.values():
        kind = view.joint.row
        angles = [(i, k) for i, k in kind.limited if kind.units[i] == "rad"]
        if kind.pitched or not angles or view.joint.mimic is not None:
            continue
        at, entries = (list(x) for x in zip(*angles, strict=True))
        reached = np.abs((sight.low["q"][view.q], sight.high["q"][view.q]))
        largest = reached.max(axis=0)[at]
        limit = np.abs((view.joint.lower, view.joint.upper)).max(axis=0)[entries]
        allowed = np.where(np.isfinite(limit), np.maximum(2.0 * limit, 1.0), _TURNS * 2 * np.pi)
        if np.any(largest > allowed):
            return (
                f"the position of joint '{view.name}' reaches"
                f" {largest.max():.4g}; if angles are in degrees, pass degrees=True"
            )
    return ""


def told_torques(ratio: float, agreement: float, plausible: tuple[float, float]) -> str:
    """What is odd about torques beside those expected, in words; or nothing."""
    if agreement < -0.6:
        return (
            "the torques are opposite to those expected; if they act on the"
            " links the other way round, pass torque_scale=-1"
        )
    if abs(agreement) > 0.5 and not plausible[0] < abs(ratio) < plausible[1]:
        if 1e3 / 5.0 < ratio < 5e3:
            hint = "are they in mN m? Then pass torque_scale=1e-3"
        elif 1e-3 / 5.0 < ratio < 5e-3:
            hint = "are they in kN m? Then pass torque_scale=1e3"
        else:
            hint = "are they in N m, and on the joint's side of the gear?"
        return (
            f"the torques are {ratio:.3g} times those expected from the"
            f" robot's own parameters; {hint}"
        )
    return ""


def compared(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Factor by which x is larger than y, and how well they agree (-1 to 1)."""
    with np.errstate(all="ignore"):
        xx, yy, xy = np.sum(x * x), np.sum(y * y), np.sum(x * y)
    if not (0.0 < xx < _HUGE and 0.0 < yy < _HUGE):
        return 1.0, 0.0
    return float(np.sign(xy) * np.sqrt(xx / yy)), float(xy / np.sqrt(xx * yy))


def _reason(ratio: float) -> str:
    """A factor that explains a ratio of rates."""
    degree = 180.0 / np.pi
    for factor, reason in (
        (degree, "are some in degrees and others in radians? See degrees=True"),
        (1.0 / degree, "are some in degrees and others in radians? See degrees=True"),
        (1e-3, "are the times in ms? Then pass time_scale=1e-3"),
        (1e-6, "are the times in us? Then pass time_scale=1e-6"),
        (1e-9, "are the times in ns? Then pass time_scale=1e-9"),
    ):
        if factor / _NEAR < abs(ratio) < factor * _NEAR:
            return reason
    return "check the units of both, and of the times"
