"""Curves beside a motion: what the user gives, what was identified, what elastic drives do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import plain
from jounce.errors import ArgumentError, legible
from jounce.viewer.live.server import viser
from jounce.viewer.live.subject import Subject

if TYPE_CHECKING:
    from jounce.identification import Identification
    from jounce.solve.elastic import ElasticMotion

#: Points of a curve that still can be seen.
_POINTS = 500

#: Colours that remain apart for the colour-blind, and that of the cursor.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
CURSOR = "#b00020"


@dataclass(frozen=True, eq=False)
class Chart:
    """Curves over time: t (n,) in s, and by label y (n,)."""

    title: str
    t: np.ndarray
    curves: Mapping[str, np.ndarray]

    @property
    def range(self) -> tuple[float, float]:
        """Ends of the axis: a little beyond the curves, as far as these are numbers."""
        values = np.concatenate([np.ravel(y) for y in self.curves.values()])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
        room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return low - room, high + room

    def thinned(self) -> Chart:
        """With no more points than can be seen."""
        step = -(-len(self.t) // _POINTS)
        if step <= 1:
            return self
        return Chart(self.title, self.t[::step], {k: y[::step] for k, y in self.curves.items()})


def series_charts(series: Mapping[str, Any] | None, t: np.ndarray, title: str) -> list[Chart]:
    """A chart for each name: curves (n,), or (n, k) for several, at the trajectory's instants."""
    out = []
    if series is not None and not isinstance(series, Mapping):
        raise TypeError(
            f"{title}: series: expected curves by name, such as {{'error': y}}, found"
            f" {type(series).__name__}"
        )
    for given_name, given in (series or {}).items():
        name = str(given_name)
        y = np.asarray(plain(given, f"{title}: series['{name}']"), dtype=float)
        if y.ndim not in (1, 2) or len(y) != len(t) or not y.size:
            raise ArgumentError(
                f"{title}: series['{name}'] must have shape ({len(t)},) or ({len(t)}, k), one row"
                f" per sample of the trajectory, found {y.shape}"
            )
        columns = {name: y} if y.ndim == 1 else {f"{k}": y[:, k] for k in range(y.shape[1])}
        out.append(Chart(name, t, columns))
    return out


def identification_charts(
    found: Identification | None, subject: Subject, dt: float, title: str
) -> dict[str, list[Chart]]:
    """Measured and identified torques and what is left, by velocity."""
    if found is None:
        return {}
    from jounce.identification import Identification

    if not isinstance(found, Identification):
        raise TypeError(
            f"{title}: identification: expected what jounce.identify returns, found"
            f" {type(found).__name__}"
        )
    names = found.subject.labels("v")
    own = found.subject.labels("q")
    if own != subject.robot.labels("q"):
        raise ArgumentError(
            f"{title}: identification: expected one of this robot, found one of joints"
            f" {', '.join(own)}"
        )
    kept = found.kept
    t = kept.rows * dt if kept.t is None else kept.t - kept.t[0]
    model = found.torques(kept.q, kept.v, kept.a)
    order = np.argsort(t, kind="stable")
    out = {}
    for i in found.space.layout.rows:
        curves = {"measured": kept.tau[:, i], "identified": model[:, i]}
        curves["residual"] = kept.tau[:, i] - model[:, i]
        sorted_ = {label: y[order] for label, y in curves.items()}
        out[names[i]] = [Chart(f"{names[i]}: torque", t[order], sorted_)]
    return out


def elastic_charts(
    motion: ElasticMotion | None, subject: Subject, q: np.ndarray, t: np.ndarray, title: str
) -> dict[str, list[Chart]]:
    """Deflections and torques of elastic drives along the trajectory q (n, nq), by velocity."""
    if motion is None:
        return {}
    from jounce.solve.elastic import ElasticMotion

    whole = subject.whole
    if not isinstance(motion, ElasticMotion) or motion.motor_position.shape != (len(t), whole.nv):
        found = getattr(getattr(motion, "motor_position", None), "shape", type(motion).__name__)
        raise ArgumentError(
            f"{title}: elastic: expected what elastic_inverse_dynamics or elastic_trajectory gives"
            f" along the trajectory, arrays ({len(t)}, {whole.nv}), found {found}"
        )
    places = _places(subject)
    out = {}
    for k, name in enumerate(whole.labels("v")):
        torques = {"motor": motion.motor_torque[:, k], "link": motion.link_torque[:, k]}
        charts = [Chart(f"{name}: torque", t, torques)]
        theta = motion.motor_position[:, k]
        if k in places and np.isfinite(theta).all():
            link = q[:, places[k]]
            charts.append(Chart(f"{name}: position", t, {"motor": theta, "link": link}))
            charts.append(Chart(f"{name}: deflection", t, {"motor - link": theta - link}))
        out[name] = charts
    return out


def _places(subject: Subject) -> dict[int, int]:
    """For each entry of v whose rate is that of a coordinate, which coordinate that is."""
    of_all = {}
    for view in subject.robot.joints.values():
        if view.joint.mimic is None:
            of_all |= {view.v.start + k: view.q.start + i for i, k in view.joint.row.rates}
    velocities = enumerate(subject.whole.velocities)
    return {k: of_all[at] for k, at in velocities if at in of_all}


class ChartView:
    """A chart in the panel, with a line at the instant that is shown."""

    def __init__(self, gui: Any, chart: Chart) -> None:
        self._library = viser().uplot
        self.chart = chart.thinned()
        self._at = 0
        title = legible(self.chart.title, 60)
        self._handle = gui.add_uplot(
            self._data(),
            self._series(),
            title=title,
            # given, as numbers that are none would leave the axis without ends
            scales={
                "x": self._library.Scale(time=False, auto=True),
                "y": self._library.Scale(auto=False, range=self.chart.range),
            },
            legend=self._library.Legend(show=True, live=False),
            height=190,
        )

    def _series(self) -> tuple[Any, ...]:
        Series = self._library.Series
        curves = [
            Series(label=legible(name, 40), stroke=COLORS[k % len(COLORS)], width=1.5)
            for k, name in enumerate(self.chart.curves)
        ]
        return (Series(label="t"), *curves, Series(label="now", stroke=CURSOR, width=1.5))

    def _data(self) -> tuple[np.ndarray, ...]:
        low, high = self.chart.range
        # charts know curves only: one that stands up at the instant, and is out of sight else
        line = np.full(len(self.chart.t), low - (high - low))
        line[self._at] = high
        return (self.chart.t, *self.chart.curves.values(), line)

    def move(self, time: float) -> None:
        """Put the line to an instant."""
        at = int(np.clip(np.searchsorted(self.chart.t, time), 0, len(self.chart.t) - 1))
        if at != self._at:
            self._at = at
            self._handle.data = self._data()

    def remove(self) -> None:
        """Take the chart away."""
        self._handle.remove()
