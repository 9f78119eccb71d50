"""Reports of a calibration, in the design of those of identification: text and HTML files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible, printable
from jounce.identification import page, plots
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.calibration.result import Calibration

#: Units of reports by SI unit, with factors: those that people think in.
_SHOWN = {
    "rad": ("mrad", 1e3),
    "m": ("mm", 1e3),
    "1": ("%", 100.0),
    "rad/Nm": ("mrad/kNm", 1e6),
    "m/N": ("mm/kN", 1e6),
}

#: Colors that color-blind readers can distinguish: before, after, outliers.
_BEFORE, _AFTER, _OUTLIER = "#555555", "#0072b2", "#d55e00"

#: Maximum number of outliers in a table, and of points of a plot.
_MAX_OUTLIERS, _MAX_POINTS = 20, 4000


def display(x: float, unit: str) -> tuple[float, str]:
    """Return a number and its unit in units of reports."""
    name, factor = _SHOWN.get(unit, (unit, 1.0))
    return factor * x, name


def facts(result: Calibration) -> list[tuple[str, str]]:
    """Return the overview as pairs of name and text."""
    k = result.kinematics
    items = "; ".join(f"{len(item):,} of {item.name}" for item in k.data)
    out = [
        ("measurements", items),
        ("estimated", ", ".join(result.parameters) or "sensors and markers only"),
        (
            "parameters",
            f"{len(result.columns)} of {k.size} are independent and determined by the data",
        ),
        ("loss", f"{result.loss or 'squares'} of the residuals"),
    ]
    if result.observability:
        indices = {name: x for name, x in result.observability.items() if name != "condition"}
        numbers = ", ".join(f"{name} {x:.3g}" for name, x in indices.items())
        out.append(("condition number", f"{result.observability['condition']:.3g}"))
        out.append(("observability indices", numbers))
    if result.outliers:
        out.append(("outliers", f"{len(result.outliers)} measurements"))
    return out


def residual_table(result: Calibration) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of residuals before and after, by measurements and unit."""
    heads = ["measurements", "unit", "before (rms)", "after (rms)", "after (max)"]
    if result.validation:
        heads.append("validation (σ)")
    names = [item.name for item in result.kinematics.data]
    lines = []
    for before, after in zip(result.before, result.after, strict=True):
        _, unit = display(0.0, after.unit)
        sizes = (before.rms, after.rms, after.largest)
        line = [after.name, unit, *(page.number(display(x, after.unit)[0]) for x in sizes)]
        if result.validation:
            line.append(page.number(result.validation[names.index(after.name)]))
        lines.append(line)
    return heads, lines


def parameter_table(result: Calibration) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of values and standard deviations of the independent parameters."""
    heads = ["parameter", "value", "± (1σ)", "unit", "value / σ"]
    lines = []
    rows = zip(result.names, result.values, result.deviations, result.units, strict=True)
    for name, x, s, unit in rows:
        value, label = display(float(x), unit)
        deviation, _ = display(float(s), unit)
        lines.append([name, *_round_pair(value, deviation), label, f"{x / s:.1f}"])
    return heads, lines


def _round_pair(x: float, deviation: float) -> tuple[str, str]:
    """Return a number and its standard deviation, rounded to two digits of the latter."""
    if not 1e-9 < deviation < 1e9:
        return page.number(x), page.number(deviation)
    digits = max(0, 1 - int(np.floor(np.log10(deviation))))
    return f"{x:.{digits}f}", f"{deviation:.{digits}f}"


def pose_table(result: Calibration) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of where sensors and markers are, and of intrinsics of cameras."""
    k = result.kinematics
    heads = ["sensor or marker", "in", "x", "y", "z (mm)", "roll", "pitch", "yaw (°)", "intrinsics"]
    lines = []
    for key in k.mounts:
        numbers = k.intrinsics(result.x, key)
        pixels = "" if numbers is None else " ".join(f"{x:.2f}" for x in numbers)
        lines.append([key[1], key[0] or "world", *_pose(k.mount(result.x, key)), pixels])
    lines += [[key[1], key[0], *_pose(k.target(result.x, key)), ""] for key in k.targets]
    return heads, lines


def _pose(T: np.ndarray) -> list[str]:
    R = T[:3, :3]
    angles = np.degrees(
        (
            np.arctan2(R[2, 1], R[2, 2]),
            np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])),
            np.arctan2(R[1, 0], R[0, 0]),
        )
    )
    numbers = [f"{x:.2f}" for x in 1e3 * T[:3, 3]], [f"{x:.3f}" for x in angles]
    return [x.removeprefix("-") if float(x) == 0.0 else x for group in numbers for x in group]


