"""Reports of an identification: text for the terminal, HTML files and notebooks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import printable
from jounce.identification.consistent import Bodies
from jounce.identification.page import Cells, align_table, number, table, write_page
from jounce.identification.subject import MechanismAdapter, angular_mask
from jounce.model.inertia import about_com, principal
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.identification.result import Identification

_METHODS = {
    "ols": "ordinary least squares",
    "wls": "weighted least squares",
    "tls": "total least squares",
    "consistent": "physically consistent least squares (linear matrix inequalities)",
}


def _percent(part: float, reference: float) -> str:
    if not (np.isfinite(part) and abs(reference) > 0.0):
        return "–"
    percent = 100.0 * part / abs(reference)
    return f"{percent:.0f} %" if percent > 99.5 else f"{percent:.2g} %"


# ------------------------------------------------------------------ tables of both reports


def joint_table(result: Identification) -> tuple[Cells, list[Cells]]:
    """Return a table of the residuals of each torque, and the drive parameters."""
    rows, names = result.space.layout.rows, result.subject.labels("v")
    heads = ["joint", "unit", "torque rms", "residual before", "residual", "relative"]
    turns = angular_mask(result.subject)
    if isinstance(result.subject, MechanismAdapter):
        turns = turns[result.subject.active]
    if len(result.validation):
        heads.append("validation")
    drives = [k for k in result.space.layout.groups if k != "inertia"]
    for name in drives:
        heads += [name, "± (1σ)"]
    lines = []
    for i in rows:
        sizes = [float(x[i]) for x in (result.rms_torque, result.rms_prior, result.rms)]
        unit = "N m" if turns[i] else "N"
        line = [names[i], unit, *map(number, sizes), _percent(sizes[2], sizes[0])]
        if len(result.validation):
            line.append(number(float(np.sqrt(np.mean(result.validation[:, i] ** 2)))))
        for name in drives:
            k = result.space.layout.groups[name].start + i
            line += [number(float(result.theta[k])), number(float(result.deviations[k]))]
        lines.append(line)
    return heads, lines


def link_table(result: Identification) -> tuple[Cells, list[Cells]]:
    """Return a table of mass, center of mass, principal moments and feasibility of each body."""
    heads = [
        "link",
        "mass (kg)",
        "before",
        "center of mass (m)",
        "principal moments (kg m²)",
        "feasible",
    ]
    lines = []
    for name, pi, before in zip(
        result.subject.model.body_names,
        result.parameters,
        result.subject.model.parameters,
        strict=True,
    ):
        if pi[0] > 0.0:
            com, moments = about_com(pi).com, principal(pi).moments
        else:
            com, moments = np.full(3, np.nan), np.full(3, np.nan)
        mark = "fixed" if name in result.space.fixed else "NO" if name in result.problems else "yes"
        places = " ".join(f"{x:.4f}" for x in com)
        sizes = " ".join(f"{x:.3g}" for x in moments)
        lines.append([name, number(pi[0]), number(before[0]), places, sizes, mark])
    return heads, lines


def base_table(result: Identification) -> tuple[Cells, list[Cells]]:
    """Return a table of the values, standard deviations and names of the base parameters."""
    heads = ["#", "value", "± (1σ)", "relative", "before", "combination"]
    before = result.space.matrix @ result.space.prior
    lines = []
    for i, (x, s) in enumerate(zip(result.beta, result.estimate.deviations, strict=True)):
        numbers = number(x), number(s), _percent(s, x), number(before[i])
        lines.append([str(i + 1), *numbers, result.space.names[i]])
    return heads, lines


def facts(result: Identification) -> list[tuple[str, str]]:
    """Return the overview as pairs of name and text."""
    options = result.options
    method = _METHODS[options.method]
    if options.method == "consistent":
        method += f"; {options.metric} distance to the prior, weight {options.regularization:g}"
    bodies = Bodies.of(result.space)
    least = np.linalg.eigvalsh(bodies.matrices(result.theta)).min(initial=np.inf)
    verdict = (
        "all links physically consistent"
        if not result.problems
        else "; ".join(f"{name}: {problem}" for name, problem in result.problems.items())
    )
    out = [
        ("data", str(result.summary)),
        ("method", method),
        ("parameters", f"{len(result.space.names)} of {result.space.layout.size} are identifiable"),
        ("condition number", f"{result.estimate.condition:.3g} (columns scaled)"),
        ("consistency", verdict),
        ("least eigenvalue of a pseudo-inertia", f"{least:.3g} (bodies scaled to size one)"),
    ]
    if options.robust is not None:
        out.append(("robust weights", "Huber's, by iteratively reweighted least squares"))
    if result.space.fixed:
        out.append(("fixed links", ", ".join(result.space.fixed)))
    if result.estimate.unexcited:
        out.append(("not excited", "; ".join(result.estimate.unexcited)))
    return out


# ------------------------------------------------------------------ text


def text(result: Identification) -> str:
    """Return the report for the terminal."""
    parts = [printable(f"Identification of {result.robot.name}")]
    parts += [printable(f"  {name}: {value}") for name, value in facts(result)]
    for heads, lines in (joint_table(result), link_table(result)):
        parts += ["", align_table(heads, lines)]
    return "\n".join(parts)


# ------------------------------------------------------------------ HTML


def write_html(
    result: Identification, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a self-contained HTML file with figures as inline SVG; return its path."""
    from jounce.identification.plots import svg

    figures = {name: svg(figure) for name, figure in result.plots().items()}
    warnings = "".join(f'<p class="warn">{html.escape(w)}</p>' for w in result.summary.warnings)
    sections = [
        ("Overview", html.pairs(facts(result))),
        ("Torques", table(*joint_table(result)) + figures["errors"]),
        ("Measured and identified torques", figures["torques"]),
        ("Links", table(*link_table(result))),
        (
            "Base parameters",
            "<p>Torques determine these combinations of parameters, in kg, m and N. Standard"
            " deviations assume white noise; relative: to the value.</p>"
            + figures["base"]
            + table(*base_table(result)),
        ),
        ("All parameters", table(*_parameter_table(result))),
    ]
    if hidden := _unidentifiable(result):
        text = "<p>Torques determine these parameters not at all, or only in the combinations above"
        sections.append(("Not identifiable", f"{text}; their values follow the prior.</p>{hidden}"))
    if result.summary.left_out:
        head = f"{len(result.summary.left_out)} of {result.summary.partitions} partitions left out"
        sections.insert(1, (head, html.pairs(list(result.summary.left_out.items()))))
    return write_page(path, f"Identification of {result.robot.name}", warnings, sections, overwrite)


