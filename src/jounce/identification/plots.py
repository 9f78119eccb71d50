"""Plots of an identification: torques and residuals, parameters, cross-validation."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible

if TYPE_CHECKING:
    from jounce.identification.result import Identification

#: Colors that color-blind readers can distinguish.
_MEASURED, _FITTED, _RESIDUAL = "#555555", "#0072b2", "#d55e00"

#: Options of literal text: names of joints may look like formulas.
_PLAIN = {"parse_math": False, "usetex": False}

#: Maximum number of letters of a name.
_MAX_LETTERS = 30

#: Maximum number of points of a curve.
_MAX_POINTS = 1500


def figure_class() -> Any:
    """Return matplotlib's Figure, which needs no display; say how to install it if missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib; install it: pip install "jounce[plot]"') from None
    return Figure


def _labels(result: Identification) -> list[str]:
    """Return shortened names of the entries of v."""
    return [legible(name, _MAX_LETTERS) for name in result.subject.labels("v")]


def torque_figure(result: Identification) -> Any:
    """Plot measured and fitted torques and residuals of each joint, at some samples."""
    Figure = figure_class()
    rows, names = result.space.layout.rows, _labels(result)
    kept = result.kept[:: max(1, len(result.kept) // _MAX_POINTS)]
    timed = kept.t is not None and bool(np.all(np.diff(kept.t) >= 0.0))  # one recording only
    x, label = (kept.t, "time (s)") if timed else (kept.rows, "row")
    fitted = result.torques(kept.q, kept.v, kept.a)
    figure = Figure(figsize=(9.0, 1.6 * len(rows) + 0.6), layout="constrained")
    for axes, i in zip(np.ravel(figure.subplots(len(rows), 1, sharex=True)), rows, strict=True):
        axes.plot(x, kept.tau[:, i], color=_MEASURED, lw=0.8, label="measured")
        axes.plot(x, fitted[:, i], color=_FITTED, lw=0.8, label="identified")
        axes.plot(x, kept.tau[:, i] - fitted[:, i], color=_RESIDUAL, lw=0.6, label="residual")
        axes.set_ylabel(names[i], fontsize=8, **_PLAIN)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
    figure.axes[0].legend(loc="upper right", fontsize=7, ncol=3)
    figure.axes[-1].set_xlabel(label, fontsize=8)
    return figure


def error_figure(result: Identification) -> Any:
    """Plot relative residuals of each joint: before, after, and in cross-validation."""
    Figure = figure_class()
    rows, names = result.space.layout.rows, _labels(result)
    figure = Figure(figsize=(9.0, 2.8), layout="constrained")
    axes = figure.subplots()
    torque = np.where(result.rms_torque > 0.0, result.rms_torque, np.nan)[rows]
    bars = [("before", result.rms_prior, _MEASURED), ("identified", result.rms, _FITTED)]
    if len(result.validation):
        bars.append(("validation", np.sqrt(np.mean(result.validation**2, axis=0)), _RESIDUAL))
    x, width = np.arange(len(rows)), 0.8 / len(bars)
    for k, (label, values, color) in enumerate(bars):
        axes.bar(
            x + (k + 0.5) * width - 0.4, values[rows] / torque, width, color=color, label=label
        )
    axes.set_yscale("log")
    axes.set_xticks(x, [names[i] for i in rows], rotation=30, ha="right", fontsize=7, **_PLAIN)
    axes.set_ylabel("residual / torque (rms)", fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=7)
    return figure


def base_figure(result: Identification) -> Any:
    """Plot base parameters and their changes in units of standard deviations."""
    Figure = figure_class()
    figure = Figure(figsize=(9.0, 2.8), layout="constrained")
    axes = figure.subplots()
    before = result.space.matrix @ result.space.prior
    values = np.abs(result.beta) / result.estimate.deviations
    changes = np.abs(result.beta - before) / result.estimate.deviations
    x = np.arange(1, len(values) + 1)
    axes.plot(x, values, "o", ms=3, color=_FITTED, label="value / deviation")
    axes.plot(x, np.maximum(changes, 1e-3), "x", ms=4, color=_RESIDUAL, label="change / deviation")
    axes.axhline(1.0, color=_MEASURED, lw=0.8)
    axes.set_yscale("log")
    axes.set_xlabel("base parameter", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=7)
    return figure


def svg(figure: Any) -> str:
    """Return a figure as an <svg> element."""
    import matplotlib

    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # browsers have fonts for other scripts
        figure.savefig(text, format="svg", metadata={"Date": None})
    content = text.getvalue()
    return content[content.index("<svg") :]
