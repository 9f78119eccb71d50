"""Figures of a study: deviations of a quantity from nominal, and the parameters that cause them.

Of results with many entries, those that vary most are drawn; the tables of the report have all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible
from jounce.identification import plots

if TYPE_CHECKING:
    from jounce.studies import Study

#: Colors that are safe for color-blind readers, one for all other groups, and one for lines.
_COLORS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7"),
    *("#e69f00", "#56b4e9", "#8c564b", "#f0e442"),
)
_OTHERS, _INK = "#bbbbbb", "#333333"

#: Turn off math mode: names of joints may contain characters such as $ and _.
_PLAIN = {"parse_math": False, "usetex": False}

#: Letters of a name, entries of a result, bars of an entry, points of a curve.
_MAX_LETTERS, MAX_ENTRIES, _MAX_BARS, _MAX_POINTS = 34, 12, 8, 400

#: Rows and columns of the table of indices.
_MAX_ROWS, _MAX_COLUMNS = 30, 40


def flatten(study: Study, x: Any, leading: int = 0) -> np.ndarray:
    """Return an array (..., *points, *shape) as (..., points, m); leading: axes to keep in front.

    Indices over all points, (groups, *shape), become (groups, m).
    """
    x = np.asarray(x)
    return x.reshape(*x.shape[:leading], -1, len(study.labels))


def shorten(names: Any) -> list[str]:
    """Return names cut to the width that fits next to a plot."""
    return [legible(str(name), _MAX_LETTERS) for name in names]


def deviation(study: Study) -> np.ndarray:
    """Return the standard deviation (m,) of each entry, root mean square over points."""
    return np.sqrt(np.mean(flatten(study, study.std) ** 2, axis=0))


def choose_entries(study: Study, most: int = MAX_ENTRIES) -> np.ndarray:
    """Return the entries that vary most, in their order; constant ones only if all are."""
    size = deviation(study)
    order = np.argsort(-size, kind="stable")[:most]
    return np.sort(order[size[order] > 0.0] if size.any() else order)


def choose_groups(study: Study, entries: np.ndarray, most: int) -> list[int]:
    """Return the groups that matter most for some entries, the largest first."""
    if study.total_overall is None:
        return []
    share = flatten(study, study.total_overall)[:, entries]
    return [int(k) for k in np.argsort(-share.max(axis=1, initial=0.0), kind="stable")[:most]]


def figures(study: Study) -> dict[str, Any]:
    """Return all figures by name: bands, deviations, and for Sobol indices total, first, all."""
    out = {"bands": band_figure(study), "deviations": band_figure(study, nominal=False)}
    if study.total_overall is not None:
        out |= {"total": total_figure(study), "first": first_figure(study)}
        out["all"] = index_figure(study)
    return out


def band_figure(study: Study, nominal: bool = True) -> Any:
    """Draw nominal and mean values, quantiles and extremes along the trajectory.

    nominal: values as they are; otherwise differences from nominal values.
    """
    points, x, label = _axis(study)
    center = flatten(study, study.nominal)[points]

    def values(y: Any) -> np.ndarray:
        return flatten(study, y)[points] - (0.0 if nominal else center)

    low, high, mean = (values(y) for y in (study.low, study.high, study.mean))
    inner = _choose_quantiles(study)
    figure, panels = _panels(study, 1.7)
    for axes, i in panels:
        axes.fill_between(x, low[:, i], high[:, i], color="#56b4e9", alpha=0.25, lw=0, label="all")
        if inner:
            name = f"{100 * study.levels[inner[0]]:g} to {100 * study.levels[inner[1]]:g} %"
            edges = [values(study.quantiles[k])[:, i] for k in inner]
            axes.fill_between(x, *edges, color="#0072b2", alpha=0.45, lw=0, label=name)
        axes.plot(x, mean[:, i], color=_INK, lw=0.9, label="mean")
        axes.plot(x, values(study.nominal)[:, i], color="#d55e00", lw=0.9, ls="--", label="nominal")
    _finish(figure, panels, label)
    figure.supylabel(legible(study.unit, _MAX_LETTERS), fontsize=8, **_PLAIN)
    return figure


def _choose_quantiles(study: Study) -> list[int]:
    """Return the widest pair of quantiles that is no wider than 5 % to 95 %; empty if none is."""
    levels = [float(x) for x in study.levels]
    low = [k for k, x in enumerate(levels) if 0.05 - 1e-9 <= x < 0.5]
    high = [k for k, x in enumerate(levels) if 0.5 < x <= 0.95 + 1e-9]
    if not low or not high:
        return []
    return [min(low, key=levels.__getitem__), max(high, key=levels.__getitem__)]


def _axis(study: Study) -> tuple[np.ndarray, np.ndarray, str]:
    """Return the points to draw, their abscissas and the axis label; one point is a line."""
    count = len(flatten(study, study.nominal))
    points = np.unique(np.linspace(0, count - 1, min(count, _MAX_POINTS)).round().astype(int))
    if count == 1:
        return np.zeros(2, int), np.array((0.0, 1.0)), ""
    if study.t is None:
        return points, points.astype(float), "point"
    return points, np.ravel(study.t)[points], "time (s)"


def total_figure(study: Study) -> Any:
    """Draw total indices of the parameters that matter most for each entry, with errors."""
    total, first, error = (
        flatten(study, y)
        for y in (study.total_overall, study.first_overall, study.total_overall_error)
    )
    groups = shorten(study.groups)
    figure, panels = _panels(study, 1.9)
    for axes, i in panels:
        largest = np.argsort(-total[:, i], kind="stable")[:_MAX_BARS]
        y, size = np.arange(len(largest))[::-1], 1.96 * error[largest, i]
        axes.barh(y, total[largest, i], 0.7, color="#56b4e9", label="total")
        bars = {"fmt": "none", "ecolor": _INK, "elinewidth": 0.8, "label": "95 % confidence"}
        axes.errorbar(total[largest, i], y, xerr=size, **bars)
        axes.plot(first[largest, i], y, "d", ms=3.5, color="#d55e00", label="first order")
        axes.set_yticks(y, [groups[k] for k in largest], fontsize=6.5, **_PLAIN)
        axes.set_xlim(left=0.0)
    _finish(figure, panels, "share of the variance")
    return figure


def first_figure(study: Study) -> Any:
    """Draw first-order indices along the trajectory, stacked.

    Negative estimates, which are noise, are drawn as zero. The remainder to one is due to
    interactions or noise.
    """
    points, x, label = _axis(study)
    figure, panels = _panels(study, 1.7)
    chosen = choose_groups(study, np.array([i for _, i in panels]), len(_COLORS))
    first = np.clip(flatten(study, study.first, 1)[:, points], 0.0, None)
    others = [k for k in range(len(study.groups)) if k not in chosen]
    names = shorten(study.groups)
    for axes, i in panels:
        layers = [first[k, :, i] for k in chosen]
        colors, labels = [*_COLORS[: len(chosen)]], [names[k] for k in chosen]
        if others:
            layers.append(first[others, :, i].sum(axis=0))
            colors, labels = [*colors, _OTHERS], [*labels, f"{len(others)} others"]
        axes.stackplot(x, *layers, colors=colors, labels=labels, lw=0)
        axes.set_ylim(0.0, max(1.0, float(np.sum(layers, axis=0).max())))
    _finish(figure, panels, label)
    return figure


def index_figure(study: Study) -> Any:
    """Draw total indices of groups and entries as a colored table."""
    entries = choose_entries(study, _MAX_COLUMNS)
    groups = sorted(choose_groups(study, entries, _MAX_ROWS))
    share = flatten(study, study.total_overall)[groups][:, entries]
    height, width = share.shape
    size = (max(4.0, min(9.0, 2.4 + 0.5 * width)), 1.2 + 0.21 * height)
    figure = plots.figure_class()(figsize=size, layout="constrained")
    axes = figure.subplots()
    drawn = axes.imshow(share, aspect="auto", cmap="Blues", vmin=0.0, vmax=share.max(initial=1e-9))
    columns, rows = shorten(study.labels), shorten(study.groups)
    letters = {"fontsize": 7 if width <= 20 else 5.5, "rotation": 90, **_PLAIN}
    axes.set_xticks(range(width), [columns[i] for i in entries], **letters)
    axes.set_yticks(range(height), [rows[k] for k in groups], fontsize=6.5, **_PLAIN)
    for k, i in np.argwhere(share >= 0.01) if width <= 12 else ():
        color = "white" if share[k, i] > 0.55 * share.max() else _INK
        text = {"ha": "center", "va": "center", "fontsize": 6, "color": color}
        axes.text(i, k, f"{100 * share[k, i]:.0f}", **text)
    bar = figure.colorbar(drawn, ax=axes, shrink=0.8)
    bar.set_label("total index", fontsize=7)
    bar.ax.tick_params(labelsize=6.5)
    return figure


def _panels(study: Study, height: float) -> tuple[Any, list[tuple[Any, int]]]:
    """Return a figure with axes for each chosen entry, in two columns if there are many."""
    entries = choose_entries(study)
    columns = 1 if len(entries) <= 3 else 2
    rows = -(-len(entries) // columns)
    figure = plots.figure_class()(figsize=(9.0, height * rows + 0.7), layout="constrained")
    axes = np.ravel(figure.subplots(rows, columns, squeeze=False))
    names = shorten(study.labels)
    for spare in axes[len(entries) :]:
        spare.remove()
    for panel, i in zip(axes, entries, strict=False):
        panel.set_title(names[i], fontsize=8, loc="left", pad=2, **_PLAIN)
        panel.tick_params(labelsize=7)
        panel.grid(alpha=0.25)
        panel.margins(x=0.0)
    return figure, list(zip(axes, map(int, entries), strict=False))


def _finish(figure: Any, panels: list[tuple[Any, int]], label: str) -> None:
    """Add a legend for all panels and the label below the last ones; without label, no ticks."""
    handles, labels = panels[0][0].get_legend_handles_labels()
    place = {"loc": "outside upper center", "ncols": min(len(labels), 5), "fontsize": 7}
    figure.legend(handles, labels, **place)
    for axes, _ in panels[-2:] if len(panels) > 3 else panels[-1:]:
        axes.set_xlabel(label or "single point", fontsize=8)
    for axes, _ in panels if not label else ():
        axes.set_xticks([])
