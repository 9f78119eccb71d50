"""Reports of a study: which parameters make a quantity uncertain, as tables and one HTML file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.identification.page import Cells, definitions, escaped, html_page, number, table
from jounce.studies.amounts import describe_amount, parse_key
from jounce.studies.plots import MOST, along, deviation, overall, shown
from jounce.studies.result import percent, shares
from jounce.utils.files import write_files

if TYPE_CHECKING:
    from jounce.studies import Study

#: Parameters named for one entry.
_NAMED = 3

#: Columns of the table of indices, and rows of tables.
_COLUMNS, _ROWS = 40, 400


# ------------------------------------------------------------------ tables


def summary_table(found: Study) -> tuple[Cells, list[Cells]]:
    """How far each entry may be from nominal, and because of which parameters."""
    heads = ["entry", "largest nominal", "deviation (1σ)", "largest", "worst case"]
    nominal, std = along(found, found.nominal), along(found, found.std)
    worst = [abs(x.value - x.nominal) for x in found.worst]
    columns = [np.abs(nominal).max(axis=0), deviation(found), std.max(axis=0), worst]
    indices = found.total_overall is not None
    lines = []
    for i in _listed(found):
        line = [str(found.labels[i]), *(number(float(x[i])) for x in columns)]
        lines.append([*line, shares(found, i, _NAMED) or "–"] if indices else line)
    return [*heads, "mostly by"] if indices else heads, lines


def index_table(found: Study) -> tuple[Cells, list[Cells]]:
    """Total indices over the whole trajectory, with their standard errors, by group and entry."""
    entries = shown(found, _COLUMNS)
    heads = ["parameter", *(str(found.labels[i]) for i in entries)]
    lines: list[Cells] = [
        [name, *(percent(found, k, i, 1).removesuffix(" %") for i in entries)]
        for k, name in enumerate(found.groups[:_ROWS])
    ]
    return heads, lines


def worst_table(found: Study) -> tuple[Cells, list[Cells]]:
    """The sample that deviates most in each entry, which can be drawn again by its number."""
    heads = ["entry", "nominal", "worst", "difference", "at", "sample"]
    lines = []
    for i in _listed(found):
        worst = found.worst[i]
        where = ", ".join(map(str, worst.point)) or "–"
        if found.t is not None and np.ndim(found.t):
            where = f"{number(float(np.asarray(found.t)[worst.point]))} s"
        numbers = (worst.nominal, worst.value, worst.value - worst.nominal)
        lines.append([str(found.labels[i]), *map(number, numbers), where, str(worst.sample)])
    return heads, lines


def facts(found: Study, notes: Sequence[str] = ()) -> list[tuple[str, str]]:
    """What was varied, and how the numbers came about."""
    points = len(along(found, found.nominal))
    varied = "; ".join(f"{key}: {_amount(key, amount)}" for key, amount in found.vary.items())
    out = [
        ("quantity", f"{found.quantity} ({found.unit or 'no unit'})"),
        ("varied", varied),
        ("samples", f"{found.samples:,} robots, seed {found.seed}"),
        ("points", f"{points:,}" + _span(found)),
        ("evaluations", f"{found.evaluations:,} in {found.seconds:.3g} s"),
    ]
    if found.total_overall is not None:
        out.append(("parameters", f"{len(found.groups)} groups; {_shared(found)}"))
    return out + [("trajectory", note) for note in notes]


def _amount(key: str, amount: object) -> str:
    return str(parse_key(key)[0].default if amount is None else describe_amount(amount))


def _span(found: Study) -> str:
    if found.t is None:
        return ""
    t = np.ravel(found.t)
    return f" from {number(float(t[0]))} s to {number(float(t[-1]))} s"


def _shared(found: Study) -> str:
    """What the sums of the indices say, in the mean over entries that vary."""
    entries = shown(found)
    first, total = (
        float(overall(found, x)[:, entries].sum(axis=0).mean())
        for x in (found.first_overall, found.total_overall)
    )
    return f"alone they make {100 * first:.0f} % of the variance, total indices add to {total:.2f}"


def _listed(found: Study) -> np.ndarray:
    """Entries in tables: all, or those that vary most where there are very many."""
    return shown(found, _ROWS) if len(found.labels) > _ROWS else np.arange(len(found.labels))


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


#: What can be done with a sample's number.
_AGAIN = (
    "The largest difference from nominal of each entry. The robot that has it is drawn again by"
    " <code>found.robot_of(sample)</code>."
)


def write_html(
    found: Study,
    path: str | os.PathLike[str],
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    overwrite: bool = False,
) -> Path:
    """Write one HTML file with everything in it, figures as inline SVG; return its path.

    command: what makes the same study again. notes: sentences on the trajectory. overwrite: replace
    a file that exists; FileExistsError otherwise.
    """
    from jounce.identification.plots import svg
    from jounce.studies.plots import figures

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
    sections.append(("Worst cases", f"<p>{_AGAIN}</p>{table(*worst_table(found))}"))
    if "total" in drawn:
        heading = "Total indices in percent, with standard errors (?: of too few samples)"
        sections.append((heading, table(*index_table(found))))
    page = html_page(f"Study of {found.robot.name}", "", sections)
    write_files({path: page.encode()}, overwrite=overwrite)
    return Path(path)
