"""NumPy's files: archives of arrays (.npz), read as a whole, and single ones (.npy), mapped.

Arrays of Python objects are never read, since their bytes are programs.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from jounce.errors import DataError
from jounce.identification.files import (
    MAX_COLUMNS,
    check_columns,
    check_inside,
    check_names,
    check_regular,
    reading,
)
from jounce.io.files import opened

_SUFFIX = ".npy"


def npz_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an archive by name."""
    size = check_regular(path)
    with reading(path), opened(path) as file, zipfile.ZipFile(file) as archive:
        members = [info for info in archive.infolist() if info.filename.endswith(_SUFFIX)]
        names = [info.filename.removesuffix(_SUFFIX) for info in members]
        check_names(f"'{path}'", names)
        check_inside(path, sum(info.file_size for info in members), size)
        return {
            name: _member(archive, info, path) for name, info in zip(names, members, strict=True)
        }


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> np.ndarray:
    try:
        with reading(path), archive.open(info) as stream:
            array = np.lib.format.read_array(stream, allow_pickle=False)
            stream.read(1)  # beyond the end, where checksums are compared
            return array
    except DataError as error:
        raise DataError(f"{error} (in '{info.filename}')") from error.__cause__


def npy_array(path: Path) -> np.ndarray:
    """An array, mapped into memory; only what is used is read."""
    size = check_regular(path)
    with reading(path):
        array = np.lib.format.open_memmap(path, mode="r")
    check_inside(path, array.nbytes, size)
    return array


def npy_fields(path: Path) -> dict[str, np.ndarray]:
    """The fields of a structured array by name."""
    array = npy_array(path)
    if array.dtype.names is None:
        raise DataError(
            f"'{path}' is an array {array.shape} without names; save a structured array, an .npz"
            " with arrays t, q, v, a, tau, or a folder with t.npy, q.npy, v.npy, tau.npy"
        )
    return {name: array[name] for name in array.dtype.names}


def folder_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of all .npy files in a folder, by the files' names."""
    with reading(path):
        files = sorted(islice(_inside(path), MAX_COLUMNS + 1))
    check_columns(f"'{path}'", len(files))
    if not files:
        raise DataError(f"'{path}' is a folder without .npy files such as q.npy, v.npy, tau.npy")
    return {file.stem: npy_array(file) for file in files}


def _inside(path: Path) -> Iterator[Path]:
    return (file for file in path.iterdir() if file.suffix == _SUFFIX)
