"""Section 10: inertia of a large mesh and its vertex derivatives."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import jounce
from benchmarks.measure import compare
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.sections.wide import cores
from jounce.model import inertia

#: Seconds for pi, examination included, and bytes for that and its vector-Jacobian product, of a
#: million faces.
SECONDS, BYTES = 1.5, 1e9

COLUMNS = (
    "mesh",
    "faces",
    "from_mesh",
    "of which checks",
    "target",
    "met",
    "vertex_vjp",
    "peak, MB",
    "target ",
    "met ",
    "plain NumPy",
)

NOTE = (
    "ms by the wall clock, least of {rounds} calls, {cores} threads: pi of an ellipsoid's surface,"
    " examined (watertight, not inverted, no face twice), and the gradient of w.pi by all"
    " vertices. shared: neighbours share vertices; separate: every face has its own, as in an STL"
    " file. Peak: what both calls allocate beyond the mesh, by tracemalloc. Plain NumPy: the"
    " paper's sums on whole arrays, unexamined, one thread; its results are compared first."
)


def tables(options: Options) -> list[Table]:
    """Return the table of two meshes."""
    rounds = 3 if options.quick else 7
    across = 224 if options.quick else 708
    jobs = [(f"mesh {kind}", partial(_rows, kind, across, rounds)) for kind in MESHES]
    note = NOTE.format(rounds=rounds, cores=cores())
    return [Table("Inertia of a large mesh", note, COLUMNS, jobs)]


def ellipsoid(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of an ellipsoid: n circles of latitude with n points each."""
    angle = np.pi * (np.arange(n) + 0.5) / n
    turn = 2.0 * np.pi * np.arange(n) / n
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    v = np.empty((n, n, 3))
    v[..., :2], v[..., 2] = np.sin(angle)[:, None, None] * ring, np.cos(angle)[:, None]
    index = np.arange(n * n).reshape(n, n)
    a, b = index[:-1], np.roll(index, -1, axis=1)[:-1]
    c, d = index[1:], np.roll(index, -1, axis=1)[1:]
    faces = [np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, c, d), (a, d, b))]
    for rim, order in ((index[0], 1), (index[-1], -1)):
        cap = np.stack((np.full(n - 2, rim[0]), rim[1:-1], rim[2:]), axis=1)
        faces.append(cap[:, ::order])
    return v.reshape(-1, 3) * (0.5, 0.3, 0.2) + (0.1, 0.2, 0.3), np.concatenate(faces)


def separate(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The same, every face with vertices of its own."""
    v, f = ellipsoid(n)
    return v[f].reshape(-1, 3), np.arange(3 * len(f)).reshape(-1, 3)


MESHES = {"shared": ellipsoid, "separate": separate}


def _rows(kind: str, across: int, rounds: int) -> list[Row]:
    v, f = MESHES[kind](across)
    w = np.random.default_rng(0).normal(size=10)
    threads = jounce.get_num_threads()
    jounce.set_num_threads(cores())
    try:
        pi, gradient = inertia.from_mesh(v, f), inertia.vertex_vjp(v, f, 1000.0, w)
        plain, (expected, slope) = _least(1, lambda: _plain(v, f, w))
        compare(f"mesh {kind}: pi", pi, 1000.0 * expected, batched=False)
        if kind == "shared":  # copies of a vertex share a derivative in more than one way
            compare(f"mesh {kind}: gradient", gradient, 1000.0 * slope, batched=False)
        full, _ = _least(rounds, lambda: inertia.from_mesh(v, f))
        unchecked, _ = _least(rounds, lambda: inertia.from_mesh(v, f, check=False))
        product, _ = _least(rounds, lambda: inertia.vertex_vjp(v, f, 1000.0, w))
        peak = _peak(v, f, w)
    finally:
        jounce.set_num_threads(threads)
    million = len(f) / 1e6
    quick = Verdict(f"pi, examined, mesh {kind}", full / million, SECONDS, False, " s")
    small = Verdict(f"memory, mesh {kind}", peak / million, BYTES, False, " bytes")
    cells = (
        *(kind, f"{len(f):,}"),
        *(f"{1e3 * t:.0f}" for t in (full, full - unchecked)),
        *(quick.bound_text, quick.mark),
        f"{1e3 * product:.0f}",
        *(f"{peak / 1e6:.0f}", "≤ 1 GB", small.mark),
        f"{1e3 * plain:.0f}",
    )
    return [Row(cells, [quick, small])]


def _least(rounds: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """Least wall time of some calls, and the last result."""
    times, result = [], None
    for _ in range(rounds):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def _peak(v: np.ndarray, f: np.ndarray, w: np.ndarray) -> int:
    tracemalloc.start()
    try:
        inertia.from_mesh(v, f)
        inertia.vertex_vjp(v, f, 1000.0, w)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _plain(v: np.ndarray, f: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """pi and the gradient of w.pi for unit density: Kwon's eq. 15 to 28, term by term."""
    corners = v[f]
    a, b, c = (corners[:, k] for k in range(3))
    s, n = a + b + c, np.cross(b - a, c - a)
    det = np.einsum("ij,ij->i", a, np.cross(b, c))
    pairs = ((a, a), (a, b), (a, c), (b, b), (b, c), (c, c))
    g = sum(p * q for p, q in pairs)
    rr = sum(_swap(p, q) for p, q in pairs)
    others = np.ones((3, 3)) - np.eye(3)
    pi = np.concatenate(
        (
            [np.sum(s * n) / 18.0],
            np.sum(g * n, axis=0) / 24.0,
            others @ (det @ g) / 60.0,
            -(det @ rr) / 120.0,
        )
    )
    gradient = np.zeros_like(v)
    for i in range(3):
        vi, vj, vk = (corners[:, (i + k) % 3] for k in range(3))
        e, ddet = vk - vj, np.cross(vj, vk)
        # row vector x^T [e] is x x e
        slope = w[0] / 18.0 * (n + np.cross(s, e))
        slope += (w[1:4] * n * (s + vi) + np.cross(w[1:4] * g, e)) / 24.0
        diagonal = others @ w[4:7]
        slope += ((g @ diagonal)[:, None] * ddet + det[:, None] * diagonal * (s + vi)) / 60.0
        off = _swap(np.broadcast_to(w[7:], g.shape), vi + s, transposed=True)
        slope -= ((rr @ w[7:])[:, None] * ddet + det[:, None] * off) / 120.0
        for k in range(3):
            gradient[:, k] += np.bincount(f[:, i], slope[:, k], len(v))
    return pi, gradient


def _swap(p: np.ndarray, q: np.ndarray, transposed: bool = False) -> np.ndarray:
    """r(p) q of eq. 26, or r(q)^T p."""
    if transposed:
        (xy, xz, yz), (x, y, z) = p.T, q.T
        return np.stack((xy * y + xz * z, xy * x + yz * z, xz * x + yz * y), axis=1)
    (px, py, pz), (qx, qy, qz) = p.T, q.T
    return np.stack((py * qx + px * qy, pz * qx + px * qz, pz * qy + py * qz), axis=1)
