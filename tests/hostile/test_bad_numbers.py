"""Inputs that are no numbers, huge or tiny: their own sample shows it, and no other one."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.derivative import derivative_names
from jounce.catalog.quantities import QUANTITIES
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import PARAMETRIC
from jounce.compiler.targets import interpreter
from jounce.robot import Robot
from jounce.runtime.kernel import Kernel
from support.helpers import (
    OF_FREE_FRAMES,
    assert_close,
    chain,
    interpreted,
    quantity,
    with_frames,
)

BAD = (np.nan, np.inf, -np.inf)
#: Not a multiple of any number of lanes: the last samples share a vector with nothing.
BATCH = 19
SICK = (0, 7, 18)


@cache
def robot(of: str = "") -> Robot:
    """A small robot; for quantities `of` frames that move freely, one whose tool does."""
    kinds = ("revolute", "spherical")
    if any(part in OF_FREE_FRAMES for part in of.split(".")):
        kinds = ("revolute", "spherical", "cylindrical")
    return Robot(with_frames(chain(kinds), np.random.default_rng(0)))


def names(*derivatives: str) -> list[str]:
    """Names of all quantities, or of those derivatives of them that there are."""
    out = []
    for row in QUANTITIES:
        base = f"frame(tool).{row.name}" if row.of_frame else row.name
        known = derivative_names(row)
        out += [
            f"{base}.{name}" if name else base for name in derivatives if not name or name in known
        ]
    return out


#: All quantities and two derivatives; those of frames that move freely have large kernels.
USUAL = [
    *names(""),
    *(name for name in names("dpi", "dscrew") if OF_FREE_FRAMES.isdisjoint(name.split("."))),
]


def others() -> list[str]:
    """Derivatives that the ordinary run leaves out."""
    kinds = {name for row in QUANTITIES for name in derivative_names(row)}
    every = [*names(*sorted(kinds)), *names("dt"), "inverse_dynamics.rates(3)"]
    return [name for name in every if name not in USUAL]


def arguments(item: BoundQuantity, batch: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    kernel = item.kernel
    made = robot(kernel.quantity.name)
    out = []
    for name, core in zip(kernel.arguments, kernel.inputs, strict=True):
        if name == "q":
            flat = made.random(rng, int(np.prod(batch)))
            out.append(flat.reshape(*batch, *core))
        elif name == "pi":
            out.append(np.broadcast_to(made.model.parameters, (*batch, *core)).copy())
        else:
            out.append(rng.normal(size=(*batch, *core)))
    return out


def evaluated(item: BoundQuantity, given: list[np.ndarray]) -> list[np.ndarray]:
    with np.errstate(all="ignore"):
        return several(item(*given))


def several(results: Any) -> list[np.ndarray]:
    """All results of a quantity, be it one or a tuple."""
    return list(results) if isinstance(results, tuple) else [results]


def by_interpreter(kernel: Kernel, sample: list[np.ndarray]) -> list[np.ndarray]:
    """All results of a kernel's tape on one sample: no compiler involved."""
    with np.errstate(all="ignore"):
        flat = interpreter.run(kernel.tape, list(np.concatenate([x.ravel() for x in sample])))
    sizes = [math.prod(core) for core in kernel.outputs]
    parts = np.split(np.array(flat, dtype=float), np.cumsum(sizes)[:-1])
    return [x.reshape(core) for x, core in zip(parts, kernel.outputs, strict=True)]


def check_isolation(item: BoundQuantity, dtype: type = np.float64) -> None:
    """Every bad number in every argument of one sample, in a batch and alone."""
    given = [x.astype(dtype) for x in arguments(item, (BATCH,))]
    clean = evaluated(item, given)
    kernel = item.kernel
    for k, (sick, bad) in enumerate((s, b) for s in SICK for b in BAD):
        argument = k % len(given)
        for whole in (True, False):
            some = [x.copy() for x in given]
            if whole:
                some[argument][sick] = bad
            else:
                some[argument][sick].flat[k % some[argument][sick].size] = bad
            found = evaluated(item, some)
            healthy = np.arange(BATCH) != sick
            for result, expected in zip(found, clean, strict=True):
                np.testing.assert_array_equal(result[healthy], expected[healthy])
            alone = evaluated(item, [x[sick] for x in some])
            tape = by_interpreter(kernel, [x[sick].astype(float) for x in some])
            for result, single, wanted in zip(found, alone, tape, strict=True):
                np.testing.assert_array_equal(result[sick], single)
                np.testing.assert_array_equal(np.isfinite(result[sick]), np.isfinite(wanted))


