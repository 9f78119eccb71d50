"""Newton's last steps end where the conditions of an optimum hold, to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.identify.polishing import Matrix, Optimum
from support.helpers import assert_close

#: Sizes of matrices that are bounded, and their ranks at the optimum.
SIZES = [(1, 0), (1, 1), (1, 0), (4, 4), (4, 3), (4, 2)]


def symmetric(rng: np.random.Generator, k: int, *more: int) -> np.ndarray:
    x = rng.normal(size=(k, k, *more))
    return x + np.swapaxes(x, 0, 1)


def bounded(
    rng: np.random.Generator, hardly: dict[int, float]
) -> tuple[Optimum, np.ndarray, list[np.ndarray]]:
    """A problem with a known optimum, and the multipliers there.

    hardly: for some matrices their least number, an eigenvalue (> 0) or a multiplier's (< 0).
    """
    n = 24
    u, slope, bounds, multipliers = rng.normal(size=n), np.zeros(n), [], []
    for at, (k, rank) in enumerate(SIZES):
        V, _ = np.linalg.qr(rng.normal(size=(k, k)))
        numbers = np.where(np.arange(k) < rank, 1.0, -1.0) * rng.uniform(0.5, 2.0, k)
        if at in hardly:
            numbers[rank - 1 if hardly[at] > 0.0 else rank] = hardly[at]
        S, Z = ((V * np.maximum(x, 0.0)) @ V.T for x in (numbers, -numbers))
        rates = symmetric(rng, k, n)
        bounds.append(Matrix(S - rates @ u, rates))
        multipliers.append(Z)
        slope += np.einsum("ij,ijn->n", Z, rates)
    # the gradient at u is what the multipliers hold
    return Optimum(np.eye(n), slope - u, 1.0, [], bounds), u, multipliers


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "hardly",
    [{}, {0: -1e-4}, {4: -1e-4}, {5: -1e-4}, {1: 1e-4}, {3: 1e-4}, {4: 1e-4}, {2: -1e-4, 3: 1e-4}],
)
def test_bounds_are_met_to_rounding(seed: int, hardly: dict[int, float]) -> None:
    """From 1e-4 away, as a solver with a gap of 1e-8 ends, where it cannot tell what is zero."""
    rng = np.random.default_rng(seed)
    optimum, u, multipliers = bounded(rng, hardly)
    start = u + 1e-4 * rng.normal(size=u.shape)
    near = [Z + 1e-4 * symmetric(rng, len(Z)) for Z in multipliers]
    assert_close(optimum.polished(start, near, start), u, 1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_log_determinants_have_no_slope_left(seed: int) -> None:
    """The start may be outside: the gradient at the end is rounding."""
    rng, n = np.random.default_rng(seed), 20
    logs = [Matrix(np.eye(4), 0.3 * symmetric(rng, 4, n)) for _ in range(3)]
    root = rng.normal(size=(n, n))
    optimum = Optimum(root @ root.T, rng.normal(size=n), 0.1, logs, [])
    outside = 10.0 * rng.normal(size=n)
    found = optimum.polished(outside, [], np.zeros(n))
    slope = optimum.P @ found + optimum.q
    for part in logs:
        assert np.linalg.eigvalsh(part.at(found))[0] > 0.0
        slope -= optimum.gamma * np.einsum("ij,jin->n", np.linalg.inv(part.at(found)), part.rates)
    assert np.abs(slope).max() < 1e-11
    assert_close(optimum.polished(-outside, [], np.zeros(n)), found, 1e-10)


@pytest.mark.parametrize("multiplier", [0.0, 1.0, 3.0])
def test_bounds_beside_log_determinants(multiplier: float) -> None:
    """x >= 1 and y > 0: the least of x^2 + y^2 - log y has x = 1 and y = 1 / sqrt(2)."""
    x, y = np.array([[[1.0, 0.0]]]), np.array([[[0.0, 1.0]]])
    bound, log = Matrix(np.array([[-1.0]]), x), Matrix(np.array([[0.0]]), y)
    optimum = Optimum(2.0 * np.eye(2), np.zeros(2), 1.0, [log], [bound])
    start = np.array((1.2, 1e-9))
    found = optimum.polished(start, [np.array([[multiplier]])], np.ones(2))
    assert_close(found, np.array((1.0, np.sqrt(0.5))), 1e-14)


def test_what_has_no_optimum_stays_as_it_was() -> None:
    """Two bounds that contradict each other, and a log-determinant that is defined nowhere."""
    x, one, start = np.ones((1, 1, 1)), np.ones((1, 1)), np.array([0.3])
    contrary = [Matrix(-one, x), Matrix(-one, -x)]
    optimum = Optimum(np.eye(1), np.zeros(1), 1.0, [], contrary)
    assert optimum.polished(start, [one, one], start) is start
    optimum = Optimum(np.eye(1), np.zeros(1), 1.0, [Matrix(-one, 0.0 * x)], [])
    assert optimum.polished(start, [], start) is start
