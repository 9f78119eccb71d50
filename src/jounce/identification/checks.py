"""Warnings about measured data and a fit: one plausibility check, and what was left out.

Nothing here stops an identification; each finding is a DataWarning that says what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from jounce.identification.columns import component_labels, listed
from jounce.identification.data import DataSummary, Samples
from jounce.identification.robust import FAR, Outliers
from jounce.identification.subject import Subject

#: Angles without limits beyond this many turns are implausible.
_MAX_TURNS = 8.0

#: Ratios of measured to expected torques that are plausible.
_PLAUSIBLE = (0.05, 20.0)

#: Residuals of this share of a torque explain nothing of it.
_UNEXPLAINED = 0.9

#: Sums of squares beyond this overflow in products.
_HUGE = 1e150

#: Loops that measurements leave open by more than this (rad, m) are worth a warning.
_GAP = 0.01


@dataclass(eq=False)
class ValueRanges:
    """Least and largest values of q, v and tau by entry; those of two files can be added.

    files: where the largest positions are. gap: the most by which loops are left open, rad or m.
    """

    low: dict[str, np.ndarray] = field(default_factory=dict)
    high: dict[str, np.ndarray] = field(default_factory=dict)
    gap: float = 0.0
    files: tuple[str, ...] = ()

    def watch(self, samples: Samples, file: str = "") -> None:
        """Widen the ranges to samples of a file."""
        if len(samples):
            x = {name: getattr(samples, name) for name in ("q", "v", "tau")}
            low = {name: y.min(axis=0) for name, y in x.items()}
            high = {name: y.max(axis=0) for name, y in x.items()}
            both = self + ValueRanges(low, high, 0.0, (file,) * len(low["q"]))
            self.low, self.high, self.files = both.low, both.high, both.files

    def __add__(self, other: ValueRanges) -> ValueRanges:
        if not (self.low and other.low):
            one = self if self.low else other
            return ValueRanges(one.low, one.high, max(self.gap, other.gap), one.files)
        low = {k: np.minimum(x, other.low[k]) for k, x in self.low.items()}
        high = {k: np.maximum(x, other.high[k]) for k, x in self.high.items()}
        more = other.largest() > self.largest()
        files = tuple(
            b if further else a
            for a, b, further in zip(self.files, other.files, more, strict=False)
        )
        return ValueRanges(low, high, max(self.gap, other.gap), files)

    def largest(self) -> np.ndarray:
        """Return the largest sizes (nq,) of positions."""
        return np.maximum(np.abs(self.low["q"]), np.abs(self.high["q"]))


def implausible_angle(robot: Subject, ranges: ValueRanges) -> str:
    """Return a warning about the first angle far beyond its limits; "" if there is none."""
    largest, labels = ranges.largest(), component_labels(robot, "q")
    for view in robot.joints.values():
        row = view.joint.row
        if row.pitched or view.joint.mimic is not None:
            continue
        for i, k in row.limited:
            limit = max(abs(view.joint.lower[k]), abs(view.joint.upper[k]))
            allowed = max(2.0 * limit, 1.0) if np.isfinite(limit) else _MAX_TURNS * 2.0 * np.pi
            at = view.q.start + i
            if row.units[i] == "rad" and largest[at] > allowed:
                file = ranges.files[at] if ranges.files and ranges.files[at] else ""
                return (
                    f"column q_{labels[at]}{file and f' of {file}'} reaches {largest[at]:.4g}, far"
                    f" beyond {allowed:.4g}; if angles are in degrees, pass degrees=True"
                )
    return ""


def implausible_torques(measured: np.ndarray, expected: np.ndarray) -> str:
    """Return a warning if torques (n, k) differ from those expected by a sign or a large factor."""
    with np.errstate(all="ignore"):
        xx, yy, xy = (np.sum(x) for x in (measured**2, expected**2, measured * expected))
    if not (0.0 < xx < _HUGE and 0.0 < yy < _HUGE):
        return ""
    ratio, agreement = np.sqrt(xx / yy), xy / np.sqrt(xx * yy)
    if agreement < -0.6:
        return (
            "the torques are opposite to those expected; if they act on the links the other way"
            " round, pass torque_scale=-1"
        )
    if agreement < 0.5 or _PLAUSIBLE[0] < ratio < _PLAUSIBLE[1]:
        return ""
    hint = "are they in N m, and on the joint's side of the gear?"
    for unit, factor, scale in (("mN m", 1e3, "1e-3"), ("kN m", 1e-3, "1e3")):
        if factor / 5.0 < ratio < 5.0 * factor:
            hint = f"are they in {unit}? Then pass torque_scale={scale}"
    return f"the torques are {ratio:.3g} times those expected from the robot's parameters; {hint}"


class Inspector:
    """Issues the warnings when all samples have been read.

    measured: mask (nv,) of the torques there are. summary: takes the warnings.
    """

    def __init__(self, robot: Subject, measured: np.ndarray, summary: DataSummary) -> None:
        self.robot, self.measured, self.summary = robot, measured, summary

    def report(self, ranges: ValueRanges, tau: np.ndarray, expected: np.ndarray | None) -> None:
        """Warn about rows that were left out and values that are implausible.

        tau, expected (n, nv): measured torques and those of the robot as it was loaded, at some
        samples (None: it has no masses).
        """
        for message in self._counts():
            self.summary.warn(message)
        if ranges.gap > _GAP:
            self.summary.warn(
                f"the joints as measured leave the loops of {self.robot.name} open by up to"
                f" {ranges.gap:.2g} (m or rad); the independent ones are trusted. Check the zeros"
                " and the geometry"
            )
        torques = ""
        if expected is not None:
            torques = implausible_torques(tau[:, self.measured], expected[:, self.measured])
        checks = (self._constant(ranges), implausible_angle(self.robot, ranges), torques)
        for message in filter(None, checks):
            self.summary.warn(message)

    def _counts(self) -> Iterator[str]:
        summary = self.summary
        if summary.missing:
            named = summary.missing_in if summary.partitions > 1 else {}
            more = ", ..." if sum(named.values()) < summary.missing else ""
            where = ", ".join(f"{count} of {name}" for name, count in named.items())
            yield (
                f"{summary.missing} of {summary.rows} rows have missing values (NaN or infinity)"
                f" and are left out{f': {where}{more}' if named else ''}"
            )
        if summary.jumps:
            yield (
                f"time does not rise at {summary.jumps} of {summary.rows} rows; each such row is"
                " taken as the start of another recording"
            )

    def _constant(self, ranges: ValueRanges) -> str:
        """Return a warning about columns that never change, with their values."""
        still = {name: low == ranges.high[name] for name, low in ranges.low.items()}
        if still["q"].all() and still["v"].all():
            return (
                f"q and v are the same in all {self.summary.used} rows, so that almost nothing can"
                " be identified; record a motion"
            )
        still["tau"] &= self.measured
        columns = [
            f"{name}_{component_labels(self.robot, name)[k]} ({ranges.low[name][k]:.4g})"
            for name, mask in still.items()
            for k in np.flatnonzero(mask)
        ]
        return f"constant columns, which excite nothing: {listed(columns)}" if columns else ""

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
