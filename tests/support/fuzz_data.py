"""Broken and hostile variants of data files in every format, and what identification makes of them.

    python fuzz_data.py FIRST COUNT

Prints a line per file: its number before it is read, and what became of it afterwards (JSON).
Everything follows from a `random.Random`, so a number finds its file again.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gzip
import io
import json
import random
import shutil
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from jounce.cli import main as command_line
from jounce.errors import DataError, DataWarning
from jounce.identification import identify, open_recording
from jounce.io.urdf import read_urdf
from jounce.robot import Robot
from support.fuzz_mutations import NUMBERS, WORDS
from support.fuzz_runner import peak_memory
from support.identify_data import csv_text, motion, names

DELIMITERS = {"csv": ",", "tsv.gz": "\t", "txt": "  "}
FORMATS = (*DELIMITERS, "npz", "npy", "folder", "parquet")

#: Seconds after which a file counts as hanging, bytes of memory that the process may ever use.
HANG = 20
MEMORY = 1 << 30

ROWS = 60

URDF = """<robot name="fuzzed">
<link name="base"/>
<link name="upper"><inertial><origin xyz="0.2 0.01 0.02"/><mass value="2"/>
<inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="lower"><inertial><origin xyz="0.2 0.01 0.02"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
<axis xyz="0 1 0"/></joint>
<joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
<origin xyz="0.4 0 0"/><axis xyz="0 1 0"/></joint>
</robot>"""

#: A file, or the files of a folder by name.
Content = bytes | dict[str, bytes]


@cache
def robot() -> Robot:
    return Robot(read_urdf(URDF))


@cache
def table() -> str:
    return csv_text(robot(), motion(robot(), ROWS, noise=0.02))


@cache
def arrays() -> dict[str, np.ndarray]:
    return motion(robot(), ROWS, noise=0.02).arrays()


def columns() -> dict[str, np.ndarray]:
    """The same, a column for each joint."""
    parts = arrays()
    rows = np.column_stack([parts[k] for k in ("t", "q", "v", "a", "tau")])
    labels = ["t", *names(robot(), "q", "v", "a", "tau")]
    return {name: rows[:, k] for k, name in enumerate(labels)}


# ------------------------------------------------------------------ mutations


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut off, taken out, put in, overwritten, or made up."""
    at = rng.randrange(len(data) + 1)
    size = rng.choice((1, 2, 8, 64, 1000))
    kind = rng.random()
    if kind < 0.4:
        out = bytearray(data)
        for _ in range(rng.choice((1, 1, 1, 2, 10, 100)) if data else 0):
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
        return bytes(out)
    if kind < 0.55:
        return data[:at]
    if kind < 0.65:
        return data[:at] + data[at + size :]
    if kind < 0.75:
        return data[:at] + rng.randbytes(size) + data[at:]
    if kind < 0.85:
        return data[:at] + bytes([rng.choice((0, 255))]) * size + data[at + size :]
    if kind < 0.95:
        return data[:at] + data[at : at + size] * rng.choice((2, 50)) + data[at + size :]
    return rng.randbytes(rng.choice((0, 1, 30, 5000)))


def _text(rng: random.Random, delimiter: str) -> bytes:
    """A table with other numbers, names, rows and separators."""
    rows = [line.split(",") for line in table().splitlines()]
    for _ in range(rng.choice((0, 0, 1, 1, 1, 5))):
        kind, row = rng.random(), rows[rng.randrange(len(rows))]
        if kind < 0.5 and row:
            row[rng.randrange(len(row))] = rng.choice(NUMBERS)
        elif kind < 0.7 and rows[0]:
            rows[0][rng.randrange(len(rows[0]))] = rng.choice(WORDS)
        elif kind < 0.8:
            rows.remove(row)
        elif kind < 0.9:
            row.insert(rng.randrange(len(row) + 1), rng.choice(NUMBERS))
        else:
            del row[rng.randrange(len(row) + 1) :]
        if not rows:
            return b""
    text = rng.choice(("\n", "\n", "\r\n", "\r", "\n\n")).join(delimiter.join(row) for row in rows)
    encoding = "utf-8" if rng.random() < 0.8 else rng.choice(("utf-16", "utf-8-sig"))
    return text.encode(encoding, "replace")


