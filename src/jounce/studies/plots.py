"""Plots of a study: how far a quantity may be from nominal, and which parameters make it so.

Results with many entries show those that vary most; tables of the report have all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible
from jounce.identification.plots import figure_class

if TYPE_CHECKING:
    from jounce.studies import Study

#: Colours that remain apart for the colour-blind, and one for all that is left.
_COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7"),
    *("#e69f00", "#56b4e9", "#8c564b", "#f0e442"),
)
_REST, _INK = "#bbbbbb", "#333333"

#: Text as it is: names of joints may look like formulas.
_PLAIN = {"parse_math": False, "usetex": False}

#: Letters of a name; entries of a result that are shown; bars of one entry; points of a curve.
_LETTERS, MOST, _BARS, _POINTS = 34, 12, 8, 400

#: What is along the axis of a single point.
_ONE = "the point"

#: Rows and columns of the table of indices that is drawn.
_TALL, _WIDE = 30, 40


def along(found: Study, x: Any) -> np.ndarray:
    """An array (*points, *shape) with one axis for points and one for entries, (P, m)."""
    return np.reshape(x, (-1, len(found.labels)))


def by_group(found: Study, x: Any) -> np.ndarray:
    """Indices (groups, *points, *shape) as (groups, P, m), or quantiles, by level."""
    return np.reshape(x, (len(x), -1, len(found.labels)))


def overall(found: Study, x: Any) -> np.ndarray:
    """Indices (groups, *shape) over the whole trajectory, or their errors, as (groups, m)."""
    return np.reshape(x, (len(x), len(found.labels)))


def short(names: Any) -> list[str]:
    """Names that leave room for the plots."""
    return [legible(str(name), _LETTERS) for name in names]


def deviation(found: Study) -> np.ndarray:
    """Standard deviation (m,) of each entry over samples, root mean square over points."""
    return np.sqrt(np.mean(along(found, found.std) ** 2, axis=0))


def shown(found: Study, most: int = MOST) -> np.ndarray:
    """The entries that vary most, in their order; those that do not vary only if none does."""
    size = deviation(found)
    order = np.argsort(-size, kind="stable")[:most]
    return np.sort(order[size[order] > 0.0] if size.any() else order)


def leading(found: Study, entries: np.ndarray, most: int) -> list[int]:
    """The groups that matter most for some entries, the largest first."""
    if found.total_overall is None:
        return []
    share = overall(found, found.total_overall)[:, entries]
    return [int(k) for k in np.argsort(-share.max(axis=1, initial=0.0), kind="stable")[:most]]


def figures(found: Study) -> dict[str, Any]:
    """All figures of a study by name: bands, deviations, and of indices total, first, all."""
    out = {"bands": band_figure(found), "deviations": band_figure(found, nominal=False)}
    if found.total_overall is not None and len(found.groups):
        out |= {
            "total": total_figure(found),
            "first": first_figure(found),
            "all": index_figure(found),
        }
    return out


# ------------------------------------------------------------------ how far


def band_figure(found: Study, nominal: bool = True) -> Any:
    """Nominal and mean values, quantiles and extremes along the trajectory.

    nominal: whether about zero or, otherwise, as differences from nominal values.
    """
    entries = shown(found)
    at, x, label = _axis(found)
    below = along(found, found.nominal)[at] * (not nominal)
    low, high, mean, centre = (
        along(found, y)[at] - below for y in (found.low, found.high, found.mean, found.nominal)
    )
    inner = _inner(found)
    figure, axes = _grid(entries, 1.7)
    for one, i in zip(axes, entries, strict=True):
        one.fill_between(x, low[:, i], high[:, i], color="#56b4e9", alpha=0.25, lw=0, label="all")
        if inner is not None:
            a, b, words = inner
            edges = [(along(found, found.quantiles[k])[at] - below)[:, i] for k in (a, b)]
            one.fill_between(x, *edges, color="#0072b2", alpha=0.45, lw=0, label=words)
        one.plot(x, mean[:, i], color=_INK, lw=0.9, label="mean")
        one.plot(x, centre[:, i], color="#d55e00", lw=0.9, ls="--", label="nominal")
        _titled(one, found, i)
    _finish(figure, axes, label)
    figure.supylabel(legible(found.unit, _LETTERS), fontsize=8, **_PLAIN)
    return figure


def _inner(found: Study) -> tuple[int, int, str] | None:
    """The widest pair of quantiles that is no wider than 5 % to 95 %, and its name."""
    levels = [float(x) for x in found.levels]
    low = [k for k, x in enumerate(levels) if 0.05 - 1e-9 <= x < 0.5]
    high = [k for k, x in enumerate(levels) if 0.5 < x <= 0.95 + 1e-9]
    if not low or not high:
        return None
    a, b = min(low, key=levels.__getitem__), max(high, key=levels.__getitem__)
    return a, b, f"{100 * levels[a]:g} to {100 * levels[b]:g} %"


def _axis(found: Study) -> tuple[np.ndarray, np.ndarray, str]:
    """Points to draw, where, and what that is; a single point is drawn as a line."""
    points = len(along(found, found.nominal))
    at = np.unique(np.linspace(0, points - 1, min(points, _POINTS)).round().astype(int))
    if points == 1:
        return np.zeros(2, int), np.array((0.0, 1.0)), _ONE
    if found.t is None:
        return at, at.astype(float), "point"
    return at, np.ravel(found.t)[at], "time (s)"


# ------------------------------------------------------------------ because of what


def total_figure(found: Study) -> Any:
    """Total indices of the parameters that matter most for each entry, with their errors."""
    entries = shown(found)
    total, first, error = (
        overall(found, y)
        for y in (found.total_overall, found.first_overall, found.total_overall_error)
    )
    groups = short(found.groups)
    figure, axes = _grid(entries, 1.9)
    for one, i in zip(axes, entries, strict=True):
        some = np.argsort(-total[:, i], kind="stable")[:_BARS]
        y = np.arange(len(some))[::-1]
        one.barh(y, total[some, i], 0.7, color="#56b4e9", label="total")
        one.errorbar(
            *(total[some, i], y),
            xerr=1.96 * error[some, i],
            fmt="none",
            ecolor=_INK,
            elinewidth=0.8,
            label="95 % confidence",
        )
        one.plot(first[some, i], y, "d", ms=3.5, color="#d55e00", label="alone")
        one.set_yticks(y, [groups[k] for k in some], fontsize=6.5, **_PLAIN)
        one.set_xlim(left=0.0)
        _titled(one, found, i)
    _finish(figure, axes, "share of the variance")
    return figure


def first_figure(found: Study) -> Any:
    """First-order indices along the trajectory, one above the other.

    Estimates below zero, which are noise, are drawn as zero. What is left to one is due to
    parameters together, or noise.
    """
    entries = shown(found)
    at, x, label = _axis(found)
    chosen = leading(found, entries, len(_COLOURS))
    first = np.clip(by_group(found, found.first)[:, at], 0.0, None)
    rest = [k for k in range(len(found.groups)) if k not in chosen]
    names = short(found.groups)
    figure, axes = _grid(entries, 1.7)
    for one, i in zip(axes, entries, strict=True):
        layers = [first[k, :, i] for k in chosen]
        colours, labels = list(_COLOURS[: len(chosen)]), [names[k] for k in chosen]
        if rest:
            layers.append(first[rest, :, i].sum(axis=0))
            colours, labels = [*colours, _REST], [*labels, f"{len(rest)} others"]
        one.stackplot(x, *layers, colors=colours, labels=labels, lw=0)
        one.set_ylim(0.0, max(1.0, float(np.sum(layers, axis=0).max())))
        _titled(one, found, i)
    _finish(figure, axes, label)
    return figure


def index_figure(found: Study) -> Any:
    """Total indices of groups and entries as a table in colours."""
    Figure = figure_class()
    entries = shown(found, _WIDE)
    groups = sorted(leading(found, entries, _TALL))
    share = overall(found, found.total_overall)[groups][:, entries]
    height, width = share.shape
    figure = Figure(figsize=(max(4.0, min(9.0, 2.4 + 0.5 * width)), 1.2 + 0.21 * height))
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    drawn = axes.imshow(share, aspect="auto", cmap="Blues", vmin=0.0, vmax=share.max(initial=1e-9))
    names, groups_ = short(found.labels), short(found.groups)
    size = 7 if width <= 20 else 5.5
    axes.set_xticks(range(width), [names[i] for i in entries], rotation=90, fontsize=size, **_PLAIN)
    axes.set_yticks(range(height), [groups_[k] for k in groups], fontsize=6.5, **_PLAIN)
    if width <= 12:
        for k, i in np.argwhere(share >= 0.01):
            dark = share[k, i] > 0.55 * share.max()
            axes.text(
                *(i, k, f"{100 * share[k, i]:.0f}"),
                ha="center",
                va="center",
                fontsize=6,
                color="white" if dark else _INK,
            )
    bar = figure.colorbar(drawn, ax=axes, shrink=0.8)
    bar.set_label("total index", fontsize=7)
    bar.ax.tick_params(labelsize=6.5)
    return figure


# ------------------------------------------------------------------ small multiples


def _grid(entries: np.ndarray, height: float) -> tuple[Any, list[Any]]:
    """A figure with axes for each entry, in two columns where there are more than three."""
    columns = 1 if len(entries) <= 3 else 2
    rows = -(-len(entries) // columns)
    figure = figure_class()(figsize=(9.0, height * rows + 0.7), layout="constrained")
    every = np.ravel(figure.subplots(rows, columns, squeeze=False))
    for spare in every[len(entries) :]:
        spare.remove()
    return figure, list(every[: len(entries)])


def _titled(axes: Any, found: Study, entry: int) -> None:
    axes.set_title(short(found.labels)[entry], fontsize=8, loc="left", pad=2, **_PLAIN)
    axes.tick_params(axis="x", labelsize=7)
    if axes.get_yticklabels() and not axes.containers:
        axes.tick_params(axis="y", labelsize=7)
    axes.grid(alpha=0.25)
    axes.margins(x=0.0)


def _finish(figure: Any, axes: list[Any], label: str) -> None:
    """A legend for all, and what stands below the last ones."""
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=min(len(labels), 5), fontsize=7
    )
    for one in axes[-2:] if len(axes) > 3 else axes[-1:]:
        one.set_xlabel(label, fontsize=8)
    for one in axes if label == _ONE else ():
        one.set_xticks([])
