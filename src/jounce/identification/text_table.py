"""Text files of numbers with a header (such as CSV, also compressed), streamed by pandas."""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import DataError, legible
from jounce.identification.log_files import (
    COMPRESSED,
    check_names,
    check_regular,
    check_unpacked,
    import_library,
    reading,
)
from jounce.io import opened

#: Fields that mean "no value", in lower case.
_MISSING = ("", "nan", "na", "n/a", "null", "none", "-")
_NA_VALUES = sorted({f(x) for x in _MISSING for f in (str.lower, str.upper, str.title)} | {"NaN"})

_MAX_PREAMBLE_LINES = 1000
_MAX_LINE_BYTES = 1 << 22

#: Maximum number of fields in a chunk that pandas parses.
_MAX_FIELDS = 2_000_000


class _BoundedStream(io.RawIOBase):
    """Bytes of a text file; refuses overlong lines, and far more bytes than the file has."""

    def __init__(self, stream: Any, source: str, size: int, quotes: bool) -> None:
        self.stream, self.source, self.size, self.quotes = stream, source, size, quotes
        self.bytes = self.lines = self.open = 0  # open: length of the unfinished line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data: bytes = self.stream.read(len(buffer))
        n = len(data)
        # without quotes, a stray one cannot turn the remaining file into one field
        buffer[:n] = data if self.quotes else data.replace(b'"', b" ")
        self.bytes += n
        check_unpacked(self.source, self.bytes, self.size)
        end = max(data.rfind(b"\n"), data.rfind(b"\r"))
        self.lines += data.count(b"\n")
        self.open = n - end - 1 + (self.open if end < 0 else 0)
        if self.open > _MAX_LINE_BYTES:
            raise DataError(
                f"'{self.source}', line {self.lines + 1}: expected at most {_MAX_LINE_BYTES:,}"
                " characters; is it a text file with a row for each sample?"
            )
        return n


class TextTable:
    """A text file with a header line."""

    def __init__(self, path: Path, source: str) -> None:
        self.path, self.source = path, source
        self._read_csv = import_library("pandas", source, '"jounce[identify]"').read_csv
        self._size = check_regular(path, source)
        with self._open(quotes=True) as lines:
            self.skip, header = self._header(lines)
        if "\0" in header:
            raise DataError(f"'{source}': the header is not text; save the file as UTF-8")
        self.delimiter = _delimiter(header)
        fields = header.split()
        if self.delimiter is not None:  # names in quotes may contain it
            with reading(source):
                fields = next(csv.reader([header], delimiter=self.delimiter), [])
        self.names = [x.strip().strip("\"'") for x in fields]
        if all(map(_is_number, self.names)):
            raise DataError(
                f"'{source}': the first line has numbers, not names; add a header such as"
                " t,q_joint1,v_joint1,tau_joint1"
            )
        check_names(f"'{source}'", self.names)
        self._length: int | None = None

    @contextmanager
    def _open(self, quotes: bool = False) -> Iterator[io.TextIOWrapper]:
        with reading(self.source), opened(self.path) as file:
            module = COMPRESSED.get(self.path.suffix.lower())
            stream = importlib.import_module(module).open(file) if module else file
            bounded = _BoundedStream(stream, self.source, self._size, quotes)
            with io.TextIOWrapper(io.BufferedReader(bounded, 1 << 18), "utf-8-sig", "replace") as x:
                yield x

    def _header(self, lines: io.TextIOWrapper) -> tuple[int, str]:
        """Return the number of lines before the data, and the header: first line or comment."""
        comment = ""
        for count, line in enumerate(islice(lines, _MAX_PREAMBLE_LINES), start=1):
            text = line.strip()
            if text.startswith("#"):
                comment = text.lstrip("# ")
            elif text:
                fields = text.split(_delimiter(text))
                named = len(comment.split(_delimiter(text))) == len(fields)
                if named and all(map(_is_number, fields)):
                    return count - 1, comment  # as np.savetxt writes it
                return count, text
        raise DataError(f"'{self.source}' is empty: expected a header and rows of numbers")

    def _rows(self, lines: io.TextIOWrapper) -> Iterator[tuple[int, str]]:
        """Return the lines of numbers with their numbers in the file."""
        blank = " \n" if self.delimiter == "\t" else " \t\n"  # as for pandas
        for number, line in enumerate(lines, start=1):
            if number > self.skip and line.strip(blank):
                yield number, line.rstrip("\n")

    @property
    def length(self) -> int:
        """Number of rows."""
        if self._length is None:
            with self._open() as lines:
                self._length = sum(1 for _ in self._rows(lines))
        return self._length

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """Return the columns (n, k) in pieces of at most `size` rows, float64."""
        n, places = len(self.names), [self.names.index(name) for name in columns]
        kinds = dict.fromkeys(range(n + 1), str) | dict.fromkeys(places, float)
        checked = False
        with self._open() as lines:
            for _ in islice(lines, self.skip):
                pass
            try:
                for frame in self._read_csv(
                    lines,
                    sep=self.delimiter or r"\s+",
                    header=None,
                    names=list(range(n + 1)),  # the last one collects surplus fields
                    index_col=False,
                    dtype=kinds,
                    na_values=_NA_VALUES,
                    keep_default_na=False,
                    skipinitialspace=True,
                    quoting=csv.QUOTE_NONE,
                    chunksize=max(1, min(size, _MAX_FIELDS // (n + 1))),
                ):
                    ragged = frame[n].notna().any() or frame[n - 1].isna().any()
                    if ragged and not checked:  # pandas fills short lines
                        self._check_lines(places)
                        checked = True
                    yield frame[places].to_numpy(dtype=float)
            except DataError:
                raise
            except ValueError:
                self._check_lines(places)
                raise

    def _check_lines(self, places: Sequence[int]) -> None:
        """Raise an error that names the first bad line, if any; slow."""
        n = len(self.names)
        with self._open() as lines:
            for number, line in self._rows(lines):
                where = f"'{self.source}', line {number}"
                fields = [x.strip() for x in line.split(self.delimiter)]
                if len(fields) == n + 1 and not fields[-1]:  # a delimiter at the end
                    fields.pop()
                if len(fields) != n:
                    raise DataError(
                        f"{where}: {len(fields)} fields, but the header has {n} names; correct the"
                        " line or remove it"
                    )
                for i in places:
                    if not (fields[i].lower() in _MISSING or _is_number(fields[i])):
                        raise DataError(
                            f"{where}, column '{legible(self.names[i], 200)}': expected a number,"
                            f" found '{legible(fields[i], 200)}'; correct it, or leave the field"
                            " empty"
                        )


def _delimiter(line: str) -> str | None:
    """Return the delimiter of a line; None for white space."""
    return next((x for x in ",;\t" if x in line), None)


def _is_number(text: str) -> bool:
    if not text.isascii() or "_" in text:  # Python takes 1_000 and digits of other scripts
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True
