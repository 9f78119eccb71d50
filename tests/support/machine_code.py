"""What machine code is tried on: tapes, layouts, angles; and how far sines may be off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets.sines import LARGE

TOLERANCE = {"d": 1e-13, "f": 2e-5}


Layout = Callable[[np.ndarray], np.ndarray]


def with_steps(x: np.ndarray) -> np.ndarray:
    wide = np.full(tuple(2 * n + 1 for n in x.shape), np.nan, x.dtype)
    view = wide[tuple(slice(1, None, 2) for _ in x.shape)]
    view[...] = x
    return view


def backwards(x: np.ndarray) -> np.ndarray:
    everywhere = (slice(None, None, -1),) * x.ndim
    return x[everywhere].copy()[everywhere]


def core_transposed(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(np.swapaxes(x, -1, -2).copy(), -1, -2)


def unaligned(x: np.ndarray) -> np.ndarray:
    raw = np.empty(x.nbytes + 1, np.uint8)[1:]
    out = raw.view(x.dtype).reshape(x.shape)
    out[...] = x
    return out


def swapped(x: np.ndarray) -> np.ndarray:
    return x.astype(x.dtype.newbyteorder())


def read_only(x: np.ndarray) -> np.ndarray:
    out = x.copy()
    out.setflags(write=False)
    return out


def far_apart(x: np.ndarray) -> np.ndarray:
    """Samples a page apart, which unpacking treats apart."""
    rows = np.zeros((len(x), 4096 // x.itemsize), x.dtype)
    view = rows[:, : x[0].size].reshape(x.shape)
    assert np.shares_memory(view, rows)
    view[...] = x
    return view


LAYOUTS: dict[str, Layout] = {
    "contiguous": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "step 2": with_steps,
    "backwards": backwards,
    "core transposed": core_transposed,
    "unaligned": unaligned,
    "byte order": swapped,
    "read only": read_only,
    "a page apart": far_apart,
}


def sincos_tape() -> Tape:
    """Sine and cosine of one number."""
    graph = Graph()
    (x,) = graph.inputs_like((1,))
    return record(graph, [x.sin(), x.cos()])


def exactly(function: Callable[..., Any], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A function's values as the nearest doubles, and what they lack."""
    with mpmath.workprec(160):  # mpmath reduces large arguments with more bits by itself
        exact = [function(mpmath.mpf(float(value))) for value in x]
        nearest = np.array([float(value) for value in exact])
        return nearest, np.array([float(value - float(value)) for value in exact])


def ulps_allowed(x: np.ndarray) -> np.ndarray:
    """Between ten turns and where large angles begin, the reduced angle is rounded twice."""
    return np.where((np.abs(x) > 20 * np.pi) & (np.abs(x) < LARGE), 3.0, 2.0)


def ulps(actual: np.ndarray, exact: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Errors in units of the last place of the exact value."""
    nearest, rest = exact
    spacing = np.spacing(np.abs(nearest).astype(actual.dtype)).astype(float)
    return np.abs((actual.astype(float) - nearest) - rest) / spacing


def _near_quarter_turns(rng: np.random.Generator, dtype: type, largest: float) -> np.ndarray:
    k = np.concatenate((np.arange(1, 200), 2.0 ** rng.uniform(0, np.log2(largest), 400) // 1))
    with mpmath.workprec(1200):
        near = np.array([float(mpmath.mpf(n) * mpmath.pi / 2) for n in k]).astype(dtype)
    up, down = np.nextafter(near, dtype(np.inf)), np.nextafter(near, dtype(-np.inf))
    return np.concatenate((near, up, down, -near))


ANGLES: dict[str, Callable[[np.random.Generator, type], np.ndarray]] = {
    "turns": lambda rng, t: rng.uniform(-10, 10, 3000),
    "to 1e4": lambda rng, t: rng.uniform(-1e4, 1e4, 3000),
    "near quarter turns to 1e4": lambda rng, t: _near_quarter_turns(rng, t, 6e3),
    "near quarter turns": lambda rng, t: _near_quarter_turns(rng, t, 1e30),
    "around the switch": lambda rng, t: 2.0**19 + rng.uniform(-8, 8, 1000),
    "to the switch": lambda rng, t: rng.uniform(-(2.0**19), 2.0**19, 2000),
    "large": lambda rng, t: rng.choice((-1, 1), 2000) * 2.0 ** rng.uniform(15, 100, 2000),
    "huge": lambda rng, t: np.exp2(rng.uniform(90, np.log2(np.finfo(t).max) - 1e-3, 2000)),
    "small": lambda rng, t: rng.choice((-1, 1), 1000) * 10.0 ** rng.uniform(-30, 0, 1000),
    "denormal": lambda rng, t: np.finfo(t).smallest_subnormal * rng.integers(-(2**22), 2**22, 500),
    "special": lambda rng, t: np.array((0, -0.0, np.finfo(t).tiny, np.finfo(t).max, 1e5, 2**20)),
    # the double nearest to a multiple of pi/2, relatively
    "worst": lambda rng, t: np.array([6381956970095103.0 * 2.0**797]) if t is np.float64 else [1.0],
}


def wide_tape(size: int) -> Tape:
    """Many outputs of three inputs; some are equal, some are numbers, some are inputs."""
    graph = Graph()
    x = graph.inputs_like((3,))
    outputs = [x[0] * (k + 0.5) - x[1] if k % 7 else float(k) for k in range(size)]
    outputs[3], outputs[-1] = x[2], outputs[1]
    return record(graph, outputs)


def powers(shape: tuple[int, ...], size: int) -> Tape:
    """A tape with one input per element of a shape, and `size` different outputs."""
    graph = Graph()
    flat = list(graph.inputs_like(shape).flat)
    return record(graph, [flat[k % len(flat)] * (k + 2.0) for k in range(size)])
