"""How kernels step through arrays, against entries that say where they lie."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.arrays.cupy_adapter.layout import byte_span, is_contiguous, step

pytestmark = pytest.mark.cuda


def some_array(rng: np.random.Generator) -> np.ndarray:
    """A view of numbers that are their own places, with gaps, turned or mirrored axes."""
    shape = rng.integers(1, 4, rng.integers(0, 4))
    gaps = rng.choice([1, 1, 1, 2], len(shape))
    x = np.arange(float(np.prod(shape * gaps))).reshape(shape * gaps)
    x = x[
        tuple(
            slice(None, n) if rng.random() < 0.5 else slice(None, None, k)
            for n, k in zip(shape, gaps, strict=True)
        )
    ]
    if rng.random() < 0.2:
        x = x.transpose(rng.permutation(x.ndim))
    if rng.random() < 0.2 and x.ndim:
        x = x[::-1]
    return x


@pytest.mark.parametrize("seed", range(20))
def test_steps_lead_to_the_samples(seed: int) -> None:
    rng, found_some, found_none = np.random.default_rng(seed), 0, 0
    for _ in range(100):
        x = some_array(rng)
        own = int(rng.integers(0, x.ndim + 1))
        if rng.random() < 0.3 and own:
            x = x[:1]
        core = x.shape[own:]
        batch = tuple(int(rng.integers(1, 4)) if n == 1 else n for n in x.shape[:own])
        batch = (*rng.integers(1, 3, rng.integers(0, 2)).tolist(), *batch)
        found = step(x.shape, x.strides, core, batch, 8)
        places = np.broadcast_to(x, (*batch, *core)).reshape(int(np.prod(batch)), -1)
        apart = set(np.diff(places[:, 0]).tolist())
        regular = bool((np.diff(places, axis=1) == 1).all()) and len(apart) < 2
        assert (found is not None) == regular
        if found is not None:
            assert apart <= {found}
            found_some += 1
        else:
            found_none += 1
    assert found_some > 10
    assert found_none > 10


def test_spans_and_gaps() -> None:
    assert byte_span((2, 3), (24, 8), 8) == (0, 48)
    assert byte_span((2, 3), (-24, 8), 8) == (-24, 24)
    assert byte_span((2, 0), (24, 8), 8) == (0, 0)
    assert is_contiguous((2, 1, 3), (24, 999, 8), 8)
    assert is_contiguous((0, 5), (1, 1), 8)
    assert not is_contiguous((2, 3), (32, 8), 8)
    assert step((5, 3), (25, 8), (3,), (5,), 8) is None  # not at entries
    assert step((5, 0), (0, 8), (0,), (5,), 8) == 0