@pytest.mark.parametrize("name", USUAL)
def test_a_bad_sample_stays_alone(name: str) -> None:
    check_isolation(robot(name).quantity(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", others())
def test_a_bad_sample_of_a_derivative_stays_alone(name: str) -> None:
    check_isolation(robot(name).quantity(name))


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix.dpi", "forward_dynamics"])
def test_a_bad_sample_stays_alone_in_single_precision(name: str) -> None:
    check_isolation(robot().quantity(name), np.float32)


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix"])
def test_bad_parameters_stay_alone(name: str) -> None:
    assert name in PARAMETRIC
    check_isolation(robot().quantity(f"parametric.{name}"))


MOVING = [row for row in QUANTITIES if row.arguments[0] == "q"]


@pytest.mark.parametrize("row", MOVING, ids=lambda row: row.name)
def test_bad_configurations_give_no_numbers(row: AnyQuantity) -> None:
    """Whatever depends on the configuration at all says so; nothing turns it into a number.

    It is NaN, but of what is linear in q: that stays infinite as q is.
    """
    item = quantity(robot(row.name), row, "tool" if row.of_frame else None)
    given = arguments(item, ())
    moved = evaluated(item, [given[0][::-1].copy(), *given[1:]])[0]
    depends = not np.array_equal(evaluated(item, given)[0], moved)
    for bad in BAD:
        result = evaluated(item, [np.full_like(given[0], bad), *given[1:]])[0]
        shown = ~np.isfinite(result) if row.name == "velocity_map" else np.isnan(result)
        assert shown.any() == depends


def test_bad_samples_in_large_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """In slices of several threads, into memory that is used again and was full of NaN before."""
    item, count = robot().mass_matrix, jounce.get_num_threads()
    n = (1 << 15) + 13
    q = np.resize(arguments(item, (500,))[0], (n, robot().nq))
    clean = item(q).copy()
    sick = np.random.default_rng(2).permutation(n)[:200]
    bad = q.copy()
    bad[sick] = np.resize(BAD, (200, 1))
    healthy = np.ones(n, dtype=bool)
    healthy[sick] = False
    monkeypatch.setattr(item.kernel.compile("d"), "large", 1)
    try:
        jounce.set_num_threads(3)
        for _ in range(3):
            with np.errstate(all="ignore"):
                found = item(bad)
            assert np.isnan(found[sick]).any(axis=(1, 2)).all()
            np.testing.assert_array_equal(found[healthy], clean[healthy])
            found[:] = np.nan
            del found
            np.testing.assert_array_equal(item(q), clean)
    finally:
        jounce.set_num_threads(count)


# ------------------------------------------------------------------ huge and tiny


@pytest.mark.parametrize("row", MOVING, ids=lambda row: row.name)
@pytest.mark.parametrize("angle", [1e6, 1e15, 1e22, 1e300])
def test_huge_angles(row: AnyQuantity, angle: float) -> None:
    """An angle of many turns is an angle: the kernels reduce it as exactly as NumPy does."""
    item = quantity(robot(row.name), row, "tool" if row.of_frame else None)
    given = arguments(item, (5,))
    given[0][:, 0] = angle * np.array((1.0, -1.0, 0.7, 0.3, 1e-3))
    with np.errstate(all="ignore"):
        wanted = interpreted(item.kernel, *given)
    # inverting the inertia of a task loses digits; the null space of six rows is empty here
    tolerance, floor = (1e-11, 1.0) if row.name in OF_FREE_FRAMES else (1e-12, 1e-9)
    for found, right in zip(evaluated(item, given), several(wanted), strict=True):
        assert np.isfinite(right).all()
        assert_close(found, right, tolerance, row.name, floor)


def test_tiny_numbers_are_not_flushed() -> None:
    """tau is linear in a: below the smallest normal number too, as far as digits are left."""
    item = robot().mass_matrix
    q = arguments(item, (9,))[0]
    M, zero = item(q), np.zeros(robot().nv)
    tau = robot().edit.with_parameters(robot().model.parameters).inverse_dynamics
    still = Robot(robot().model.with_gravity((0.0, 0.0, 0.0))).inverse_dynamics
    for scale in (1e-300, 1e-310, 1e-315):
        a = np.full(robot().nv, scale)
        wanted = (M @ np.ones(robot().nv)) * scale
        found = still(q, zero, a)
        assert np.all(found != 0.0)
        digits = max(1e-12, 1e-322 / scale * 100)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=digits * np.abs(wanted).max())
        # beside gravity they do not count
        np.testing.assert_array_equal(tau(q, zero, a), tau(q, zero, zero))
    for tiny in (5e-324, -5e-324, 1e-310):
        q[:, 0] = tiny
        near = item(q)
        q[:, 0] = 0.0
        np.testing.assert_allclose(near, item(q), rtol=1e-15, atol=1e-300)
