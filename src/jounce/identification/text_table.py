"""Text files of numbers with a header, streamed: CSV and the like, also compressed.

What is not a number is an error that names line and column; empty fields and the words nan, na,
null and none are NaN.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from jounce.errors import DataError, legible
from jounce.identification.files import check_inside, check_names, most_inside, reading
from jounce.io.files import opened

#: Fields of a text file that mean "no value".
_MISSING = {"", "nan", "na", "n/a", "null", "none", "-"}

_DELIMITERS = (",", ";", "\t")

#: Lines before the header, at most.
_PREAMBLE = 1000

#: Characters read at once, of a line, and of the lines that are parsed at once, at most.
_CHUNK = 1 << 16
_LINE = 1 << 22
_BLOCK = 1 << 24


class TextTable:
    """A text file with a header line, streamed."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path, str(path)
        with self._lines() as lines:
            self.skip, header = self._header(lines)
        self.delimiter = _delimiter(header)
        self.names = [name.strip().strip("\"'") for name in self._fields(header)]
        if all(_is_number(name) for name in self.names):
            raise DataError(
                f"'{path}': the first line has numbers, not names; add a header such as"
                " t,q_joint1,v_joint1,tau_joint1"
            )
        if "\0" in header:
            raise DataError(f"'{path}': the header is no text; save the file as UTF-8")
        check_names(f"'{path}'", self.names)
        self._length: int | None = None

    def _fields(self, line: str) -> list[str]:
        if '"' in line and self.delimiter is not None:  # names may contain the delimiter
            return next(csv.reader([line], delimiter=self.delimiter), [])
        return line.split(self.delimiter)

    @contextmanager
    def _lines(self) -> Iterator[Iterator[str]]:
        """The lines of the file, without their ends."""
        with reading(self.path), opened(self.path) as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            packed = self.path.suffix.lower() == ".gz"
            raw = gzip.GzipFile(fileobj=file) if packed else file
            text = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace")  # type: ignore[arg-type]
            yield self._split(text, size)

    def _split(self, text: io.TextIOWrapper, size: int) -> Iterator[str]:
        """Lines of bounded length, however much there is between two line ends."""
        rest, total, count, most = "", 0, 0, most_inside(size)
        while chunk := text.read(_CHUNK):
            total += len(chunk)
            if total > most:
                check_inside(self.path, total, size)
            lines = (rest + chunk).split("\n")
            rest = lines.pop()
            count += len(lines)
            if len(rest) > _LINE:
                raise DataError(
                    f"'{self.path}', line {count + 1}: expected at most {_LINE:,} characters; is it"
                    " a text file with a row for each sample?"
                )
            yield from lines
        if rest:
            yield rest

    def _header(self, lines: Iterator[str]) -> tuple[int, str]:
        """Lines before the numbers, and the header: the first line, or a comment just before."""
        comment = ""
        for count, line in enumerate(islice(lines, _PREAMBLE), start=1):
            text = line.strip()
            if text.startswith("#"):
                comment = text.lstrip("# ")
            elif text:
                delimiter = _delimiter(text)
                fields = text.split(delimiter)
                if len(comment.split(delimiter)) == len(fields) and all(map(_is_number, fields)):
                    return count - 1, comment
                return count, text
        raise DataError(f"'{self.path}' is empty: expected a header and rows of numbers")

    @property
    def length(self) -> int:
        """Number of rows (of lines that are not empty)."""
        if self._length is None:
            with self._lines() as lines:
                rows = islice(lines, self.skip, None)
                self._length = sum(1 for line in rows if line and not line.isspace())
        return self._length

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows."""
        where = [self.names.index(name) for name in columns]
        row = self.skip
        with self._lines() as lines:
            for block in _blocks(islice(lines, self.skip, None), size):
                yield self._parse(block, where, row)
                row += len(block)

    def _parse(self, block: list[str], where: list[int], row: int) -> np.ndarray:
        if all(self._is_whole(line) for line in block):
            try:
                return np.loadtxt(
                    block, delimiter=self.delimiter, usecols=where, ndmin=2, comments=None
                )
            except ValueError:
                pass  # empty fields and words: one by one
        out = []
        for k, line in enumerate(block, start=row + 1):
            if not line.strip():
                continue
            fields = line.split(self.delimiter)
            if len(fields) != len(self.names) and not self._is_whole(line):
                raise DataError(
                    f"'{self.path}', line {k}: {len(fields)} fields, but the header has"
                    f" {len(self.names)} names; correct the line or remove it"
                )
            out.append([self._number(fields[i], k, i) for i in where])
        return np.array(out, dtype=float).reshape(-1, len(where))

    def _is_whole(self, line: str) -> bool:
        """Whether there are as many fields as names; an empty one more at the end is no field."""
        if self.delimiter is None:
            return len(line.split()) == len(self.names)
        more = line.count(self.delimiter) + 1 - len(self.names)
        return more == 0 or (more == 1 and line.endswith(self.delimiter))

    def _number(self, field: str, line: int, column: int) -> float:
        text = field.strip().strip("\"'")
        if text.lower() in _MISSING:
            return np.nan
        if not _is_number(text):
            raise DataError(
                f"'{self.path}', line {line}, column '{legible(self.names[column], 200)}': expected"
                f" a number, found '{legible(text, 200)}'; correct it, or leave the field empty"
            )
        return float(text)


def _delimiter(line: str) -> str | None:
    return next((d for d in _DELIMITERS if d in line), None)


def _blocks(lines: Iterator[str], size: int) -> Iterator[list[str]]:
    """At most `size` lines at a time, and fewer where they are long."""
    block: list[str] = []
    characters = 0
    for line in lines:
        block.append(line)
        characters += len(line)
        if len(block) == size or characters > _BLOCK:
            yield block
            block, characters = [], 0
    if block:
        yield block


def _is_number(text: str) -> bool:
    if not text.isascii() or "_" in text:  # Python takes 1_000 and digits of other scripts
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True
