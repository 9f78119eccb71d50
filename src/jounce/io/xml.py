"""A small XML reader that remembers line numbers and refuses what robot files never need.

Built on the standard library's expat. DOCTYPE and entity declarations (the root of entity
expansion attacks), deep nesting and huge documents are errors. Every error is a `ModelError` that
names the file, the line and the element.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from xml.parsers import expat

import numpy as np

from jounce.errors import ModelError
from jounce.io.files import check_size, opened, read_bytes
from jounce.io.numbers import number
from jounce.model.numbers import LARGEST

MAX_DEPTH = 1000
MAX_BYTES = 64 * 2**20
#: How far into a file its root element is looked for.
MAX_HEAD = 2**16
#: Bounds that keep what a file becomes in memory below half a gigabyte.
MAX_TAGS = 1_000_000
MAX_ATTRIBUTES = 1_000_000


@dataclass(eq=False, repr=False, slots=True)
class Element:
    """An XML element: tag (with its namespace prefix), attributes, children, text, line, file."""

    tag: str
    attributes: dict[str, str]
    line: int
    source: str
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def __repr__(self) -> str:
        return f"<{self.tag}> at {self.source}:{self.line}"

    @property
    def where(self) -> str:
        """File, line and place in the tree: "robot.urdf:7: joint 'elbow': <axis>"."""
        steps: list[str] = []
        node: Element | None = self
        while node is not None and (node.parent is not None or not steps):
            name = node.attributes.get("name")
            steps.append(f"<{node.tag}>" if name is None else f"{node.tag} '{name}'")
            node = node.parent
        return ": ".join((f"{self.source}:{self.line}", *reversed(steps)))

    def error(self, message: str) -> ModelError:
        """An error at this element, to be raised by the caller."""
        return ModelError(f"{self.where}: {message}")

    def walk(self) -> Iterator[Element]:
        """Yield the element and its descendants, in document order."""
        stack: list[Element] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def all(self, tag: str) -> list[Element]:
        """The children called `tag`."""
        return [child for child in self.children if child.tag == tag]

    def find(self, tag: str) -> Element | None:
        """The first child called `tag`, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def require(self, tag: str) -> Element:
        """The first child called `tag`; its absence is an error."""
        child = self.find(tag)
        if child is None:
            listed = ", ".join(f"<{child.tag}>" for child in self.children) or "no element"
            raise self.error(f"expected an element <{tag}>, found {listed}")
        return child

    def string(self, attribute: str) -> str:
        """A non-empty attribute; its absence is an error."""
        value = self.attributes.get(attribute, "")
        if not value:
            listed = ", ".join(self.attributes) or "none"
            raise self.error(
                f"expected a non-empty attribute '{attribute}'; found attributes: {listed}"
            )
        return value

    def number(self, attribute: str, default: float | None = None, *, finite: bool = True) -> float:
        """Return an attribute that is a number. Without a default, its absence is an error."""
        if default is not None and attribute not in self.attributes:
            return default
        return self._numbers(attribute, 1, finite)[0]

    def vector(
        self, attribute: str, size: int, default: Sequence[float] | None = None
    ) -> np.ndarray:
        """`size` finite numbers, separated by white space, as a float array (size,)."""
        if default is not None and attribute not in self.attributes:
            return np.array(default, dtype=float)
        return np.array(self._numbers(attribute, size, finite=True))

    def flag(self, tag: str, default: bool = False) -> bool:
        """The text of the first child called `tag`, "true" or "1", "false" or "0"."""
        child = self.find(tag)
        if child is None:
            return default
        return truth(child.text, child)

    def word(self) -> str:
        """The element's text without white space around it; none at all is an error."""
        word = self.text.strip()
        if not word:
            raise self.error("expected some text, found none")
        return word

    def value(self, tag: str, default: float, *, finite: bool = True) -> float:
        """The number in the first child called `tag`, or the default."""
        child = self.find(tag)
        return default if child is None else float(child.values(1, finite=finite)[0])

    def values(self, size: int, *, finite: bool = True) -> np.ndarray:
        """The element's text as `size` numbers, separated by white space."""
        return np.array(self._parse_numbers(self.text.strip(" \t\r\n"), size, finite, ""))

    def _numbers(self, attribute: str, size: int, finite: bool) -> list[float]:
        text = self.attributes.get(attribute)
        what = f"attribute '{attribute}': "
        if text is None:
            raise self.error(f"{what}expected {_describe_numbers(size, finite)}, but it is missing")
        return self._parse_numbers(text, size, finite, what)

    def _parse_numbers(self, text: str, size: int, finite: bool, what: str) -> list[float]:
        try:
            words = text.split(maxsplit=size) if text.isascii() else ()  # spaces are ASCII too
            values = [number(word) for word in words]
        except ValueError:
            values = []
        if len(values) != size or (finite and not all(map(math.isfinite, values))):
            expected = _describe_numbers(size, finite)
            raise self.error(f"{what}expected {expected}, found '{_short(text)}'")
        if finite and max(map(abs, values)) > LARGEST:
            raise self.error(f"{what}expected numbers up to {LARGEST:g}, found '{_short(text)}'")
        return values