#: What may be wrong with an array.
ARRAYS: tuple[Callable[[np.ndarray, random.Random], Any], ...] = (
    lambda x, rng: x * rng.choice((1e-300, 1e-9, 1e6, 1e100, 1e200, np.nan, np.inf, 0.0)),
    lambda x, rng: _with_value(
        x, rng.choice((1e100, -1e308, 1e13, np.nan, np.inf, -np.inf, 1e6)), rng
    ),
    lambda x, rng: x.astype(
        rng.choice(("f2", "f4", ">f8", "i4", "i1", "g", "?", "c16", "S4", "U3"))
    ),
    lambda x, rng: x.astype(object),
    lambda x, rng: np.array(["x"] * len(x)),
    lambda x, rng: np.array(rng.choice(("x", 1.0, 1j, None)), dtype=None),
    lambda x, rng: x[: rng.randrange(len(x))],
    lambda x, rng: x[..., None],
    lambda x, rng: np.asfortranarray(x),
    lambda x, rng: x[::-1],
    lambda x, rng: np.zeros((len(x), rng.choice((0, 1, 3, 30_000)))),
    lambda x, rng: np.zeros(
        len(x), dtype=[("a", "f8"), ("b", "O" if rng.random() < 0.5 else "f8")]
    ),
    lambda x, rng: np.zeros(len(x), dtype="M8[ns]"),
    lambda x, rng: np.broadcast_to(x[:1], x.shape),
)


def _with_value(x: np.ndarray, value: float, rng: random.Random) -> np.ndarray:
    out = x.copy()
    out.flat[rng.randrange(out.size)] = value
    return out


def _changed(parts: dict[str, np.ndarray], rng: random.Random) -> dict[str, Any]:
    out: dict[str, Any] = dict(parts)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        name = rng.choice(list(out))
        kind = rng.random()
        if kind < 0.7:
            base = parts.get(name)
            if base is not None:
                out[name] = rng.choice(ARRAYS)(base, rng)
        elif kind < 0.85:
            del out[name]
        else:
            out[rng.choice(WORDS)[:200] or "empty"] = out[name]
        if not out:
            break
    return out


