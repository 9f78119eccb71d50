"""Points of the unit cube for the samples of a study, in chunks that are independent of each other.

A chunk is a randomized low-discrepancy point set of `scipy.stats.qmc`, or plain random numbers,
with a separate seed, so that any worker can draw any chunk. Its points have 2 d coordinates: the
first d are the rows A and the others the rows B of Saltelli's scheme, and both are samples of the
study.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ArgumentError

#: Names of the sampling methods, the default first.
METHODS = ("sobol", "halton", "lhs", "random")

#: Points stay this far from 0 and 1, where quantiles may be infinite (7 standard deviations).
_MARGIN = 1e-12


def check_method(method: str, dimension: int) -> None:
    """Raise ArgumentError if points (d,) cannot be drawn by a method."""
    if method not in METHODS:
        raise ArgumentError(f"sampling must be one of {', '.join(METHODS)}, found {method!r}")
    most = _import_qmc().Sobol.MAXDIM
    if method == "sobol" and 2 * dimension > most:
        raise ArgumentError(
            f"sampling: Sobol points have at most {most} coordinates, but {dimension} varying"
            f" parameters need {2 * dimension}; choose 'random'"
        )


def _import_qmc() -> Any:
    try:
        from scipy.stats import qmc
    except ImportError:
        raise ImportError('studies need SciPy; install it: pip install "jounce[study]"') from None
    return qmc


def draw_points(method: str, dimension: int, count: int, seed: int, chunk: int) -> np.ndarray:
    """Return `count` points (count, d) of a chunk: rows A, then rows B."""
    stream = np.random.SeedSequence(seed, spawn_key=(chunk,))
    rng = np.random.Generator(np.random.Philox(stream))
    rows = -(-count // 2)
    if method == "random":
        u = rng.random((rows, 2 * dimension))
    else:
        qmc = _import_qmc()
        engines = {"sobol": qmc.Sobol, "halton": qmc.Halton, "lhs": qmc.LatinHypercube}
        # Sobol points are balanced in powers of two
        size = 1 << (rows - 1).bit_length() if method == "sobol" else rows
        u = engines[method](2 * dimension, rng=rng).random(size)[:rows]
    u = np.concatenate((u[:, :dimension], u[:, dimension:]))[:count]
    return np.clip(u, _MARGIN, 1.0 - _MARGIN, out=u)
