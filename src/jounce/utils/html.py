"""Pieces of HTML for notebooks: everything escaped, legible on light and on dark ground."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from jounce.errors import printable

#: Colours are those of the page, some of them faded: the page decides whether it is light or dark.
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

#: Longest name in a cell; the whole one shows where the pointer rests.
LONGEST = 32


def escaped(text: str) -> str:
    """Text as HTML shows it; browsers obey marks of direction, and pages hold no surrogates."""
    return html.escape(printable(text))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Text as HTML, the middle of a long one left out, and all of it where the pointer rests."""
    if len(text) <= longest:
        return escaped(text)
    return f'<span title="{escaped(text)}">{escaped(cut(text, longest))}</span>'


def cut(text: str, longest: int) -> str:
    """The text, its middle replaced by an ellipsis if it is too long."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[len(text) - tail :]}"


def framed(*parts: str) -> str:
    """Pieces of HTML as one output of a notebook."""
    return f'<div class="jounce"><style>{_STYLE}</style>{"".join(parts)}</div>'


def heading(title: str, words: Iterable[str] = ()) -> str:
    """A title in bold, and a few words about it."""
    said = escaped(" · ".join(words))
    return f'<p><b>{shortened(title, 80)}</b> <span class="faint">{said}</span></p>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], last: bool = False) -> str:
    """A table of texts, which are escaped here; last: whether the last column is prose."""
    head = "".join(f"<th>{escaped(x)}</th>" for x in heads)
    body = "".join(f"<tr>{''.join(_cells(row, last))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], last: bool) -> Iterator[str]:
    for k, cell in enumerate(row, 1):
        if last and k == len(row):
            yield f'<td class="text">{escaped(cell)}</td>'
        else:
            yield f"<td>{shortened(cell)}</td>"


def pairs(items: Iterable[tuple[str, str]]) -> str:
    """A table of names and what is said of them, at length."""
    rows = "".join(
        f'<tr><th>{escaped(name)}</th><td class="text">{escaped(said)}</td></tr>'
        for name, said in items
    )
    return f"<table><tbody>{rows}</tbody></table>"


def folded(title: str, inside: str, opened: bool) -> str:
    """What a click on its title shows or hides."""
    return f"<details{' open' * opened}><summary>{escaped(title)}</summary>{inside}</details>"
