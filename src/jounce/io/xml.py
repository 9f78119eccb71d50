"""A small XML reader that remembers line numbers and refuses what robot files never need.

Built on the standard library's expat. DOCTYPE and entity declarations (the root of entity
expansion attacks), deep nesting and huge documents are errors. Every error is a `ModelError` that
names the file, the line and the element.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

import numpy as np

from jounce.errors import ModelError

MAX_DEPTH = 1000
MAX_BYTES = 64 * 2**20


@dataclass(eq=False, repr=False)
class Element:
    """One element: tag (with its namespace prefix), attributes, children, text, line, file."""

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
        """This element and all below it, in document order."""
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
            found = ", ".join(f"<{child.tag}>" for child in self.children) or "no element"
            raise self.error(f"expected an element <{tag}>, found {found}")
        return child

    def string(self, attribute: str) -> str:
        """A non-empty attribute; its absence is an error."""
        value = self.attributes.get(attribute, "")
        if not value:
            found = ", ".join(self.attributes) or "none"
            raise self.error(
                f"expected a non-empty attribute '{attribute}'; found attributes: {found}"
            )
        return value

    def number(self, attribute: str, default: float | None = None, *, finite: bool = True) -> float:
        """One number. Without a default, its absence is an error."""
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

    def _numbers(self, attribute: str, size: int, finite: bool) -> list[float]:
        sort = "finite " if finite else ""
        wanted = f"a {sort}number" if size == 1 else f"{size} {sort}numbers"
        text = self.attributes.get(attribute)
        if text is None:
            raise self.error(f"attribute '{attribute}': expected {wanted}, but it is missing")
        try:
            values = [_number(word) for word in text.split()]
        except ValueError:
            values = []
        accepted = all(math.isfinite(x) if finite else not math.isnan(x) for x in values)
        if len(values) != size or not accepted:
            raise self.error(f"attribute '{attribute}': expected {wanted}, found '{text}'")
        return values


def _number(word: str) -> float:
    if "_" in word:  # Python's float takes 1_000, no robot format does
        raise ValueError(word)
    return float(word)


def read_xml(path_or_text: str | os.PathLike[str]) -> Element:
    """The root element of an XML file, or of the document itself if the string contains '<'."""
    if isinstance(path_or_text, str) and "<" in path_or_text:
        try:
            # the text is already decoded: whatever encoding its header claims no longer holds
            return _parse(path_or_text.lstrip("\ufeff \t\r\n").encode(), "<string>", "utf-8")
        except UnicodeEncodeError as error:
            raise ModelError(f"<string>: the text is not valid Unicode: {error}") from error
    source = os.fspath(path_or_text)
    try:
        path = Path(source)
        size = path.stat().st_size
        _check_size(size, source)
        return _parse(path.read_bytes(), source, None)
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(f"cannot read '{source}': {reason}") from error


def _check_size(size: int, source: str) -> None:
    if size > MAX_BYTES:
        raise ModelError(f"{source}: expected at most {MAX_BYTES} bytes, found {size}")


def _parse(data: bytes, source: str, encoding: str | None) -> Element:
    _check_size(len(data), source)
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    top = Element("", {}, 0, source)
    stack = [top]

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

    def end(_tag: str) -> None:
        stack.pop()

    def characters(text: str) -> None:
        stack[-1].text += text

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
    return top.children[0]


def _encoding_hint(data: bytes) -> str:
    """Says so if the bytes are not UTF-8, the usual cause of an invalid token."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"encoding" in data[:200]:
        return ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f" (byte {data[error.start]:#04x} in line {line} is not UTF-8; save it as UTF-8)"
    return ""
