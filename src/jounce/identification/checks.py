"""Warnings about measured data and the quality of a fit.

None of them stops an identification; each is a DataWarning that says what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from jounce.identification.columns import component_labels, join_names
from jounce.identification.data import DataSummary, Samples
from jounce.identification.estimator import ParameterEstimator
from jounce.identification.robust import FAR, Outliers
from jounce.identification.subject import Subject

#: Largest plausible number of turns of a joint without limits.
_MAX_TURNS = 8.0

#: Plausible ratios of measured to expected torques.
_PLAUSIBLE_RATIOS = (0.05, 20.0)

#: Residuals larger than this fraction of a torque cause a warning.
_MAX_RESIDUAL = 0.9

#: Products of sums of squares larger than this overflow.
_MAX_SUM = 1e150

#: Gaps of measured loops larger than this (rad, m) cause a warning.
_MAX_GAP = 0.01


@dataclass(eq=False)
class ValueRanges:
    """Least and largest values of q, v and tau by entry; ranges of two files can be added.

    files: files with the largest positions. gap: largest gap of the loops, rad or m.
    """

    low: dict[str, np.ndarray] = field(default_factory=dict)
    high: dict[str, np.ndarray] = field(default_factory=dict)
    gap: float = 0.0
    files: tuple[str, ...] = ()

    def watch(self, samples: Samples, file: str = "") -> None:
        """Extend the ranges to samples of a file."""
        if len(samples):
            x = {name: getattr(samples, name) for name in ("q", "v", "tau")}
            low = {name: y.min(axis=0) for name, y in x.items()}
            high = {name: y.max(axis=0) for name, y in x.items()}
            total = self + ValueRanges(low, high, 0.0, (file,) * len(low["q"]))
            self.low, self.high, self.files = total.low, total.high, total.files

    def __add__(self, other: ValueRanges) -> ValueRanges:
        if not (self.low and other.low):
            part = self if self.low else other
            return ValueRanges(part.low, part.high, max(self.gap, other.gap), part.files)
        low = {k: np.minimum(x, other.low[k]) for k, x in self.low.items()}
        high = {k: np.maximum(x, other.high[k]) for k, x in self.high.items()}
        is_larger = other.largest() > self.largest()
        files = tuple(
            b if larger else a
            for a, b, larger in zip(self.files, other.files, is_larger, strict=False)
        )
        return ValueRanges(low, high, max(self.gap, other.gap), files)

    def largest(self) -> np.ndarray:
        """Return the largest absolute positions (nq,)."""
        return np.maximum(np.abs(self.low["q"]), np.abs(self.high["q"]))


def implausible_angle(robot: Subject, ranges: ValueRanges) -> str:
    """Return a warning about the first angle far beyond its limits, or ""."""
    largest, labels = ranges.largest(), component_labels(robot, "q")
    for view in robot.joints.values():
        row = view.joint.row
        if row.pitched or view.joint.mimic is not None:
            continue
        for i, k in row.limited:
            limit = max(abs(view.joint.lower[k]), abs(view.joint.upper[k]))
            allowed = max(2.0 * limit, 1.0) if np.isfinite(limit) else _MAX_TURNS * 2.0 * np.pi
            index = view.q.start + i
            if row.units[i] == "rad" and largest[index] > allowed:
                file = ranges.files[index] if ranges.files else ""
                name = f"q_{labels[index]}{file and f' of {file}'}"
                return (
                    f"column {name} reaches {largest[index]:.4g},"
                    f" far beyond {allowed:.4g}; if angles are in degrees, pass degrees=True"
                )
    return ""


def implausible_torques(measured: np.ndarray, expected: np.ndarray) -> str:
    """Return a warning if torques (n, k) differ from expected ones by a sign or large factor."""
    with np.errstate(all="ignore"):
        xx, yy, xy = (np.sum(x) for x in (measured**2, expected**2, measured * expected))
    if not (0.0 < xx < _MAX_SUM and 0.0 < yy < _MAX_SUM):
        return ""
    ratio, agreement = np.sqrt(xx / yy), xy / np.sqrt(xx * yy)
    if agreement < -0.6:
        return (
            "the torques have the opposite sign of those expected; if they are defined in the"
            " opposite direction, pass torque_scale=-1"
        )
    if agreement < 0.5 or _PLAUSIBLE_RATIOS[0] < ratio < _PLAUSIBLE_RATIOS[1]:
        return ""
    hint = "are they in N m, and on the joint's side of the gear?"
    for unit, factor, scale in (("mN m", 1e3, "1e-3"), ("kN m", 1e-3, "1e3")):
        if factor / 5.0 < ratio < 5.0 * factor:
            hint = f"are they in {unit}? Then pass torque_scale={scale}"
    return f"the torques are {ratio:.3g} times those expected from the robot's parameters; {hint}"


class Inspector:
    """Issues the warnings after all samples have been read.

    measured: mask (nv,) of the measured torques. summary: collects the warnings.
    """

    def __init__(self, robot: Subject, measured: np.ndarray, summary: DataSummary) -> None:
        self.robot, self.measured, self.summary = robot, measured, summary

    def report(self, ranges: ValueRanges, tau: np.ndarray, expected: np.ndarray | None) -> None:
        """Warn about rows that were left out and values that are implausible.

        tau, expected (n, nv): measured torques, and torques of the robot as loaded (None: it has no
        masses), at some samples.
        """
        for message in self._counts():
            self.summary.warn(message)
        if ranges.gap > _MAX_GAP:
            self.summary.warn(
                f"the measured joints leave the loops of {self.robot.name} open by up to"
                f" {ranges.gap:.2g} (m or rad), and only the independent joints are used; check the"
                " zeros and the geometry"
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
            ellipsis = ", ..." if sum(named.values()) < summary.missing else ""
            where = ", ".join(f"{count} of {name}" for name, count in named.items())
            yield (
                f"{summary.missing} of {summary.rows} rows have missing values (NaN or infinity)"
                f" and are left out{f': {where}{ellipsis}' if named else ''}"
            )
        if summary.jumps:
            yield (
                f"time does not increase at {summary.jumps} of {summary.rows} rows; each such row"
                " is treated as the start of another recording"
            )

    def _constant(self, ranges: ValueRanges) -> str:
        """Return a warning about columns that never change, with their values."""
        constant = {name: low == ranges.high[name] for name, low in ranges.low.items()}
        if constant["q"].all() and constant["v"].all():
            return (
                f"q and v are the same in all {self.summary.used} rows, so that almost nothing can"
                " be identified; record a motion"
            )
        constant["tau"] &= self.measured
        columns = [
            f"{name}_{component_labels(self.robot, name)[k]} ({ranges.low[name][k]:.4g})"
            for name, mask in constant.items()
            for k in np.flatnonzero(mask)
        ]
        return f"constant columns, which excite nothing: {join_names(columns)}" if columns else ""

    def outliers(self, outliers: Outliers) -> None:
        """Warn about outliers among the torques."""
        self.summary.outliers = outliers.rows
        if outliers.rows:
            self.summary.warn(
                f"{outliers.rows} of {self.summary.rows} rows have torques more than"
                f" {FAR:g} times as far from the model as usual, which distort the parameters:"
                f" {outliers.describe(self.robot.labels('v'))}, rows counted from 0; correct or"
                " remove them, or pass robust='huber' (--robust)"
            )

    def distance(self, estimator: ParameterEstimator) -> None:
        """Warn if a constrained fit is farther from least squares than noise explains."""
        if estimator.is_close:
            return
        k = int(np.argmax(estimator.distances))
        self.summary.warn(
            f"the consistent parameters are {estimator.distance:.3g} standard deviations of the"
            " noise away from those that fit the data best, farther than noise explains, mostly in"
            f" {estimator.space.short_name(k)}: no physically consistent robot near the prior has"
            " these torques. Check friction, offsets, units and times, lower the regularization,"
            " or compare with method='wls'"
        )

    def fit(self, rms: np.ndarray, tau: np.ndarray, unexcited: list[str], parameters: int) -> None:
        """Warn about unexplained torques and parameters that are not excited.

        rms (nv,): of the residuals. tau (n, nv): measured torques at some samples. unexcited: names
        of base parameters. parameters: number of base parameters.
        """
        if unexcited:
            self.summary.warn(
                f"the motion does not excite {len(unexcited)} of {parameters}"
                f" base parameters, which keep their prior values: {'; '.join(unexcited)}"
            )
        size = np.sqrt(np.mean(tau**2, axis=0))
        poor = np.flatnonzero(self.measured & (rms > _MAX_RESIDUAL * size) & (size > 0.0))
        if len(poor) and not self.summary.outliers:
            labels = self.robot.labels("v")
            names = join_names(f"{labels[i]} ({100 * rms[i] / size[i]:.0f} %)" for i in poor)
            self.summary.warn(
                f"the fit explains almost nothing of the torques of {names}: the residuals are"
                " about as large as the torques. Check the assignment of columns to joints, the"
                " units, signs and times, and whether these torques are only noise"
            )
