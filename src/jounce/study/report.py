"""Reports of a study: which parameters make a quantity uncertain, as tables and one HTML file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import printable
from jounce.identify.page import Cells, aligned, definitions, escaped, html_page, number, table
from jounce.study.plots import MOST, deviation, flat, shown

if TYPE_CHECKING:
    from jounce.study import Study

#: Parameters named for one entry, and the share of the variance below which none is.
_NAMED, _LEAST = 3, 0.01

#: Columns of the table of indices, and rows of tables.
_COLUMNS, _ROWS = 40, 400


# ------------------------------------------------------------------ tables of all reports


def summary_table(found: Study) -> tuple[Cells, list[Cells]]:
    """How far each entry may be from nominal, and because of which parameters."""
    heads = ["entry", "largest nominal", "deviation (1σ)", "largest", "worst case"]
    nominal, std = flat(found, found.nominal), flat(found, found.std)
    worst = np.maximum(
        np.abs(flat(found, found.high) - nominal), np.abs(flat(found, found.low) - nominal)
    )
    overall = deviation(found)
    columns = [np.abs(nominal).max(axis=0), overall, std.max(axis=0), worst.max(axis=0)]
    indices = found.total_overall is not None
    lines = []
    for i in _listed(found):
        line = [str(found.labels[i]), *(number(float(x[i])) for x in columns)]
        lines.append([*line, causes(found, i)] if indices else line)
    return [*heads, "mostly by"] if indices else heads, lines


def causes(found: Study, entry: int) -> str:
    """The parameters that most of an entry's variance is due to, with their total indices."""
    share = np.nan_to_num(flat(found, found.total_overall)[:, entry])
    some = [k for k in np.argsort(-share, kind="stable")[:_NAMED] if share[k] >= _LEAST]
    return ", ".join(f"{found.groups[k]} {100 * share[k]:.0f} %" for k in some) or "–"


def index_table(found: Study) -> tuple[Cells, list[Cells]]:
    """Total indices over the whole trajectory, with their standard errors, by group and entry."""
    entries = shown(found, _COLUMNS)
    total, error = (flat(found, x) for x in (found.total_overall, found.total_overall_error))
    heads = ["parameter", *(str(found.labels[i]) for i in entries)]
    lines = []
    for k, name in enumerate(found.groups[:_ROWS]):
        cells = (f"{100 * total[k, i]:.1f} ± {100 * error[k, i]:.1f}" for i in entries)
        lines.append([name, *("–" if "nan" in cell else cell for cell in cells)])
    return heads, lines


def facts(found: Study, notes: Sequence[str] = ()) -> list[tuple[str, str]]:
    """What was varied, and how the numbers came about."""
    points = len(np.reshape(found.nominal, (-1, *found.shape)))
    varied = "; ".join(f"{kind}: {_amount(amount)}" for kind, amount in found.vary.items())
    out = [
        ("quantity", found.quantity),
        ("varied", varied),
        ("samples", f"{found.samples:,} robots, seed {found.seed}"),
        ("points", f"{points:,}" + _span(found)),
        ("evaluations", f"{found.evaluations:,} in {found.seconds:.3g} s"),
    ]
    if found.total_overall is not None:
        told = "; ".join(f"{note}" for note in _judged(found))
        out.append(("parameters", f"{len(found.groups)} groups" + (f"; {told}" if told else "")))
    return out + [("trajectory", note) for note in notes]


def _amount(amount: object) -> str:
    return "its usual amount" if amount is None else str(amount)


def _span(found: Study) -> str:
    if found.t is None:
        return ""
    t = np.ravel(found.t)
    return f" from {number(float(t[0]))} s to {number(float(t[-1]))} s"


def _judged(found: Study) -> list[str]:
    """What the sums of the indices say, in the mean over entries that vary."""
    entries = shown(found)
    first, total = (
        float(np.nan_to_num(flat(found, x)[:, entries]).sum(axis=0).mean())
        for x in (found.first_overall, found.total_overall)
    )
    return [
        f"alone they make {100 * first:.0f} % of the variance, total indices add to {total:.2f}"
    ]


def _listed(found: Study) -> np.ndarray:
    """Entries in tables: all, or those that vary most where there are very many."""
    return (
        shown(found, _ROWS) if int(np.prod(found.shape)) > _ROWS else np.arange(len(found.labels))
    )


# ------------------------------------------------------------------ text


def text(found: Study) -> str:
    """A page for the terminal."""
    parts = [printable(f"Study of {found.robot.name}")]
    parts += [printable(f"  {name}: {value}") for name, value in facts(found)]
    return "\n".join([*parts, "", aligned(*summary_table(found))])


# ------------------------------------------------------------------ HTML

_WORDS: Mapping[str, str] = {
    "bands": "The quantity as a nominal robot has it (dashed), in the mean, within quantiles, and"
    " between the smallest and the largest value of all samples.",
    "deviations": "The same, as differences from nominal values.",
    "total": "The share of an entry's variance that would be left if all but this parameter were"
    " known (total index), over the whole trajectory, and the share that it makes alone (first"
    " order). Totals that add to more than one are parameters that act together.",
    "first": "First-order indices along the trajectory, one above the other; what is left to one"
    " is due to parameters together. Where nothing varies there is nothing to share.",
    "all": "Total indices in percent of the variance, over the whole trajectory.",
}


def write_html(
    found: Study,
    path: str | os.PathLike[str],
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
) -> Path:
    """One file with everything in it, figures as inline SVG.

    command: what makes the same study again. notes: sentences on the trajectory.
    """
    from jounce.identify.plots import svg
    from jounce.study.plots import figures

    drawn = {name: f"<p>{_WORDS[name]}</p>{svg(x)}" for name, x in figures(found).items()}
    size = len(found.labels)
    some = f" ({len(shown(found))} of {size} entries, those that vary most)" if size > MOST else ""
    sections = [("Overview", definitions(facts(found, notes)))]
    if command is not None:
        sections.append(("The same again", f"<pre>{escaped(command)}</pre>"))
    sections.append(("What is uncertain, and by what", table(*summary_table(found))))
    if "total" in drawn:
        sections.append((f"Which parameters make it uncertain{some}", drawn["total"]))
        sections.append(("All parameters", drawn["all"]))
        sections.append((f"Along the trajectory{some}", drawn["first"]))
    sections.append((f"Bands{some}", drawn["bands"]))
    sections.append((f"Differences from nominal{some}", drawn["deviations"]))
    if "total" in drawn:
        heading = "Total indices in percent, with standard errors"
        sections.append((heading, table(*index_table(found))))
    target = Path(path)
    target.write_text(html_page(f"Study of {found.robot.name}", "", sections), "utf-8")
    return target
