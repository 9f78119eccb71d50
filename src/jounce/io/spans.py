"""Where the elements of an XML document stand in its bytes, for edits that keep all the others.

Every byte of a document belongs to some event of the parser, so a tag ends where the next event
begins. That holds in any encoding, and around comments, CDATA and quotes alike.
"""

from __future__ import annotations

import codecs
import re
from functools import partial
from typing import Any
from xml.parsers.expat import XMLParserType

from jounce.errors import ModelError
from jounce.io.xml import Element, Span, parse_xml

_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
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
    """The encoding of a document: by its byte order mark, its first letter or its declaration."""
    found = next((name for start, name in _STARTS if data.startswith(start)), None)
    declared = _DECLARED.match(data)
    return found or (declared[1].decode() if declared else "utf-8")


class Document:
    """A document in bytes, its elements with their spans, and edits to it."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data, self.source, self.encoding = data, source, encoding_of(data)
        try:
            self.text = data.decode(self.encoding)
        except (LookupError, UnicodeDecodeError) as error:
            raise ModelError(f"{source}: cannot decode the file: {error}") from error
        self.root = parse_xml(data, source, watch=partial(_record, len(data)))
        self._edits: list[tuple[int, int, str]] = []

    def read(self, start: int, stop: int) -> str:
        """The text of some bytes."""
        return self.data[start:stop].decode(self.encoding)

    def size(self, text: str) -> int:
        """How many bytes a text takes."""
        return len(text.encode(self.encoding))

    def tag(self, node: Element) -> str:
        """The start tag of an element, as it is written."""
        span = span_of(node)
        return self.read(span.start, span.inside)

    def values(self, node: Element, *names: str) -> dict[str, tuple[int, int]]:
        """Where the values of some attributes of an element stand, without their quotes."""
        begin, tag = span_of(node).start, self.tag(node)
        ends = {x[1]: x.span(2) for x in _ATTRIBUTE.finditer(tag) if x[1] in names}
        return {
            name: (begin + self.size(tag[: first + 1]), begin + self.size(tag[: last - 1]))
            for name, (first, last) in ends.items()
        }

    def before(self, node: Element) -> str:
        """What stands before an element in its line."""
        at, newline = span_of(node).start, "\n".encode(self.encoding)
        found = self.data.rfind(newline, 0, at)
        while found >= 0 and (at - found) % len(newline):  # half of one letter, half of another
            found = self.data.rfind(newline, 0, found + len(newline) - 1)
        return self.read(found + len(newline) if found >= 0 else 0, at)

    def replace(self, start: int, stop: int, text: str) -> None:
        """Put a text in place of some bytes."""
        self._edits.append((start, stop, text))

    def edited(self) -> bytes:
        """The bytes with all edits."""
        out, at = [], 0
        for start, stop, text in sorted(self._edits):
            out += [self.data[at:start], text.encode(self.encoding)]
            at = stop
        return b"".join((*out, self.data[at:]))


def span_of(node: Element) -> Span:
    """Where an element of a `Document` stands."""
    assert node.span is not None, f"{node!r} was read without its span"
    return node.span


def _record(size: int, parser: XMLParserType, stack: list[Element]) -> None:
    """Let a parser note the spans of the elements on its stack, in a document of `size` bytes."""
    begin: Any = parser.StartElementHandler
    finish: Any = parser.EndElementHandler
    characters: Any = parser.CharacterDataHandler
    waiting: list[tuple[Span, str]] = []  # for the end of the tag that was met last

    def event(*_: object) -> int:
        at = parser.CurrentByteIndex
        while waiting:
            setattr(*waiting.pop(), at)
        return at

    def start(tag: str, attributes: dict[str, str]) -> None:
        span = Span(event(), size, size, size)
        begin(tag, attributes)
        stack[-1].span = span
        waiting.append((span, "inside"))

    def end(tag: str) -> None:
        span = span_of(stack[-1])
        span.closing = event()
        finish(tag)
        waiting.append((span, "stop"))

    def text(content: str) -> None:
        event()
        characters(content)

    parser.buffer_text = False  # it would hold events back
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.DefaultHandler = text, event
