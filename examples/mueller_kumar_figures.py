"""Figures 3 and 4 of Mueller and Kumar 2021: second-order inverse dynamics of the KUKA iiwa 14.

Along q_i(t) = amp_i cos(omega_i t), with the wrench W(t) = 10 sin(pi t) (1, 1, 1, 1, 1, 1) that the
last body exerts on its surroundings, the generalised forces Q = M a + C v + g + J^T W and their
time derivatives come from one call, in closed form, and are drawn over numerical differentiation
of Q.

    python examples/mueller_kumar_figures.py [--quick] [--output FOLDER]

Writes mueller_kumar_figure3.png and mueller_kumar_figure4.png; needs Matplotlib. Prints the
largest deviation from central differences of second order, and from those of eighth order, which
shows that the deviation is that of the differences.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

import jounce
from jounce.io.gallery import gallery_data

#: Central differences, weights of f(t + k h), k = 1, 2, ...; odd for the first derivative, even
#: for the second (whose weight at k = 0 makes the sum zero). By order of accuracy.
FIRST = {2: (1 / 2,), 8: (4 / 5, -1 / 5, 4 / 105, -1 / 280)}
SECOND = {2: (1.0,), 8: (8 / 5, -1 / 5, 8 / 315, -1 / 560)}


def differences(x: np.ndarray, h: float, order: int) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivative of samples (n, ...) by central differences; NaN at the ends."""
    first, second = np.full_like(x, np.nan), np.full_like(x, np.nan)
    reach, n = order // 2, len(x)
    inner = slice(reach, n - reach)
    first[inner] = second[inner] = 0.0
    for k in range(1, reach + 1):
        ahead, behind = x[reach + k : n - reach + k], x[reach - k : n - reach - k]
        first[inner] += FIRST[order][k - 1] * (ahead - behind)
        second[inner] += SECOND[order][k - 1] * ((ahead - x[inner]) + (behind - x[inner]))
    return first / h, second / h**2


def cosines(t: np.ndarray, amp: np.ndarray, omega: np.ndarray) -> list[np.ndarray]:
    """q, v, a, j, s (n, joints) of amp cos(omega t)."""
    return [amp * omega**k * np.cos(omega * t[:, None] + k * np.pi / 2.0) for k in range(5)]


def wrenches_on(t: np.ndarray, bodies: int) -> dict[str, np.ndarray]:
    """Return wrenches (n, bodies, 6) on the bodies: the reaction to that of the last one."""
    names = ("wrenches", "dwrenches", "ddwrenches")
    w = {name: np.zeros((len(t), bodies, 6)) for name in names}
    for k, name in enumerate(names):
        w[name][:, -1] = -10.0 * np.pi**k * np.sin(np.pi * t + k * np.pi / 2.0)[:, None]
    return w


def panel(axes: Any, t: np.ndarray, lines: np.ndarray, symbol: str, unit: str) -> None:
    """Plot a line per joint."""
    for i, line in enumerate(lines.T):
        axes.plot(t, line, color=f"C{i}", linewidth=1.2, label=f"${symbol}_{i + 1}$")
    axes.set(xlabel="t [s]", ylabel=f"${symbol}$ [{unit}]", xlim=(t[0], t[-1]))
    axes.grid(alpha=0.3)


def figure3(path: Path, t: np.ndarray, q: np.ndarray, Q: np.ndarray) -> None:
    """Joint trajectories and joint torques."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.2), layout="constrained")
    panel(left, t, q, "q", "rad")
    left.set_title("(a) joint trajectories")
    panel(right, t, Q, "Q", "N m")
    right.set_title("(b) joint torques")
    for axes in (left, right):
        axes.legend(ncols=4, fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.16))
    figure.savefig(path, dpi=150)
    plt.close(figure)


def figure4(path: Path, t: np.ndarray, closed: Sequence[np.ndarray], numeric: Any) -> None:
    """Closed form as lines, numerical differentiation as dots."""
    figure, panels = plt.subplots(1, 2, figsize=(11.0, 4.6), layout="constrained")
    every = slice(len(t) // 80, None, max(len(t) // 40, 1))
    symbols = ((r"\dot{Q}", "N m/s", "first"), (r"\ddot{Q}", "N m/s²", "second"))
    for axes, line, dots, mark in zip(panels, closed, numeric, symbols, strict=True):
        symbol, unit, nth = mark
        panel(axes, t, line, symbol, unit)
        for i, column in enumerate(dots.T):
            axes.plot(t[every], column[every], ".", color=f"C{i}", markersize=6)
        axes.set_title(f"({'ab'[nth == 'second']}) {nth} time derivative of the joint torques")
        axes.legend(
            title="lines: closed form, dots: numerical differentiation",
            title_fontsize="small",
            ncols=7,
            columnspacing=1.2,
            handlelength=1.4,
            fontsize="small",
            loc="upper center",
            bbox_to_anchor=(0.5, -0.14),
        )
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Compute, compare, draw; returns the largest deviations, relative to the largest value."""
    parser = argparse.ArgumentParser(description="Figures 3 and 4 of Mueller and Kumar 2021.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="fewer samples, for tests")
    options = parser.parse_args(argv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)  # published inertias, rounded
        robot = jounce.load("iiwa14_mueller_kumar2021")
    data = gallery_data("iiwa14_mueller_kumar2021")
    path = data["trajectory"]
    t, h = np.linspace(0.0, path["T"], 1000 if options.quick else path["N"], retstep=True)
    state = cosines(t, np.array(path["amp"]), np.array(path["omega"]))
    wrenches = wrenches_on(t, robot.nb)
    second_order = robot.inverse_dynamics.rates(2)
    second_order(*state, **wrenches)  # compiles
    begin = time.perf_counter()
    Q, dQ, ddQ = second_order(*state, **wrenches)
    seconds = time.perf_counter() - begin
    print(f"Q, dQ/dt, d2Q/dt2 at {len(t)} instants in {1e3 * seconds:.1f} ms")

    result = {}
    for order in (2, 8):
        for name, closed, numeric in zip(
            ("dQ/dt", "d2Q/dt2"), (dQ, ddQ), differences(Q, float(h), order), strict=True
        ):
            deviation = np.nanmax(np.abs(closed - numeric))
            result[f"{name}, order {order}"] = float(deviation / np.abs(closed).max())
            print(
                f"{name:<8} closed form - differences of order {order}: largest deviation"
                f" {deviation:.1e} of {np.abs(closed).max():.1f}"
                f" {'N m/s' if name == 'dQ/dt' else 'N m/s^2'}"
            )
    options.output.mkdir(parents=True, exist_ok=True)
    figure3(options.output / "mueller_kumar_figure3.png", t, state[0], Q)
    figure4(options.output / "mueller_kumar_figure4.png", t, (dQ, ddQ), differences(Q, float(h), 2))
    print(f"wrote mueller_kumar_figure3.png, mueller_kumar_figure4.png to {options.output}")
    return result


if __name__ == "__main__":
    main()
