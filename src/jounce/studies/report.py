"""Reports of a study: which parameters make a quantity uncertain, as tables and one HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.identification import page, plots
from jounce.studies.amounts import describe_amount, parse_key
from jounce.studies.plots import MAX_ENTRIES, choose_entries, deviation, figures, flatten
from jounce.studies.result import percent, shares
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.studies import Study

#: Parameters named for one entry; columns of the table of indices, and rows of tables.
_MAX_NAMES, _MAX_COLUMNS, _MAX_ROWS = 3, 40, 400


def summary_table(study: Study) -> tuple[page.Cells, list[page.Cells]]:
    """Return the deviation of each entry from nominal, and the parameters that cause it."""
    heads = ["entry", "max |nominal|", "std (RMS over points)", "max std", "max |deviation|"]
    nominal, std = flatten(study, study.nominal), flatten(study, study.std)
    worst = [abs(x.value - x.nominal) for x in study.worst]
    columns = [np.abs(nominal).max(axis=0), deviation(study), std.max(axis=0), worst]
    indices = study.total_overall is not None
    lines = []
    for i in _choose_rows(study):
        line = [str(study.labels[i]), *(page.number(float(x[i])) for x in columns)]
        lines.append([*line, shares(study, i, _MAX_NAMES) or "–"] if indices else line)
    return [*heads, "main causes"] if indices else heads, lines


def index_table(study: Study) -> tuple[page.Cells, list[page.Cells]]:
    """Return total indices over all points, with standard errors, by group and entry."""
    entries = choose_entries(study, _MAX_COLUMNS)
    heads = ["parameter", *(str(study.labels[i]) for i in entries)]
    lines: list[page.Cells] = [
        [name, *(percent(study, k, i, 1).removesuffix(" %") for i in entries)]
        for k, name in enumerate(study.groups[:_MAX_ROWS])
    ]
    return heads, lines


def worst_table(study: Study) -> tuple[page.Cells, list[page.Cells]]:
    """Return the sample that deviates most in each entry."""
    heads = ["entry", "nominal", "worst", "difference", "point", "sample"]
    lines = []
    for i in _choose_rows(study):
        worst = study.worst[i]
        where = ", ".join(map(str, worst.point)) or "–"
        if study.t is not None and np.ndim(study.t):
            where = f"{page.number(float(np.asarray(study.t)[worst.point]))} s"
        numbers = (worst.nominal, worst.value, worst.value - worst.nominal)
        lines.append([str(study.labels[i]), *map(page.number, numbers), where, str(worst.sample)])
    return heads, lines


def _choose_rows(study: Study) -> np.ndarray:
    """Return the entries in tables: all, or those that vary most if there are too many."""
    entries = np.arange(len(study.labels))
    return entries if len(entries) <= _MAX_ROWS else choose_entries(study, _MAX_ROWS)


def facts(study: Study, notes: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return labeled facts: quantity, varied parameters, samples, points and evaluations."""
    amounts = {
        key: parse_key(key)[0].default if amount is None else describe_amount(amount)
        for key, amount in study.vary.items()
    }
    t = [] if study.t is None else np.ravel(study.t)
    span = f" from {page.number(float(t[0]))} s to {page.number(float(t[-1]))} s" if len(t) else ""
    out = [
        ("quantity", f"{study.quantity} ({study.unit or 'no unit'})"),
        ("varied", "; ".join(f"{key}: {amount}" for key, amount in amounts.items())),
        ("samples", f"{study.samples:,} robots, seed {study.seed}, sampling {study.sampling}"),
        ("points", f"{len(flatten(study, study.nominal)):,}{span}"),
        ("evaluations", f"{study.evaluations:,} in {study.seconds:.3g} s"),
    ]
    if study.total_overall is not None:
        entries = choose_entries(study)
        first, total = (
            float(flatten(study, x)[:, entries].sum(axis=0).mean())
            for x in (study.first_overall, study.total_overall)
        )
        share = f"first-order indices sum to {100 * first:.0f} % of the variance"
        text = f"{len(study.groups)} groups; {share}, total indices to {total:.2f}"
        out.append(("parameters", text))
    return out + [("trajectory", note) for note in notes]


#: Text above each figure.
_CAPTIONS = {
    "bands": "The quantity of the nominal robot (dashed), its mean, quantiles, and the range from"
    " the smallest to the largest value of all samples.",
    "deviations": "The same bands as differences from the nominal values.",
    "total": "Total index: the share of an entry's variance that would remain if all parameters but"
    " this one were known, over the whole trajectory. First-order index: the share that this"
    " parameter causes alone. Total indices that sum to more than one indicate interactions.",
    "first": "First-order indices along the trajectory, stacked; the remainder to one is due to"
    " interactions. Points at which the entry does not vary have no indices.",
    "all": "Total indices in percent of the variance, over the whole trajectory.",
}


def write_html(
    study: Study,
    path: str | os.PathLike[str],
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    overwrite: bool = False,
) -> Path:
    """Write the results of a study to one self-contained HTML file.

    Figures are inline SVG, so the file has no dependencies.

    Parameters
    ----------
    study : Study
        The results.
    path : str or path
        The file to write.
    command : str, optional
        Command line that reproduces the study, shown in the report.
    notes : sequence of str
        Sentences about the trajectory, such as which derivatives were estimated.
    overwrite : bool
        Replace an existing file.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    FileExistsError
        If the file exists and `overwrite` is False.

    Examples
    --------
    >>> import jounce
    >>> from jounce.studies import write_html
    >>> robot = jounce.load("planar_2r")
    >>> result = jounce.study(robot, ([0.3, 0.5],), "gravity_forces", {"mass": "5%"}, 1000)
    >>> write_html(result, "study.html")  # doctest: +SKIP
    """
    drawn = {name: f"<p>{_CAPTIONS[name]}</p>{plots.svg(x)}" for name, x in figures(study).items()}
    count, size = len(choose_entries(study)), len(study.labels)
    shown = f" ({count} of {size} entries, those that vary most)" if size > MAX_ENTRIES else ""
    sections = [("Overview", html.pairs(facts(study, notes)))]
    if command is not None:
        sections.append(("Command to reproduce", f"<pre>{html.escape(command)}</pre>"))
    sections.append(("Uncertainty by entry", page.table(*summary_table(study))))
    if "total" in drawn:
        sections.append((f"Parameters by total index{shown}", drawn["total"]))
        sections.append(("All parameters", drawn["all"]))
        sections.append((f"Along the trajectory{shown}", drawn["first"]))
    sections.append((f"Uncertainty bands{shown}", drawn["bands"]))
    sections.append((f"Differences from nominal{shown}", drawn["deviations"]))
    caption = "The largest deviation of each entry from nominal;"
    hint = "<code>study.robot_of(sample)</code> returns the robot of that sample."
    worst = f"<p>{caption} {hint}</p>{page.table(*worst_table(study))}"
    sections.append(("Worst cases", worst))
    if "total" in drawn:
        heading = "Total indices in percent, with standard errors (?: too few samples)"
        sections.append((heading, page.table(*index_table(study))))
    return page.write_page(path, f"Study of {study.robot.name}", "", sections, overwrite)
