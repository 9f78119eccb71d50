"""Streaming statistics against NumPy on all values at once, and their merges."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from jounce.studies.reducers import Extremes, Histogram, Indices, Moments
from jounce.utils.sums import tree_sum

SHAPE = (4, 3)


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(5000, *SHAPE)) @ rng.normal(size=(3, 3)) + rng.normal(size=SHAPE)
    x[:, 2, 1] = 0.25  # what does not vary
    return x


def _parts(x: np.ndarray) -> list[np.ndarray]:
    return np.split(x, [1, 700, 701, 3000])


def test_moments_are_those_of_all_values(values):
    states = []
    for part in _parts(values):
        state = Moments(SHAPE)
        state.add(part)
        states.append(state)
    found = tree_sum(states, Moments.merged)
    np.testing.assert_allclose(found.mean, values.mean(axis=0), rtol=1e-12)
    for k in range(SHAPE[0]):
        np.testing.assert_allclose(found.spread()[k], np.cov(values[:, k].T), rtol=0, atol=1e-11)
    np.testing.assert_allclose(found.variance(), values.var(axis=0, ddof=1), rtol=0, atol=1e-11)
    narrow = Moments(SHAPE, covariance=False)
    narrow.add(values)
    np.testing.assert_allclose(narrow.variance(), found.variance(), rtol=0, atol=1e-11)


def _histogram(x: np.ndarray, bins: int = 400) -> Histogram:
    centre, half = x.mean(axis=0), 6.0 * x.std(axis=0)
    return Histogram(centre - half, 2.0 * half / bins, bins)


def test_quantiles_are_exact_to_a_bin(values):
    levels = (0.0, 0.001, 0.05, 0.5, 0.77, 0.99, 1.0)
    state = _histogram(values)
    for part in _parts(values):
        state.add(part)
    found = state.quantiles(levels, values.min(axis=0), values.max(axis=0))
    expected = np.quantile(values, levels, axis=0)
    # straight lines between samples differ from those within bins where samples are far apart
    assert (np.abs(found - expected)[2:6] <= 1.01 * state.width + 1e-15).all()
    np.testing.assert_array_equal(found[0], values.min(axis=0))
    np.testing.assert_array_equal(found[-1], values.max(axis=0))
    assert (np.diff(found, axis=0) >= 0.0).all()
    assert (found[:, 2, 1] == 0.25).all()


def test_values_beyond_the_bins_count_in_the_outer_ones():
    x = np.concatenate((np.full(10, -100.0), np.linspace(-1, 1, 80), np.full(10, 100.0)))
    state = Histogram(np.array([[-1.0]]), np.array([[0.01]]), 200)
    state.add(x[:, None, None])
    assert state.counts.sum() == 100
    assert state.counts[0, 0] >= 10
    found = state.quantiles((0.5, 0.999), np.array([[-100.0]]), np.array([[100.0]]))
    assert abs(found[0, 0, 0]) < 0.02
    assert 1.0 < found[1, 0, 0] <= 100.0


def test_counts_merge_exactly_in_any_order(values):
    parts = []
    for part in _parts(values):
        state = _histogram(values)
        state.add(part)
        parts.append(state)
    whole = _histogram(values)
    whole.add(values)
    forth, back = tree_sum(parts, Histogram.merged), tree_sum(parts[::-1], Histogram.merged)
    np.testing.assert_array_equal(forth.counts, whole.counts)
    np.testing.assert_array_equal(back.counts, whole.counts)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).counts, whole.counts)


def test_extremes_know_their_sample(values):
    states, start = [], 0
    for part in _parts(values):
        state = Extremes(SHAPE)
        middle = (len(part) + 1) // 2
        state.add(part[:middle], start)
        if middle < len(part):
            state.add(part[middle:], start + middle)
        states.append(state)
        start += len(part)
    found = tree_sum(states, Extremes.merged)
    np.testing.assert_array_equal(found.low, values.min(axis=0))
    np.testing.assert_array_equal(found.high, values.max(axis=0))
    np.testing.assert_array_equal(found.low_at, values.argmin(axis=0))
    np.testing.assert_array_equal(found.high_at, values.argmax(axis=0))


def test_merging_leaves_both_as_they_were(values):
    a, b = Extremes(SHAPE), Extremes(SHAPE)
    a.add(values[:10], 0)
    b.add(values[10:], 10)
    before = a.low.copy(), b.low.copy()
    a.merged(b)
    np.testing.assert_array_equal(a.low, before[0])
    np.testing.assert_array_equal(b.low, before[1])


def _indices(f, a: np.ndarray, b: np.ndarray) -> Indices:
    state = Indices(a.shape[1], (1, 1))
    state.begin(f(a), f(b))
    for group in range(a.shape[1]):
        mixed = a.copy()
        mixed[:, group] = b[:, group]
        state.add(group, f(a), f(b), f(mixed))
    return state.gathered()


def test_indices_of_a_function_with_known_ones():
    """Of f = x + 2 y + 3 x y the shares are 1, 4 and 9 of 14; a constant is nothing."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200_000, 2))

    def f(x: np.ndarray) -> np.ndarray:
        return (0.5 + x[:, 0] + 2.0 * x[:, 1] + 3.0 * x[:, 0] * x[:, 1])[:, None, None]

    parts = [slice(k, k + 8000) for k in range(0, 200_000, 8000)]
    found = tree_sum([_indices(f, a[part], b[part]) for part in parts], Indices.merged)
    expected = np.array([1, 4]) / 14, np.array([10, 13]) / 14
    for (value, error), truth in zip((found.first(), found.total()), expected, strict=True):
        assert (error < 0.02).all()
        assert (error > 1e-4).all()
        assert (np.abs(value[:, 0, 0] - truth) < 4.0 * error[:, 0, 0]).all()
    for ours, theirs in zip(found.total(True), found.total(), strict=True):
        np.testing.assert_allclose(ours, theirs[:, 0], rtol=1e-9)
    for ours, theirs in zip(found.first(True), found.first(), strict=True):
        np.testing.assert_allclose(ours, theirs[:, 0], rtol=1e-9)