def _npy(array: Any, rng: random.Random, lies: float = 0.05) -> bytes:
    """An array as a file, now and then with a header that lies."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    data = file.getvalue()
    if rng.random() >= lies:
        return data
    claims = ("1000000000000000", "9" * 20, "100000000", "-1", "0", "7", "1e3", "True", "None")
    sorts = ("|O", "<f4", "|V99999999", "<m8", "xx", ">f8", "<c16")
    size = int.from_bytes(data[8:10], "little")
    header = data[10 : 10 + size].decode("latin-1")
    changed = rng.choice(
        (header.replace(str(ROWS), rng.choice(claims), 1), header.replace("<f8", rng.choice(sorts)))
    )
    return (
        data[:10]
        + changed.rstrip().ljust(size - 1)[: size - 1].encode()
        + b"\n"
        + data[10 + size :]
    )


def _npz(rng: random.Random) -> bytes:
    """An archive whose members are as they are, or damaged before they were packed."""
    file = io.BytesIO()
    kinds = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
    with zipfile.ZipFile(file, "w", rng.choice(kinds)) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names twice
        for name, array in _changed(arrays(), rng).items():
            data = _npy(array, rng)
            if rng.random() < 0.05:
                data = damaged(data, rng)
            archive.writestr(f"{name.replace(chr(0), '')}.npy", data)
            if rng.random() < 0.02:
                archive.writestr(f"{name}.npy", data)
    return file.getvalue()


def _structured(rng: random.Random) -> bytes:
    parts = columns()
    table = np.empty(
        ROWS, dtype=[(name, rng.choice(("f8", "f8", "f8", "f4", "i2"))) for name in parts]
    )
    for name, x in parts.items():
        table[name] = x
    if rng.random() < 0.1:
        return _npy(table.astype(object), rng)
    odd = (table, table, table, table, table[:0], table["t"], table[:, None])
    return _npy(rng.choice(odd), rng, 0.3)


def _folder(rng: random.Random) -> Content:
    out = {
        f"{name[:50].replace('/', '')}.npy": _npy(x, rng)
        for name, x in _changed(arrays(), rng).items()
    }
    if out and rng.random() < 0.3:
        name = rng.choice(list(out))
        out[name] = damaged(out[name], rng)
    return {name.replace("\0", ""): data for name, data in out.items()}


def _parquet(rng: random.Random) -> bytes:
    import pyarrow
    from pyarrow import parquet

    parts: dict[str, Any] = columns()
    for _ in range(rng.choice((0, 1, 1, 2))):
        name = rng.choice(list(parts))
        x = columns().get(name, columns()["t"])
        parts[name] = rng.choice(
            (
                [str(value) for value in x],
                [None if rng.random() < 0.2 else value for value in x],
                [None] * len(x),
                [[value] for value in x],
                x.astype("f4"),
                (x * 100).astype("i8"),
                _with_value(x, rng.choice((1e100, np.inf, np.nan)), rng),
                np.arange(len(x)).astype("M8[ns]"),
                [b"\x1b[31m"] * len(x),
            )
        )
        if rng.random() < 0.2:
            parts[rng.choice(WORDS)] = x
    file = io.BytesIO()
    parquet.write_table(
        pyarrow.table(parts),
        file,
        row_group_size=rng.choice((7, 30, ROWS)),
        compression=rng.choice(("NONE", "SNAPPY", "GZIP", "ZSTD")),
        use_dictionary=rng.random() < 0.5,
        write_page_checksum=rng.random() < 0.5,
    )
    return file.getvalue()


def format_of(number: int) -> str:
    return FORMATS[number % len(FORMATS)]


def make(number: int) -> Content:
    """The file with this number."""
    rng, format = random.Random(f"data {number}"), format_of(number)
    if format == "folder":
        return _folder(rng)
    if format in DELIMITERS:
        data = _text(rng, DELIMITERS[format])
        if rng.random() < 0.2:
            data = damaged(data, rng)
        data = gzip.compress(data, mtime=0) if format.endswith(".gz") else data
    else:
        data = {"npz": _npz, "npy": _structured, "parquet": _parquet}[format](rng)
    share = 0.5 if format in ("npy", "parquet") else 0.25
    return damaged(data, rng) if rng.random() < share else data


# ------------------------------------------------------------------ what becomes of them


def outcome(path: Path, urdf: Path, number: int) -> dict[str, Any]:
    """What a file leads to: "accepted", "refused", or what is wrong with it.

    All are read, some fitted too, some on the command line.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DataWarning)
            if number % 10 == 0:
                return _commanded(path, urdf)
            if number % 3 == 0:
                method = ("wls", "consistent", "ols", "tls")[number // 3 % 4]
                robust = "huber" if number % 2 else None
                found = identify(
                    robot(), path, method=method, robust=robust, folds=2, momentum=number % 4 == 0
                )
                wrong = "" if np.isfinite(found.theta).all() else "parameters that are not finite"
                return {"accepted": found.factors.count, "wrong": wrong}
            recording = open_recording(path, robot())
            rows = sum(len(piece["q"]) for piece in recording.read(17))
            wrong = "" if rows == recording.length else f"{rows} of {recording.length} rows"
            return {"accepted": rows, "wrong": wrong}
    except DataError as error:
        return {"refused": str(error), "wrong": _problem_with_message(str(error), path)}
    except Exception as error:
        return {"wrong": f"{type(error).__name__}: {error}"[:2000]}


def _problem_with_message(message: str, path: Path) -> str:
    if len(message) > 5000:
        return f"a message of {len(message)} characters: {message[:200]}"
    if not message.isprintable():
        return f"control characters in the message: {message!r}"
    # what a fit says of rows too few needs no file
    return "" if str(path) in message or "too few for" in message else f"no file: {message[:2000]}"


def _commanded(path: Path, urdf: Path) -> dict[str, Any]:
    """The same through the command line: it prints, or ends with one line that tells why."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            command_line(["identify", str(urdf), str(path), "--folds", "0"])
        except SystemExit as end:
            message = str(end.code)
            wrong = _problem_with_message(message, path)
            if not message.startswith("jounce identify: "):
                wrong = f"an odd end: {message}"
            return {"refused": message, "wrong": wrong}
    text = out.getvalue() + said.getvalue()
    wrong = "" if all(line.isprintable() for line in text.split("\n")) else "control characters"
    return {"accepted": 1, "wrong": wrong}


def _write(path: Path, content: Content) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
        return
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, data in content.items():
        (path / name.encode("utf-8", "replace").decode()).write_bytes(data)


def main(first: int, count: int) -> None:
    """Read the files with the numbers first ... first + count - 1."""
    with tempfile.TemporaryDirectory() as folder:
        urdf = Path(folder) / "robot.urdf"
        urdf.write_text(URDF, encoding="utf-8")
        for number in range(first, first + count):
            format = format_of(number)
            path = Path(folder) / ("data" if format == "folder" else f"data.{format}")
            _write(path, make(number))
            print(number, flush=True)
            faulthandler.dump_traceback_later(HANG, exit=True)
            start = time.process_time()
            result = outcome(path, urdf, number)
            result["seconds"] = time.process_time() - start
            faulthandler.cancel_dump_traceback_later()
            peak = peak_memory()
            if peak > MEMORY:
                result["wrong"] = f"{peak} bytes of memory"
            print(json.dumps(result), flush=True)
            if "memory" in result["wrong"]:
                break  # the next file gets a fresh process


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
