"""Plots of retimed paths: loads relative to their limits, and the phase plane."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible

if TYPE_CHECKING:
    from jounce.planning.retimed_path import RetimedPath

#: Instants of a plot.
_INSTANTS = 1000


def plot(motion: RetimedPath, loads: Callable[[np.ndarray], dict[str, np.ndarray]]) -> Any:
    """Return a figure of all limited quantities relative to their limits, and the phase plane.

    Parameters
    ----------
    motion : RetimedPath
        The motion.
    loads : callable
        Returns all that can be limited by kind, at instants.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib; install it: pip install "jounce[plot]"') from None
    t = np.linspace(0.0, motion.duration, _INSTANTS)
    curves, limits = loads(t), motion.limits
    figure = Figure(figsize=(8.0, 1.8 * (len(limits) + 1)), layout="constrained")
    axes = figure.subplots(len(limits) + 1, 1)
    assert motion.robot is not None
    labels = [legible(x, 20) for x in motion.robot.labels("v")]
    for ax, (name, (lower, upper)) in zip(axes, limits.items(), strict=False):
        scale = np.maximum(np.abs(lower), np.abs(upper))
        for k in np.flatnonzero(np.isfinite(scale) & (scale > 0.0)):
            ax.plot(t, curves[name][:, k] / scale[k], lw=0.9, color=f"C{k % 10}", label=labels[k])
        for level in (-1.0, 1.0):
            ax.axhline(level, color="gray", lw=0.7, ls="--")
        ax.set_ylabel(f"{name} / limit", fontsize=8)
        ax.set_xlabel("time (s)", fontsize=8)
    if len(labels) <= 12:
        for text in axes[0].legend(loc="upper right", fontsize=6, ncol=4).get_texts():
            text.set(parse_math=False, usetex=False)
    axes[-1].plot(np.linspace(0.0, 1.0, len(motion.speeds)), motion.speeds, color="C0")
    axes[-1].set_xlabel("share of the parameter", fontsize=8)
    axes[-1].set_ylabel("its rate (1/s)", fontsize=8)
    for ax in axes:
        ax.tick_params(labelsize=7)
        ax.grid(alpha=0.25)
    return figure
