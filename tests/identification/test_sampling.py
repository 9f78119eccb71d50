"""Samples of rows: bounded, spread, independent of partitioning; identification by them."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.identification.sampling import RowSample
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import changed, motion

SIZE = 64


def sample(q: np.ndarray, piece: int, first: int = 0) -> RowSample:
    out = RowSample(SIZE)
    rows = first + np.arange(len(q))
    for start in range(0, len(q), piece):
        part = slice(start, start + piece)
        out.add({"q": q[part], "rows": rows[part]})
    return out


@pytest.mark.parametrize("n", [1, SIZE, SIZE + 1, 1000, 20_000])
@pytest.mark.parametrize("each", [13, 999])
def test_samples_do_not_depend_on_partitions(n: int, each: int) -> None:
    q = np.random.default_rng(n).normal(size=(n, 2))
    expected = sample(q, 7)
    parts = [sample(q[k : k + each], 5, k) for k in range(0, n, each)]
    for merged in (reduce(RowSample.__add__, parts), reduce(RowSample.__add__, parts[::-1])):
        assert merged.seen == n
        assert len(merged) == min(n, SIZE)
        for name in ("rows", "q"):
            np.testing.assert_array_equal(merged.select()[name], expected.select()[name])
        subset = merged.select(10)["rows"]
        assert np.isin(subset, merged.select()["rows"]).all()
        assert (np.diff(subset) > 0).all()


def test_samples_are_spread_over_all_rows() -> None:
    rows = sample(np.random.default_rng(0).normal(size=(20_000, 2)), 999).select()["rows"]
    assert np.bincount(rows // 5000).min() >= 4


@pytest.mark.parametrize("count", [10, 20_000])
def test_copies_count_once(count: int) -> None:
    q = np.random.default_rng(0).normal(size=(count, 2))
    copies = sample(np.tile(q, (3, 1)), 999)
    assert copies.seen == 3 * count
    assert 0.7 * count < copies.distinct < 1.4 * count
    assert copies.is_complete is (count < SIZE)
    np.testing.assert_array_equal(copies.select()["rows"], sample(q, 999).select()["rows"])


# ------------------------------------------------------------------ in identification


def test_more_parts_than_rows_that_are_held(arm: Robot) -> None:
    data = motion(changed(arm), 4100, noise=0.02).arrays()
    parts = [{k: x[i : i + 1] for k, x in data.items()} for i in range(4100)]
    result = identify(arm, parts, method="wls", folds=0, trust_units=True)
    full = identify(arm, data, method="wls", folds=0)
    assert_close(result.theta, full.theta, 1e-10)
    assert (result.kept.q == full.kept.q).all()


@pytest.mark.filterwarnings("ignore:.*accelerations of joint1 .* do not fit:jounce.DataWarning")
@pytest.mark.parametrize("robust", [None, "huber"])
def test_logs_that_begin_at_rest(arm: Robot, robust: str | None) -> None:
    """Hundreds of short ones: few rows tell of the noise, and not just the first of each log."""
    long = motion(changed(arm), 12_000, noise=0.02)
    data = long.arrays()
    ramp = np.tile(np.sin(np.linspace(0.0, np.pi, 20)), 600)[:, None]
    data["v"], data["a"] = data["v"] * ramp, data["a"] * ramp
    rng = np.random.default_rng(1)
    clean = changed(arm).inverse_dynamics(data["q"], data["v"], data["a"])
    data["tau"] = clean + 0.02 * rng.normal(size=clean.shape)
    data["tau"][::500] += 50.0
    parts = [{k: x[i : i + 20] for k, x in data.items()} for i in range(0, 12_000, 20)]
    options = {"method": "wls", "robust": robust, "folds": 0}
    if robust is None:
        with pytest.warns(jounce.DataWarning, match="24 of 12000 rows"):
            result = identify(arm, parts, trust_units=True, **options)
        with pytest.warns(jounce.DataWarning, match="24 of 12000 rows"):
            full = identify(arm, data, **options)
    else:
        result = identify(arm, parts, trust_units=True, **options)
        full = identify(arm, data, **options)
    assert_close(result.theta, full.theta, 1e-10)
