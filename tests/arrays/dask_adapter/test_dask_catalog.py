"""Every quantity on Dask's arrays: what NumPy's give, to the last bit, and known before."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.lie import quaternion, se3, so3
from jounce.catalog.derivative import derivative_names
from support.contacts import with_contacts
from support.helpers import offered
from support.robots import random_model

da: Any = pytest.importorskip("dask.array", reason="Dask is an extra: pip install 'jounce[dask]'")
config: Any = pytest.importorskip("dask.config")
tokenize: Any = pytest.importorskip("dask.base").tokenize

pytestmark = pytest.mark.scale

#: Samples, and the blocks they come in.
COUNT, BLOCKS = 5, (2, 3)


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    """Random numbers need not be states that loops allow: NaN for both is fine."""
    with config.set(scheduler="synchronous"), np.errstate(all="ignore"):
        yield


@cache
def owner(name: str) -> Any:
    """What has quantities, small."""
    rng = np.random.default_rng(2)
    if name == "mechanism":
        return jounce.load("five_bar").closed()
    if name == "contacts":
        model = random_model(rng, 2, ("revolute", "spherical"), floating=True)
        return jounce.Robot(with_contacts(model, rng, "point")).contacts()
    if name == "floating":
        return jounce.Robot(random_model(rng, 3, ("revolute", "prismatic"), floating=True))
    return jounce.load("planar_2r")


def drawn(kernel: Any, dtype: Any = np.float64) -> list[np.ndarray]:
    rng = np.random.default_rng(len(kernel.arguments))
    return [rng.uniform(0.1, 1.0, (COUNT, *core)).astype(dtype) for core in kernel.inputs]


def check(quantity: BoundQuantity, dtype: Any = np.float64, compute: bool = True) -> None:
    """Lazy is eager: shapes, blocks and dtype at once, without a kernel, values in the end."""
    kernel = quantity.kernel
    given = drawn(kernel, dtype)
    lazy = [da.from_array(x, chunks=(BLOCKS, *x.shape[1:])) for x in given]
    found = quantity(*lazy)
    assert not kernel._compiled
    assert "tape" not in vars(kernel)
    assert tokenize(pickle.loads(pickle.dumps(quantity))) == tokenize(quantity)
    leaves = found if isinstance(found, tuple) else (found,)
    for x, core in zip(leaves, kernel.outputs, strict=True):
        assert isinstance(x, da.Array)
        assert x.chunks == (BLOCKS, *((n,) for n in core))
        assert x.dtype == x._meta.dtype == dtype
        assert x._meta.ndim == x.ndim
    if compute:
        expected = quantity(*given)
        assert isinstance(found, tuple) == isinstance(expected, tuple)
        truths = expected if isinstance(expected, tuple) else (expected,)
        for x, truth in zip(da.compute(*leaves), truths, strict=True):
            assert x.dtype == truth.dtype
            np.testing.assert_array_equal(x, truth)


@pytest.mark.parametrize("name", ["arm", "floating", "mechanism", "contacts"])
def test_every_quantity(name: str) -> None:
    system, count = owner(name), 0
    for row in system.definitions:
        if row != "elastic_inverse_dynamics":  # whose drives' numbers are looked at
            check(getattr(system, row))
            count += 1
    assert count > 5


def test_every_quantity_of_frames() -> None:
    frame = owner("arm").frame(owner("arm").model.frame_names[-1])
    for name, row in frame.definitions.items():
        check(getattr(frame, name), compute=offered(owner("arm"), row))


@pytest.mark.parametrize("name", ["parametric", "morphable"])
def test_every_quantity_with_its_numbers_given(name: str) -> None:
    table = getattr(owner("arm"), name)
    for row in table.definitions:
        check(getattr(table, row), compute=row in ("inverse_dynamics", "kinetic_energy"))


@pytest.mark.parametrize("name", ["arm", "mechanism", "contacts"])
def test_every_derivative_is_known_before_it_is_computed(name: str) -> None:
    system = owner(name)
    for row in system.definitions:
        quantity = getattr(system, row)
        for step in (
            derivative_names(quantity.definition) if hasattr(quantity, "derivative") else ()
        ):
            check(quantity.derivative(step), compute=False)


def test_every_derivative_of_one() -> None:
    quantity = owner("floating").inverse_dynamics
    for step in (*derivative_names(quantity.definition), "rates(2)"):
        check(quantity.derivative(step), compute="d3" not in step)
    check(owner("floating").mass_matrix.dq.dq)
    check(owner("mechanism").inverse_dynamics.derivatives)


def test_float32() -> None:
    check(jounce.load("planar_2r").inverse_dynamics.derivatives, np.float32)
    check(jounce.load("five_bar").closed().mass_matrix, np.float32)


def test_groups() -> None:
    for group in (so3, se3, quaternion):
        for name in group._names:
            check(getattr(group, name))
