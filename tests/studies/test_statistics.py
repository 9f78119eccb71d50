"""Streaming statistics against NumPy on all values at once, and Sobol indices against SALib."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import reduce

import numpy as np
import pytest
from SALib.analyze import sobol as salib

import jounce
from jounce.studies import study
from jounce.studies.engine import mix_rows
from jounce.studies.statistics import Layout, Statistics

SHAPE = (4, 3)


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(4, 5000, 3)) @ rng.normal(size=(3, 3)) + rng.normal(size=(4, 1, 3))
    x[2, :, 1] = 0.25  # does not vary
    return x


def _layout(x: np.ndarray, bins: int = 400, covariance: bool = True, groups: int = 0) -> Layout:
    center, half = x.mean(axis=1), 6.0 * x.std(axis=1)
    return Layout(groups, covariance, bins, center - half, 2.0 * half / bins)


def _merge(x: np.ndarray, layout: Layout) -> Statistics:
    """Statistics of parts of the samples, merged."""
    parts, start = [], 0
    for part in np.split(x, [1, 700, 701, 3000], axis=1):
        parts.append(Statistics(layout))
        middle = (part.shape[1] + 1) // 2
        parts[-1].add(part[:, :middle], start)
        if middle < part.shape[1]:
            parts[-1].add(part[:, middle:], start + middle)
        start += part.shape[1]
    return reduce(Statistics.merge, parts)


@pytest.mark.parametrize("covariance", [True, False])
def test_moments_are_those_of_all_values(values: np.ndarray, covariance: bool) -> None:
    result = _merge(values, _layout(values, covariance=covariance))
    assert result.count == 5000
    np.testing.assert_allclose(result.mean, values.mean(axis=1), rtol=1e-12)
    expected = values.var(axis=1, ddof=1)
    expected[2, 1] = 0.0
    np.testing.assert_allclose(result.variance(), expected, rtol=0, atol=1e-11)
    for k in range(SHAPE[0]) if covariance else ():
        np.testing.assert_allclose(
            result.compute_covariance()[k], np.cov(values[k].T), rtol=0, atol=1e-11
        )


def test_quantiles_are_exact_to_a_bin(values: np.ndarray) -> None:
    levels = (0.0, 0.001, 0.05, 0.5, 0.77, 0.99, 1.0)
    layout = _layout(values)
    result = _merge(values, layout).quantiles(levels)
    expected = np.quantile(values, levels, axis=1)
    # lines between samples differ from lines within bins where samples are far apart
    assert (np.abs(result - expected)[2:6] <= 1.01 * layout.width + 1e-15).all()
    np.testing.assert_array_equal(result[0], values.min(axis=1))
    np.testing.assert_array_equal(result[-1], values.max(axis=1))
    assert (np.diff(result, axis=0) >= 0.0).all()
    assert (result[:, 2, 1] == 0.25).all()


def test_values_beyond_the_bins_count_in_the_outer_ones() -> None:
    x = np.concatenate((np.full(10, -100.0), np.linspace(-1, 1, 80), np.full(10, 100.0)))
    state = Statistics(Layout(0, True, 200, np.array([[-1.0]]), np.array([[0.01]])))
    state.add(x[None, :, None], 0)
    assert state.histogram.sum() == 100
    assert state.histogram[0, 0, 0] >= 10
    result = state.quantiles((0.5, 0.999))
    assert abs(result[0, 0, 0]) < 0.02
    assert 1.0 < result[1, 0, 0] <= 100.0


def test_extremes_and_counts_are_those_of_all_values(values: np.ndarray) -> None:
    result, full = _merge(values, _layout(values)), Statistics(_layout(values))
    full.add(values, 0)
    np.testing.assert_array_equal(result.histogram, full.histogram)
    np.testing.assert_array_equal(result.low, values.min(axis=1))
    np.testing.assert_array_equal(result.high, values.max(axis=1))
    np.testing.assert_array_equal(result.low_at, values.argmin(axis=1))
    np.testing.assert_array_equal(result.high_at, values.argmax(axis=1))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(full)).histogram, full.histogram)


def test_merging_changes_neither(values: np.ndarray) -> None:
    a, b = (Statistics(_layout(values)) for _ in range(2))
    a.add(values[:, :10], 0)
    b.add(values[:, 10:], 10)
    before = {name: np.copy(x) for name, x in vars(a).items() if isinstance(x, np.ndarray)}
    first = b.first.copy()
    a.merge(b)
    for name, x in before.items():
        np.testing.assert_array_equal(getattr(a, name), x)
    np.testing.assert_array_equal(b.first, first)


# ------------------------------------------------------------------ Sobol indices


def _indices(f: Callable[[np.ndarray], np.ndarray], a: np.ndarray, b: np.ndarray) -> Statistics:
    """Sums for the indices of f, one group for each column."""
    groups = a.shape[1]
    state = Statistics(Layout(groups, False, 8, *np.ones((2, 1, 1))))
    mixed = mix_rows(np.concatenate((a, b)), len(a), [slice(k, k + 1) for k in range(groups)])
    state.add_pairs(f(a)[None], f(b)[None], f(mixed).reshape(1, groups, len(a), 1))
    return state


def _product(x: np.ndarray) -> np.ndarray:
    return (0.5 + x[:, 0] + 2.0 * x[:, 1] + 3.0 * x[:, 0] * x[:, 1])[:, None]


def _salib(a: np.ndarray, b: np.ndarray, mixed: np.ndarray) -> np.ndarray:
    """First-order and total indices (2, groups) by SALib, of a, b (k,) and mixed (groups, k)."""
    problem = {"num_vars": len(mixed), "names": [f"x{k}" for k in range(len(mixed))]}
    problem["bounds"] = [[0.0, 1.0]] * len(mixed)
    results = np.column_stack((a, *mixed, b)).ravel()
    result = salib.analyze(problem, results, calc_second_order=False, num_resamples=2)
    return np.stack((result["S1"], result["ST"]))


def test_indices_are_those_of_salib() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 600, 2))
    result = [_indices(_product, a[part], b[part]) for part in (slice(0, 250), slice(250, 600))]
    value, _ = result[0].merge(result[1]).indices()
    mixed = mix_rows(np.concatenate((a, b)), 600, [slice(0, 1), slice(1, 2)])
    expected = _salib(_product(a)[:, 0], _product(b)[:, 0], _product(mixed).reshape(2, 600))
    np.testing.assert_allclose(value[:, :, 0, 0], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("sampling", ["sobol", "random"])
def test_indices_of_a_study_are_those_of_salib(sampling: str) -> None:
    """Of forces at three points, with the results of the same samples."""
    robot = jounce.load("planar_2r")
    rng = np.random.default_rng(1)
    arguments = (robot.random(rng, 3), *rng.normal(size=(2, 3, 2)))
    vary = {"inertia": "30%", "placement": "5mm 2deg"}
    result = study(robot, arguments, vary=vary, samples=500, sampling=sampling)
    problem = result.problem
    assert problem.chunks == 1
    x = problem.draw(0)
    pairs, groups = problem.count_pairs(500), [g.columns for g in problem.variation.groups]
    mixed = mix_rows(x, pairs, groups)
    rows = (x[:pairs], x[250 : 250 + pairs], mixed)
    a, b, ab = (problem.evaluation(problem.variation, part) for part in rows)
    ab = ab.reshape(3, len(groups), pairs, 2)
    for point in range(3):
        for entry in range(2):
            values = (x[point, ..., entry] for x in (a, b, ab))
            ours = (result.first[:, point, entry], result.total[:, point, entry])
            np.testing.assert_allclose(ours, _salib(*values), rtol=1e-9, atol=1e-12)


def test_indices_of_a_function_with_known_ones() -> None:
    """Of f = x + 2 y + 3 x y the shares are 1, 4 and 9 of 14."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200_000, 2))
    parts = [slice(k, k + 8000) for k in range(0, 200_000, 8000)]
    result = reduce(Statistics.merge, [_indices(_product, a[part], b[part]) for part in parts])
    value, error = result.indices()
    expected = np.array([[1, 4], [10, 13]]) / 14
    assert ((error > 1e-4) & (error < 0.03)).all()
    assert (np.abs(value[:, :, 0, 0] - expected) < 4.0 * error[:, :, 0, 0]).all()
    for ours, theirs in zip(result.indices(True), result.indices(), strict=True):
        np.testing.assert_allclose(ours, theirs[:, :, 0], rtol=1e-9)


def test_a_group_that_changes_nothing_has_no_share() -> None:
    a, b = np.random.default_rng(2).normal(size=(2, 64, 2))
    value, error = _indices(lambda x: x[:, :1], a, b).indices()
    assert (value[:, 1] == 0.0).all()
    assert (error[:, 1] == 0.0).all()
    still, _ = _indices(lambda x: np.zeros((len(x), 1)), a, b).indices()
    assert (still == 0.0).all()


def test_standard_errors_are_those_of_repetitions() -> None:
    rng = np.random.default_rng(3)
    result = []
    for _ in range(400):
        value, error = _indices(
            lambda x: (x[:, 0] + x[:, 1])[:, None], *rng.normal(size=(2, 160, 2))
        ).indices()
        result.append(np.stack((value, error))[:, :, 0, 0, 0])
    value, error = np.moveaxis(np.array(result), 1, 0)
    np.testing.assert_allclose(value.std(axis=0) / np.sqrt((error**2).mean(axis=0)), 1.0, atol=0.2)
    np.testing.assert_allclose(value.mean(axis=0), 0.5, atol=0.02)
