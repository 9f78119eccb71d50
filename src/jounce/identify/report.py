"""Reports of an identification: text for the terminal, one HTML file for people."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import printable
from jounce.identify.consistent import Bodies
from jounce.inertia import about_com, principal

if TYPE_CHECKING:
    from jounce.identify.identification import Identification

_METHODS = {
    "ols": "ordinary least squares",
    "wls": "weighted least squares",
    "tls": "total least squares",
    "consistent": "physically consistent least squares (linear matrix inequalities)",
    "log-cholesky": "physically consistent least squares (log-Cholesky coordinates)",
}

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, td.name { text-align: left; }
.warn { background: #fff3d6; padding: 0.4rem 0.8rem; border-left: 4px solid #d55e00; }
.good { color: #046d3b; } .bad { color: #b3261e; } .quiet { color: #777; }
.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
"""

Cells = Sequence[str]


def _number(x: float) -> str:
    return "–" if not np.isfinite(x) else f"{x:.4g}"


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
        line = [names[i], *map(_number, sizes), _percent(sizes[2], sizes[0])]
        if len(found.validation):
            line.append(_number(float(np.sqrt(np.mean(found.validation[:, i] ** 2)))))
        for name in drives:
            k = found.space.layout.groups[name].start + i
            line += [_number(float(found.theta[k])), _number(float(found.deviations[k]))]
        lines.append(line)
    return heads, lines


def link_table(found: Identification) -> tuple[Cells, list[Cells]]:
    """Mass, centre of mass and principal moments of each body, and whether it could exist."""
    heads = [
        "link",
        "mass (kg)",
        "before",
        "centre of mass (m)",
        "principal moments (kg m²)",
        "exists",
    ]
    lines = []
    for name, pi, before in zip(
        found.subject.body_names, found.parameters, found.subject.parameters, strict=True
    ):
        if pi[0] > 0.0:
            com, moments = about_com(pi).com, principal(pi).moments
        else:
            com, moments = np.full(3, np.nan), np.full(3, np.nan)
        mark = "fixed" if name in found.space.fixed else "NO" if name in found.problems else "yes"
        places = " ".join(f"{x:.4f}" for x in com)
        sizes = " ".join(f"{x:.3g}" for x in moments)
        lines.append([name, _number(pi[0]), _number(before[0]), places, sizes, mark])
    return heads, lines


def base_table(found: Identification) -> tuple[Cells, list[Cells]]:
    """Values, standard deviations and names of the base parameters."""
    heads = ["#", "value", "± (1σ)", "relative", "before", "combination"]
    before = found.space.matrix @ found.space.prior
    lines = []
    for i, (x, s) in enumerate(zip(found.beta, found.estimate.deviations, strict=True)):
        numbers = _number(x), _number(s), _percent(s, x), _number(before[i])
        lines.append([str(i + 1), *numbers, found.space.names[i]])
    return heads, lines


def facts(found: Identification) -> list[tuple[str, str]]:
    """What was done and how it went, in words."""
    options = found.options
    method = _METHODS[options.method]
    if options.method in ("consistent", "log-cholesky"):
        method += f"; {options.metric} distance to the prior, weight {options.regularization:g}"
    bodies = Bodies.of(found.space)
    least = np.linalg.eigvalsh(bodies.matrices(found.theta)).min(initial=np.inf)
    verdict = (
        "every link could exist"
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
        parts += ["", _aligned(heads, lines)]
    return "\n".join(parts)


def _aligned(heads: Cells, lines: Sequence[Cells]) -> str:
    lines = [[printable(cell) for cell in cells] for cells in lines]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    out = []
    for cells in (heads, *lines):
        first, *rest = (
            cell.ljust(w) if k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(cells, widths, strict=True))
        )
        out.append("  ".join((first, *rest)).rstrip())
    return "\n".join(out)


# ------------------------------------------------------------------ HTML


def write_html(found: Identification, path: str | os.PathLike[str]) -> Path:
    """One file with everything in it, figures as inline SVG."""
    from jounce.identify.plots import svg

    figures = {name: svg(figure) for name, figure in found.plots().items()}
    name = _escaped(found.robot.name)
    warned = "".join(f'<p class="warn">{_escaped(w)}</p>' for w in found.summary.warnings)
    sections = [
        ("Overview", _definitions(facts(found))),
        ("Torques", _table(*joint_table(found)) + figures["errors"]),
        ("Measured and identified torques", figures["torques"]),
        ("Links", _table(*link_table(found))),
        (
            "Base parameters",
            "<p>What torques can tell are these combinations. Standard deviations assume white"
            " noise.</p>" + figures["base"] + _table(*base_table(found)),
        ),
        ("All parameters", _table(*_parameter_table(found))),
    ]
    body = "".join(f"<h2>{title}</h2>{content}" for title, content in sections)
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style></head><body><h1>Identification of {name}</h1>{warned}{body}"
        "</body></html>\n"
    )
    target = Path(path)
    target.write_text(page, encoding="utf-8")
    return target


def notebook_html(found: Identification) -> str:
    """What a notebook shows: what was done, and the tables of joints, links and parameters."""
    from jounce.pictures import html as pieces

    heads, links = link_table(found)
    title = f"Identification of {found.robot.name}"
    warned = "".join(f'<p class="bad">{_escaped(x)}</p>' for x in found.summary.warnings)
    return pieces.framed(
        pieces.heading(title, [f"by {found.options.method}"]),
        warned,
        pieces.pairs(facts(found)),
        pieces.table(*joint_table(found)),
        pieces.folded("links", pieces.table(heads, links), len(links) <= 12),
        pieces.folded("base parameters", pieces.table(*base_table(found)), False),
    )


def _escaped(text: str) -> str:
    """Text as HTML shows it; browsers obey marks of direction, and files hold no surrogates."""
    return html.escape(printable(text))


def _parameter_table(found: Identification) -> tuple[Cells, list[Cells]]:
    heads = ["parameter", "value", "± (1σ)", "before"]
    lines = []
    for k, label in enumerate(found.space.layout.labels):
        if found.space.active[k]:
            values = (found.theta[k], found.deviations[k], found.space.prior[k])
            lines.append([label, *map(_number, values)])
    return heads, lines


def _definitions(items: Sequence[tuple[str, str]]) -> str:
    rows = (
        f"<tr><td>{_escaped(name)}</td>" + f'<td class="name">{_escaped(value)}</td></tr>'
        for name, value in items
    )
    return f"<table>{''.join(rows)}</table>"


def _table(heads: Cells, lines: Sequence[Cells]) -> str:
    head = "".join(f"<th>{_escaped(x)}</th>" for x in heads)
    marks = {"yes": "good", "NO": "bad", "fixed": "quiet", "–": "quiet"}

    def cell(k: int, x: str) -> str:
        kind = marks.get(x) or ("name" if heads[k] == "combination" else "")
        return f'<td class="{kind}">{_escaped(x)}</td>' if kind else f"<td>{_escaped(x)}</td>"

    rows = "".join(f"<tr>{''.join(cell(k, x) for k, x in enumerate(line))}</tr>" for line in lines)
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'