def notebook_html(result: Identification) -> str:
    """Return HTML for notebooks: overview, and tables of joints, links and parameters."""
    heads, links = link_table(result)
    title = f"Identification of {result.robot.name}"
    warnings = "".join(f'<p class="bad">{html.escape(x)}</p>' for x in result.summary.warnings)
    return html.wrap_output(
        html.heading(title, [f"by {result.options.method}"]),
        warnings,
        html.pairs(facts(result)),
        html.table(*joint_table(result)),
        html.collapsible("links", html.table(heads, links), len(links) <= 12),
        html.collapsible("base parameters", html.table(*base_table(result)), False),
    )


def _parameter_table(result: Identification) -> tuple[Cells, list[Cells]]:
    heads = ["parameter", "value", "± (1σ)", "before"]
    lines = []
    for k, label in enumerate(result.space.layout.labels):
        if result.space.active[k]:
            values = (result.theta[k], result.deviations[k], result.space.prior[k])
            lines.append([label, *map(number, values)])
    return heads, lines


def _unidentifiable(result: Identification) -> str:
    """Return HTML that lists the parameters without a standard deviation, by link."""
    lists: dict[str, list[str]] = {}
    for k, label in enumerate(result.space.layout.labels):
        if result.space.active[k] and not np.isfinite(result.deviations[k]):
            name, _, link = label.rstrip("]").partition("[")
            lists.setdefault(link, []).append(name)
    return html.pairs([(link, ", ".join(names)) for link, names in lists.items()]) if lists else ""
