"""Converts docstrings from Markdown and numpydoc to the reStructuredText that Sphinx reads.

Paragraphs, `code`, lists, tables, indented code and doctests are what there is. Sentences that
speak of an argument (`name: what it is.`) become a list of arguments.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"(`+)(.+?)\1")
_SPECIAL = re.compile(r"([\\*_|`])")
#: Sections of numpydoc that are lists of entries; others are text.
LISTS = ("Parameters", "Other Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")

_RULE = re.compile(r"^\|[\s:|-]+\|$")


def to_rst(lines: list[str], names: frozenset[str] = frozenset()) -> list[str]:
    """Markdown lines as lines of reStructuredText; names: of the arguments it may speak of."""
    out: list[str] = []
    for title, section in _sections(lines):
        if title:
            out += [f"**{title}**", ""]
        if title in LISTS:
            out += [*_entries(section), ""]
            continue
        for block in _blocks(section):
            out += [*_block(block, names), ""]
    return out


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Split a docstring at numpydoc headings; what stands before the first has no title."""
    title, section = "", []
    for line in lines:
        if section and len(line) > 2 and not line.strip("-"):
            heading = section.pop()
            yield title, section
            title, section = heading, []
        else:
            section.append(line)
    yield title, section


def _entries(section: list[str]) -> list[str]:
    """Return the entries of a numpydoc section as a list: "name : type" and what is indented."""
    items: list[list[str]] = []
    for line in filter(str.strip, section):
        if line.startswith(" ") and items:
            items[-1].append(line.strip())
        else:
            items.append([line.strip()])
    if all(len(item) == 1 for item in items):  # a paragraph
        return [_inline(" ".join(item[0] for item in items))]
    out = []
    for head, *text in items:
        name, _, kind = head.partition(" : ")
        type_ = f" ({_inline(kind)})" if kind else ""
        out.append(f"* ``{name}``{type_}: {_inline(' '.join(text))}")
    return out


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines of one kind: text, a list, a table, code."""
    block: list[str] = []
    last = ""
    for line in (*lines, ""):
        kind = _line_kind(line, last)
        if kind != last and block and not (kind == "" and last == "code"):
            yield block
            block = []
        if kind or last == "code":
            block.append(line)
        last = kind if kind or last != "code" else last
    if any(block):
        yield block


def _line_kind(line: str, last: str) -> str:
    if not line.strip():
        return ""
    if line.startswith("    "):
        return "code" if last != "list" else "list"
    if line.startswith("|"):
        return "table"
    if line.startswith((">>>", "...")) or last == "doctest":
        return "doctest"
    if re.match(r"[*-] ", line) or (last == "list" and line.startswith("  ")):
        return "list"
    return "text"


def _block(block: list[str], names: frozenset[str]) -> list[str]:
    first = block[0]
    if first.startswith("    "):
        return ["::", "", *block]
    if first.startswith("|"):
        return _table(block)
    if first.startswith((">>>", "...")):
        return block
    if re.match(r"[*-] ", first):
        return _list(block)
    text = " ".join(line.strip() for line in block)
    listed = _arguments(text, names) if names else []
    return listed or [_inline(text)]


def _inline(text: str) -> str:
    """A line of text, its code marked as such and all else taken literally."""
    out, last = [], 0
    for code in _CODE.finditer(text):
        out += [_SPECIAL.sub(r"\\\1", text[last : code.start()]), f"``{code[2].strip()}``"]
        last = code.end()
        if last < len(text) and (text[last].isalnum() or text[last] == "("):
            out.append("\\ ")
    return "".join((*out, _SPECIAL.sub(r"\\\1", text[last:])))


def _list(block: list[str]) -> list[str]:
    items: list[str] = []
    for line in block:
        if re.match(r"[*-] ", line):
            items.append(line[2:].strip())
        else:
            items[-1] += " " + line.strip()
    return [f"* {_inline(item)}" for item in items]


def _table(block: list[str]) -> list[str]:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in block
        if not _RULE.match(line)
    ]
    out = [".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        out += [f"   {'* -' if k == 0 else '  -'} {_inline(cell)}" for k, cell in enumerate(row)]
    return out


def _arguments(text: str, names: frozenset[str]) -> list[str]:
    """The sentences of a paragraph that opens with an argument, each as an item; else nothing."""
    word = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    begin = rf"(?:{word})(?:, (?:{word}))*(?: \([^)]*\))?: "
    if not re.match(begin, text):
        return []
    parts = re.split(rf"(?<=[.;)]) (?={begin})", text)
    items = []
    for part in parts:
        head = re.match(begin, part)
        assert head is not None
        said = head[0].rstrip(": ")
        named, _, shape = said.partition(" (")
        shown = ", ".join(f"``{name}``" for name in named.split(", "))
        items.append(
            f"* {shown}{_inline(' (' + shape) if shape else ''}: {_inline(part[head.end() :])}"
        )
    return items


def _names(kind: str, obj: Any) -> frozenset[str]:
    """Return names that a docstring may explain: arguments, or the fields of a class."""
    if kind not in ("class", "function", "method", "exception"):
        return frozenset()
    try:
        names = {*inspect.signature(obj).parameters}
    except (TypeError, ValueError):
        names = set()
    if inspect.isclass(obj):
        names |= {name for name in dir(obj) if not name.startswith("_")}
        names |= {*getattr(obj, "__annotations__", {})}
    return frozenset(names - {"self"})


def _process(
    _app: Sphinx, what: str, _name: str, obj: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = to_rst(lines, _names(what, obj))


def setup(app: Sphinx) -> dict[str, Any]:
    """Have docstrings translated before Sphinx reads them."""
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
