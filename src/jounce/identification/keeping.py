"""A folder of records, so that a partition is compressed once: by what it and its options are.

A kept file is the SHA-256 of an archive of NumPy, and the archive. Nothing in it is unpickled. What
is damaged, or contradicts itself (`jounce.identification.record_checks`), is computed again.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import ArgumentError, DataError, DataWarning, warn
from jounce.identification.record_checks import check_record
from jounce.identification.records import Record, packed, unpacked
from jounce.io.files import read_bytes
from jounce.utils.files import write_files
from jounce.utils.residents import content_of

if TYPE_CHECKING:
    from jounce.identification.work import Item, Work

#: What records are like; others are computed again.
_FORMAT = 3

#: Options that a record depends on, beside the robot.
_MATTER = (
    *("armature", "friction", "offset", "smoothing", "columns", "degrees", "torque_scale"),
    *("time_scale", "rate", "cutoff", "momentum"),
)

#: Bytes of a kept file, at most.
_LARGEST = 1 << 30


class Keeper:
    """Records in a folder, one file each; only those of files, which tell when they change."""

    def __init__(self, folder: str | os.PathLike[str], work: Work) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise ArgumentError(
                f"keep: expected the path of a folder, found {type(folder).__name__}"
            )
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArgumentError(
                f"keep: cannot make the folder '{self.folder}': {error.strerror}"
            ) from error
        options = [(name, getattr(work.options, name)) for name in _MATTER]
        robot, measured = work.robot.content_hash, work.layout.measured
        self._work = work
        self._common = content_of(_FORMAT, robot, measured, options, work.several)

    def _key(self, item: Item) -> str:
        asked = item.asked
        further = () if asked is None else (asked.theta, asked.scales, asked.only_count)
        return content_of(self._common, item.stamp, tuple(item.cuts), further)

    def _file(self, item: Item) -> Path:
        name = re.sub(r"[^A-Za-z0-9._-]", "_", Path(item.partition.name).name)[:80]
        return self.folder / f"{name}-{self._key(item)[:32]}.record"

    def get(self, item: Item) -> Record | None:
        """Return the record of a partition, None if there is none; warn of one that is damaged."""
        path = self._file(item)
        if not item.stamp or not path.exists():
            return None
        try:
            arrays = _load(read_bytes(path, _LARGEST, error=DataError))
            if arrays.pop("key").tobytes().decode() != self._key(item):
                raise ValueError("it belongs to another file")
            record = unpacked(arrays)
            check_record(record, self._work, item)
        except Exception as error:  # files may say anything, and each reader has its own errors
            plain = isinstance(error, (OSError, ValueError)) and str(error)
            why = str(error) if plain else f"{type(error).__name__}: {error}"
            warn(
                f"keep: '{path}' is damaged ({why}); its partition, {item.partition.name}, is"
                " read again",
                DataWarning,
            )
            return None
        return record

    def put(self, item: Item, record: Record) -> None:
        """Keep a record, all of it or nothing."""
        if not item.stamp:
            return
        key = np.frombuffer(self._key(item).encode(), dtype=np.uint8)
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, key=key, **packed(record))
        try:
            write_files({self._file(item): _signed(file.getvalue())}, overwrite=True)
        except OSError as error:
            raise DataError(f"keep: {error.strerror}") from error


def _load(data: bytes) -> dict[str, np.ndarray]:
    """Return the arrays of a kept file by name; an error where it is not as it was written."""
    archive = io.BytesIO(_checked(data))
    with zipfile.ZipFile(archive) as members:  # they are not packed, and cannot grow
        if sum(info.file_size for info in members.infolist()) > len(data):
            raise ValueError("it unpacks to more than was written")
    with np.load(archive, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _signed(data: bytes) -> bytes:
    """Bytes behind their checksum."""
    return hashlib.sha256(data).digest() + data


def _checked(data: bytes) -> bytes:
    """What was signed; an error where it is not as it was."""
    length = hashlib.sha256().digest_size
    if _signed(data[length:]) != data:
        raise ValueError("its checksum is not that of what is in it")
    return data[length:]