def outlier_table(result: Calibration) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of the largest outliers."""
    rows = sorted(result.outliers, key=lambda row: -row[2])[:_MAX_OUTLIERS]
    return ["measurements", "row", "residual (σ)"], [[n, str(i), f"{s:.1f}"] for n, i, s in rows]


def text(result: Calibration) -> str:
    """Return the report for the terminal."""
    parts = [printable(f"Calibration of {result.robot.name}")]
    parts += [printable(f"  {name}: {value}") for name, value in facts(result)]
    for heads, lines in (residual_table(result), parameter_table(result)):
        parts += ["", page.align_table(heads, lines)]
    if result.outliers:
        parts += ["", page.align_table(*outlier_table(result))]
    return "\n".join(parts)


def residual_figure(result: Calibration) -> Any:
    """Plot the residuals of each measurements before and after, by row."""
    Figure = plots.figure_class()
    pairs = list(zip(result.before, result.after, strict=True))
    figure = Figure(figsize=(9.0, 1.9 * len(pairs) + 0.4), layout="constrained")
    panels = np.ravel(figure.subplots(len(pairs), 1))
    for axes, (before, after) in zip(panels, pairs, strict=True):
        step = max(1, len(after.lengths) // _MAX_POINTS)
        rows = np.arange(0, len(after.lengths), step)
        factor = display(1.0, after.unit)[0]
        for values, color, label in (
            (before.lengths, _BEFORE, "before"),
            (after.lengths, _AFTER, "after"),
        ):
            axes.plot(rows, factor * values[::step], ".", ms=3, color=color, label=label)
        numbers = next(d.row_numbers for d in result.kinematics.data if d.name == after.name)
        named = [i for name, i, _ in result.outliers if name == after.name]
        odd = np.flatnonzero(np.isin(numbers, named))
        axes.plot(odd, factor * after.lengths[odd], "o", ms=6, mfc="none", color=_OUTLIER)
        axes.set_yscale("log")
        label = f"{legible(after.name, 30)} ({display(0.0, after.unit)[1]})"
        axes.set_ylabel(label, fontsize=8, parse_math=False)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
    panels[0].legend(
        fontsize=7, ncol=2, loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False
    )
    panels[-1].set_xlabel("row; circles: outliers", fontsize=8)
    return figure


def parameter_figure(result: Calibration) -> Any:
    """Plot the parameters with two standard deviations, one panel per unit."""
    Figure = plots.figure_class()
    names, units = result.names, result.units
    kinds = list(dict.fromkeys(units))
    figure = Figure(figsize=(9.0, 2.4 * max(len(kinds), 1)), layout="constrained")
    panels = np.ravel(figure.subplots(max(len(kinds), 1), 1))
    for axes, unit in zip(panels, kinds, strict=False):
        rows = [k for k, other in enumerate(units) if other == unit]
        factor, x = display(1.0, unit)[0], np.arange(len(rows))
        values, bars = factor * result.values[rows], 2.0 * factor * result.deviations[rows]
        axes.errorbar(x, values, bars, fmt="o", ms=3, color=_AFTER, ecolor=_OUTLIER, capsize=2)
        axes.axhline(0.0, color=_BEFORE, lw=0.8)
        labels = [legible(names[k], 40) for k in rows]
        axes.set_xticks(x, labels, rotation=90, fontsize=6, parse_math=False)
        axes.set_ylabel(f"{display(0.0, unit)[1]} (± 2σ)", fontsize=8)
        axes.tick_params(axis="y", labelsize=7)
        axes.grid(alpha=0.25)
    return figure


def write_html(
    result: Calibration, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a self-contained HTML file with figures as inline SVG; return its path."""
    warnings = "".join(f'<p class="warn">{html.escape(w)}</p>' for w in result.warnings)
    sections = [
        ("Overview", html.pairs(facts(result))),
        (
            "Residuals",
            "<p>Lengths of the residuals: with the robot as designed and sensors and markers"
            " fitted, and calibrated. Validation: left out of the fit, in standard deviations of"
            " the noise.</p>"
            + page.table(*residual_table(result))
            + plots.svg(residual_figure(result)),
        ),
        (
            "Estimated parameters",
            "<p>Deviations from the design, with standard deviations. Placements, mounts and"
            " targets are turned about (rx, ry, rz) and moved along (x, y, z) their own axes;"
            " offsets are added to the encoders, gears are relative errors of their readings.</p>"
            + plots.svg(parameter_figure(result))
            + page.table(*parameter_table(result)),
        ),
        (
            "Sensors and markers",
            "<p>Poses of sensors and markers after calibration; angles about fixed axes.</p>"
            + page.table(*pose_table(result)),
        ),
    ]
    if result.outliers:
        sections.insert(2, ("Outliers", page.table(*outlier_table(result))))
    if result.unidentifiable:
        rows = html.pairs(list(result.unidentifiable.items()))
        sections.append(
            (
                "Not identifiable",
                "<p>These parameters stay as designed: they have no effect on the data, or the"
                " same effect as the estimated ones, which stand for them.</p>" + rows,
            )
        )
    title = f"Calibration of {result.robot.name}"
    return page.write_page(path, title, warnings, sections, overwrite)
