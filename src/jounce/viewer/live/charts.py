"""Charts next to a motion: the user's series, identified torques, elastic drives."""

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

#: Largest number of points of a curve.
_MAX_POINTS = 500

#: Colors that color-blind people can distinguish, and the color of the cursor.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
CURSOR_COLOR = "#b00020"


@dataclass(frozen=True, eq=False)
class Chart:
    """Curves over time: t (n,) in s, and by label y (n,)."""

    title: str
    t: np.ndarray
    curves: Mapping[str, np.ndarray]

    @property
    def range(self) -> tuple[float, float]:
        """Ends of the y axis: the range of the finite values and a margin."""
        values = np.concatenate([np.ravel(y) for y in self.curves.values()])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return low - margin, high + margin

    def subsample(self) -> Chart:
        """Return the chart with at most `_MAX_POINTS` points."""
        step = -(-len(self.t) // _MAX_POINTS)
        if step <= 1:
            return self
        return Chart(self.title, self.t[::step], {k: y[::step] for k, y in self.curves.items()})


def series_charts(series: Mapping[str, Any] | None, t: np.ndarray, title: str) -> list[Chart]:
    """Return a chart for each name, with curves (n,) or (n, k) over the trajectory."""
    out = []
    if series is not None and not isinstance(series, Mapping):
        raise TypeError(
            f"{title}: series must be a mapping of names to curves, such as {{'error': y}}, found"
            f" {type(series).__name__}"
        )
    for key, values in (series or {}).items():
        name = str(key)
        y = np.asarray(plain(values, f"{title}: series['{name}']"), dtype=float)
        if y.ndim not in (1, 2) or len(y) != len(t) or not y.size:
            raise ArgumentError(
                f"{title}: series['{name}'] must have shape ({len(t)},) or ({len(t)}, k), one row"
                f" per sample of the trajectory, found {y.shape}"
            )
        columns = {name: y} if y.ndim == 1 else {f"{k}": y[:, k] for k in range(y.shape[1])}
        out.append(Chart(name, t, columns))
    return out


def identification_charts(
    identification: Identification | None, subject: Subject, dt: float, title: str
) -> dict[str, list[Chart]]:
    """Return charts of measured and identified torques and residuals, by velocity."""
    if identification is None:
        return {}
    from jounce.identification import Identification

    if not isinstance(identification, Identification):
        raise TypeError(
            f"{title}: identification must be a result of jounce.identify, found"
            f" {type(identification).__name__}"
        )
    names = identification.subject.labels("v")
    labels = identification.subject.labels("q")
    if labels != subject.robot.labels("q"):
        raise ArgumentError(
            f"{title}: identification must be of this robot, found one with joints"
            f" {', '.join(labels)}"
        )
    kept = identification.kept
    t = kept.rows * dt if kept.t is None else kept.t - kept.t[0]
    model = identification.torques(kept.q, kept.v, kept.a)
    order = np.argsort(t, kind="stable")
    out = {}
    for i in identification.space.layout.rows:
        curves = {"measured": kept.tau[:, i], "identified": model[:, i]}
        curves["residual"] = kept.tau[:, i] - model[:, i]
        sorted_ = {label: y[order] for label, y in curves.items()}
        out[names[i]] = [Chart(f"{names[i]}: torque", t[order], sorted_)]
    return out


def elastic_charts(
    motion: ElasticMotion | None, subject: Subject, q: np.ndarray, t: np.ndarray, title: str
) -> dict[str, list[Chart]]:
    """Return charts of deflections and torques along a trajectory q (n, nq), by velocity."""
    if motion is None:
        return {}
    from jounce.solve.elastic import ElasticMotion

    dynamics = subject.dynamics
    if not isinstance(motion, ElasticMotion) or motion.motor_position.shape != (
        len(t),
        dynamics.nv,
    ):
        actual = getattr(getattr(motion, "motor_position", None), "shape", type(motion).__name__)
        raise ArgumentError(
            f"{title}: elastic must be a result of elastic_inverse_dynamics or elastic_trajectory"
            f" along the trajectory, with arrays ({len(t)}, {dynamics.nv}), found {actual}"
        )
    coordinates = _coordinates_by_velocity(subject)
    out = {}
    for k, name in enumerate(dynamics.labels("v")):
        torques = {"motor": motion.motor_torque[:, k], "link": motion.link_torque[:, k]}
        charts = [Chart(f"{name}: torque", t, torques)]
        theta = motion.motor_position[:, k]
        if k in coordinates and np.isfinite(theta).all():
            link = q[:, coordinates[k]]
            charts.append(Chart(f"{name}: position", t, {"motor": theta, "link": link}))
            charts.append(Chart(f"{name}: deflection", t, {"motor - link": theta - link}))
        out[name] = charts
    return out


def _coordinates_by_velocity(subject: Subject) -> dict[int, int]:
    """Map entries of v that are rates of a coordinate to the index of that coordinate."""
    coordinates = {}
    for view in subject.robot.joints.values():
        if view.joint.mimic is None:
            coordinates |= {view.v.start + k: view.q.start + i for i, k in view.joint.row.rates}
    velocities = enumerate(subject.dynamics.velocities)
    return {k: coordinates[i] for k, i in velocities if i in coordinates}


class ChartView:
    """A chart in the panel, with a cursor at the current time."""

    def __init__(self, gui: Any, chart: Chart) -> None:
        self._library = viser().uplot
        self.chart = chart.subsample()
        self._index = 0
        title = legible(self.chart.title, 60)
        self._handle = gui.add_uplot(
            self._data(),
            self._series(),
            title=title,
            # The range is set because NaN in the data would disable automatic scaling.
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
        return (Series(label="t"), *curves, Series(label="now", stroke=CURSOR_COLOR, width=1.5))

    def _data(self) -> tuple[np.ndarray, ...]:
        low, high = self.chart.range
        # uPlot only draws curves: the cursor is one with a peak, off the scale elsewhere.
        line = np.full(len(self.chart.t), low - (high - low))
        line[self._index] = high
        return (self.chart.t, *self.chart.curves.values(), line)

    def move(self, time: float) -> None:
        """Move the cursor to a time."""
        index = int(np.clip(np.searchsorted(self.chart.t, time), 0, len(self.chart.t) - 1))
        if index != self._index:
            self._index = index
            self._handle.data = self._data()

    def remove(self) -> None:
        """Remove the chart."""
        self._handle.remove()
