"""Broken and hostile mesh files of all formats, and what must become of them."""

from __future__ import annotations

import json
import random
import re
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from jounce.errors import ModelError, ModelWarning
from jounce.io.surfaces import Surface, read_surface
from jounce.model import inertia
from support import fuzz_mutations, solids
from support.fuzz_mutations import NUMBERS
from support.fuzz_seeds import real_files

SUFFIX = {
    "obj": ".obj",
    "stl": ".stl",
    "stl_binary": ".stl",
    "ply": ".ply",
    "ply_binary": ".ply",
    "dae": ".dae",
    "off": ".off",
    "glb": ".glb",
    "gltf": ".gltf",
    "3mf": ".3mf",
}
FORMATS = tuple(SUFFIX)
TEXT = ("obj", "stl", "ply", "dae", "off", "gltf")

#: Real files of this size have all that larger ones have.
_LARGEST = 20_000


def seed(format: str, rng: random.Random) -> bytes:
    """A good file: a real one if there are, or a generated one."""
    real = real_files(SUFFIX[format], _LARGEST) if format in ("obj", "stl_binary", "dae") else []
    if real and rng.random() < 0.4:
        return rng.choice(real).read_bytes()
    generator = np.random.default_rng(rng.randrange(2**32))
    solid = rng.choice((solids.box, solids.box, lambda: solids.bumpy(generator, 1, (1, 2, 3))))()
    if format == "3mf":
        return solids.zipped(solids.threemf(solid))
    mesh = trimesh.Trimesh(*solid, process=False)
    if format == "gltf":
        whole = mesh.export(file_type="gltf", embed_buffers=True)["model.gltf"]
        return json.dumps(json.loads(whole), indent=1).encode()
    options: dict[str, Any] = {"stl": {"file_type": "stl_ascii"}}.get(format, {})
    if format.startswith("ply"):
        encoding = "binary" if format == "ply_binary" else "ascii"
        options = {"file_type": "ply", "encoding": encoding}
    written = mesh.export(**{"file_type": SUFFIX[format][1:], **options})
    return written.encode() if isinstance(written, str) else written


def mutated(format: str, rng: random.Random) -> bytes:
    """A variant of a mesh file, as the bytes of a file."""
    data = seed(format, rng)
    if format == "dae":
        return fuzz_mutations.mutated(data.decode("utf-8", "replace"), rng)
    if format == "3mf" and rng.random() < 0.8:
        text = solids.threemf(solids.box())
        return solids.zipped(fuzz_mutations.mutated(text, rng))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if data:
            data = rng.choice(LINES if format in TEXT else FIELDS)(data, rng)
    if data and rng.random() < 0.2:
        data = rng.choice(BYTES)(data, rng)
    return data[: 8 << 20]


# ------------------------------------------------------------------ lines and words


def _line(data: bytes, rng: random.Random) -> tuple[list[bytes], int]:
    lines = data.split(b"\n")
    return lines, rng.randrange(len(lines))


