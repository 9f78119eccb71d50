"""Reports of an identification by simulation, in the design of the others: text and HTML."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import legible, printable
from jounce.identification import page, plots
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.identification.simulation.simulated_result import SimulatedIdentification

#: Colors that color-blind readers can distinguish: before and after.
_BEFORE, _AFTER = "#555555", "#0072b2"

#: Maximum number of joints in a plot.
_MAX_PANELS = 12


def facts(result: SimulatedIdentification) -> list[tuple[str, str]]:
    """Return the overview as pairs of name and text."""
    fitted, held, length = result.windows
    known = result.identifiability
    verdict = "" if result.is_optimal else "; NOT CONVERGED"
    return [
        ("data", f"{fitted} windows of {length} samples, {held} held out for validation"),
        ("estimated", ", ".join(result.model.estimate)),
        (
            "identifiability",
            f"{known.rank} of {len(result.names)} directions are determined, condition number"
            f" {known.condition:.3g}; before the fit {result.predicted.rank}",
        ),
        (
            "fit",
            f"{result.iterations} iterations, {result.simulations} simulations,"
            f" {result.sensitivities} with sensitivities; {result.distance:.2g} standard"
            f" deviations from the optimum{verdict}",
        ),
    ]


def residual_table(result: SimulatedIdentification) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of residuals before and after, by measurement."""
    heads = ["measurement", "unit", "before (rms)", "after (rms)", "held out: before", "after"]
    labels, nv = result.robot.labels("v"), result.robot.nv
    angular = _angular(result)
    lines = []
    for k in range(len(result.rms)):
        unit = ("mrad" if angular[k] else "mm") if k < nv else "A"
        factor = 1e3 if k < nv else 1.0
        numbers = (x[k] for x in (result.rms_before, result.rms))
        held = (x[k] for x in (result.validation_before, result.validation))
        name = labels[k % nv] if k < nv else f"current of {labels[k % nv]}"
        lines.append([name, unit, *(page.number(factor * x) for x in (*numbers, *held))])
    return heads, lines


def parameter_table(result: SimulatedIdentification) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of values, standard deviations and start values."""
    heads = ["parameter", "value", "± (1σ)", "predicted ±", "relative", "before"]
    before = result.space.values(result.space.first)
    columns = (result.estimates, result.deviations, result.predicted.deviations, before)
    lines = []
    for name, x, s, p, first in zip(result.names, *columns, strict=True):
        share = f"{100 * s / abs(x):.2g} %" if np.isfinite(s) and x else "–"
        lines.append([name, page.number(x), page.number(s), page.number(p), share])
        lines[-1].append(page.number(first))
    return heads, lines


def base_table(result: SimulatedIdentification) -> tuple[page.Cells, list[page.Cells]]:
    """Return a table of the base parameters."""
    heads = ["#", "value", "± (1σ)", "combination"]
    rows = enumerate(result.base, 1)
    return heads, [[str(i), page.number(x), page.number(s), name] for i, (name, x, s) in rows]


def text(result: SimulatedIdentification) -> str:
    """Return the report for the terminal."""
    parts = [printable(f"Identification of {result.robot.name} by simulation")]
    parts += [printable(f"  {name}: {value}") for name, value in facts(result)]
    for heads, lines in (residual_table(result), parameter_table(result)):
        parts += ["", page.align_table(heads, lines)]
    parts += ["", *(f"not determined: {x}" for x in result.identifiability.undetermined)]
    return "\n".join(parts).rstrip()


def trace_figure(result: SimulatedIdentification) -> Any:
    """Plot the residuals of positions of the first windows, before and after."""
    Figure = plots.figure_class()
    nv = min(result.robot.nv, _MAX_PANELS)
    figure = Figure(figsize=(9.0, 1.3 * nv + 0.5), layout="constrained")
    panels = np.ravel(figure.subplots(nv, 1, sharex=True))
    angular, t = _angular(result), result.traces["t"] - result.traces["t"][0, 0]
    for k, axes in enumerate(panels):
        for name, color in (("before", _BEFORE), ("after", _AFTER)):
            values = 1e3 * result.traces[name][..., k]
            axes.plot(t.T, values.T, color=color, lw=0.8)
            axes.plot([], [], color=color, label=name)
        label = f"{legible(result.robot.labels('v')[k], 20)} ({'mrad' if angular[k] else 'mm'})"
        axes.set_ylabel(label, fontsize=8, parse_math=False)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.25)
    panels[0].legend(fontsize=7, ncol=2)
    panels[-1].set_xlabel("time (s)", fontsize=8)
    return figure


def write_html(
    result: SimulatedIdentification, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a self-contained HTML file with figures as inline SVG; return its path."""
    warnings = "".join(f'<p class="warn">{html.escape(w)}</p>' for w in result.warnings)
    sections = [
        ("Overview", html.pairs(facts(result))),
        (
            "Residuals",
            "<p>Simulated minus measured positions in windows, from the best initial states.</p>"
            + page.table(*residual_table(result))
            + plots.svg(trace_figure(result)),
        ),
        ("Estimated parameters", page.table(*parameter_table(result))),
    ]
    if result.base:
        sections.append(("Base parameters", page.table(*base_table(result))))
    if result.identifiability.undetermined:
        rows = "".join(f"<li>{html.escape(x)}</li>" for x in result.identifiability.undetermined)
        introduction = "<p>Parameters that can change together without effect on the data.</p>"
        sections.append(("Not determined by the data", f"{introduction}<ul>{rows}</ul>"))
    title = f"Identification of {result.robot.name} by simulation"
    return page.write_page(path, title, warnings, sections, overwrite)


def _angular(result: SimulatedIdentification) -> list[bool]:
    """Return whether the velocities are rates of angles."""
    from jounce.identification.subject import angular_mask

    return angular_mask(result.robot).tolist()
