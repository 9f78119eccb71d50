"""Tables and pages of reports: text for the terminal, and self-contained HTML files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from jounce.errors import printable
from jounce.utils import html, write_files

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, .name, .text { text-align: left; }
th:first-child { white-space: nowrap; vertical-align: top; padding-right: 1.2rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.warn { background: #fff3d6; padding: 0.4rem 0.8rem; border-left: 4px solid #d55e00; }
.good { color: #046d3b; } .bad { color: #b3261e; } .quiet { color: #777; }
.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
"""

#: Content security policy: a report runs no script, loads nothing and sends nothing.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
    " form-action 'none'"
)

Cells = Sequence[str]

#: CSS classes of some cells, and heads of text columns, which are left-aligned.
_MARKS = {"yes": "good", "NO": "bad", "fixed": "quiet", "–": "quiet"}
_TEXT_COLUMNS = ("combination", "main causes", "in", "intrinsics")


def number(x: float) -> str:
    """Format a number for reports."""
    return "–" if not np.isfinite(x) else f"{x:.4g}"


def align_table(heads: Cells, lines: Sequence[Cells]) -> str:
    """Format a table for the terminal."""
    lines = [[printable(cell) for cell in cells] for cells in lines]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    left = [k == 0 or head in _TEXT_COLUMNS for k, head in enumerate(heads)]
    rows = (
        (x.ljust(w) if flush else x.rjust(w) for x, w, flush in zip(*row, strict=True))
        for row in ((cells, widths, left) for cells in (heads, *lines))
    )
    return "\n".join("  ".join(row).rstrip() for row in rows)


def table(heads: Cells, lines: Sequence[Cells]) -> str:
    """Format a table as HTML."""
    plain, words = "<th>", '<th class="name">'
    head = "".join(f"{words if x in _TEXT_COLUMNS else plain}{html.escape(x)}</th>" for x in heads)

    def cell(k: int, x: str) -> str:
        kind = _MARKS.get(x) or ("name" if heads[k] in _TEXT_COLUMNS else "")
        return f'<td class="{kind}">{html.escape(x)}</td>' if kind else f"<td>{html.escape(x)}</td>"

    rows = "".join(f"<tr>{''.join(cell(k, x) for k, x in enumerate(line))}</tr>" for line in lines)
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def write_page(
    path: str | os.PathLike[str],
    title: str,
    introduction: str,
    sections: Sequence[tuple[str, str]],
    overwrite: bool,
) -> Path:
    """Write an HTML page: a title, an introduction, and sections with their titles."""
    name = html.escape(title)
    body = "".join(f"<h2>{html.escape(head)}</h2>{content}" for head, content in sections)
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><title>{name}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{name}</h1>{introduction}{body}</body></html>\n"
    )
    write_files({path: page.encode()}, overwrite=overwrite)
    return Path(path)
