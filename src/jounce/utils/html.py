"""HTML fragments for notebooks: text is escape, and readable in light and dark themes."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from jounce.errors import printable

#: Colors are inherited from the page, partly faded, so that they fit light and dark themes.
_STYLE = """
.jounce { font-size: 13px; line-height: 1.4; overflow-x: auto; }
.jounce table { border-collapse: collapse; margin: 0.4em 0; font-size: inherit; color: inherit;
  font-variant-numeric: tabular-nums; }
.jounce th, .jounce td { padding: 1px 10px 1px 0; text-align: left; background: none;
  border: 0; border-bottom: 1px solid rgba(128, 128, 128, 0.35); white-space: nowrap; }
.jounce td.text { white-space: normal; }
.jounce .faint { opacity: 0.7; }
.jounce .bad { color: #c0392b; font-weight: 600; }
.jounce p { margin: 0.3em 0; }
.jounce summary { cursor: pointer; }
.jounce svg { max-width: 100%; height: auto; }
""".strip()

#: Longest name in a cell, in characters; a tooltip shows the full name.
MAX_NAME_LENGTH = 32


def escape(text: str) -> str:
    """Escape text for HTML, including characters that control the direction of writing."""
    return html.escape(printable(text))


def shorten(text: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Return text as HTML; long text is shorten, with the full text as a tooltip."""
    if len(text) <= longest:
        return escape(text)
    return f'<span title="{escape(text)}">{escape(truncate(text, longest))}</span>'


def truncate(text: str, longest: int) -> str:
    """Return text with its middle replaced by an ellipsis if it is too long."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[len(text) - tail :]}"


def wrap_output(*parts: str) -> str:
    """Combine HTML fragments into one output of a notebook, with the style sheet."""
    return f'<div class="jounce"><style>{_STYLE}</style>{"".join(parts)}</div>'


def heading(title: str, words: Iterable[str] = ()) -> str:
    """Return a heading: a title in bold, and short remarks."""
    remarks = escape(" · ".join(words))
    return f'<p><b>{shorten(title, 80)}</b> <span class="faint">{remarks}</span></p>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], last: bool = False) -> str:
    """Return a table of texts, which are escape here; last: whether the last column is prose."""
    head = "".join(f"<th>{escape(x)}</th>" for x in heads)
    body = "".join(f"<tr>{''.join(_cells(row, last))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], last: bool) -> Iterator[str]:
    for k, cell in enumerate(row, 1):
        if last and k == len(row):
            yield f'<td class="text">{escape(cell)}</td>'
        else:
            yield f"<td>{shorten(cell)}</td>"


def pairs(items: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and their descriptions."""
    rows = "".join(
        f'<tr><th>{escape(name)}</th><td class="text">{escape(description)}</td></tr>'
        for name, description in items
    )
    return f"<table><tbody>{rows}</tbody></table>"


def collapsible(title: str, content: str, is_open: bool) -> str:
    """Return HTML content that a click on its title shows or hides."""
    return f"<details{' open' * is_open}><summary>{escape(title)}</summary>{content}</details>"
