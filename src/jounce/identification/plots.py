"""Plots of an identification: torques and residuals, parameters, cross-validation."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible

if TYPE_CHECKING:
    from jounce.identification.result import Identification

#: Colours that remain apart for the colour-blind.
_MEASURED, _FITTED, _LEFT = "#555555", "#0072b2", "#d55e00"

#: Text as it is: names of joints may look like formulas.
_PLAIN = {"parse_math": False, "usetex": False}

#: Letters of a name.
_LETTERS = 30

#: Points of a curve that still can be seen.
_POINTS = 1500


def figure_class() -> Any:
    """matplotlib's Figure, which needs no display, or an error that says how to get it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib; install it: pip install "jounce[plot]"') from None
    return Figure


def _labels(found: Identification) -> list[str]:
    """Names of the entries of v, short enough to leave room for the plots."""
    return [legible(name, _LETTERS) for name in found.subject.labels("v")]


def torque_figure(found: Identification) -> Any:
    """Measured and fitted torques and residuals of each joint, at some samples."""
    Figure = figure_class()
    rows, names = found.space.layout.rows, _labels(found)
    kept = found.kept[:: max(1, len(found.kept) // _POINTS)]
    timed = kept.t is not None and bool(np.all(np.diff(kept.t) >= 0.0))  # else several recordings
    x, label = (kept.t, "time (s)") if timed else (kept.rows, "row")
    fitted = found.torques(kept.q, kept.v, kept.a)
    figure = Figure(figsize=(9.0, 1.6 * len(rows) + 0.6), layout="constrained")
    for axes, i in zip(np.ravel(figure.subplots(len(rows), 1, sharex=True)), rows, strict=True):
        axes.plot(x, kept.tau[:, i], color=_MEASURED, lw=0.8, label="measured")
        axes.plot(x, fitted[:, i], color=_FITTED, lw=0.8, label="identified")
        axes.plot(x, kept.tau[:, i] - fitted[:, i], color=_LEFT, lw=0.6, label="residual")
        axes.set_ylabel(names[i], fontsize=8, **_PLAIN)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
    figure.axes[0].legend(loc="upper right", fontsize=7, ncol=3)
    figure.axes[-1].set_xlabel(label, fontsize=8)
    return figure


def error_figure(found: Identification) -> Any:
    """Relative residuals of each joint: before, after, and on data left out of the fit."""
    Figure = figure_class()
    rows, names = found.space.layout.rows, _labels(found)
    figure = Figure(figsize=(9.0, 2.8), layout="constrained")
    axes = figure.subplots()
    whole = np.where(found.rms_torque > 0.0, found.rms_torque, np.nan)[rows]
    bars = [("before", found.rms_prior, _MEASURED), ("identified", found.rms, _FITTED)]
    if len(found.validation):
        bars.append(("validation", np.sqrt(np.mean(found.validation**2, axis=0)), _LEFT))
    x, width = np.arange(len(rows)), 0.8 / len(bars)
    for k, (label, values, color) in enumerate(bars):
        axes.bar(x + (k + 0.5) * width - 0.4, values[rows] / whole, width, color=color, label=label)
    axes.set_yscale("log")
    axes.set_xticks(x, [names[i] for i in rows], rotation=30, ha="right", fontsize=7, **_PLAIN)
    axes.set_ylabel("residual / torque (rms)", fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=7)
    return figure


def base_figure(found: Identification) -> Any:
    """Base parameters in units of their standard deviations, and how far they have moved."""
    Figure = figure_class()
    figure = Figure(figsize=(9.0, 2.8), layout="constrained")
    axes = figure.subplots()
    before = found.space.matrix @ found.space.prior
    sure = np.abs(found.beta) / found.estimate.deviations
    moved = np.abs(found.beta - before) / found.estimate.deviations
    x = np.arange(1, len(sure) + 1)
    axes.plot(x, sure, "o", ms=3, color=_FITTED, label="value / deviation")
    axes.plot(x, np.maximum(moved, 1e-3), "x", ms=4, color=_LEFT, label="change / deviation")
    axes.axhline(1.0, color=_MEASURED, lw=0.8)
    axes.set_yscale("log")
    axes.set_xlabel("base parameter", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=7)
    return figure


def svg(figure: Any) -> str:
    """A figure as an <svg> element."""
    import matplotlib

    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # browsers have fonts for other scripts
        figure.savefig(text, format="svg", metadata={"Date": None})
    content = text.getvalue()
    return content[content.index("<svg") :]
