"""Some of many rows: which ones, only the rows themselves decide."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.identification.thinning import Thinned
from jounce.robot import Robot
from jounce.utils.sums import tree_sum
from support.helpers import assert_close
from support.identify_data import changed, motion

MOST = 64


def rows(n: int, first: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    return {"q": rng.normal(size=(n, 2)), "rows": first + np.arange(n)}


def thinned(arrays: dict[str, np.ndarray], piece: int = 7) -> Thinned:
    out = Thinned(MOST)
    for start in range(0, len(arrays["rows"]), piece):
        out.add({k: x[start : start + piece] for k, x in arrays.items()})
    return out


def cut(arrays: dict[str, np.ndarray], each: int) -> Iterator[dict[str, np.ndarray]]:
    for start in range(0, len(arrays["rows"]), each):
        yield {k: x[start : start + each] for k, x in arrays.items()}


@pytest.mark.parametrize("n", [1, MOST, MOST + 1, 1000, 20_000])
@pytest.mark.parametrize("each", [1, 13, 999])
def test_the_same_rows_in_whatever_parts(n: int, each: int) -> None:
    whole = rows(n)
    expected = thinned(whole)
    parts = [thinned(part) for part in cut(whole, each)]
    for found in (tree_sum(parts, Thinned.__add__), tree_sum(parts[::-1], lambda a, b: b + a)):
        assert found.seen == n
        assert len(found) == len(expected) <= MOST
        assert (found.arrays()["rows"] == expected.arrays()["rows"]).all()
        assert (found.arrays()["q"] == expected.arrays()["q"]).all()


def test_they_are_spread_over_all_rows() -> None:
    found = thinned(rows(20_000)).arrays()["rows"]
    assert MOST / 2 - 16 < len(found) <= MOST
    assert (np.diff(found) > 0).all()
    quarters = np.bincount(found // 5000)
    assert quarters.min() >= 4


def test_what_was_held_goes_on() -> None:
    one, other = thinned(rows(3000)), thinned(rows(500, 3000))
    again = Thinned.of([one.most, one.every, one.seen], one.packed())
    assert (((again + other).arrays()["rows"]) == (one + other).arrays()["rows"]).all()


@pytest.mark.parametrize("piece", [1, 7, 5000])
def test_robots_that_stand_still(piece: int) -> None:
    """The same row many times, in pieces of any size: about as many of them as of others."""
    still = {"q": np.repeat([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]], 5000, axis=0)}
    found = thinned({**still, "rows": np.arange(15_000)}, piece)
    assert (
        found.arrays()["rows"] == thinned({**still, "rows": np.arange(15_000)}).arrays()["rows"]
    ).all()
    assert found.every <= 15_000 / MOST * 2
    moved = np.bincount(found.arrays()["rows"] // 5000)
    assert moved.min() >= 4


def test_the_same_rows_again_and_again() -> None:
    """Nothing tells them apart, and they are bounded all the same."""
    again = thinned({"q": np.tile([[0.0], [1.0]], (5000, 1)), "rows": np.arange(10_000)})
    assert 0 < len(again) <= MOST
    assert 0 < len(again + again) <= MOST


# ------------------------------------------------------------------ what it is for


def test_more_parts_than_rows_that_are_held(arm: Robot) -> None:
    data = motion(changed(arm), 4100, noise=0.02).arrays()
    parts = [{k: x[i : i + 1] for k, x in data.items()} for i in range(4100)]
    found = identify(arm, parts, method="wls", folds=0, trust_units=True)
    whole = identify(arm, data, method="wls", folds=0)
    assert_close(found.theta, whole.theta, 1e-10)
    assert (found.kept.q == whole.kept.q).all()


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
            found = identify(arm, parts, trust_units=True, **options)
        with pytest.warns(jounce.DataWarning, match="24 of 12000 rows"):
            whole = identify(arm, data, **options)
    else:
        found = identify(arm, parts, trust_units=True, **options)
        whole = identify(arm, data, **options)
    assert_close(found.theta, whole.theta, 1e-10)
