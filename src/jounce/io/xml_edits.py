"""Edits to an XML document that leave every other character of it as it is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence

from jounce.errors import ModelError
from jounce.io.xml import Element, parse_xml

#: All markup of a well-formed document; its group is a start tag.
_MARKUP = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|</[^>]*>|(<(?:"[^"]*"|'[^']*'|[^"'>])*>)""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_DECLARED = re.compile(rb"""^<\?xml[^>]*encoding\s*=\s*["']([\w.\-]+)["']""")

#: How documents in other encodings than that of their declaration begin.
_STARTS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


def encoding_of(data: bytes) -> str:
    """Return the encoding that a byte order mark, the first letter or the declaration tells."""
    encoding = next((name for start, name in _STARTS if data.startswith(start)), None)
    declared = _DECLARED.match(data)
    return encoding or (declared[1].decode() if declared else "utf-8")


class Document:
    """A document, its `root` element and its `text`, with edits that are still to be made."""

    def __init__(self, data: bytes, source: str) -> None:
        self.source, self.encoding = source, encoding_of(data)
        try:
            self.text = data.decode(self.encoding)
        except (LookupError, UnicodeDecodeError) as error:
            raise ModelError(f"{source}: cannot decode the file: {error}") from error
        self.root = parse_xml(data, source)
        tags = (match.span(1) for match in _MARKUP.finditer(self.text) if match[1])
        #: Where the start tag of each element begins and ends.
        self._tags = dict(zip(self.root.walk(), tags, strict=True))
        self._newline = "\r\n" if "\r\n" in self.text else "\n"
        self._edits: list[tuple[int, int, str]] = []

    def set_child(self, parent: Element, tag: str, values: Mapping[str, str]) -> None:
        """Set attributes of an element's first child called `tag`, which is added if missing."""
        node = parent.find(tag)
        if node is None:
            self.insert(parent, [empty_element(tag, values)])
            return
        self.set_attributes(node, values)

    def set_attributes(self, node: Element, values: Mapping[str, str]) -> None:
        """Set attributes of an element; missing ones are added after the others."""
        start, stop = self._tags[node]
        missing = dict(values)
        for match in _ATTRIBUTE.finditer(self.text, start, stop):
            value = missing.pop(match[1], None)
            if value is not None:
                self._edits.append((*match.span(match.lastindex or 0), value))
        if missing:
            end = start + len(self.text[start:stop].removesuffix(">").removesuffix("/").rstrip())
            self._edits.append((end, end, _format_attributes(missing)))

    def replace_attribute(self, node: Element, old: str, new: str, value: str) -> None:
        """Replace an attribute of an element by one with another name and value."""
        start, stop = self._tags[node]
        for match in _ATTRIBUTE.finditer(self.text, start, stop):
            if match[1] == old:
                self._edits.append((match.start(1), match.end(), f'{new}="{value}"'))

    def insert(self, node: Element, lines: Sequence[str]) -> None:
        """Put lines before what an element contains, indented like that."""
        start, stop = self._tags[node]
        indent = self._indent(node) or ""
        inner = self._indent(node.children[0]) if node.children else None
        inner = f"{indent}  " if inner is None else inner
        new = "".join(f"{self._newline}{inner}{line}" for line in lines)
        if self.text[start:stop].endswith("/>"):
            end = start + len(self.text[start : stop - 2].rstrip())
            self._edits.append((end, stop, f">{new}{self._newline}{indent}</{node.tag}>"))
        else:
            self._edits.append((stop, stop, new))

    def _indent(self, node: Element) -> str | None:
        """Return the white space before an element in its line; None if more stands there."""
        start, _ = self._tags[node]
        before = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return None if before.strip() else before

    def apply_edits(self) -> bytes:
        """Return the bytes with all edits."""
        out, position = [], 0
        for start, stop, text in sorted(self._edits, key=lambda edit: edit[0]):
            out += [self.text[position:start], text]
            position = stop
        return "".join((*out, self.text[position:])).encode(self.encoding)


def empty_element(tag: str, values: Mapping[str, str]) -> str:
    """Return the text of an element that has attributes only."""
    return f"<{tag}{_format_attributes(values)}/>"


def _format_attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{value}"' for name, value in values.items())
