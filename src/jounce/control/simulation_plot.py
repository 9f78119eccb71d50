"""Plots of a closed-loop simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jounce.errors import legible

if TYPE_CHECKING:
    from jounce.control.simulation import Simulation


def plot(simulation: Simulation, index: tuple[int, ...]) -> Any:
    """Return a figure of positions, errors and commands of one loop.

    Parameters
    ----------
    simulation : Simulation
        Result of a simulation.
    index : tuple of int
        Which loop of a batch; by default the first one.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib; install it: pip install "jounce[plot]"') from None
    batch = simulation.commands.shape[:-2]
    index = index or (0,) * len(batch)

    def of(x: Any) -> Any:
        return x[index[-(x.ndim - 2) :] if x.ndim > 2 else ()]

    plant = simulation._loop.plant.system
    rows = [("position (rad, m)", of(simulation.q), plant.labels("q"))]
    if simulation.reference is not None:
        rows.append(("error (rad, m)", of(simulation.errors), plant.labels("v")))
    rows.append(("command (N m, N)", of(simulation.torques), plant.labels("v")))
    figure = Figure(figsize=(8.0, 2.0 * len(rows)), layout="constrained")
    for axes, (title, values, labels) in zip(
        figure.subplots(len(rows), 1, sharex=True), rows, strict=True
    ):
        t = simulation.t[: len(values)]
        for i, label in enumerate(labels):
            axes.plot(t, values[:, i], lw=0.9, color=f"C{i % 10}", label=legible(label, 20))
        if values is rows[0][1] and simulation.reference is not None:
            desired = of(simulation.reference)
            for i in range(desired.shape[-1]):
                axes.plot(simulation.t, desired[:, i], lw=0.7, ls="--", color=f"C{i % 10}")
        axes.set_ylabel(title, fontsize=8)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
    if len(rows[0][2]) <= 12:
        legend = figure.axes[0].legend(loc="upper right", fontsize=6, ncol=4)
        for text in legend.get_texts():
            text.set(parse_math=False, usetex=False)
    figure.axes[-1].set_xlabel("time (s)", fontsize=8)
    return figure