def _delete_line(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    del lines[k : k + rng.choice((1, 1, 1, 5))]
    return b"\n".join(lines)


def _repeat_line(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    lines[k:k] = [lines[k]] * rng.choice((1, 1, 2, 3000))
    return b"\n".join(lines)


def _swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    j = rng.randrange(len(lines))
    lines[j], lines[k] = lines[k], lines[j]
    return b"\n".join(lines)


def _join_lines(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    end = rng.choice((b" ", b"", b"\\\n", b"\r", b"\t"))
    return b"\n".join([*lines[:k], end.join(lines[k : k + 2]), *lines[k + 2 :]])


_WORDS = (
    *("v", "f", "vn", "1/1/1", "1//", "/", "endsolid", "facet", "3", "4", "-1", "99", "1e300", "#"),
    *("property", "é"),
)


def _change_word(data: bytes, rng: random.Random) -> bytes:
    """One word or all words of a line: other numbers, other indices, other keywords."""
    lines, k = _line(data, rng)
    words = lines[k].split(b" ")
    places = [rng.randrange(len(words))] if rng.random() < 0.8 else range(len(words))
    for j in places:
        words[j] = rng.choice((*NUMBERS, *_WORDS)).encode()
    lines[k] = b" ".join(words)
    return b"\n".join(lines)


def _drop_word(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    words = lines[k].split(b" ")
    del words[rng.randrange(len(words))]
    lines[k] = b" ".join(words)
    return b"\n".join(lines)


def _change_digit(data: bytes, rng: random.Random) -> bytes:
    places = [found.start() for found in re.finditer(rb"\d", data)]
    if not places:
        return data
    at = rng.choice(places)
    return data[:at] + rng.choice("0123456789").encode() + data[at + 1 :]


def _add_words(data: bytes, rng: random.Random) -> bytes:
    lines, k = _line(data, rng)
    lines[k] += b" 1" * rng.choice((1, 1, 2, 5000))
    return b"\n".join(lines)


LINES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_delete_line, _repeat_line, _swap_lines, _join_lines, _drop_word, _add_words),
    *(_change_digit,) * 3,
    *(_change_word,) * 4,
)


# ------------------------------------------------------------------ fields and bytes

_FIELDS = (
    *(struct.pack("<f", x) for x in (np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-45, -0.0, 0.0, 1e30)),
    *(struct.pack("<I", x) for x in (0, 1, 2**31 - 1, 2**31, 2**32 - 1)),
)


def _field(data: bytes, rng: random.Random) -> bytes:
    start = {
        b"ply": data.find(b"end_header\n") + 11,
        b"glT": 20 + int.from_bytes(data[12:16], "little"),
    }.get(data[:3], 84)
    at = rng.randrange(start, len(data)) if start < len(data) else 0
    return data[:at] + rng.choice(_FIELDS) + data[at + 4 :]


def _count(data: bytes, rng: random.Random) -> bytes:
    """The number of triangles in the header of STL, of anything in that of PLY."""
    if data.startswith(b"ply"):
        numbers = list(re.finditer(rb"element \w+ (\d+)", data))
        found = rng.choice(numbers) if numbers else None
        new = rng.choice((b"0", b"1", b"9" * 18, b"-1", b"1e9", b"99999", b"\xd9\xa3"))
        return data if found is None else data[: found.start(1)] + new + data[found.end(1) :]
    return data[:80] + rng.choice(_FIELDS) + data[84:]


_HEADER = (
    *((b"float", b"double"), (b"uchar", b"int"), (b"int", b"float"), (b"little", b"big")),
    *((b"vertex_indices", b"vertex_index"), (b"list", b""), (b"property", b"comment")),
    *((b"face", b"edge"), (b"end_header", b"")),
)


def _header(data: bytes, rng: random.Random) -> bytes:
    """A word of the header of PLY for another one."""
    words = rng.choice(_HEADER)
    return data.replace(*words, 1)


def _flip(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _cut_out(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.choice((1, 2, 4, 50, 500)) :]


def _noise(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.choice((1, 4, 50, 1000))) + data[at:]


def _replace(data: bytes, rng: random.Random) -> bytes:
    return rng.choice(
        (b"", b"\n", b"\0" * 1000, b"solid", b"ply\n", b"v", b"<", rng.randbytes(999))
    )


BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip,
    _cut,
    _cut_out,
    _noise,
    _replace,
)
FIELDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_count, _header, _flip, _flip, _cut, _cut_out, _noise),
    *(_field,) * 7,
)


# ------------------------------------------------------------------ what must become of them


def outcome(path: Path, evaluate: bool) -> dict[str, Any]:
    """What reading the file leads to: "accepted", "refused", or what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            surface = read_surface(path)
    except ModelError as error:
        return {"refused": str(error), "wrong": _problem_with_message(str(error), path)}
    except Exception as error:
        return {"wrong": f"{type(error).__name__}: {error}"[:2000]}
    try:
        wrong = _problem_with_surface(surface, evaluate)
        return {"accepted": len(surface.faces), "wrong": wrong}
    except Exception as error:
        return {"wrong": f"accepted, then {type(error).__name__}: {error}"[:2000]}


def _problem_with_message(message: str, path: Path) -> str:
    """What a message lacks: the file, a line that exists, brevity; or an empty string."""
    if len(message) > 5000 or not message.isprintable():
        return f"a message of {len(message)} characters: {message[:200]!r}"
    found = re.match(rf"mesh '{re.escape(str(path))}':(\d*)", message)
    if found is None:
        return f"no file: {message[:2000]}"
    data = path.read_bytes()
    if found[1] and int(found[1]) > len(data.splitlines()) + data.count(b"\n") + 1:
        return f"there is no such line: {message[:2000]}"
    return ""


def _problem_with_surface(surface: Surface, evaluate: bool) -> str:
    """What is wrong with a surface that was accepted, or an empty string."""
    v, f = surface
    if v.shape[1:] != (3,) or f.shape[1:] != (3,) or not len(f):
        return f"shapes {v.shape}, {f.shape}"
    if not np.isfinite(v).all() or f.min() < 0 or f.max() >= len(v):
        return "vertices that are not finite, or faces beyond them"
    if not evaluate or len(f) > 20_000:
        return ""
    for repair in (False, True):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", ModelWarning)
                pi = inertia.from_mesh(v, f, repair=repair)
        except ModelError:
            continue
        mass, _, about = inertia.about_com(pi)
        moments = np.linalg.eigvalsh(about)
        if not (mass > 0.0 and moments[0] > -1e-15 * moments[2]):  # up to rounding
            return f"mass {mass}, moments {moments}, repair={repair}"
    return ""