def truth(text: str, at: Element, what: str = "") -> bool:
    """Parse "true" or "1", "false" or "0"; raise an error at the element otherwise."""
    word = text.strip().lower()
    if word not in ("true", "1", "false", "0"):
        raise at.error(f"{what}expected true or false, found '{_short(word)}'")
    return word in ("true", "1")


def _describe_numbers(size: int, finite: bool) -> str:
    sort = "finite " if finite else ""
    return f"a {sort}number" if size == 1 else f"{size} {sort}numbers"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."


def read_xml(path_or_text: str | os.PathLike[str], source: str | None = None) -> Element:
    """The root element of an XML file, or of the document itself if the string contains '<'.

    source: what messages call the document; by default the file, or "<string>".
    """
    if isinstance(path_or_text, str) and "<" in path_or_text:
        source = source or "<string>"
        try:
            # the text is already decoded: whatever encoding its header claims no longer holds
            return parse_xml(path_or_text.lstrip("\ufeff \t\r\n").encode(), source, "utf-8")
        except UnicodeEncodeError as error:
            raise ModelError(f"{source}: the text is not valid Unicode: {error}") from error
    return parse_xml(read_bytes(path_or_text, MAX_BYTES), os.fspath(path_or_text))


def root_tag(path_or_text: str | os.PathLike[str]) -> str:
    """Return the tag of a document's root element without parsing the rest, or '' without one."""
    data = b""
    if isinstance(path_or_text, str) and "<" in path_or_text:
        data = path_or_text.lstrip("\ufeff \t\r\n")[:MAX_HEAD].encode(errors="replace")
        parser = expat.ParserCreate("utf-8")
    else:
        try:
            with opened(path_or_text) as file:
                data = file.read(MAX_HEAD)
        except (OSError, ValueError):
            return ""  # the reader says what is wrong with the file
        parser = expat.ParserCreate()
    names: list[str] = []

    def start(tag: str, _attributes: dict[str, str]) -> None:
        names.append(tag)
        parser.StartElementHandler = None

    def refuse(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.XmlDeclHandler = partial(_check_encoding, "")
    with contextlib.suppress(expat.ExpatError, LookupError, ValueError):
        parser.Parse(data, False)
    return names[0] if names else ""


def _feed(parser: expat.XMLParserType, data: bytes, source: str) -> None:
    """Parse the document; errors name the line and column."""
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise ModelError(
            f"{source}:{error.lineno}: malformed XML: {problem} at column"
            f" {error.offset + 1}{_encoding_hint(data)}"
        ) from error
    except (LookupError, ValueError) as error:  # an encoding Python does not know or cannot map
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{source}:1: cannot decode the file: {error}") from error


def parse_xml(
    data: bytes, source: str, encoding: str | None = None, largest: int | None = None
) -> Element:
    """The root element of a document; messages call it `source`.

    largest: bytes it may have, by default MAX_BYTES.
    """
    check_size(len(data), MAX_BYTES if largest is None else largest, source)
    for sign, what, most in ((b"<", "tags", MAX_TAGS), (b"=", "attributes", MAX_ATTRIBUTES)):
        if data.count(sign) > most:
            raise ModelError(f"{source}: expected at most {most} {what}")
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.XmlDeclHandler = partial(_check_encoding, source)
    top = Element("", {}, 0, source)
    stack = [top]
    texts: list[list[str]] = [[]]  # joined at the end of each element: adding up is quadratic

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > MAX_DEPTH:
            raise ModelError(
                f"{source}:{parser.CurrentLineNumber}: elements are nested more than"
                f" {MAX_DEPTH} deep"
            )
        parent = stack[-1] if len(stack) > 1 else None
        node = Element(tag, attributes, parser.CurrentLineNumber, source, parent)
        stack[-1].children.append(node)
        stack.append(node)
        texts.append([])

    def end(_tag: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def characters(text: str) -> None:
        texts[-1].append(text)

    def refuse(*_: object) -> None:
        raise ModelError(
            f"{source}:{parser.CurrentLineNumber}: DOCTYPE and entity declarations are refused;"
            " remove them"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    _feed(parser, data, source)
    return top.children[0]


def _check_encoding(source: str, _version: str, encoding: str | None, _standalone: int) -> None:
    """Refuse encodings in which markup differs from ASCII, so that it cannot be counted."""
    name = (encoding or "utf-8").lower()
    # an encoding that Python does not know is expat's to report
    with contextlib.suppress(LookupError, UnicodeError):
        if not name.startswith("utf-16") and "<=".encode(name) != b"<=":
            raise ModelError(
                f"{source}:1: cannot decode the file: found the encoding {encoding}; use UTF-8"
            )


def _encoding_hint(data: bytes) -> str:
    """Return a hint if the bytes are not UTF-8, the usual cause of an invalid token."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"encoding" in data[:200]:
        return ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f" (byte {data[error.start]:#04x} in line {line} is not UTF-8; save it as UTF-8)"
    return ""
