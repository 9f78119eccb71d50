"""The interior-point method ends where the optimality conditions hold, to round-off."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.identification.interior_point import ConvexProblem, MatrixStack, NotOptimalError
from support.helpers import assert_close

#: Ranks of the bounded matrices (1, 1) and (4, 4) at the optimum.
RANKS = {1: (0, 1, 0), 4: (4, 3, 2)}


def symmetric(rng: np.random.Generator, *shape: int) -> np.ndarray:
    x = rng.normal(size=shape)
    return x + np.swapaxes(x, 1, 2)


def bounded(
    rng: np.random.Generator, nearly: dict[tuple[int, int], float]
) -> tuple[ConvexProblem, np.ndarray]:
    """A problem with a known optimum u; zero is strictly feasible.

    nearly: for some matrices (size, index) the eigenvalue (> 0) or multiplier (< 0) next to zero.
    """
    n = 24
    u, slope, bounds = rng.normal(size=n), np.zeros(n), []
    for m, ranks in RANKS.items():
        V = np.linalg.qr(rng.normal(size=(len(ranks), m, m)))[0]
        signs = np.where(np.arange(m) < np.array(ranks)[:, None], 1.0, -1.0)
        numbers = signs * rng.uniform(0.5, 2.0, signs.shape)
        for (size, k), x in nearly.items():
            if size == m:
                numbers[k, ranks[k] - (x > 0.0)] = x
        S, Z = ((V * np.maximum(x, 0.0)[:, None]) @ V.mT for x in (numbers, -numbers))
        # of the rates one direction is such that S is the identity at zero
        rates = symmetric(rng, len(ranks), m, m, n)
        rates += ((S - np.eye(m) - rates @ u) / (u @ u))[..., None] * u
        bounds.append(MatrixStack(np.broadcast_to(np.eye(m), S.shape), rates))
        slope += np.einsum("kij,kijn->n", Z, rates)
    # the gradient at u is what the multipliers hold
    return ConvexProblem(np.eye(n), slope - u, [], bounds), u


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "nearly",
    [
        {},
        {(1, 0): -1e-4},
        {(4, 1): -1e-4},
        {(4, 2): -1e-4},
        {(1, 1): 1e-4},
        {(4, 0): 1e-4},
        {(4, 1): 1e-4},
        {(1, 2): -1e-4, (4, 0): 1e-4},
    ],
)
def test_bounds_are_met_to_round_off(seed: int, nearly: dict[tuple[int, int], float]) -> None:
    problem, u = bounded(np.random.default_rng(seed), nearly)
    assert_close(problem.solve(np.zeros(len(u))), u, 1e-11)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_gradients_with_log_determinants_vanish(seed: int, scale: float) -> None:
    """In whatever units u is measured."""
    rng, n = np.random.default_rng(seed), 20
    logs = [MatrixStack(np.broadcast_to(np.eye(4), (3, 4, 4)), 0.3 * symmetric(rng, 3, 4, 4, n))]
    root = rng.normal(size=(n, n))
    P, q = root @ root.T, 10.0 * rng.normal(size=n)
    item = ConvexProblem(P, q, logs, []).solve(np.zeros(n))
    slope = P @ item + q
    for log in logs:
        assert np.linalg.eigvalsh(log.at(item)).min() > 0.0
        slope -= np.einsum("kij,kijn->n", np.linalg.inv(log.at(item)), log.rates)
    assert np.abs(slope).max() < 1e-10
    scaled = [MatrixStack(x.constant, scale * x.rates) for x in logs]
    other = ConvexProblem(scale**2 * P, scale * q, scaled, [])
    assert_close(scale * other.solve(np.zeros(n)), item, 1e-10)


def test_bounds_beside_log_determinants() -> None:
    """x >= 1 and y > 0: the least of x^2 + y^2 - log y has x = 1 and y = 1 / sqrt(2)."""
    x, y = np.array([[[[1.0, 0.0]]]]), np.array([[[[0.0, 1.0]]]])
    bound, log = MatrixStack(-np.ones((1, 1, 1)), x), MatrixStack(np.zeros((1, 1, 1)), y)
    problem = ConvexProblem(2.0 * np.eye(2), np.zeros(2), [log], [bound])
    assert_close(problem.solve(np.array((2.0, 1e-3))), np.array((1.0, np.sqrt(0.5))), 1e-14)


def test_gaps_tell_points_that_are_not_optimal() -> None:
    problem, u = bounded(np.random.default_rng(0), {})
    none = [np.zeros_like(S.constant) for S in problem.bounds]
    assert problem.gap(np.zeros(len(u)), none) > 1.0  # feasible
    assert problem.gap(-problem.q, none) == np.inf  # stationary


def test_problems_without_a_feasible_point_are_an_error() -> None:
    """x >= 1 and x <= -1."""
    contrary = MatrixStack(-np.ones((2, 1, 1)), np.array([1.0, -1.0]).reshape(2, 1, 1, 1))
    with pytest.raises(NotOptimalError):
        ConvexProblem(np.eye(1), np.zeros(1), [], [contrary]).solve(np.zeros(1))
