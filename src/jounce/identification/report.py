"""Reports of an identification: text for the terminal, one HTML file for people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import printable
from jounce.identification.consistent import Bodies
from jounce.identification.page import Cells, aligned, number, table, write_page
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


def _percent(part: float, whole: float) -> str:
    return (
        "–" if not (np.isfinite(part) and abs(whole) > 0.0) else f"{100 * part / abs(whole):.2g} %"
    )


# ------------------------------------------------------------------ tables of both reports


def joint_table(found: Identification) -> tuple[Cells, list[Cells]]:
    """Residuals of each torque, and drive parameters."""
    rows, names = found.space.layout.rows, found.subject.labels("v")
    heads = ["joint", "torque rms", "residual before", "residual", "relative"]
    if len(found.validation):
        heads.append("validation")
    drives = [k for k in found.space.layout.groups if k != "inertia"]
    for name in drives:
        heads += [name, "± (1σ)"]
    lines = []
    for i in rows:
        sizes = [float(x[i]) for x in (found.rms_torque, found.rms_prior, found.rms)]
        line = [names[i], *map(number, sizes), _percent(sizes[2], sizes[0])]
        if len(found.validation):
            line.append(number(float(np.sqrt(np.mean(found.validation[:, i] ** 2)))))
        for name in drives:
            k = found.space.layout.groups[name].start + i
            line += [number(float(found.theta[k])), number(float(found.deviations[k]))]
        lines.append(line)
    return heads, lines


def link_table(found: Identification) -> tuple[Cells, list[Cells]]:
    """Mass, centre of mass and principal moments of each body, and whether it is feasible."""
    heads = [
        "link",
        "mass (kg)",
        "before",
        "centre of mass (m)",
        "principal moments (kg m²)",
        "feasible",
    ]
    lines = []
    for name, pi, before in zip(
        found.subject.model.body_names,
        found.parameters,
        found.subject.model.parameters,
        strict=True,
    ):
        if pi[0] > 0.0:
            com, moments = about_com(pi).com, principal(pi).moments
        else:
            com, moments = np.full(3, np.nan), np.full(3, np.nan)
        mark = "fixed" if name in found.space.fixed else "NO" if name in found.problems else "yes"
        places = " ".join(f"{x:.4f}" for x in com)
        sizes = " ".join(f"{x:.3g}" for x in moments)
        lines.append([name, number(pi[0]), number(before[0]), places, sizes, mark])
    return heads, lines


def base_table(found: Identification) -> tuple[Cells, list[Cells]]:
    """Values, standard deviations and names of the base parameters."""
    heads = ["#", "value", "± (1σ)", "relative", "before", "combination"]
    before = found.space.matrix @ found.space.prior
    lines = []
    for i, (x, s) in enumerate(zip(found.beta, found.estimate.deviations, strict=True)):
        numbers = number(x), number(s), _percent(s, x), number(before[i])
        lines.append([str(i + 1), *numbers, found.space.names[i]])
    return heads, lines


def facts(found: Identification) -> list[tuple[str, str]]:
    """Return names and texts of an overview."""
    options = found.options
    method = _METHODS[options.method]
    if options.method == "consistent":
        method += f"; {options.metric} distance to the prior, weight {options.regularization:g}"
    bodies = Bodies.of(found.space)
    least = np.linalg.eigvalsh(bodies.matrices(found.theta)).min(initial=np.inf)
    verdict = (
        "all links physically consistent"
        if not found.problems
        else "; ".join(f"{name}: {problem}" for name, problem in found.problems.items())
    )
    out = [
        ("data", str(found.summary)),
        ("method", method),
        ("parameters", f"{len(found.space.names)} of {found.space.layout.size} are identifiable"),
        ("condition number", f"{found.estimate.condition:.3g} (columns scaled)"),
        ("consistency", verdict),
        ("least eigenvalue of a pseudo-inertia", f"{least:.3g} (each body scaled to size one)"),
    ]
    if options.robust is not None:
        out.append(("robust weights", "Huber's, by iteratively reweighted least squares"))
    if found.space.fixed:
        out.append(("left as they were", ", ".join(found.space.fixed)))
    if found.estimate.unexcited:
        out.append(("not excited", "; ".join(found.estimate.unexcited)))
    return out


# ------------------------------------------------------------------ text


def text(found: Identification) -> str:
    """A page for the terminal."""
    parts = [printable(f"Identification of {found.robot.name}")]
    parts += [printable(f"  {name}: {value}") for name, value in facts(found)]
    for heads, lines in (joint_table(found), link_table(found)):
        parts += ["", aligned(heads, lines)]
    return "\n".join(parts)


# ------------------------------------------------------------------ HTML


def write_html(
    found: Identification, path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write one HTML file with everything in it, figures as inline SVG; return its path."""
    from jounce.identification.plots import svg

    figures = {name: svg(figure) for name, figure in found.plots().items()}
    warned = "".join(f'<p class="warn">{html.escaped(w)}</p>' for w in found.summary.warnings)
    sections = [
        ("Overview", html.pairs(facts(found))),
        ("Torques", table(*joint_table(found)) + figures["errors"]),
        ("Measured and identified torques", figures["torques"]),
        ("Links", table(*link_table(found))),
        (
            "Base parameters",
            "<p>What torques can tell are these combinations. Standard deviations assume white"
            " noise.</p>" + figures["base"] + table(*base_table(found)),
        ),
        ("All parameters", table(*_parameter_table(found))),
    ]
    if found.summary.left_out:
        told = f"{len(found.summary.left_out)} of {found.summary.partitions} partitions left out"
        sections.insert(1, (told, html.pairs(list(found.summary.left_out.items()))))
    return write_page(path, f"Identification of {found.robot.name}", warned, sections, overwrite)


def notebook_html(found: Identification) -> str:
    """Return HTML for notebooks: overview, and tables of joints, links and parameters."""
    heads, links = link_table(found)
    title = f"Identification of {found.robot.name}"
    warned = "".join(f'<p class="bad">{html.escaped(x)}</p>' for x in found.summary.warnings)
    return html.framed(
        html.heading(title, [f"by {found.options.method}"]),
        warned,
        html.pairs(facts(found)),
        html.table(*joint_table(found)),
        html.folded("links", html.table(heads, links), len(links) <= 12),
        html.folded("base parameters", html.table(*base_table(found)), False),
    )


def _parameter_table(found: Identification) -> tuple[Cells, list[Cells]]:
    heads = ["parameter", "value", "± (1σ)", "before"]
    lines = []
    for k, label in enumerate(found.space.layout.labels):
        if found.space.active[k]:
            values = (found.theta[k], found.deviations[k], found.space.prior[k])
            lines.append([label, *map(number, values)])
    return heads, lines
