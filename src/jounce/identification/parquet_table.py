"""Parquet files, streamed by row groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.files import check_inside, check_names, check_regular, reading
from jounce.identification.remote import open_remote

#: Bytes of metadata that readers may make room for.
_METADATA = 32 * 2**20

#: Bytes of a column that are read at once.
_BUFFER = 2**20


class ParquetTable:
    """A Parquet file, or one at an address, streamed by row groups."""

    def __init__(self, path: Path | str) -> None:
        try:
            import pyarrow.parquet as parquet
        except ImportError:
            raise ImportError(
                f"reading '{path}' needs pyarrow; install it: pip install \"jounce[parquet]\""
            ) from None
        self.path, self.source = path, str(path)
        file: Any = path
        if isinstance(path, str):
            file, self._size = open_remote(path)
        else:
            self._size = check_regular(path)
        with reading(path):
            self._file = parquet.ParquetFile(
                file,
                thrift_string_size_limit=_METADATA,
                thrift_container_size_limit=_METADATA,
                page_checksum_verification=True,  # where there are some
                pre_buffer=False,  # or it holds a whole row group, which may be a whole file
                buffer_size=_BUFFER,
            )
            self.names = list(self._file.schema_arrow.names)
            self.length: int = self._file.metadata.num_rows
        check_names(f"'{path}'", self.names)

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows; the file is checked before any is read."""
        with reading(self.path):
            self._check_types(columns)
            self._check_sizes(len(columns))
        return self._batches(columns, size)

    def _batches(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        with reading(self.path):
            rows = 0
            for batch in self._file.iter_batches(batch_size=size, columns=list(columns)):
                out = np.empty((batch.num_rows, len(columns)))
                for k, name in enumerate(columns):
                    out[:, k] = batch.column(name).to_numpy(zero_copy_only=False)
                rows += len(out)
                yield out
            if rows != self.length:
                raise DataError(
                    f"cannot read '{self.path}': it says that it has {self.length} rows, but there"
                    f" are {rows}; it is damaged: copy it again"
                )

    def _check_types(self, columns: Sequence[str]) -> None:
        from pyarrow import types

        schema = self._file.schema_arrow
        for name in columns:
            sort: Any = schema.field(name).type
            numeric = types.is_integer(sort) or types.is_floating(sort)
            if not (numeric or types.is_decimal(sort)):
                raise DataError(f"'{self.path}': column '{name}' must be numbers, found {sort}")

    def _check_sizes(self, columns: int) -> None:
        """Runs of one value take no room in the file, but much in memory and time."""
        data = self._file.metadata
        groups = [data.row_group(k) for k in range(data.num_row_groups)]
        inside = max(sum(group.total_byte_size for group in groups), 8 * columns * self.length)
        check_inside(self.path, inside, self._size)