def test_a_group_that_is_all_explains_all_and_one_that_is_nothing_nothing():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 64, 2))
    found = _indices(lambda x: x[:, :1, None], a, b)
    first, error = found.first()
    assert abs(first[0, 0, 0] - 1.0) < 1e-12
    assert error[0, 0, 0] < 1e-7
    assert first[1, 0, 0] == 0.0
    total, error = found.total()
    assert abs(total[0, 0, 0] - 1.0) < 1e-12
    assert error[0, 0, 0] < 1e-7
    assert total[1, 0, 0] == error[1, 0, 0] == 0.0
    still = _indices(lambda x: np.zeros((len(x), 1, 1)), a, b)
    assert (still.first()[0] == 0.0).all()
    assert (still.total()[0] == 0.0).all()


def _sum(x: np.ndarray) -> np.ndarray:
    return (x[:, 0] + x[:, 1])[:, None, None]


def test_standard_errors_are_those_of_repetitions():
    rng = np.random.default_rng(3)
    found = []
    for _ in range(400):
        state = _indices(
            lambda x: (x[:, 0] + x[:, 1])[:, None, None], *rng.normal(size=(2, 160, 2))
        )
        found.append([x[0, 0, 0] for x in (*state.first(), *state.total())])
    first, first_error, total, total_error = np.array(found).T
    assert abs(first.std() / np.sqrt((first_error**2).mean()) - 1.0) < 0.2
    assert abs(total.std() / np.sqrt((total_error**2).mean()) - 1.0) < 0.2
    assert abs(first.mean() - 0.5) < 0.02
    assert abs(total.mean() - 0.5) < 0.02
